"""tgc tune of spectra with other operands than in, n and out, on GPUs, and of shapes: stand-ins as in tuning.py; what
the measuring process calls with is run for itself (tests/tune/arrays.cc)."""
import json, os, re, shutil, sqlite3

from harness import Failed, Skipped, by_turns
from tuning import columns_of, equal, fake, forget_log, log, rows

SHAPES = "16x64,16x2^16,2^12x4,2^12x2^10"


def write_folder(t, codelet="segmented_sum", types="float", keep="4", where="out", more=()):
    source = t.source("codelets", f"{codelet}.cdl")
    t.run(source, "--arch", "sm_90", "--types", types, "--keep", keep, "-o", where, *more).exits(0)
    return json.loads(t.read(f"{where}/manifest.json"))


def tune(t, m, *arguments, **more):
    named = {"FAKE_OPERATOR": m["operator"] or "", "FAKE_SPECTRUM": m["spectrum"], **more}
    return t.run("tune", "out", "--determinism", "not_guaranteed", *arguments, env=fake(t, **named))


def table_of(t, m, where="out"):
    lines = [line.split("#")[0].split() for line in t.read(f"{where}/{m['spectrum']}.table").splitlines()]
    return [line for line in lines if line]


def asked(t):
    """The sizes or shapes of all requests."""
    return {line.split()[2] for line in log(t, "run")}


def serves(table, n, count):
    """The first row with room for both."""
    for row in table:
        size, _, most = row[1].partition("x")
        if (size == "inf" or n <= int(size)) and (not most or count <= int(most)):
            return row
    raise Failed(f"no row for {n} x {count}: {table}")


def test_shapes(t):
    """What serves each shape is the best that was measured there; the table, the library and the manifest agree."""
    m = write_folder(t)
    r = tune(t, m, "--shapes", SHAPES).exits(0).says("measured", "100 %")
    equal(r.out, t.read("out/segmented_sum.table"), "the table that is printed")
    equal(asked(t), {"16x64", "16x65536", "4096x4", "4096x1024"}, "shapes that were measured")
    equal(log(t, "worker"), ["TABLE arrays.cu difference.cu arrays.cc measure.cu"], "the measuring process")
    table = table_of(t, m)
    for n, count in ((16, 64), (16, 65536), (4096, 4), (4096, 1024)):
        at = collected(t, n, count)
        row = serves(table, n, count)
        if at.get(tuple(row[2:]), 1e9) > 1.03 * min(at.values()):
            raise Failed(f"{row} serves {n} x {count}: {at}")
    agree(t, table)


def collected(t, n, count):
    at = {}
    for variant, configuration, mode, median in rows(
            t, f"SELECT variant, configuration, mode, median FROM measurement WHERE precise = 1 AND n = {n} AND count = {count}"):
        at.setdefault((variant, *map(str, columns_of(configuration))), {})[mode] = median
    return {c: (m["graph"] * m["stream"] * m["sync"]) ** (1 / 3) for c, m in at.items()}


def agree(t, table):
    """The library's ranges and the manifest's dispatch are the table's rows; each variant is told where it serves."""
    def size(n, count):
        return ("inf" if n in ("UINT64_MAX", None) else str(n)) + \
               ("" if count in ("UINT64_MAX", None) else f"x{count}")
    found = re.findall(r"\{ *(\w+), *(\w+), *\d+, segmented_sum_(\w+)_float, \{ *(\d+), *(\d+), *(\d+)\}\}",
                       t.read("out/segmented_sum.cu"))
    equal([["float", size(n, count), *rest] for n, count, *rest in found], table, "the ranges")
    dispatch = [[d["type"], size(d["up_to"], d.get("count")), d["variant"],
                 *(str(d[k]) for k in ("threads", "loads", "blocks"))]
                for d in json.loads(t.read("out/manifest.json"))["dispatch"]]
    equal(dispatch, table, "the manifest's dispatch")
    for variant in {row[2] for row in table}:
        told = t.run("explain", variant, "out").exits(0).out.count("chosen for ")
        equal(told, sum(row[2] == variant for row in table), f"what explain tells of {variant}")


