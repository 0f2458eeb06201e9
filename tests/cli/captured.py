"""Loops that a kernel ends are nodes of a graph while a stream is captured (tests/library/captured.cc), on the CPU's
executor: by the host's launches, and as kernels that stay."""
import json, random

from harness import Failed, by_turns
from library_calls import build


@by_turns(10)
def test_loops_in_a_graph(t):
    t.run(t.source("codelets", "bfs_edges.cdl"), "--arch", "sm_90", "--types", "int", "--keep", "6", "-o", "out").exits(0)
    variants = json.loads(t.read("out/manifest.json"))["variants"]
    by_host = [v["id"] for v in variants if "LoopNode captured;" in t.read(f"out/variants/{v['id']}.cu")]
    one_kernel = [v for v in variants if "!persistent" in v["plan"] or "!one_block" in v["plan"]]
    if not by_host or len(by_host) + len(one_kernel) != len(variants):
        raise Failed(f"{by_host} have loops that may be nodes")
    t.write("out/variants.inc", "".join(f"VARIANT(bfs_edges_{v['id']}_int)\n" for v in variants))
    build(t, t.source("tests", "library", "captured.cc"))
    seed = random.randrange(1 << 30)
    t.shell(f"./program {seed}", timeout=300, TGC_SIMT_COMPUTE="90").exits(0).prints("0 wrong")
