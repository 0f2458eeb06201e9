"""The command line: options, their values, misuse, exit statuses, output that cannot be written."""
import os

from harness import Failed


def misuse(t, *arguments):
    """Status 2, the reason and the way to the help."""
    r = t.refuses(2, *arguments)
    return r.expect(r.err.startswith("tgc: "), "expected `tgc: ' first").says("`tgc --help'")


def on_sum(t, *more):
    return t.run(t.sum, "--arch", "sm_60", *more)


def misuse_on_sum(t, *more):
    return misuse(t, t.sum, "--arch", "sm_60", "-o", "out", *more)


def refused_on_sum(t, *more):
    return t.refuses(1, t.sum, "--arch", "sm_60", "-o", "out", *more)


def test_help_and_version(t):
    for option in ("--help", "-h"):
        t.run(option).exits(0).prints("--arch", "--keep", "tgc explain", "Exit status").silent()
    t.run("rules", "--help").exits(0).prints("--arch")
    t.run("explain", "--help").exits(0).prints("--dot", "--svg")
    t.run("--version").exits(0).prints("tgc ").silent()
    width = max(map(len, t.run("--help").out.splitlines()))
    if width > 110:
        raise Failed(f"the help is {width} columns wide")


def test_every_option_of_the_help_is_known(t):
    names = [w.strip(",").split("[")[0] for line in t.run("--help").out.splitlines() if line.startswith("  -")
             for w in line.split()[:2] if w.startswith("-")]
    if len(names) < 18:
        raise Failed(f"the help names {names}")
    for name in names:
        r = t.run(name, name)
        r.expect("unknown option" not in r.err, "the help names an option that is not known")


def test_no_arguments(t):
    misuse(t).says("no input file")


def test_nothing_to_do(t):
    misuse(t, t.sum, "--arch", "sm_60").says("-o DIR", "--list")
    misuse(t, t.sum, "--list").says("--arch")
    misuse(t, "--arch", "sm_60", "--list").says("no input file")
    misuse(t, t.sum, t.sum, "--arch", "sm_60", "--list").says("sum.cdl' is given twice")


def test_unknown_options(t):
    misuse_on_sum(t, "--lits").says("unknown option `--lits'", "`--list'")
    misuse_on_sum(t, "--iteration", "3").says("`--iterations'")
    misuse_on_sum(t, "--spaces=cgo").says("`--space'")
    misuse_on_sum(t, "--frobnicate").says("unknown option `--frobnicate'")
    misuse_on_sum(t, "-x").says("unknown option `-x'")
    misuse_on_sum(t, "--").says("unknown option `--'")


def test_unknown_verbs(t):
    misuse(t, "explian", "1234").says("`explain'")
    misuse(t, "chekc", "out").says("`check'")
    misuse(t, "rule", t.sum).says("`rules'")
    misuse(t, "arch").says("`archs'")


def test_options_twice(t):
    for option, value in (("--arch", "sm_60"), ("--out", "other"), ("-o", "other"), ("-a", "sm_60")):
        misuse_on_sum(t, option, value).says("given twice")
    misuse_on_sum(t, "--keep", "3", "--keep=3").says("`--keep' is given twice")
    misuse_on_sum(t, "--list", "--list=json").says("`--list' is given twice")


def test_missing_values(t):
    for option in ("--types", "--spectrum", "--levels", "--iterations", "--keep", "--space", "--print-after",
                   "--without"):
        misuse_on_sum(t, option).says(f"`{option}' needs a value")
        misuse_on_sum(t, option, "").says(f"`{option}' needs a value")
        misuse_on_sum(t, option + "=").says(f"`{option}' needs a value")
    misuse(t, t.sum, "--arch").says("`--arch' needs a value")
    misuse(t, t.sum, "--arch", "sm_60", "-o").says("`--out' needs a value")
    misuse(t, t.sum, "--arch", "sm_60", "-o", "").says("`--out' needs a value")
    misuse_on_sum(t, "--list=").says("`--list' needs a value")
    misuse_on_sum(t, "--time=yes").says("`--time' takes no value")


def test_values_of_choices(t):
    misuse_on_sum(t, "--list=xml").says("--list=json")
    misuse_on_sum(t, "--remarks=some").says("passed, missed or all")
    misuse_on_sum(t, "--space", "cog").says("unknown space `cog'", "`cgo'")


def test_counts(t):
    for value in ("0", "-1", "-999999999999", "3x", "x", " 3", "+3", "3.5", "0x10", "99999999999999999999",
                  "1000001", "nan"):
        misuse_on_sum(t, "--keep", value).says("--keep", "a number from 1 to 1000000")
        misuse_on_sum(t, "--iterations", value).says("--iterations", "a number from 1 to 1000000")
    misuse_on_sum(t, "--iterations", "all").says("--iterations")
    misuse_on_sum(t, "--keep", "all", "--limit", "none").says("--limit")
    misuse_on_sum(t, "--limit", "5").says("`--keep all'")
    on_sum(t, "--levels", "grid,block,thread", "--iterations", "4", "--list", "--keep", "1000000").exits(0).silent()
    on_sum(t, "--list", "--iterations", "1000000").exits(0).silent()


