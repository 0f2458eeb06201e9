#!/usr/bin/env python3
"""rows_table.py NAME RECORD..: a table of a spectrum of rows from the output of rows.py.

It has the fastest configuration at each number of columns. A row of the table ends there, since rows that are no longer
than a round of loads are held in registers; of several numbers within a tenth the first counts. Shapes in tables are in the other order: columns x
rows."""
import math
import re
import sys

HEAD = re.compile(r"^(\w+) (\d+)x(\d+): PyTorch")
LINE = re.compile(r"^  (\w+) (\d+) threads, (\d+) loads, (\d+) blocks ([\d.]+) \(")
TYPE = re.compile(r"^# .*; (\w+)$")


def measured(name, paths):
    """{type: {columns: (microseconds, variant, threads, loads, blocks, rows)}}: the fastest of each."""
    found, kind, at = {}, None, None
    for path in paths:
        with open(path, encoding="utf-8") as f:
            for line in f:
                of, head, x = TYPE.match(line), HEAD.match(line), LINE.match(line)
                if of:
                    kind = of.group(1)
                elif head:
                    rows, columns = int(head.group(2)), int(head.group(3))
                    best = found.setdefault(kind, {}) if head.group(1) == name else {}
                    at = columns if all(abs(math.log(columns / c)) > 0.1 for c in best) else None
                elif x and at:
                    row = float(x.group(5)), x.group(1), *map(int, x.group(2, 3, 4)), rows
                    best[at] = min(row, best.get(at, row))
    return found


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    print("# type  up_to        variant           threads  loads  blocks")
    for kind, best in measured(sys.argv[1], sys.argv[2:]).items():
        sizes = sorted(best)
        for columns, following in zip(sizes, sizes[1:] + [None]):
            us, variant, threads, loads, blocks, rows = best[columns]
            if following and best[following][1:5] == best[columns][1:5]:
                continue
            up_to = columns if following else "inf"
            print(f"{kind:7} {up_to!s:12} {variant:17} {threads:<8} {loads:<6} {blocks:<10} "
                  f"# at {columns}x{rows}: {us:.2f} us in a graph")


if __name__ == "__main__":
    main()