def test_the_table_is_taken(t):
    m = write_folder(t)
    tune(t, m, "--shapes", SHAPES).exits(0)
    if not any("x" in row[1] for row in table_of(t, m)):
        raise Failed(f"no row has a number of results: {table_of(t, m)}")
    write_folder(t, where="again", more=("--table", "out/segmented_sum.table"))
    equal(table_of(t, m, "again"), table_of(t, m), "the table of a folder that is written with it")
    ranges = [t.read(f"{where}/segmented_sum.cu").split("// table: ")[1] for where in ("out", "again")]
    equal(*ranges, "the ranges")


@by_turns(1.2)
def test_shapes_that_are_usual(t):
    """From one segment to many; with --sizes several numbers of segments of each."""
    m = write_folder(t, keep="1")
    tune(t, m).exits(0)
    shapes = [tuple(map(int, s.split("x"))) for s in asked(t)]
    if not {1, 16, 1 << 20} <= {count for _, count in shapes} or not {4, 1 << 10, 1 << 26} <= {n for n, _ in shapes}:
        raise Failed(f"usual shapes: {sorted(shapes)}")
    if max(n * count for n, count in shapes) > 1 << 26:
        raise Failed("too many elements")
    forget_log(t)
    tune(t, m, "--sizes", "100", "--database", "more.db").exits(0)
    shapes = [tuple(map(int, s.split("x"))) for s in asked(t)]
    equal(({n for n, _ in shapes}, len(shapes) > 3), ({100}, True), "shapes of one size")


def test_nothing_is_measured_twice(t):
    m = write_folder(t)
    tune(t, m, "--shapes", SHAPES).exits(0)
    had = t.read("out/segmented_sum.table")
    tune(t, m, "--shapes", SHAPES).exits(0).says("tgc tune: 0 measured")
    equal(t.read("out/segmented_sum.table"), had, "the table")


def test_wrong_variant(t):
    m = write_folder(t)
    wrong = m["variants"][0]["id"]
    tune(t, m, "--shapes", SHAPES, FAKE_WRONG=wrong).exits(0).says("failed (wrong)")
    if wrong in {row[2] for row in table_of(t, m)}:
        raise Failed(f"{wrong} is wrong, and serves")


@by_turns(1.4)
def test_other_operands(t):
    """One number picks the variant; what is called with are arrays."""
    for codelet in ("scan", "vadd", "saxpy", "dot", "histogram"):
        m = write_folder(t, codelet, types="int", keep="2")
        forget_log(t)
        tune(t, m, "--sizes", "64,2^12").exits(0)
        reduces = len(m["operands"]) == 3 and not m["operands"][2]["sizes"]
        equal((asked(t), "arrays.cu" in log(t, "worker")[0]), ({"64", "4096"}, not reduces), codelet)
        equal([row[1] for row in table_of(t, m)][-1], "inf", "the last row")
        t.refuses(2, "tune", "out", "--shapes", "4x4").says("`--shapes' is for")
        shutil.rmtree(t.path("out"))


def test_misuse(t):
    write_folder(t, keep="1")
    for shapes in ("16", "16x", "x4", "0x4", "4x0", "4x4,", "4x4x4", "2^41x1", "4 x 4", "4x4,16"):
        t.refuses(2, "tune", "out", "--shapes", shapes).says("`--shapes' takes shapes")
    t.refuses(2, "tune", "out", "--shapes", "4x4", "--sizes", "4").says("contradict each other")


def test_users_operator(t):
    """With other operands than a reduction's it is refused, before anything is built."""
    m = write_folder(t, keep="1")
    m["operator"] = "user"
    t.write("out/manifest.json", json.dumps(m))
    t.refuses(1, "tune", "out").says("an operator of your own: with such operands it cannot be tuned yet").hints()


