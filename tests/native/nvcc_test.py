#!/usr/bin/env python3
"""nvcc_test.py TGC [CODELETS..]: nvcc compiles what tgc writes: the shipped codelets and those of tests/strangers, of each
element type that matrix units know and of others, for machines from sm_70 to sm_100. Folders are drawn anew in each run,
and variants of each: TGC_SEED=.. draws the same again, TGC_SWEEP=.. says how many folders. No text has an error or a
warning; where a guess spills registers, it is printed. In the long mode alone: a folder takes half a minute."""
import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from drawn import ALL_SKIPPED, LONG, SEED

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TYPES = ("half:float", "half16", "bfloat16", "tf32", "int8", "uint8", "int", "float", "double", "half,tf32", "float,double")
# The machine of the text, and that of nvcc: 13 has none older than sm_75; groups of warps multiply on sm_90a alone.
MACHINES = {"sm_70": "sm_75", "sm_75": "sm_75", "sm_80": "sm_80", "sm_90": "sm_90a", "sm_100": "sm_100"}
NOTED = re.compile(r"warning|\berror\b", re.I)
SPILLS = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")


def nvcc():
    for found in (os.environ.get("TGC_NVCC"), shutil.which("nvcc"), "/usr/local/cuda/bin/nvcc"):
        if found and os.path.exists(found):
            return found
    print("skipped: there is no nvcc")
    sys.exit(ALL_SKIPPED)


def folders(wanted):
    paths = sorted(glob.glob(f"{ROOT}/codelets/*.cdl") + glob.glob(f"{ROOT}/tests/strangers/*.cdl"))
    if wanted:
        paths = [os.path.abspath(path) for path in wanted]
    all_of = [(path, machine, types) for path in paths for machine in MACHINES for types in TYPES]
    many = min(len(all_of), int(os.environ.get("TGC_SWEEP", "40")))
    return random.Random(SEED).sample(all_of, many)


def spilled(text):
    """Kernels of nvcc's report whose registers do not suffice: name, bytes stored."""
    name, found = None, []
    for line in text.splitlines():
        at = re.search(r"Function properties for (\S+)", line)
        name = at.group(1) if at else name
        bytes_of = SPILLS.search(line)
        if bytes_of and int(bytes_of.group(2)):
            found.append(f"{name}: {bytes_of.group(2)} bytes")
    return found


def compile_some(compiler, machine, folder, label, wrong):
    with open(f"{folder}/manifest.json", encoding="utf-8") as f:
        manifest = json.load(f)
    guessed = set(re.findall(r'"variant": "([0-9a-f]{8})"', json.dumps(manifest["dispatch"])))
    variants = random.Random(f"{SEED} {label}").sample(manifest["variants"], min(2, len(manifest["variants"])))
    first = [v for v in manifest["variants"] if v["id"] in guessed][:1]
    for v in {x["id"]: x for x in first + variants}.values():
        done = subprocess.run([compiler, "-c", f"-arch={MACHINES[machine]}", "-std=c++17", "-Xptxas", "-v", "-o", os.devnull,
                               f"{folder}/{v['file']}"], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        lines = [line for line in done.stdout.splitlines() if NOTED.search(line)]
        if done.returncode or lines:
            wrong.append(f"{label}: {v['id']} {v['plan']}\n" + "\n".join(lines[:8]))
        for kernel in spilled(done.stdout):
            print(f"  spills{', a guess' if v['id'] in guessed else ''}: {label}: {v['id']} {v['plan']}: {kernel}", flush=True)


def main():
    tgc, wrong, compiled, refused = os.path.abspath(sys.argv[1]), [], 0, 0
    compiler = nvcc()
    if not LONG and not sys.argv[2:]:
        print("skipped: the long mode has it")
        sys.exit(ALL_SKIPPED)
    print(f"drawn with TGC_SEED={SEED}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for path, machine, types in folders(sys.argv[2:]):
            label = f"{os.path.relpath(path, ROOT)} --arch {machine} --types {types}"
            shutil.rmtree(f"{folder}/out", ignore_errors=True)
            made = subprocess.run([tgc, path, "--arch", machine, "--types", types, "--keep", "24", "-q", "-o", f"{folder}/out"],
                                  text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if made.returncode:  # a codelet may be of other types: then it says so
                refused += 1
                if "error:" not in made.stdout:
                    wrong.append(f"{label}: tgc: status {made.returncode}\n{made.stdout[:2000]}")
                continue
            compiled += 1
            compile_some(compiler, machine, f"{folder}/out", label, wrong)
    print(f"{compiled} folders compiled by nvcc; {refused} are not of such types")
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
