"""tgc tune of operators other than sums: the user's, and C's. Stand-ins as in tuning.py; what is taken for a right
result is run for itself (tests/tune/results.cc)."""
import json, os, re, shutil

from drawn import drawn
from harness import Failed, Skipped, by_turns
from tuning import bytes_of, equal, failures, fake, log, rows

SIZES = "64,128,2^8..2^9"
LINE = """
// A line a x + b after another: associative, and left and right are not the same.
struct __monoid(associative) Line {
  struct State {
    unsigned a, b;
  };
  static State id() { return {1, 0}; }
  static State op(State x, State y) { return {x.a * y.a, x.a * y.b + x.b}; }
  static State lift(unsigned x) { return {x | 1, 3 * x + 1}; }
  static unsigned finish(State a) { return a.b; }
  static unsigned example(unsigned random) { return random; }
};
"""


def write_folder(t, operator, types="float", where="out", keep="4", more=()):
    reduce = t.source("codelets", "reduce.cdl")
    given = ("--types", types) if types else ()
    t.run(reduce, *more, "--operator", operator, "--arch", "sm_90", *given, "--keep", keep, "-o", where).exits(0)
    return json.loads(t.read(f"{where}/manifest.json"))


def tune(t, m, *arguments, **more):
    named = {"FAKE_OPERATOR": m["operator"], "FAKE_SPECTRUM": m["spectrum"], **more}
    return t.run("tune", "out", "--sizes", SIZES, *arguments, env=fake(t, **named))


def table_of(t, m, where="out"):
    lines = [line.split("#")[0].split() for line in t.read(f"{where}/{m['spectrum']}.table").splitlines()]
    return [line for line in lines if line]


# ---- whole runs ----

def test_operator_of_the_users(t):
    """A wrong variant is found, and named; the others' table is written, and serves."""
    m = write_folder(t, "ArgMax")
    wrong = m["variants"][0]["id"]
    r = tune(t, m, FAKE_WRONG=wrong).exits(0).says("failed (wrong)")
    equal(failures(t), {wrong: {"wrong"}}, "failures")
    equal(set(rows(t, "SELECT message FROM failure")), {("n = 1: got 2, want 3",)}, "what was told")
    equal(r.out, t.read("out/reduce_arg_max.table"), "the table that is printed")
    serve = {row[2] for row in table_of(t, m)}
    measured = {variant for variant, in rows(t, "SELECT DISTINCT variant FROM measurement")}
    if not serve or wrong in serve or not serve <= measured:
        raise Failed(f"{serve} serve, of {measured}; {wrong} is wrong")
    keys = ("threads", "loads", "blocks")
    dispatch = [[d["type"], str(d["up_to"] or "inf"), d["variant"], *(str(d[k]) for k in keys)]
                for d in json.loads(t.read("out/manifest.json"))["dispatch"]]
    equal(dispatch, table_of(t, m), "the manifest's dispatch")
    for row in table_of(t, m):
        if f"reduce_arg_max_{row[2]}_float" not in t.read("out/reduce_arg_max.cu"):
            raise Failed(f"{row[2]} is not in the library's ranges")
    equal(log(t, "worker"), ["TABLE folder.cu data.cc layout.cc reduction.cu measure.cu"], "the measuring process")


def test_table_is_taken(t):
    m = write_folder(t, "ArgMax")
    tune(t, m).exits(0)
    write_folder(t, "ArgMax", where="again", more=("--table", "out/reduce_arg_max.table"))
    equal(table_of(t, m, "again"), table_of(t, m), "the table of a folder that is written with it")


def test_operators_of_c(t):
    m = write_folder(t, "Xor", "int,uint64")
    tune(t, m).exits(0)
    equal({row[0] for row in table_of(t, m)}, {"int", "uint64"}, "types")
    equal(log(t, "worker"), ["TABLE folder.cu data.cc layout.cc reduction.cu measure.cu"], "the measuring process")


def test_sums_are_measured_as_they_were(t):
    m = write_folder(t, "Max", "int")
    tune(t, m).exits(0)
    equal(log(t, "worker"), ["numbers.cu reduction.cu measure.cu"], "the measuring process")


