#!/usr/bin/env python3
"""Compares spectra whose results are arrays, in all their variants, with the libraries that do the same, on the GPU at
hand, and writes tables of the best variant for each range of sizes.

FOLDER is what `tgc FILE.cdl --arch NAME -o FOLDER' wrote, or holds such folders. Builds a program for each with nvcc,
runs them one after the other, prints a table. Into --results go arrays.jsonl, all that was measured, arrays.txt, the
same for people, arrays-*.svg, plots of it, and NAME.table for spectra whose variant follows from one size. Exit status:
0 done, 1 an error or a wrong result, 2 misuse of the command line.
"""
import argparse, concurrent.futures, datetime, hashlib, itertools, json, math, os, queue, re
import signal, subprocess, sys, threading, time

sys.dont_write_bytecode = True

import arrays_table, drawing, nvcc_build, torch_sum
from record import Unusable, parse_json, write_all


class Workload:
    """name: of its source, gpu/arrays_NAME.cu, and of what calls its peers, gpu/arrays_NAME_peers.cu (none: it calls
    them itself); promise: the least determinism of the variants that are timed, which is what the library promises of
    floats; define: what the sources are compiled with; link: what the program is linked with."""

    def __init__(self, name, promise, define=(), link=()):
        self.source, self.peers = f"arrays_{name}.cu", None if link else f"arrays_{name}_peers.cu"
        self.promise, self.define, self.link = promise, list(define), list(link)


WORKLOADS = {  # by spectrum
    "sum": Workload("sum", "run_to_run"),
    "inclusive_scan": Workload("scan", "not_guaranteed"),
    "exclusive_scan": Workload("scan", "not_guaranteed", ["-DEXCLUSIVE=1"]),
    "vadd": Workload("map", "not_guaranteed"),
    "axpy": Workload("map", "not_guaranteed"),
    "dot": Workload("dot", "run_to_run"),
    "gemv": Workload("gemv", "run_to_run", link=["-lcublas"]),
    "segmented_sum": Workload("segmented", "run_to_run"),
    "segmented_scan": Workload("segmented_scan", "run_to_run"),
    "histogram": Workload("histogram", "not_guaranteed"),
}
PROMISES = ("not_guaranteed", "run_to_run", "gpu_to_gpu", "sequential")  # the weakest first
THREADS, LOADS = (128, 256, 512, 1024), (1, 2, 4, 8, 16)
SCANNER_LOADS = (4, 6, 8, 10, 12)  # rows of tiles that wait in registers
QUICK_THREADS, QUICK_LOADS = (256, 512), (2, 4)
MOST_LOADS = 8192  # of a block at a time: more do not fit into its registers
MOST_RESTARTS = 12
CCCL = (("cub",), ("thrust",), ("libcudacxx", "include"))  # what of its checkout is included
BROKEN = "broken.json"  # which variants did not compile, and why


def sizes(text):
    try:
        torch_sum.exponents(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"wants powers of 2 from 1 to 34, like 8..29 or 10,16,20..24, not `{text}'")
    return text


def positive(text):
    if not text.isdigit() or not 0 < int(text) < 100000:
        raise argparse.ArgumentTypeError(f"wants a number from 1 on, not `{text}'")
    return int(text)


def numbers(text):
    if not re.fullmatch(r"[1-9]\d{0,3}(,[1-9]\d{0,3})*", text):
        raise argparse.ArgumentTypeError(f"wants numbers from 1 on, like 1,2,8, not `{text}'")
    return tuple(map(int, text.split(",")))


