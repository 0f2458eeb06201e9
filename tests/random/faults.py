#!/usr/bin/env python3
"""faults.py ROOT: do random programs find what was wrong once? Each fault is put back into a copy of the compiler, and
new programs are drawn until one disagrees with the witness (run.py --until-wrong): a line each, after how many. Status
1 where one stays unfound among 1,000, or can no longer be put back.

    faults.py ROOT [--only PATTERN] [--jobs J] [--there]

Takes a minute or two a fault, and is no part of the tests; tests/README.md tells what it found. Part of them is
--there: has each file what mends its fault, once? Else a change has moved it, and the fault could not be put back.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

MOST = 1000

# What was wrong, the file, the text that mends it, and what stood there.
FAULTS = [
    ("any Size() is the first container's", "compiler/lower/inline_values.c",
     "      return view_extent(r->l, v, (int)t->dimension);",
     "      if (v && r->e->view && !v->plane.columns && !r->e->view->plane.columns) v = r->e->view;\n"
     "      return view_extent(r->l, v, (int)t->dimension);"),
    ("other elements of a part are taken for the whole's", "compiler/lower/inline_loops.c",
     "if (v && view_aligned(v, u->e->view) && !inline_is_whole(v)) u->only_elements = false;", ""),
    ("a loop in a loop over the same part", "compiler/lower/inline_loops.c", " || v->by_position", ""),
    ("workers without a part are not guarded", "compiler/lower/idle.c",
     "if (harmless_parts(n, r, stay)) return stay ? TAIL_EMPTY : TAIL_CLIP;", "return TAIL_CLIP;"),
    ("parts with gaps are loaded as if they had none", "compiler/lower/view.c",
     "if (strided && build_is(v->step, 1)) part.spread", "if (strided) part.spread"),
    ("a transposed copy with several vectors in flight", "compiler/lower/shares.c",
     "if (m->node->traversal == TRAVERSE_TRANSPOSED) return false; /* the rows that are copied are one vector's */",
     ""),
    ("x + 0 is x for floats too", "compiler/lower/inline_values.c",
     "if (type_is_whole(t->type) && build_is(t->kid[1], 0))",
     "if (build_is(t->kid[1], 0) || (t->kid[1]->op == OP_CAST && build_is(t->kid[1]->kid[0], 0)))"),
    ("generate computes in 64 bits", "compiler/ir/function.c",
     "return t->type == to->type || to->type == TYPE_INDEX ? t : tree_unary(a, OP_CAST, to->type, t);",
     "(void)a; (void)to; return t;"),
    ("a selection that lets a NaN through is a maximum", "compiler/front/operator.c",
     "bool keeps_nan = x.keeps_nan && ", "bool keeps_nan = false && "),
    ("a loop that skips elements is a reduction", "compiler/front/accumulation.c",
     "else if (!x.why && !all_once(&l))", "else if (false && !all_once(&l))"),
    ("a cooperative codelet serves any number of lanes", "compiler/passes/serves.c",
     "v = compare(s, t);\n    if (v != RIGHT) return v;", "v = compare(s, t);\n    v = RIGHT;"),
    ("parts that are taken together share their slots", "compiler/lower/kept.c",
     "build_add(k->l->a, build_mul(k->l->a, k->row->at, k->slots), slot)", "slot"),
    ("a plain long is a position", "compiler/lower/kept.c",
     "declaration->symbol->type == TYPE_INDEX && !tree_assigns(body, declaration->symbol)",
     "(void *)body != (void *)declaration && declaration->symbol->type == TYPE_INDEX"),
]


def build(root, work):
    """The compiler of the tree there."""
    for words in (["cmake", "-S", root, "-B", work, "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF"],
                  ["cmake", "--build", work, "--target", "tgc", "-j", str(os.cpu_count())]):
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode:
            return done.stdout[-2000:] + done.stderr[-2000:]
    return ""


def not_there(root, faults):
    """How many can no longer be put back; says which."""
    missing = 0
    for name, path, mended, _ in faults:
        at = os.path.join(root, path)
        text = ""
        if os.path.exists(at):
            with open(at) as f:
                text = f.read()
        if text.count(mended) != 1:
            print(f"{name}: {path} no longer has `{mended}' once", flush=True)
            missing += 1
    return missing


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("root")
    p.add_argument("--only", default="")
    p.add_argument("--jobs", default=str(os.cpu_count()))
    p.add_argument("--there", action="store_true")
    o = p.parse_args()
    root = os.path.abspath(o.root)
    faults = [x for x in FAULTS if re.search(o.only, x[0])]
    bad = not_there(root, faults)
    if bad or o.there:
        return 1 if bad else 0
    with tempfile.TemporaryDirectory(prefix="tgc-faults-") as base:
        tree, work = os.path.join(base, "tree"), os.path.join(base, "build")
        files = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True,
                               check=True).stdout.split("\n")
        for f in filter(None, files):
            os.makedirs(os.path.dirname(os.path.join(tree, f)), exist_ok=True)
            shutil.copy2(os.path.join(root, f), os.path.join(tree, f))
        for name, path, mended, once in faults:
            at = os.path.join(tree, path)
            with open(at) as f:
                text = f.read()
            with open(at, "w") as f:
                f.write(text.replace(mended, once))
            why = build(tree, work)
            if why:
                print(f"{name}: does not compile\n{why}", flush=True)
                bad += 1
            else:
                done = subprocess.run([sys.executable, os.path.join(tree, "tests/random/run.py"),
                                       os.path.join(work, "tgc"),
                                       "--programs", str(MOST), "--until-wrong", "--jobs", o.jobs], capture_output=True,
                                      text=True,
                                      env=dict(os.environ, TGC_RUNTIME_DIR=os.path.join(tree, "runtime", "simt")))
                found = re.search(r"after (\d+): (.*)", done.stdout)
                bad += not found
                print(f"{name}: {f'after {found.group(1)}, {found.group(2)}' if found else 'not found'}", flush=True)
            with open(at, "w") as f:
                f.write(text)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
