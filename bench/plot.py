#!/usr/bin/env python3
"""Draws a record of `tgc bench' as SVG with matplotlib: speedup over CUB by size, the chosen variants along the bottom.

    plot.py RECORD.json [-o FILE.svg]      without -o: beside the record

Colour is the way to call, the line's style the library. Hollow points are odd, misaligned sizes.
"""
import argparse, math, os, sys

sys.dont_write_bytecode = True
import drawing
import record as records

# contender, mode, its name, colour, line; the first lies on top
SERIES = (
    ("ours", "graph", "function, in a graph", drawing.BLUE, "-"),
    ("ours", "stream", "function, by stream", drawing.ORANGE, "-"),
    ("torch", "graph", "torch.sum, in a graph", drawing.BLUE, "--"),
    ("torch", "stream", "torch.sum, by stream", drawing.ORANGE, "--"),
    ("thrust", "stream", "thrust::reduce", drawing.ORANGE, ":"),
)
STRIP = ("#c9d9ec", "#f3dcc8", "#d5e8d0", "#e4d6ea")  # the chosen variants' ranges, in turn


def points_of(record, kind, contender, mode):
    """[(exponent of two, speedup, whether the size is odd)]"""
    return [(math.log2(n), ratio, offset != 0) for n, offset in record.cases(kind)
            if n > 0 and (ratio := record.speed_up(kind, (n, offset), mode, contender))]


def ranges(record, kind):
    """The chosen variants: [its row of the dispatch, from which size, to which size], neighbours merged."""
    found = []
    for n, offset in record.cases(kind):
        row = record.chosen(kind, n)
        if offset or not row or n <= 0:
            continue
        if found and found[-1][0]["variant"] == row["variant"]:
            found[-1][2] = n
        else:
            found.append([row, n, n])
    return found


def draw_winners(axes, record, kind):
    """A strip below the x axis's title: a number for each range, and what the numbers mean."""
    found = ranges(record, kind)
    first, last = axes.get_xlim()
    ends = [first] + [math.log2(a[2] * b[1]) / 2 for a, b in zip(found, found[1:])] + [last]
    place = axes.get_xaxis_transform()
    names = {}
    for i, (row, _, _) in enumerate(found):
        number = names.setdefault(row["variant"], len(names) + 1)
        axes.axvspan(ends[i], ends[i + 1], ymin=-0.26, ymax=-0.2, color=STRIP[i % len(STRIP)], clip_on=False)
        axes.text((ends[i] + ends[i + 1]) / 2, -0.23, str(number), transform=place, ha="center", va="center",
                  fontsize=7)
    words = [f"{number} {variant} {record.words(variant)}" for variant, number in names.items()]
    for line, at in enumerate(range(0, len(words), 4)):
        said = ("variants: " if at == 0 else "") + "; ".join(words[at:at + 4])
        axes.text(0, -0.31 - 0.055 * line, said, transform=axes.transAxes, fontsize=7, va="center", color=drawing.GREY)


def draw_panel(axes, record, kind):
    lines = [(s, points_of(record, kind, *s[:2])) for s in SERIES]
    drawing.scale(axes, [k for _, points in lines for k, _, _ in points] or [0, 1],
                  [r for _, points in lines for _, r, _ in points], "elements")
    for depth, ((_, _, name, colour, line), points) in enumerate(lines):
        even = [(k, r) for k, r, odd in points if not odd]
        if not points:
            continue
        drawn, = axes.plot([k for k, _ in even], [r for _, r in even], color=colour, linestyle=line, marker="o",
                           markersize=3.5, linewidth=1.4, label=name, zorder=9 - depth)
        drawn.set_gid(f"{name}: {kind}")
        hollow, = axes.plot([k for k, _, odd in points if odd], [r for _, r, odd in points if odd], color=colour,
                            linestyle="", marker="o", markersize=3.5, markerfacecolor="white", zorder=9 - depth)
        hollow.set_gid(f"odd sizes, {name}: {kind}")
    axes.set_title(kind)
    draw_winners(axes, record, kind)


def draw(plt, record):
    """The figure of a record."""
    data = record.data
    device = data["device"]
    fig, axes = drawing.figure(plt, f"{data['spectrum']} on {device['name']}: speedup over {record.peer()}",
                               f"{data['date']}, medians; hollow points: odd, misaligned sizes",
                               len(record.types()), 4.1, 1.35)
    for at, kind in zip(axes, record.types()):
        draw_panel(at, record, kind)
    handles, labels = axes[0].get_legend_handles_labels()
    axes[0].legend(handles, labels, frameon=False, fontsize=7.5, ncols=len(labels), loc="lower right",
                   bbox_to_anchor=(1, 1.0))
    return fig


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("record")
    arguments.add_argument("-o", "--out")
    o = arguments.parse_args()
    out = o.out or os.path.splitext(o.record)[0] + ".svg"
    try:
        record = records.load(o.record)
        plt = drawing.pyplot(os.path.abspath(__file__))
        drawing.save(plt, draw(plt, record), out)
    except (records.Unusable, OSError) as why:
        print(f"plot: {why}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
