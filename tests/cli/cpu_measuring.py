"""tgc tune and tgc bench of folders for a CPU: they run here, on few variants and small sizes; no figure counts."""
import csv, json, os, re, shutil, sqlite3

from benchmarks import module
from drawn import drawn
from harness import Failed, Skipped, by_turns, difference, long, tree
from tuning_operators import LINE

SIZES = "64,2^16"
os.environ.setdefault("TGC_BUDGET", "5")  # read by what measures: runtime/measure/cpu.h


def equal(got, wanted, what):
    if got != wanted:
        raise Failed(f"{what}: {got!r}, expected {wanted!r}")


def write_folder(t, *more, codelet="sum", keep="3", types="float"):
    if not shutil.which("cc") or not shutil.which("c++"):
        raise Skipped("no cc and c++")
    source = t.source("codelets", f"{codelet}.cdl")
    t.run(source, "--arch", "cpu", "--types", types, "--keep", keep, "-o", "out", *more).exits(0)


def tune(t, *arguments, sizes=SIZES, **more):
    return t.run("tune", "out", "--sizes", sizes, *arguments, env={**os.environ, **more}, timeout=300)


def bench(t, *arguments, sizes="6,13", **more):
    return t.run("bench", "out", "--sizes", sizes, "--rounds", "3", *arguments, env={**os.environ, **more}, timeout=300)


def manifest(t):
    return json.loads(t.read("out/manifest.json"))


def table_of(t, name="sum"):
    lines = [line.split("#")[0].split() for line in t.read(f"out/{name}.table").splitlines()]
    return [line for line in lines if line]


def failures(t):
    db = sqlite3.connect(t.path("out/tune.db"))
    try:
        return dict(db.execute("SELECT variant, kind FROM failure"))
    finally:
        db.close()


def edit(t, name, old, new):
    text = t.read(name)
    if old not in text:
        raise Failed(f"`{name}' has no `{old}'")
    t.write(name, text.replace(old, new, 1))


def make_wrong(t, variant):
    """A variant whose results are one too large, and whose calls are otherwise as before."""
    text = t.read(f"out/variants/{variant}.c")
    wrong = re.sub(r"  return (configured_float\(.*\));", r"  const int error = \1;\n"
                   "  if (workspace && !error) *out += 1;\n  return error;", text)
    if wrong == text:
        raise Failed(f"{variant} has no function that could be made wrong")
    t.write(f"out/variants/{variant}.c", wrong)


def texts(t):
    return {n: w for n, w in tree(t.path("out")).items() if not n.startswith(("tune.db", "bench", "build-bench"))}


# ---- tune ----

@by_turns(8)
def test_tune(t):
    """The table, the library's ranges and the manifest's dispatch say the same; a program is served by them."""
    write_folder(t, "--determinism", "run_to_run", types="float,int", keep="2")
    before = texts(t)
    r = tune(t, "--types", "float").exits(0).says("measured", "100 %")
    equal(r.out, t.read("out/sum.table"), "the table that is printed")
    options = r"-O3 -march=native( -mprefer-vector-width=512)?( -mtune=\w+)?"
    r.expect(re.match(rf"# sum, measured on .*processor.*, (gcc|clang) \d.* {options}, \d{{4}}-", r.out),
             "expected in the heading what was measured on, and with what")
    r.expect(", barrier " in r.err or len(os.sched_getaffinity(0)) < 2, "expected how long a barrier takes")
    ours = [row for row in table_of(t) if row[0] == "float"]
    equal((ours[-1][1], {row[3] for row in ours}), ("inf", {"0"}), "the last row, and lanes")
    found = re.findall(r"\{ *(\w+), sum_variants \+ V_(\w+), \{ *(\d+), *(\d+), *(\d+)\}\}", t.read("out/sum.c"))
    got = [["inf" if n == "UINT64_MAX" else n, *rest] for n, *rest in found]
    equal(sorted(got), sorted(row[1:] for row in table_of(t)), "the ranges")
    keys = ("threads", "loads", "blocks")
    dispatch = [[r["type"], str(r["up_to"] or "inf"), r["variant"], *(str(r[k]) for k in keys)]
                for r in manifest(t)["dispatch"]]
    equal(dispatch, table_of(t), "the manifest's dispatch")
    changed = set(difference(before, texts(t)))
    equal(changed - {f"variants/{row[2]}.c" for row in ours}, {"manifest.json", "sum.c", "sum.h", "sum.table"},
          "changed")
    header = " ".join(t.read("out/sum.h").replace("\n * ", " ").split())
    origin = f"Dispatch by size (sum.table): {r.out.splitlines()[0][len('# sum, '):]}; int: not measured on this machine"
    r.expect(origin in header, f"expected {origin!r} in the header")
    for n in (64, 1 << 16):
        row = next(row for row in ours if row[1] == "inf" or n <= int(row[1]))
        equal(served(t, n), [row[2], row[4], row[5], str(float(n))], f"who serves {n}, and the sum")


