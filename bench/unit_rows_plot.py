#!/usr/bin/env python3
"""Draws segmented sums and scans of halves by a matrix unit, and by shuffles, as SVG with matplotlib: percent of the
memory's bandwidth by the length of segments, beside what is published of tensor cores.

    unit_rows_plot.py RECORD.txt [-o FILE.svg] [--peak 4800]      without -o: beside the record

RECORD begins with a table `kind segment copy us unit us ..' of 2^28 elements, as nvidia-h200's of 2026-11-26 does.
--peak: of the machine, GB/s. Published: Dakkak et al., "Accelerating reduction and scan using tensor core units", on a
V100: what the captions of Figures 10 and 12 say. The points of their curves are not published as numbers: so there is a
band, and none of Figures 11, 13 and 14.
"""
import argparse, os, re, sys

sys.dont_write_bytecode = True
import drawing

ELEMENTS, HALF, FLOAT = 1 << 28, 2, 4
# of the kind: its title, the published percents of 900 GB/s, from which exponent to which
KINDS = {"sum": ("Sums", (90, 98), (4, 24)), "scan": ("Scans", (89, 97), (4, 19))}
SERIES = (("matrix unit", "unit", drawing.ORANGE, "o"), ("shuffles", "shuffles", drawing.BLUE, "s"),
          ("copy of the same bytes", "copy", drawing.INK, ""))
ROW = re.compile(r"(sum|scan) +2\^(\d+) +([\d.]+) +([\d.]+) +\d+% +\S+ +([\d.]+) ")


def bytes_of(kind, exponent):
    """What is read, and written: a float for each segment, or for each element."""
    return ELEMENTS * HALF + FLOAT * (ELEMENTS if kind == "scan" else ELEMENTS >> exponent)


def read(lines, peak):
    """{kind: {series: [(exponent, percent of the peak)]}} of the first table; later ones are of other days."""
    found = {}
    for line in lines:
        match = ROW.match(line)
        if not match and found:
            break
        if not match:
            continue
        kind, exponent = match[1], int(match[2])
        for name, us in zip(("copy", "unit", "shuffles"), match.groups()[2:]):
            share = 100 * bytes_of(kind, exponent) / (float(us) * 1e3) / peak
            found.setdefault(kind, {}).setdefault(name, []).append((exponent, share))
    return found


def draw(plt, axes, kind, points):
    title, band, over = KINDS[kind]
    axes.fill_between(over, *[[p, p] for p in band], color=drawing.PALE, label="published, of a V100's peak (text)")
    for label, name, colour, mark in SERIES:
        axes.plot(*zip(*points[name]), color=colour, marker=mark, markersize=4, linewidth=1.4, label=label,
                  linestyle="-" if mark else "--")
    first, last = points["unit"][0][0], max(points["unit"][-1][0], over[1])
    axes.set_xlim(first - 0.3, last + 0.3)
    axes.set_ylim(0, 105)
    ticks = list(range(first, last + 1, 2))
    axes.set_xticks(ticks, [f"2^{k}" for k in ticks])
    axes.set_xlabel("elements per segment, 2^28 halves in all")
    axes.set_ylabel("% of the memory's bandwidth")
    axes.set_title(title)
    axes.grid(True, color=drawing.PALE, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.legend(loc="lower right", fontsize=8, frameon=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("record")
    parser.add_argument("-o", "--out")
    parser.add_argument("--peak", type=float, default=4800)
    options = parser.parse_args()
    plt = drawing.pyplot(os.path.abspath(__file__))
    with open(options.record) as file:
        found = read(file, options.peak)
    if not found:
        sys.exit(f"unit_rows_plot: no table of sums and scans in {options.record}")
    below = f"percent of {options.peak:g} GB/s"
    fig, axes = drawing.figure(plt, "Segmented sums and scans of halves", below, len(found))
    for at, (kind, points) in zip(axes, found.items()):
        draw(plt, at, kind, points)
    drawing.save(plt, fig, options.out or os.path.splitext(options.record)[0] + ".svg")


if __name__ == "__main__":
    main()