def read_arguments(argv):
    p = argparse.ArgumentParser(prog="arrays.py", description=__doc__, allow_abbrev=False,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("folders", metavar="FOLDER", nargs="+")
    p.add_argument("--only", metavar="LIST", help="of these, the folders of such names, or else of such spectra")
    p.add_argument("--types", metavar="LIST", help="element types (all that a folder has)")
    p.add_argument("--sizes", metavar="LIST", type=sizes,
                   help="powers of 2, like 8..29 or 10,16,20..24 (the workload's)")
    p.add_argument("--quick", action="store_true", help="a look: every fourth size, fewer configurations and rounds")
    p.add_argument("--all", action="store_true",
                   help="also plans that exchange without shuffles, load one by one, or promise less")
    p.add_argument("--variants", metavar="LIST", help="of these variants alone, by their ids")
    p.add_argument("--named", action="store_true",
                   help="only variants that the folder's table names, in the configurations that it names; those of "
                   "--variants beside them")
    p.add_argument("--threads", metavar="LIST", type=numbers, help="lanes of a block that are tried, like 128,256")
    p.add_argument("--loads", metavar="LIST", type=numbers, help="loads in flight that are tried")
    p.add_argument("--rounds", metavar="N", type=positive, help="turns that each takes (9)")
    p.add_argument("--promise", metavar="NAME", choices=PROMISES,
                   help="the least determinism of the variants that are timed (what the library promises)")
    p.add_argument("--arch", metavar="NAME", help="what nvcc compiles for (the folder's)")
    p.add_argument("--build", metavar="DIR", help="where objects are kept (build-arrays beside the first folder)")
    p.add_argument("--build-only", action="store_true", help="build, and run nothing: needs no GPU")
    p.add_argument("--jobs", metavar="N", type=positive, default=os.cpu_count() or 1, help="compilations at a time")
    p.add_argument("--timeout", metavar="SECONDS", type=positive, default=120, help="for each program (120)")
    p.add_argument("--stall", metavar="SECONDS", type=positive, default=20, help="for one attempt of it (20)")
    p.add_argument("--max-seconds", metavar="N", type=positive,
                   help="for all programs: each gets its share of what is left, and what was measured is written")
    p.add_argument("--cccl", metavar="DIR",
                   help="a checkout of CCCL, whose CUB and thrust compete beside the toolkit's")
    p.add_argument("--results", metavar="DIR", default="arrays-results", help="(arrays-results)")
    o = p.parse_args(argv)
    o.rounds = o.rounds or (5 if o.quick else 9)
    o.sizes = o.sizes or (",".join(map(str, range(8, 30, 4))) if o.quick else None)
    return o


# ---- what is to be measured ----

class Folder:
    """A folder that tgc wrote; which variants take part, and in which configurations."""

    def __init__(self, path, o):
        self.path, self.name = os.path.abspath(path), os.path.basename(os.path.abspath(path))
        try:
            with open(os.path.join(path, "manifest.json"), encoding="utf-8") as f:
                self.manifest = m = parse_json(f.read())
            self.spectrum, self.machine = m["spectrum"], m["machine"]
            self.algorithm = m.get("algorithm") or self.spectrum  # what it computes, whatever the library is called
            self.types = [t for t in m["types"] if not o.types or t in o.types.split(",")]
            named = {row["variant"] for row in m["dispatch"]}
            if self.algorithm not in WORKLOADS:
                raise Unusable(f"of `{self.name}' there is no workload; there are {', '.join(WORKLOADS)}")
            self.workload = WORKLOADS[self.algorithm]
            self.promise = o.promise or max(self.workload.promise, self.kept(m["variants"]), key=PROMISES.index)
            self.taken = [v for v in m["variants"] if o.all or v["id"] in named or self.is_worthwhile(v)]
            listed = o.variants.split(",") if o.variants else []
            if o.named or listed:
                self.taken = [v for v in m["variants"] if v["id"] in listed or (o.named and v["id"] in named)]
        except OSError as e:
            raise Unusable(f"cannot read the manifest of `{path}': {e.strerror}")
        except (AttributeError, ValueError, KeyError, TypeError):
            raise Unusable(f"`{path}' has no manifest of tgc that this script reads; write the folder again")
        self.broken = {}  # id: why it does not compile

    def configurations(self, variant, o):
        """Values of the tunables that its text is compiled for, in their order, the variant's own first."""
        compiled = [t for t in variant["tunables"] if t["bind"] == "compile"]
        rows = [{}] + [row for row in self.manifest["dispatch"] if row["variant"] == variant["id"]]
        tried = [tuple(row.get(t["name"]) or t["default"] for t in compiled) for row in rows]
        if o.named and variant["id"] not in (o.variants or "").split(","):
            return list(dict.fromkeys(tried[1:]))
        of_loads = QUICK_LOADS if o.quick else SCANNER_LOADS if "!scanner" in variant["plan"] else LOADS
        values = {"threads": o.threads or (QUICK_THREADS if o.quick else THREADS), "loads": o.loads or of_loads}
        of_each = [within(t, values.get(t["name"], ())) for t in compiled]  # of codelets' own: the default
        in_flight = [i for i, t in enumerate(compiled) if t["name"] in values]
        tried += [one for one in itertools.product(*of_each) if math.prod(one[i] for i in in_flight) <= MOST_LOADS]
        return list(dict.fromkeys(tried))

    @staticmethod
    def kept(variants):
        """What all variants promise."""
        return min((v["determinism"] for v in variants), key=PROMISES.index, default=PROMISES[0])

    @staticmethod
    def has_loads(variant):
        """Whether a lane has several loads under way."""
        return "ilp" in variant["plan"] or any(t["name"] == "loads" for t in variant["tunables"])

    def is_worthwhile(self, variant):
        """Lanes exchange by shuffles if at all, a lane has several loads in flight (if any variant's has) or a part to
        itself, and the promise is kept."""
        exchanges = [c for c in variant["choices"] if c["what"] == "exchange"]
        loads = self.has_loads(variant) or "each/all-threads(" in variant["plan"]
        loads = loads or not any(self.has_loads(v) for v in self.manifest["variants"])
        kept = PROMISES.index(variant["determinism"]) >= PROMISES.index(self.promise)
        return kept and loads and all(c["choice"] != "shared memory" for c in exchanges)

    def spread(self):
        """The variants that take a number of blocks."""
        return [v["id"] for v in self.taken if any(t["name"] == "blocks" and t["max"] >= 1024 for t in v["tunables"])]


def within(tunable, values):
    fit = [x for x in values if tunable["min"] <= x <= tunable["max"] and x % tunable["multiple"] == 0
           and x in tunable.get("values", [x])]
    return fit or [tunable["default"]]


def find_folders(o):
    paths = []
    for path in o.folders:
        inner = sorted(e.path for e in os.scandir(path) if e.is_dir()) if os.path.isdir(path) else []
        if os.path.exists(os.path.join(path, "manifest.json")):
            paths.append(path)
        else:
            paths += [p for p in inner if os.path.exists(os.path.join(p, "manifest.json"))]
    folders = [Folder(p, o) for p in paths]
    names = {f.name for f in folders}
    if o.only:
        folders = [f for name in o.only.split(",") for f in folders
                   if f.name == name or (name in (f.spectrum, f.algorithm) and name not in names)]
    if not folders:
        raise Unusable("there is no folder that tgc wrote, or none that was picked")
    return folders


# ---- building ----

def configured_source(variant, configurations):
    """A source that has a variant compiled for these configurations."""
    calls = " ".join(f"C({', '.join(map(str, one))})" for one in configurations)
    return f"#define {variant['configurations_macro']}(C) {calls}\n#include \"{variant['file']}\"\n"


def stub(folder, ids):
    """C that stands for variants that take no part: they have no configuration, and say so."""
    lines = ["/* Variants that were not compiled. */"]
    for i in ids:
        name = f"{folder.spectrum}_{i}"
        lines.append(f"const struct {{ int threads, loads; long long blocks; }} {name}_configurations[1];")
        lines += [f"int {name}_{t}(void) {{ return 801; /* cudaErrorNotSupported */ }}" for t in
                  folder.manifest["types"]]
    return "\n".join(lines) + "\n"


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


class Builder:
    """The programs of all folders: what they are made of is compiled in one go, as many at a time as there are cores.
    A variant that does not compile is taken down and left out. Where the programs are fresh, their objects need not be
    there: they can be carried to a machine without nvcc, with their stamps and broken.json."""

    def __init__(self, folders, o):
        first = os.path.abspath(o.folders[0])
        self.o, self.folders = o, folders
        self.root = os.path.abspath(o.build or os.path.join(os.path.dirname(first), "build-arrays"))
        self.here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "gpu")
        self.builds = {f.name: nvcc_build.Build(os.path.join(self.root, f.name), lambda text: None) for f in folders}
        self.cccl = [os.path.join(o.cccl, *part) for part in CCCL] if o.cccl else []
        self.version = [os.path.join(o.cccl, *CCCL[0], "cub", "version.cuh")] if o.cccl else []
        for path in self.cccl + self.version:
            if not os.path.exists(path):
                raise Unusable(f"`{o.cccl}' is no checkout of CCCL: `{path}' is missing")

    def arguments(self, folder):
        return ["-std=c++17", "-O3", f"-arch={self.o.arch or folder.machine}", f"-I{folder.path}", f"-I{self.here}"]

    def peers(self):
        """[(what an object is called by, include paths, texts that tell its version)] of the libraries' versions."""
        others = [("cccl", [f"-I{path}" for path in self.cccl], self.version)] if self.cccl else []
        return [("toolkit", [], []), *others]

    def job(self, folder, name, arguments, inputs):
        build = self.builds[folder.name]
        words = [*self.arguments(folder), *arguments]
        return build.make, (name, words, build.stamp(words, inputs))

    def jobs_of(self, folder):
        """[(key, make, its arguments)], the longest first: keys are variants' ids, or names of objects, those that are
        only in one type's program with that behind a colon."""
        header = os.path.join(folder.path, folder.spectrum + ".h")
        shared = [os.path.join(self.here, n) for n in sorted(os.listdir(self.here))
                  if n.endswith(".h") and (n.startswith("arrays") or n in ("measure.h", "peers.h"))]
        source = os.path.join(self.here, folder.workload.source)
        peers = folder.workload.peers and os.path.join(self.here, folder.workload.peers)
        operands = folder.manifest.get("operands") or []
        by_columns = ["-DBY_COLUMNS=1"] if any(a.get("by_columns") for a in operands) else []
        for t in folder.types:
            words = [f'-DSPECTRUM_HEADER="{folder.spectrum}.h"', f"-DSPECTRUM={folder.spectrum}", f"-DTYPE={t}",
                     *folder.workload.define, *by_columns, "-c"]
            for which, include, version in self.peers() if peers else []:
                yield (f"peers_{which}:{t}", *self.job(folder, f"peers_{which}_{t}.o", [*include, *words, peers],
                                                       [peers, header, *shared, *version]))
            yield f"workload:{t}", *self.job(folder, f"workload_{t}.o", [*words, source], [source, header, *shared])
        main = os.path.join(self.here, "arrays.cu")
        yield "arrays", *self.job(folder, "arrays.o", ["-c", main], [main, *shared])
        for v in folder.taken:
            path = self.builds[folder.name].path(f"variant_{v['id']}.cu")
            write(path, configured_source(v, folder.configurations(v, self.o)))
            text = os.path.join(folder.path, v["file"])
            yield v["id"], *self.job(folder, f"variant_{v['id']}.o", ["-c", path], [path, text])
        dispatch = os.path.join(folder.path, folder.spectrum + ".cu")
        yield "dispatch", *self.job(folder, "dispatch.o", ["-c", dispatch], [dispatch, header])

    @staticmethod
    def is_in(key, kind):
        """Whether an object is part of the program of this type."""
        return ":" not in key or key.endswith(":" + kind)

    def compile(self, pool, folders, jobs):
        """{folder's name: {key: its path}}"""
        running = [(f, key, pool.submit(make, *arguments)) for f in folders for key, make, arguments in jobs[f.name]]
        made = {f.name: {} for f in folders}
        ids = {f.name: {v["id"] for v in f.taken} for f in folders}
        for folder, key, job in running:
            try:
                path = job.result()
                made[folder.name][key] = path
            except Unusable as why:
                if key not in ids[folder.name]:
                    for _, _, other in running:
                        other.cancel()
                    raise
                folder.broken[key] = str(why).splitlines()[0]
        return made

    def stamp_of(self, folder, jobs, kind):
        """Of a program: of all that its objects are made of."""
        parts = [f"{key} {arguments[2]}" for key, _, arguments in jobs if self.is_in(key, kind)]
        return hashlib.sha256("\n".join([*sorted(parts), *folder.workload.link]).encode()).hexdigest()

    def recall(self, folder, jobs):
        """Whether all programs of a folder are fresh; then also what did not compile when they were built."""
        build, broken = self.builds[folder.name], self.builds[folder.name].path(BROKEN)
        fresh = all(build.is_fresh(build.path(f"arrays_{t}"), self.stamp_of(folder, jobs, t)) for t in folder.types)
        try:
            with open(broken, encoding="utf-8") as f:
                folder.broken = parse_json(f.read()) if fresh else {}
        except (OSError, ValueError):
            return False
        return fresh

    def link(self, folder, objects, jobs, kind):
        build = self.builds[folder.name]
        absent = [v["id"] for v in folder.manifest["variants"] if v["id"] not in objects]
        source = build.path("absent.c")
        write(source, stub(folder, absent))
        objects = [path for key, path in objects.items() if self.is_in(key, kind)]
        words = [*self.arguments(folder), *objects, source, *folder.workload.link]
        return build.make(f"arrays_{kind}", words, self.stamp_of(folder, jobs, kind))

    def programs(self):
        """[(folder, type, path)]"""
        with concurrent.futures.ThreadPoolExecutor(self.o.jobs) as pool:
            jobs = {f.name: list(self.jobs_of(f)) for f in self.folders}
            stale = [f for f in self.folders if not self.recall(f, jobs[f.name])]
            made = self.compile(pool, stale, jobs)
            for f in stale:
                write(self.builds[f.name].path(BROKEN), json.dumps(f.broken))
            linked = [pool.submit(self.link, f, made[f.name], jobs[f.name], t) for f in stale for t in f.types]
            for job in linked:
                job.result()
        return [(f, t, self.builds[f.name].path(f"arrays_{t}")) for f in self.folders for t in f.types]


