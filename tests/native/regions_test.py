#!/usr/bin/env python3
"""regions_test.py: builds regions.c with a C compiler (in the long mode with each), for the OpenMP of `tgc check', with
and without ThreadSanitizer, which finds nothing in it, but in its broken half."""
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from drawn import drawn  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
NATIVE = os.path.join(os.path.dirname(os.path.dirname(HERE)), "runtime", "native")
PAIRS = (("gcc", "g++"), ("clang-19", "clang++-19"))
PARTS = ("openmp", "gomp", "kmpc")


def build(cc, cxx, base, sanitizer):
    """Only regions.c is watched."""
    flags = ["-fsanitize=thread"] if sanitizer else []
    shared = ["-O2", "-g1", "-Wall", "-Wextra", "-Werror", "-I", NATIVE, "-I", f"{NATIVE}/include", "-c"]
    objects = [f"{base}/{name}.o" for name in ("regions", "regions_main", *PARTS)]
    sources = [f"{HERE}/regions_main.cc", *[f"{NATIVE}/{part}.cc" for part in PARTS]]
    subprocess.run([cc, "-std=c11", "-fopenmp", *flags, *shared, f"{HERE}/regions.c", "-o", objects[0]], check=True)
    for source, made in zip(sources, objects[1:]):
        subprocess.run([cxx, "-std=c++17", *shared, source, "-o", made], check=True)
    program = f"{base}/{cc}{sanitizer}"
    subprocess.run([cxx, *objects, *flags, "-pthread", "-o", program], check=True)
    return program


def run(program, *arguments):
    done = subprocess.run([program, *arguments], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=250,
                          env=dict(os.environ, TSAN_OPTIONS="atexit_sleep_ms=0"))
    return done.returncode, done.stdout


def main():
    wrong, compilers = [], 0
    with tempfile.TemporaryDirectory() as base:
        for cc, cxx in drawn([pair for pair in PAIRS if all(map(shutil.which, pair))], 1, lambda pair: pair[0]):
            compilers += 1
            for sanitizer in ("", "-tsan"):
                program = build(cc, cxx, base, sanitizer)
                status, out = run(program)
                print(f"{cc}{sanitizer}: {out.splitlines()[-1] if out else status}", flush=True)
                if status or " 0 complaints" not in out:
                    wrong.append(f"{cc}{sanitizer}: status {status}\n{out[:3000]}")
            status, out = run(program, "broken")
            if "data race" not in out or "in races" not in out:
                wrong.append(f"{cc}: a race is not found: status {status}\n{out[:3000]}")
    if not compilers:
        wrong.append("no compiler is there")
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
