"""tgc bench for a folder of a CPU: the library and its best variant beside OpenMP's loops, OpenBLAS and the speed of
reading, in turns on this CPU. A record is NAME-<cpu>-<date>.json, and .csv for other programs:

    {"version": 1, "family": "cpu", "spectrum", "workload", "machine", "date", "device": {"name", "caches", ..},
     "flags": {"ours", "openmp", "serial"}, "notes": [..], "variants": {..}, "dispatch": {type: [..]},
     "bytes": {type: of an element}, only with an operator of the user's,
     "measurements": [{"type", "n", "all", "contender", "us", "low", "high", "rounds", "calls",
                      "ratio", "least", "most"}, ..],
     "failures": [..], "merits": [..]}

A case is n elements, `all' 0; or `all' elements in rows or segments of n each, which is printed as how many x n. Of a
product n is its inner dimension, and `all' the number of terms: it is printed as elements of the result x n.
Contenders: "ours", "variant" (the best, with its id and configuration), "openmp" and "openmp-..", "openblas", "serial",
"read-..", "look" (--variants). A ratio is to ours: the median of the rounds' ratios, with its 95 % confidence
interval from `least' to `most'; there is none where ours is wrong. "moved" are the bytes read and written.
"""
import csv, datetime, io, os

import cpu_build, torch_sum
import record as records
from record import Unusable, power
from running import file_name, json_text, run_lines, say

SIZES, QUICK_SIZES = "6..27", "6,10,14,18,22,25"
OF_PARTS, QUICK_OF_PARTS = "12,18,26", "12,24"  # elements of all rows or segments
OF_PRODUCTS, QUICK_OF_PRODUCTS = "12,18,24,27", "12,21"  # terms of a square product
NARROW = 128  # elements of each, or so many of them
SMALL, LARGE = 1 << 12, 1 << 24
OPERATORS = ("add", "mul", "max", "min", "and", "or", "xor", "user")


class Workload:
    """moved: elements of the element type that a call reads or writes, of n, or of `all' in parts of n; parts: the
    operand that says how many parts there are, and how many more, (-1, 0) where none does; None: there are no parts. A
    spectrum without a peer has what the manifest says (cpu_build.parts_of), and what the program says is moved."""

    def __init__(self, moved, parts=None):
        self.moved, self.parts = moved, parts