# ---- running ----

class Attempt:
    """One run of a program: its lines, and the last thing it tried."""

    def __init__(self, command, deadline, stall, take):
        self.trying = self.done = None
        self.late = self.stalled = False
        lines, said = queue.Queue(), []
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                              start_new_session=True) as p:
            readers = [threading.Thread(target=self.hand_on, args=(p.stdout, lines)),
                       threading.Thread(target=lambda: said.append(p.stderr.read()))]
            for r in readers:
                r.start()
            try:
                self.follow(lines, deadline, stall, take)
            except BaseException:
                self.stalled = True
                raise
            finally:
                if self.late or self.stalled:
                    os.killpg(p.pid, signal.SIGKILL)
                for r in readers:
                    r.join()
        self.status, self.said = p.returncode, said[0].strip()

    @staticmethod
    def hand_on(stream, lines):
        for line in stream:
            lines.put(line)
        lines.put(None)

    def follow(self, lines, deadline, stall, take):
        while True:
            left = deadline - time.monotonic()
            try:
                line = lines.get(timeout=max(0.01, min(stall, left)))
            except queue.Empty:
                self.late, self.stalled = left <= stall, left > stall
                return
            if line is None:
                return
            self.take(line, take)

    def take(self, line, take):
        try:
            row = parse_json(line)
        except ValueError:  # cut off where it died
            return
        if row["kind"] == "trying":
            self.trying = row
        else:
            if row["kind"] == "done":
                self.done, self.trying = row, None
            take(row)


