"""A record of one comparison: the rows that were measured, what follows from them, its file.

    {"version": 1, "spectrum": "sum", "operator": "add", "machine": "sm_90", "date": "2026-11-21",
     "device": {"name", "peak_gbs", ..}, "bytes": {type: of an element}, "notes": [..],
     "variants": {id: {"plan", "category", "determinism", "words"}}, "dispatch": {type: [{"up_to", "variant", ..}]},
     "measurements": [{"type", "n", "offset", "mode", "contender", "us", "low", "high", "rounds", "calls"}, ..],
     "failures": [{"type", "n", "offset", "mode", "contender", "what"}, ..]}

`us` is the median of the rounds, `low` and `high` the lowest and highest round but for one at either end. A contender
is "ours", "cub" (and "cub-transform", its other way to widen half), "thrust", "torch", or "variant" with its "id",
"threads", "loads", "blocks".
"""
import json, math, os, tempfile

VERSION = 1
MODES = ("graph", "stream", "sync")
BYTES = {"int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "half": 2, "bfloat16": 2, "int": 4, "uint": 4, "float": 4,
         "int64": 8, "uint64": 8, "double": 8}


class Unusable(Exception):
    """A record, a folder or a tool that one cannot work with; its text says why."""


def parse_json(text):
    """What the text holds; ValueError where it is no JSON, also for numbers and nesting beyond what Python takes."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def is_number(value):
    """A finite one, and no truth value."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e300


def are_rows(rows, **kinds):
    """A list of objects, each with those keys and values of those types; `float' takes any number."""
    return isinstance(rows, list) and all(
        isinstance(row, dict) and all(is_number(row.get(key)) if kind is float else isinstance(row.get(key), kind)
                                      for key, kind in kinds.items()) for row in rows)


def power(n):
    """1024 -> "2^10", 1000 -> "1000"."""
    k = n.bit_length() - 1
    return f"2^{k}" if n == 1 << k else str(n)


def plan_words(plan):
    """The short name of a plan's way over the grid: warp, block, cluster, grid ticket, grid atomic, grid two steps."""
    head = plan.split("(", 1)[0]
    level = head.split(">")[-1].split(".")[0].split("!")[0]
    if level != "grid":
        return level
    return "grid " + (head.split("!", 1)[1] if "!" in head else "two steps")


class Record:
    def __init__(self, data):
        self.data = data
        self.peak = data["device"].get("peak_gbs") or 0
        self.bytes = {**BYTES, **data.get("bytes", {})}
        self.rows = {}
        for row in data["measurements"]:
            if row["contender"] != "variant":
                self.rows[self.key(row) + (row["contender"],)] = row

    @staticmethod
    def key(row):
        return row["type"], row["n"], row["offset"], row["mode"]

    def types(self):
        return list(dict.fromkeys(row["type"] for row in self.data["measurements"]))

    def cases(self, kind):
        """The (n, offset) that were measured of a type, ascending."""
        return sorted({(row["n"], row["offset"]) for row in self.data["measurements"] if row["type"] == kind})

    def row(self, kind, case, mode, contender):
        return self.rows.get((kind, *case, mode, contender))

    def rival(self, kind, case, mode):
        """CUB's row; the faster one where it was called in two ways. None when there is none."""
        found = [self.row(kind, case, mode, c) for c in ("cub", "cub-transform")]
        return min((r for r in found if r), key=lambda r: r["us"], default=None)

    def speed_up(self, kind, case, mode, contender="ours"):
        """The speedup over CUB; None if one of the two is missing."""
        mine, cub = self.row(kind, case, mode, contender), self.rival(kind, case, mode)
        return cub["us"] / mine["us"] if mine and cub else None

    def peer(self):
        """CUB with its version; records of before 2026-11-25 have none, and their CUB is the toolkit's."""
        device = self.data["device"]
        number, runtime = device.get("cub"), device.get("runtime") or 0
        if number:
            return f"CUB {number // 100000}.{number // 100 % 1000}.{number % 100}"
        return f"CUB of CUDA {runtime // 1000}.{runtime % 1000 // 10}" if runtime else "CUB"

    def noise(self, kind, case, mode):
        """CUB's own spread, as a part of its median."""
        cub = self.rival(kind, case, mode)
        return (cub["high"] - cub["low"]) / cub["us"] if cub else 0

    def gigabytes(self, row):
        """GB/s that a row's input was read at."""
        return 1e-3 * row["n"] * self.bytes[row["type"]] / row["us"]

    def chosen(self, kind, n):
        """The row of the dispatch that serves n elements, or None."""
        rows = self.data["dispatch"].get(kind, [])
        return next((r for r in rows if r["up_to"] is None or n <= r["up_to"]), None)

    def words(self, variant):
        return self.data["variants"].get(variant, {}).get("words", "")

    def best_variant(self, kind, case):
        """The fastest row of a variant in a graph, or None when variants were not timed."""
        wanted = (kind, *case, "graph")
        found = [r for r in self.data["measurements"] if r["contender"] == "variant" and self.key(r) == wanted]
        return min(found, key=lambda r: r["us"], default=None)


# ---- the table for people ----

def number(value, width, digits):
    return f"{value:{width}.{digits}f}" if value is not None else "-".rjust(width)