WORKLOADS = {
    "reduce": Workload(lambda n, all: n),
    "inclusive_scan": Workload(lambda n, all: 2 * n),
    "exclusive_scan": Workload(lambda n, all: 2 * n),
    "vadd": Workload(lambda n, all: 3 * n),
    "axpy": Workload(lambda n, all: 3 * n),
    "dot": Workload(lambda n, all: 2 * n),
    "histogram": Workload(lambda n, all: n),
    "gemv": Workload(lambda n, all: all + n + all // n, (1, 0)),
    "gemv_columns": Workload(lambda n, all: all + n + all // n, (1, 0)),
    "segmented_sum": Workload(lambda n, all: all + all // n, (4, 0)),
    "segmented_sum_offsets": Workload(lambda n, all: all + all // n, (5, 0)),
    "segmented_scan": Workload(lambda n, all: 2 * all, (-1, 0)),
    "segmented_scan_offsets": Workload(lambda n, all: 2 * all, (3, 1)),
    "none": Workload(lambda n, all: None),  # any other spectrum: no peer
}


def workload_of(manifest):
    operands, name = manifest.get("operands") or [], manifest.get("algorithm") or manifest["spectrum"]
    if any(o.get("by_columns") for o in operands):
        name += "_columns"
    if any(o.get("holds") == "offsets" for o in operands):
        name += "_offsets"
    if len(operands) == 3 and not operands[2]["sizes"] and manifest["operator"] in OPERATORS:
        name = "reduce"
    if name in WORKLOADS:
        return name
    if cpu_build.is_own(manifest):
        raise Unusable(f"`{name}' reduces by an operator of your own: with such operands it cannot be compared yet")
    return "none"


def types_of(o, manifest):
    compared = cpu_build.element_types(manifest)
    known = ", ".join(compared if cpu_build.is_own(manifest) else cpu_build.C_TYPES)
    chosen = list(dict.fromkeys(o.types.split(","))) if o.types else compared
    for t in chosen:
        if t not in manifest["types"]:
            raise Unusable(f"`{o.out}' has no element type `{t}'; it has {', '.join(manifest['types'])}")
        if t not in compared:
            raise Unusable(f"`{t}' is not compared on a CPU; {known} are")
    if not chosen:
        raise Unusable(f"`{o.out}' has none of the element types that are compared: {known}")
    return chosen


def refuse_options(o):
    for name in ("arch", "odd"):
        if getattr(o, name):
            raise Unusable(f"`--{name}' is for GPUs, and `{o.out}' is for a CPU")


def cases_of(o, parts, windows):
    """[(n, all)]: powers of two; of parts few long and many short ones; of products square ones; of windows as many."""
    usual = ((SIZES, QUICK_SIZES) if not parts or windows else
             (OF_PRODUCTS, QUICK_OF_PRODUCTS) if parts.results >= 0 else (OF_PARTS, QUICK_OF_PARTS))
    cases = []
    for e in torch_sum.exponents(o.sizes or usual[o.quick]):
        short, inner = min(NARROW, 1 << e // 2), 1 << e // 3
        if not parts or windows:
            cases.append((1, 1 << e) if windows else (1 << e, 0))
        elif parts.results >= 0:
            cases.append((inner, inner**3))
        else:
            cases += [(short, 1 << e), ((1 << e) // short, 1 << e)]
    return list(dict.fromkeys(cases))


# ---- what follows from the rows ----

class Record:
    def __init__(self, data):
        self.data, self.workload = data, WORKLOADS[data["workload"]]
        self.rows = {}
        for row in data["measurements"]:
            self.rows.setdefault((row["type"], row["n"], row["all"]), []).append(row)

    def best(self, case, *names):
        """The fastest row of contenders whose names begin so, as turns tell it; None where there is none."""
        found = [r for r in self.rows[case] if r["contender"].startswith(names)]
        return min(found, key=lambda r: (r.get("ratio", 0), r["us"]), default=None)

    def bytes(self, case):
        kind, n, all = case
        moved, ours = self.workload.moved(n, all), self.best(case, "ours")
        if moved is None:
            return ours and ours.get("moved")
        return self.data.get("bytes", records.BYTES)[kind] * moved

    def speed(self, case, row):
        return 1e-3 * self.bytes(case) / row["us"] if row and self.bytes(case) else None

    def reading(self, case):
        """GB/s of the fastest reading loop, which reads what the operands say is read."""
        row = self.best(case, "read-")
        return 1e-3 * row["bytes"] / row["us"] if row else None

    def ratio(self, case, *rivals, whose="ours", key="ratio"):
        """The speedup over the best of the rivals."""
        mine, other = self.best(case, whose), self.best(case, *rivals)
        return other[key] / mine["ratio"] if mine and other and "ratio" in other else None

    def part(self, case, whose="ours", key="ratio"):
        """Of the bandwidth of the fastest loop that only reads."""
        ratio, read = self.ratio(case, "read-", whose=whose, key=key), self.best(case, "read-")
        return ratio * self.bytes(case) / read["bytes"] if ratio and self.bytes(case) else None

    def elements(self, case):
        return case[2] or case[1]

    def merits(self):
        """What is wanted; of the library, of the best variant; the library's worst case; `most': the least of what a
        case may be by its rounds' spread. None where there is none."""
        small = [c for c in self.rows if self.elements(c) < SMALL]
        large = [c for c in self.rows if self.elements(c) >= LARGE]

        def to_others(case, **how):
            return self.ratio(case, "openmp", "openblas", **how)

        def to_loops(case, **how):
            return self.ratio(case, "openmp", **how)

        def least(figure, cases, **how):
            found = [(f, c) for c in cases for f in [figure(c, **how)] if f is not None]
            return min(found, default=(None, None))

        merits = []
        for what, wanted, figure, cases in (
                ("worst speedup over the fastest other", 1.0, to_others, list(self.rows)),
                ("worst share of the read bandwidth, from 2^24", 0.95, self.part, large),
                ("worst speedup over OpenMP's loops, below 2^12", 2.0, to_loops, small)):
            ours, case = least(figure, cases)
            merits.append({"what": what, "wanted": wanted, "ours": ours, "most": least(figure, cases, key="most")[0],
                           "variant": least(figure, cases, whose="variant")[0], "case": case and label(case)})
        return merits


def label(case):
    kind, n, all = case
    return f"{kind} " + (f"{power(all // n)} x {power(n)}" if all and n > 1 else power(all or n))  # n = 1: of windows


# ---- the table for people ----

def number(value, width, digits=2):
    if value is None:
        return "-".rjust(width)
    text = f"{value:{width}.{0 if value >= 1e4 else digits}f}"
    return text if text.startswith(" ") else f"{value:{width}.0e}"


def microseconds(row, width=10):
    return number(row and row["us"], width, 4 if row and row["us"] < 10 else 2)


def chosen(record, case):
    kind, n, all = case
    rows = record.data["dispatch"].get(kind, [])
    row = next((r for r in rows if (r["up_to"] is None or n <= r["up_to"]) and
                (r.get("count") is None or all // max(1, n) <= r["count"])), None)
    others = record.data.get("others", ())
    words = f"  {row['variant']}{configured(row, others)}" if row else ""
    best = record.best(case, "variant")
    return words + (f"; best {best['id']}{configured(best, others)}" if best else "")


def configured(row, others):
    """(loads 4, threads 1) of what is set."""
    named = (("loads", "loads"), ("threads", "blocks"), *((name, name) for name in others))
    set_to = [f"{word} {row[key]}" for word, key in named if row.get(key)]
    return f" ({', '.join(set_to)})" if set_to else ""


def line(record, case):
    ours, variant = record.best(case, "ours"), record.best(case, "variant")
    cells = [microseconds(ours) + microseconds(variant),
             microseconds(record.best(case, "openmp")) + number(record.ratio(case, "openmp"), 7),
             microseconds(record.best(case, "openblas")) + number(record.ratio(case, "openblas"), 7),
             microseconds(record.best(case, "serial")),
             number(record.speed(case, ours), 8, 1) + number(record.reading(case), 8, 1)]
    part = record.part(case)
    return " |".join(cells) + (f"{100 * part:5.0f}%" if part else "     -") + chosen(record, case)


def machine_text(record):
    d = record.data["device"]
    more = [d["caches"], f"governor {d['governor']}" if d["governor"] else "", f"{d['processors']} processors",
            f"{d['threads']} threads", f"{d['nodes']} memories" if d["nodes"] > 1 else "", d["compiler"],
            f"barrier {d['meeting']:.2f} us, {d['waking']:.0f} us from sleep" if d.get("meeting") else ""]
    return f"{d['name']}: " + ", ".join(m for m in more if m)


def text(record):
    flags = record.data["flags"]
    lines = [machine_text(record), *(f"{who}: {words}" for who, words in flags.items()),
             "us per call (median of the rounds); speedup over the other (median of the rounds' ratios); GB/s moved, "
             "GB/s of a loop that only reads, and the share of that bandwidth"]
    for kind in dict.fromkeys(case[0] for case in record.rows):
        lines += ["", f"{kind:>18} |     ours   variant |   openmp speedup| openblas speedup|   serial |    GB/s"
                      "    read share  variant"]
        lines += [f"{label(case)[len(kind) + 1:]:>18} |{line(record, case)}" for case in record.rows if case[0] == kind]
    lines += [f"note: {note}" for note in record.data["notes"]]
    for f in record.data["failures"]:
        lines.append(f"FAILED: {f['contender']} {f['id']} {label((f['type'], f['n'], f['all']))}: {f['what']}")
    lines.append("")
    for m in record.data["merits"] if record.data["workload"] != "none" else ():
        if m["ours"] is None:  # no size that was measured tells
            continue
        at = f" at {m['case']}" if m["case"] else ""
        lines.append(f"{state_of(m):7} {m['what']}: {figure(m['ours'])}{at} (target {m['wanted']}; best variant: "
                     f"{figure(m['variant'])})")
    return "\n".join(lines) + "\n"


def state_of(merit):
    """Noise: it is below what is wanted, by less than the rounds can tell."""
    if merit["ours"] is None:
        return "none"
    return "met" if merit["ours"] >= merit["wanted"] else "noise" if merit["most"] >= merit["wanted"] else "missed"


def figure(value):
    return "-" if value is None else f"{value:.3f}" if value < 10 else f"{value:.0f}"


def csv_text(data):
    keys = ("type", "n", "all", "contender", "id", *cpu_build.USUAL, *data.get("others", ()), "us", "low", "high",
            "rounds", "calls", "ratio", "least", "most")
    to = io.StringIO()
    rows = csv.DictWriter(to, keys, extrasaction="ignore", restval="", lineterminator="\n")
    rows.writeheader()
    rows.writerows(data["measurements"])
    return to.getvalue()


# ---- the run ----

class Gathered:
    def __init__(self):
        self.device, self.notes, self.measurements, self.failures = None, [], [], []

    def take(self, row):
        kind = row.pop("kind")
        if kind == "device":
            self.device = row
        elif kind == "note":
            self.notes.append(row["text"])
        else:
            (self.measurements if kind == "measurement" else self.failures).append(row)
            say(f"{row['contender']} {label((row['type'], row['n'], row['all']))}")


def make_record(o, manifest, types, workload, g):
    told = ("OMP_NUM_THREADS", "OMP_PROC_BIND", "OMP_PLACES", "OMP_WAIT_POLICY", "TGC_VARIANT", "TGC_TABLE")
    notes = list(dict.fromkeys(g.notes)) + [f"{name} was {os.environ[name]}." for name in told if os.environ.get(name)]
    if workload == "none":
        notes.append("No library or OpenMP loop is known that computes this: only the function and its best variant "
                     "are measured. GB/s count each operand as read or written once.")
    flags = {"ours": f"-O3 {o.flags} -ffp-contract=off -fwrapv -fopenmp", "openmp": f"-O3 {o.flags} -fopenmp",
             "serial": f"-O3 {o.flags} -ffast-math, below 2^17 elements, for information"}
    data = {"version": records.VERSION, "family": "cpu", "spectrum": manifest["spectrum"], "workload": workload,
            "machine": manifest["machine"],
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"), "device": g.device,
            "operator": manifest["operator"], "flags": flags, "notes": notes,
            "variants": {v["id"]: {k: v[k] for k in ("plan", "category", "determinism")} for v in manifest["variants"]},
            "dispatch": {t: [r for r in manifest["dispatch"] if r.get("type", t) == t] for t in types},
            "measurements": g.measurements, "failures": g.failures, "merits": []}
    if cpu_build.others(manifest):
        data["others"] = cpu_build.others(manifest)
    if cpu_build.is_own(manifest):
        data["bytes"] = cpu_build.element_bytes(manifest)
    data["merits"] = Record(data).merits()
    return data


def compare(o, manifest, report):
    """The exit status. `report' prints what a run ends with."""
    refuse_options(o)
    types, workload = types_of(o, manifest), workload_of(manifest)
    o.flags = manifest.get("options", "-march=native") if o.flags is None else o.flags
    o.timeout = o.timeout or 3600
    parts = cpu_build.parts_of(manifest, WORKLOADS[workload].parts)
    cases = cases_of(o, parts, cpu_build.are_windows(manifest, parts))
    program = cpu_build.comparison(o, manifest, types, workload, parts, say)
    if o.build_only:
        print(f"built {program}")
        return 0
    g = Gathered()
    command = [program, "--cases", ",".join(f"{n}:{all}" for n, all in cases), "--rounds",
               str(o.rounds or (5 if o.quick else 11)), *["--variants"] * o.variants]
    status, said = run_lines(command, o.timeout, g.take)
    if status != 0 or not g.device:
        raise Unusable(f"the comparison ended with status {status}: {said or 'no message'}")
    data = make_record(o, manifest, types, workload, g)
    name = file_name(o.results, data["spectrum"], data["device"]["name"], data["date"])
    records.write_all(o.results, {name + ".json": json_text(data), name + ".csv": csv_text(data)})
    return report(o, data, name, text(Record(data)), (".json", ".csv"))
