"""tgc tune, with stand-ins for nvcc and the measuring process (tests/tune/fake)."""
import collections, json, os, re, shutil, signal, sqlite3

from harness import Failed, Skipped, difference, tree

SIZES = "64,128,2^8..2^9"
BEGIN, END = "// table: begin", "// table: end"


def equal(got, wanted, what):
    if got != wanted:
        raise Failed(f"{what}: {got!r}, expected {wanted!r}")


def write_folder(t, where="out", keep="4", *more):
    t.run(t.sum, "--arch", "sm_90", "--types", "int,float", "--keep", keep, "-o", where, *more).exits(0)


def manifest(t, where="out"):
    return json.loads(t.read(f"{where}/manifest.json"))


def variants(t):
    return [v["id"] for v in manifest(t)["variants"]]


def fake(t, **more):
    return {**os.environ, "TGC_NVCC": t.source("tests", "tune", "fake", "nvcc"), "FAKE_LOG": t.path("log"), **more}


def tune(t, *arguments, sizes=SIZES, types="int", where="out", how=None, **more):
    given = ("--types", types) if types else ()
    return t.run("tune", where, "--sizes", sizes, *given, *arguments, env=fake(t, **more), **(how or {}))


def log(t, word):
    """What was compiled (`compile') or requested (`run') since the last look, in order."""
    if not os.path.exists(t.path("log")):
        return []
    lines = [line for line in t.read("log").splitlines() if line.startswith(word + " ")]
    return [line.split(" ", 1)[1] for line in lines]


def small(environment):
    """Of an environment, what the stand-ins look at."""
    return {k: v for k, v in environment.items() if k.startswith(("TGC_NVCC", "FAKE_"))}


def forget_log(t):
    if os.path.exists(t.path("log")):
        os.unlink(t.path("log"))


def rows(t, query, path="out/tune.db"):
    db = sqlite3.connect(t.path(path))
    try:
        return db.execute(query).fetchall()
    finally:
        db.close()


def bytes_of(t, name):
    with open(t.path(name), "rb") as f:
        return f.read()


def failures(t):
    """The kinds by variant."""
    found = collections.defaultdict(set)
    for variant, kind in rows(t, "SELECT variant, kind FROM failure"):
        found[variant].add(kind)
    return dict(found)


def table_of(t, where="out"):
    """The rows without comments, as lists of fields."""
    lines = [line.split("#")[0].split() for line in t.read(f"{where}/sum.table").splitlines()]
    return [line for line in lines if line]


def texts(t, where="out"):
    """What a run writes when it is done: all but the database and what was compiled."""
    return {n: w for n, w in tree(t.path(where)).items() if not n.startswith("tune.db")}


def unchanged(t, before, what):
    changed = difference(before, texts(t))
    equal(changed, [], f"changed or left behind by {what}")


def fails(t, *arguments, **more):
    """A run that ends with status 1, and leaves the texts as they were."""
    before = texts(t)
    r = tune(t, *arguments, **more).exits(1)
    r.expect("error: " in r.err, "expected an error").expect(not r.out, "expected nothing on stdout")
    unchanged(t, before, "a run that failed")
    return r


# ---- the command line ----

def test_misuse(t):
    write_folder(t)
    for arguments, said in (((), "which folder?"), (("out", "out"), "more than one folder"),
                            (("out", "--nonsense"), "unknown option `--nonsense'"),
                            (("out", "--sizes"), "needs a value")):
        t.refuses(2, "tune", *arguments).says(said, "`tgc tune --help'")
    for sizes in ("", ",", "x", "-1", "64,", "64,,65", "2^", "2^-1", "2^ 5", "3^5", "2^41", "1099511627777", "64..",
                  "64/3", "0..8", "8..4", "99999999999999999999999", "64 128"):
        t.refuses(2, "tune", "out", "--sizes", sizes).says("is no list of sizes")
    for objective in ("", "fast", "graph stream", " "):
        t.refuses(2, "tune", "out", "--objective", objective, timeout=20).says("no objective")
    for determinism in ("", "run_to", "run_to_run gpu_to_gpu"):
        t.refuses(2, "tune", "out", "--determinism", determinism, timeout=20).says("no determinism")
    for timeout in ("", "0", "-1", "x", "5x", "nan", "inf", "1e300"):
        t.refuses(2, "tune", "out", "--timeout", timeout).says("no timeout")
    for jobs in ("", "0", "-1", "x", "2x", "99999999999"):
        t.refuses(2, "tune", "out", "--jobs", jobs).says("no number of jobs")
    t.run("tune", "--help").exits(0).silent().prints("--types", "--merge", "Exit status")


