#!/usr/bin/env python3
"""Says which recorded shapes became slower by more than 3%: tuning again may make none slower.

    slower.py OLD NEW      two records of arrays.py (.jsonl) or of `tgc bench' (.json), or two tables that were measured

In records the times of the public function are compared, in tables those in the comments of rows (`at 2048: 0.73
us in a graph'). Exit status: 0 none is slower, 1 some are, 2 the two cannot be compared. Compare measurements of one
device and session: on another GPU of the same name all times may be 2% longer.
"""
import re, sys

sys.dont_write_bytecode = True
import arrays_plot, arrays_table
import record as records
from record import Unusable

SLOWER = 1.03
TABLE_ROW = re.compile(r"(\w+)\s+\S+\s+\w+\s.*# at ([^:]+): ([\d.]+) us")


def of_arrays(path):
    """{shape in words: us of the function}"""
    return {" ".join(filter(None, (folder, kind, s["group"], s["shape"]))): s["ours"]["us"]
            for (folder, kind), rows in arrays_plot.programs_of(arrays_plot.load(path)).items()
            for s in arrays_table.Shapes(rows).all.values() if s["ours"]}


def measurements(path):
    """The rows of a record of `tgc bench': a CPU's has its family, a GPU's is read by those who draw it."""
    try:
        with open(path, encoding="utf-8") as f:
            data = records.parse_json(f.read())
    except OSError as e:
        raise Unusable(f"cannot read `{path}': {e.strerror}")
    if not isinstance(data, dict) or data.get("family") != "cpu":
        return records.load(path).data["measurements"]
    rows = data.get("measurements")
    if not records.are_rows(rows, type=str, n=int, contender=str, us=float):
        raise ValueError("its measurements are none")
    return rows


def of_bench(path):
    """Of a GPU each way to call, of a CPU each number of elements, in rows of so many of a matrix or of segments."""
    def shape(r):
        offset, every = r.get("offset"), r.get("all")
        return " ".join(filter(None, (r["type"], records.power(r["n"]) + (f"+{offset}" if offset else ""),
                                      f"of {records.power(every)}" if every else "", r.get("mode"))))
    return {shape(r): r["us"] for r in measurements(path) if r["contender"] == "ours"}


def rounding(text):
    """How far a printed time may be from what was measured: half of its last digit."""
    return 0.5 * 10.0 ** -len(text.partition(".")[2])


def of_table(path):
    try:
        with open(path, encoding="utf-8") as f:
            found = [TABLE_ROW.match(line) for line in f]
    except OSError as e:
        raise Unusable(f"cannot read `{path}': {e.strerror}")
    return {f"{m[1]} {m[2]}": (float(m[3]), rounding(m[3])) for m in found if m}


def read(path):
    """{shape: (us, how far off that may be)}"""
    try:
        if path.endswith(".table"):
            return of_table(path)
        return {shape: (us, 0) for shape, us in (of_arrays if path.endswith(".jsonl") else of_bench)(path).items()}
    except (KeyError, TypeError, ValueError) as e:
        raise Unusable(f"`{path}' is no record that this reads: {e}")


def main():
    if len(sys.argv) != 3 or sys.argv[1].startswith("-"):
        print(__doc__, end="", file=sys.stderr)
        return 2
    try:
        old, new = map(read, sys.argv[1:])
        both = [shape for shape in old if shape in new]
        if not both:
            raise Unusable(f"no recorded shape is in both `{sys.argv[1]}' and `{sys.argv[2]}'")
    except Unusable as why:
        print(f"slower: {why}", file=sys.stderr)
        return 2
    slower = [shape for shape in both if new[shape][0] - new[shape][1] > SLOWER * (old[shape][0] + old[shape][1])]
    for shape in slower:
        was, now = old[shape][0], new[shape][0]
        print(f"{shape}: {was:.2f} us, now {now:.2f} us ({now / was:.2f}x)")
    print(f"{len(slower)} of {len(both)} recorded shapes are slower by more than 3%")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
