#!/usr/bin/env python3
"""gemm_table.py RECORD [MOST]: a table of gemm from what gemm.cu printed: for each type and square size the fastest that was right,
of the few configurations (MOST, 4 unless given) that together lose least: each one is compiled. Rows end in the geometric middle
between two sizes, since a table goes by the elements of A."""
import itertools
import math
import re
import sys

HEAD = re.compile(r"^(\w+) (\d+)x(\d+)x(\d+), 0 between rows")
LINE = re.compile(r"^  (\w+), (\d+) threads by (\d+), (\d+)x(\d+)x(\d+): ([\d.]+) us, .*differs by \S+$")


def measured(path):
    """{type: {n: {row: microseconds}}}; lines of WRONG results do not match."""
    found, at = {}, None
    with open(path, encoding="utf-8") as f:
        for line in f:
            head, x = HEAD.match(line), LINE.match(line)
            if head:
                n = set(head.group(2, 3, 4))
                at = (head.group(1), int(n.pop())) if len(n) == 1 else None
            elif line[:1] != " ":
                at = None
            elif x and at:
                threads, lanes, m, n, k = map(int, x.group(2, 3, 4, 5, 6))
                row = x.group(1), threads, f"lanes={lanes} tile_k={k} tile_m={m} tile_n={n}"
                found.setdefault(at[0], {}).setdefault(at[1], {})[row] = float(x.group(7))
    return found


def few(sizes, most):
    """The rows, so many at most, whose fastest take least time, in the geometric mean of sizes."""
    rows = sorted(set.intersection(*(set(x) for x in sizes.values())))
    return min(itertools.combinations(rows, min(most, len(rows))),
               key=lambda some: sum(math.log(min(x[r] for r in some)) for x in sizes.values()))


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    print("# type  up_to        variant           threads  loads  blocks")
    for kind, sizes in measured(sys.argv[1]).items():
        some = few(sizes, int(sys.argv[2]) if len(sys.argv) > 2 else 4)
        best = {n: min((x[r], r) for r in some) for n, x in sorted(sizes.items())}
        for n, following in itertools.zip_longest(best, list(best)[1:]):
            us, (variant, threads, others) = best[n]
            if following and best[following][1] == best[n][1]:
                continue
            up_to = n * following if following else "inf"
            print(f"{kind:7} {up_to!s:12} {variant:17} {threads:<8} 0      0       {others} # at {n}x{n}: {us:.2f} us in a graph")


if __name__ == "__main__":
    main()
