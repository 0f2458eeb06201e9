"""The sources that a check's harness is linked with (runtime/simt/check/harness.h), of one generated folder or of
several in one unit: tables of variants and references. Names are prefixed for each folder, and each program is linked
with those of its folder, so that many small folders cost one compilation.

Folders of one unit have spectra of different names, and no structs of the user's."""
import os
import sys

from bench import FILE, NAME
from record import parse_json

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SIMT = os.path.join(ROOT, "runtime", "simt")
PROMISES = {"not_guaranteed": "NOTHING", "run_to_run": "RUN_TO_RUN", "gpu_to_gpu": "GPU_TO_GPU",
            "sequential": "SEQUENTIAL"}
HARNESS = ("harness", "problem", "data", "layout", "lines")
TABLES = ("entries", "entry_count", "references", "reference_count", "operation", "states", "workspace_head",
          "zeros_have_signs", "numbers_alone")
MEANS = {"elements": "ELEMENTS", "rows": "ROWS", "columns": "COLUMNS", "leading": "LEADING", "number": "COUNT"}


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
        sys.exit(f"harness: cannot read `{path}': {e.strerror}")
    except (AssertionError, AttributeError, KeyError, TypeError, ValueError):
        sys.exit(f"harness: `{path}' is not a manifest of tgc that this reads; write the folder again")
    return m


def has_structs(folder):
    """Do its tables need what the harness knows of types to be extended? Then it has a unit of its own."""
    return os.path.exists(os.path.join(folder, "check", "types.h"))


def prologue(folders):
    types = [f'#include "{f}/check/types.h"\n' for f in folders if has_structs(f)]
    return '#include "check/harness.h"\n' + "".join(types)


def unsaid(m):
    """What a folder's reference may leave unsaid: forgotten before it, given after it."""
    usual = {"CHECK_OPERATION": f'"{m["operator"] or ""}"', "CHECK_EXAMPLE(function)": "nullptr",
             "CHECK_STATES": "", "CHECK_SIGNED_ZEROS": "false", "CHECK_NUMBERS_ALONE": "false",
             "CHECK_BOUND(function)": "nullptr",
             "CHECK_OPERANDS": "nullptr"}
    before, after = "", ""
    for macro, value in usual.items():
        name = macro.split("(")[0]
        before += f"#undef {name}\n"
        after += f"#ifndef {name}\n#define {macro} {value}\n#endif\n"
    return before, after


def operand_rows(operands, own):
    """What the functions take, as the harness has it (check::Operand): in, n, out need no table."""
    def number(name):
        return next((i for i, o in enumerate(operands) if o["name"] == name), -1)

    def numbers(names, count):
        return "{" + ", ".join(map(str, ([number(n) for n in names] + [-1] * count)[:count])) + "}"
    text = f"static const check::Operand {own}operand_rows[] = {{\n"
    for o in operands:
        flags = ", ".join("true" if o[key] else "false" for key in ("by_columns", "read", "written"))
        text += (f'  {{"{o["name"]}", check::{o["kind"].upper()}, {numbers(o["sizes"], 7)}, {flags}, '
                 f'check::{(o["holds"] or "data").upper()}, {number(o["into"])}, '
                 f'check::{MEANS.get(o["means"], "NO_SIZE")}, {numbers(o["factors"], 2)}, '
                 f'{o.get("times", int(bool(o["factors"])))}, {o["plus"]}, '
                 f'{number(o.get("addend"))}, {o.get("more", 0)}, '
                 f'{o.get("every", 0)}, {o.get("low", 0)}, {o.get("high", 0)}}},\n')
    return text + (f"}};\nstatic const check::Operands {own}operands = {{{own}operand_rows, {len(operands)}}};\n"
                   f"#undef CHECK_OPERANDS\n#define CHECK_OPERANDS &{own}operands\n")


def constants(*pairs):
    """Declarations and their values, as the harness links with them."""
    return "namespace check {\n" + "".join(f"extern const {d};\nconst {d} = {v};\n" for d, v in pairs) + "}\n"