def test_types(t):
    write_folder(t)
    for types in ("half", "int,half", "", ",", "int float"):
        fails(t, "--types", types, types=None).says("the folder has no type")
    guess = [row for row in table_of(t) if row[0] == "float"]
    tune(t, types="int,int,").exits(0)
    equal([row for row in table_of(t) if row[0] == "float"], guess, "rows of float, as they were")
    t.run(t.sum, "--arch", "sm_90", "--keep", "4", "--table", "out/sum.table", "-o", "again").exits(0).silent()


# ---- whole runs ----

def best_at(t, n):
    """(the candidate, its slowdown) with the least geometric mean of its times in a graph and on a stream."""
    at = collections.defaultdict(dict)
    for variant, threads, loads, blocks, mode, median in rows(
            t, f"SELECT variant, threads, loads, blocks, mode, median FROM measurement WHERE precise = 1 AND n = {n}"):
        at[variant, str(threads), str(loads), str(blocks)][mode] = median
    return {c: (m["graph"] * m["stream"]) ** 0.5 for c, m in at.items()}


def test_whole_run(t):
    write_folder(t, "out", "6")
    before = tree(t.path("out"))
    guess = table_of(t)
    r = tune(t, sizes="2^6..2^14").exits(0).says("measured", "100 %")
    equal(r.out, t.read("out/sum.table"), "the table that is printed")
    r.prints("sum, measured on Fake GPU, compute capability 9.0, driver 13.0, CUDA 13.0, ")
    for_float = [[row for row in some if row[0] == "float"] for some in (table_of(t), guess)]
    equal(for_float[0], for_float[1], "float's rows")
    ours = [row for row in table_of(t) if row[0] == "int"]
    for n in (2**i for i in range(6, 15)):
        row = next(row for row in ours if row[1] == "inf" or n <= int(row[1]))
        at = best_at(t, n)
        if at.get(tuple(row[2:]), 1e9) > 1.03 * min(at.values()):
            raise Failed(f"{row} serves {n}: {at}")
    changed = [n for n in difference(before, tree(t.path("out"))) if not n.startswith("tune.db")]
    named = {f"variants/{row[2]}.cu" for row in ours}
    equal([n for n in changed if n not in named], ["manifest.json", "sum.cu", "sum.table"], "changed")
    left = [n for n in os.listdir(t.path("out/tune.db.cache")) if not re.search(r"(\.so|sm_90)$", n)]
    equal(left, [], "left behind in the cache")


def test_database_has_every_row(t):
    write_folder(t)
    tune(t).exits(0)
    asked = collections.Counter()
    for request in log(t, "run"):
        variant, kind, n, modes, *configuration = request.split()
        for mode in modes:
            name = {"g": "graph", "s": "stream", "y": "sync"}[mode]
            asked[(variant, kind, int(n), name, int(modes != "g"), *map(int, configuration))] += 1
    have = rows(t, "SELECT variant, type, n, mode, precise, threads, loads, blocks FROM measurement")
    equal(collections.Counter(have), asked, "rows")
    equal(max(asked.values()), 1, "times that one thing was measured")
    hashes = {v["id"]: v["text_hash"] for v in manifest(t)["variants"]}
    for variant, text_hash in set(rows(t, "SELECT variant, text_hash FROM measurement")):
        equal(text_hash, hashes[variant], "the text's hash")
    of_run = set(rows(t, "SELECT device, compute, driver, toolkit, spectrum FROM measurement"))
    equal(of_run, {("Fake GPU", 90, "13.0", "13.0", "sum")}, "the device")
    equal(failures(t), {}, "failures")
    bad = rows(t, "SELECT * FROM measurement WHERE NOT (low <= median AND median <= high AND low > 0)")
    equal(bad, [], "figures out of order")


