#!/usr/bin/env python3
"""mutate.py: takes each barrier, fence and mask of correct kernels away, one at a time: does `tgc check' notice?
Of a cluster's barriers each half, and the order that an arrival gives; of posted results the marks and the waits; of
scans the marks, the tickets, and what is counted once.

  mutate.py TGC KERNELS GOLDEN     the hand-written kernels: survivors must be exactly those that GOLDEN lists
  mutate.py TGC --folder DIR [N]   a folder that tgc wrote, its first N variants: prints the survivors
  mutate.py TGC --KIND DIR [SIZES] .. its variants of a kind, a function of this file each: no mutant may survive

A mutant that survives is one whose synchronisation was not needed, or a gap of the executor: GOLDEN says which, a line
each: NAME: reason.
"""
import json
import os
import re
import sys
import tempfile

from cuts import *
from mutants import all_die, emitted, hand_written

STAYING_TOP = ("grid.tiled!ticket(block.strided/all(thread.strided(ilp.serial; thread.serial); block.tree+shuffle); "
               "grid>block.strided/all(thread.serial; block.tree+shuffle))")
ALONE_TOP = "grid.tiled!atomic(block.strided/all(thread.strided(ilp.serial; thread.serial); block.tree+shuffle))"
STAYING = ("grid.steps!persistent=(" + 4 * "grid.tiled(block.strided/all(thread.strided(ilp.serial))); " + STAYING_TOP +
           "; grid>block>warp>thread.serial; " + STAYING_TOP + ")")
STAYING_ALONE = STAYING.replace(STAYING_TOP, ALONE_TOP)
QUEUES = ("grid.steps!persistent=(grid>block>warp>thread.serial; grid.strided(block.strided/all(thread.serial))" +
          3 * "; grid>block>warp>thread.serial; grid.strided(block.strided/all(thread.serial))" + ")")
UNIT_TILES = "grid.whole=grid>block>warp.sliding/loop(warp.unit)"

def clusters(tgc, source, folder, sizes="1,33,1000,5000"):
    return all_die(tgc, source, "clusters", lambda row: "cluster" in row["levels"], CUTS, CLUSTER_CUTS, folder,
                   sizes=sizes)


def posts(tgc, source, folder):
    return all_die(tgc, source, "posts", lambda row: "!post" in row["plan"], CUTS, POST_CUTS, folder,
                   sizes="1,33,5000,30000,40000,40001,50000")


def one_of_each(rows):
    """Of small tiles, so that a few thousand elements are more of them than a vector looks at."""
    plans = ("grid.whole=grid.sliding!look_back(block.kogge_stone+shuffle)",
             "grid.whole=grid.sliding!scanner(block.kogge_stone+shuffle)")
    return [row for row in rows if row["plan"] in plans]


def scans(tgc, source, folder):
    wrong, survivors = emitted(tgc, source, one_of_each, CUTS, SCAN_CUTS, folder, once=True, sizes="1,9000,50000",
                               timeout="10")  # many mutants wait forever; a call of another takes far below one
    if len(one_of_each(json.load(open(f"{source}/manifest.json"))["variants"])) != 2:
        wrong.append("not both plans were kept")
    return wrong + [f"survived: {id}" for id, text in survivors if not MEETING.search(text)]


def twice(tgc, source, folder):
    """Of small tiles, so that there are more parts than a warp has lanes."""
    plan = ("grid.whole=grid.reduce_scan_scan(block.strided/all(thread.strided(ilp.serial; thread.serial); "
            "block.tree+shuffle); grid>block.kogge_stone+shuffle; block.sliding/loop(block.kogge_stone+shuffle))")
    wrong, survivors = emitted(tgc, source, lambda rows: [row for row in rows if row["plan"] == plan],
                               CUTS, TWICE_CUTS, folder, sizes="33,5000,70001", seeds="2")
    if not os.listdir(f"{folder}/variants"):
        wrong.append("the plan was not kept")
    return wrong + [f"survived: {id}" for id, text in survivors if not UNASKED.search(text)]


def slices(tgc, source, folder):
    """Rows and columns follow from the number of elements: rows that are whole loads, and that are not."""
    return all_die(tgc, source, "slices", lambda row: "/slices" in row["plan"], CUTS, SLICE_CUTS, folder,
                   sizes="1,33,1000,4096,99999")