def references(folder, m, own=""):
    """The sequential codelets of a folder, and what else the harness needs of it. own: the prefix of its names."""
    name, bits = m["spectrum"], any(v["determinism"] == "sequential" for v in m["variants"])
    before, after = unsaid(m)
    if has_structs(folder):  # check/types.h, which stands before, says some of it
        before = ""
    rows = "{\n"
    for t in m["types"]:
        same = f"CHECK_OWN({name}_sequential_{t})" if bits else "nullptr"
        rows += (f'  CHECK_BOUNDED("{t}", {name}_reference_{t}, CHECK_BOUND({name}_bound_{t}), {same}, '
                 f"CHECK_EXAMPLE({name}_example_{t})),\n")
    return (before + f'#include "{folder}/check/reference.cc"\n' + after +
            (operand_rows(m["operands"], own) if m.get("operands") else "") +
            constants((f"Layout *const {own}states[]", "{CHECK_STATES nullptr}"),
                      (f"char *const {own}operation", "CHECK_OPERATION"),
                      (f"bool {own}zeros_have_signs", "CHECK_SIGNED_ZEROS"),
                      (f"bool {own}numbers_alone", "CHECK_NUMBERS_ALONE"),
                      (f"size_t {own}workspace_head", m["workspace_head"]),
                      (f"Reference {own}references[]", rows + "}"), (f"int {own}reference_count", len(m["types"]))))


def other_threads(v, r):
    """Another number of threads than a GPU variant's default, of those that the manifest allows; 0: none."""
    t = next((t for t in v["tunables"] if t["name"] == "threads" and t["bind"] == "compile"), None)
    if not t or not v.get("configurations_macro"):
        return 0
    right = t.get("values") or range(t["min"], min(t["max"], 512) + 1, t["multiple"])
    return r.choice([n for n in right if n != t["default"]] or [0])


def configured(v, spectrum, threads, own):
    """A variant's text that is compiled for so many lanes too: what stands before it, and after it."""
    usual = {t["name"]: t["default"] for t in v["tunables"] if t["bind"] == "compile"}
    rows, loads = [usual, {**usual, "threads": threads}], usual.get("loads", 0)
    macro = "".join(f" C({', '.join(map(str, row.values()))})" for row in rows)
    return (f"#define {v['configurations_macro']}(C){macro}\n",
            f"static const {spectrum}_configuration {own}{v['id']}_configurations[] = "
            f"{{{{{usual['threads']}, {loads}, 0}}, {{{threads}, {loads}, 0}}, {{0, 0, 0}}}};\n")


def entries(folder, m, variants, own="", r=None):
    """Some of a folder's variants and their table: of a GPU their texts, of a CPU what is declared of them. r: a
    random.Random by which GPU variants are compiled for another number of lanes as well."""
    native = m.get("family") == "cpu"
    text, rows, count = "", "{\n", 0
    if native:
        text += f'#include "{folder}/{m["spectrum"]}.h"\nextern "C" {{\n'
    for v in variants:
        threads = other_threads(v, r) if r and not native else 0
        if not native:
            before, after = configured(v, m["spectrum"], threads, own) if threads else ("", "")
            text += f'{before}#include "{folder}/{v["file"]}"\n{after}'
        else:
            text += f'extern const {m["spectrum"]}_configuration {m["spectrum"]}_{v["id"]}_configurations[];\n'
        for t, function in v["functions"].items():
            if native:
                text += f'std::remove_pointer_t<decltype({m["spectrum"]}_variant::run_{t})> {function};\n'
            what = f'"{v["id"]}", "{t}", check::{PROMISES[v["determinism"]]}, {function}'
            table = f'{m["spectrum"] + "_" if native else own}{v["id"]}_configurations' if native or threads else ""
            rows += f"  CHECK_CONFIGURED({what}, {table}),\n" if table else f"  CHECK_VARIANT({what}),\n"
            count += 1
    return (text + ("}\n" if native else "") +
            constants((f"Entry {own}entries[]", rows + "}"), (f"int {own}entry_count", count)))


def link_words(own):
    """What the linker is told of a folder whose tables have names of their own."""
    return [f"--defsym=_ZN5check{len(t)}{t}E=_ZN5check{len(own + t)}{own + t}E" for t in TABLES]
