#!/usr/bin/env python3
"""gemm_table.py [--most N] [--aligned W] RECORD..: a table of gemm from the output of gemm.cu.

For each inner dimension and number of results it has the fastest configuration, out of the few (--most, 8) that
together lose least, since each one is compiled. Shapes within a tenth of each other are one. Products whose rows are
aligned to 16 bytes, those whose results have SKEW times as many rows as columns, or the other way round, and all others
have rows of their own, as far as they were measured. Where configurations are chosen each of these classes has the
weight 1, square results of aligned rows W (2). A row of the table ends at the geometric mean of two shapes. What the table loses
against the fastest configuration at each shape, by class, is told at the end (stderr)."""
import argparse
import math
import re
import sys

HEAD = re.compile(r"^(\w+) (\d+)x(\d+)x(\d+), (\d+) between rows")
LINE = re.compile(r"^  (\w+), (\d+) threads by (\d+)(?: (lanes|warps))?, (\d+)x(\d+)x(\d+)(?:, (\d+) stages)?, "
                  r"(\d+) blocks: ([\d.]+) us, .*differs by \S+$")
INNER = [64, 256, 1024, 2048, 4096, 16384, 1 << 20]
WIDTHS = {"int8": 16, "half": 8, "double": 2}  # elements of 16 bytes
SKEW = 16   # CONDITION_SKEW of compiler/table/conditions.h
NEAR = 0.1  # in powers of e
FAR = math.log(5)  # a side that was measured this far off says nothing between two others
SLOW = 3    # what was measured no further took so many times the best, at least
CLASSES = ["aligned,tall", "aligned,wide", "aligned", "tall", "wide", ""]  # those that ask for most ahead
FEW = 4     # a class with fewer shapes has no rows of its own


def near(number, others):
    return next((x for x in others if abs(math.log(x / number)) < NEAR), number)