# ---- databases of before ----

# Version 1 had no column `count'; 1 and 2 had these three in place of `configuration'.
BEFORE = {"measurement": "mode TEXT NOT NULL, precise INTEGER NOT NULL, median REAL NOT NULL, low REAL NOT NULL,"
                         " high REAL NOT NULL", "failure": "kind TEXT NOT NULL, message TEXT NOT NULL"}


def as_before(t, path, version):
    """The database as that version had it."""
    db = sqlite3.connect(t.path(path))
    for table, own in BEFORE.items():
        names = [one.split()[0] for one in own.split(", ")]
        had = db.execute(f"SELECT configuration, device, compute, driver, toolkit, spectrum, variant, text_hash, type, n, at, count,"
                         f" {', '.join(names)} FROM {table} ORDER BY rowid").fetchall()
        db.executescript(
            f"DROP TABLE {table}; CREATE TABLE {table} (device TEXT NOT NULL, compute INTEGER NOT NULL, driver TEXT NOT NULL,"
            " toolkit TEXT NOT NULL, spectrum TEXT NOT NULL, variant TEXT NOT NULL, text_hash TEXT NOT NULL,"
            " threads INTEGER NOT NULL, loads INTEGER NOT NULL, blocks INTEGER NOT NULL, type TEXT NOT NULL, n INTEGER NOT NULL,"
            f" {own}, at TEXT NOT NULL DEFAULT '', count INTEGER NOT NULL DEFAULT 0);"
            f"CREATE INDEX {table}_of ON {table} (text_hash, type, n, threads, loads, blocks)")
        for configuration, *row in had:
            db.execute(f"INSERT INTO {table} (threads, loads, blocks, device, compute, driver, toolkit, spectrum, variant, text_hash,"
                       f" type, n, at, count, {', '.join(names)}) VALUES ({', '.join('?' * (14 + len(names)))})",
                       (*columns_of(configuration), *row))
        if version == 1:
            db.execute(f"ALTER TABLE {table} DROP COLUMN count")
    db.execute(f"PRAGMA user_version = {version}")
    db.commit()
    db.close()


def test_databases_of_before(t):
    """They are taken, with all that they know, and merged."""
    for version in (1, 2):
        shutil.rmtree(t.path("out"), ignore_errors=True)
        for name in ("new.db", "new.db-wal", "new.db-shm"):
            if os.path.exists(t.path(name)):
                os.remove(t.path(name))
        check_database_of(t, version)


def check_database_of(t, version):
    m = write_folder(t, "saxpy", keep="2")
    tune(t, m, "--sizes", "64,2^12", FAKE_WRONG=m["variants"][0]["id"]).exits(0)
    had = rows(t, "SELECT * FROM measurement ORDER BY rowid")
    failed = rows(t, "SELECT * FROM failure ORDER BY rowid")
    as_before(t, "out/tune.db", version)
    shutil.copy(t.path("out/tune.db"), t.path("before.db"))
    tune(t, m, "--sizes", "64,2^12").exits(0).says("tgc tune: 0 measured")
    equal(rows(t, "SELECT * FROM measurement ORDER BY rowid"), had, "rows")
    equal(rows(t, "SELECT * FROM failure ORDER BY rowid"), failed, "failures")
    with open(t.path("before.db"), "rb") as f:
        before = f.read()
    for again in (len(had) + len(failed), 0):
        t.run("tune", "out", "--merge", "before.db", "--database", "new.db").exits(0).prints(f"{again} rows added")
    with open(t.path("before.db"), "rb") as f:
        equal(f.read(), before, "the database that is merged")


# ---- what is called with ----

def sizes_of_calls(t, kind, shape, calls):
    """What the sizes of a call are that meets such conditions; its results are right."""
    n, count = shape
    said = t.shell(f"CALLS='{calls}' ./subjects {kind} {n} {count}").exits(0).out.splitlines()
    all_right([line for line in said if line[0] == "="])
    return [int(x) for x in said[-1].split()[1:]]


