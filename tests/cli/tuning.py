"""tgc tune, with stand-ins for nvcc and the measuring process (tests/tune/fake)."""
import collections, json, os, re, shutil, signal, sqlite3

from drawn import drawn
from harness import Failed, by_turns, difference, tree

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


def columns_of(configuration):
    """What a row of the database is set to, as the columns of a table."""
    said = dict(one.split("=") for one in configuration.split())
    return tuple(int(said.get(name, 0)) for name in ("threads", "loads", "blocks"))


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


def table_of(t, where="out", name="sum"):
    """The rows without comments, as lists of fields."""
    lines = [line.split("#")[0].split() for line in t.read(f"{where}/{name}.table").splitlines()]
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
    for arguments, said in ((("out", "out"), "too many arguments: `out'"),
                            (("out", "--nonsense"), "unknown option `--nonsense'"),
                            (("out", "--sizes"), "needs a value")):
        t.refuses(2, "tune", *arguments).says(said).hints("`tgc help tune'")
    for sizes in (",", "x", "-1", "64,", "64,,65", "2^", "2^-1", "2^ 5", "3^5", "2^41", "1099511627777", "64..",
                  "64/3", "0..8", "8..4", "99999999999999999999999", "64 128"):
        t.refuses(2, "tune", "out", "--sizes", sizes).says("`--sizes' takes numbers")
    for objective in ("fast", "graph stream", " "):
        t.refuses(2, "tune", "out", "--objective", objective,
                  timeout=20).says("`--objective' takes graph, stream or all")
    for determinism in ("run_to", "run_to_run gpu_to_gpu"):
        t.refuses(2, "tune", "out", "--determinism", determinism, timeout=20).says("`--determinism' takes")
    for timeout in ("0", "-1", "x", "5x", "nan", "inf", "1e300"):
        t.refuses(2, "tune", "out", "--timeout", timeout).says("`--timeout' takes seconds")
    for jobs in ("0", "-1", "x", "2x", "99999999999"):
        t.refuses(2, "tune", "out", "--jobs", jobs).says("`--jobs' takes a number")
    t.run("tune", "--help").exits(0).silent().prints("--types", "--merge", "Exit status")


@by_turns(0.7)
def test_types(t):
    write_folder(t)
    for types in ("half", "int,half", ",", "int float"):
        fails(t, "--types", types, types=None).says("the folder has no type")
    guess = [row for row in table_of(t) if row[0] == "float"]
    tune(t, types="int,int,").exits(0)
    equal([row for row in table_of(t) if row[0] == "float"], guess, "rows of float, as they were")
    t.run(t.sum, "--arch", "sm_90", "--keep", "4", "--table", "out/sum.table", "-o", "again").exits(0).silent()


def test_json_and_quiet(t):
    """--json prints the rows of the table that is written; -q nothing; -v why a variant does not compile."""
    write_folder(t)
    said = json.loads(tune(t, "--json").exits(0).out)
    keys = ("type", "up_to", "variant", "threads", "loads", "blocks")
    equal([[str(row[key]) for key in keys] for row in said["rows"]], table_of(t), "the rows")
    equal(said["measured"], t.read("out/sum.table").splitlines()[0].removeprefix("# "), "the heading")
    r = tune(t, "-q").exits(0).silent()
    r.expect(not r.out, "expected no output")
    equal(tune(t, "--flags", "-O2", "-q").status, 2, "the status of `--flags', which is for CPUs")


# ---- whole runs ----

def tune_cpu(t, times, size="2^22", moment=None, stop=None):
    """Who serves in the end, of a folder for a CPU with these two, whose turns take so long: that of all threads, that
    of one. `moment': who is slow, in requests from which to which, and by what factor. `stop': a request at which it is
    stopped; it goes on then."""
    t.run(t.sum, "--arch", "avx2", "--types", "float", "--keep", "20", "-o", "out").exits(0)
    of = lambda begin: next(v["id"] for v in manifest(t)["variants"]
                            if v["plan"].startswith(begin) and v["determinism"] == "run_to_run")
    pair = {"all": of("process.tiled("), "one": of("process>thread")}
    told = {v: "1e6" for v in variants(t)} | {pair[k]: times[k] for k in pair}
    stand_in = t.source("tests", "tune", "fake", "nvcc")
    more = {"FAKE_MOMENT": ":".join(map(str, (pair.get(moment[0], "all"), *moment[1:])))} if moment else {}
    more.update(FAKE_START="cpu", FAKE_US=";".join(f"{v}:{us}" for v, us in told.items()))
    run = lambda **how: tune(t, sizes=size, types="float", TGC_CC=stand_in, TGC_CXX=stand_in, **how, **more)
    if stop:
        run(FAKE_STOP=f"{stop}:{int(signal.SIGINT)}").exits(1).says("continues from here")
    run().exits(0)
    names = {v: k for k, v in pair.items()}
    return [names.get(row[2]) for row in table_of(t)]


