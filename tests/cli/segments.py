"""Segments that are scanned each by itself: what every worker makes of segments that are empty, of one element,
long and short ones side by side (tests/library/segments.cc), on the CPU's executor."""
import json
import re

from drawn import LONG, drawn
from harness import Failed, by_turns
from library_calls import build

WORKERS = ("grid.each(block.", "grid.each(block>warp.", "grid.each/all-warps(", "grid.each/all-threads(",
           "grid>block.each(warp.", "grid>block>warp>thread.serial")


def each_worker(t, name, machine, keep):
    """A library of a few plans: of all workers that segments go to."""
    codelets = t.source("codelets", name + ".cdl")
    t.run(codelets, "--arch", machine, "--types", "int,double", "--keep", keep, "-o", "out").exits(0).silent()
    plans = [v["plan"] for v in json.loads(t.read("out/manifest.json"))["variants"]]
    missing = [p for p in WORKERS if not any(plan.startswith(p) for plan in plans)]
    if missing:
        raise Failed(f"no plan begins {missing}")
    build(t, t.source("tests", "library", "segments.cc"))
    r = t.shell(f"./program {','.join(drawn(('int', 'double'), 1))} 1", timeout=900)
    r.exits(0).expect(r.out == "0 failed\n", "expected no failure")


@by_turns(18)
def test_scans_of_one_length(t):
    each_worker(t, "segmented_scan", "sm_90", "16" if LONG else "14")


@by_turns(3)
def test_blocks_share_segments(t):
    """Tiles of all segments over the grid's blocks: nothing stands before a segment's first one. Small blocks, so that
    segments have several tiles and a group of totals several segments."""
    plans = ("spread!scanner(block.scan_scan_add(warp.sliding/loop(warp.scan_scan_add(thread.serial; warp.kogge_stone+",
             "spread!look_back(block.scan_scan_add(warp.sliding/loop(warp.scan_scan_add(thread.serial; warp.kogge_stone+")
    t.run(t.source("codelets", "segmented_scan.cdl"), "--arch", "sm_90", "--types",
          ",".join(drawn(("int", "double"), 1)), "-o",
          "out").exits(0)
    manifest = json.loads(t.read("out/manifest.json"))
    manifest["variants"] = [v for v in manifest["variants"] if any(p in v["plan"] for p in plans)]
    if len(manifest["variants"]) != 2:
        raise Failed(f"{len(manifest['variants'])} plans of {len(plans)}")
    for v in manifest["variants"]:
        path = f"out/{v['file']}"
        text = t.read(path)
        small = text.replace(f"{v['configurations_macro']}(C) C(256, 2)", f"{v['configurations_macro']}(C) C(32, 1)")
        small = small.replace(f"{v['configurations_macro']}(C) C(512, 2)", f"{v['configurations_macro']}(C) C(32, 1)")
        if small == text:
            raise Failed(f"{v['id']} has no configuration of its own here")
        t.write(path, small)
    t.write("out/manifest.json", json.dumps(manifest))
    t.run("check", "out", "--no-codelets", "--sizes", "0,1,129,3000", "--seeds", "1", "--orders", "2",
          timeout=900).exits(0).prints("2 of 2 variants of segmented_scan passed")


@by_turns(15)
def test_scans_by_offsets(t):
    each_worker(t, "segmented_scan_offsets", "sm_60", "16" if LONG else "11")


@by_turns(2)
def test_units_for_some_types(t):
    """Halves are added up by the matrix unit in a folder that has floats too; such a variant has no function for
    floats, and their rows do not name it."""
    t.run(t.source("codelets", "segmented_sum.cdl"), "--arch", "sm_90", "--types", "float,half", "-o", "out").exits(0)
    m = json.loads(t.read("out/manifest.json"))
    found = {v["id"]: v for v in m["variants"] if "warp.unit" in v["plan"]}
    if not found or any(list(v["functions"]) != ["half"] for v in found.values()):
        raise Failed(f"units are for {[list(v['functions']) for v in found.values()]}")
    if any(r["type"] == "float" and r["variant"] in found for r in m["dispatch"]):
        raise Failed("floats are served by a variant that is not for them")
    check = ("check", "out", "--variant", "8b6b4c60", "--sizes", "16,33", "--seeds", "1", "--no-codelets")
    t.run(*check, timeout=300).exits(0).prints("1 of 1 variants")