def served(t, n):
    """By which variant, loads and threads the library serves n, and the sum of n ones."""
    t.write("who.c", f"""#include "sum.c"
static float in[{n}];
int main(void) {{
  static char workspace[1 << 20];
  size_t bytes = sizeof workspace;
  float out;
  for (int i = 0; i < {n}; ++i) in[i] = 1;
  if (sum_workspace_init(workspace, bytes) || sum_float(workspace, &bytes, in, {n}, &out)) return 1;
  const Range *r = range_of(float_in_use, {n});
  printf("%s %d %d %.1f\\n", r->variant->id, r->c.loads, (int)r->c.blocks, out);
  return 0;
}}
""")
    t.shell("cc -std=gnu11 -O1 -march=native -fopenmp -Iout -o who who.c out/variants/*.c -lm").exits(0)
    return t.shell("./who").exits(0).out.split()


def test_time_in_peace(t):
    """A turn in which a thread lost its processor is taken again, as long as no more is in vain than is kept, and a
    second."""
    if not shutil.which("c++"):
        raise Skipped("no c++")
    t.shell(f"c++ -std=c++17 -I{t.source('runtime')} -o peace {t.source('tests', 'tune', 'peace.cc')}").exits(0)
    for turns, said in (("++", "1 2 in 2, 0 in vain, 0 rests"), ("+-+", "1 3 in 3, 1 in vain, 1 rests"),
                        ("----", "2 4 in 4, 2 in vain, 2 rests"), ("++---+", "1 2 6 in 6, 3 in vain, 3 rests"),
                        ("++----", "1 2 6 in 6, 3 in vain, 3 rests")):
        equal(t.shell(f"./peace {turns}", TGC_BUDGET="100").exits(0).out.strip(), said, turns)


@by_turns(1.5)
def test_threads_apart(t):
    """Threads that are moved apart: the caller's has a processor of its own, OpenMP's and those of another library
    share the rest alike. None is bound by it, and none that was is set free."""
    if not shutil.which("c++"):
        raise Skipped("no c++")
    sources = f"{t.source('tests', 'tune', 'apart.cc')} {t.source('runtime', 'measure', 'cpu_machine.cc')}"
    t.shell(f"c++ -std=c++17 -fopenmp -I{t.source('runtime')} -o apart {sources}").exits(0)
    for given, said in (("2 0 1", "0 1"), ("2 5 7", "5 7"), ("4 0 2 3", "0 2 3 2"), ("3 0 1", "0 1 1"), ("1 0 1", "0"),
                        ("7 0 1 2 3", "0 1 2 3 1 2 3"), ("2 4", ""), ("2", ""), ("0 0 1", "")):
        equal(t.shell(f"./apart {given}").exits(0).out.strip(), said, given)
    equal(t.shell("./apart").exits(0).out.strip(), "as they were", "where threads may run")


@by_turns(5)
def test_sizes_of_operands(t):
    """A size is the number of elements of a matrix in all, by which its library's ranges are; and where results are
    those of windows, there are as many as parts. A window is small."""
    if not shutil.which("c++"):
        raise Skipped("no c++")
    sources = f"{t.source('tests', 'tune', 'sizes.cc')} {t.source('runtime', 'measure', 'arrays.cc')}"
    for name, given, said in (("TRANSPOSE", "1 4096 65536", ["1 1 1 1", "64 64 64 64", "256 256 256 256"]),
                              ("CONVOLVE2", "4 4096", ["2 2 2 2 2 2 1 1", "64 64 64 3 3 3 62 62"]),
                              ("CONVOLVE", "1:1024 4:64", ["1032 9 1024", "24 9 16"])):
        t.shell(f"c++ -std=c++17 -fopenmp -D{name} -I{t.source('runtime')} -o sizes {sources}").exits(0)
        equal(t.shell(f"./sizes {given}").exits(0).out.splitlines(), said, name)


@by_turns(2)
def test_tune_goes_on(t):
    write_folder(t, "--determinism", "run_to_run", keep="1")
    tune(t, sizes="64").exits(0)
    before = texts(t)
    tune(t, sizes="64").exits(0).says("tgc tune: 0 measured")
    equal(difference(before, texts(t)), [], "changed by a second run")
    tune(t, "--flags", "-march=native -O2", sizes="64").exits(0).expect(
        "-march=native -O2" in t.read("out/sum.table"), "expected the options in the heading")