def equal(tgc, source, folder):
    """Segments of random lengths, longer than a share too."""
    return all_die(tgc, source, "equal shares", lambda row: "/equal-" in row["plan"], CUTS, EQUAL_CUTS, folder,
                   small="C(32, 2)", sizes="1,33,100,1000,1024,2500")


def bounded(tgc, source, folder):
    """Segments of random lengths, of which most are longer than one worker goes through, and some longer than a piece."""
    wrong, survivors = emitted(tgc, source, lambda rows: [row for row in rows if "/bounded-" in row["plan"]], CUTS,
                               BOUNDED_CUTS, folder, small="C(64, 1, 8)", blocks="1", sizes="1,33,100,1000,1024,2500,6000")
    if not os.listdir(f"{folder}/variants"):
        wrong.append("no variant has bounded parts")
    return wrong + [f"survived: {id}" for id, text in survivors if not ACQUIRING.search(text)]


def owned(tgc, source, folder):
    """Sums of rows and their counts: eight copies that lanes share, and one for each warp."""
    plans = ("grid.tiled(block.own*8/all(thread.serial; block.strided/all(thread.serial); block.strided/all(thread.serial)))",
             "grid.tiled(block.own_tiles*warps(warp.apart=(warp.features(thread.serial); warp.strided(thread.serial)); "
             "block.strided/all(thread.serial); block.strided/all(thread.serial)))")
    return all_die(tgc, source, "rows of its own", lambda row: row["plan"] in plans, CUTS, OWNED_CUTS, folder,
                   sizes="33,257,3000,30000")


def rows(tgc, source, folder):
    """Rows that the lanes of a block copy to shared memory together, turn by turn, for each its own; of lengths that it has
    no room for, too."""
    plans = ("grid>block.each/all!rows(thread.serial)", "grid>block.each/all!run(thread.serial)")
    return all_die(tgc, source, "rows in shared memory", lambda row: row["plan"] in plans, CUTS[:1], ROW_CUTS, folder,
                   small="C(32, 65, 12)", sizes="1,33,257,700,1025,1600,2500,4000,6000,9000")


def together(tgc, source, folder):
    """What combines results of given parts, by a block's lanes, each of which has every so many of these."""
    return all_die(tgc, source, "lanes together", lambda row: row["plan"] == "grid.each(block.together+shuffle)", CUTS[:1],
                   TOGETHER_CUTS, folder, small="C(64)", sizes="1,33,257,700,1025,2500,9000,90000")


def choices(tgc, source, folder):
    """Lanes that look for the best of a row, and what goes with it, and store several results of a row."""
    return all_die(tgc, source, "lanes that choose", lambda row: row["plan"] == "grid.each/all-warp/8s(warp/8.together+shuffle)",
                   CUTS[:1], CHOICE_CUTS, folder, small="C(64)", sizes="1,33,257,700,1025,2500,9000")


def across(tgc, source, folder):
    """Rows that lanes contribute to one of several, added up by columns: more keys than registers, more columns than lanes."""
    plan = "grid>block.own_points/all!%s(thread.serial; block.strided/all(thread.serial); block.strided/all(thread.serial))"
    return all_die(tgc, source, "columns of rows", lambda row: row["plan"] in (plan % "rows", plan % "run"), CUTS[:1], ACROSS_CUTS, folder,
                   small="C(32, 16, 97, 2)", sizes="1,33,257,1025,2500,4000")


def following(tgc, source, folder):
    """Small steps of a loop, which the last block of the large one does."""
    plan = ("grid.steps=(" + 2 * "grid.strided(block.strided/all(thread.serial)); " +
            "grid.tiled(block.tiled/all(thread.serial)))")
    return all_die(tgc, source, "steps of the last block", lambda row: row["plan"] == plan, [], FOLLOWING_CUTS, folder,
                   small="C(64)", sizes="1,33,200,1025")


def held(tgc, source, folder):
    """Rows of sub-warps: a round, less in whole loads, less at any address, and more."""
    plan = re.compile(r"grid\.each/all-warp/8s\(warp/8\.steps=.*tree\+shuffle")
    return all_die(tgc, source, "held rows", lambda row: plan.match(row["plan"]) and "ilp" in row["plan"], CUTS[3:],
                   HELD_CUTS, folder, small="C(32, 2)", sizes="1,7,33,48,64,100,128,300,1024,4096,16384")


