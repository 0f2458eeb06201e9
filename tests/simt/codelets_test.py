#!/usr/bin/env python3
"""codelets_test.py TGC: codelets that were compiled wrongly once, or are near to what passes rewrite: written for a
machine, run against their sequential codelet. One of them, drawn; the long mode has all."""
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from drawn import drawn  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
# Machine, types, and the variant that is checked; None: all; the configuration, if it is not the variant's own; sizes.
SIZES = "0,1,33,256,257,1025,4225,20000"
FOLDERS = {
    "bag": ("sm_60", "int,double", "d7ffa6c0"),        # lanes or warps beyond the last part
    "beyond": ("sm_60", "int", "86d0e9f7"),
    "own_parts": ("sm_60", "int", "0dee2816"),
    "own_rows": ("sm_80", "int", "438625ba"),          # as many rows as there are, in private containers, copied
    "nearest": ("sm_60", "int,half:float", None, "", "0,1,33,257"),  # one lane combines results of rows
    "nearest_nan": ("sm_60", "float,double", "07e5b879", "", "0,1,33,257"),  # .. a distance that is NaN is the least
    "weighted_distances": ("sm_90", "float,int", None, "", "0,1,33,257"),  # .. or a block's lanes together, parts first
    "choices": ("sm_90", "int", "37d70506", "", "0,1,33,257,1025"),  # .. look for the best of a row together
    "soft_rows": ("sm_90", "float,double", "7cc23019", "", "1,33,70"),  # .. or stored, by a product's tiles
    "least_rows": ("sm_90", "float,double", "615df046", "", "1,33,70"),
    "neighbours": ("sm_90", "float,double,half:float", "894c2576", "C(32, 49, 3)", "1,33,257,700"),  # results several at once
    "gradient": ("sm_90", "float,double,half:float", "134b5e8b", "C(32, 4, 97)", "1,33,700,1600"),  # rows by columns, and not
    "line_taps": ("sm_90", "float,int,double,half:float", "4a53cd8b", "C(32, 512)", "8,9,41,257,1025,2500"),  # in turns
    "lines": ("sm_80", "int,half:float", "0a3b447c"),             # columns of a column-major matrix, copied together
    "cuts": ("sm_60", "int", "1790b580"),
    "natives": ("sm_80", "int,float,double", "f609a4cd"),  # addresses of tiles, and numbers, to functions of the file's
    "cut_sum": ("sm_60", "int", "4b8b9294"),
    "halo": ("sm_60", "int", "47e92117"),
    "elements": ("sm_60", "int", None),
    "totals": ("sm_90", "int,float", None),            # a loop that adds up, as a reduction
    "unstored": ("sm_60", "int,double", None, "", "0,1,33,257"),  # stored under conditions, 16 bytes at a time
    "exchanges": ("sm_90", "int", None),               # instructions of reduce, and sub-warps
    "instances": ("sm_60", "int", "394407c0"),         # a codelet of certain types applies generic ones
    "widths": ("sm_90", "int", None),
    "half_rows": ("sm_80", "int", "1be5ba88"),         # parts that are more than what is read of them
    "halves": ("sm_60", "int", "34bf1ef2"),            # warps have slices of neighbouring rows
    "products": ("sm_60", "int", "1f4ace6f"),
    "in_place": ("sm_60", "int", "83274293"),          # rows are read 16 bytes at a time
    "held_rows": ("sm_80", "int", "0ca6afe0"),
    "held_segments": ("sm_80", "int,half:float", "b2128a67"),  # each worker sees whether its segment is held
    "loops": ("sm_60", "int", None),
    "max_scan": ("sm_60", "int", None),
    "named_operators": ("sm_80", "int", "2b4315ee", "C(64, 2)", "0,1,33,257,1025"),  # states of several operators in a launch
    "names": ("sm_60", "int", None),
    "steps": ("sm_60", "int", "960c1b70"),             # barriers between steps
    "sequence": ("sm_80", "int", "49cef1d8"),          # steps of a grid, in a loop too
    "rows_between": ("sm_60", "int", "c2aadc69"),      # matrices between them
    "maps_between": ("sm_60", "int", "27ccd9b7", "C(512, 2)", "0,1,33,257"),  # maps between steps, of given parts too
    "elements_between": ("sm_60", "int,float", None),  # elements' results in containers between steps, of views too
    "numbers_between": ("sm_90", "int,float", "02f48f83", "", "0,1,33,257"),  # elements of memory, kept and not
    "row_elements": ("sm_80", "float", "863e1a15", "", "1,33"),  # .. of a row, in a block's steps
    "lines_between": ("sm_90", "float,half", "b538b3e2", "C(512, 2)", "0,1,33,257,1025,4225"),  # columns' slices, by a view
    "leaving": ("sm_90", "int", "324bfa90"),           # kernels behind the end of a loop do nothing
    "flat": ("sm_90", "int,float", "2b2da36a"),        # rows' elements, which a warp's lanes share
    "queues": ("sm_90", "int", "1be946cc"),            # what lanes queue is gone through in the next iteration
    "seeking": ("sm_90", "int,float", "133587ce", "C(64)", "0,1,33,257,1025"),  # searches, several appends at once, steps of nothing
    "quantised": ("sm_80", "int", "211c56b0", "C(64)", "0,1,33,200,1025"),  # small steps of a loop, by the last block
    "staying": ("sm_90", "int", "62ce4607"),           # a loop in one launch, a ticket and shared memory in it
    "turns": ("sm_90", "int,float", "ef81816f", "C(64)", "0,1,33,257,1025"),  # all steps by one block
    "ranks": ("sm_90", "int", None),                   # rounds, votes, and arrays that are stored once
    "shifted": ("sm_60", "int", "c4886719"),           # views of other sizes, cut by rounded tiles
    "gaps": ("sm_60", "int", "0ec9cabc"),              # a view's size, in a step
    "tiles": ("sm_60", "int", "1cd58050"),             # tiles in registers and in shared memory
    "batches": ("sm_80", "float", "029ff065", "C(64, 2, 32, 16, 8, 2, 8)"),  # tiles of several matrices, one for all
    "taps": ("sm_60", "int,float", "fee6c54b"),  # each element is computed in a variable, of what lies around it
    "windowed": ("sm_60", "int", "46ea68cf", "C(32, 8, 64, 8, 4, 4)", "1,257,2500"),  # windows in registers, of small tiles
    "window_assigned": ("sm_90", "float,half", "ae23c8f9", "C(32, 512)", "0,1,2,33,513,2050"),  # .. whose results are assigned
    "window_beside": ("sm_90", "int,half", "3e701281", "C(64, 8, 64, 8)", "1,257,2500"),  # .. of an operand's own elements, too
    "window_of_line": ("sm_90", "int", "5ac64722", "C(32, 512, 4)", "0,1,33,1025,4225"),  # .. of one dimension
    "window_loops": ("sm_90", "int,half", "fb344226", "C(64, 8, 64, 8)", "0,1,2,3,33,257,2500"),  # .. by loops for each element
    "moved": ("sm_90", "int,half:float,double", "b15d3ee9", "C(64, 32, 32, 32)", "0,1,33,1030,20000"),  # transposed by tiles
    "boxes": ("sm_90", "int,half", "3d3c563b", "C(64, 8, 64, 16)", "0,1,2,3,33,257,2500"),  # windows of boxes of containers
    "window_outputs": ("sm_90", "int,half", "0013c8dd", "C(64, 8, 64, 8)", "0,1,2,3,33,257,2500"),  # .. with two results
    "streamed": ("sm_90", "int,half", "28d8243c", "C(64, 4, 8, 32, 8)", "0,1,2,3,33,257,2500"),  # .. that are streamed, and added up
    "stream_outputs": ("sm_90", "int,half", "bca8aa51", "C(64, 4, 8, 32, 8)", "0,1,2,3,33,257,2500"),  # .. with two results
    "plain_stencils": ("sm_90", "int,half", "1a6a9666", "", "0,1,2,3,33,257,2500"),  # .. and strips beside them
    "tile_border": ("sm_60", "int", "ddfa3308"),
    "each_result": ("sm_90", "float,half:float", "c47dfdf0", "", "0,1,33,700"),  # one warp's lanes have each result between them
    "weighted_panels": ("sm_90", "float,half:float,int", "0169db74", "C(64, 32, 32, 8, 3, 8)", "0,1,33,700"),  # a line of panels
    "tiles_added": ("sm_60", "int,float", "44a252c9"),   # contributions that lanes add up first
    "tile_ends": ("sm_90", "int,float,half:float", "77a14c16", "", "0,1,33,700"),  # steps that a product's tiles do
    "two_panels": ("sm_60", "int", "73ab7146"),
    "hops": ("sm_60", "float", "8a4e2460"),            # a minimum of which blocks have copies
    "turned": ("sm_60", "int", "17d27acd"),            # matrices of another order than the codelets' text says
    "wide_places": ("sm_80", "int,float", "36c18bac"),       # what tiles post is wider than the elements
    "uneven": ("sm_60", "int", "411d6325"),           # equal shares of segments of a view, combined by one lane
    "spiky": ("sm_60", "int,double", "72cc23b0", "C(64, 1, 8)", "0,1,33,257,1025,3000"),  # long segments of a view in pieces
    "unit_rows": ("sm_70", "half", "73a6662e"),        # a warp's matrix unit sums rows up
    "byte_rows": ("sm_75", "int8,uint8", "9bf89c53", "", "0,1,33,1025,3000"),  # .. and scans them, of bytes
    "half_sums": ("sm_75", "half,half16", "bd877c44", "C(128, 64, 64, 2, 16)", "0,1,33,700"),  # sums that are halves
    "picked": ("sm_90", "float,double", "829d3c98", "C(64, 2)"),   # two containers' elements side by side in shared memory
    "total_scan": ("sm_60", "int", "97995b32"),        # a scan over blocks
}


