"""Builds a folder for a CPU together with the comparison, with this host's compilers; what is fresh stays."""
import collections, os, platform, shlex, shutil, subprocess

import nvcc_build
from record import Unusable

C_TYPES = {"float": "float", "double": "double", "int": "int", "uint": "unsigned", "int64": "long long",
           "uint64": "unsigned long long"}  # those that are compared
BYTES = {"float": 4, "double": 8, "int": 4, "uint": 4, "int64": 8, "uint64": 8}
MEANS = {None: "NO_SIZE", "elements": "ELEMENTS", "rows": "ROWS", "columns": "COLUMNS", "leading": "LEADING",
         "number": "COUNT"}

USUAL = ["threads", "loads", "blocks"]  # what every configuration has


def compiler(variable, usual):
    """A compiler's path: what the variable names, else the usual one."""
    named = os.environ.get(variable) or usual
    found = shutil.which(named)
    if not found:
        raise Unusable(f"cannot run `{named}': install a compiler of C and C++ with OpenMP, or name them in TGC_CC and "
                       "TGC_CXX")
    return found


class Build(nvcc_build.Build):
    """Commands begin with the compiler. What another compiler or CPU built is stale: it is compiled for this one."""

    def note_toolkit(self):
        self.cc, self.cxx = compiler("TGC_CC", "cc"), compiler("TGC_CXX", "c++")
        said = "".join(self.said_by([one, "--version"]) for one in (self.cc, self.cxx)) + platform.machine()
        try:
            with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as f:
                said += next((line for line in f if line.startswith("flags")), "")
        except OSError:
            pass
        self.note(said)

    @staticmethod
    def said_by(command):
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout

    def run(self, command):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                              stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            words = [os.path.basename(command[0]), *command[1:]]
            raise Unusable(f"{words[0]} failed: {nvcc_build.first_error(done.stdout)}\n  $ {shlex.join(words)}")


# ---- element types ----

def is_own(manifest):
    """Does it reduce by an operator of the user's?"""
    return manifest["operator"] == "user"


def element_bytes(manifest):
    """By element type, those of an operator's structs too."""
    structs = {s["name"]: s["bytes"] for s in manifest.get("structs", ())}
    named = {call["type"]: call["operands"][0] for call in manifest.get("calls", ())}
    return {t: BYTES.get(named.get(t, t), structs.get(named.get(t))) for t in manifest["types"]}


def element_types(manifest):
    """Those that are compared: C's numbers, and the structs of an operator."""
    if not is_own(manifest):
        return [t for t in C_TYPES if t in manifest["types"]]
    return [t for t, n in element_bytes(manifest).items() if n]


def c_type(manifest, t):
    return f"{own_operator(manifest, t)}::Element" if is_own(manifest) else C_TYPES[t]


def own_operator(manifest, t):
    return f"{manifest['spectrum']}_operator::Of_{t}"


# ---- the table of the folder ----

def number_of(operands, name):
    return next((i for i, o in enumerate(operands) if o["name"] == name), -1)


# What runtime/measure/arrays.h has of parts; numbers of operands, -1: none.
Parts = collections.namedtuple("Parts", "operand less results")


def parts_of(manifest, known=None):
    """As a workload knows them, or as the manifest says; None: there are none."""
    said, operands = manifest.get("parts"), manifest.get("operands", [])
    if known:
        return Parts(*known, -1)
    if not said:
        return None
    return Parts(number_of(operands, said.get("count")), said.get("less", 0), number_of(operands, said.get("results")))


def are_windows(manifest, parts):
    """Are there as many parts as elements in one operand beyond those in another?"""
    return bool(parts) and parts.operand >= 0 and manifest["operands"][parts.operand].get("more", 0) < 0


def operand_row(operands, o):
    def numbers(key, count):
        listed = [number_of(operands, name) for name in o[key]] + [-1] * count
        return "{" + ", ".join(map(str, listed[:count])) + "}"
    read = o["read"] and (not o["written"] or o["in_place"])  # what is only filled is not
    flags = ", ".join("true" if flag else "false" for flag in (o["by_columns"], read, o["written"]))
    return (f'{{"{o["name"]}", {o["kind"].upper()}, {numbers("sizes", 7)}, {flags}, {(o["holds"] or "data").upper()}, '
            f'{number_of(operands, o["into"])}, {MEANS[o["means"]]}, {numbers("factors", 2)}, '
            f'{o.get("times", int(bool(o["factors"])))}, {o["plus"]}, '
            f'{number_of(operands, o.get("addend"))}, {o.get("more", 0)}, '
            f'{o.get("every", 0)}, {o.get("low", 0)}, {o.get("high", 0)}}}')


def others(manifest):
    """The members of a configuration behind those that all have."""
    return manifest.get("configuration", USUAL)[len(USUAL):]


OWN = ['#include "measure/own.h"', '#include "check/types.h"', '#include "check/operator.h"',
       "const char *const check::operation = CHECK_OPERATION;", "const bool check::zeros_have_signs = false;",
       "const bool check::numbers_alone = false;"]