def key_of(row):
    if row["role"] != "variant":
        return row["name"]
    return f"{row['id']}:{row['threads']}:{row['loads']}" + (f":{row['blocks']}" if row["blocks"] else "")


def run_program(o, folder, program, seconds, take):
    """Runs it, and once more without what it died of. Failures are rows like the program's own."""
    flags = ["--rounds", str(o.rounds)] + (["--sizes", o.sizes] if o.sizes else [])
    flags += ["--promise", folder.promise]
    flags += [word for i in folder.spread() for word in ("--spread", i)]
    deadline, skipped, after = time.monotonic() + seconds, [], []
    for _ in range(MOST_RESTARTS):
        skips = [word for key in skipped for word in ("--skip", key)]
        a = Attempt([program, *flags, *skips, *after], deadline, o.stall, take)
        if a.done:
            after = ["--after", f"{a.done['group']}/{a.done['shape']}"]
        if a.late:
            take({"kind": "failure", "role": "program", "name": "the time was up", "when": "", "shape": "", "group": "",
                  "what": f"{seconds:.0f} s"})
            return
        if not a.stalled and a.status in (0, 1):
            return
        if not a.trying:
            raise Unusable(f"the program of {folder.spectrum} ended with status {a.status}: {a.said or 'no message'}")
        said = a.said.splitlines()[-1] if a.said else f"status {a.status}"
        what = f"no end within {o.stall} s" if a.stalled else said
        take({**a.trying, "kind": "failure", "when": "hangs" if a.stalled else "dies", "what": what})
        skipped.append(key_of(a.trying))


