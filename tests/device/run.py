#!/usr/bin/env python3
"""run.py CLANGXX LIBRARY TEST: compiles a test with the file of runtime/ that it is named for, and runs it:
tests/device/wide.cu with runtime/device/wide.cuh on the CPU executor (LIBRARY), tests/device/cpu/chain.c with
runtime/cpu/chain.h, and tests/device/library/calls.c with runtime/library/calls.h, with the OpenMP of `tgc check'
(LIBRARY) under ThreadSanitizer. Then with that file changed as the test's head says, a mutant a change: each must be
found, by a wrong result, by a report, or, where the text does not compile then, by clang. The normal mode draws two of
them.

    variant: FLAGS            the test is compiled with each of these; without such a line, once without
    mutant: NAME: from => to  `from' occurs in the file; \\n is a line's end. Found in one variant is found."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from drawn import drawn

HERE = os.path.dirname(os.path.abspath(__file__))
RUNTIME = os.path.join(os.path.dirname(os.path.dirname(HERE)), "runtime")
SIMT = os.path.join(RUNTIME, "simt")
NATIVE = os.path.join(RUNTIME, "native")
HOOKS = ["-fsanitize=thread", "-mllvm", "-tsan-compound-read-before-write=1", "-mllvm",
         "-tsan-instrument-func-entry-exit=0"]
ON_EXECUTOR = ["-x", "c++", "-std=c++17", "-fPIE", "-fno-strict-aliasing", "-I", HERE, "-I", SIMT, "-I",
               f"{SIMT}/include"]
ON_CPU = ["-fopenmp", "-fsanitize=thread", "-Wno-unused", "-I", f"{HERE}/cpu", "-I", NATIVE, "-I", f"{NATIVE}/include"]
LANGUAGES = {".cu": [], ".c": ["-x", "c", "-std=c11", "-D_GNU_SOURCE"], ".cc": ["-x", "c++", "-std=c++17"]}
MACHINES = [60, 70, 90]
SECONDS = 60  # a mutant may wait for ever
MUTANTS = 1  # in the normal mode, drawn anew in each run


def run(command, seconds=600, folder=None):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, cwd=folder)
        return done.returncode, (done.stdout + done.stderr).strip()
    except subprocess.TimeoutExpired:
        return -1, f"no end after {seconds} seconds"


class Test:
    def __init__(self, clang, library, path):
        self.clang, self.library, self.source = clang, library, os.path.join(HERE, path)
        self.name, ending = os.path.splitext(os.path.basename(path))
        self.on_cpu = ending != ".cu"
        self.of_device = not os.path.dirname(path)
        self.files = os.path.join(RUNTIME, os.path.dirname(path) or "device")
        self.file = self.name + (".cuh" if self.of_device else ".h")
        self.flags = LANGUAGES[ending] + (ON_CPU if self.on_cpu else ON_EXECUTOR)
        if self.of_device:
            self.flags += HOOKS

    def failure(self, flags, folder, files):
        """What the test says against these files; None: nothing."""
        compiled, program = os.path.join(folder, "test.o"), os.path.join(folder, "test")
        status, text = run([self.clang, *self.flags, "-O1", "-gline-tables-only", "-Wall", "-Wno-unknown-pragmas",
                            *flags, "-I", files,
                            "-c", self.source, "-o", compiled])
        if status:
            return "does not compile: " + text
        link = ["-fsanitize=thread", "-pthread"] if self.on_cpu else []
        status, text = run([self.clang, "-pie", *link, compiled, self.library, "-o", program])
        if status:
            sys.exit(text)
        status, text = run([program], SECONDS, folder)
        return None if status == 0 else text or f"status {status}"

    def compile_for_gpus(self, folder):
        """The file alone, through clang's NVPTX back end, which needs no SDK."""
        kernel = os.path.join(folder, "alone.cu")
        with open(kernel, "w") as to:
            to.write(f'#include "{self.file}"\n')
        for machine in MACHINES:
            status, text = run([self.clang, "-x", "cuda", "-std=c++17", "--cuda-device-only",
                                f"--cuda-gpu-arch=sm_{machine}",
                                "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent", "-Wno-unknown-cuda-version",
                                "-fsyntax-only",
                                "-I", self.files, "-I", f"{SIMT}/include-nvptx", kernel])
            if status:
                sys.exit(f"{self.file} does not compile alone for sm_{machine}:\n{text}")


def said(text):
    """The line that says what is wrong."""
    lines = [line for line in text.splitlines() if line.strip("= ")]
    return next((line for line in lines if "WARNING" in line), lines[0])


def main():
    test = Test(*sys.argv[1:])
    with open(test.source) as source:
        head = source.read()
    variants = [v.split() for v in re.findall(r"^...variant: (.*)$", head, re.M)] or [[]]
    mutants = re.findall(r"^...mutant: (.*?): (.*?) =>(.*)$", head, re.M)
    with open(os.path.join(test.files, test.file)) as source:
        text = source.read()
    assert mutants, "a test without mutants does not show that it can fail"
    for name, before, _ in mutants:
        if before.replace("\\n", "\n") not in text:
            sys.exit(f"{test.file} has no `{before}', which the mutant `{name}' changes")
    with tempfile.TemporaryDirectory() as folder:
        if test.of_device:
            test.compile_for_gpus(folder)
        for flags in variants:
            found = test.failure(flags, folder, test.files)
            if found:
                sys.exit(f"{test.name} {' '.join(flags)}: {found}")
        for name, before, after in drawn(mutants, MUTANTS, lambda m: m[0]):
            before, after = before.replace("\\n", "\n"), after.strip().replace("\\n", "\n")
            changed = os.path.join(folder, "changed")
            shutil.copytree(test.files, changed, dirs_exist_ok=True)
            with open(os.path.join(changed, test.file), "w") as to:
                to.write(text.replace(before, after))
            found = None
            for flags in variants:
                found = found or test.failure(flags, folder, changed)
            if not found:
                sys.exit(f"{test.name}: nothing found the mutant `{name}'")
            print(f"{name}: {said(found)}")


main()