@by_turns(2)
def test_tune_failures(t):
    """What does not compile and what is wrong is left out, and the rest goes on."""
    write_folder(t)
    broken, wrong, last = [v["id"] for v in manifest(t)["variants"]]
    edit(t, f"out/variants/{broken}.c", "#ifndef TYPE", "#error made to fail\n#ifndef TYPE")
    make_wrong(t, wrong)
    tune(t, "--determinism", "not_guaranteed").exits(0).says("1 variant does not compile", "failed (wrong)")
    equal(failures(t), {broken: "compile", wrong: "wrong"}, "failures")
    equal({row[2] for row in table_of(t)}, {last}, "who serves")


def tune_shapes(t, shapes, *arguments):
    return t.run("tune", "out", "--determinism", "not_guaranteed", "--shapes", shapes, *arguments, timeout=300)


@by_turns(4)
def test_tune_rows_of_a_matrix(t):
    """Ranges are of the elements of each row, and of how many rows there are; each shape is measured as it is."""
    write_folder(t, codelet="gemv", keep="1")
    tune_shapes(t, "8x4,8x2^12,2^10x4,2^10x2^8").exits(0).says("measured")
    db = sqlite3.connect(t.path("out/tune.db"))
    shapes = set(db.execute("SELECT DISTINCT n, count, mode FROM measurement"))
    db.close()
    equal(shapes, {(8, 4, "call"), (8, 4096, "call"), (1024, 4, "call"), (1024, 256, "call")}, "shapes")
    found = re.findall(r"\{ *(\w+), *(\w+), *(\d+), 0, *(\d+), gemv_variants \+ V_(\w+), \{ *(\d+), *(\d+), *(\d+)\}\}",
                       t.read("out/gemv.c"))
    got = [["float", size_text(n, count), *rest] for n, count, _, _, *rest in found]
    equal(got, table_of(t, "gemv"), "the ranges")
    sizes = [n for n, *_ in found]
    equal([int(rows) for _, _, rows, *_ in found], [sizes[i:].count(n) for i, n in enumerate(sizes)], "rows of a size")
    equal([int(past) for _, _, _, past, *_ in found], list(range(len(found), 0, -1)), "rows that ask for the same")
    dispatch = [[r["type"], size_text(r["up_to"], r.get("count")), r["variant"],
                 *(str(r[k]) for k in ("threads", "loads", "blocks"))] for r in manifest(t)["dispatch"]]
    equal(dispatch, table_of(t, "gemv"), "the manifest's dispatch")


def size_text(n, count):
    unbounded = ("UINT64_MAX", None)
    return ("inf" if n in unbounded else str(n)) + ("" if count in unbounded else f"x{count}")


@by_turns(4)
def test_tune_few_sizes_of_rows(t):
    """With --sizes several numbers of rows are tried."""
    write_folder(t, codelet="segmented_sum", keep="1")
    tune(t, "--determinism", "not_guaranteed", sizes="2^20").exits(0)
    db = sqlite3.connect(t.path("out/tune.db"))
    shapes = set(db.execute("SELECT DISTINCT n, count FROM measurement"))
    db.close()
    equal(shapes, {(1 << 20, 1), (1 << 20, 16)}, "shapes")


SERVING = """#include "segmented_sum.c"
static float in[4096], out[64];
static const Range *r;
int main(int argc, char **argv) {
  for (int i = 0; i < 4096; ++i) in[i] = 1;
  for (int i = 1; i < argc; ++i) {
    unsigned long long n, count;
    if (sscanf(argv[i], "%llux%llu", &n, &count) == 2) {
      r = range_of(float_in_use, n, count);
      printf("%s %d %d", r->variant->id, r->c.loads, (int)r->c.blocks);
      if (n * count <= 4096 && count <= 64) {
        static char workspace[1 << 20];
        size_t bytes = sizeof workspace;
        if (segmented_sum_workspace_init(workspace, bytes)) return 1;
        if (segmented_sum_float(workspace, &bytes, in, n * count, n, out, count)) return 1;
        printf(" %g", out[count - 1]);
      }
      printf("\\n");
    } else printf("%d\\n", segmented_sum_load_table(argv[i]));
  }
  return 0;
}
"""
SHAPES = ((1, 1), (16, 16), (16, 17), (17, 16), (64, 64), (256, 4), (257, 4), (257, 5), (1 << 40, 1 << 40))
ROWS = (("16x16", 0, 1, 1), ("16", 1, 1, 0), ("256x4", 2, 1, 1), ("256", 0, 2, 1), ("infx4", 1, 2, 0), ("inf", 2, 2, 2))


def table_text(rows, ids):
    return "".join(f"float {size} {ids[i]} 0 {loads} {blocks}\n" for size, i, loads, blocks in rows)


