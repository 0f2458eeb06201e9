#!/usr/bin/env python3
"""What `tgc check --device' does, in two halves: built where nvcc is, run where the GPU is.

    bench/gpu_harness.py build DIR [ARCH]      makes DIR/gpu_harness (default sm_90); needs no GPU
    bench/gpu_harness.py run DIR [SIZE ..]     runs every variant against the sequential codelet; a line for each
                                               failure, and how many runs there were; status 1 when any failed
"""
import concurrent.futures, os, subprocess, sys, tempfile

from bench import FILE, NAME
from record import parse_json

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SIMT = os.path.join(ROOT, "runtime", "simt")
SIZES = "0 1 2 31 33 255 1025 4097 65537 1000003 33554431".split()
SEEDS, ORDERS, TIMEOUT, A_UNIT = "2", "2", "60", 8
PROMISES = {"not_guaranteed": "NOTHING", "run_to_run": "RUN_TO_RUN", "gpu_to_gpu": "GPU_TO_GPU",
            "sequential": "SEQUENTIAL"}


def manifest(folder):
    """The manifest; its names go into texts that are compiled."""
    path = os.path.join(folder, "manifest.json")
    try:
        with open(path, encoding="utf-8") as f:
            m = parse_json(f.read())
        names = [m["spectrum"], m["operator"] or "none", *m["types"]]
        for v in m["variants"]:
            names += [v["id"], *v["functions"], *v["functions"].values()]
            assert FILE.fullmatch(v["file"]) and v["determinism"] in PROMISES
        assert all(NAME.fullmatch(name) for name in names) and isinstance(m["workspace_head"], int)
    except OSError as e:
        sys.exit(f"gpu_harness: cannot read `{path}': {e.strerror}")
    except (AssertionError, AttributeError, KeyError, TypeError, ValueError):
        sys.exit(f"gpu_harness: `{path}' is no manifest of tgc's that this reads; write the folder again")
    return m


def prologue(folder):
    types = os.path.join(folder, "check", "types.h")
    return '#include "check/harness.h"\n' + (f'#include "{types}"\n' if os.path.exists(types) else "")


def operand_rows(operands):
    """What the functions take, as the harness has it (check::Operand): in, n, out need no table."""
    def number(name):
        return next((i for i, o in enumerate(operands) if o["name"] == name), -1)

    def numbers(names, count):
        return "{" + ", ".join(map(str, ([number(n) for n in names] + [-1] * count)[:count])) + "}"
    means = {"elements": "ELEMENTS", "rows": "ROWS", "columns": "COLUMNS", "leading": "LEADING", "number": "COUNT"}
    text = "static const check::Operand operand_rows[] = {\n"
    for o in operands:
        flags = ", ".join("true" if o[key] else "false" for key in ("by_columns", "read", "written"))
        text += (f'  {{"{o["name"]}", check::{o["kind"].upper()}, {numbers(o["sizes"], 3)}, {flags}, '
                 f'check::{(o["holds"] or "data").upper()}, {number(o["into"])}, check::{means.get(o["means"], "NO_SIZE")}, '
                 f'{numbers(o["factors"], 2)}, {o.get("times", int(bool(o["factors"])))}, {o["plus"]}}},\n')
    return text + (f"}};\nstatic const check::Operands operands = {{operand_rows, {len(operands)}}};\n"
                   "#undef CHECK_OPERANDS\n#define CHECK_OPERANDS &operands\n")


def references(folder, m):
    name, own = m["spectrum"], any(v["determinism"] == "sequential" for v in m["variants"])
    text = prologue(folder) + f'#include "{folder}/check/reference.cc"\n'
    text += ('#ifndef CHECK_OPERATION\n#define CHECK_OPERATION "%s"\n#define CHECK_EXAMPLE(function) nullptr\n'
             '#define CHECK_STATE nullptr\n#endif\n#ifndef CHECK_SIGNED_ZEROS\n#define CHECK_SIGNED_ZEROS false\n#endif\n'
             '#ifndef CHECK_BOUND\n#define CHECK_BOUND(function) nullptr\n#endif\n' % (m["operator"] or ""))
    text += ("const check::Layout *const check::state = CHECK_STATE;\n"
             "const char *const check::operation = CHECK_OPERATION;\n"
             "const bool check::zeros_have_signs = CHECK_SIGNED_ZEROS;\n"
             f"const size_t check::workspace_head = {m['workspace_head']};\n" +
             (operand_rows(m["operands"]) if m.get("operands") else "") +
             "const check::Reference check::references[] = {\n")
    for t in m["types"]:
        bits = f"CHECK_OWN({name}_sequential_{t})" if own else "nullptr"
        text += f'  CHECK_BOUNDED("{t}", {name}_reference_{t}, CHECK_BOUND({name}_bound_{t}), {bits}, CHECK_EXAMPLE({name}_example_{t})),\n'
    return text + f"}};\nconst int check::reference_count = {len(m['types'])};\n"