def configure(path, configuration):
    text, found = re.subn(r"(_CONFIGURATIONS\(C\)) C\(.*\)", rf"\1 {configuration}", open(path).read())
    if not found:
        sys.exit(f"codelets_test: no configuration in {path}")
    open(path, "w").write(text)


def main():
    tgc, wrong = os.path.abspath(sys.argv[1]), []
    missing = {f[:-4] for f in os.listdir(f"{HERE}/codelets")} ^ set(FOLDERS)
    if missing:
        sys.exit(f"codelets_test: not in the list, or not there: {sorted(missing)}")
    with tempfile.TemporaryDirectory() as base:
        for name in sys.argv[2:] or drawn(FOLDERS, 1):
            arch, types, variant, *configuration = FOLDERS[name]
            files = [f"{HERE}/codelets/{name}.cdl"] + ([f"{HERE}/../../codelets/scan.cdl"] if name == "total_scan" else [])
            for command in ([*files, "--arch", arch, "--types", types, "--keep", "60", "-o", f"{base}/{name}"],
                            ["check", f"{base}/{name}", "--no-codelets", "--sizes", configuration[1] if configuration[1:] else SIZES,
                             "--seeds", "1",
                             *(["--variant", variant] if variant else [])]):
                if command[0] == "check" and configuration and configuration[0]:
                    configure(f"{base}/{name}/variants/{variant}.cu", configuration[0])
                done = subprocess.run([tgc, *command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                if done.returncode:
                    wrong.append(f"{name}: tgc {command[0]}: status {done.returncode}\n{done.stdout[:3000]}")
                    break
            else:
                print(f"{name}: {done.stdout.splitlines()[-1]}", flush=True)
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
