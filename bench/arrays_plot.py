#!/usr/bin/env python3
"""Draws the results of arrays.py as SVG, one for each kind of work, by shape: speedup over the fastest library.

    arrays_plot.py ARRAYS.jsonl [-o DIR]      without -o: beside it, as ARRAYS-scan.svg and so on

The bound is what arrays_table.py takes for one. A point says its figures when the mouse rests on it. The file may be
those of several runs, one behind the other: of a shape the last measurement counts.
"""
import argparse, os, re, sys

sys.dont_write_bytecode = True
import arrays_table
import record as records
from drawing import BLUE, GREEN, GREY, INK, LOWEST, ORANGE, PLOT_HEIGHT, Axes, heading, legend, page

# an SVG's name, its title, the spectra in it, the x axis's title
WORKS = (
    ("scan", "Scans", ("inclusive_scan", "exclusive_scan"), "elements"),
    ("segmented-sum", "Segmented sums", ("segmented_sum",), "elements per segment, 2^28 in all"),
    ("segmented-scan", "Segmented scans", ("segmented_scan",), "elements per segment, 2^28 in all"),
    ("gemv", "Matrix-vector products", ("gemv",), "rows x columns"),
    ("vectors", "dot, axpy, vadd", ("dot", "axpy", "vadd"), "elements"),
    ("histogram", "Histograms of 256 bins", ("histogram",), "elements"),
)
# what arrays_table.Shapes calls it, its name, colour, dashes
SERIES = (
    ("ours", "public function", ORANGE, ""),
    ("best", "best variant", BLUE, ""),
    ("bound", "bandwidth bound", INK, "7 4"),
    ("copy", "copy of as many bytes", GREY, "2 4"),
)
DASHES = ("7 4", "2 4", "10 3 2 3")  # of libraries that are not the fastest, in turn


class Panel(Axes):
    """What a folder's programs of one type measured on one group of shapes."""

    def __init__(self, title, shapes, top, sizes):
        self.title, self.shapes, self.sizes = title, shapes, sizes
        powers = [re.fullmatch(r"2\^(\d+)", s["shape"]) for s in shapes]
        self.by_size = all(powers)
        self.at = [int(p[1]) for p in powers] if self.by_size else [i + 0.5 for i in range(len(shapes))]
        first = min(self.at) if self.by_size else 0
        last = max(max(self.at), first + 1) if self.by_size else len(shapes)
        super().__init__(first, last, [r for _, found in self.ratios() for r in found], top)

    def series(self):
        """SERIES, without a copy that is the bound, and the libraries that are not always the fastest."""
        for who, name, colour, dashes in SERIES:
            if who != "copy" or any(s["copy"] is not s["bound"] for s in self.shapes):
                yield name, colour, dashes, [s[who] for s in self.shapes]
        names = {r["name"] for s in self.shapes for r in s["rows"] if r["role"] == "library"}
        if len(names) > 1:
            for name, dashes in zip(sorted(names), DASHES):
                yield name, GREEN, dashes, [next((r for r in s["rows"] if r["name"] == name), None)
                                            for s in self.shapes]

    @staticmethod
    def ratio(shape, row):
        return shape["library"]["us"] / row["us"] if shape["library"] and row else None

    def ratios(self):
        """[(a series' name, its ratios)]"""
        return [(name, [r for s, row in zip(self.shapes, rows) if (r := self.ratio(s, row))])
                for name, _, _, rows in self.series()]

    def spread(self):
        """The fastest library's own, about 1."""
        libraries = [(k, s["library"]) for k, s in zip(self.at, self.shapes)]
        self.shade([(k, r["us"] / r["low"], r["us"] / r["high"]) for k, r in libraries if r], BLUE)

    def draw_series(self, name, colour, dashes, rows):
        """Points, and lines between those of neighbouring sizes."""
        runs = [[]]
        for k, s, row in zip(self.at, self.shapes, rows):
            ratio = self.ratio(s, row)
            if ratio is None or ratio < LOWEST:
                runs.append([])
                continue
            runs[-1].append((k, ratio))
            who = f"{name} {arrays_table.configured(row)}" if "id" in row else name
            speed = (s["read"] + s["written"]) / row["us"] / 1e6
            self.point(k, ratio, colour, colour, f"{who}, {self.title}, {s['shape']}: {ratio:.2f}x, "
                       f"{row['us']:.2f} us, {speed:.2f} TB/s")
        for run in runs if self.by_size else []:
            if len(run) > 1:
                self.line_through(run, colour, dashes)

    def draw(self):
        """The panel; returns where the next one may begin."""
        self.head(self.title, self.ratios(), "the fastest library")
        dropped = [s["shape"] for s in self.shapes if s["dropped"]]
        if dropped:
            self.note(f"dropped as too slow at {len(dropped)} of {len(self.shapes)} sizes, {dropped[0]} to "
                      f"{dropped[-1]}: public function")
        ticks = self.powers() if self.by_size else [(k, s["shape"]) for k, s in zip(self.at, self.shapes)]
        self.grid(ticks, self.sizes)
        if self.by_size:
            self.spread()
        for series in reversed(list(self.series())):
            self.draw_series(*series)
        return self.top + PLOT_HEIGHT + 48


