#!/usr/bin/env python3
"""run.py TGC ROOT: codelets of kinds that are not shipped, as their users would write them. Each is compiled into a
library for this CPU, which NAME.cc, a program that computes the same by itself, calls with sizes and data drawn at
random; and for a GPU, whose variants `tgc check' runs. `// options: ..' names further codelets, and options in place of
`--types float,int'; `// sizes: ..' is in place of those that are checked, where there is far more to do than a size
says; `// keep: ..' in place of the two variants, where a fault was in one of many. Where one says `// refused: ..', it
is refused with those words, and NAME_mended, which follows the hint, is not. The normal mode draws a few of them.

    run.py TGC ROOT [PATTERN]
"""
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(sys.argv[2])
HERE = os.path.join(ROOT, "tests", "strangers")
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests"))
from drawn import SEED, drawn  # noqa: E402

TGC = os.path.abspath(sys.argv[1])
CC, CXX = os.environ.get("CC", "cc"), os.environ.get("CXX", "c++")
MACHINES = ["sm_60", "sm_80", "sm_90"]


def run(words, **more):
    return subprocess.run(words, capture_output=True, text=True, timeout=600, **more)


def said(name, what, otherwise):
    line = re.search(rf"^// {what}:(.*)", open(os.path.join(HERE, name + ".cdl")).read(), re.M)
    return line.group(1).strip() if line else otherwise


def options(name):
    words = [os.path.join(ROOT, w) if w.endswith(".cdl") else w for w in said(name, "options", "").split()]
    if "--operator" in words:
        return words
    return words + ["--spectrum", name] + ([] if "--types" in words else ["--types", "float,int"])


def composed(name, machine, keep, out):
    """What tgc says where it fails."""
    done = run([TGC, os.path.join(HERE, name + ".cdl"), *options(name), "--arch", machine, "--keep", keep, "-o", out])
    return "" if done.returncode == 0 else f"for {machine}: {done.stderr}"


def library(name, base):
    """The program's own computation against the library's."""
    out = os.path.join(base, name)
    wrong = composed(name, "cpu", "4", out)
    if wrong:
        return wrong
    flags = re.search(r"_OPTIONS (.*?) CACHE", open(os.path.join(out, "CMakeLists.txt")).read()).group(1).split()
    objects = []
    for i, source in enumerate(glob.glob(f"{out}/*.c*") + glob.glob(f"{out}/variants/*")):
        objects.append(f"{out}/{i}.o")
        compiler = [CC, "-std=c11"] if source.endswith(".c") else [CXX, "-std=c++17"]
        done = run([*compiler, "-O1", *flags, "-ffp-contract=off", "-fwrapv", "-fopenmp", "-c", source, "-o",
                    objects[-1]])
        if done.returncode:
            return done.stderr
    done = run([CXX, "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-I", out, "-I", HERE,
                os.path.join(HERE, name + ".cc"), *objects,
                "-fopenmp", "-lm", "-o", f"{out}/program"])
    if done.returncode:
        return done.stderr
    done = run([f"{out}/program", str(SEED)])
    return "" if done.returncode == 0 else f"the library: {done.stdout}{done.stderr}status {done.returncode}"


def variants(name, base):
    """The variants for a GPU, on the executor."""
    out = os.path.join(base, name + "_gpu")
    machine = MACHINES[(int(SEED) + sum(map(ord, name))) % len(MACHINES)]
    wrong = composed(name, machine, said(name, "keep", "2"), out)
    if wrong:
        return wrong
    done = run([TGC, "check", out, "--seeds", "1", "--orders", "1", "--sizes",
                said(name, "sizes", "0,1,33,1030"), "--jobs", "1"])
    return "" if done.returncode == 0 else f"for {machine}: {done.stdout}{done.stderr}"


def refused(name, base, words):
    done = run([TGC, os.path.join(HERE, name + ".cdl"), "--arch", "sm_90", "--types", "float,int", "--list"])
    return "" if done.returncode == 1 and words in done.stderr else f"not refused with `{words}': {done.stderr}"


def one(name, base):
    head = open(os.path.join(HERE, name + ".cdl")).readline()
    if head.startswith("// refused: "):
        return refused(name, base, head[len("// refused: "):].strip())
    own = os.path.exists(os.path.join(HERE, name + ".cc"))
    return (own and library(name, base)) or variants(name, base)


def main():
    pattern = sys.argv[3] if len(sys.argv) > 3 else ""
    names = sorted(os.path.splitext(os.path.basename(f))[0] for f in glob.glob(os.path.join(HERE, "*.cdl")))
    names = [n for n in names if re.search(pattern, n)] if pattern else drawn(names, 2)
    failed = 0
    with tempfile.TemporaryDirectory() as base, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, wrong in zip(names, pool.map(lambda n: one(n, base), names)):
            if wrong:
                failed += 1
                print(f"{name}: {wrong}", flush=True)
    print(f"{len(names) - failed} of {len(names)} strangers, with TGC_SEED={SEED}")
    return 1 if failed or not names else 0


if __name__ == "__main__":
    sys.exit(main())
