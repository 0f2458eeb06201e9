"""What follows from the rows of an array benchmark: the table for people, and the table of ranges for tgc."""
import math

NOISE = 0.01  # within so much of the best nobody can tell


class Shapes:
    """The measurements of a program by shape, in order of size; each has `best', `library', `ours', `bound' or None."""

    def __init__(self, rows):
        self.device = next((r for r in rows if r["kind"] == "device"), {})
        self.promise = next((r["promise"] for r in rows if r["kind"] == "workload"), "")
        self.all = {}
        for r in rows:
            key = (r.get("group"), r.get("shape"))
            if r["kind"] == "shape":
                self.all[key] = {"key": r["n"], **r, "rows": [], "dropped": False}
            elif r["kind"] == "dropped" and key in self.all:
                self.all[key]["dropped"] |= r["role"] == "ours"
            elif r["kind"] == "measurement" and key in self.all:
                self.all[key]["rows"].append(r)
        groups = list(dict.fromkeys(group for group, _ in self.all))
        self.all = dict(sorted(self.all.items(), key=lambda s: (groups.index(s[0][0]), s[1]["key"])))
        for s in self.all.values():
            self.judge(s)

    def judge(self, s):
        """The bound is a kernel that copies as many bytes, or, where little is written, only reads as many; where sums
        are to be made in order, also one that does that alone, if it takes longer."""
        def least(role, name=None):
            found = [r for r in s["rows"] if r["role"] == role and name in (None, r["name"])]
            return min(found, key=lambda r: r["us"], default=None)
        s["variants"] = [r for r in s["rows"] if r["role"] == "variant"]
        s["best"], s["ours"], s["library"] = least("variant"), least("ours"), least("library")
        s["copy"], s["read_all"] = least("bound", "copy"), least("bound", "read")
        s["order"] = least("bound", "order") if self.promise == "sequential" else None
        memory = s["copy"] if s["written"] > s["read"] / 4 else s["read_all"]
        s["bound"] = max((b for b in (memory, s["order"]) if b), key=lambda r: r["us"], default=None)


def configured(row):
    values = [row.get(key) or 0 for key in ("threads", "loads", "blocks")]
    while values and not values[-1]:
        values.pop()
    return f"{row['id']}({','.join(map(str, values))})"


def figure(row, width=9):
    return f"{row['us']:{width}.2f}" if row else "-".rjust(width)


def ratio(x, y, width=7):
    return f"{x['us'] / y['us']:{width}.2f}" if x and y else "-".rjust(width)


def part(bound, row):
    return f"{100 * bound['us'] / row['us']:5.0f}%" if bound and row else "-".rjust(6)


def names(rows):
    """Whose rows they are, each once, a few."""
    found = sorted({configured(r) if "id" in r else r["name"] for r in rows})
    return ", ".join(found[:6]) + (", .." if len(found) > 6 else "")


def text(folder, kind, rows):
    """A line for each shape, then what failed."""
    shapes = Shapes(rows)
    plans = {v["id"]: v["plan"] for v in folder.manifest["variants"]}
    lines = ["", f"{folder.name} {kind}, {shapes.promise}: microseconds per call in a graph of the function, the best "
             "variant and the fastest library; speedups over that; TB/s of the function, as a share of the bandwidth "
             "bound and of a copying kernel's; other libraries; the best variant",
             f"{'':>24} {'function':>9} {'variant':>9}  {'library':>32} {'function':>8} {'variant':>7} "
             f"{'TB/s':>6} {'bound':>6} {'copy':>6}  others; variant"]
    for (group, shape), s in shapes.all.items():
        best, ours = s["best"], s["ours"]
        speed = f"{(s['read'] + s['written']) / ours['us'] / 1e6:6.2f}" if ours else "-".rjust(6)
        library = (s["library"]["name"] if s["library"] else "-") + figure(s["library"], 10)
        others = "".join(f"{r['name']} {r['us']:.2f}; " for r in s["rows"] if r["role"] == "library"
                         and r is not s["library"])
        lines.append(f"{(group + ' ' + shape).strip():>24} {figure(ours)} {figure(best)}  {library:>32} "
                     f"{ratio(s['library'], ours, 8)} {ratio(s['library'], best, 7)} {speed} {part(s['bound'], ours)} "
                     f"{part(s['copy'], ours)}  {others}" +
                     (f"{configured(best)} {plans.get(best['id'], '')}" if best else "-"))
    failures = [r for r in rows if r["kind"] == "failure"]
    for f in failures[:40]:
        who = configured(f) + " " + plans.get(f["id"], "") if "id" in f else f["name"]
        lines.append(f"FAILED: {folder.name} {kind} {who} {f['group']} {f['shape']} {f['when']}: {f['what']}")
    for what, kind_of_row in (("refuse some sizes", "refused"),
                              ("were dropped at some sizes, being far too slow, and not measured there", "dropped")):
        found = [r for r in rows if r["kind"] == kind_of_row and "id" in r]
        if found:
            lines.append(f"  {len({configured(r) for r in found})} {what}: {names(found)}")
    for r in rows:
        if r["kind"] == "dropped" and "id" not in r:
            lines.append(f"  {r['name']} dropped at {(r['group'] + ' ' + r['shape']).strip()}: a call takes "
                         f"{r['us']:.0f} us, {r['us'] / r['best']:.0f} times as long as the best")
    if len(failures) > 40:
        lines.append(f"FAILED: {len(failures) - 40} more")
    return "\n".join(lines) + "\n"


# ---- ranges ----

def same(x, y):
    return x and y and all(x[key] == y[key] for key in ("id", "threads", "loads", "blocks"))


def rows_of_type(kind, shapes):
    """The best at each size, as long as it is not within the noise of the one before; between two sizes the border is
    their geometric mean."""
    rows, before, size = [], None, 0
    for s in shapes:
        found = s["best"]
        stays = next((r for r in s["variants"] if same(r, before)), None)
        if stays and stays["us"] <= found["us"] * (1 + NOISE):
            found = stays
        if not same(found, before):
            if rows:
                rows[-1][1] = str(int(math.sqrt(size * s["key"])))
            of = f" of {s['n']}" if s["key"] != s["n"] else ""
            rows.append([kind, "inf", found, f"at {s['key']}{of}: {found['us']:.2f} us in a graph"])
        before, size = found, s["key"]
    return rows


def ranges(spectrum, of_types, date):
    """The text of NAME.table; None when no shape is keyed by its size alone."""
    lines, device = [], {}
    for kind, rows in of_types:
        shapes = Shapes(rows)
        device = shapes.device or device
        wanted = sorted((s for s in shapes.all.values() if s["in_table"] and s["best"]), key=lambda s: s["key"])
        lines += rows_of_type(kind, wanted)
    if not lines:
        return None
    def version(number):
        return f"{number // 1000}.{number % 1000 // 10}"
    text = (f"# {spectrum}, measured on {device['name']}, compute capability {device['compute']}, driver "
            f"{version(device['driver'])}, CUDA {version(device['runtime'])}, {date}\n"
            "# type  up_to        variant           threads  loads  blocks\n")
    for kind, up_to, r, comment in lines:
        text += (f"{kind:<7} {up_to:<12} {r['id']:<17} {r['threads']:<8} {r['loads']:<6} {r['blocks']:<7} "
                 f"# {comment}\n")
    return text
