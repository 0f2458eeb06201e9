"""Data that break what a header asks for, and such as are good and unusual (tests/library/bad_graphs.cc): offsets that
do not ascend, columns that are no vertices, loops, parts, a queue without room, on the CPU's executor."""
import glob, random, re

from drawn import LONG
from harness import Failed, by_turns
from library_calls import build


def libraries(t):
    for name, types, keep in (("spmv", "float", "14" if LONG else "6"), ("bfs", "int", "2"), ("bfs_queue", "int", "2"),
                              ("bfs_both", "int", "2")):
        t.run(t.source("codelets", f"{name}.cdl"), "--spectrum", name, "--arch", "sm_90", "--types", types, "--keep",
              keep, "-o", f"out/{name}").exits(0)


def run(t):
    build(t, t.source("tests", "library", "bad_graphs.cc"))
    return t.shell(f"./program {random.randrange(1 << 30)}", timeout=900, TGC_SIMT_COMPUTE="90")


@by_turns(25)
def test_graphs(t):
    libraries(t)
    r = run(t).exits(0)
    if "\n0 failed" not in "\n" + r.out:
        raise Failed(r.out)


MUTANTS = [
    ("spmv", r"(const Index offset2? = )max\((.*), 0\);", r"\1\2;"),  # a part begins before all elements
    ("spmv", r"const Index part_end = min_index\(.*, n\);", "const Index part_end = offset;"),  # .. or ends behind them
    ("bfs_queue", r"(const Index filled\w* = )min_index\(max_index\((.*), 0\), \w+\);", r"\1\2;"),  # a queue's end
    ("bfs_both", r"Index e = max\((.*), 0\); e <", r"Index e = \1; e <"),
]


@by_turns(25)
def test_what_is_left_out_is_found(t):
    """Libraries without one of the bounds, each."""
    libraries(t)
    for name, bound, without in MUTANTS if LONG else random.sample(MUTANTS, 1):
        texts, changed = {}, 0
        for path in glob.glob(t.path(f"out/{name}/variants/*.cu")):
            texts[path] = t.read(path)
            text, n = re.subn(bound, without, texts[path])
            changed += n
            t.write(path, text)
        if not changed:
            raise Failed(f"{name} has no {bound}")
        if run(t).status == 0:
            raise Failed(f"{name} without {bound} is not found")
        for path, text in texts.items():
            t.write(path, text)