def compacted(tgc, source, folder):
    """Tiles of 128 elements, of two rows a lane: whole ones, the first, which begins before the container, and the last."""
    plan = ("grid.placed=grid.sliding!look_back!compacted(block.scan_scan_add(warp.sliding/loop(warp.scan_scan_add("
            "thread.serial; warp.kogge_stone+shuffle)); block>warp.kogge_stone+shuffle))")
    return all_die(tgc, source, "stores side by side", lambda row: row["plan"] == plan, CUTS[:1], COMPACTED_CUTS, folder,
                   small="C(64, 2)", sizes="1,33,1024,1025,3000", timeout="10")


def buffers(tgc, source, folder):
    plan = "grid.strided!ticket(block.buffers; grid>block.strided/all(thread.serial; block.buffers))"
    chosen = lambda rows: [row for row in rows if row["plan"] == plan]
    wrong, survivors = emitted(tgc, source, chosen, [], BUFFER_CUTS, folder, few=True, sizes="33,3000")
    made = os.listdir(f"{folder}/variants")
    if len(made) != 1 + 4:
        wrong.append(f"not two mutants of each of two loops: {made}")
    return wrong + [f"survived: {id}" for id, _ in survivors]


def panels(tgc, source, folder):
    """Tiles of a product: panels in two buffers by turns, loaded 16 bytes at once or one by one."""
    plan = "grid.tiled(block.tiled/all!prefetched(thread.panels/loop(thread.serial)))"
    return all_die(tgc, source, "panels", lambda row: row["plan"] == plan, CUTS, PANEL_CUTS, folder,
                   sizes="70,1000,1001,1002,1003,1004,1005,1006,1007,1008,1014")


def windows(tgc, source, folder):
    """Windows of a stencil, by shared memory where rows begin anywhere; of an operand's own elements, loaded directly."""
    plan = "grid.tiled(block.tiled/all!windowed(thread.serial))"
    return all_die(tgc, source, "windows", lambda row: row["plan"] == plan, CUTS[:1], WINDOW_CUTS, folder,
                   small="C(64, 8, 64, 8)", sizes="1,257,1000,2500")


def moved(tgc, source, folder):
    """Elements that are transposed by tiles, whole ones and those at the edges."""
    plan = "grid.tiled(block.strided/all!staged(thread.serial))"
    return all_die(tgc, source, "moved elements", lambda row: row["plan"] == plan, CUTS[:1], MOVE_CUTS, folder,
                   small="C(64, 32, 32, 32)", sizes="1,33,1030,5000,20000")


def loads_first(tgc, source, folder):
    """.. by loops of a lane, eight turns of which load before the first one stores."""
    plan = "grid.tiled(block.strided/all(thread.serial))"
    return all_die(tgc, source, "loads of eight turns", lambda row: row["plan"] == plan, [], LOADS_FIRST_CUTS, folder,
                   small="C(32)", sizes="1,33,1030,200000")


def goes_on(tgc, source, folder):
    """.. each of which goes on from the one before, so that elements alone are loaded first."""
    plan = "grid.tiled(block.strided/all(thread.serial))"
    return all_die(tgc, source, "loads of sixteen turns", lambda row: row["plan"] == plan, [], LOADS_FIRST_CUTS, folder,
                   small="C(32)", sizes="1,33,1030,5000")


def ahead(tgc, source, folder):
    """.. of a line, in turns, ahead of which the weights come to registers."""
    plan = "grid.tiled(block.tiled/all!windowed(thread.serial))"
    return all_die(tgc, source, "weights ahead of turns", lambda row: row["plan"] == plan, [], AHEAD_CUTS, folder,
                   small="C(32, 512)", sizes="9,257,1025,2500")


def insides(tgc, source, folder):
    """Windows of a stencil's inside, a box of its containers."""
    plan = "grid.inside=grid.tiled(block.tiled/all!windowed(thread.serial))"
    return all_die(tgc, source, "an inside", lambda row: row["plan"] == plan, [], INSIDE_CUTS, folder,
                   small="C(64, 8, 64, 8)", sizes="1,257,2500,4489,4624,5000")


def outputs(tgc, source, folder):
    """.. of which two results are stored."""
    plan = "grid.inside=grid.tiled(block.tiled/all!windowed(thread.serial))"
    return all_die(tgc, source, "two results", lambda row: row["plan"] == plan, [], OUTPUT_CUTS, folder,
                   small="C(64, 8, 64, 8)", sizes="1,257,2500,4489,4624,5000")


