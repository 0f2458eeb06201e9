#!/usr/bin/env python3
"""Draws a record as SVG, in the manner of CGO Fig. 7: speed-up over CUB by size, the chosen variant along the bottom.

    plot.py RECORD.json [-o FILE.svg]      without -o: beside the record

Colour is the way to call, the line's style the library. A point says its figures when the mouse rests on it.
"""
import argparse, math, os, sys
from xml.sax.saxutils import escape

sys.dont_write_bytecode = True
import record as records

WIDTH, LEFT, RIGHT, PLOT_HEIGHT = 980, 64, 24, 240
FONT, SMALL, LINE = 13, 11, 16
LOWEST = 0.25  # what is slower than that is named, not drawn
BLUE, ORANGE, INK, GREY, PALE = "#1f5fa8", "#c8591b", "#222222", "#777777", "#dddddd"
# contender, mode, its name, colour, dashes
SERIES = (
    ("ours", "graph", "ours, in a graph", BLUE, ""),
    ("ours", "stream", "ours, by stream", ORANGE, ""),
    ("torch", "graph", "torch.sum, in a graph", BLUE, "7 4"),
    ("torch", "stream", "torch.sum, by stream", ORANGE, "7 4"),
    ("thrust", "stream", "thrust::reduce", ORANGE, "2 4"),
)
STRIP = ("#c9d9ec", "#f3dcc8", "#d5e8d0", "#e4d6ea")  # the chosen variants' ranges, in turn


def width_of(text, size):
    """About how wide a text is, rather too wide than too narrow."""
    return 0.6 * size * len(text)


def text_at(x, y, text, size=FONT, colour=INK, anchor="start", kind="label"):
    return (f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}" '
            f'text-anchor="{anchor}">{escape(text)}</text>')


def line(x1, y1, x2, y2, colour, width=1, dashes=""):
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
            f'stroke="{colour}" stroke-width="{width}"{dash}/>')


class Panel:
    """One element type: its scales, and its place from `top` on."""

    def __init__(self, record, kind, top):
        self.record, self.kind, self.top, self.parts = record, kind, top, []
        self.cases = record.cases(kind)
        sizes = [math.log2(n) for n, _ in self.cases if n > 0]
        self.first, self.last = math.floor(min(sizes)), max(math.ceil(max(sizes)), math.floor(min(sizes)) + 1)
        self.highest = 2.0
        ratios = [r for c in self.cases for s in SERIES if (r := record.speed_up(kind, c, s[1], s[0]))]
        while self.highest < max(ratios, default=1):
            self.highest *= 2

    def x(self, n):
        return LEFT + (math.log2(n) - self.first) / (self.last - self.first) * (WIDTH - LEFT - RIGHT)

    def y(self, ratio):
        part = math.log2(ratio / LOWEST) / math.log2(self.highest / LOWEST)
        return self.top + (1 - part) * PLOT_HEIGHT

    def add(self, *parts):
        self.parts += parts

    # ---- from top to bottom ----

    def title(self):
        self.top += FONT + 6
        self.add(text_at(LEFT, self.top - 4, self.kind, FONT + 1))
        for contender, mode, name, _, _ in SERIES:
            ratios = [r for c in self.cases if (r := self.record.speed_up(self.kind, c, mode, contender))]
            below = [r for r in ratios if r < LOWEST]
            if not below:
                continue
            self.top += LINE
            self.add(text_at(LEFT, self.top - 4, f"below the scale at {len(below)} of {len(ratios)} sizes: {name}, "
                             f"{min(below):.2g} to {max(below):.2g} times CUB", SMALL, GREY))
        self.top += 8

    def grid(self):
        ratio = LOWEST
        while ratio <= self.highest:
            y = self.y(ratio)
            self.add(line(LEFT, y, WIDTH - RIGHT, y, INK if ratio == 1 else PALE),
                     text_at(LEFT - 8, y + 4, f"{ratio:g}x", SMALL, GREY, "end"))
            ratio *= 2
        step = 2 if self.last - self.first > 12 else 1
        for k in range(self.first, self.last + 1, step):
            x, y = self.x(2 ** k), self.top + PLOT_HEIGHT
            self.add(line(x, y, x, y + 4, GREY), text_at(x, y + 17, f"2^{k}", SMALL, GREY, "middle"))

    def noise(self, mode, colour):
        """CUB's own spread, about 1."""
        above, below = [], []
        for n, offset in self.cases:
            cub = self.record.rival(self.kind, (n, offset), mode)
            if cub and offset == 0:
                above.append(f"{self.x(n):.1f},{self.y(min(self.highest, cub['us'] / cub['low'])):.1f}")
                below.append(f"{self.x(n):.1f},{self.y(max(LOWEST, cub['us'] / cub['high'])):.1f}")
        self.add(f'<polygon points="{" ".join(above + below[::-1])}" fill="{colour}" fill-opacity="0.15"/>')

    def series(self, contender, mode, name, colour, dashes):
        points = []
        for n, offset in self.cases:
            ratio = self.record.speed_up(self.kind, (n, offset), mode, contender)
            if ratio is None or ratio < LOWEST:
                continue
            us = self.record.row(self.kind, (n, offset), mode, contender)["us"]
            x, y = self.x(n), self.y(ratio)
            if offset == 0:
                points.append(f"{x:.1f},{y:.1f}")
            fill = "white" if offset else colour
            self.add(f'<circle class="point" cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{fill}" stroke="{colour}"><title>'
                     f'{escape(name)}, {self.kind}, {records.power(n)}: {ratio:.2f}x, {us:.2f} us</title></circle>')
        dash = f' stroke-dasharray="{dashes}"' if dashes else ""
        self.add(f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" stroke-width="1.6"{dash}/>')

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
        self.title()
        self.grid()
        self.noise("graph", BLUE)
        self.noise("stream", ORANGE)
        for series in SERIES:
            self.series(*series)
        return self.winners() + 22


def legend(record, top):
    """The series that there are, in rows; returns (parts, where it ends)."""
    parts, x = [], LEFT
    there = {(r["contender"], r["mode"]) for r in record.data["measurements"]}
    for contender, mode, name, colour, dashes in SERIES:
        if (contender, mode) not in there:
            continue
        wide = 34 + width_of(name, SMALL) + 18
        if x + wide > WIDTH - RIGHT:
            x, top = LEFT, top + LINE
        parts += [line(x, top - 4, x + 28, top - 4, colour, 1.6, dashes), text_at(x + 34, top, name, SMALL)]
        x += wide
    return parts, top + 8


def draw(record):
    """The SVG's text."""
    data = record.data
    title = f"{data['spectrum']} on {data['device']['name']}: how many times as fast as CUB"
    below = (f"{data['date']}; sizes in elements; the shade about 1x is CUB's own spread; "
             "hollow points: odd, misaligned sizes")
    parts = [text_at(LEFT, 26, title, FONT + 3), text_at(LEFT, 44, below, SMALL, GREY)]
    more, top = legend(record, 64)
    parts += more
    for kind in record.types():
        panel = Panel(record, kind, top + 8)
        top = panel.draw()
        parts += panel.parts
    for note in data.get("notes", []):
        parts.append(text_at(LEFT, top, note, SMALL, GREY))
        top += LINE
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{top:.0f}" '
            f'viewBox="0 0 {WIDTH} {top:.0f}" '
            'font-family="Helvetica, Arial, sans-serif">\n<rect width="100%" height="100%" fill="white"/>\n'
            + "\n".join(parts) + "\n</svg>\n")


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
