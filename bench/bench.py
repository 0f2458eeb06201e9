#!/usr/bin/env python3
"""Compares the library that tgc wrote into OUT with CUB, thrust::reduce and torch.sum on the GPU at hand; one for a CPU
with OpenMP's loops and OpenBLAS on this CPU.

Builds OUT and the comparison with nvcc, or this host's compilers, runs both in turns, checks every result, prints a
table, and writes NAME-<device>-<date>.json and .svg (of a CPU .csv). Exit status: 0 done, 1 an error or a wrong result,
2 misuse of the command line.
"""
import argparse, datetime, os, re, subprocess, sys

sys.dont_write_bytecode = True  # the installed folder stays as it is

import cpu, drawing, nvcc_build, running, targets, torch_sum
import record as records
from record import Unusable, are_rows, parse_json
from running import file_name, json_text, run_lines, say

OPERATORS = ("add", "mul", "max", "min", "and", "or", "xor", "user")
TYPES = ("float", "int", "int64", "double", "half", "bfloat16", "uint", "uint64", "int8", "uint8", "int16", "uint16")
NAME = re.compile("[A-Za-z0-9_]+")
FILE = re.compile("variants/[A-Za-z0-9_+-][A-Za-z0-9_.+-]*")
# A compiler's other options load plugins and run programs.
OPTIONS = re.compile(r"( *-m(fma|f16c|((arch|cpu|tune|prefer-vector-width)=|avx)[A-Za-z0-9_.+-]+)(?![^ ]))* *")
QUICK_SIZES = ",".join(map(str, range(6, 29, 2)))


def sizes(text):
    """"2^6..2^30" or "2^10,2^16..2^20" as the exponents that it names, "6..30"; exponents alone are accepted, too."""
    text = re.sub(r"(^|,|\.\.)2\^", r"\1", text)
    try:
        torch_sum.exponents(text)
    except ValueError:
        raise argparse.ArgumentTypeError("takes powers of two from 2^1 to 2^34, as in 2^6..2^30 or 2^10,2^16..2^24, "
                                         f"not `{text}'")
    return text


def positive(text):
    if not text.isdigit() or not 0 < int(text) < 100000:
        raise argparse.ArgumentTypeError(f"takes a number from 1 to 99999, not `{text}'")
    return int(text)


class Arguments(argparse.ArgumentParser):
    def error(self, message):
        print(f"tgc: error: {message}\nhint: `tgc help bench' lists its options", file=sys.stderr)
        sys.exit(2)


def read_arguments(argv):
    """`tgc bench' gives them in canonical spelling, --name=value; compiler/command/command.h has the table."""
    p = Arguments(prog="tgc bench", allow_abbrev=False, add_help=False)
    p.add_argument("out", nargs="?", default="out")
    for name in ("types", "results", "arch", "build", "flags", "color"):
        p.add_argument(f"--{name}")
    for name in ("odd", "variants", "quick", "build-only", "json", "quiet"):
        p.add_argument(f"--{name}", action="store_true")
    p.add_argument("--sizes", type=sizes)
    p.add_argument("--rounds", type=positive)
    p.add_argument("--timeout", type=positive)
    p.add_argument("--jobs", type=positive, default=os.cpu_count() or 1)
    o = p.parse_args(argv)
    o.build = o.build or os.path.join(o.out, "build-bench")
    o.results = o.results or os.path.join(o.out, "bench")
    running.quiet = o.quiet
    return o


def report(o, data, name, table, endings):
    """What a run ends with: the record, or a table and where the record is."""
    say("")
    if o.json:
        print(json_text(data), end="")
    else:
        print(table, end="")
        if not o.quiet:
            print(f"written: {os.path.join(o.results, name)}{' and '.join(endings)}")
    return 1 if data["failures"] else 0


# ---- what is to be compared ----