def test_ranges_of_the_library(t):
    """Between the marks, the rows of the table; around them nothing changes. The variants have what the rows name."""
    write_folder(t)
    before = t.read("out/sum.cu")
    tune(t, types=None).exits(0)
    after = t.read("out/sum.cu")
    for cut in (lambda s: s.split(BEGIN)[0], lambda s: s.split(END)[1]):
        equal(cut(after), cut(before), "the text around the table")
    found = re.findall(r"\{ *(\w+), sum_(\w+)_(int|float), \{ *(\d+), *(\d+), *(\d+)\}\}",
                       after.split(BEGIN)[1].split(END)[0])
    got = sorted([kind, "inf" if n == "UINT64_MAX" else n, v, *c] for n, v, kind, *c in found)
    equal(got, sorted(table_of(t)), "the ranges")
    keys = ("threads", "loads", "blocks")
    dispatch = [[r["type"], str(r["up_to"] or "inf"), r["variant"], *(str(r[k]) for k in keys)]
                for r in manifest(t)["dispatch"]]
    equal(dispatch, table_of(t), "the manifest's dispatch")
    for _, _, variant, threads, loads, _ in table_of(t):
        macro = re.search(r"^#define \w+_CONFIGURATIONS\(C\) (.*)$", t.read(f"out/variants/{variant}.cu"), re.M)[1]
        compiled = [c.split(", ") for c in re.findall(r"C\((.*?)\)", macro)]
        if not any(c[0] == threads and (len(c) == 1 or c[1] == loads) for c in compiled):
            raise Failed(f"{variant} is not compiled for {threads}, {loads}: {macro}")


def test_nothing_is_measured_twice(t):
    write_folder(t)
    tune(t).exits(0)
    before, had = texts(t), len(log(t, "run"))
    r = tune(t).exits(0).says("tgc tune: 0 measured")
    equal((len(log(t, "run")), len(log(t, "compile"))), (had, 4), "requests and compilations")
    unchanged(t, before, "a second run")
    tune(t, sizes=SIZES + ",2^11,2^12").exits(0)
    tune(t, types="float").exits(0)
    asked = collections.Counter(log(t, "run"))
    equal([line for line, times in asked.items() if times > 1], [], "measured again")
    kinds = {line.split()[1] for line in asked}
    equal(kinds, {"float", "int"}, "types")
    equal(len(log(t, "compile")), 4, "compilations")
    r = tune(t, "--objective", "stream").exits(0).says("tgc tune: 0 measured")
    return r


def test_folder_written_again_keeps_nothing_stale(t):
    """A folder that tgc writes again, from codelets that only have another comment: all is known."""
    write_folder(t)
    tune(t).exits(0)
    forget_log(t)
    text = open(t.sum, encoding="utf-8").read()
    t.write("sum.cdl", "// one line more\n" + text.replace("{\n", "{ // why\n", 1))
    t.run("sum.cdl", "--arch", "sm_90", "--types", "int,float", "--keep", "4", "-o", "out").exits(0)
    tune(t).exits(0).says("tgc tune: 0 measured")
    equal(log(t, "compile"), [], "compiled again")


def edit(t, variant, old, new):
    path = f"out/variants/{variant}.cu"
    text = t.read(path)
    at = text.index("\nnamespace ")
    if old not in text[at:]:
        raise Failed(f"{path} has no {old!r}")
    t.write(path, text[:at] + text[at:].replace(old, new, 1))


def test_edited_variant(t):
    """This text is the user's: one that was edited is compiled and measured again, and the others are not."""
    write_folder(t)
    tune(t).exits(0)
    forget_log(t)
    one = variants(t)[0]
    edit(t, one, "\ntypedef ", "\n// a comment\n#line 7 \"x\"\ntypedef ")
    tune(t).exits(0).says("tgc tune: 0 measured")
    equal((log(t, "compile"), log(t, "run")), ([], []), "after an edit of a comment")
    edit(t, one, "\ntypedef ", "\ntypedef int Edited;\ntypedef ")
    tune(t).exits(0)
    equal(log(t, "compile"), [one], "compiled again")
    equal({line.split()[0] for line in log(t, "run")}, {one}, "measured again")