@by_turns(9)
def test_subjects_of_calls_apart(t):
    """Rows that are aligned and rows that are not, square, tall and wide results; the sequential codelet's results."""
    subjects(t, "gemm", "float", ((35, 400),))
    for calls, wanted in (("", [20, 35, 35, 20, 20, 20]), ("aligned", [20, 35, 36, 20, 20, 20]),
                          ("not aligned", [20, 35, 37, 20, 21, 20]),
                          ("aligned, tall, not wide", [160, 35, 36, 2, 4, 2]),
                          ("not aligned, not tall, wide", [2, 35, 37, 160, 161, 160]),
                          ("not aligned, not tall, not wide", [20, 35, 37, 20, 21, 20]), ("tall", [160, 35, 35, 2, 2, 2])):
        equal(sizes_of_calls(t, "float", (35, 400), calls), wanted, f"sizes of calls: {calls}")
    shutil.rmtree(t.path("out"))
    subjects(t, "transpose", "double", ((1024, 0),))
    equal(sizes_of_calls(t, "double", (1024, 0), "not aligned, tall, not wide")[:3], [4, 256, 259 - 2], "sizes of transpose")


@by_turns(5)
def test_conditions(t):
    """Calls that meet conditions and calls that do not have rows of their own, each of what was measured with such calls;
    without conditions the rows of aligned calls are measured again, and the others stay."""
    m = write_folder(t, "gemm")
    conditions = ["aligned", "tall", "wide"]
    equal(m["conditions"], conditions, "the manifest's conditions")
    for given, said in (("high", "not `high'"), ("aligned,", "not `aligned,'")):
        tune(t, m, "--shapes", "64x4096", "--conditions", given).exits(2).says(said)
    r = tune(t, m, "--shapes", "64x4096,64x16", "--conditions", "aligned,tall,wide").exits(0)
    when = [row[1].partition(",")[2] for row in table_of(t, m)]
    equal(list(dict.fromkeys(when)), ["aligned,tall", "aligned,wide", "aligned", "tall", "wide", ""], "rows by conditions")
    equal(r.out, t.read("out/gemm.table"), "the table that is printed")
    measured = {calls for calls, in sqlite3.connect(t.path("out/tune.db")).execute("SELECT DISTINCT calls FROM measurement")}
    equal(measured, {"aligned, tall, not wide", "aligned, not tall, wide", "aligned, not tall, not wide",
                     "not aligned, tall, not wide", "not aligned, not tall, wide", "not aligned, not tall, not wide"},
          "calls that were measured")
    small = [count for count, in sqlite3.connect(t.path("out/tune.db")).execute(
        "SELECT DISTINCT count FROM measurement WHERE calls LIKE '%, tall%'")]
    equal(small, [4096], "numbers of results that may be tall")
    dispatch = json.loads(t.read("out/manifest.json"))["dispatch"]
    equal([",".join(row.get("when", [])) for row in dispatch], when, "the manifest's rows")
    if "ROWS_ALIGNED | RESULTS_TALL" not in t.read("out/gemm.cu"):
        raise Failed("the library has no such rows")
    before = [line for line in t.read("out/gemm.table").splitlines() if line[0] != "#"]
    forget_log(t)
    tune(t, m, "--shapes", "128x4096").exits(0)
    after = [line for line in t.read("out/gemm.table").splitlines() if line[0] != "#"]
    rest = [[line for line in lines if line.split()[1].partition(",")[2] != "aligned"] for lines in (before, after)]
    equal(rest[0], rest[1], "rows that were not measured again")
    if not any("at 128x4096: " in line and ",aligned " in line for line in after):
        raise Failed(f"expected a new row of aligned calls: {after}")


