"""What the library is to reach against the others, and whether a record says that it does.

A ratio is met when the medians say so within CUB's own spread of the same run."""
import record as records

OPERATORS = ("add", "max", "min")  # what the targets are for

# sizes 2^first to 2^last; by graph or by stream calls; the least speed-up over CUB everywhere, and in geometric mean
H200 = (
    (6, 11, "graph", 1.15, 1.3), (12, 12, "graph", 1.05, 0), (13, 14, "graph", 1.5, 0), (15, 16, "graph", 1.25, 0),
    (17, 23, "graph", 1.05, 0), (24, 30, "graph", 1.0, 0),
    (6, 12, "stream", 1.0, 0), (13, 20, "stream", 2.0, 0), (21, 23, "stream", 1.05, 0), (24, 30, "stream", 1.0, 0),
)
# those that are to be so many times as slow as ours below 2^20
SLOWER = (("torch", "graph", 1.5), ("torch", "stream", 1.5), ("thrust", "stream", 5.0))


def missed(record, kind, mode, cases, least):
    found = []
    for case in cases:
        ratio = record.speed_up(kind, case, mode)
        if ratio is not None and ratio * (1 + record.noise(kind, case, mode)) < least:
            found.append(f"{records.power(case[0])} {ratio:.2f}")
    return found


def verdict(what, missed_at):
    return f"  {'met   ' if not missed_at else 'missed'}  {what}" + (f": {', '.join(missed_at)}" if missed_at else "")


def against_cub(record, kind):
    for first, last, mode, least, mean in H200:
        cases = [c for c in record.cases(kind) if 1 << first <= c[0] <= 1 << last]
        ratios = [r for r in (record.speed_up(kind, c, mode) for c in cases) if r]
        if not ratios:
            continue
        failed = missed(record, kind, mode, cases, least)
        what = f"{kind} {mode} 2^{first}..2^{last}: at least {least}x CUB"
        if mean:
            reached = records.geometric_mean(ratios)
            what += f", {mean}x in mean"
            if reached < mean:
                failed.append(f"mean {reached:.2f}")
        yield verdict(what, failed)


def against_others(record, kind):
    for name, mode, least in SLOWER:
        failed, any_case = [], False
        for case in record.cases(kind):
            mine, other = (record.row(kind, case, mode, c) for c in ("ours", name))
            if case[0] >= 1 << 20 or not mine or not other:
                continue
            any_case = True
            if other["us"] < least * mine["us"]:
                failed.append(f"{records.power(case[0])} {other['us'] / mine['us']:.2f}")
        if any_case:
            yield verdict(f"{kind} {mode} below 2^20: {name} at least {least}x slower", failed)


def against_variants(record, kind):
    """Where variants were timed too: is what the dispatch takes the best one? --odd gives sizes that were not tuned."""
    tried, failed = False, []
    for case in record.cases(kind):
        mine, best = record.row(kind, case, "graph", "ours"), record.best_variant(kind, case)
        if not mine or not best:
            continue
        tried = True
        if mine["us"] > best["us"] * (1 + max(0.03, record.noise(kind, case, "graph"))):
            failed.append(f"{records.power(case[0])} {mine['us'] / best['us']:.2f}")
    if tried:
        yield verdict(f"{kind} graph: the dispatch within 3%, or the noise, of the best variant", failed)


def text(record):
    """A line for each target that the record can speak of; "" where the device or the operator has none."""
    if "H200" not in record.data["device"]["name"] or record.data.get("operator", "add") not in OPERATORS:
        return ""
    judges = (against_cub, against_others, against_variants)
    lines = [line for kind in record.types() for judge in judges for line in judge(record, kind)]
    row = record.row("float", (1 << 30, 0), "graph", "ours")
    if row:
        speed = record.gigabytes(row)
        lines.append(verdict("float graph 2^30: 4600 GB/s", [] if speed >= 4600 else [f"{speed:.0f}"]))
    return "\n".join(["", "targets for an H200", *lines]) + "\n"
