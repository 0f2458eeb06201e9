#!/usr/bin/env python3
"""run.py CLANGXX EXECUTOR TEST: compiles tests/device/TEST.cu with the file of the same name of runtime/device and runs it on
the CPU executor (a library, EXECUTOR); then with that file changed as the test's head says, a mutant a change: each must be
found, by a wrong result, by a report of the executor's, or, where the text does not compile then, by clang. The file is
compiled alone for GPUs, too.

    // variant: FLAGS            the test is compiled with each of these; without such a line, once without
    // mutant: NAME: from => to  `from' occurs in the file; \\n is a line's end. Found in one variant is found."""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DEVICE = os.path.join(ROOT, "runtime/device")
SIMT = os.path.join(ROOT, "runtime/simt")
HOOKS = ["-fsanitize=thread", "-mllvm", "-tsan-compound-read-before-write=1", "-mllvm", "-tsan-instrument-func-entry-exit=0"]
MACHINES = [60, 70, 90]
SECONDS = 60  # a mutant may wait for ever


def run(command, seconds=600):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
        return done.returncode, (done.stdout + done.stderr).strip()
    except subprocess.TimeoutExpired:
        return -1, f"no end after {seconds} seconds"


def failure(clang, executor, test, flags, folder, device):
    """What the test says against the file in `device'; None: nothing."""
    compiled, program = os.path.join(folder, "test.o"), os.path.join(folder, "test")
    status, text = run([clang, "-x", "c++", "-std=c++17", "-O1", "-fPIE", "-gline-tables-only", "-fno-strict-aliasing", "-Wall",
                        "-Wno-unknown-pragmas", *HOOKS, *flags, "-I", device, "-I", DEVICE, "-I", HERE, "-I", SIMT, "-I",
                        os.path.join(SIMT, "include"), "-c", os.path.join(HERE, test + ".cu"), "-o", compiled])
    if status:
        return "does not compile: " + text
    status, text = run([clang, "-pie", compiled, executor, "-o", program])
    if status:
        sys.exit(text)
    status, text = run([program], SECONDS)
    return None if status == 0 else text or f"status {status}"


def compiled_for_gpus(clang, test, folder):
    """The file alone, through clang's NVPTX back end, which needs no SDK."""
    kernel = os.path.join(folder, "alone.cu")
    with open(kernel, "w") as to:
        to.write(f'#include "{test}.cuh"\n')
    for machine in MACHINES:
        status, text = run([clang, "-x", "cuda", "-std=c++17", "--cuda-device-only", f"--cuda-gpu-arch=sm_{machine}", "-nocudainc",
                            "-nocudalib", "--cuda-path=/nonexistent", "-Wno-unknown-cuda-version", "-fsyntax-only", "-I", DEVICE,
                            "-I", os.path.join(SIMT, "include-nvptx"), kernel])
        if status:
            sys.exit(f"{test}.cuh does not compile alone for sm_{machine}:\n{text}")


def main():
    clang, executor, test = sys.argv[1:]
    with open(os.path.join(HERE, test + ".cu")) as source:
        head = source.read()
    variants = [v.split() for v in re.findall(r"^// variant: (.*)$", head, re.M)] or [[]]
    mutants = re.findall(r"^// mutant: (.*?): (.*?) =>(.*)$", head, re.M)
    with open(os.path.join(DEVICE, test + ".cuh")) as source:
        text = source.read()
    assert mutants, "a test without mutants does not show that it can fail"
    with tempfile.TemporaryDirectory() as folder:
        compiled_for_gpus(clang, test, folder)
        for flags in variants:
            found = failure(clang, executor, test, flags, folder, DEVICE)
            if found:
                sys.exit(f"{test} {' '.join(flags)}: {found}")
        for name, before, after in mutants:
            before, after = before.replace("\\n", "\n"), after.strip().replace("\\n", "\n")
            if before not in text:
                sys.exit(f"{test}.cuh has no `{before}'")
            changed = os.path.join(folder, test + ".cuh")
            with open(changed, "w") as to:
                to.write(text.replace(before, after))
            found = None
            for flags in variants:
                found = found or failure(clang, executor, test, flags, folder, folder)
            if not found:
                sys.exit(f"{test}: nothing found the mutant `{name}'")
            print(f"{name}: {found.splitlines()[0]}")


main()
