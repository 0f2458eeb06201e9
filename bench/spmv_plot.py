#!/usr/bin/env python3
"""Draws Figure 15 of MICRO's paper again, as SVG with matplotlib: sparse rows times a vector with and without the
transposition, over cuSPARSE.

    spmv_plot.py RECORD.txt [-o FILE.svg]      without -o: beside the record

RECORD is what `spmv.py run' printed for these matrices. Without the transposition a lane reads its row from memory. With
it a block's lanes read neighbouring elements, put their products side by side in shared memory, and there each adds its
row. Of each plan the fastest configuration is drawn. The function of a library with the shipped table is drawn where a
second record, of its folder, follows.
"""
import argparse, os, re, sys

sys.dont_write_bytecode = True
import drawing

HEAD = re.compile(r"^(float|double) (\S+): .*cuSPARSE ([\d.]+) us \(alg1\), ([\d.]+) \(alg2\)")
LINE = re.compile(r"^  (.*): ([\d.]+) us, \d+ GB/s, ")
SERIES = (("a lane reads its row", "grid.each/all-threads(thread.products=thread.serial)", drawing.PALE),
          ("its products lie in shared memory", "grid.each/equal-threads(", drawing.ORANGE),
          ("the function", "the function", drawing.BLUE))


def read(lines):
    """{type: {matrix: {series: speed over cuSPARSE}}}, the greatest of each."""
    found, now, peer = {}, None, 0
    for line in lines:
        head, row = HEAD.match(line), LINE.match(line)
        if head:
            now, peer = found.setdefault(head[1], {}).setdefault(head[2], {}), min(float(head[3]), float(head[4]))
        elif row and now is not None:
            for label, plan, _ in SERIES:
                if plan in row[1]:
                    now[label] = max(now.get(label, 0), peer / float(row[2]))
    return found


def draw(axes, kind, matrices):
    width = 0.8 / len(SERIES)
    for i, (label, _, colour) in enumerate(SERIES):
        at = [k + (i - (len(SERIES) - 1) / 2) * width for k in range(len(matrices))]
        high = [m.get(label, 0) for m in matrices.values()]
        for x, h in zip(at, high):
            if h: axes.annotate(f"{h:.2f}", (x, h), ha="center", va="bottom", fontsize=7)
        axes.bar(at, high, width * 0.92, color=colour, label=label)
    axes.axhline(1, color=drawing.INK, linewidth=0.8, linestyle="--")
    axes.set_xticks(range(len(matrices)), list(matrices))
    axes.set_ylabel("speed over cuSPARSE")
    axes.set_title(f"{kind}s")
    axes.grid(True, axis="y", color=drawing.PALE, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.legend(loc="upper right", fontsize=8, frameon=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("record")
    parser.add_argument("-o", "--out")
    options = parser.parse_args()
    plt = drawing.pyplot(os.path.abspath(__file__))
    with open(options.record) as file:
        found = read(file)
    if not found:
        sys.exit(f"spmv_plot: no output of spmv.py in {options.record}")
    fig, axes = drawing.figure(plt, "Sparse matrix times vector, with and without the transposition in shared memory",
                               "over the faster algorithm of cuSPARSE", len(found))
    for at, (kind, matrices) in zip(axes, found.items()):
        draw(at, kind, matrices)
    drawing.save(plt, fig, options.out or os.path.splitext(options.record)[0] + ".svg")


if __name__ == "__main__":
    main()
