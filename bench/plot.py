#!/usr/bin/env python3
"""Draws a record as SVG, in the manner of CGO Fig. 7: speed-up over CUB by size, the chosen variant along the bottom.

    plot.py RECORD.json [-o FILE.svg]      without -o: beside the record

Colour is the way to call, the line's style the library. A point says its figures when the mouse rests on it.
"""
import argparse, math, os, sys

sys.dont_write_bytecode = True
import record as records
from drawing import (BLUE, FONT, GREY, INK, LEFT, LINE, LOWEST, ORANGE, PLOT_HEIGHT, RIGHT, SMALL, WIDTH, Axes, heading,
                     legend, line, page, text_at, width_of)

# contender, mode, its name, colour, dashes
SERIES = (
    ("ours", "graph", "ours, in a graph", BLUE, ""),
    ("ours", "stream", "ours, by stream", ORANGE, ""),
    ("torch", "graph", "torch.sum, in a graph", BLUE, "7 4"),
    ("torch", "stream", "torch.sum, by stream", ORANGE, "7 4"),
    ("thrust", "stream", "thrust::reduce", ORANGE, "2 4"),
)
STRIP = ("#c9d9ec", "#f3dcc8", "#d5e8d0", "#e4d6ea")  # the chosen variants' ranges, in turn


class Panel(Axes):
    """One element type: its scales, and its place from `top` on."""

    def __init__(self, record, kind, top):
        self.record, self.kind = record, kind
        self.cases = record.cases(kind)
        sizes = [math.log2(n) for n, _ in self.cases if n > 0]
        first = math.floor(min(sizes))
        ratios = [r for _, found in self.ratios() for r in found]
        super().__init__(first, max(math.ceil(max(sizes)), first + 1), ratios, top)

    def ratios(self):
        """[(a series' name, its ratios)]"""
        return [(name, [r for c in self.cases if (r := self.record.speed_up(self.kind, c, mode, contender))])
                for contender, mode, name, _, _ in SERIES]

    def x(self, n):
        return self.x_of(math.log2(n))

    # ---- from top to bottom ----

    def noise(self, mode, colour):
        """CUB's own spread, about 1."""
        rivals = [(math.log2(n), self.record.rival(self.kind, (n, offset), mode)) for n, offset in self.cases
                  if offset == 0]
        self.shade([(k, cub["us"] / cub["low"], cub["us"] / cub["high"]) for k, cub in rivals if cub], colour)

    def series(self, contender, mode, name, colour, dashes):
        points = []
        for n, offset in self.cases:
            ratio = self.record.speed_up(self.kind, (n, offset), mode, contender)
            if ratio is None or ratio < LOWEST:
                continue
            us = self.record.row(self.kind, (n, offset), mode, contender)["us"]
            if offset == 0:
                points.append((math.log2(n), ratio))
            self.point(math.log2(n), ratio, colour, "white" if offset else colour,
                       f"{name}, {self.kind}, {records.power(n)}: {ratio:.2f}x, {us:.2f} us")
        self.line_through(points, colour, dashes)

    def ranges(self):
        """The chosen variants: (its row of the dispatch, from which size, to which size), neighbours merged."""
        found = []
        for n, offset in self.cases:
            row = self.record.chosen(self.kind, n)
            if offset or not row:
                continue
            if found and found[-1][0]["variant"] == row["variant"]:
                found[-1][2] = n
            else:
                found.append([row, n, n])
        return found

    def winners(self):
        """A strip by size; names inside where they fit, else in rows below, none over another."""
        strip, rows = self.top + PLOT_HEIGHT + 26, []
        found = self.ranges()
        ends = [LEFT] + [(self.x(a[2]) + self.x(b[1])) / 2 for a, b in zip(found, found[1:])] + [WIDTH - RIGHT]
        for i, (row, _, _) in enumerate(found):
            left, right = ends[i], ends[i + 1]
            name = f"{row['variant']} {self.record.words(row['variant'])}"
            self.add(f'<rect x="{left:.1f}" y="{strip:.1f}" width="{right - left:.1f}" height="18" '
                     f'fill="{STRIP[i % len(STRIP)]}"/>')
            middle, wide = (left + right) / 2, width_of(name, SMALL)
            if wide < right - left - 6:
                self.add(text_at(middle, strip + 13, name, SMALL, INK, "middle"))
                continue
            at = min(max(middle, LEFT + wide / 2), WIDTH - RIGHT - wide / 2)
            level = next((k for k, end in enumerate(rows) if end + 8 < at - wide / 2), len(rows))
            rows[level:level + 1] = [at + wide / 2]
            y = strip + 18 + LINE * (level + 1)
            self.add(line(middle, strip + 18, middle, strip + 22, GREY), text_at(at, y, name, SMALL, INK, "middle"))
        return strip + 18 + LINE * len(rows) if found else self.top + PLOT_HEIGHT + 22

    def draw(self):
        """The panel; returns where the next one may begin."""
        self.head(self.kind, self.ratios(), "CUB")
        self.grid(self.powers(), "")
        self.noise("graph", BLUE)
        self.noise("stream", ORANGE)
        for series in SERIES:
            self.series(*series)
        return self.winners() + 22


def draw(record):
    """The SVG's text."""
    data = record.data
    parts = heading(f"{data['spectrum']} on {data['device']['name']}: speedup over CUB",
                    f"{data['date']}; by number of elements; the shade about 1x is CUB's own spread; "
                    "hollow points: odd, misaligned sizes")
    there = {(r["contender"], r["mode"]) for r in data["measurements"]}
    more, top = legend([s[2:] for s in SERIES if s[:2] in there], 64)
    parts += more
    for kind in record.types():
        panel = Panel(record, kind, top + 8)
        top = panel.draw()
        parts += panel.parts
    for note in data.get("notes", []):
        parts.append(text_at(LEFT, top, note, SMALL, GREY))
        top += LINE
    return page(parts, top)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("record")
    arguments.add_argument("-o", "--out")
    o = arguments.parse_args()
    out = o.out or os.path.splitext(o.record)[0] + ".svg"
    try:
        drawn = draw(records.load(o.record))
        records.write_all(os.path.dirname(out) or ".", {os.path.basename(out): drawn})
    except records.Unusable as why:
        print(f"plot: {why}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