def test_determinism(t):
    """Floating results keep the default promise unless another is asked for; integers need none."""
    write_folder(t)
    promise = {v["id"]: v["determinism"] for v in manifest(t)["variants"]}
    for asked, serve in ((None, {"run_to_run", "gpu_to_gpu"}), ("gpu_to_gpu", {"gpu_to_gpu"}),
                         ("not_guaranteed", set(promise.values()))):
        serve = {v for v, d in promise.items() if d in serve}
        forget_log(t)
        more = ("--determinism", asked) if asked else ()
        r = tune(t, *more, types="float", sizes="64")
        r.exits(0 if serve else 1)
        measured = {variant for variant, in rows(t, "SELECT DISTINCT variant FROM measurement WHERE type = 'float'")}
        if not serve <= measured or (asked is None and measured != serve):
            r.fail(f"{asked}: {measured} were measured, expected {serve}")
        chosen = {row[2] for row in table_of(t) if row[0] == "float"}
        if serve and not chosen <= serve:
            r.fail(f"{asked}: {chosen} serve, expected some of {serve}")
    if len(set(promise.values())) < 2:
        raise Failed(f"the variants should differ: {promise}")


def test_databases_elsewhere(t):
    """The database and what is compiled go where --database says, and nothing else into the folder."""
    write_folder(t)
    os.mkdir(t.path("kept"))
    tune(t, "--database", "kept/h200.db").exits(0)
    equal(sorted(os.listdir(t.path("kept"))), ["h200.db", "h200.db.cache"], "beside the database")
    equal([n for n in os.listdir(t.path("out")) if n.startswith("tune")], [], "in the folder")
    write_folder(t, "other")
    tune(t, "--database", "kept/h200.db", where="other").exits(0).says("tgc tune: 0 measured")


# ---- runs that are stopped ----

def stopped(t, number, status, **more):
    """A run that is stopped in the middle, and one that goes on: the times that something was measured again."""
    write_folder(t)
    before = texts(t)
    r = tune(t, FAKE_STOP=f"100:{number}", **more)
    r.exits(status).expect(not r.out, "expected no table")
    unchanged(t, before, "a run that was stopped")
    first = log(t, "run")
    if not 99 <= len(first) <= 100:
        r.fail(f"{len(first)} requests before the end")
    tune(t).exits(0)
    again = sum(times - 1 for times in collections.Counter(log(t, "run")).values())
    equal(failures(t), {}, "failures")
    got = table_of(t)
    shutil.rmtree(t.path("out"))
    write_folder(t)
    tune(t).exits(0)
    equal(got, table_of(t), "the table of a run that was stopped")
    return again, r


def test_interrupted(t):
    again, r = stopped(t, int(signal.SIGINT), 1)
    r.says("interrupted", "hint: the same command goes on from here")
    equal(again, 0, "measured again")


def test_interrupted_at_the_terminal(t):
    """Ctrl-C goes to all processes of the group; what is measured at that time has not failed."""
    again, r = stopped(t, -int(signal.SIGINT), 1, how={"start_new_session": True})
    r.says("interrupted")
    equal(again, 0, "measured again")


def test_terminated(t):
    again, r = stopped(t, int(signal.SIGTERM), 1)
    equal(again, 0, "measured again")


def test_killed(t):
    """What was not yet committed is lost, no more."""
    again, r = stopped(t, int(signal.SIGKILL), -int(signal.SIGKILL))
    if again > 64:
        raise Failed(f"{again} measured again")


# ---- variants that fail ----

def one_fails(t, name, kind, *arguments, message="", extra=()):
    """One variant fails in its way: it is told, recorded by its kind, and tried again with --retry alone."""
    write_folder(t)
    one = variants(t)[0]
    tune(t, *arguments, **{"FAKE_" + name: one}, **dict(extra)).exits(0).says(f"failed ({kind})")
    equal(failures(t), {one: {kind}}, "failures")
    said = {m for m, in rows(t, "SELECT message FROM failure")}
    if not said or any(message not in m for m in said):
        raise Failed(f"the failures say {said}, expected {message!r}")
    if one in t.read("out/sum.table").split():
        raise Failed("a variant that fails serves")
    forget_log(t)
    tune(t).exits(0).says("tgc tune: 0 measured")
    equal(log(t, "run"), [], "tried again")
    tune(t, "--retry").exits(0)
    equal({line.split()[0] for line in log(t, "run")}, {one}, "tried again with --retry")
    equal(failures(t), {}, "failures")