def measure(o, programs):
    """Runs them, and writes the results after each; returns the rows of each program: [(folder, type, rows)]."""
    measured = []
    end = time.monotonic() + (o.max_seconds or math.inf)
    for i, (folder, kind, program) in enumerate(programs):
        rows, start = [], time.monotonic()
        seconds = min(o.timeout, max(0, end - start) / (len(programs) - i))
        take = rows.append
        for i, why in folder.broken.items():
            take({"kind": "failure", "role": "variant", "name": "variant", "id": i, "threads": 0, "loads": 0,
                  "blocks": 0, "group": "", "shape": "", "when": "compile", "what": why})
        try:
            run_program(o, folder, program, seconds, take)
        except Unusable as why:
            take({"kind": "failure", "role": "program", "name": folder.name, "group": "", "shape": "", "when": "",
                  "what": str(why)})
        measured.append((folder, kind, rows))
        print(arrays_table.text(folder, kind, rows), end="", flush=True)
        print(f"  ({time.monotonic() - start:.0f} s)", flush=True)
        write_results(o, measured)
    without = drawing.run("arrays_plot.py", os.path.join(o.results, "arrays.jsonl"))
    if without:
        print(without)
    written = [n for n in os.listdir(o.results) if n.startswith("arrays") or n.endswith(".table")]
    print(f"written into {o.results}: {', '.join(sorted(written))}")
    return measured