def entries(folder, variants):
    text, rows = prologue(folder), 0
    for v in variants:
        text += f'#include "{folder}/{v["file"]}"\n'
    text += "extern const check::Entry UNIT[];\nconst check::Entry UNIT[] = {\n"
    for v in variants:
        for t, function in v["functions"].items():
            text += f'  CHECK_VARIANT("{v["id"]}", "{t}", check::{PROMISES[v["determinism"]]}, {function}),\n'
            rows += 1
    return text + "};\n", rows


def build(folder, arch="sm_90"):
    m = manifest(folder)
    with tempfile.TemporaryDirectory() as work:
        def compile_one(name, text, device):
            source, out = os.path.join(work, name), os.path.join(work, name + ".o")
            open(source, "w").write(text)
            kind = ["-x", "cu"] if device else ["-Xcompiler", "-ffp-contract=off"]
            words = ["nvcc", "-std=c++17", "-O2", "-arch", arch, "-I", SIMT, *kind]
            subprocess.run([*words, "-c", source, "-o", out], check=True)
            return out

        jobs = [("references.cc", references(folder, m), False)]
        for part in ("harness", "problem", "data", "layout"):
            jobs.append((f"{part}.cc", f'#include "{SIMT}/check/{part}.cc"\n', False))
        table, total = "", 0
        for i in range(0, len(m["variants"]), A_UNIT):
            text, rows = entries(folder, m["variants"][i:i + A_UNIT])
            jobs.append((f"unit{i}.cc", text.replace("UNIT", f"unit{i}"), True))
            table += f"unit{i} {rows}\n"
            total += rows
        units = [line.split() for line in table.splitlines()]
        # One table of all units' rows: constant data, copied when the program starts.
        text = '#include "check/harness.h"\n#include <string.h>\n'
        text += "".join(f"extern const check::Entry {u}[];\n" for u, _ in units)
        text += f"alignas(check::Entry) char all_entries[{total} * sizeof(check::Entry)];\n"
        text += "struct Fill { Fill() {\n  char *to = all_entries;\n"
        for u, rows in units:
            text += f"  memcpy(to, {u}, {rows} * sizeof(check::Entry)); to += {rows} * sizeof(check::Entry);\n"
        text += "} };\nFill fill;\n"
        jobs.append(("table.cc", text, False))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            objects = list(pool.map(lambda j: compile_one(*j), jobs))
        symbols, program = "--defsym=_ZN5check7entriesE=all_entries", os.path.join(folder, "gpu_harness")
        text = f'#include "check/harness.h"\nconst int check::entry_count = {total};\n'
        count = compile_one("count.cc", text, False)
        subprocess.run(["nvcc", "-arch", arch, *objects, count, "-Xlinker", symbols, "-o", program], check=True)
    print(f"built {folder}/gpu_harness for {arch}: {len(m['variants'])} variants")


def run(folder, sizes):
    m, failed, runs = manifest(folder), 0, 0
    program = os.path.join(folder, "gpu_harness")

    def one(v):
        return v, subprocess.run([program, v["id"], SEEDS, ORDERS, TIMEOUT, *sizes], text=True, capture_output=True)

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for v, done in pool.map(one, m["variants"]):
            lines = done.stdout.splitlines()
            bad = [line for line in lines if line.startswith("fail")]
            ended = [line for line in lines if line.startswith("done")]
            runs += int(ended[0].split()[1]) if ended else 0
            if bad or not ended or done.returncode:
                failed += 1
                print(v["id"], v["plan"], *(bad[:2] or [f"status {done.returncode}", done.stderr[-300:]]), sep="\n  ")
    print(f"{m['spectrum']}: {len(m['variants']) - failed} of {len(m['variants'])} variants right in {runs} runs "
          f"({', '.join(m['types'])})")
    return failed


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in ("build", "run"):
        sys.exit(__doc__)
    folder = os.path.abspath(sys.argv[2])
    if sys.argv[1] == "build":
        build(folder, *sys.argv[3:4])
    else:
        sys.exit(1 if run(folder, sys.argv[3:] or SIZES) else 0)