def test_variant_that_is_refused(t):
    one_fails(t, "LAUNCH", "launch", message="made to be refused")


def test_variant_that_takes_the_device_down(t):
    """The process ends behind its answer: the next measurement, of another variant, is not to blame."""
    one_fails(t, "LOST", "launch", message="the device is lost")


def test_variant_that_is_wrong(t):
    one_fails(t, "WRONG", "wrong", message="n = 1: got 2, want 3")


def test_variant_that_dies(t):
    one_fails(t, "DIE", "launch", message="died")


def test_variant_that_hangs(t):
    one_fails(t, "HANG", "timeout", "--timeout", "0.4", message="no answer in 0.4 s")


def test_variant_that_closes_the_output(t):
    one_fails(t, "CLOSE", "launch", message="died")


def test_variant_that_says_garbage(t):
    one_fails(t, "GARBAGE", "launch", message="an answer that is none")


def test_variant_that_says_no_number(t):
    one_fails(t, "NAN", "launch", message="an answer that is none")


def test_variant_that_never_ends_a_line(t):
    one_fails(t, "LONG", "launch", message="an answer that is none")


def test_variant_that_does_not_compile(t):
    write_folder(t)
    one = variants(t)[0]
    tune(t, FAKE_COMPILE=one).exits(0).says("1 variant does not compile")
    equal(failures(t), {one: {"compile"}}, "failures")
    equal("made to fail" in rows(t, "SELECT message FROM failure")[0][0], True, "the compiler's words are recorded")
    forget_log(t)
    tune(t).exits(0).says("0 measured", "1 variant does not compile")
    equal(log(t, "compile"), [], "compiled again")
    tune(t, "--retry").exits(0)
    equal(log(t, "compile"), [one], "compiled again with --retry")
    equal(failures(t), {}, "failures")


def test_edit_mends_what_did_not_compile(t):
    write_folder(t)
    one = variants(t)[0]
    tune(t, FAKE_COMPILE=one).exits(0)
    forget_log(t)
    edit(t, one, "\ntypedef ", "\ntypedef int Edited;\ntypedef ")
    tune(t).exits(0)
    equal(log(t, "compile"), [one], "compiled again")
    equal({line.split()[0] for line in log(t, "run")}, {one}, "measured")


def test_compiler_that_goes_away(t):
    """That the compiler is gone, or was killed, says nothing of a variant."""
    write_folder(t)
    tune(t).exits(0)
    one = variants(t)[0]
    edit(t, one, "\ntypedef ", "\ntypedef int Edited;\ntypedef ")
    fails(t, TGC_NVCC="/nonexistent/nvcc").says("cannot run `/nonexistent/nvcc'").hints("TGC_NVCC")
    tune(t, FAKE_COMPILE_DIES=one).exits(0).says("1 variant does not compile")
    equal(failures(t), {}, "failures")
    tune(t).exits(0).expect(one in {line.split()[0] for line in log(t, "run")}, "expected it to be measured")


def test_all_variants_fail(t):
    write_folder(t)
    fails(t, FAKE_LAUNCH="all").says("no variant could be measured for `int'", "--retry")
    fails(t, "--retry", FAKE_DIE="all")
    shutil.rmtree(t.path("out"))
    write_folder(t)
    fails(t, FAKE_COMPILE="all").says("no variant compiles", "made to fail")


# ---- machines that cannot measure ----

def test_without_nvcc(t):
    write_folder(t)
    fails(t, TGC_NVCC="/nonexistent/nvcc").says("cannot run `/nonexistent/nvcc'").hints("CUDA toolkit", "TGC_NVCC")


def test_without_gpu(t):
    write_folder(t)
    fails(t, FAKE_START="no-gpu").says("no CUDA-capable device is detected").hints("GPU")
    fails(t, FAKE_START="dies").says("no GPU to measure on").hints("GPU")
    fails(t, FAKE_START="garbage").says("no GPU to measure on").hints("GPU")


def test_another_gpu(t):
    write_folder(t)
    tune(t, FAKE_START="other").exits(0).says("warning: the folder was written for sm_90", "capability 8.0")


