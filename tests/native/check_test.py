#!/usr/bin/env python3
"""check_test.py TGC: what `tgc check' of a CPU's folder prints and returns, its options, its compilers."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from drawn import by_turns, in_their_turn  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
complaints = []


def expect(what, condition, *shown):
    if not condition:
        complaints.append(what)
        print("FAILED:", what, *shown, sep="\n")


def run(tgc, *arguments, **environment):
    done = subprocess.run([tgc, *arguments], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=dict(os.environ, **environment), timeout=250)
    return done.returncode, done.stdout, done.stderr


def write(tgc, folder, codelets, arch, *more):
    subprocess.run([tgc, f"{ROOT}/codelets/{codelets}.cdl", "--arch", arch, "-o", folder, *more], check=True,
                   stdout=subprocess.DEVNULL)
    return folder, sorted(name.split(".")[0] for name in os.listdir(f"{folder}/variants"))


def runs(out):
    return int(re.search(r"^all +\d+ +(\d+)", out, re.M).group(1))


FEW = ("--no-codelets", "--sizes", "0,33,16385", "--seeds", "1")


def two_sums(tgc, base):
    return write(tgc, f"{base}/sum", "sum", "avx2", "--types", "int", "--keep", "2")


def options(tgc, base):
    folder, ids = two_sums(tgc, base)
    temporary = f"{base}/temporary"
    os.mkdir(temporary)
    status, out, err = run(tgc, "check", folder, *FEW, TMPDIR=temporary)
    expect("two variants pass", status == 0 and "2 of 2 variants of sum passed on the CPU" in out, status, out, err)
    expect("nothing is left", os.listdir(temporary) == [])
    watched = runs(out)
    status, out, err = run(tgc, "check", folder, *FEW, "--plain")
    expect("--plain runs them once", status == 0 and 0 < runs(out) == watched // 2, out, watched)
    status, out, err = run(tgc, "check", folder, *FEW, "--plain", "--flags", "-O2 --no-such-option")
    expect("flags are the compiler's to refuse", status == 1 and "compiled with -O3 -O2 --no-such-option" in out and
           re.search(r"^%s: compile" % ids[0], out, re.M), status, out, err)
    for arguments, why in ((["--device"], "is of a CPU, and `--device' is for GPUs"),
                           (["--compile"], "is of a CPU, and `--compile' is for GPUs")):
        status, out, err = run(tgc, "check", folder, *arguments)
        expect(f"{arguments} is refused", status == 1 and why in err and out == "", status, out, err)
    for arguments, why in ((["--sanitize", "memory"], "`--sanitize' takes thread, address or both, not `memory'"),
                           (["--sanitize", "thread", "--plain"], "`--plain' leaves out what `--sanitize' asks for")):
        status, out, err = run(tgc, "check", folder, *arguments)
        expect(f"{arguments} is misuse", status == 2 and why in err, status, out, err)
    for variable in ("TGC_CC", "TGC_CXX"):
        status, out, err = run(tgc, "check", folder, *FEW, **{variable: "/nonexistent/compiler"})
        expect(f"{variable} that is not there", status == 1 and f"{variable} is `/nonexistent/compiler'" in err, err)


@by_turns(7)
def sanitizers_and_compilers(tgc, base):
    folder, ids = two_sums(tgc, base)
    _, plain, _ = run(tgc, "check", folder, *FEW, "--plain")
    status, out, err = run(tgc, "check", folder, *FEW, "--sanitize", "address,thread", "--flags", "-O1  -funroll-loops")
    expect("both sanitizers", status == 0 and 0 < runs(out) == runs(plain) * 3, out, err)
    status, out, err = run(tgc, "check", folder, "--variant", ids[1], "--sizes", "1")
    expect("one variant", status == 0 and "1 of 1 variants" in out, out, err)
    if shutil.which("clang-19") and shutil.which("clang++-19"):
        status, out, err = run(tgc, "check", folder, *FEW, TGC_CC="clang-19")
        expect("clang compiles and watches too", status == 0 and runs(out) == runs(plain) * 2, status, out, err)


@by_turns(7)
def header_and_reference(tgc, base):
    folder, ids = write(tgc, f"{base}/broken", "sum", "avx2", "--types", "int", "--keep", "1")
    header = open(f"{folder}/sum.h").read()
    open(f"{folder}/sum.h", "w").write(header.replace("(*run_int)", "(*run_integer)"))
    status, out, err = run(tgc, "check", folder, "--no-codelets", "--sizes", "1")
    expect("a header without a function", status == 1 and "the folder's header does not have the variants' functions" in err
           and out == "", status, out, err)
    open(f"{folder}/sum.h", "w").write(header)
    open(f"{folder}/check/reference.cc", "a").write("nothing;\n")
    status, out, err = run(tgc, "check", folder, "--no-codelets", "--sizes", "1")
    expect("a reference that does not compile", status == 1 and "the sequential codelet's C++ does not compile" in err,
           status, out, err)
    folder = f"{base}/none"
    codelets = os.path.join(os.path.dirname(__file__), "..", "listings", "rows-into.cdl")
    status, out, err = run(tgc, codelets, "--arch", "avx2", "--types", "int", "--keep", "1", "-o", folder)
    expect("a spectrum without a sequential codelet", status == 0, out, err)
    status, out, err = run(tgc, "check", folder, "--no-codelets", "--sizes", "1,33")
    expect("a map of what has a sequential codelet serves",
           status == 0 and "1 of 1 variants of rows_into passed" in out, status,
           out, err)
    with open(f"{folder}/check/codelets.h", "a") as f:
        f.write("nothing;\n")
    status, out, err = run(tgc, "check", folder, "--sizes", "1")
    expect("codelets that do not compile", status == 1 and "C++ does not compile" in err, status, out, err)


def of_a_gpu(tgc, base):
    folder, _ = write(tgc, f"{base}/gpu", "sum", "sm_60", "--types", "int", "--keep", "1")
    for arguments, name in ((["--flags", "-O2"], "--flags"), (["--sanitize", "thread"], "--sanitize")):
        status, out, err = run(tgc, "check", folder, *arguments)
        expect(f"a GPU has no {name}", status == 1 and f"is of a GPU, and `{name}' is for CPUs" in err, status, err)


def main():
    tgc = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as base:
        for test in in_their_turn((options, sanitizers_and_compilers, header_and_reference, of_a_gpu), 4):
            test(tgc, base)
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