def test_edited_operator(t):
    """The process is compiled again, and only then; without the operator's text there is none."""
    m = write_folder(t, "ArgMax")
    tune(t, m).exits(0)
    tune(t, m).exits(0).says("tgc tune: 0 measured")
    equal(len(log(t, "worker")), 1, "compilations")
    t.write("out/check/operator.h", t.read("out/check/operator.h") + "// edited\n")
    tune(t, m).exits(0)
    equal(len(log(t, "worker")), 2, "compilations")
    left = [n for n in os.listdir(t.path("out/tune.db.cache")) if not re.search(r"(\.so|sm_90)$", n)]
    equal(left, [], "left behind in the cache")
    os.unlink(t.path("out/check/operator.h"))
    before = bytes_of(t, "out/reduce_arg_max.table")
    tune(t, m).exits(1).says("cannot read `out/check/operator.h'", "compile it again with this tgc")
    equal(bytes_of(t, "out/reduce_arg_max.table"), before, "the table")


# ---- what is right ----

def results(t, m, kind):
    """Lines of results.cc, as {size: (verdict, bytes that count)}."""
    clang = next((c for c in ("clang++-19", "clang++") if shutil.which(c)), None)
    if not clang:
        raise Skipped("no clang++")
    tune(t, m, "--types", kind, "--determinism", "not_guaranteed", FAKE_TABLE=t.folder).exits(0)
    runtime = t.source("runtime")
    sources = [f"{runtime}/measure/folder.cu", f"{runtime}/simt/check/data.cc", f"{runtime}/simt/check/layout.cc",
               t.source("tests", "tune", "results.cc"), "table.cc"]
    if m["operator"] == "user":
        sources.append("out/check/reference.cc")  # of C's operators the table has it
    words = " ".join(f'"{s}"' for s in sources)
    includes = " ".join(f'-I"{i}"' for i in (f"{runtime}/simt/include", f"{runtime}/simt", runtime, "out"))
    t.shell(f"{clang} -std=c++17 -w -O0 -pthread -x c++ -include memory -D__host__= -D__device__= {includes} "
            f"-DSEQUENTIAL={m['spectrum']}_sequential_{kind} {words} -o results").exits(0)
    lines = t.shell(f"./results {kind} {m['operator']}").exits(0).out.splitlines()
    found = {int(line.split()[0]): (line.split(" ", 1)[1].rsplit(" ", 1)) for line in lines}
    equal(len(found), 10, "sizes")
    equal({n: v[0] for n, v in found.items() if v[0] != "ok"}, {}, "sizes whose right result is called wrong")
    return {n: v[1] for n, v in found.items()}


@by_turns(5.5)
def test_results_of_structs(t):
    """Members count, what lies between them does not."""
    m = write_folder(t, "ArgMax", "float")
    for n, counts in results(t, m, "float").items():
        equal(counts, "11110000" + "11111111" if n else "1" * 4 + "0" * 4 + "1" * 8, f"bytes that count of n = {n}")


@by_turns(5)
def test_results_that_round(t):
    """They may be off by 64 sqrt(n) eps, and no more."""
    m = write_folder(t, "Moments", "float")
    found = results(t, m, "float")
    for n in (1000, 65537, 300000):
        if found[n][0] != "0" or "1" not in found[n][:4] or found[n][8:] == "0000":
            raise Failed(f"n = {n}: {found[n]}")


@by_turns(5)
def test_results_in_order(t):
    """An operator that does not commute, with examples of its own, lifted elements, a result that is finished."""
    t.write("line.cdl", LINE)
    m = write_folder(t, "Line", None, more=("line.cdl",))
    equal(set(results(t, m, "uint").values()), {"1111"}, "bytes that count")


@by_turns(5)
def test_results_of_struct_elements(t):
    product = t.source("examples", "product2x2.cdl")
    m = write_folder(t, "Product2x2", None, more=(product,))
    equal(set(results(t, m, m["types"][0]).values()), {"1" * 16}, "bytes that count")


@by_turns(5)
def test_results_of_c(t):
    cases = (("Xor", "uint64", 8), ("And", "int8", 4), ("Product", "float", 4), ("Product", "cdouble", 16),
             ("Product", "int16", 4))
    for operator, kind, size in drawn(cases, 2, lambda case: f"{case[0]} of {case[1]}"):
        shutil.rmtree(t.path("out"), ignore_errors=True)
        m = write_folder(t, operator, kind, keep="2")
        equal(set(results(t, m, kind).values()), {"1" * size}, f"bytes that count of {operator} of {kind}")