def test_measuring_process_that_does_not_compile(t):
    write_folder(t)
    fails(t, FAKE_COMPILE="worker").says("the measuring process does not compile", "made to fail")


def test_without_data(t):
    write_folder(t)
    os.mkdir(t.path("empty"))
    fails(t, TGC_DATA_DIR=t.path("empty")).says("cannot read `runtime/measure/measure.cu'").hints("TGC_DATA_DIR")


# ---- databases ----

def test_databases_that_are_none(t):
    write_folder(t)
    os.mkdir(t.path("folder.db"))
    t.write("text.db", "what is this?\n" * 1000)
    for name, script in (("later.db", "CREATE TABLE measurement (a); PRAGMA user_version = 2"),
                         ("theirs.db", "CREATE TABLE theirs (a)"), ("empty.db", "PRAGMA user_version = 1"),
                         ("columns.db", "CREATE TABLE measurement (a); CREATE TABLE failure (a);"
                                        " PRAGMA user_version = 1")):
        db = sqlite3.connect(t.path(name))
        db.executescript(script)
        db.close()
    for name in ("folder.db", "text.db", "later.db", "theirs.db", "empty.db", "columns.db", "nowhere/x.db"):
        before = tree(t.folder)
        fails(t, "--database", name).says(f"the database `{name}'")
        fails(t, "--merge", name).says(f"`{name}'")
        changed = [n for n in difference(before, tree(t.folder)) if not n.startswith("out/tune.db")]
        equal(changed, [], f"changed with {name}")
    fails(t, "--merge", "nowhere.db").says("`nowhere.db'", "No such file")
    if os.path.exists(t.path("nowhere.db")):
        raise Failed("made what it should have merged")