def entry(manifest, t):
    sequential = f"{manifest['spectrum']}_sequential_{t}"
    if is_own(manifest):
        return f'    MEASURE_OWN("{t}", {sequential}, {own_operator(manifest, t)}),'
    return f'    MEASURE_TYPE("{t}", {sequential}),'


def table(manifest, types, parts):
    """What compare.cc knows of the folder: C++."""
    spectrum, operands = manifest["spectrum"], manifest["operands"]
    ids = ", ".join(f'"{v["id"]}"' for v in manifest["variants"])
    lines = [f"// {spectrum}, for the comparison. Made by tgc bench.",
             '#include "check/reference.cc"', '#include "loops.h"', *(OWN if is_own(manifest) else []),
             "const Operand operands[] = {", *(f"    {operand_row(operands, o)}," for o in operands), "};",
             f"const int operand_count = {len(operands)};",
             f"const Parts parts = {{{str(bool(parts)).lower()}, {', '.join(map(str, parts or (-1, 0, -1)))}}};",
             f"const bool rounds = {str(bool(manifest.get('rounds'))).lower()};",
             f'const char *const operation = "{manifest["operator"] or ""}";',
             "const Entry entries[] = {",
             *(entry(manifest, t) for t in types), "};",
             f"const int entry_count = {len(types)};",
             *(f"extern const Loop openmp_{t}[], serial_{t}[];" for t in types),
             "const Loops all_loops[] = {", *(f'    {{"{t}", openmp_{t}, serial_{t}}},' for t in types), "};",
             f"const int all_loop_count = {len(types)};",
             f'extern const char *const spectrum = "{spectrum}";',
             f"extern const char *const variant_ids[] = {{{ids}}};",
             f"extern const int variant_count = {len(manifest['variants'])};",
             "extern const char *const other_members[] = {" +
             "".join(f'"{name}", ' for name in others(manifest)) + "nullptr};",
             f"extern const int other_count = {len(others(manifest))};"]
    return "\n".join(lines) + "\n"


def comparison(o, manifest, types, workload, parts, say):
    """The comparison program's path; Unusable when something does not compile."""
    bench = os.path.dirname(os.path.abspath(__file__))
    here, runtime, out = os.path.join(bench, "cpu"), os.path.join(bench, "..", "runtime"), os.path.abspath(o.out)
    build = Build(os.path.abspath(o.build), say)
    measure = [os.path.join(runtime, "measure", name) for name in ("cpu.h", "arrays.cc", "cpu_machine.cc")]
    loops = os.path.join(here, "loops.h")
    options = shlex.split(o.flags)
    cxx = [build.cxx, "-std=gnu++17", "-O3", f"-I{here}", f"-I{runtime}", f"-I{out}"]
    if is_own(manifest):  # what `tgc check' has of structs (runtime/measure/own.h)
        cxx += ["-DTGC_NATIVE", f"-I{runtime}/simt", f"-I{runtime}/simt/include"]
        measure += [os.path.join(runtime, "simt", "check", name) for name in ("data.cc", "layout.cc")]
    define = [f"-DLOOPS_{workload}", f"-DOPERATION_{manifest['operator'] or 'none'}"]
    jobs = []
    suffix = os.path.splitext(manifest["variants"][0]["file"])[1]
    c = [build.cc, "-std=gnu11"] if suffix == ".c" else [build.cxx, "-std=gnu++17"]
    ours = [*c, "-O3", *options, "-ffp-contract=off", "-fwrapv", "-fopenmp", f"-I{out}"]  # as in its CMakeLists.txt
    header = os.path.join(out, manifest["spectrum"] + ".h")
    for name in [manifest["spectrum"] + suffix, *(v["file"] for v in manifest["variants"])]:
        text = os.path.join(out, name)
        jobs.append(("ours_" + os.path.basename(name) + ".o", [*ours, "-c", text], [text, header]))
    source = os.path.join(here, "loops.cc")
    for t in types:
        words = [*cxx, *options, *define, f"-DTYPE={c_type(manifest, t)}", f"-DTYPE_NAME={t}", "-c", source]
        words += [f"-DOPERATOR={own_operator(manifest, t)}"] if is_own(manifest) else []
        for suite, more in (("openmp", ["-fopenmp"]), ("serial", ["-ffast-math"])):
            jobs.append((f"{suite}_{t}.o", [*words, f"-DSUITE={suite}", *more], [source, loops, measure[0]]))
    path = build.path("table.cc")
    with open(path, "w", encoding="utf-8") as f:
        f.write(table(manifest, types, parts))
    reference = os.path.join(out, "check", "reference.cc")
    for source in (path, *(os.path.join(here, n) for n in ("compare.cc", "reading.cc", "blas.cc")), *measure[1:]):
        more = ["-ffp-contract=off"] if source == path else options
        words = [*cxx, *more, *define, "-fopenmp", "-c", source]
        texts = [source, loops, measure[0]] + ([reference] if source == path else [])
        jobs.append((os.path.splitext(os.path.basename(source))[0] + ".o", words, texts))
    return build.program("compare", [build.cxx, "-fopenmp", "-rdynamic"], jobs, o.jobs, ["-ldl"])