def expected_row(rows, n, count):
    for size, *row in rows:
        most, _, results = size.partition("x")
        if (most == "inf" or n <= int(most)) and (not results or count <= int(results)):
            return row
    raise Failed("no row")


@by_turns(2)
def test_shapes_of_a_library(t):
    """A table of shapes serves the same when it is compiled in and when it is loaded; the results are right."""
    write_folder(t, codelet="segmented_sum", keep="3")
    ids = [v["id"] for v in manifest(t)["variants"]]
    t.write("two.table", table_text(ROWS, ids))
    shutil.rmtree(t.path("out"))
    write_folder(t, "--table", "two.table", codelet="segmented_sum", keep="3")
    t.write("who.c", SERVING)
    t.shell("cc -std=gnu11 -O1 -march=native -fopenmp -Iout -o who who.c out/variants/*.c -lm").exits(0)
    wanted = []
    for n, count in SHAPES:
        i, loads, blocks = expected_row(ROWS, n, count)
        wanted.append(f"{ids[i]} {loads} {blocks}" + (f" {n}" if n * count <= 4096 and count <= 64 else ""))
    shapes = " ".join(f"{n}x{count}" for n, count in SHAPES)
    equal(t.shell(f"./who {shapes}").exits(0).out.splitlines(), wanted, "who serves, compiled in")
    turned = [(size, (i + 1) % 3, loads, blocks) for size, i, loads, blocks in ROWS]
    t.write("turned.table", table_text(turned, ids))
    loaded = t.shell(f"./who turned.table {shapes} two.table {shapes}").exits(0).out.splitlines()
    equal((loaded[0], loaded[len(SHAPES) + 1:]), ("0", ["0", *wanted]), "who serves, loaded")
    equal([line.split()[0] for line in loaded[1:len(SHAPES) + 1]],
          [ids[expected_row(turned, n, count)[0]] for n, count in SHAPES], "who serves of another table")
    for bad in (ROWS[:1], ROWS[1:5], (ROWS[0], *ROWS[2:]), (*ROWS[:2], ROWS[0], *ROWS[2:]),
                (ROWS[0], ROWS[0], *ROWS[1:]), (("x16", 0, 0, 0), *ROWS[1:]), (("16xinf", 0, 0, 0), *ROWS[1:]),
                (ROWS[0], ("256x64", 0, 0, 0), *ROWS[3:]), (("16x99999999999999999999", 0, 0, 0), *ROWS[2:]),
                (("16x0", 0, 0, 0), *ROWS[1:]), (("016x16", 0, 0, 0), *ROWS[1:]), (("16x16x16", 0, 0, 0), *ROWS[1:])):
        t.write("bad.table", table_text(bad, ids))
        r = t.shell(f"./who bad.table {shapes}").exits(0).out.splitlines()
        equal((r[0] != "0", r[1:]), (True, wanted), f"who serves after {bad}")
        t.run(t.source("codelets", "segmented_sum.cdl"), "--arch", "cpu", "--types", "float", "--keep", "3", "--table",
              "bad.table", "-o", "none").exits(1).says("bad.table:", "error:")
    equal(os.path.exists(t.path("none")), False, "is a folder written")


def test_shapes_where_there_are_none(t):
    """A sum has one result: a table of shapes does not serve it, and cannot be loaded."""
    write_folder(t, keep="1")
    served = manifest(t)["variants"][0]["id"]
    t.write("two.table", f"float 16x16 {served} 0 1 1\nfloat 16 {served} 0 1 1\nfloat inf {served} 0 1 1\n")
    shutil.rmtree(t.path("out"))
    write_folder(t, "--table", "two.table", keep="1")
    equal([row[1:] for row in table_of(t)], [["inf", served, "0", "0", "0"]], "the table")
    t.run(t.sum, "--arch", "cpu", "--types", "float", "--keep", "1", "--table", "two.table", "--remarks").exits(0).says(
        "the measured table is not used for `float'", "`16x16' has a number of results, and here there is one")
    t.write("who.c", """#include "sum.h"
#include <stdio.h>
int main(void) { return printf("%d", sum_load_table("two.table")) < 0; }
""")
    t.shell("cc -std=gnu11 -O1 -march=native -fopenmp -Iout -o who who.c out/*.c out/variants/*.c -lm").exits(0)
    r = t.shell("./who").exits(0)
    r.expect(not r.out.startswith("0"), "expected the table to be refused")
    t.refuses(2, "tune", "out", "--shapes", "4x4").says("`--shapes' is for")