def panels_of(programs, spectra):
    """[(title, shapes)] of the programs, {(folder, type): rows}, of these spectra."""
    found = []
    for (folder, kind), rows in programs.items():
        if not any(r["kind"] == "workload" and r["spectrum"] in spectra for r in rows):
            continue
        shapes = [s for s in arrays_table.Shapes(rows).all.values() if s["rows"]]
        for group in dict.fromkeys(s["group"] for s in shapes):
            there = [s for s in shapes if s["group"] == group]
            said = f", {group}" if group and not group.endswith(" by") else ""
            found.append((f"{folder} {kind}{said}", there))
    return found


def draw(title, below, panels, sizes):
    """The SVG's text; `sizes' is the x axis's title."""
    parts, drawn, series, top = heading(title, below), [], {}, 64
    for name, colour, dashes, rows in (s for p in panels for s in Panel(*p, 0, sizes).series()):
        if any(rows):
            series[name, colour, dashes] = None
    more, top = legend(list(series), top)
    for panel in panels:
        p = Panel(*panel, top + 8, sizes)
        top = p.draw()
        drawn += p.parts
    return page(parts + more + drawn, top)


def drawings(rows):
    """{work: SVG} of what was measured, from rows as arrays.jsonl has them."""
    programs, device, date = {}, "a GPU", ""
    for row in rows:
        if row["kind"] == "run":
            date = row["date"] + (f", CUB {row['cub']}" if row.get("cub") else "") + "; "
            continue
        programs.setdefault((row["folder"], row["type"]), []).append(row)
        device = row["name"] if row["kind"] == "device" else device
    texts = {}
    for name, title, spectra, sizes in WORKS:
        panels = panels_of(programs, spectra)
        if panels:
            below = f"{date}in a replayed graph; the shade about 1x is the library's own spread"
            texts[name] = draw(f"{title} on {device}: speedup over the fastest library", below, panels, sizes)
    return texts


def load(path):
    """The rows of a file."""
    try:
        with open(path, encoding="utf-8") as f:
            rows = [records.parse_json(line) for line in f]
    except OSError as e:
        raise records.Unusable(f"cannot read `{path}': {e.strerror}")
    except ValueError as e:
        raise records.Unusable(f"`{path}' is no JSON a line: {e}")
    if not all(isinstance(r, dict) and "kind" in r and (r["kind"] == "run" or {"folder", "type"} <= set(r))
               for r in rows):
        raise records.Unusable(f"`{path}' is none of arrays.py's: rows have a kind, a folder and a type")
    return rows


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("arrays")
    arguments.add_argument("-o", "--out", help="a folder")
    o = arguments.parse_args()
    stem = os.path.splitext(os.path.basename(o.arrays))[0]
    try:
        try:
            texts = drawings(load(o.arrays))
        except KeyError as e:
            raise records.Unusable(f"`{o.arrays}' is none of arrays.py's: a row lacks {e}")
        except (AttributeError, ArithmeticError, TypeError, ValueError) as e:
            raise records.Unusable(f"`{o.arrays}' is none of arrays.py's: a row has a value of the wrong type: {e}")
        if not texts:
            raise records.Unusable(f"in `{o.arrays}' nothing was measured")
        records.write_all(o.out or os.path.dirname(o.arrays) or ".",
                          {f"{stem}-{name}.svg": text for name, text in texts.items()})
    except records.Unusable as why:
        print(f"arrays_plot: {why}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
