"""What the plots are drawn with: texts, lines, and axes of ratios over sizes, in SVG.

A ratio is the speedup over a reference; both axes are logarithmic, in powers of two.
"""
import math
from xml.sax.saxutils import escape

WIDTH, LEFT, RIGHT, PLOT_HEIGHT = 980, 64, 24, 240
FONT, SMALL, LINE = 13, 11, 16
LOWEST = 0.25  # what is slower than that is named, not drawn
BLUE, ORANGE, GREEN, INK, GREY, PALE = "#1f5fa8", "#c8591b", "#3f7f3a", "#222222", "#777777", "#dddddd"


def width_of(text, size):
    """About how wide a text is, rather too wide than too narrow."""
    return 0.6 * size * len(text)


def text_at(x, y, text, size=FONT, colour=INK, anchor="start", kind="label"):
    return (f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}" '
            f'text-anchor="{anchor}">{escape(text)}</text>')


def dashed(dashes):
    return f' stroke-dasharray="{dashes}"' if dashes else ""


def line(x1, y1, x2, y2, colour, width=1, dashes=""):
    return (f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
            f'stroke="{colour}" stroke-width="{width}"{dashed(dashes)}/>')


class Axes:
    """A plot of ratios, its place from `top` on: `first` to `last` is what x shows, in powers of two; `ratios` are
    those that are to fit, if they are not below the scale."""

    def __init__(self, first, last, ratios, top):
        self.first, self.last, self.top, self.parts = first, last, top, []
        self.highest = 2.0
        while self.highest < max(ratios, default=1):
            self.highest *= 2

    def x_of(self, k):
        return LEFT + (k - self.first) / (self.last - self.first) * (WIDTH - LEFT - RIGHT)

    def y(self, ratio):
        part = math.log2(ratio / LOWEST) / math.log2(self.highest / LOWEST)
        return self.top + (1 - part) * PLOT_HEIGHT

    def add(self, *parts):
        self.parts += parts

    # ---- from top to bottom ----

    def head(self, title, named, reference):
        """The title; then what of the ratios of `named', [(name, ratios)], is below the scale."""
        self.top += FONT + 6
        self.add(text_at(LEFT, self.top - 4, title, FONT + 1))
        for name, ratios in named:
            below = [r for r in ratios if r < LOWEST]
            if below:
                self.note(f"below the scale at {len(below)} of {len(ratios)} sizes: {name}, "
                          f"{min(below):.2g}x to {max(below):.2g}x of {reference}")
        self.top += 8

    def note(self, text):
        self.top += LINE
        self.add(text_at(LEFT, self.top - 4, text, SMALL, GREY))

    def grid(self, ticks, sizes):
        """Lines for ratios; `ticks`: where on x is what, [(k, text)]; `sizes': the x axis's title."""
        ratio = LOWEST
        while ratio <= self.highest:
            y = self.y(ratio)
            self.add(line(LEFT, y, WIDTH - RIGHT, y, INK if ratio == 1 else PALE),
                     text_at(LEFT - 8, y + 4, f"{ratio:g}x", SMALL, GREY, "end"))
            ratio *= 2
        for k, text in ticks:
            x, y = self.x_of(k), self.top + PLOT_HEIGHT
            self.add(line(x, y, x, y + 4, GREY), text_at(x, y + 17, text, SMALL, GREY, "middle"))
        self.add(text_at(LEFT - 8, self.top - 8, "speedup", SMALL, GREY, "end"))
        if sizes:
            self.add(text_at((LEFT + WIDTH - RIGHT) / 2, self.top + PLOT_HEIGHT + 33, sizes, SMALL, GREY, "middle"))

    def powers(self):
        step = 2 if self.last - self.first > 12 else 1
        return [(k, f"2^{k}") for k in range(self.first, self.last + 1, step)]

    def shade(self, spread, colour):
        """The reference's own spread, about 1: [(k, ratio of its fastest, ratio of its slowest)]."""
        above = [f"{self.x_of(k):.1f},{self.y(min(self.highest, high)):.1f}" for k, high, _ in spread]
        below = [f"{self.x_of(k):.1f},{self.y(max(LOWEST, low)):.1f}" for k, _, low in spread]
        self.add(f'<polygon points="{" ".join(above + below[::-1])}" fill="{colour}" fill-opacity="0.15"/>')

    def point(self, k, ratio, colour, fill, said):
        self.add(f'<circle class="point" cx="{self.x_of(k):.1f}" cy="{self.y(ratio):.1f}" r="3" fill="{fill}" '
                 f'stroke="{colour}"><title>{escape(said)}</title></circle>')

    def line_through(self, points, colour, dashes):
        """[(k, ratio)]"""
        at = " ".join(f"{self.x_of(k):.1f},{self.y(ratio):.1f}" for k, ratio in points)
        self.add(f'<polyline points="{at}" fill="none" stroke="{colour}" stroke-width="1.6"{dashed(dashes)}/>')


def legend(series, top):
    """[(name, colour, dashes)] in rows; returns (parts, where it ends)."""
    parts, x = [], LEFT
    for name, colour, dashes in series:
        wide = 34 + width_of(name, SMALL) + 18
        if x + wide > WIDTH - RIGHT:
            x, top = LEFT, top + LINE
        parts += [line(x, top - 4, x + 28, top - 4, colour, 1.6, dashes), text_at(x + 34, top, name, SMALL)]
        x += wide
    return parts, top + 8


def heading(title, below):
    return [text_at(LEFT, 26, title, FONT + 3), text_at(LEFT, 44, below, SMALL, GREY)]


def page(parts, height):
    """The SVG's text."""
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:.0f}" '
            f'viewBox="0 0 {WIDTH} {height:.0f}" '
            'font-family="Helvetica, Arial, sans-serif">\n<rect width="100%" height="100%" fill="white"/>\n'
            + "\n".join(parts) + "\n</svg>\n")