def tune_spectra(t, *codelets):
    for codelet in codelets:
        write_folder(t, codelet=codelet, keep="1")
        if "parts" in manifest(t):
            tune_shapes(t, "64x16").exits(0)
        else:
            tune(t, "--determinism", "not_guaranteed", sizes="64").exits(0)
        equal(failures(t), {}, f"failures of {codelet}")
        shutil.rmtree(t.path("out"))


@by_turns(4)
def test_tune_other_spectra(t):
    tune_spectra(t, *drawn(("scan", "segmented_sum_offsets", "saxpy", "segmented_scan", "histogram"), 1))


@by_turns(5)
def test_tune_several_spectra(t):
    """Each in its folder, one after the other, with a table and a database of its own; the first that fails ends it."""
    t.write("both.cdl", '#include "dot.cdl"\n#include "saxpy.cdl"\n')
    t.run("both.cdl", "--spectrum", "dot,axpy", "--name", "both", "--arch", "cpu", "--types", "float", "--keep", "1",
          "-o", "out").exits(0)
    tune(t, "--types", "int", sizes="64").exits(1).says("no type `int'").prints("out/dot").expect(
        not os.path.exists(t.path("out/axpy/tune.db")), "axpy was tuned")
    how = {"sizes": "64", "TGC_BUDGET": "5"}
    said = json.loads(tune(t, "--determinism", "not_guaranteed", "--json", "--quiet", **how).exits(0).out)
    equal([s["measured"].split(",")[0] for s in said], ["dot", "axpy"], "what was tuned")
    for spectrum in ("dot", "axpy"):
        if "measured on" not in t.read(f"out/{spectrum}/{spectrum}.table") or not os.path.exists(t.path(f"out/{spectrum}/tune.db")):
            raise Failed(f"{spectrum} was not tuned")
    tune(t, "--determinism", "not_guaranteed", **how).exits(0).prints("out/dot\n", "out/axpy\n")


@by_turns(1.8)
def test_tune_refuses(t):
    write_folder(t)
    t.refuses(2, "tune", "out", "--objective", "graph").says("`--objective' is for GPUs")
    t.run(t.sum, "--arch", "sm_90", "--keep", "2", "-o", "gpu").exits(0)
    t.refuses(2, "tune", "gpu", "--flags", "-O2").says("`--flags' is for CPUs")
    before = texts(t)
    tune(t, TGC_CXX="/no/cxx").exits(1).says("cannot run `/no/cxx'").hints("TGC_CC and TGC_CXX")
    tune(t, TGC_CC="/no/cc").exits(1).says("cannot run `/no/cc'").hints("TGC_CC and TGC_CXX")
    whole = manifest(t)
    whole["operands"][0]["kind"] = "riddle"
    t.write("out/manifest.json", json.dumps(whole))
    tune(t).exits(1).says("operands that no call can be made of").hints("compile it again with this tgc")
    changed = difference(before, texts(t))
    equal(changed, ["manifest.json"], "changed")


OWN = {"ArgMax": ("reduce_arg_max", "float"), "Moments": ("reduce_moments", "float"),
       "MaxNan": ("reduce_max_nan", "float"), "Product2x2": ("reduce_product2x2", None), "Line": ("reduce_line", None)}


def write_own(t, operator):
    """A folder of an operator: of the shipped ones, of structs that do not commute, with examples of its own."""
    more = {"Product2x2": [t.source("examples", "product2x2.cdl")], "Line": ["line.cdl"]}.get(operator, [])
    t.write("line.cdl", LINE)
    if not shutil.which("cc") or not shutil.which("c++"):
        raise Skipped("no cc and c++")
    name, types = OWN[operator]
    given = ("--types", types) if types else ()
    t.run(t.source("codelets", "reduce.cdl"), *more, "--operator", operator, "--arch", "cpu", *given, "--keep", "2",
          "--columns", "none", "-o", "out").exits(0)
    return name


@by_turns(17)
def test_operators_of_the_users(t):
    """They are tuned, a wrong variant is found, and OpenMP's loop is the same text."""
    for operator in drawn(OWN, 1):
        name = write_own(t, operator)
        ids = [v["id"] for v in manifest(t)["variants"]]
        text = t.read(f"out/variants/{ids[0]}.cc")
        wrong = re.sub(r"  return (configured_\w+\(.*\));", r"  const int error = \1;\n"
                       "  if (workspace && !error && n > 9) ((unsigned char *)out)[3] ^= 64;\n  return error;", text)
        if wrong == text:
            raise Failed(f"{ids[0]} has no function that could be made wrong")
        t.write(f"out/variants/{ids[0]}.cc", wrong)
        tune(t, sizes="64,2^12").exits(0).says("failed (wrong)")
        equal(failures(t), {ids[0]: "wrong"}, "failures")
        equal({row[2] for row in table_of(t, name)}, {ids[1]}, "what serves")
        t.write(f"out/variants/{ids[0]}.cc", text)
        bench(t).exits(0)
        record, = (json.loads(t.read(f"out/bench/{f}")) for f in os.listdir(t.path("out/bench")) if f.endswith(".json"))
        equal(record["failures"], [], "failures")
        equal({r["contender"] for r in record["measurements"] if r["contender"] in ("ours", "openmp")},
              {"ours", "openmp"},
              "contenders")
        shutil.rmtree(t.path("out"))