def read_manifest(out):
    path = os.path.join(out, "manifest.json")
    try:
        with open(path, encoding="utf-8") as f:
            m = parse_json(f.read())
    except OSError as e:
        raise Unusable(f"cannot read `{path}': {e.strerror}; `tgc FILE.cdl --arch NAME -o {out}' writes that folder")
    except ValueError as e:
        raise Unusable(f"the manifest `{path}' is no JSON: {e}; write the folder again")
    if not isinstance(m, dict) or m.get("generator") != "tgc":
        raise Unusable(f"`{path}' is not a manifest of tgc")
    if m.get("version") != 1:
        raise Unusable(f"`{path}' is of version {m.get('version')}, and this reads version 1; write the folder again")
    if isinstance(m.get("machines"), list):
        folders = ", ".join(os.path.join(out, str(one.get("folder"))) for one in m["machines"] if isinstance(one, dict))
        raise Unusable(f"`{out}' is of several machines; name one machine's folder: {folders}")
    try:
        assert all(isinstance(m[key], str) for key in ("spectrum", "machine")) and isinstance(m["types"], list)
        keys = ("id", "plan", "category", "determinism", "file")
        assert all(isinstance(v[key], str) for v in m["variants"] for key in keys)
        assert isinstance(m["variants"], list) and m["variants"] and isinstance(m["operator"], (str, type(None)))
        assert are_rows(m["dispatch"], variant=str) and are_rows(m.get("operands", []), name=str)
        names = [m["spectrum"], m["operator"] or "none", *m["types"], *(v["id"] for v in m["variants"])]
        assert all(isinstance(name, str) and NAME.fullmatch(name) for name in names)  # they go into texts and paths
        assert all(FILE.fullmatch(v["file"]) for v in m["variants"])
        assert OPTIONS.fullmatch(m.get("options") or "")
        dispatch_of(m, m["types"])
    except (AssertionError, AttributeError, KeyError, TypeError):
        raise Unusable(f"the manifest `{path}' lacks what tgc writes; write the folder again")
    if m.get("family") == "cpu":
        return m
    operands = m.get("operands", [])
    if operands and (len(operands) != 3 or operands[2].get("sizes")):
        raise Unusable(f"`{m['spectrum']}' is no reduction; bench/arrays.py compares some that are none")
    if m["operator"] not in OPERATORS:
        raise Unusable(f"`{m['spectrum']}' is not compared: its operator is {m['operator'] or 'unknown'}, and "
                       f"{', '.join(OPERATORS)} are")
    return m


def choose_types(o, manifest):
    compared = manifest["types"] if manifest["operator"] == "user" else TYPES
    if not o.types:
        found = [t for t in compared if t in manifest["types"]]
        if not found:
            raise Unusable(f"`{o.out}' has none of the element types that are compared: {', '.join(TYPES)}")
        return found
    chosen = list(dict.fromkeys(o.types.split(",")))
    for t in chosen:
        if t not in manifest["types"]:
            raise Unusable(f"`{o.out}' has no element type `{t}'; it has {', '.join(manifest['types'])}")
        if t not in compared:
            raise Unusable(f"`{t}' is not compared yet; {', '.join(TYPES)} are")
    return chosen


def dispatch_of(manifest, types):
    """The rows of the dispatch by type; a row without a type serves all."""
    rows = [(row, row["variant"], row["up_to"]) for row in manifest["dispatch"]]  # KeyError: not what tgc writes
    return {t: [row for row, _, _ in rows if row.get("type", t) == t] for t in types}


# ---- running ----

class Gathered:
    """What the programs printed, by kind."""

    def __init__(self):
        self.device, self.measurements, self.failures, self.torch, self.bytes = None, [], [], None, {}

    def take(self, row):
        kind = row.pop("kind")
        if kind == "device":
            self.device = row
        elif kind == "type":
            self.bytes[row["name"]] = row["bytes"]
        elif kind == "torch":
            self.torch = row["version"]
        else:
            (self.measurements if kind == "measurement" else self.failures).append(row)
            say(f"{row['contender']} {row['type']} {records.power(row['n'])}")


def run_comparison(o, program, gathered):
    flags = ["--odd"] * o.odd + ["--variants"] * o.variants
    command = [program, "--sizes", o.sizes, "--rounds", str(o.rounds), *flags]
    status, said = run_lines(command, o.timeout, gathered.take)
    if status not in (0, 1) or not gathered.device:
        raise Unusable(f"the comparison ended with status {status}: {said or 'no message'}")