def test_damaged_databases(t):
    write_folder(t)
    tune(t).exits(0)
    whole = bytes_of(t, "out/tune.db")
    for what, text in (("cut", whole[:len(whole) // 2]), ("cut to a page", whole[:4096]),
                       ("cut in its head", whole[:60]),
                       ("overwritten", whole[:8192] + b"\xa5" * 8192 + whole[16384:]),
                       ("zeros", whole[:4096] + bytes(len(whole) - 4096))):
        t.write("bad.db", text)
        fails(t, "--database", "bad.db").says("the database `bad.db'")
        equal(bytes_of(t, "bad.db"), text, f"the database that is {what}")
        fails(t, "--merge", "bad.db").says("the database `bad.db'")


def test_empty_file_is_a_new_database(t):
    write_folder(t)
    t.write("new.db", "")
    tune(t, "--database", "new.db").exits(0)
    if not rows(t, "SELECT * FROM measurement", "new.db"):
        raise Failed("no rows")


def test_merge(t):
    write_folder(t)
    tune(t, "--database", "other.db").exits(0)
    had = rows(t, "SELECT count(*) FROM measurement", "other.db")[0][0]
    before = texts(t)
    r = t.run("tune", "out", "--merge", "other.db", env=fake(t, TGC_NVCC="/nonexistent/nvcc")).exits(0)
    r.prints(f"{had} rows added from other.db").silent()
    unchanged(t, before, "a merge")
    t.run("tune", "out", "--merge", "other.db", env=fake(t)).exits(0).prints("0 rows added")
    t.run("tune", "out", "--merge", "out/tune.db", env=fake(t)).exits(0).prints("0 rows added")
    forget_log(t)
    tune(t).exits(0).says("tgc tune: 0 measured")
    equal(log(t, "run"), [], "measured again")


def test_newest_measurement_counts(t):
    """Also where it was there before an older one is merged."""
    write_folder(t)
    tune(t).exits(0)
    now = table_of(t)
    shutil.copy(t.path("out/tune.db"), t.path("older.db"))
    db = sqlite3.connect(t.path("older.db"))
    db.execute("UPDATE measurement SET at = '2001-01-01T00:00:00.000Z', median = 1000 - median")
    db.commit()
    db.close()
    t.run("tune", "out", "--merge", "older.db", env=fake(t)).exits(0)
    tune(t).exits(0).says("tgc tune: 0 measured")
    equal(table_of(t), now, "the table")


def test_other_toolkits_are_measured_anew(t):
    write_folder(t)
    tune(t).exits(0)
    db = sqlite3.connect(t.path("out/tune.db"))
    db.execute("UPDATE measurement SET toolkit = '12.0'")
    db.commit()
    db.close()
    first = log(t, "run")
    tune(t).exits(0)
    equal(len(log(t, "run")), 2 * len(first), "requests")


# ---- folders ----

def test_folders_that_are_none(t):
    os.mkdir(t.path("empty"))
    for name in ("nowhere", "empty"):
        t.refuses(1, "tune", name).says(f"cannot read `{name}/manifest.json'").hints("writes that folder")
    write_folder(t)
    whole = t.read("out/manifest.json")
    for text, said in ((whole[:len(whole) // 2], "is no JSON"), ("", "is no JSON"), ("{}", "no manifest of tgc's"),
                       (whole.replace('"version": 1', '"version": 2'), "of version 2"),
                       (whole.replace('"variants"', '"others"'), "wanted"),
                       (whole.replace('"sm_90"', '"mine"'), "`mine'"),
                       (whole.replace('"variants/', '"../variants/', 1), "impossible file")):
        t.write("out/manifest.json", text)
        t.refuses(1, "tune", "out").says(said, "out")


def test_variant_that_is_missing(t):
    write_folder(t)
    name = f"out/variants/{variants(t)[0]}.cu"
    os.unlink(t.path(name))
    fails(t).says(f"cannot read `{name}': No such file")
    shutil.rmtree(t.path("out/variants"))
    fails(t).says("cannot read `out/variants/")


def test_texts_that_cannot_be_changed(t):
    """Where the table cannot go everywhere it goes nowhere."""
    write_folder(t)
    whole = texts(t)

    def spoilt(name, text, *said):
        original = t.read(name)
        if text is None:
            os.unlink(t.path(name))
        else:
            t.write(name, text(original))
        fails(t).says(*said, name)
        t.write(name, original)
    spoilt("out/sum.table", None, "cannot read")
    spoilt("out/sum.table", lambda s: s + "int what\n", "a field is missing", "out/sum.table:")
    spoilt("out/sum.cu", None, "cannot read")
    spoilt("out/sum.cu", lambda s: s.replace(BEGIN, "// mine"), "has no table")
    spoilt("out/sum.cu", lambda s: s.replace(END, "// mine"), "has no table")
    for id in variants(t):
        spoilt(f"out/variants/{id}.cu", lambda s: s.replace("#define SUM_", "#define MY_"), "does not define")
    equal(difference(whole, texts(t)), [], "changed")
    tune(t).exits(0)


def test_read_only_folder(t):
    write_folder(t)
    command = '"$TGC" tune out --sizes 64 --types int'
    if os.geteuid() != 0:
        tune(t, "--database", "elsewhere.db").exits(0)
    run = (f"unshare -m bash -c 'mount --bind out out && mount -o remount,bind,ro out || exit 77; {command} $MORE'")
    for more, said in (("", "the database `out/tune.db'"), ("--database elsewhere.db", "cannot write `out/")):
        before = texts(t)
        r = t.shell(run, MORE=more, **small(fake(t)))
        if r.status == 77 or "unshare" in r.err:
            raise Skipped("no mounts here")
        r.exits(1).says(said, "error: ")
        unchanged(t, before, "a run on a folder that is read-only")


def test_full_disk(t):
    """A database that takes no more ends the run: what is measured then would be lost."""
    write_folder(t)
    os.mkdir(t.path("full"))
    before = texts(t)
    r = t.shell("unshare -m bash -c 'mount -t tmpfs -o size=200k tmpfs full || exit 77; "
                '"$TGC" tune out --sizes 2^6..2^12 --types int,float --database full/x.db\'', **small(fake(t)))
    if r.status == 77 or "unshare" in r.err:
        raise Skipped("no mounts here")
    r.exits(1).says("the database `full/x.db'", "full").expect(not r.out, "expected no table")
    unchanged(t, before, "a run on a full disk")


def test_cache_that_is_a_file(t):
    write_folder(t)
    t.write("out/tune.db.cache", "mine")
    fails(t).says("out/tune.db.cache")
    equal(t.read("out/tune.db.cache"), "mine", "the file")