@by_turns(2.3)
def test_turns_of_a_cpu(t):
    """A look and 27 turns, three in each visit. A processor that is taken away for some of them, or one call that found
    everything in a cache, makes nobody win."""
    equal(tune_cpu(t, {"all": "10", "one": "20"}), ["all"], "who serves")
    equal(rows(t, "SELECT max(precise) FROM measurement"), [(27,)], "the last turn")
    shutil.rmtree(t.path("out"))
    equal(tune_cpu(t, {"all": "10,40,40,10", "one": "20"}), ["all"], "who serves where the first turns were disturbed")
    shutil.rmtree(t.path("out"))
    equal(tune_cpu(t, {"all": "10", "one": "11,11,11,5,11"}), ["all"], "who serves where one turn was too good")
    shutil.rmtree(t.path("out"))
    equal(tune_cpu(t, {"all": "30", "one": "20"}), ["one"], "who serves where one thread is the better one")
    shutil.rmtree(t.path("out"))
    three = ["40"] * 3 + ["10"] * 3 + ["40"] * 3
    equal(tune_cpu(t, {"all": ",".join(["40"] + three * 3), "one": "20"}), ["all"],
          "who serves where the machine had what one processor has in two visits of three")
    shutil.rmtree(t.path("out"))
    equal(tune_cpu(t, {"all": "40,40,40,40,10,40", "one": "20"}), ["one"],
          "who serves where all threads were lucky once")


def visits(t):
    """The first and the last request of each visit to a size, one after the other; and its size."""
    sizes = [line.split()[2] for line in log(t, "run")]
    ends = [i for i in range(1, len(sizes) + 1) if i == len(sizes) or sizes[i] != sizes[i - 1]]
    return [(begin + 1, end, sizes[begin]) for begin, end in zip([0] + ends, ends)]


@by_turns(2.3)
def test_turns_at_several_moments(t):
    """Turns at a size are taken in nine visits, with the other sizes in between: where the machine is another one for a
    while, in one of ten visits, the same serves. All threads may be slow then, or everything."""
    sizes = "2^16,2^18,2^20"
    for times, slow, factor, best in drawn((({"all": "10", "one": "20"}, "all", 4, "all"),
                                            ({"all": "10", "one": "9"}, "everybody", 1.3, "one")), 1,
                                           lambda case: case[1]):
        forget_log(t)
        equal(tune_cpu(t, times, sizes), [best], "who serves")
        visited = visits(t)
        equal([size for *_, size in visited], [str(2**i) for i in (16, 18, 20)] * 10, "sizes: a look, then nine visits")
        for begin, end, size in drawn(visited[::3], 4):
            shutil.rmtree(t.path("out"))
            equal(tune_cpu(t, times, sizes, (slow, begin, end, factor)), [best],
                  f"who serves with {slow} slow for a while, in requests {begin} to {end}, at {size}")
        shutil.rmtree(t.path("out"))