def run_torch(o, types, gathered):
    """In a second process, so not in turns with the others. Returns a note for the record."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "torch_sum.py")
    check = subprocess.run([sys.executable, script, "--check"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           text=True)
    if check.returncode != 0:
        return f"torch.sum was not measured: {(check.stdout.strip().splitlines() or ['no torch'])[-1]}."
    flags = ["--types", ",".join(types), "--sizes", o.sizes, "--rounds", str(o.rounds)] + ["--odd"] * o.odd
    status, said = run_lines([sys.executable, script, *flags], o.timeout, gathered.take)
    if status != 0:
        return f"torch.sum was measured in part: {(said.splitlines() or ['no message'])[-1]}."
    return f"torch.sum ({gathered.torch}) was measured in a second process, after the others, not in turns with them."


# ---- the record ----

def make_record(manifest, types, gathered, notes):
    variants = {v["id"]: {"plan": v["plan"], "category": v["category"], "determinism": v["determinism"],
                          "words": records.plan_words(v["plan"])} for v in manifest["variants"]}
    return {"version": records.VERSION, "spectrum": manifest["spectrum"], "machine": manifest["machine"],
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"), "device": gathered.device,
            "operator": manifest["operator"], "bytes": gathered.bytes, "notes": notes, "variants": variants,
            "dispatch": dispatch_of(manifest, types),
            "measurements": gathered.measurements, "failures": gathered.failures}


def compare(o):
    out = os.path.abspath(o.out)
    manifest = read_manifest(o.out)
    if manifest.get("family") == "cpu":
        return cpu.compare(o, manifest, report)
    if o.flags:
        raise Unusable(f"`--flags' is for CPUs, and `{o.out}' is for {manifest['machine']}")
    o.sizes = o.sizes or (QUICK_SIZES if o.quick else "6..30")
    o.rounds = o.rounds or (5 if o.quick else 9)
    o.timeout = o.timeout or 600
    types = choose_types(o, manifest)
    arch, build = o.arch, os.path.abspath(o.build)
    probe = nvcc_build.probe_program(build, say)
    if not o.build_only:
        found, why = nvcc_build.probe(probe)
        if not found:
            raise Unusable(f"no GPU: {why}; `--build-only' builds without one")
        arch = arch or found
    arch = arch or nvcc_build.target(manifest["machine"])
    program = nvcc_build.comparison(build, out, manifest, types, arch, o.jobs, say)
    if o.build_only:
        print(f"built {program}")
        return 0
    gathered = Gathered()
    run_comparison(o, program, gathered)
    no_torch = "torch was not measured: only its sums are."
    notes = [run_torch(o, types, gathered) if manifest["operator"] == "add" else no_torch,
             "CUB reduces by the operator itself." if manifest["operator"] == "user" else
             "thrust::reduce takes its memory and waits at each call; measured up to 2^24."]
    if os.environ.get("TGC_VARIANT"):
        notes.append(f"TGC_VARIANT was {os.environ['TGC_VARIANT']}: the dispatch may not have chosen for itself.")
    data = make_record(manifest, types, gathered, notes)
    record = records.Record(data)
    name = file_name(o.results, data["spectrum"], data["device"]["name"], data["date"])
    records.write_all(o.results, {name + ".json": json_text(data)})
    path = os.path.join(o.results, name)
    without = drawing.run("plot.py", path + ".json", "-o", path + ".svg")
    if without:
        say(without)
    endings = (".json",) if without else (".json", ".svg")
    return report(o, data, name, records.table(record) + targets.text(record), endings)


def main():
    o = read_arguments(sys.argv[1:])
    try:
        return compare(o)
    except Unusable as why:
        say("")
        print(f"tgc: error: {why}", file=sys.stderr)
        return 1
    except OSError as why:  # a folder that cannot be written, a disk that is full
        say("")
        print(f"tgc: error: cannot write `{os.path.relpath(why.filename)}': {why.strerror}\n"
              "hint: `--build' and `--results' name other folders" if why.filename else
              f"tgc: error: {why.strerror}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        say("")
        print("tgc: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
