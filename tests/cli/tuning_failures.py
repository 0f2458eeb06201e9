"""What tgc tune does where something fails: variants, machines, databases, folders; with the stand-ins of tuning.py."""
import os, shutil, sqlite3

from harness import Failed, Skipped, by_turns, difference, tree
from tuning import (bytes_of, edit, equal, failures, fails, fake, forget_log, log, manifest, rows, small, table_of,
                    texts, tune, unchanged, variants, write_folder, BEGIN, END)


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


@by_turns(0.7)
def test_variant_that_takes_the_device_down(t):
    """The process ends behind its answer: the next measurement, of another variant, is not to blame."""
    one_fails(t, "LOST", "launch", message="the device is lost")


def test_variant_that_is_wrong(t):
    one_fails(t, "WRONG", "wrong", message="n = 1: got 2, want 3")


@by_turns(0.8)
def test_variant_that_dies(t):
    one_fails(t, "DIE", "launch", message="died")


@by_turns(0.8)
def test_variant_that_hangs(t):
    one_fails(t, "HANG", "timeout", "--timeout", "0.4", message="no answer in 0.4 s")


@by_turns(0.5)
def test_inputs_that_take_long(t):
    """What it takes to make new inputs is no variant's time."""
    write_folder(t)
    tune(t, "--timeout", "0.4", FAKE_DATA="5:1.5").exits(0)
    equal(failures(t), {}, "failures")


@by_turns(0.8)
def test_variant_that_closes_the_output(t):
    one_fails(t, "CLOSE", "launch", message="died")


@by_turns(0.8)
def test_variant_that_says_garbage(t):
    one_fails(t, "GARBAGE", "launch", message="an invalid answer")


@by_turns(0.8)
def test_variant_that_says_no_number(t):
    one_fails(t, "NAN", "launch", message="an invalid answer")


@by_turns(0.8)
def test_variant_that_never_ends_a_line(t):
    one_fails(t, "LONG", "launch", message="an invalid answer")


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


@by_turns(0.5)
def test_object_that_is_lost(t):
    """What was compiled and cannot be kept says nothing of a variant: it is no failure to remember."""
    write_folder(t)
    one = variants(t)[0]
    fails(t, FAKE_COMPILE_LOST=one).says(f"cannot write `out/tune.db.cache/{one}-", "No such file")
    equal(failures(t), {}, "failures")
    tune(t).exits(0)
    equal(failures(t), {}, "failures")


@by_turns(0.5)
def test_edit_mends_what_did_not_compile(t):
    write_folder(t)
    one = variants(t)[0]
    tune(t, FAKE_COMPILE=one).exits(0)
    forget_log(t)
    edit(t, one, "\ntypedef ", "\ntypedef int Edited;\ntypedef ")
    tune(t).exits(0)
    equal(log(t, "compile"), [one], "compiled again")
    equal({line.split()[0] for line in log(t, "run")}, {one}, "measured")


@by_turns(0.8)
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


@by_turns(1.3)
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


@by_turns(0.5)
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
    fails(t, TGC_DATA_DIR=t.path("empty")).says("cannot read `runtime/measure/measure.h'").hints("TGC_DATA_DIR")


# ---- databases ----

@by_turns(0.7)
def test_databases_that_are_none(t):
    write_folder(t)
    os.mkdir(t.path("folder.db"))
    t.write("text.db", "what is this?\n" * 1000)
    for name, script in (("later.db", "CREATE TABLE measurement (a); PRAGMA user_version = 5"),
                         ("theirs.db", "CREATE TABLE theirs (a)"), ("empty.db", "PRAGMA user_version = 1"),
                         ("columns.db", "CREATE TABLE measurement (a); CREATE TABLE failure (a);"
                                        " PRAGMA user_version = 1"),
                         ("two.db", "CREATE TABLE measurement (a); CREATE TABLE failure (a); PRAGMA user_version = 2")):
        db = sqlite3.connect(t.path(name))
        db.executescript(script)
        db.close()
    for name in ("folder.db", "text.db", "later.db", "theirs.db", "empty.db", "columns.db", "two.db", "nowhere/x.db"):
        before = tree(t.folder)
        fails(t, "--database", name).says(f"the database `{name}'")
        fails(t, "--merge", name).says(f"`{name}'")
        changed = [n for n in difference(before, tree(t.folder)) if not n.startswith("out/tune.db")]
        equal(changed, [], f"changed with {name}")
    fails(t, "--merge", "nowhere.db").says("`nowhere.db'", "No such file")
    if os.path.exists(t.path("nowhere.db")):
        raise Failed("made what it should have merged")


@by_turns(0.8)
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


