#!/usr/bin/env python3
"""gemm_table.py [--most N] [--aligned W] RECORD..: a table of gemm from the output of gemm.cu.

For each inner dimension and number of results it has the fastest configuration, out of the few (--most, 8) that
together lose least, since each one is compiled. Shapes within a tenth of each other are one. Square results with
aligned rows have the weight W (2), those with unaligned rows, and skewed ones of as many elements, 1: the table does
not distinguish these. A row of the table ends at the geometric mean of two shapes."""
import argparse
import math
import re
import sys

HEAD = re.compile(r"^(\w+) (\d+)x(\d+)x(\d+), (\d+) between rows")
LINE = re.compile(r"^  (\w+), (\d+) threads by (\d+)(?: (lanes|warps))?, (\d+)x(\d+)x(\d+)(?:, (\d+) stages)?, "
                  r"(\d+) blocks: ([\d.]+) us, .*differs by \S+$")
INNER = [64, 256, 1024, 2048, 4096, 16384, 1 << 20]
WIDTHS = {"half": 8, "double": 2}  # elements of 16 bytes
NEAR = 0.1  # in powers of e
FAR = math.log(5)  # a side that was measured this far off says nothing between two others
SLOW = 3    # what was measured no further took so many times the best, at least


def near(number, others):
    return next((x for x in others if abs(math.log(x / number)) < NEAR), number)


def without_blocks(shapes):
    """Configurations whose times are the same with any number of blocks, but for noise, have none."""
    every = [times for shape in shapes.values() for times in shape.values()]
    for one in {r[:3] for times in every for r in times}:
        alike = ([t for r, t in times.items() if r[:3] == one] for times in every)
        spread = [max(same) / min(same) for same in alike if same]
        if sorted(spread)[len(spread) * 9 // 10] > 1.1:
            continue
        for times in every:
            same = [r for r in times if r[:3] == one]
            if same:
                times[one + (0,)] = min(times.pop(r) for r in same)


def measured(paths):
    """{type: {(side, inner): {kind: {(variant, threads, configuration, blocks): us}}}}, without WRONG results."""
    found, times = {}, None
    for path in paths:
        with open(path, encoding="utf-8") as f:
            for line in f:
                head, x = HEAD.match(line), LINE.match(line)
                if head:
                    m, n, k, pad = map(int, head.group(2, 3, 4, 5))
                    times = {}
                    aligned = all((x + pad) % WIDTHS.get(head.group(1), 4) == 0 for x in (n, k))
                    kind = f"{m}x{n}" if abs(math.log(m / n)) > NEAR else "" if aligned else "not aligned"
                    shapes = found.setdefault(head.group(1), {})
                    at = near(math.isqrt(m * n), [s for s, _ in shapes]), near(k, [k for _, k in shapes])
                    if "x" not in kind or at in shapes:
                        shapes.setdefault(at, {})[kind] = times
                elif x:
                    threads, workers, m, n, k, blocks = map(int, x.group(2, 3, 5, 6, 7, 9))
                    stages = f"stages={x.group(8)} " if int(x.group(8) or 0) else ""
                    sharing = f"{x.group(4) or 'lanes'}={workers} " if workers else ""
                    row = x.group(1), threads, f"{sharing}{stages}tile_k={k} tile_m={m} tile_n={n}", blocks
                    times[row] = min(float(x.group(10)), times.get(row, math.inf))
    for shapes in found.values():
        without_blocks(shapes)
    return found


def costs(shape, weight):
    """{row: the mean logarithm of its time}."""
    rows = set().union(*shape.values())
    parts = [(1 if kind else weight, times, SLOW * min(times.values())) for kind, times in shape.items() if times]
    total = sum(w for w, _, _ in parts)
    return {r: sum(w * math.log(times.get(r, slow)) for w, times, slow in parts) / total for r in rows}


def few(cost, most):
    """The `most' configurations that together lose least: added greedily, then exchanged one by one."""
    slowest = {s: max(x.values()) + 1 for s, x in cost.items()}
    best = {}
    for s, x in cost.items():
        for r, c in x.items():
            of = best.setdefault(r[:3], dict(slowest))
            of[s] = min(of[s], c)

    def loss(some):
        return sum(min(best[c][s] for c in some) for s in cost)
    some = []
    while len(some) < min(most, len(best)):
        some.append(min(sorted(set(best) - set(some)), key=lambda c: loss(some + [c])))
    better = True
    while better:
        others = ((loss(some[:i] + [c] + some[i + 1:]), some[:i] + [c] + some[i + 1:])
                  for i in range(len(some)) for c in sorted(set(best) - set(some)))
        least = min(others, default=(math.inf, some))
        better = least[0] < loss(some) - 1e-9
        some = least[1] if better else some
    return some


def note(shape, at, row):
    said = [f"{kind}{' ' if kind else ''}{times[row]:.2f} us" for kind, times in sorted(shape.items()) if row in times]
    return f"at {at[0]}x{at[0]}x{at[1]}: {', '.join(said)}, in a graph"


def band(shapes, cost, some, inner):
    """[most results or None, row, note] of one number of elements that a result is made of."""
    sides, made = sorted({s for s, _ in shapes}), []

    def off(side):  # how far the nearest shape of that side is
        return min(abs(math.log(k / inner)) for s, k in shapes if s == side)
    known = [side for side in sides if off(side) <= FAR]
    sides = [side for side in sides if side in known or not known or not known[0] < side < known[-1]]
    for side, following in zip(sides, sides[1:] + [None]):
        at = min((s for s in shapes if s[0] == side), key=lambda s: (abs(math.log(s[1] / inner)), s[1]))
        of = {r: c for r, c in cost[at].items() if r[:3] in some}
        row = min(sorted(of), key=of.get)
        if made and of.get(made[-1][1], math.inf) <= of[row] + 0.02:
            row = made[-1][1]
        if made and made[-1][1] == row:
            made.pop()
        made.append([following and side * following, row, note(shapes[at], at, row)])
    return made


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--most", type=int, default=8)
    options.add_argument("--aligned", type=float, default=2)
    options.add_argument("records", nargs="+")
    given = options.parse_args()
    print("# type  up_to        variant           threads  loads  blocks")
    for kind, shapes in measured(given.records).items():
        cost = {s: costs(x, given.aligned) for s, x in shapes.items() if any(x.values())}
        some = few(cost, given.most)
        for inner, following in zip(INNER, INNER[1:] + [None]):
            up_to = math.isqrt(inner * following) if following else "inf"
            rows = band({s: shapes[s] for s in cost}, cost, some, inner)
            for count, (variant, threads, others, blocks), said in rows:
                size = f"{up_to}x{count}" if count else str(up_to)
                print(f"{kind:7} {size:12} {variant:17} {threads:<8} 0      {blocks:<7} {others} # {said}")


if __name__ == "__main__":
    sys.exit(main())
