#!/usr/bin/env python3
"""gemm_table.py RECORD: a table of gemm from what gemm.cu printed: for each type and square size the fastest that was right. Rows
end in the geometric middle between two sizes, since a table goes by the elements of A."""
import re
import sys

HEAD = re.compile(r"^(\w+) (\d+)x(\d+)x(\d+), 0 between rows")
LINE = re.compile(r"^  (\w+), (\d+) threads by (\d+), (\d+)x(\d+)x(\d+): ([\d.]+) us, .*differs by \S+$")


def fastest(path):
    """{type: {n: (microseconds, row)}}; lines of WRONG results do not match."""
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
                best = found.setdefault(at[0], {})
                if at[1] not in best or float(x.group(7)) < best[at[1]][0]:
                    best[at[1]] = float(x.group(7)), row
    return found


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print("# type  up_to        variant           threads  loads  blocks")
    for kind, best in fastest(sys.argv[1]).items():
        sizes = sorted(best)
        for i, n in enumerate(sizes):
            us, (variant, threads, others) = best[n]
            last = i + 1 == len(sizes)
            if not last and best[sizes[i + 1]][1] == best[n][1]:
                continue
            up_to = "inf" if last else n * sizes[i + 1]
            print(f"{kind:7} {up_to!s:12} {variant:17} {threads:<8} 0      0       {others} # at {n}x{n}: {us:.2f} us in a graph")


if __name__ == "__main__":
    main()
