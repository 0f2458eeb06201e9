"""Products beside the sizes that anybody measures: unusual input of a library for a GPU on the CPU's executor
(tests/library/products.cc), what a workspace takes where there are many results, and steps that tiles do themselves."""
import json
import os

from harness import Failed, by_turns
from library_calls import build
from tuning import equal

PIPED = "grid.tiled(block.tiled/all!piped(thread.panels/loop(thread.serial)))"
PARTIAL = "grid.split!partial(block.tiled/all!piped(thread.panels/loop(thread.serial)))"


@by_turns(6)
def test_unusual_input(t):
    """By rivals, of which small tiles serve some shapes; few results by blocks that share them."""
    gemm = t.source("codelets", "gemm.cdl")
    t.run(gemm, "--arch", "sm_90", "--types", "float", "--table", "none", "-o", "all").exits(0)
    ids = {v["plan"]: v["id"] for v in json.loads(t.read("all/manifest.json"))["variants"]}
    t.write("mine.table", f"float infx2048 {ids[PARTIAL]} 64 0 8 lanes=8 stages=3 tile_k=8 tile_m=32 tile_n=32\n"
                          f"float inf,turn=1 {ids[PIPED]} 32 0 0 lanes=8 stages=3 tile_k=16 tile_m=16 tile_n=16\n"
                          f"float inf,turn=3 {ids[PIPED]} 64 0 0 lanes=8 stages=3 tile_k=16 tile_m=64 tile_n=32\n")
    t.run(gemm, "--arch", "sm_90", "--types", "float", "--table", "mine.table", "-o", "all").exits(0).silent()
    t.run("ship", "all", "-o", "out").exits(0)
    build(t, t.source("tests", "library", "products.cc"))
    r = t.shell("./program", timeout=300)
    r.exits(0).expect(r.out == "0 failed\n", "expected no failure")


def test_workspace_of_many_results(t):
    """A copy of all results for each share would be as large as these: of rows for any number of results those that make
    one have a number of blocks, and a rival that makes none, which the library takes where blocks are not more than tiles
    (tests/device/library/ranges.c)."""
    for types in ("float", "double"):
        for table in ((), ("--table", "none")):
            t.run(t.source("codelets", "gemm.cdl"), "--arch", "sm_90", "--types", types, *table, "-o", "out").exits(0)
            m = json.loads(t.read("out/manifest.json"))
            plans = {v["id"]: v["plan"] for v in m["variants"]}
            many = [r for r in m["dispatch"] if not r.get("count")]
            for r in many:
                others = [o for o in many if o.get("turn") and "!partial" not in plans[o["variant"]] and
                          all(o.get(key) == r.get(key) for key in ("type", "up_to", "when"))]
                if "!partial" in plans[r["variant"]] and not (r.get("turn") and r.get("blocks") and others):
                    raise Failed(f"{types}, {table}: {r}")


def launches(t, codelet, *options):
    """Of the variant that serves the largest calls, how many kernels are launched."""
    t.write("own.cdl", codelet)
    t.run("own.cdl", "--arch", "sm_90", "--types", "float", "--table", "none", *options, "-o", "out").exits(0)
    m = json.loads(t.read("out/manifest.json"))
    plans = {v["id"]: v["plan"] for v in m["variants"]}
    served = [r["variant"] for r in m["dispatch"] if "!partial" not in plans[r["variant"]]]  # whose rivals are for few
    if "block.tiled/all!piped" not in plans[served[-1]]:
        raise Failed(f"no tiles: {plans[served[-1]]}")
    return t.read(f"out/variants/{served[-1]}.cu").count("cudaLaunchKernelEx(")


LOOPS = """template <typename T>
__codelet
void own(T w, const Array<2, T> A, __shape(A.Size(1), _) const Array<2, T> B, __shape(B.Size(1)) const Array<1, T> b,
         __shape(A.Size(0), B.Size(1)) __mutable Array<2, T> C) {
  for (unsigned i = 0; i < C.Size(0); ++i)
    for (unsigned j = 0; j < C.Size(1); ++j) {
      T sum = 0;
      for (unsigned k = 0; k < A.Size(1); ++k)
        sum += A(i, k) * B(k, j);
      C(i, j) = VALUE;
    }
}
"""


def test_steps_that_tiles_do(t):
    """What is made of each sum is made of what lanes hold, and takes no kernel; elements at other places do."""
    for value in ("max(T(0), sum + b[j])", "w * sum + b[j] * C(i, j)", "sum / b[j]", "sum > b[j] ? sum : w * C(i, j)"):
        equal(launches(t, LOOPS.replace("VALUE", value)), 1, value)
    steps = open(os.path.join(t.source("tests", "simt", "codelets"), "tile_ends.cdl")).read()
    equal(launches(t, steps), 1, "tile_ends.cdl")


TWO = """template <typename T>
__codelet
void mul(const Array<2, T> A, __shape(A.Size(1), _) const Array<2, T> B,
         __shape(A.Size(0), B.Size(1)) __mutable Array<2, T> C) {
  for (unsigned i = 0; i < C.Size(0); ++i)
    for (unsigned j = 0; j < C.Size(1); ++j) {
      T sum = 0;
      for (unsigned k = 0; k < A.Size(1); ++k)
        sum += A(i, k) * B(k, j);
      C(i, j) = sum;
    }
}
template <typename T>
__codelet
void moved(const Array<2, T> X, __shape(X.Size(0), X.Size(1)) __mutable Array<2, T> Y) {
  for (unsigned i = 0; i < Y.Size(0); ++i)
    for (unsigned j = 0; j < Y.Size(1); ++j)
      Y(i, j) = X(i, j) + 1;
}
template <typename T>
__codelet
void own(const Array<2, T> A, __shape(A.Size(1), _) const Array<2, T> B,
         __shape(A.Size(0), B.Size(1)) __mutable Array<2, T> C, __shape(A.Size(0), B.Size(1)) __mutable Array<2, T> D) {
  mul<T>(A, B, C);
  moved<T>(C, D);
}
"""


def test_steps_that_tiles_do_not(t):
    """What is stored for the caller, too, is stored: the step behind reads it."""
    t.write("own.cdl", TWO)
    t.run("own.cdl", "--spectrum", "own", "--arch", "sm_90", "--types", "float", "-o", "out").exits(0)
    for v in json.loads(t.read("out/manifest.json"))["variants"]:
        text = t.read(f"out/variants/{v['id']}.cu")
        if v["plan"].startswith("grid.steps=(") and text.count("cudaLaunchKernelEx(") + text.count("<<<") < 2:
            raise Failed(f"{v['plan']}: both are results")