@by_turns(2)
def test_subwarps_scan_uneven_segments(t):
    """Segments of any length, four of them in a warp: its lanes exchange together until the longest one's end. A
    sub-warp that leaves the loop at its own end is noticed."""
    t.run(t.source("codelets", "segmented_scan_offsets.cdl"), "--arch", "sm_90", "--types", "int", "-o", "out").exits(0)
    plan = "grid.each/all-warp/8s(warp/8.sliding/loop(warp/8.sliding/loop(warp/8.scan_scan_add("
    found = [v for v in json.loads(t.read("out/manifest.json"))["variants"] if v["plan"].startswith(plan)]
    if len(found) != 1:
        raise Failed(f"{len(found)} plans begin {plan}")
    check = ("check", "out", "--variant", found[0]["id"], "--sizes", "33,300", "--seeds", "1")
    t.run(*check, timeout=300).exits(0)
    path, together = f"out/{found[0]['file']}", "__any_sync(0xffffffff, tile < tiles)"
    text = t.read(path)
    if together not in text:
        raise Failed(f"{path} has no {together}")
    t.write(path, text.replace(together, "tile < tiles"))
    r = t.run(*check, timeout=300).exits(1)
    if not any(f": {kind}, int" in r.out for kind in ("mask", "divergence", "deadlock")):
        raise Failed(f"not noticed: {r.out[-2000:]}")


def test_which_variant(t):
    """A variant is picked by the elements of a segment, those that are asked for or how many there are on average, and
    by how many segments there are."""
    for name, elements in (("segmented_scan", "size, size > 0 ? (n) / size + ((n) % size > 0) : 0"),
                           ("segmented_scan_offsets", "offsets_n > 1 ? (n) / (offsets_n - 1) : 0, "
                                                      "offsets_n > 1 ? (offsets_n - 1) : 0"),
                           ("segmented_sum_offsets", "out_n > 0 ? (n) / out_n : 0, out_n")):
        t.run(t.source("codelets", name + ".cdl"), "--arch", "sm_90", "--types", "int", "--keep", "8", "-o",
              name).exits(0)
        text = t.read(f"{name}/{name.replace('_offsets', '')}.cu")
        if f"range_of(int_in_use, {elements});" not in text:
            raise Failed(f"{name}: not by {elements}")
        uses = [row.split()[1] for row in t.read(f"{name}/{name.replace('_offsets', '')}.table").splitlines()
                if row.startswith("int ")]
        several = {"segmented_sum_offsets": ["1048576"],
                   # tiles of more lanes for longer segments; few of them are several blocks' each
                   "segmented_scan": ["8192", "32768", "1048576x132", "1048576"],
                   "segmented_scan_offsets": []}[name]  # of no known length: a block each
        if uses != ["32", "2048", *several, "inf"]:
            raise Failed(f"{name}: ranges up to {uses}, not of a lane, a warp, a block and several")


def of_equal_shares(t, machine):
    """The library of a few plans of sums by offsets, among them those of equal shares and of bounded tiles, whose blocks are
    small: rows are longer than a block's share, or than a worker's bound, soon."""
    t.run(t.source("codelets", "segmented_sum_offsets.cdl"), "--arch", machine, "--types", "int,double", "--keep", "16", "-o",
          "out").exits(0).silent()
    equal = [v for v in json.loads(t.read("out/manifest.json"))["variants"] if re.search("/(equal|bounded)-", v["plan"])]
    for v in equal:
        path = f"out/{v['file']}"
        text = t.read(path)
        macro = f"{v['configurations_macro']}(C) "
        small = text.replace(f"{macro}C(256, 4)", f"{macro}C(32, 1) C(64, 2)")
        small = small.replace(f"{macro}C(256, 2, 32)", f"{macro}C(32, 1, 8) C(64, 2, 16)")
        if small == text:
            raise Failed(f"{v['id']} has no configuration of its own here")
        t.write(path, small)
    return equal


@by_turns(14)
def test_equal_shares(t):
    """Segments of any lengths, whose elements a grid's blocks have equal shares of, or of which long ones are cut
    (tests/library/equal_shares.cc)."""
    equal = of_equal_shares(t, "sm_60")
    if {re.search("/([a-z]*)-", v["plan"]).group(1) for v in equal} != {"equal", "bounded"}:
        raise Failed("no plan has equal shares, or bounded tiles")
    if not any("!in_block(" in v["plan"] for v in equal):
        raise Failed("no block shares a long part of its own")
    build(t, t.source("tests", "library", "equal_shares.cc"))
    t.shell("./program 1 2", timeout=900).exits(0).prints("0 failed")
