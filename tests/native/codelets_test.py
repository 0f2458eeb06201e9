#!/usr/bin/env python3
"""codelets_test.py TGC: the shipped codelets, operators of a user's, and codelets whose lanes might be mixed up, for
machines of several vectors: variants pass on whichever CPU this is. A few folders are drawn anew in each run; with
TGC_LONG=1 all are taken, and the largest."""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from drawn import LONG, drawn

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# codelets (shipped, or by their path), machine, further options: few variants, but of every kind of operand, type and
# operator; then the same kinds with other types and vectors.
FEW = () if LONG else ("--keep", "6")  # of the two scans, which have the most variants
SHIPPED = (
    ("sum", "avx2", "--types", "half,double,cfloat", "--keep", "4"),
    ("dot", "avx2", "--types", "float", "--keep", "3"),
    ("gemv", "avx2", "--types", "float,int8", "--keep", "8"),  # with those that transpose, and jam, rows
    ("gemv_columns", "neon", "--types", "int", "--keep", "4"),  # with one whose threads share rows
    ("saxpy", "avx512", "--types", "double", "--keep", "3"),
    ("scan", "avx2", "--types", "int,double", *FEW),
    ("exclusive_scan", "neon", "--types", "float", *FEW),
    ("segmented_sum", "avx2", "--types", "float", "--keep", "4"),  # and segments
    ("segmented_sum_offsets", "avx2", "--types", "float", "--keep", "4"),
    ("spmv", "avx2", "--types", "float,double", "--keep", "6"),
    ("copy_if", "avx2", "--types", "float,int8", "--keep", "6"),
    ("unique", "avx2", "--types", "int", "--keep", "4"),
    ("sort_bit", "avx2", "--keep", "6"),
    ("run_length", "neon", "--types", "float", "--keep", "4"),
    ("kmeans_assign", "avx2", "--types", "float,double", "--keep", "6"),
    ("kmeans_update", "avx2", "--types", "float", "--keep", "4"),
    ("kmeans_turn", "avx2", "--types", "float", "--keep", "4"),
    ("kmeans", "avx2", "--types", "float", "--keep", "2"),
    ("sort", "avx2", "--types", "float,int8,int64", "--keep", "4"),
    ("sort_pairs", "avx2", "--types", "uint,double", "--keep", "3"),
    ("bfs", "avx2", "--types", "int", "--keep", "4"),
    ("bfs_edges", "avx2", "--types", "int", "--keep", "4"),
    ("bfs_queue", "avx2", "--types", "int", "--keep", "4"),
    ("bfs_both", "avx2", "--types", "int", "--keep", "4"),
    ("sssp", "avx2", "--types", "int,float", "--keep", "3"),
    ("histogram", "avx2", "--keep", "3"),
    ("reduce", "avx2", "--operator", "Max", "--types", "float,uint8", "--keep", "3"),
    ("reduce", "avx2", "--operator", "ArgMin", "--types", "float", "--keep", "3"),
    ("reduce", "avx2", "--operator", "MaxNan", "--types", "float", "--keep", "3"),
    ("reduce", "avx2", "--operator", "ReproducibleSum", "--types", "double", "--keep", "3"),
    ("sum", "avx512", "--types", "int8,uint64", "--keep", "4"),
    ("sum", "neon", "--types", "float", "--keep", "4"),
    ("gemv", "neon", "--types", "float", "--keep", "4"),
    ("vadd", "avx2", "--types", "float", "--keep", "3"),
    ("gemm", "avx2", "--types", "float", "--keep", "6"),
    ("jacobi", "avx512", "--types", "double", "--keep", "4"),
    ("gemm", "avx2", "--by-columns", "A,C", "--types", "float", "--keep", "4"),
    ("column_sums", "avx2", "--types", "float", "--keep", "6"),
    ("row_max", "avx2", "--by-columns", "A", "--types", "float", "--keep", "6"),
    ("row_arg_max", "avx2", "--types", "float,int8,double", "--keep", "8"),
    ("softmax", "avx2", "--types", "float,double", "--keep", "8"),
    ("logsumexp", "neon", "--types", "float,double", "--keep", "8"),
    ("layer_norm", "avx2", "--types", "float,double", "--keep", "8"),
    ("ger", "neon", "--types", "int8", "--keep", "4"),
    ("syrk", "avx2", "--types", "float", "--keep", "4"),
    ("jacobi3", "avx2", "--types", "float", "--keep", "4"),
    ("gemm_batched", "avx2", "--types", "int", "--keep", "4"),
    ("gemm_avx2", "avx2", "--types", "float,double"),
    ("gemm_avx512", "avx512", "--types", "float,double"),  # skipped where the CPU has no AVX-512
    ("gemm_scaled", "avx2", "--types", "float,int", "--keep", "12"),
    ("convolve", "avx2", "--types", "float", "--keep", "6"),
    ("convolve2", "avx2", "--types", "float", "--keep", "4"),
    ("transpose", "neon", "--types", "int8", "--keep", "4"),
    ("reduce", "avx2", "--operator", "Xor", "--types", "uint", "--keep", "3"),
    ("reduce", "avx2", "--operator", "Moments", "--types", "float", "--keep", "3"),
)
LARGEST = (
    ("dot", "avx512", "--types", "cdouble", "--keep", "40"),
    ("scan", "avx512", "--types", "cdouble", "--keep", "all"),  # a copy of 256 KB
)
# Those that were compiled wrongly once, or are near to it.
OWN = (
    ("tests/simt/codelets/nearest", "avx2", "--types", "float,int", "--keep", "4"),
    ("tests/simt/codelets/weighted_distances", "avx2", "--types", "float,int", "--keep", "8"),
    ("tests/simt/codelets/named_operators", "avx2", "--types", "int", "--keep", "4"),
    ("tests/simt/codelets/total_scan", "avx2", f"{ROOT}/codelets/scan.cdl", "--types", "int", "--keep", "6"),
    ("tests/simt/codelets/wide_places", "avx2", "--types", "int,float", "--keep", "8"),
    ("tests/native/codelets/view_scans", "avx2", "--types", "float,half"),
    ("tests/native/codelets/view_scans", "neon", "--types", "double", "--spectrum", "gathered_scan"),
    ("tests/simt/codelets/cuts", "avx2", "--types", "int", "--keep", "6"),
    ("tests/simt/codelets/natives", "avx2", "--types", "int,float,double"),
    ("tests/native/codelets/lanes", "avx2", "--types", "int64", "--levels", "process,thread,lane", "--keep", "14"),
    ("tests/native/codelets/counted", "avx2", "--types", "int", "--levels", "process,thread,lane", "--keep", "8"),
    ("tests/native/codelets/view_scans", "avx2", "--spectrum", "named_scan", "--types", "int", "--keep", "6"),
    ("tests/native/codelets/shifts", "avx2", "--keep", "4"),
    ("tests/native/codelets/names", "avx2", "--types", "int,int64", "--levels", "process,thread,lane", "--keep", "6"),
    ("tests/native/codelets/turns", "avx2", "--spectrum", "by_place", "--types", "float,int8", "--keep", "6"),
    ("tests/native/codelets/turns", "avx512", "--spectrum", "roots", "--types", "float,double", "--keep", "6"),
    ("tests/native/codelets/turns", "neon", "--spectrum", "hashes", "--types", "int", "--keep", "6"),
    ("tests/native/codelets/turns", "avx2", "--spectrum", "row_norms", "--types", "float,double", "--keep", "6"),
    ("tests/native/codelets/turns", "avx2", "--spectrum", "activations", "--types", "float,double", "--keep", "4"),
    ("tests/native/codelets/turns", "avx512", "--spectrum", "peaks", "--types", "float,int", "--keep", "4"),
    ("tests/native/codelets/conditions", "avx512", "--types", "float,double", "--keep", "4"),
    ("tests/simt/codelets/totals", "avx2", "--types", "float,int8", "--keep", "6"),
    ("tests/native/codelets/lane_sums", "avx2", "--types", "float,int8", "--keep", "4"),
    ("tests/native/codelets/conditions", "avx2", "--spectrum", "extremes", "--types", "half,int", "--keep", "4"),
    ("tests/native/codelets/conditions", "neon", "--spectrum", "above", "--types", "float,int8", "--keep", "4"),
    ("tests/native/codelets/first_greatest", "avx2", "--types", "float,int8", "--keep", "4"),
    ("tests/native/codelets/conditions", "avx2", "--spectrum", "rows_above", "--types", "float,int", "--keep", "6"),
)


