#!/usr/bin/env python3
"""bench/gpu/stress.cu without a GPU: stress_test.py TGC CXX. The runtime and the variants are stand-ins
(tests/bench/stress); the library's functions are the generated ones. It passes, and notices what goes wrong."""
import json, os, re, shutil, subprocess, sys, tempfile

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from drawn import LONG, drawn  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CALLS, LARGEST = ("4000", "20") if LONG else ("1500", "17")
WRAPPED = ("cudaMallocAsync", "cudaFreeAsync", "cudaMemsetAsync", "cudaLaunchKernel", "cudaLaunchKernelExC")


def main():
    tgc, cxx = os.path.abspath(sys.argv[1]), sys.argv[2]
    base = tempfile.mkdtemp(prefix="tgc-stress-")
    try:
        subprocess.run([tgc, f"{ROOT}/codelets/sum.cdl", "--arch", "sm_90", "--types", "int,float", "--keep", "6", "-o",
                        f"{base}/out"], check=True, stdout=subprocess.DEVNULL)
        with open(f"{base}/out/manifest.json") as f:
            variants = json.load(f)["variants"]
        with open(f"{base}/stubs.inc", "w") as f:
            f.writelines(f"STUB({v['id']}, {len(v['launches'])})\n" for v in variants)
        sources = [f"{base}/out/sum.cu", f"{base}/out/check/reference.cc", f"{HERE}/stress/variants.cc",
                   f"{HERE}/stress/runtime.cc", f"{ROOT}/bench/gpu/stress.cu"]
        include = [f"-I{d}" for d in (f"{HERE}/stress", base, f"{base}/out", f"{ROOT}/bench/gpu",
                                      f"{ROOT}/runtime/simt/include")]
        subprocess.run([cxx, "-x", "c++", "-std=c++17", "-O1", "-Wall", "-Wno-unused-function", *include,
                        '-DSPECTRUM_HEADER="sum.h"', "-DSPECTRUM=sum", "-DTYPE_int", "-DTYPE_float",
                        f"-DSTRESS_LARGEST={LARGEST}", *sources,
                        "-pthread", *[f"-Wl,--wrap={w}" for w in WRAPPED], "-o", f"{base}/stress"], check=True)
        bugs = (("result", "a wrong result"), ("update", "a wrong result"), ("leak", "memory is not given back"))
        for bug, wanted in ((None, r"complaints +0$"), *drawn(bugs, 1, lambda bug: bug[0])):
            environment = {**os.environ, **({"FAKE_BUG": bug} if bug else {})}
            done = subprocess.run([f"{base}/stress", CALLS], text=True, stdout=subprocess.PIPE, env=environment,
                                  timeout=120)
            if done.returncode != (bug is not None) or not re.search(wanted, done.stdout, re.M):
                sys.exit(f"stress_test: {bug}: status {done.returncode}\n{done.stdout[-3000:]}")
            if bug is None:
                print(done.stdout)
                if not re.search(r"want of memory +[1-9]", done.stdout) or not re.search(r"graphs +[1-9]\d+, [1-9]",
                                                                                         done.stdout):
                    sys.exit("stress_test: memory was never short, or there were no graphs")
    finally:
        shutil.rmtree(base, ignore_errors=True)


if __name__ == "__main__":
    main()
