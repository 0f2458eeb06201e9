#!/usr/bin/env python3
"""Draws the results of arrays.py as SVG with matplotlib, a file for each kind of work: speedup over the fastest peer.

    arrays_plot.py ARRAYS.jsonl [-o DIR]      without -o: beside it, as ARRAYS-scan.svg and so on

The bound is what arrays_table.py takes for one. What was measured at fewer than three sizes is left to the table. The
file may be those of several runs, one behind the other: of a shape the last measurement counts.
"""
import argparse, os, re, sys

sys.dont_write_bytecode = True
import arrays_table, drawing
import record as records

# an SVG's name, its title, the spectra in it, the x axis's title
WORKS = (
    ("sum", "Sums", ("sum",), "elements"),
    ("scan", "Scans", ("inclusive_scan", "exclusive_scan"), "elements"),
    ("segmented-sum", "Segmented sums", ("segmented_sum",), "elements per segment, 2^28 in all"),
    ("segmented-scan", "Segmented scans", ("segmented_scan",), "elements per segment, 2^28 in all"),
    ("gemv", "Matrix-vector products", ("gemv",), "rows x columns"),
    ("vectors", "dot, axpy, vadd", ("dot", "axpy", "vadd"), "elements"),
    ("histogram", "Histograms of 256 bins", ("histogram",), "elements"),
)
# what arrays_table.Shapes calls it, its name, colour, line and mark; the first lies on top
SERIES = (
    ("ours", "function", drawing.ORANGE, "-", "o"),
    ("best", "best variant", drawing.BLUE, "-", "s"),
    ("bound", "bandwidth bound", drawing.INK, "--", ""),
)
FEWEST = 3  # points of a line


def programs_of(rows):
    """{(folder, type): its rows}"""
    programs = {}
    for row in rows:
        if row["kind"] != "run":
            programs.setdefault((row["folder"], row["type"]), []).append(row)
    return programs


def panels_of(programs, spectra):
    """[(title, shapes)] of the programs, {(folder, type): rows}, of these spectra: lines over powers of two."""
    found = []
    for (folder, kind), rows in programs.items():
        if not any(r["kind"] == "workload" and r["spectrum"] in spectra for r in rows):
            continue
        shapes = [s for s in arrays_table.Shapes(rows).all.values()
                  if s["rows"] and s["library"] and re.fullmatch(r"2\^\d+", s["shape"])]
        for group in dict.fromkeys(s["group"] for s in shapes):
            there = [s for s in shapes if s["group"] == group]
            said = f", {group}" if group and not group.endswith(" by") else ""
            if len(there) >= FEWEST:
                found.append((f"{folder} {kind}{said}", there))
    return found


def named(row, device):
    """A library with its version; records before 2026-11-25 have none: it is that of the toolkit."""
    old = {"cub": "CUB", "cub-fixed": "CUB fixed-size", "cub-segmented": "CUB segmented", "cublas": "cuBLAS"}
    name = old.get(row["name"], row["name"])
    if re.search(r"\d", name):
        return name
    runtime = device.get("runtime", 0)
    return f"{name} of CUDA {runtime // 1000}.{runtime % 1000 // 10}"


def peers(shapes, device):
    """Those that are the fastest anywhere, in words."""
    found = sorted({named(s["library"], device) for s in shapes})
    return found[0] if len(found) == 1 else f"the fastest of {', '.join(found[:-1])} and {found[-1]}"


def draw_panel(axes, title, shapes, device, what):
    sizes = [int(s["shape"][2:]) for s in shapes]
    lines, ratios = [], []
    for who, name, colour, line, mark in SERIES:
        points = [(k, s["library"]["us"] / s[who]["us"]) for k, s in zip(sizes, shapes) if s[who]]
        lines.append((name, colour, line, mark, points))
        ratios += [r for _, r in points]
    drawing.scale(axes, sizes, ratios, what)
    spread = [(s["library"]["us"] / s["library"]["high"], s["library"]["us"] / s["library"]["low"]) for s in shapes]
    low, high = axes.get_ylim()
    axes.fill_between(sizes, [max(low, a) for a, _ in spread], [min(high, b) for _, b in spread], color=drawing.GREY,
                      alpha=0.25, linewidth=0, label="spread of the library", zorder=1)
    for depth, (name, colour, line, mark, points) in enumerate(lines):
        if points:
            drawn, = axes.plot([k for k, _ in points], [r for _, r in points], color=colour, linestyle=line,
                               marker=mark or None, markersize=4, linewidth=1.5, label=name, zorder=5 - depth)
            drawn.set_gid(f"{name}: {title}")
    axes.set_title(f"{title}: 1x is {peers(shapes, device)}")


def drawings(plt, rows):
    """{work: figure} of what was measured, from rows as arrays.jsonl has them."""
    programs, device, date = programs_of(rows), {"name": "a GPU"}, ""
    for row in rows:
        date = row["date"] if row["kind"] == "run" else date
        device = row if row["kind"] == "device" else device
    found = {}
    for name, title, spectra, what in WORKS:
        panels = panels_of(programs, spectra)
        if not panels:
            continue
        fig, axes = drawing.figure(plt, f"{title} on {device['name']}: speedup over the fastest library",
                                   f"{date}{', ' if date else ''}time per call in a replayed CUDA graph, medians",
                                   len(panels))
        for at, (panel, shapes) in zip(axes, panels):
            draw_panel(at, panel, shapes, device, what)
        handles, labels = axes[0].get_legend_handles_labels()
        axes[0].legend(handles[1:] + handles[:1], labels[1:] + labels[:1], frameon=False, fontsize=8,
                       ncols=len(labels), loc="lower right", bbox_to_anchor=(1, 1.1))
        found[name] = fig
    return found


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
            rows = load(o.arrays)
            panels = [panels_of(programs_of(rows), spectra) for _, _, spectra, _ in WORKS]
            plt = drawing.pyplot(os.path.abspath(__file__)) if any(panels) else None
            figures = drawings(plt, rows) if plt else {}
        except KeyError as e:
            raise records.Unusable(f"`{o.arrays}' is none of arrays.py's: a row lacks {e}")
        except (AttributeError, ArithmeticError, TypeError, ValueError) as e:
            raise records.Unusable(f"`{o.arrays}' is none of arrays.py's: a row has a value of the wrong type: {e}")
        if not any(r["kind"] == "measurement" for r in rows):
            raise records.Unusable(f"in `{o.arrays}' nothing was measured")
        out = o.out or os.path.dirname(o.arrays) or "."
        os.makedirs(out, exist_ok=True)
        for name, fig in figures.items():
            drawing.save(plt, fig, os.path.join(out, f"{stem}-{name}.svg"))
    except (records.Unusable, OSError) as why:
        print(f"arrays_plot: {why}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