# ---- bench ----

def record_of(t):
    names = sorted(os.listdir(t.path("out/bench")))
    equal([os.path.splitext(n)[1] for n in names], [".csv", ".json"], "records")
    rows = csv.DictReader(t.read(f"out/bench/{names[0]}").splitlines())
    return json.loads(t.read(f"out/bench/{names[1]}")), list(rows)


OWN_SPECTRUM = """#include "common/sum_steps.cdl"
template <typename T> __codelet T deviation(T w, T x, T center) { return w * fabs(x - center); }
template <typename T>
__codelet T wad(const Array<1, T> w, __like(w) const Array<1, T> x, T center) {
  return sum(transform(deviation<T>, zip(w, x, repeat(center, w.Size()))));
}
"""


@by_turns(5)
def test_bench(t):
    """Every contender at every size; the figures of merit; what is written is what was printed."""
    write_folder(t, types="float,int", keep="2")
    before = texts(t)
    r = bench(t).exits(0)
    r.prints("float |", "int |", "2^6", "2^13", "worst speedup over the fastest other",
             "note: OpenBLAS has no function")
    options = json.loads(t.read("out/manifest.json"))["options"]
    r.prints("ours: -O3 -march=native", f"openmp: -O3 {options} -fopenmp", "written: out/bench/sum-")
    data, rows = record_of(t)
    equal((data["version"], data["family"], data["workload"]), (1, "cpu", "reduce"), "the record's kind")
    equal([m["wanted"] for m in data["merits"]], [1.0, 0.95, 2.0], "what is wanted")
    for kind in ("float", "int"):
        for n in (64, 8192):
            found = {m["contender"] for m in data["measurements"] if (m["type"], m["n"]) == (kind, n)}
            equal(found, {"ours", "variant", "openmp", "serial"}, f"contenders of {kind} {n}")
    took = {(m["type"], m["n"]): m["us"] for m in data["measurements"] if m["contender"] == "serial"}
    bad = [kind for kind in ("float", "int") if took[kind, 8192] < 4 * took[kind, 64]]
    equal(bad, [], "types whose serial loop takes less than four times as long for 128 times the elements")
    bad = [m for m in data["measurements"] if not 0 < m["low"] <= m["us"] <= m["high"] or m["rounds"] != 3]
    equal(bad, [], "figures out of order")
    bad = [m for m in data["measurements"] if not 0 < m["least"] <= m["ratio"] <= m["most"]]
    equal(bad, [], "ratios out of order")
    ours = {m["ratio"] for m in data["measurements"] if m["contender"] == "ours"}
    equal(ours, {1}, "ours by ours")
    equal(len(rows), len(data["measurements"]), "rows of the .csv")
    equal(data["failures"], [], "failures")
    keys = {"name", "caches", "governor", "processors", "threads", "nodes", "last_cache", "memory", "compiler",
            "meeting", "waking"}
    equal(set(data["device"]), keys, "what is said of the machine")
    equal(difference(before, texts(t)), [], "changed in the folder")
    objects = tree(t.path("out/build-bench"))
    bench(t, "--results", "more", "--variants").exits(0)
    equal(difference(objects, tree(t.path("out/build-bench"))), [], "built again")
    more = json.loads(t.read("more/" + next(n for n in os.listdir(t.path("more")) if n.endswith(".json"))))
    looks = {m["id"] for m in more["measurements"] if m["contender"] == "look"}
    equal(looks, {v["id"] for v in manifest(t)["variants"]}, "variants that were looked at")


def merits_of(t, *rows):
    """[(what is said, figure, of which size)] of a record with these: size, contender, least, ratio, most."""
    cpu = module(t, "cpu")
    rows = [{"type": "float", "n": 1 << n, "all": 0, "contender": who, "us": 1000 * ratio, "least": least,
             "ratio": ratio,
             "most": most, "bytes": 4 << n} for n, who, least, ratio, most in rows]
    record = cpu.Record({"workload": "reduce", "measurements": rows})
    return [(cpu.state_of(m), m["ours"], m["case"]) for m in record.merits()]