def compared(record, kind, case, mode):
    """Ours, CUB, the ratio, and CUB's noise."""
    mine, cub = record.row(kind, case, mode, "ours"), record.rival(kind, case, mode)
    digits = 2 if (mine or cub or {"us": 0})["us"] < 1000 else 1
    return (number(mine and mine["us"], 8, digits) + number(cub and cub["us"], 9, digits)
            + number(record.speed_up(kind, case, mode), 6, 2) + f"{100 * record.noise(kind, case, mode):5.1f}%")


def configured(row):
    """(512,4) of what names threads and loads; with blocks where they are set; "" where all is the variant's own."""
    values = [row.get(key) or 0 for key in ("threads", "loads", "blocks")]
    while values and not values[-1]:
        values.pop()
    return f"({','.join(map(str, values))})" if values else ""


def last_columns(record, kind, case):
    graph = record.row(kind, case, "graph", "ours")
    speed = record.gigabytes(graph) if graph else None
    others = [record.row(kind, case, "stream", c) for c in ("thrust", "torch")]
    chosen = record.chosen(kind, case[0])
    text = number(speed, 7, 0) + (f"{100 * speed / record.peak:5.0f}%" if speed and record.peak else "     -")
    text += "".join(number(o and o["us"], 9, 1) for o in others)
    if chosen:
        text += f"  {chosen['variant']}{configured(chosen)} {record.words(chosen['variant'])}"
    best = record.best_variant(kind, case)
    if best and graph:
        text += f"; best {best['id']}{configured(best)} {best['us']:.2f} us"
    return text


def table(record):
    """The whole record, a line for each case."""
    device = record.data["device"]
    lines = [f"{device['name']}: microseconds per call, ours and {record.peer()}'s, for each way to call; speedup over "
             f"it, its own spread; GB/s and share of the peak ({record.peak:.0f} GB/s) in a graph; "
             "other libraries by stream"]
    for kind in record.types():
        modes = " |".join(f"{mode:>8}      CUB ratio noise" for mode in MODES)
        lines += ["", f"{kind:>12} |{modes} |   GB/s  peak   thrust    torch  variant"]
        for case in record.cases(kind):
            label = power(case[0]) + ("+" + str(case[1]) if case[1] else "")
            cells = " |".join(compared(record, kind, case, mode) for mode in MODES)
            lines.append(f"{label:>12} |{cells} |{last_columns(record, kind, case)}")
    for f in record.data["failures"]:
        who = f["contender"] + (f" {f['id']}{configured(f)}" if "id" in f else "")
        lines.append(f"FAILED: {who} {f['type']} n={f['n']}+{f['offset']} {f['mode']}: {f['what']}")
    return "\n".join(lines) + "\n"


# ---- its file ----

def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def is_sound(data):
    """Whether all that is computed with has its type."""
    case = {"type": str, "n": int, "offset": int, "mode": str, "contender": str}
    device, sizes, dispatch, variants = (data.get(k, {}) for k in ("device", "bytes", "dispatch", "variants"))
    return (all(isinstance(one, dict) for one in (device, sizes, dispatch, variants)) and
            isinstance(device.get("name"), str) and is_number(device.get("peak_gbs") or 0) and
            all(isinstance(device.get(key) or 0, int) for key in ("cub", "runtime")) and
            all(is_number(n) for n in sizes.values()) and
            all(are_rows(rows, variant=str) for rows in dispatch.values()) and
            all(isinstance(v, dict) and isinstance(v.get("plan"), str) for v in variants.values()) and
            all(isinstance(data.get(key, ""), str) for key in ("spectrum", "machine", "date")) and
            isinstance(data.get("operator"), (str, type(None))) and
            are_rows(data["measurements"], us=float, low=float, high=float, **case) and
            all(row["n"] >= 0 and row["us"] > 0 for row in data["measurements"]) and
            are_rows(data["failures"], **case))


def load(path):
    """A record from its file; Unusable when it is none."""
    try:
        with open(path, encoding="utf-8") as f:
            data = parse_json(f.read())
    except OSError as e:
        raise Unusable(f"cannot read `{path}': {e.strerror}")
    except ValueError as e:
        raise Unusable(f"`{path}' is no JSON: {e}")
    wanted = ("device", "measurements", "failures", "dispatch", "variants")
    if not isinstance(data, dict) or data.get("version") != VERSION or any(k not in data for k in wanted):
        raise Unusable(f"`{path}' is no record of a comparison (version {VERSION})")
    if not is_sound(data):
        raise Unusable(f"`{path}' has values of types that no comparison writes")
    return Record(data)


def write_all(folder, texts):
    """Writes {name: text} into the folder: all of them or none."""
    staged = []
    try:
        os.makedirs(folder, exist_ok=True)
        for name, text in texts.items():
            handle, path = tempfile.mkstemp(prefix=".tgc-bench-", dir=folder)
            staged.append((path, os.path.join(folder, name)))
            with os.fdopen(handle, "w", encoding="utf-8") as f:
                f.write(text)
            os.chmod(path, 0o644)
        for path, final in staged:
            os.replace(path, final)
    except OSError as e:
        for path, _ in staged:
            if os.path.exists(path):
                os.unlink(path)
        raise Unusable(f"cannot write into `{folder}': {e.strerror}")