def test_conditions_that_calls_cannot_tell(t):
    m = write_folder(t)
    tune(t, m, "--shapes", "64x16", "--conditions", "aligned").exits(2).says("no call of `segmented_sum' tells: aligned")


def subjects(t, codelet, kind, shapes):
    """Lines of tests/tune/arrays.cc."""
    clang = next((c for c in ("clang++-19", "clang++") if shutil.which(c)), None)
    if not clang:
        raise Skipped("no clang++")
    m = write_folder(t, codelet, types=kind, keep="1")
    sizes = ("--shapes", "4x4") if "parts" in m else ("--sizes", "64")
    tune(t, m, *sizes, FAKE_TABLE=t.folder).exits(0)
    runtime = t.source("runtime")
    sources = [f"{runtime}/measure/arrays.cu", f"{runtime}/measure/arrays.cc", t.source("tests", "tune", "arrays.cc"),
               "table.cc"]
    words = " ".join(f'"{s}"' for s in sources)
    includes = " ".join(f'-I"{i}"' for i in (f"{runtime}/simt/include", f"{runtime}/simt", runtime, "out"))
    sequential = f"{m['spectrum']}_sequential_{kind}"
    text = t.read("out/check/reference.cc")
    declared = re.search(rf'extern "C" void {sequential}\((.*?)\)', text)[1]
    t.write("sequential.h", "#include <cuda_runtime.h>\n#include <cuComplex.h>\n#include <stdint.h>\n"
                            'extern "C" cudaError_t cudaMemGetInfo(size_t *, size_t *);\n'
                            f'typedef long long Index;\nextern "C" void {sequential}({declared});\n')
    t.shell(f"{clang} -std=c++17 -w -O0 -x c++ -include memory -D__host__= -D__device__= {includes} -include "
            f"sequential.h -DSEQUENTIAL={sequential} {words} -o subjects").exits(0)
    arguments = " ".join(f"{n} {count}" for n, count in shapes)
    lines = [line for line in t.shell(f"./subjects {kind} {arguments}").exits(0).out.splitlines() if line[0] == "="]
    equal(len(lines), len(shapes), "lines")
    return lines


def all_right(lines):
    for line in lines:
        if not line.endswith(" ok"):
            raise Failed(line)


@by_turns(5)
def test_subjects_of_segments(t):
    lines = subjects(t, "segmented_sum", "float", ((16, 64), (4096, 16), (1, 3), (3, 1), (100000, 3), (4, 16384)))
    all_right(lines)
    places, held = ([int(line.split()[i]) for line in lines] for i in (3, 5))
    if not 4 * 4096 * 16 * places[1] <= held[1] < 4 * 4096 * 17 * places[1]:
        raise Failed(f"bytes: {lines}")
    if places[0] != 16 or places[1] < 8 or not 3 <= places[4] <= 8:
        raise Failed(f"places: {lines}")


@by_turns(13)
def test_subjects_of_scalars_and_matrices(t):
    all_right(subjects(t, "saxpy", "float", ((1, 0), (1000, 0), (300000, 0))))
    shutil.rmtree(t.path("out"))
    all_right(subjects(t, "gemv", "float", ((32, 8), (1, 1), (1000, 100))))
    shutil.rmtree(t.path("out"))
    all_right(subjects(t, "saxpy", "cfloat", ((1000, 0),)))


@by_turns(10)
def test_subjects_of_positions(t):
    all_right(subjects(t, "histogram", "int", ((1000, 0), (100000, 0))))
    shutil.rmtree(t.path("out"))
    lines = subjects(t, "segmented_sum_offsets", "float", ((16, 64), (5, 1)))
    all_right(lines)
    if int(lines[0].split()[5]) < 16 * 4 * 16 * 64:  # in 16 places
        raise Failed(f"bytes: {lines}")


@by_turns(5)
def test_subjects_too_large(t):
    lines = subjects(t, "saxpy", "float", ((1 << 22, 0),))
    if "launch: memory for" not in lines[0]:
        raise Failed(lines[0])