@by_turns(2)
def test_visits_go_on(t):
    """A run that was stopped in any visit goes on there: nothing is measured twice, and the table is the same."""
    sizes = "2^16,2^18"
    tune_cpu(t, {"all": "10", "one": "11"}, sizes)
    asked, table, visited = log(t, "run"), table_of(t), visits(t)
    for begin, end, _ in drawn(visited[2::3], 3):
        shutil.rmtree(t.path("out"))
        forget_log(t)
        tune_cpu(t, {"all": "10", "one": "11"}, sizes, stop=(begin + end) // 2)
        again = collections.Counter(log(t, "run")) - collections.Counter(asked)
        if again.total() > 1:
            raise Failed(f"stopped between {begin} and {end}, measured again: {again}")
        equal(table_of(t), table, "the table")


def best_at(t, n):
    """The geometric mean of each candidate's times in a graph, on a stream and alone."""
    at = collections.defaultdict(dict)
    for variant, configuration, mode, median in rows(
            t, f"SELECT variant, configuration, mode, median FROM measurement WHERE precise = 1 AND n = {n}"):
        at[variant, *map(str, columns_of(configuration))][mode] = median
    return {c: (m["graph"] * m["stream"] * m["sync"]) ** (1 / 3) for c, m in at.items()}


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
    equal([n for n in changed if n not in named], ["manifest.json", "sum.cu", "sum.h", "sum.table"], "changed")
    left = [n for n in os.listdir(t.path("out/tune.db.cache")) if not re.search(r"(\.so|sm_90)$", n)]
    equal(left, [], "left behind in the cache")
    t.run("view", "out", "-o", "page.html").exits(0)
    t.run("diff", "out", "out").exits(0)
    equal([n for n in os.listdir(t.path("out")) if n.startswith("tune.db-")], [],
          "left behind by who reads the database")


def test_database_has_every_row(t):
    write_folder(t)
    tune(t).exits(0)
    asked, turns = collections.Counter(), collections.Counter()
    for request in log(t, "run"):
        variant, kind, n, modes, *configuration = request.split()
        for mode in modes:
            name = {"g": "graph", "s": "stream", "y": "sync"}[mode]
            key = (variant, kind, int(n), name, *map(int, configuration))
            turn = turns[key + (modes,)] = turns[key + (modes,)] + 1
            asked[(*key[:4], turn if modes == "gsy" else 0, *key[4:])] += 1
    have = [(*row, *columns_of(c)) for c, *row in
            rows(t, "SELECT configuration, variant, type, n, mode, precise FROM measurement")]
    equal(sorted((collections.Counter(have) - asked).items())[:3], [], "rows that were not measured")
    equal(sorted((asked - collections.Counter(have)).items())[:3], [], "measured, and no row")
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


TURNS = 3  # in which each of the best candidates is measured


def too_often(t):
    """What was measured more often than once, or in more than its turns: how many times too often, by request."""
    asked = collections.Counter(log(t, "run"))
    return {line: times - most for line, times in asked.items() if times > (most := TURNS if " gsy " in line else 1)}


@by_turns(1)
def test_nothing_is_measured_twice(t):
    write_folder(t)
    tune(t).exits(0)
    before, had = texts(t), len(log(t, "run"))
    r = tune(t).exits(0).says("tgc tune: 0 measured")
    equal((len(log(t, "run")), len(log(t, "compile"))), (had, 4), "requests and compilations")
    unchanged(t, before, "a second run")
    tune(t, sizes=SIZES + ",2^11,2^12").exits(0)
    tune(t, types="float").exits(0)
    equal(too_often(t), {}, "measured again")
    kinds = {line.split()[1] for line in log(t, "run")}
    equal(kinds, {"float", "int"}, "types")
    equal(len(log(t, "compile")), 4, "compilations")
    r = tune(t, "--objective", "stream").exits(0).says("tgc tune: 0 measured")
    return r


@by_turns(1.2)
def test_what_became_slower(t):
    """The table before, made up to have been 10 % and 1 % faster at two sizes: the first is named. Of another device it
    says nothing of this one."""
    write_folder(t)
    tune(t, types="int,float").exits(0)
    table = t.read("out/sum.table")
    at, us = re.search(r"(?m)^int .*# at (\d+): ([\d.]+) us", table).groups()
    before = lambda part: table.replace(f"at {at}: {us} us", f"at {at}: {float(us) * part:.4f} us", 1)
    t.write("out/sum.table", before(0.9))
    r = tune(t, types="int,float").exits(0)
    r.says(f"tgc: warning: int at {at} is slower than in the table before: ", "(1.11x)")
    r.expect(r.err.count("is slower than") == 1, "expected one shape")
    for text in (before(0.99), before(0.9).replace("measured on ", "measured on another ")):
        t.write("out/sum.table", text)
        r = tune(t, types="int,float").exits(0)
        r.expect("slower" not in r.err, "expected no warning")


@by_turns(0.7)
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


@by_turns(0.7)
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


def test_same_on_every_gpu(t):
    """What is to be the same on every GPU is measured, and serves, in the variants' own configurations alone."""
    t.run(t.sum, "--arch", "sm_90", "--types", "float", "--determinism", "gpu_to_gpu", "--keep", "3", "-o",
          "out").exits(0)
    own = {(v["id"], *(next((u["default"] for u in v["tunables"] if u["name"] == name), 0)
                       for name in ("threads", "loads")), 0) for v in manifest(t)["variants"]}
    tune(t, "--determinism", "gpu_to_gpu", types="float", sizes="64,2^20").exits(0)
    def measured():
        return {(v, *columns_of(c)) for v, c in rows(t, "SELECT variant, configuration FROM measurement")}
    equal(measured(), own, "what was measured")
    tune(t, types="float", sizes="64,2^20").exits(0)
    if measured() == own:
        raise Failed("without that promise other configurations are tried, too")


@by_turns(0.7)
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
    again = sum(too_often(t).values())
    equal(failures(t), {}, "failures")
    got = table_of(t)
    shutil.rmtree(t.path("out"))
    write_folder(t)
    tune(t).exits(0)
    equal(got, table_of(t), "the table of a run that was stopped")
    return again, r


@by_turns(1)
def test_interrupted(t):
    again, r = stopped(t, int(signal.SIGINT), 1)
    r.says("interrupted", "hint: the same command continues from here")
    equal(again, 0, "measured again")


@by_turns(1)
def test_interrupted_at_the_terminal(t):
    """Ctrl-C goes to all processes of the group; what is measured at that time has not failed."""
    again, r = stopped(t, -int(signal.SIGINT), 1, how={"start_new_session": True})
    r.says("interrupted")
    equal(again, 0, "measured again")


@by_turns(1)
def test_terminated(t):
    again, r = stopped(t, int(signal.SIGTERM), 1)
    equal(again, 0, "measured again")


@by_turns(0.8)
def test_killed(t):
    """What was not yet committed is lost, no more."""
    again, r = stopped(t, int(signal.SIGKILL), -int(signal.SIGKILL))
    if again > 64:
        raise Failed(f"{again} measured again")