def test_merits(t):
    """Each round is one comparison: who is faster in most of them is, whatever the medians of all times say; what is a
    little slower than wanted is missed where the rounds can tell, at any size."""
    ours, read = (10, "ours", 1, 1, 1), ("read-1", .9, .94, .96)
    equal(merits_of(t, ours, (10, "openmp", 3, 4, 5), (10, "openblas", 1.1, 1.2, 1.3)),
          [("met", 1.2, "float 2^10"), ("none", None, None), ("met", 4, "float 2^10")], "merits")
    equal(merits_of(t, ours, (10, "openmp", 1.7, 1.9, 2.1), (10, "openblas", .9, .99, 1.02)),
          [("noise", .99, "float 2^10"), ("none", None, None), ("noise", 1.9, "float 2^10")], "merits within the noise")
    more = (10, "openmp", .8, .9, 1.1), (24, "ours", 1, 1, 1), (24, "openmp", .97, .98, .99), (24, *read)
    equal(merits_of(t, ours, *more), [("missed", .9, "float 2^10"), ("noise", .94, "float 2^24"),
                                      ("missed", .9, "float 2^10")], "merits, one of them missed at another size")


@long
def test_bench_reads_what_is_large(t):
    write_folder(t, codelet="dot", keep="1")
    bench(t, "--quick", sizes="20", TGC_OPENBLAS="/no/libopenblas.so").exits(0).prints(
        "OpenBLAS is not installed (/no/libopenblas.so")
    data, _ = record_of(t)
    reading = [m for m in data["measurements"] if m["contender"].startswith("read-")]
    equal({m["bytes"] for m in reading}, {2 * 4 << 20}, "bytes that are read")


@by_turns(5)
def test_bench_other_spectra(t):
    for codelet in drawn(("exclusive_scan", "vadd", "saxpy", "gemv_columns", "segmented_sum_offsets", "histogram"), 1):
        write_folder(t, codelet=codelet, keep="1")
        bench(t, "--quick", sizes="9").exits(0)
        data, _ = record_of(t)
        found = {m["contender"].split("-")[0] for m in data["measurements"]}
        equal(found - {"openblas"}, {"ours", "variant", "openmp", "serial"}, f"contenders of {codelet}")
        shutil.rmtree(t.path("out"))


@by_turns(4)
def test_bench_several_spectra(t):
    """Each in its folder, with a record of its own; one that is not compared is named, and the others are compared."""
    t.write("both.cdl", '#include "transpose.cdl"\n#include "saxpy.cdl"\n')
    t.run("both.cdl", "--spectrum", "transpose,axpy", "--name", "both", "--arch", "cpu", "--types", "float", "--keep",
          "1",
          "-o", "out").exits(0)
    t.write("out/transpose/manifest.json", "{}")
    r = bench(t, "--quick", sizes="9").exits(1).prints("out/transpose\n", "out/axpy\n", "written: out/axpy/bench/axpy-")
    r.says("`out/transpose/manifest.json' is not a manifest of tgc")
    equal([os.path.exists(t.path(f"out/{name}/bench")) for name in ("transpose", "axpy")], [False, True], "records")
    t.run("both.cdl", "--spectrum", "axpy,transpose", "--name", "both", "--arch", "cpu", "--types", "float", "--keep",
          "1",
          "-o", "out").exits(0)
    t.write("out/transpose/manifest.json", "{}")
    bench(t, "--json", sizes="9").exits(1).prints('[\n{', ',\n').says("is not a manifest of tgc")


@by_turns(4)
def test_bench_of_another_name(t):
    """What a library computes is compared, whatever it is called: here gemv by columns, with the loop for columns."""
    write_folder(t, "--name", "mine", codelet="gemv_columns", keep="1")
    equal((manifest(t)["spectrum"], manifest(t)["algorithm"]), ("mine", "gemv"), "the manifest's names")
    bench(t, "--quick", sizes="9").exits(0)
    data, _ = record_of(t)
    equal((data["workload"], {m["contender"].split("-")[0] for m in data["measurements"]} - {"openblas"}),
          ("gemv_columns", {"ours", "variant", "openmp", "serial"}), "what was compared")


@by_turns(4)
def test_bench_with_blas(t):
    """A library that has OpenBLAS's functions takes part, and is held to the same results."""
    write_folder(t, codelet="dot", keep="1")
    for add, status in (("0", 0), ("1", 1)):
        t.write("blas.c", "float cblas_sdot(int n, const float *x, int a, const float *y, int b) {\n"
                f"  float s = {add};\n  for (int i = 0; i < n; i++) s += x[i * a] * y[i * b];\n  return s;\n}}\n")
        t.shell("cc -shared -fPIC -o libblas.so blas.c").exits(0)
        r = bench(t, "--quick", "--results", f"with{add}", sizes="8", TGC_OPENBLAS=t.path("libblas.so")).exits(status)
        r.expect(("FAILED: openblas" in r.out) == bool(status), "expected a wrong result to be told, and no other")


