#!/usr/bin/env python3
"""Every call that a generated library makes of the runtime fails once: failures_test.py TGC CLANGXX.

Builds libraries with failures.cc for the CPU executor; sees that each sort of call in their texts is among those that
fail; and takes error handling out of a library, to see that it is noticed."""
import concurrent.futures, glob, json, os, re, shutil, subprocess, sys, tempfile

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from drawn import LONG, drawn  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SIMT = f"{ROOT}/runtime/simt"
TOGETHER = 6  # variants are compiled at once, since most of the time goes into their headers
WRAPPED = ("cudaMallocAsync", "cudaFreeAsync", "cudaMemsetAsync")
LAUNCHES = {"cudaLaunchKernel", "cudaLaunchKernelEx"}  # the executor's own fail
ON_DEVICE = {"cudaGridDependencySynchronize", "cudaTriggerProgrammaticLaunchCompletion"}
TELLING = {"cudaGetErrorString"}


def stop(what, *shown):
    sys.exit(f"failures_test: {what}\n" + "\n".join(str(s)[-3000:] for s in shown))


def write(tgc, base, name, codelets, *more):
    folder = f"{base}/{name}"
    subprocess.run([tgc, codelets, "--columns", "none", "-o", folder, *more], check=True, stdout=subprocess.DEVNULL)
    with open(f"{folder}/manifest.json") as f:
        return folder, json.load(f)


def called(folder):
    found = set()
    for path in glob.glob(f"{folder}/*.cu") + glob.glob(f"{folder}/variants/*.cu"):
        with open(path) as f:
            found |= set(re.findall(r"\b(cuda[A-Z]\w+)(?=\()", f.read()))
    return found


def build(clangxx, folder, manifest, objects, changed=None):
    """The program; `objects' keeps what does not depend on the folder. `changed': what alone is compiled again."""
    name = manifest["spectrum"]
    # -O0: few calls of few elements are made, and many texts compiled.
    flags = ["-x", "c++", "-std=c++17", "-O0", "-w", "-fPIE", "-fno-strict-aliasing", f"-I{folder}",
             f"-I{SIMT}/include", f"-I{SIMT}", f"-I{ROOT}/bench", f'-DSPECTRUM_HEADER="{name}.h"', f"-DSPECTRUM={name}",
             *[f"-DTYPE_{t}" for t in manifest["types"]]]
    variants, units = sorted(glob.glob(f"{folder}/variants/*.cu")), []
    for i in range(0, len(variants), TOGETHER):
        units.append(f"{folder}/unit{i}.cu")
        with open(units[-1], "w") as f:
            f.writelines(f'#include "{v}"\n' for v in variants[i:i + TOGETHER])
    jobs = [(p, f"{folder}/{i}.o") for i, p in enumerate(
        [f"{folder}/{name}.cu", f"{folder}/check/reference.cc", f"{HERE}/failures.cc", *units])]
    changed = changed and [units[variants.index(c) // TOGETHER] if c in variants else c for c in changed]
    if not glob.glob(f"{objects}/*.o"):
        subprocess.run([f"{ROOT}/tests/executor.sh", objects, clangxx], check=True)
    jobs = [job for job in jobs if not changed or job[0] in changed]

    def compile_one(job):
        return subprocess.run([clangxx, *flags, "-c", job[0], "-o", job[1]], text=True, stderr=subprocess.PIPE)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for done in pool.map(compile_one, jobs):
            if done.returncode:
                stop("it does not compile", done.stderr[:3000])
    program = f"{folder}/failures"
    subprocess.run([clangxx, "-pie", *glob.glob(f"{folder}/*.o"), *glob.glob(f"{objects}/*.o"), "-o", program,
                    *[f"-Wl,--wrap={w}" for w in WRAPPED]], check=True)
    return program


def run(program):
    done = subprocess.run([program], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=250)
    return done.returncode, done.stdout


def passes(tgc, clangxx, base, objects, name, codelets, *more):
    folder, manifest = write(tgc, base, name, codelets, *more)
    other = called(folder) - set(WRAPPED) - LAUNCHES - ON_DEVICE - TELLING
    if other:
        stop(f"calls that never fail here: {sorted(other)}")
    status, out = run(build(clangxx, folder, manifest, objects))
    if status or not re.search(r"\d{3,} calls failed, \d+ refused, 0 complaints", out):
        stop(f"{name}: status {status}", out)
    print(f"{name}: {out.splitlines()[-1]}", flush=True)
    return folder, manifest


def careless(clangxx, folder, manifest, objects):
    """Libraries that forget something; each is noticed."""
    library = f"{folder}/{manifest['spectrum']}.cu"
    two = next(v["file"] for v in manifest["variants"] if len(v["launches"]) == 2 and v["workspace"])
    cases = ((library, "return error != cudaSuccess ? error : freed_;", "return error;", "another error"),
             (library, "return error != cudaSuccess ? error : freed_;", "return freed_;", "another error"),
             (library, "  const cudaError_t freed_ = cudaFreeAsync(workspace, stream);\n",
              "  if (error != cudaSuccess) return error;\n"
              "  const cudaError_t freed_ = cudaFreeAsync(workspace, stream);\n",
              "memory of the pool is not given back"),
             (f"{folder}/{two}", "    if (error != cudaSuccess) return error;\n", "    (void)error;\n",
              "another error"),
             (f"{folder}/{two}", "  if (*workspace_bytes < need) return cudaErrorInvalidValue;\n", "",
              "a workspace too small"))
    last = library
    cases = drawn(cases, 2, lambda case: case[2].split("\n")[0].strip())
    for path, right, wrong, noticed in cases:
        with open(path) as f:
            text = f.read()
        if right not in text:
            stop(f"nothing to damage in {path}: {right!r}")
        with open(path, "w") as f:
            f.write(text.replace(right, wrong, 1))
        status, out = run(build(clangxx, folder, manifest, objects, {path, last}))
        if status != 1 or noticed not in out:
            stop(f"not noticed: {wrong!r}: status {status}", out)
        with open(path, "w") as f:
            f.write(text)
        last = path
    print(f"careless: {len(cases)} noticed")


def main():
    tgc, clangxx = os.path.abspath(sys.argv[1]), sys.argv[2]
    base = tempfile.mkdtemp(prefix="tgc-failures-")
    objects = f"{base}/executor"
    os.mkdir(objects)
    try:
        libraries = (("sm_90", f"{ROOT}/codelets/sum.cdl", "--arch", "sm_90", "--types",
                      "int,half,double" if LONG else "int,half",
                      "--keep", "20" if LONG else "8"),
                     ("greatest", f"{ROOT}/examples/max.cdl", "--arch", "sm_80", "--types", "uint64,float", "--keep",
                      "8" if LONG else "4"))
        for library in drawn(libraries, 1, lambda library: library[0]):
            passes(tgc, clangxx, base, objects, *library)
        folder, manifest = passes(tgc, clangxx, base, objects, "sm_60", f"{ROOT}/codelets/sum.cdl", "--arch", "sm_60",
                                  "--types", "uint", "--keep", "12")
        careless(clangxx, folder, manifest, objects)
    finally:
        shutil.rmtree(base, ignore_errors=True)


if __name__ == "__main__":
    main()
