#!/usr/bin/env python3
"""packed_test.py TGC: tiles that a CPU's threads go through from packed panels, in all orders of matrices, types and
vectors, of products and of codelets that only have their form: they pass `tgc check', and what is broken in their text
is found. A few are drawn anew in each run; with TGC_LONG=1 all are taken."""
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from drawn import LONG, drawn  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MACHINES = ("avx2", "avx512", "neon")
TYPES = ("float", "double", "int", "int64", "int8", "cdouble")
SIZES = "0,1,9,1025,4999"

# What is broken: a name; what is replaced, and by what; what has to be said.
MUTANTS = (
    ("row_beyond", r"min_index\(m \+ e, m_size - 1\)", "(m + e)", {"bounds"}),
    ("column_beyond", r"n2 \+ \(\w+ \* 8 \+ lane\) < n_size \? ", "true ? ", {"bounds"}),
    ("stored_beyond", r"if \(m2 \+ \(Index\)i < m_size && ", "if (", {"bounds", "wrong", "race"}),
    ("columns_left", r"(n2 \+ )\(Index\)n_all <= n_size\)\) \{(\n +for \(int i)", r"\1 0 <= n_size)) {\2",
     {"bounds", "wrong", "race", "undefined"}),
    ("last_panel", r"min_index\(\(Index\)tile_k, columns - k_begin\)", "tile_k", {"bounds", "wrong"}),
    ("same_panel", r"A_begin \+ \(k_begin \+ k2\)", "A_begin + k2", {"wrong"}),
    ("rows_side_by_side", r"A_tile\[m \* tile_k \+ k2 \* m_each \+ e\]", "A_tile[m * tile_k + e * m_each + k2]",
     {"wrong", "bounds", "undefined", "crash"}),
    ("small_copy", r"A_tile\[\(tile_m \+ 6 - 1\) / 6 \* \(6 \* tile_k\)\]", "A_tile[6 * tile_k]",
     {"bounds", "undefined", "crash", "wrong"}),
    ("everybody_s", r"alignas\(64\) T A_tile", "static alignas(64) T A_tile", {"race", "wrong"}),
    ("twice", r" *#pragma omp atomic capture\n", "", {"race", "wrong"}),
    ("not_all", r"if \(thread >= tiles\) break", "if (thread + 1 >= tiles) break", {"wrong"}),
    ("held_anew", r"(C_held\[[^\n]*\] = )C\[C_begin[^\n]*;", r"\g<1>0;", {"wrong"}),
)


def run(tgc, *arguments):
    done = subprocess.run([tgc, *arguments], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def machine(folder, arch):
    """A spec of the same, to which little work is worth waking a thread."""
    with open(f"{ROOT}/archspec/{arch}.yaml", encoding="utf-8") as f:
        text = f.read()
    if "thread_vectors:" in text:
        text = re.sub(r"thread_vectors: \d+", "thread_vectors: 1", text)
    elif re.search(r"^measured:", text, re.M):
        text = re.sub(r"^(measured:.*)$", r"\1\n  thread_vectors: 1", text, flags=re.M)
    else:
        text = re.sub(r"^source:", "measured:\n  thread_vectors: 1\n\nsource:", text, flags=re.M)
    path = f"{folder}.yaml"
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def written(tgc, folder, codelets, arch, *more):
    """Writes a folder; its packed variant, by id."""
    status, out = run(tgc, f"{ROOT}/{codelets}.cdl", "--arch", machine(folder, arch), *more, "--table", "none", "--columns",
                      "none", "-o", folder)
    if status:
        sys.exit(f"{codelets} for {arch}: {out}")
    with open(f"{folder}/manifest.json", encoding="utf-8") as f:
        ids = [v["id"] for v in json.load(f)["variants"] if "!packed" in v["plan"]]
    if len(ids) != 1:
        sys.exit(f"{codelets} for {arch}, {more}: {len(ids)} packed variants")
    return ids[0]


def check(tgc, folder, variant, *more):
    return run(tgc, "check", folder, "--variant", variant, "--no-codelets", "--seeds", "1", "--sizes", SIZES, *more)


def passes(tgc, base):
    orders = [",".join(o) for n in range(4) for o in itertools.combinations("ABC", n)]
    products = [("codelets/gemm", arch, "--types", t, *(("--by-columns", o) if o else ()))
                for arch in MACHINES for t in TYPES for o in orders]
    own = [("tests/native/codelets/packed", arch, "--types", t, "--spectrum", s)
           for arch in MACHINES for t in TYPES[:5] for s in ("min_plus", "squared", "weighted")]
    wrong = []
    for i, case in enumerate([*drawn(products, 1, " ".join), *drawn(own, 1, " ".join)]):
        variant = written(tgc, f"{base}/{i}", *case)
        status, out = check(tgc, f"{base}/{i}", variant, "--sanitize", "address,thread")
        print(f"{' '.join(case)}: {out.strip().splitlines()[-1]}", flush=True)
        if status:
            wrong.append(f"{' '.join(case)}: {out[:3000]}")
    return wrong


def breaks(tgc, base):
    variant = written(tgc, f"{base}/m", "codelets/gemm", "avx2", "--types", "float")
    path = f"{base}/m/variants/{variant}.c"
    with open(path, encoding="utf-8") as f:
        text = f.read()
    wrong = []
    for name, what, by, kinds in MUTANTS:
        if not re.search(what, text):
            wrong.append(f"{name}: nothing to break")
    for name, what, by, kinds in drawn(MUTANTS, 1, lambda mutant: mutant[0]):
        with open(path, "w", encoding="utf-8") as f:
            f.write(re.sub(what, by, text))
        status, out = check(tgc, f"{base}/m", variant, "--sanitize", "address,thread", "--timeout", "30")
        found = {k for k in kinds if re.search(rf"^{variant}: {k}|: {k}\b", out, re.M)}
        print(f"{name}: {', '.join(sorted(found)) or 'not found'}", flush=True)
        if not status or not found:
            wrong.append(f"{name}: not found: {out[:2000]}")
    return wrong


def main():
    tgc = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as base:
        wrong = [*passes(tgc, base), *breaks(tgc, base)]
    if not LONG:
        print("other orders, types and mutants: skipped: the long mode has them")
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
