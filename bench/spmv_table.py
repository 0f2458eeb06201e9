#!/usr/bin/env python3
"""spmv_table.py RECORD..: a table of spmv from the output of spmv.cu.

At each mean length of rows and number of rows it has the fastest configuration without atomics, or one that serves
another shape and is at most 2 % slower. Means within 15 % of each other are one. A row of the table ends at the
geometric mean of two shapes."""
import math
import re
import sys

HEAD = re.compile(r"^(float|double) (\S+): (\d+) rows, (\d+) elements, ")
LINE = re.compile(r"^  (\w{8}), (\d+) threads, (\d+) loads, (\d+) blocks, (\d+) longest, (\w+), .*: ([\d.]+) us, .*of the bound$")
DEVICE = re.compile(r"^# (.*)$")
NEAR, AS_GOOD = 0.14, 1.02


def measured(paths):
    """(device, {type: {(mean, rows): {(variant, threads, loads, blocks, longest): microseconds}}}), without WRONG results."""
    device, found, times = "", {}, {}
    for path in paths:
        with open(path, encoding="utf-8") as f:
            for line in f:
                head, x = HEAD.match(line), LINE.match(line)
                if head:
                    rows, elements = int(head.group(3)), int(head.group(4))
                    times = found.setdefault(head.group(1), {}).setdefault((max(1, elements // rows), rows), {})
                elif x and x.group(6) != "not_guaranteed":
                    row = (x.group(1), *map(int, x.group(2, 3, 4, 5)))
                    times[row] = min(float(x.group(7)), times.get(row, math.inf))
                elif DEVICE.match(line):
                    device = DEVICE.match(line).group(1)
    return device, found


def bands(shapes):
    """[(mean, [rows])] in ascending order: near means are one."""
    made = []
    for mean, rows in sorted(shapes):
        if not made or math.log(mean / made[-1][0]) > NEAR:
            made.append((mean, []))
        made[-1][1].append((rows, mean))
    return [(mean, sorted(each)) for mean, each in made]


def chosen(times, used):
    best = min(times, key=times.get)
    again = [r for r in times if r[:3] in used and times[r] <= AS_GOOD * times[best]]
    return min(again, key=times.get) if again else best


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    device, found = measured(sys.argv[1:])
    print(f"# spmv by offsets, measured on {device}\n# type  up_to        variant           threads  loads  blocks")
    for kind, shapes in found.items():
        shapes = {s: t for s, t in shapes.items() if t}
        used, every = set(), bands(shapes)
        for (mean, each), following in zip(every, every[1:] + [None]):
            up_to = math.isqrt(mean * following[0]) if following else "inf"
            for (rows, own), more in zip(each, each[1:] + [None]):
                times = shapes[own, rows]
                row = chosen(times, used)
                used.add(row[:3])
                size = f"{up_to}x{math.isqrt(rows * more[0])}" if more else str(up_to)
                variant, threads, loads, blocks, longest = row
                bound = f"longest={longest} " if longest else ""
                print(f"{kind:7} {size:12} {variant:17} {threads:<8} {loads:<6} {blocks:<9} {bound}"
                      f"# at {own}x{rows}: {times[row]:.2f} us in a graph")


if __name__ == "__main__":
    main()
