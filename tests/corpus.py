#!/usr/bin/env python3
"""corpus.py TGC TO: a line "hash path" for every text that tgc writes for a fixed set of codelets and machines:
variants, sum.cu, headers, manifests, the check's tables, and what it says on the way (remarks, refusals, counts). Two
runs, before and after a change, are compared with diff: a rebuild of the compiler's middle keeps them byte for byte.

    corpus.py TGC TO [--jobs J] [--only PATTERN] [--keep-texts DIR]

Takes a minute on two processors. Not a test: it says that texts changed, not that they are wrong."""
import argparse
import concurrent.futures
import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MACHINES = ["sm_35", "sm_60", "sm_80", "sm_90", "avx2", "avx512"]
ALL_TYPES = "int8,uint8,int16,uint16,int,uint,int64,uint64,half,bfloat16,float,double,cfloat,cdouble"


def cases():
    """(name, arguments) of each run."""
    shipped = [os.path.relpath(f, ROOT) for f in sorted(glob.glob(f"{ROOT}/codelets/*.cdl"))]
    for machine in MACHINES:
        for f in shipped:
            more = ["--operator", "Max"] if f.endswith("/reduce.cdl") else []
            yield f"{machine}/{name_of(f)}", [f, "--arch", machine, "--keep", "48", "--remarks=all", *more]
        for operator in ("Product", "Min", "And", "Xor", "ArgMax", "Moments", "ReproducibleSum"):
            yield f"{machine}/{operator}", ["codelets/reduce.cdl", "--operator", operator, "--arch", machine, "--keep",
                                            "16"]
        yield f"{machine}/Product2x2", ["examples/product2x2.cdl", "codelets/reduce.cdl", "--operator", "Product2x2",
                                        "--arch", machine,
                                        "--keep", "24", "--types", "int,float"]
        yield f"{machine}/all-types", ["codelets/sum.cdl", "--arch", machine, "--types", ALL_TYPES, "--keep", "12"]
        yield f"{machine}/pruned", ["codelets/sum.cdl", "--arch", machine, "--list", "--pruned"]
        yield f"{machine}/trace", ["codelets/gemv.cdl", "--arch", machine, "--list", "--trace"]
        yield f"{machine}/cgo", ["codelets/sum.cdl", "--arch", machine, "--list", "--space", "cgo"]
        for folder in ("examples", "tests/listings", "tests/strangers", "tests/random/found"):
            for f in sorted(glob.glob(f"{ROOT}/{folder}/*.cdl")):
                yield f"{machine}/{folder.replace('/', '-')}-{name_of(f)}", [
                    os.path.relpath(f, ROOT), "--arch", machine, "--keep", "16", "--types", "int,float",
                    "--remarks=all"]
    for f in ("sum", "gemv", "scan"):
        yield f"rules/{f}", ["rules", f"codelets/{f}.cdl", "--arch", "sm_90"]
        yield f"several/{f}", [f"codelets/{f}.cdl", "--arch", "sm_60,sm_90", "--keep", "8"]


def name_of(path):
    return os.path.splitext(os.path.basename(path))[0]


def texts(tgc, base, name, arguments):
    """[(path, text)] of one run."""
    out = os.path.join(base, name)
    os.makedirs(out)
    writes = not {"--list", "rules"} & set(arguments)
    table = [] if arguments[0] == "rules" or name.startswith("several/") else ["--table", "none"]
    command = [tgc, *arguments, *table, *(["-o", os.path.join(out, "out")] if writes else [])]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    said = done.stdout + done.stderr + f"status {done.returncode}\n"
    found = [(f"{name}/said", said.replace(base, ""))]
    for where, _, files in sorted(os.walk(out)):
        for f in sorted(files):
            with open(os.path.join(where, f), errors="surrogateescape") as text:
                found.append((os.path.relpath(os.path.join(where, f), base), text.read()))
    return found


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("tgc")
    a.add_argument("to")
    a.add_argument("--jobs", type=int, default=os.cpu_count())
    a.add_argument("--only", default="")
    a.add_argument("--keep-texts", metavar="DIR", help="the texts themselves too, to see what changed")
    o = a.parse_args()
    tgc, lines = os.path.abspath(o.tgc), []
    with tempfile.TemporaryDirectory(prefix="tgc-corpus-") as base, concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        def run(case):
            found = texts(tgc, base, *case)
            if not o.keep_texts:
                shutil.rmtree(os.path.join(base, case[0]))
            return [f"{hashlib.sha1(text.encode(errors='surrogateescape')).hexdigest()} {path}\n" for path,
                    text in found], found[0]
        for some, (path, said) in pool.map(run, [c for c in cases() if re.search(o.only, c[0])]):
            lines += some
            if o.keep_texts:
                os.makedirs(os.path.join(base, os.path.dirname(path)), exist_ok=True)
                with open(os.path.join(base, path), "w", errors="surrogateescape") as to:
                    to.write(said)
        if o.keep_texts:
            shutil.copytree(base, o.keep_texts, dirs_exist_ok=True)
    with open(o.to, "w") as to:
        to.writelines(sorted(lines))
    print(f"corpus: {len(lines)} texts")


if __name__ == "__main__":
    sys.exit(main())