def streams(tgc, source, folder):
    """Windows that are streamed, each of whose planes is added to several results."""
    plan = "grid.tiled(block.tiled/all!streamed(thread.serial))"
    return all_die(tgc, source, "streams", lambda row: row["plan"] == plan, [], STREAM_CUTS, folder,
                   small="C(64, 4, 8, 32, 8)", sizes="1,257,2500,5000")


def planes(tgc, source, folder):
    """.. whose results need all of their planes at once, and elements of another operand."""
    plan = "grid.inside=grid.tiled(block.tiled/all!streamed(thread.serial))"
    return all_die(tgc, source, "planes", lambda row: row["plan"] == plan, [], PLANE_CUTS, folder,
                   small="C(64, 4, 8, 32, 8)", sizes="1,257,2500,5000")


def strips(tgc, source, folder):
    """.. and strips beside the box, along the edges."""
    strip = "grid.tiled(block.strided/all(thread.serial))"
    plan = f"grid.edges=(grid.tiled(block.tiled/all!windowed(thread.serial)); {strip}; {strip}; {strip})"
    return all_die(tgc, source, "strips", lambda row: row["plan"] == plan, [], STRIP_CUTS, folder,
                   small="C(64, 8, 64, 8)", sizes="1,257,2500")


def piped(tgc, source, folder):
    """.. copied ahead, whose steps come to registers; a cluster's blocks contribute to a tile."""
    plan = "grid.split!clustered(block.tiled/all!piped(thread.panels/loop(thread.serial)))"
    return all_die(tgc, source, "panels copied ahead", lambda row: row["plan"] == plan, [], PIPED_CUTS, folder,
                   small="C(64, 32, 32, 8, 2, 8)", sizes="70,1001,1004,3000", timeout="20")


def fragments(tgc, source, folder):
    """The same by warps' matrix units, whose fragments of the next step come to registers: of one step a panel, and two."""
    plan = "grid.tiled(block.tiled!piped(warp.panels/loop(warp.unit)))"
    return all_die(tgc, source, "fragments of the next step", lambda row: row["plan"] == plan, [], FRAGMENT_CUTS, folder,
                   small="C(128, 32, 32, 16, 2, 4) C(128, 32, 32, 32, 3, 4)", sizes="70,301,1003", timeout="20")


def quads(tgc, source, folder):
    """The same by the quad pairs of warps."""
    plan = "grid.tiled(block.tiled!prefetched(warp.panels/loop(warp.unit)))"
    return all_die(tgc, source, "quad pairs", lambda row: row["plan"] == plan, [], QUAD_CUTS, folder, sizes="70,301,1003")


def boxes(tgc, source, folder):
    """The same by groups of warps, whose panels are copied by boxes, or element by element."""
    plan = "grid.tiled(block.tiled!bulk(warp.panels/loop(warp.unit)))"
    return all_die(tgc, source, "boxes", lambda row: row["plan"] == plan, CUTS[:1], BOX_CUTS, folder,
                   sizes="70,301,1003")


def producers(tgc, source, folder):
    """.. for which a warp beside them asks, and whose results go to memory by boxes: all do where a size leaves 7 of 8, and of
    2048 elements there is a product of four panels, in three buffers."""
    plan = "grid.tiled(block.tiled!producer(warp.panels/loop(warp.unit)))"
    return all_die(tgc, source, "boxes", lambda row: row["plan"] == plan, [], PRODUCER_CUTS, folder,
                   small="C(256, 128, 64, 3, 64)", sizes="71,301,2048", timeout="40")


def matrices(tgc, source, folder):
    """.. of a batch, of two matrices at once. All have one panel at most, which is copied ahead of the loop."""
    plan = "grid.tiled(block.tiled!bulk(warp.panels/loop(warp.unit)))"
    return all_die(tgc, source, "boxes", lambda row: row["plan"] == plan, [], MATRIX_CUTS, folder,
                   small="C(128, 2, 64, 64, 3, 64)", sizes="21,29,30", timeout="20")


def staying(tgc, source, folder):
    """Steps that several blocks take, and one that one does; a ticket, and shared memory."""
    wrong = all_die(tgc, source, "a loop in one launch", lambda row: row["plan"] == STAYING, CUTS, STAYING_CUTS, folder,
                    small="C(64, 1)", sizes="1,33,1000,3000", timeout="20")
    alone = lambda row: row["plan"] == STAYING_ALONE
    return wrong + all_die(tgc, source, "one thread in such a loop", alone, [], ALONE_CUTS, f"{folder}/alone",
                           small="C(64, 1)", sizes="1,33,1000,3000", timeout="20")