@by_turns(2.5)
def test_bench_names_what_is_wrong(t):
    write_folder(t, keep="1")
    served = manifest(t)["dispatch"][0]["variant"]
    make_wrong(t, served)
    bench(t, sizes="6").exits(1).prints("FAILED: ours", f"FAILED: variant {served}", "out[0] is not")


@by_turns(1.8)
def test_bench_refuses(t):
    write_folder(t)
    before = tree(t.folder)
    for option, said in ((("--odd",), "`--odd' is for GPUs"), (("--arch", "sm_90"), "`--arch' is for GPUs"),
                         (("--types", "double"), "no element type `double'"), (("--types", ","), "no element type `'")):
        t.refuses(1, "bench", "out", *option).says(said)
    bench(t, TGC_CXX="/no/cxx").exits(1).says("cannot run `/no/cxx'", "TGC_CC and TGC_CXX")
    os.makedirs(t.path("taken/table.cc"))
    bench(t, "--build", "taken").exits(1).says("tgc: error: cannot write `taken/table.cc': Is a directory").hints("`--build'")
    shutil.rmtree(t.path("taken"))
    t.run(t.sum, "--arch", "sm_90", "--keep", "2", "-o", "gpu").exits(0)
    t.refuses(1, "bench", "gpu", "--flags", "-O2").says("`--flags' is for CPUs")
    shutil.rmtree(t.path("gpu"))
    shutil.rmtree(t.path("out/build-bench"), ignore_errors=True)
    equal(difference(before, tree(t.folder)), [], "left behind")
    edit(t, f"out/variants/{manifest(t)['variants'][0]['id']}.c", "#include", "#error made to fail\n#include")
    bench(t).exits(1).says("cc failed", "made to fail")
    equal(os.path.isdir(t.path("out/bench")), False, "is there a record")


@by_turns(9)
def test_tune_of_what_rounds(t):
    """Results that are rounded need not have the same bits; those of a variant that computes something else are wrong."""
    t.write("wad.cdl", OWN_SPECTRUM.replace("w * fabs(x - center)", "w * fabs(x - center) / 3"))
    t.run("wad.cdl", "--arch", "cpu", "--types", "float", "--keep", "1", "-o", "out").exits(0)
    tune(t, "--determinism", "not_guaranteed").exits(0)
    variant = f"out/variants/{os.listdir(t.path('out/variants'))[0]}"
    text = t.read(variant)
    broken = text.replace("REAL(fabs)", "1.1f * REAL(fabs)")
    if broken == text:
        raise Failed("nothing was broken")
    t.write(variant, broken)
    tune(t, "--determinism", "not_guaranteed").exits(1).says("no variant could be measured").hints("tgc check")


@by_turns(4)
def test_bench_of_an_own_spectrum(t):
    """Nothing that it could be compared with is known: the function and its best variant, and no figures of merit."""
    t.write("wad.cdl", OWN_SPECTRUM)
    t.run("wad.cdl", "--arch", "cpu", "--types", "float", "--keep", "2", "-o", "out").exits(0)
    r = bench(t, sizes="6,13").exits(0).prints("2^6 |", "2^13 |", "note: No library or OpenMP loop is known")
    r.expect("worst speedup" not in r.out and "OpenBLAS" not in r.out,
             "figures of merit, or words of a peer, without one")
    data, _ = record_of(t)
    equal({m["contender"] for m in data["measurements"]}, {"ours", "variant"}, "contenders")
    took = {m["n"]: m["us"] for m in data["measurements"] if m["contender"] == "variant"}
    r.expect(took[8192] > 4 * took[64], f"128 times the elements take {took}")


@by_turns(5)
def test_bench_of_matrices(t):
    """What has no loop is measured alone: matrices of as many elements as a size says, products of as many terms, with
    the bytes that they have to move."""
    for codelet, size, case, moved in drawn((("transpose", "12", (4096, 0), 8 << 12),
                                             ("jacobi", "12", (4096, 0), 4 * (64**2 + 62**2)),
                                             ("row_max", "12", (64, 4096), 4 * (4096 + 64)),
                                             ("gemm", "12", (16, 4096), 4 * 4 * 16**2)), 1):
        write_folder(t, codelet=codelet, keep="1")
        bench(t, sizes=size).exits(0).prints("note: No library or OpenMP loop is known")
        data, _ = record_of(t)
        found = {(m["contender"], m["n"], m["all"], m.get("moved")) for m in data["measurements"]}
        equal(found, {("ours", *case, moved), ("variant", *case, None)}, f"measurements of {codelet}")
        shutil.rmtree(t.path("out"))