def named(folder):
    return " ".join(folder).replace(ROOT + "/", "")


def of_one_type(folder):
    """In the normal mode with one of its types."""
    words = list(folder)
    if "--types" in words:
        at = words.index("--types") + 1
        words[at] = ",".join(drawn(words[at].split(","), 1))
    return tuple(words)


def draw_variants(folder):
    """Leaves two variants in the folder, in the normal mode: each takes some seconds."""
    with open(f"{folder}/manifest.json", encoding="utf-8") as f:
        manifest = json.load(f)
    manifest["variants"] = drawn(manifest["variants"], 2, lambda variant: variant["id"])
    with open(f"{folder}/manifest.json", "w", encoding="utf-8") as f:
        json.dump(manifest, f)


def main():
    tgc = os.path.abspath(sys.argv[1])
    wanted, wrong = sys.argv[2:], []
    with tempfile.TemporaryDirectory() as base:
        folders = [f for f in OWN + SHIPPED + LARGEST if f[0] in wanted]
        if not wanted:
            folders = [*drawn(OWN, 1, named), *drawn(SHIPPED, 1, named), *(LARGEST if LONG else ())]
            folders = [of_one_type(folder) for folder in folders]
            if not LONG:
                print(f"{len(LARGEST)} folders: skipped: the long mode has them", flush=True)
        for i, (codelets, arch, *more) in enumerate(folders):
            folder, name = f"{base}/{i}", named((codelets, arch, *more))
            sizes = "1,9,1025,40009" if "gathered_scan" in more else "0,1,9,1025,40009"  # nothing has no places
            if codelets in ("gemm", "gemm_avx2", "gemm_avx512", "syrk", "gemm_batched", "gemm_scaled", "kmeans", "kmeans_turn", "sort", "sort_pairs", "bfs", "bfs_edges", "bfs_queue", "bfs_both", "sssp", "tests/native/codelets/turns",
                            "tests/native/codelets/conditions"):
                sizes = "0,1,9,1025"  # a product's work grows faster than its elements; loops go through all of them
            text = codelets if "/" in codelets else f"codelets/{codelets}"
            for command in ([f"{ROOT}/{text}.cdl", "--arch", arch, *more, "-o", folder],
                            ["check", folder, "--no-codelets", "--sizes", sizes, "--seeds", "1"]):
                done = subprocess.run([tgc, *command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                if done.returncode:
                    wrong.append(f"{name}: tgc {command[0]}: status {done.returncode}\n{done.stdout[:3000]}")
                    break
                if command[0] != "check":
                    draw_variants(folder)
            else:
                print(f"{name}: {done.stdout.splitlines()[-1]}", flush=True)
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