def write_results(o, measured):
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
    lines = [{"kind": "run", "date": date, "named": o.named}]
    lines += [{"folder": f.name, "type": t, **row, **({"spectrum": f.algorithm} if "spectrum" in row else {})}
              for f, t, rows in measured for row in rows]
    texts = {"arrays.jsonl": "".join(json.dumps(line) + "\n" for line in lines),
             "arrays.txt": "".join(arrays_table.text(f, t, rows) for f, t, rows in measured)}
    if not o.quick:
        for folder in {f.name: f for f, _, _ in measured}.values():
            of_types = [(t, rows) for f, t, rows in measured if f is folder]
            table = arrays_table.ranges(folder.algorithm, of_types, date)
            if table:
                texts[f"{folder.algorithm}.table"] = table
    write_all(o.results, texts)
    return texts


def main():
    o = read_arguments(sys.argv[1:])
    try:
        folders = find_folders(o)
        start = time.monotonic()
        programs = Builder(folders, o).programs()
        print(f"built in {time.monotonic() - start:.0f} s: " + ", ".join(
            f"{f.name} {len(f.taken) - len(f.broken)} of {len(f.manifest['variants'])} variants" for f in folders),
            flush=True)
        for f in folders:
            for i, why in f.broken.items():
                print(f"FAILED: {f.spectrum} {i} does not compile: {why}")
        if o.build_only:
            print("\n".join(path for _, _, path in programs))
            return 1 if any(f.broken for f in folders) else 0
        measured = measure(o, programs)
        return 1 if any(row["kind"] == "failure" for _, _, rows in measured for row in rows) else 0
    except Unusable as why:
        print(f"arrays.py: error: {why}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("arrays.py: interrupted", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