CRAFTED = (
    # (what is said, what is done to a database): rows that tgc's own schema would refuse, and what runs with a query
    ("without a kind", "CREATE TABLE x AS SELECT * FROM failure; DROP TABLE failure; ALTER TABLE x RENAME TO failure;"
     " INSERT INTO failure SELECT device, compute, driver, toolkit, spectrum, variant, text_hash,"
     " configuration, type, n, NULL, NULL, at, count, calls FROM measurement"),
    ("without a kind", "INSERT INTO failure SELECT device, compute, driver, toolkit, spectrum, variant, text_hash,"
     " configuration, type, n, x'00ff', 'm', at, count, calls FROM measurement"),
    ("an invalid time", "UPDATE measurement SET median = 'soon'"),
    ("an invalid time", "UPDATE measurement SET low = x'00'"),
    ("an invalid time", "UPDATE measurement SET median = -1"),
    ("an invalid time", "UPDATE measurement SET high = 9e999"),
    ("views, triggers", "CREATE TRIGGER t AFTER INSERT ON measurement BEGIN DELETE FROM measurement; END"),
    ("views, triggers", "ALTER TABLE failure RENAME TO f; CREATE VIEW failure AS SELECT * FROM f"))


@by_turns(0.9)
def test_crafted_databases(t):
    """Neither opened nor merged, and left as they are."""
    write_folder(t)
    tune(t).exits(0)
    shutil.copy(t.path("out/tune.db"), t.path("whole.db"))
    for said, script in CRAFTED:
        shutil.copy(t.path("whole.db"), t.path("bad.db"))
        db = sqlite3.connect(t.path("bad.db"))
        db.executescript(script)
        db.close()
        text = bytes_of(t, "bad.db")
        fails(t, "--database", "bad.db").says("the database `bad.db'", said)
        fails(t, "--merge", "bad.db").says("the database `bad.db'", said)
        equal(bytes_of(t, "bad.db"), text, f"the database after {script}")


def test_empty_file_is_a_new_database(t):
    write_folder(t)
    t.write("new.db", "")
    tune(t, "--database", "new.db").exits(0)
    if not rows(t, "SELECT * FROM measurement", "new.db"):
        raise Failed("no rows")


@by_turns(0.5)
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


@by_turns(0.5)
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


@by_turns(0.5)
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
    for text, said in ((whole[:len(whole) // 2], "is no JSON"), ("", "is no JSON"), ("{}", "not a manifest of tgc"),
                       (whole.replace('"version": 1', '"version": 2'), "of version 2"),
                       (whole.replace('"variants"', '"others"'), "wanted"),
                       (whole.replace('"exact": [', '"exact": [1, '), "exact[0]: wanted a string"),
                       (whole.replace('"sm_90"', '"mine"'), "`mine'"),
                       (whole.replace('"variants/', '"../variants/', 1), "invalid file"),
                       (whole.replace('"variants/', '"/tmp/variants/', 1), "invalid file"),
                       (whole.replace('"add"', '"add\\"; int evil = 1; //"'), "invalid operator"),
                       (whole.replace('"variants": [', '"variants": ' + "[" * 100000), "is no JSON"),
                       (whole.replace('"machine"', '"options": "-march=native -fplugin=./evil.so", "machine"', 1),
                        "invalid compiler options")):
        t.write("out/manifest.json", text)
        t.refuses(1, "tune", "out").says(said, "out")


def test_variant_that_is_missing(t):
    write_folder(t)
    name = f"out/variants/{variants(t)[0]}.cu"
    os.unlink(t.path(name))
    fails(t).says(f"cannot read `{name}': No such file")
    shutil.rmtree(t.path("out/variants"))
    fails(t).says("cannot read `out/variants/")


@by_turns(1.5)
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
    os.rename(t.path("out/sum.table"), t.path("table"))
    os.mkdir(t.path("out/sum.table"))
    fails(t).says("cannot read `out/sum.table': Is a directory")
    os.rmdir(t.path("out/sum.table"))
    os.rename(t.path("table"), t.path("out/sum.table"))
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
    for more, said in (("", "the database `out/tune.db'"), ("--database elsewhere.db", "cannot write into `out")):
        before = texts(t)
        r = t.shell(run, MORE=more, **small(fake(t)))
        if r.status == 77 or "unshare" in r.err:
            raise Skipped("no mounts here")
        r.exits(1).says(said, "error: ")
        unchanged(t, before, "a run on a folder that is read-only")


@by_turns(0.5)
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


@by_turns(1.1)
def test_merge_on_a_full_disk(t):
    write_folder(t)
    tune(t, "--database", "other.db").exits(0)
    db = sqlite3.connect(t.path("other.db"))
    for _ in range(6):
        db.execute("INSERT INTO measurement SELECT device, compute, driver, toolkit, spectrum, variant, text_hash,"
                   " configuration, type, n + 1, mode, precise, median, low, high, at, count, calls FROM measurement")
    db.commit()
    db.close()
    os.mkdir(t.path("full"))
    r = t.shell("unshare -m bash -c 'mount -t tmpfs -o size=200k tmpfs full || exit 77; "
                '"$TGC" tune out --merge other.db --database full/x.db\'', **small(fake(t)))
    if r.status == 77 or "unshare" in r.err:
        raise Skipped("no mounts here")
    r.exits(1).says("other.db", "full").expect(not r.out, "expected no rows")


def test_cache_that_is_a_file(t):
    write_folder(t)
    t.write("out/tune.db.cache", "mine")
    fails(t).says("out/tune.db.cache")
    equal(t.read("out/tune.db.cache"), "mine", "the file")
