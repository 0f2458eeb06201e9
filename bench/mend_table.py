#!/usr/bin/env python3
"""Puts into a table of ranges what a record of arrays.py found to be faster than the public function by more than 3%.

    mend_table.py TABLE ARRAYS.jsonl [-o FILE]      without -o: prints the table

TABLE is one that the function was served by when it was measured (tables/MACHINE/NAME.table, or TGC_TABLE). Of each
recorded shape the row that serves it gets the best variant of the record; other rows stay as they are. A row that
serves several recorded shapes gets the variant that makes the worst of these the least slow.
"""
import argparse, re, sys

sys.dont_write_bytecode = True
import arrays_table, arrays_plot
from record import Unusable

SLOWER = 1.03  # what is within this of the best stays


def row_of(lines, kind, each, count):
    """The index of the line that serves so many elements each, of so many parts; None: there is none."""
    for i, line in enumerate(lines):
        words = line.split()
        if len(words) < 6 or words[0] != kind:
            continue
        up_to, _, parts = words[1].partition("x")
        if each <= (float("inf") if up_to == "inf" else int(up_to)) and (not parts or count <= int(parts)):
            return i
    return None


def mended(text, programs, spectrum):
    """The table's text with other rows, and what was changed: [(kind, shape, from us, to us)]."""
    lines, changes, shapes_of_row = text.splitlines(), [], {}
    for (_, kind), rows in programs.items():
        if not any(r["kind"] == "workload" and r["spectrum"] == spectrum for r in rows):
            continue
        for s in arrays_table.Shapes(rows).all.values():
            i = row_of(lines, kind, s["key"], s["n"] // s["key"]) if s["in_table"] else None
            if i is not None and s["best"]:
                shapes_of_row.setdefault(i, []).append((kind, s))
    for i, found in shapes_of_row.items():
        slow = [(kind, s) for kind, s in found
                if (s["ours"]["us"] if s["ours"] else float("inf")) > SLOWER * s["best"]["us"]]
        if not slow:
            continue
        best, worst = None, float("inf")
        for _, s in found:  # a candidate has to be known at every shape of the row
            for v in s["variants"]:
                rivals = [next((o for o in t["variants"] if arrays_table.same(o, v)), None) for _, t in found]
                if all(rivals):
                    loss = max(r["us"] / t["best"]["us"] for r, (_, t) in zip(rivals, found))
                    if loss < worst:
                        best, worst = v, loss
        before = max(((s["ours"]["us"] if s["ours"] else float("inf")) / s["best"]["us"]) for _, s in found)
        if best is None or worst * SLOWER > before:
            continue
        kind, s = slow[-1]
        at = f"{s['key']}x{s['n'] // s['key']}" if s["key"] != s["n"] else str(s["n"])
        us = next(o for o in s["variants"] if arrays_table.same(o, best))["us"]
        words = lines[i].split()
        lines[i] = (f"{kind:<7} {words[1]:<12} {best['id']:<17} {best['threads']:<8} {best['loads']:<6} "
                    f"{best['blocks']:<7} # at {at}: {us:.2f} us in a graph")
        changes.append((kind, at, s["ours"]["us"] if s["ours"] else None, us))
    return "\n".join(lines) + "\n", changes


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("table")
    p.add_argument("arrays")
    p.add_argument("-o", "--out")
    o = p.parse_args()
    try:
        with open(o.table, encoding="utf-8") as f:
            text = f.read()
        found = re.match(r"# (\w+), measured", text)
        if not found:
            raise Unusable(f"`{o.table}' is no table that was measured")
        text, changes = mended(text, arrays_plot.programs_of(arrays_plot.load(o.arrays)), found[1])
        for kind, at, before, after in changes:
            was = f"{before:.2f} us" if before else "refused"
            print(f"{found[1]} {kind} {at}: {was}, now {after:.2f} us", file=sys.stderr)
        if o.out:
            with open(o.out, "w", encoding="utf-8") as f:
                f.write(text)
        else:
            print(text, end="")
    except (Unusable, OSError) as why:
        print(f"mend_table: {why}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