def one_block(tgc, source, folder):
    """All steps by one block: of those without a barrier between them none may pass."""
    plans = [row["plan"] for row in json.load(open(f"{source}/manifest.json"))["variants"] if "!one_block" in row["plan"]]
    return all_die(tgc, source, "steps of one block", lambda row: row["plan"] in plans[:1], CUTS, ONE_BLOCK_CUTS, folder,
                   small="C(64)", sizes="1,33,1000,3000", timeout="20")


def queues(tgc, source, folder):
    """Places that are followed by way of queues, to which warps append what their lanes have found."""
    return all_die(tgc, source, "queues", lambda row: row["plan"] == QUEUES, [], QUEUE_CUTS, folder,
                   small="C(64)", sizes="1,33,200,700", timeout="20")


def flat(tgc, source, folder):
    """Rows of any lengths, whose elements a warp's lanes share; of few blocks, so that warps have several each."""
    return all_die(tgc, source, "parts laid flat", lambda row: row["plan"] == "grid.each/all-threads!flat(thread.serial)", [],
                   FLAT_CUTS, folder, small="C(64)", sizes="1,33,257,1025,4225,9001")


def units(tgc, source, folder):
    """Rows that one warp's matrix unit scans, or adds up, tiles of them, two groups of a row at once: of lengths that it
    multiplies, several of which are one row of it, and of others. And a warp's tiles, of eleven rows a lane."""
    spectrum = json.load(open(f"{source}/manifest.json"))["spectrum"]
    if spectrum == "inclusive_scan":
        return all_die(tgc, source, "tiles for a matrix unit", lambda row: row["plan"] == UNIT_TILES, [], UNIT_TILE_CUTS,
                       folder, small="C(32, 11)", sizes="33,1500,4099")
    scans = "scan" in spectrum
    cuts = (UNIT_CUTS if scans else UNIT_SUM_CUTS) + UNIT_ANYWHERE_CUTS
    if json.load(open(f"{source}/manifest.json"))["types"] == ["int8"]:
        cuts = [cut for cut in cuts if cut[2] not in UNIT_INEXACT] + UNIT_BYTE_CUTS + ([] if scans else UNIT_BYTE_SUM_CUTS)
    plan = "grid.rows=" * scans + "grid>block.tiles(warp.unit)"
    # the last two: whole tiles of 16, 64 and 128 elements a row, where one of the elements is infinite
    return all_die(tgc, source, "rows for a matrix unit", lambda row: row["plan"] == plan, [],
                   cuts, folder, small="C(32, 64)" if scans else "C(32, 32) C(32, 64)",
                   sizes="33,400,1052,2054" if scans else "33,100,329,400,2053")


KINDS = {kind.__name__: kind for kind in (
    across,
    ahead,
    bounded,
    boxes,
    buffers,
    choices,
    clusters,
    compacted,
    equal,
    flat,
    following,
    fragments,
    held,
    insides,
    loads_first,
    goes_on,
    matrices,
    moved,
    one_block,
    outputs,
    owned,
    panels,
    piped,
    planes,
    posts,
    producers,
    quads,
    queues,
    rows,
    scans,
    slices,
    staying,
    streams,
    strips,
    together,
    twice,
    units,
    windows,
)}


def main():
    arguments = sys.argv[1:]
    kind = KINDS.get(arguments[1][2:]) if len(arguments) in (3, 4) and arguments[1].startswith("--") else None
    with tempfile.TemporaryDirectory() as base:
        folder = f"{base}/mutants"
        os.mkdir(folder)
        if len(arguments) in (3, 4) and arguments[1] == "--folder":
            count = int(arguments[3]) if len(arguments) > 3 else 10
            wrong, _ = emitted(arguments[0], arguments[2], lambda rows: rows[:count], CUTS + CLUSTER_CUTS, [], folder)
        elif kind:
            wrong = kind(arguments[0], arguments[2], folder, *arguments[3:])
        elif len(arguments) == 3:
            wrong = hand_written(*arguments, folder)
        else:
            sys.exit(__doc__)
    for line in wrong:
        print(line)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