def test_levels(t):
    refused_on_sum(t, "--levels", "block,grid,thread").says("`grid' stands above `block'").hints("top down")
    refused_on_sum(t, "--levels", "grid,blok,thread").says("no level `blok'").hints("`block'")
    refused_on_sum(t, "--levels", "grid,tissue,thread").says("no level `tissue'").hints("grid,block,warp,thread,ilp")
    refused_on_sum(t, "--levels", ",").says("empty name").hints()
    refused_on_sum(t, "--levels", "grid,block,thread,").says("empty name").hints()
    refused_on_sum(t, "--levels", "grid,grid,thread").says("named twice")
    refused_on_sum(t, "--levels", "grid,block").says("nothing can compute at `block'").hints("scalar")
    on_sum(t, "--levels", "grid,block,thread", "--list").exits(0).silent()
    on_sum(t, "--levels", "grid,block,warp,thread", "--list").exits(0).silent()


def test_levels_that_are_no_gpu(t):
    """No kernel comes of these; what is missing is said, and nothing breaks."""
    for levels, missing in (("thread", "grid"), ("grid,thread", "block"), ("block,thread", "grid"),
                            ("grid,block,ilp", "thread"),
                            ("grid,warp,thread", "block"), ("ilp", "grid"), ("grid,block,warp,ilp", "thread")):
        r = refused_on_sum(t, "--levels", levels).says(f"`{missing}'").hints()
        r.expect("cannot lower" not in r.err, "expected a reason in the user's words")


def test_types(t):
    misuse_on_sum(t, "--types", "floot").says("unknown element type `floot'", "`float'")
    misuse_on_sum(t, "--types", "quaternion").says("unknown element type `quaternion'", "int", "double")
    misuse_on_sum(t, "--types", "int,int").says("`int' is given twice")
    for empty in (",", "int,", ",int", "int,,float"):
        misuse_on_sum(t, "--types", empty).says("empty")
    misuse_on_sum(t, "--types", "float:int").says("`float' cannot be accumulated in `int'", "float, double")
    misuse_on_sum(t, "--types", "int8:int16").says("`int8' cannot be accumulated in `int16'", "int, int64, float")
    misuse_on_sum(t, "--types", "half:double,half:double").says("`half:double' is given twice")
    misuse_on_sum(t, "--types", "uint,uint:uint").says("is given twice")
    misuse(t, "rules", t.sum, "--types", "floot").says("`float'")


def test_passes(t):
    misuse_on_sum(t, "--without", "folt").says("`folt'", "`fold'")
    misuse_on_sum(t, "--without", "barriers").says("`barriers'", "fold")
    misuse_on_sum(t, "--without", ",").says("simplify, fold")
    misuse_on_sum(t, "--print-after", "folt").says("`folt'", "`fold'")
    misuse_on_sum(t, "--print-after", "nonsense").says("`nonsense'", "lower", "barriers", "all")
    for name in ("fold", "simplify", "simplify,fold"):
        on_sum(t, "--without", name, "--list", "--keep", "4").exits(0).silent()


def test_iterations(t):
    refused_on_sum(t, "--iterations", "1").says("no plan").hints("1 iteration does not reach")
    counts = []
    for n in (2, 3, 4, 5):
        r = on_sum(t, "--iterations", str(n), "--list=json", "--keep", "all", "--levels", "grid,block,thread")
        counts.append(r.out.count('"file":') if r.status == 0 else 0)
    if sorted(counts) != counts or counts[-1] == 0:
        raise Failed(f"more iterations find no more plans: {counts}")


def test_archs(t):
    r = t.run("archs").exits(0).silent()
    for name in (35, 52, 60, 70, 75, 80, 86, 89, 90, 100, 120):
        r.prints(f"sm_{name} ")
    r.prints("avx2 ", "avx512 ", "neon ", "\ncpu ")
    r.expect(max(map(len, r.out.splitlines())) <= 80, "expected a table of 80 columns")
    misuse(t, "archs", "sm_60").says("no arguments")


def test_unwritable_output(t):
    """A full or closed standard output is an error, whatever was to be printed; a reader that leaves is not."""
    for what in ("--help", "--version", "archs", "rules $SUM", "$SUM --arch sm_60 --list",
                 "$SUM --arch sm_60 --list=json",
                 "$SUM --arch sm_60 --trace", "$SUM --arch sm_60 --pruned", "$SUM --arch sm_60 --print-after all",
                 "explain --help"):
        t.shell(f'"$TGC" {what} >/dev/full').exits(1).says("standard output", "No space left")
        t.shell(f'"$TGC" {what} >&-').exits(1).says("standard output")
        r = t.shell(f'"$TGC" {what} | head -c 1 >/dev/null')
        r.exits(0).silent()
    t.shell('"$TGC" $SUM --arch sm_60 --space cgo --list=json | true; test ${PIPESTATUS[0]} -lt 128').exits(0).silent()


def test_unwritable_output_of_explain(t):
    on_sum(t, "--keep", "1", "-o", "out").exits(0)
    id = os.listdir(t.path("out/variants"))[0][:-3]
    t.shell(f'"$TGC" explain {id} >/dev/full').exits(1).says("No space left")
    t.shell(f'"$TGC" explain {id} | head -1').exits(0).silent()


def test_closed_error_output(t):
    """What is said has nowhere to go; what is written is whole."""
    t.shell('"$TGC" $SUM --arch sm_60 --keep 2 --remarks -o out 2>&-').exits(0)
    on_sum(t, "--keep", "2", "-o", "again").exits(0)
    t.shell("diff -r out again").exits(0)
    t.shell('"$TGC" nosuch.cdl --arch sm_60 -o none 2>&-').exits(1)
    t.shell('"$TGC" $SUM --arch sm_60 --keep 2 -o all <&- >&- 2>&-')
    t.shell("diff -r all again").exits(0)
