#!/usr/bin/env python3
"""spmv.py build FOLDER | run FOLDER [MATRIX ..]: variants of spmv on a GPU, beside cuSPARSE.

    build/tgc codelets/spmv.cdl --arch sm_90 --types float,double -o out/
    bench/spmv.py build out/     makes out/spmv_bench with nvcc; needs no GPU
    bench/spmv.py run out/       prints a record of all matrices; bench/spmv_table.py makes a table of it

Each variant is compiled for the configurations of its table, and for all --threads by all --loads, and --longest where
it bounds what one worker has. --only takes those
whose id or plan matches a regular expression. Matrices are named in bench/data/matrices.h, or files; --more adds other
shapes, for a table. bench/gpu/spmv.cu explains the output.
"""
import argparse
import concurrent.futures
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
MATRICES = ["bcsstk18", "grid1024", "grid2048", "powerlaw", "rows500"]
MORE = ["band:4096x4", "band:65536x4", "band:1048576x2", "band:1048576x9", "band:4096x24", "band:262144x24",
        "band:1048576x24", "band:4096x64", "band:131072x64", "band:2048x256", "band:65536x256", "band:8192x2000",
        "band:32768x1000"]


def configurations(v, text, choices):
    """The variant's own, and those of all choices, as its macro has them."""
    own = re.search(rf"#define {v['configurations_macro']}\(C\) (.*)", text).group(1).split(") ")
    names = [t["name"] for t in v["tunables"] if t["bind"] == "compile"]
    more = [f"C({', '.join(map(str, row))})" for row in itertools.product(*(choices[n] for n in names))]
    return " ".join(dict.fromkeys([x if x.endswith(")") else x + ")" for x in own] + more))


def sources(folder, given, work):
    """Files to compile: a few variants each."""
    with open(f"{folder}/manifest.json", encoding="utf-8") as f:
        manifest = json.load(f)
    choices = {"threads": given.threads, "loads": given.loads, "longest": given.longest}
    made = [f"{folder}/{manifest['spectrum']}.cu", f"{HERE}/gpu/spmv.cu"]
    for v in manifest["variants"]:
        source = f"{folder}/{v['file']}"
        chosen = not v["plan"].startswith("grid>") and re.search(given.only, f"{v['id']} {v['plan']}")
        if chosen:
            with open(source, encoding="utf-8") as f:
                rows = configurations(v, f.read(), choices)
            source = f"{work}/{v['id']}.cu"
            with open(source, "w", encoding="utf-8") as f:
                f.write(f"#define {v['configurations_macro']}(C) {rows}\n#include \"{folder}/{v['file']}\"\n")
        made.append(source)
    return made


def build(given):
    folder = os.path.abspath(given.folder)
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        def one(source):
            to = f"{work}/{os.path.basename(os.path.dirname(source))}_{os.path.basename(source)}.o"
            subprocess.run(["nvcc", "-O3", "-std=c++17", "-arch", given.arch, "-I", folder, "-I", f"{HERE}/gpu",
                            "-c", source, "-o", to], check=True)
            return to
        objects = list(pool.map(one, sources(folder, given, work)))
        subprocess.run(["nvcc", "-arch", given.arch, *objects, "-lcusparse", "-o", f"{folder}/spmv_bench"], check=True)
    print(f"built {folder}/spmv_bench")


def numbers(text):
    return [int(x) for x in text.split(",")]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("verb", choices=("build", "run"))
    p.add_argument("folder")
    p.add_argument("matrices", nargs="*", default=MATRICES)
    p.add_argument("--more", action="store_true")
    p.add_argument("--arch", default="sm_90")
    p.add_argument("--threads", type=numbers, default=[128, 256, 512])
    p.add_argument("--loads", type=numbers, default=[1, 2, 4, 8])
    p.add_argument("--longest", type=numbers, default=[64, 256, 1024])
    p.add_argument("--only", default="")
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    given = p.parse_intermixed_args()
    if given.verb == "build":
        try:
            build(given)
        except subprocess.CalledProcessError as e:
            sys.exit(f"spmv.py: nvcc failed: {' '.join(e.cmd[-3:])}")
        return 0
    environment = {**os.environ, **({"ONLY": given.only} if given.only else {})}
    program = os.path.join(given.folder, "spmv_bench")
    return subprocess.run([program, *given.matrices, *(MORE if given.more else [])], env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