def without_blocks(classes, none):
    """Variants without a number of blocks, and configurations whose times are the same with any, but for noise, have
    none."""
    every = [times for shapes in classes.values() for shape in shapes.values() for times in shape.values()]
    for one in {r[:3] for times in every for r in times}:
        alike = ([t for r, t in times.items() if r[:3] == one] for times in every)
        spread = [max(same) / min(same) for same in alike if same]
        if one[0] not in none and sorted(spread)[len(spread) * 9 // 10] > 1.1:
            continue
        for times in every:
            same = [r for r in times if r[:3] == one]
            if same:
                times[one + (0,)] = min(times.pop(r) for r in same)


def class_of(kind, m, n, k, pad):
    aligned = all((x + pad) % WIDTHS.get(kind, 4) == 0 for x in (n, k))
    sides = "tall" if m >= SKEW * n else "wide" if n >= SKEW * m else ""
    return ",".join(filter(None, ["aligned" if aligned else "", sides]))


def measured(paths):
    """{type: {class: {(side, inner): {shape: {(variant, threads, configuration, blocks): us}}}}}, without WRONG results."""
    found, times, none = {}, None, set()
    for path in paths:
        numbers = {}  # by variant, whether it was measured with numbers of blocks
        with open(path, encoding="utf-8") as f:
            for line in f:
                head, x = HEAD.match(line), LINE.match(line)
                if head:
                    m, n, k, pad = map(int, head.group(2, 3, 4, 5))
                    shapes = found.setdefault(head.group(1), {}).setdefault(class_of(head.group(1), m, n, k, pad), {})
                    at = near(math.isqrt(m * n), [s for s, _ in shapes]), near(k, [k for _, k in shapes])
                    times = shapes.setdefault(at, {}).setdefault(f"{m}x{n}x{k}", {})
                elif x:
                    threads, workers, m, n, k, blocks = map(int, x.group(2, 3, 5, 6, 7, 9))
                    set_to = {"tile_k": k, "tile_m": m, "tile_n": n, "stages": int(x.group(8) or 0),
                              x.group(4) or "lanes": workers}
                    tunables = " ".join(f"{name}={value}" for name, value in sorted(set_to.items()) if value)
                    row = x.group(1), threads, tunables, blocks
                    times[row] = min(float(x.group(10)), times.get(row, math.inf))
                    numbers[x.group(1)] = numbers.get(x.group(1), False) or blocks > 0
        if any(numbers.values()):
            none |= {variant for variant, some in numbers.items() if not some}
    for classes in found.values():
        for shapes in classes.values():
            for at in list(shapes):
                shapes[at] = {shape: times for shape, times in shapes[at].items() if times}
                if not shapes[at]:
                    del shapes[at]
        without_blocks(classes, none)
    return found


def with_few(classes):
    """Those that have rows of their own; what is left to others is one of these, the last one for any call."""
    kept = {name: dict(shapes) for name, shapes in classes.items() if len(shapes) >= FEW}
    if "" not in kept:
        kept[""] = kept.pop("aligned", {})
        for name, shapes in classes.items():
            if name not in kept and not kept[""]:
                kept[""] = dict(shapes)
    return {name: kept[name] for name in CLASSES if kept.get(name)}


def costs(shape):
    """{row: the mean logarithm of its time}."""
    rows = set().union(*shape.values())
    return {r: sum(math.log(times.get(r, SLOW * min(times.values()))) for times in shape.values()) / len(shape) for r in rows}


def few(cost, weights, most):
    """The `most' configurations that together lose least: added greedily, then exchanged one by one."""
    slowest = {s: weights[s] * (max(x.values()) + 1) for s, x in cost.items()}
    best = {}
    for s, x in cost.items():
        for r, c in x.items():
            of = best.setdefault(r[:3], dict(slowest))
            of[s] = min(of[s], weights[s] * c)

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


def note(shape, row):
    said = [f"{at} {times[row]:.2f} us" for at, times in sorted(shape.items()) if row in times]
    return f"at {', '.join(said)}, in a graph" if said else "beside its neighbours"


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
        if not of:
            continue
        row = min(sorted(of), key=of.get)
        if made and of.get(made[-1][1], math.inf) <= of[row] + 0.02:
            row = made[-1][1]
        if made and made[-1][1] == row:
            made.pop()
        made.append([following and side * following, row, note(shapes[at], row)])
    if made:
        made[-1][0] = None
    return made


def block(shapes, cost, some):
    """[(up to, most results, row, note)] of one class: bands that pick the same as the next one are part of it."""
    bands = [(math.isqrt(inner * following) if following else None, band(shapes, cost, some, inner))
             for inner, following in zip(INNER, INNER[1:] + [None])]
    bands = [(up_to, rows) for up_to, rows in bands if rows]
    made = []
    for (up_to, rows), after in zip(bands, bands[1:] + [(None, [])]):
        if [r[:2] for r in rows] != [r[:2] for r in after[1]]:
            made += [(up_to, *row) for row in rows]
    made[-1:] = [(None, None) + made[-1][2:]]
    return made


def picked(table, name, at):
    """The row of the table that serves a call of a class."""
    have = set(filter(None, name.split(",")))
    for when, rows in table.items():
        if set(filter(None, when.split(","))) <= have:
            for up_to, count, row, _ in rows:
                if (up_to is None or at[1] <= up_to) and (count is None or at[0] ** 2 <= count):
                    return row
    return None


def report(kind, classes, table):
    for name, shapes in classes.items():
        loses, unknown = [], 0
        for at, shape in shapes.items():
            row = picked(table, name, at)
            for where, times in shape.items():
                if row in times:
                    loses.append((times[row] / min(times.values()), where))
                else:
                    unknown += 1
        if loses:
            mean = math.exp(sum(math.log(x) for x, _ in loses) / len(loses))
            print(f"{kind}, {name or 'others'}: {mean:.3f} times the best of {len(loses)} shapes, at worst "
                  f"{max(loses)[0]:.2f} at {max(loses)[1]}; {unknown} not measured so far", file=sys.stderr)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--most", type=int, default=8)
    options.add_argument("--aligned", type=float, default=2)
    options.add_argument("records", nargs="+")
    given = options.parse_args()
    lines = []
    for kind, every in measured(given.records).items():
        classes = with_few(every)
        cost = {(name, at): costs(shape) for name, shapes in classes.items() for at, shape in shapes.items()}
        weights = {(name, at): (given.aligned if name == "aligned" else 1) / len(shapes)
                   for name, shapes in classes.items() for at in shapes}
        some = few(cost, weights, given.most)
        table = {name: block(shapes, {at: cost[name, at] for at in shapes}, some) for name, shapes in classes.items()}
        for name, rows in table.items():
            for up_to, count, (variant, threads, others, blocks), said in rows:
                size = (str(up_to) if up_to else "inf") + (f"x{count}" if count else "") + (f",{name}" if name else "")
                lines.append((kind, size, variant, threads, blocks, others, said))
        report(kind, every, table)
    width = max([12] + [len(line[1]) for line in lines])
    print(f"# type  {'up_to':{width}} variant           threads  loads  blocks")
    for kind, size, variant, threads, blocks, others, said in lines:
        print(f"{kind:7} {size:{width}} {variant:17} {threads:<8} 0      {blocks:<7} {others} # {said}")


if __name__ == "__main__":
    sys.exit(main())
