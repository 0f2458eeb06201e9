"""The command line: options, their values, misuse, exit statuses, output that cannot be written."""
import json, os, re, shutil

from harness import Failed, by_turns


def misuse(t, *arguments):
    """Status 2, the reason and the way to the help."""
    r = t.refuses(2, *arguments)
    return r.expect(r.err.startswith("tgc: error: "), "expected `tgc: error: ' first").hints("`tgc help")


def on_sum(t, *more):
    return t.run(t.sum, "--arch", "sm_60", *more)


def misuse_on_sum(t, *more):
    return misuse(t, t.sum, "--arch", "sm_60", "-o", "out", *more)


def refused_on_sum(t, *more):
    return t.refuses(1, t.sum, "--arch", "sm_60", "-o", "out", *more)


VERBS = ("compile", "check", "tune", "bench", "explain", "diff", "view", "ship", "new", "rules", "archs", "lsp",
         "help", "version")


def test_help_and_version(t):
    for words in (("--help",), ("-h",), ("help",)):
        t.run(*words).exits(0).prints("Usage: tgc VERB", "Exit status", *(f"  {verb} " for verb in VERBS)).silent()
    for words in (("version",), ("--version",), ("compile", "--version")):
        r = t.run(*words).exits(0).silent()
        r.expect(r.out.startswith("tgc ") and len(r.out.splitlines()) == 1, "expected a line with the version")
    misuse(t, "help", "chekc").says("did you mean `check'?")
    misuse(t, "help", "nonsense").says("unknown verb `nonsense'").hints("`tgc help' lists the verbs")
    misuse(t, "frobnicate", "out").says("`frobnicate' is neither a verb nor a file").hints("`tgc help' lists the verbs")
    misuse(t, t.sum, "--arch", "cpu", "--types", "Point").says("unknown element type `Point': structs are",
                                                               "`--operator NAME'")


@by_turns(1.5)
def test_one_style_of_help(t):
    """`tgc help VERB' and `tgc VERB --help' are the same text, in 80 columns or as COLUMNS says."""
    for verb in VERBS:
        r = t.run("help", verb).exits(0).prints(f"Usage: tgc {verb}", "\nOptions:\n", "-h, --help").silent()
        r.expect(r.out == t.run(verb, "--help").out == t.run(verb, "-h").out, "expected the same help in three ways")
        r.expect(verb == "diff" or "Exit status: 0 success" in r.out, "expected the exit statuses")
        for columns in (80, 60):
            r = t.shell(f'COLUMNS={columns} "$TGC" help {verb}').exits(0)
            wide = [line for line in r.out.splitlines() if len(line) > columns and line.split()[0] not in ("tgc", "--determinism")]
            r.expect(not wide, f"expected {columns} columns: {wide}")


def options_of(t, verb):
    """The options that the help of a verb shows."""
    lines = [line.split() for line in t.run("help", verb).out.splitlines() if line.lstrip().startswith("-")]
    return [w.strip(",").split("[")[0] for line in lines for w in line[:2] if w.startswith("-") and len(w) > 1]


@by_turns(6)
def test_every_option_of_the_help_is_known(t):
    for verb in VERBS:
        names = options_of(t, verb)
        if verb == "compile" and len(names) < 25 or "--help" not in names:
            raise Failed(f"the help of {verb} names {names}")
        for name in names:
            r = t.run(verb, name, name)
            r.expect("unknown option" not in r.err, "the help names an option that is not known")


def test_one_name_for_one_thing(t):
    """An option has one short name and one meaning everywhere; older spellings work and are not shown."""
    short = {}
    for verb in VERBS:
        for line in t.run("help", verb).out.splitlines():
            words = line.replace(",", "").split()
            if line.startswith("  -") and len(words) > 1 and words[1].startswith("--"):
                if short.setdefault(words[0], words[1]) != words[1]:
                    raise Failed(f"{words[0]} is {short[words[0]]} and, of {verb}, {words[1]}")
    if short.get("-j") != "--jobs" or short.get("-q") != "--quiet" or short.get("-v") != "--verbose":
        raise Failed(f"the short names are {short}")
    for verb, older, name in (("tune", "--options", "--flags"), ("bench", "--options", "--flags"),
                              ("check", "--keep", "--keep-harness")):
        shown = options_of(t, verb)
        if older in shown or name not in shown:
            raise Failed(f"the help of {verb} names {shown}")
        r = t.run(verb, older, "x", "nowhere")
        r.expect("unknown option" not in r.err, "an older spelling is not known any more")


def test_no_arguments(t):
    misuse(t).says("no verb")
    misuse(t, "compile").says("no input file")
    misuse(t, "rules").says("no input file")
    misuse(t, "explain").says("no variant given", "tgc explain ID [DIR]")
    misuse(t, "diff").says("DIR is missing")
    misuse(t, "new").says("NAME is missing")
    misuse(t, "check", "one", "two").says("too many arguments: `two'")
    misuse(t, "check", "").says("an empty name")


def test_nothing_to_do(t):
    misuse(t, t.sum, "--list").says("--arch")
    misuse(t, "--arch", "sm_60", "--list").says("no input file")
    misuse(t, t.sum, t.sum, "--arch", "sm_60", "--list").says("sum.cdl' is given twice")


@by_turns(3)
def test_the_usual_folder(t):
    """compile writes into `out', and verbs that read a folder read that one."""
    t.run("compile", t.sum, "--arch", "sm_60", "--keep", "2", "--types", "int").exits(0).prints("in out\n").silent()
    id = sorted(os.listdir(t.path("out/variants")))[0][:-3]
    t.run("explain", id).exits(0).prints(f"variant {id}").silent()
    t.run("check", "--sizes", "33", "--seeds", "1", "--plain", timeout=300).exits(0).prints("2 of 2 variants")
    t.run(t.sum, "--arch", "sm_60", "--keep", "2", "--types", "int", "-o", "again").exits(0)
    t.shell("diff -r out again").exits(0)
    for verb in ("tune", "bench", "view", "ship", "check", "explain 12"):
        t.shell(f'mkdir -p empty && cd empty && "$TGC" {verb} && exit 9; exit 0').exits(0).says("out/manifest.json")


def test_files_that_begin_with_a_dash(t):
    t.write("-sum.cdl", open(t.sum).read())
    t.run("compile", "--arch", "sm_60", "--keep", "1", "--list", "--",
          "-sum.cdl").exits(0).prints("sum of -sum.cdl").silent()


def test_color(t):
    """On a terminal, unless NO_COLOR is set; --color says otherwise."""
    t.write("bad.cdl", "__codelet int f(")
    red = "\033[31m"
    for before, option, wanted in (("", "", True), ("NO_COLOR=1", "", False), ("NO_COLOR=", "", True),
                                   ("TERM=dumb", "", False),
                                   ("NO_COLOR=1", "--color=always", True), ("", "--color never", False),
                                   ("", "--color=auto", True)):
        r = t.shell(f"TERM=xterm {before} script -qec '$TGC bad.cdl --arch sm_60 {option}' /dev/null")
        r.expect((red in r.out) == wanted, f"expected {'a' if wanted else 'no'} color with {before} {option}")
    for option, wanted in (("", False), ("--color=always", True)):
        r = t.shell(f"$TGC bad.cdl --arch sm_60 {option}").exits(1)
        r.expect((red in r.err) == wanted, f"expected {'a' if wanted else 'no'} color in a pipe with {option}")
    misuse_on_sum(t, "--color=red").says("auto, always or never")


def test_quiet_and_verbose(t):
    r = on_sum(t, "--keep", "2", "-q", "-o", "out").exits(0).silent()
    r.expect(not r.out, "expected no output")
    t.write("two.cdl", open(t.sum).read() + "\n__codelet int other(const Array<1,int> in) { return in[0]; }\n")
    on_two = ("two.cdl", "--arch", "sm_60", "--keep", "1", "--list")
    t.run(*on_two).exits(0).says("note:")
    t.run(*on_two, "-q").exits(0).silent().prints("sum of two.cdl")
    t.run("two.cdl", "--arch", "sm_60", "--keep", "1", "-v", "-o", "more").exits(0).says("remark:", "parse ", " ms")
    misuse_on_sum(t, "-q", "-v").says("contradict each other")
    misuse(t, "check", "-q", "-v").says("contradict each other")
    misuse(t, "tune", "-q", "-v").says("contradict each other")


def test_json_of_the_other_verbs(t):
    """Rules, the table of the command line and a new spectrum's files say in JSON what they say in text."""
    said = json.loads(t.run("rules", t.sum, "--arch", "sm_90", "--json").exits(0).silent().out)
    text = t.run("rules", t.sum, "--arch", "sm_90").exits(0).out
    for one in said["rules"] + said["specialized"]:
        if not re.search(rf"\b{re.escape(one['name'])}\b.*-> {re.escape(', '.join(one['steps']))}", text):
            raise Failed(f"the text has no rule {one}")
    if said["machine"] != "sm_90" or len(said["rules"]) != len(re.findall("^Rule ", text, re.M)) or \
            {"name": "1", "spectrum": "sum", "codelet": None, "level": None,
             "steps": ["S_L", "devolve(l_L)", "compose(sum, l_L)"]} not in said["rules"]:
        raise Failed(f"the rules are {said['rules']}")
    verbs = json.loads(t.run("help", "--json").exits(0).silent().out)
    if [v["name"] for v in verbs] != list(VERBS) or json.loads(t.run("help", "check", "--json").exits(0).out) != verbs[1]:
        raise Failed("the verbs are others")
    for verb in verbs:
        shown = set(options_of(t, verb["name"]))
        if {o["name"] for o in verb["options"]} - shown:
            raise Failed(f"{verb['name']}: {shown}")
    misuse(t, "help", "--json", "--as", "man").says("a form of its own")
    made = json.loads(t.run("new", "norm", "--json").exits(0).silent().out)
    if made["folder"] != "norm" or sorted(made["files"]) != sorted(os.listdir(t.path("norm"))):
        raise Failed(f"new says {made}")


def test_json(t):
    """--json is the manifest; machines are JSON too."""
    on_sum(t, "--keep", "2", "-o", "out").exits(0)
    r = on_sum(t, "--keep", "2", "--json").exits(0).silent()
    r.expect(r.out == t.read("out/manifest.json"), "--json is not the manifest")
    machines = json.loads(t.run("archs", "--json").exits(0).silent().out)
    if not {"sm_90", "avx2", "cpu"} <= {m["name"] for m in machines}:
        raise Failed(f"the machines are {machines}")
    ids = [v["id"] for v in json.loads(r.out)["variants"]]
    if json.loads(t.run("explain", ids[0], "out", "--json").exits(0).silent().out) != json.loads(r.out)["variants"][0]:
        raise Failed("explain --json is not the entry of the manifest")


@by_turns(1)
def test_listings_are_whole(t):
    """In a pipe a row is a line; on a terminal, or with COLUMNS, it is wrapped; nothing is cut off, and no two rows are
    the same."""
    plans = [v["plan"] for v in json.loads(on_sum(t, "--json").out)["variants"]]
    lines = on_sum(t, "--list").exits(0).out.splitlines()
    for plan in plans:
        if sum(line.endswith("  " + plan) for line in lines) != 1:
            raise Failed(f"the plan {plan} is not in one line")
    for columns in (60, 80, 200):
        wrapped = t.shell(f'COLUMNS={columns} "$TGC" "$SUM" --arch sm_60 --list').exits(0).out
        if max(map(len, wrapped.splitlines())) > columns:
            raise Failed(f"the listing is wider than {columns} columns")
        letters = "".join(wrapped.split())
        for plan in plans:
            if "".join(plan.split()) not in letters:
                raise Failed(f"with {columns} columns {plan} is not whole")
    rows = [line for line in t.run("archs").out.splitlines() if line.startswith("sm_")]
    if len(set(rows)) != len(rows) or len(rows) < 11:
        raise Failed("two machines look the same, or some are missing")


@by_turns(1)
def test_manual_pages(t):
    """A page for each verb, which man and groff take without a warning; one for tgc, which names all."""
    t.run("help", "-o", "pages").exits(0).silent()
    for verb in VERBS:
        page = t.read(f"pages/man1/tgc-{verb}.1")
        t.run("help", verb, "--as", "man").exits(0).expect(page.startswith('.\\" '), "expected a page")
        for option in options_of(t, verb):
            if option.replace("-", "\\-") not in page:
                raise Failed(f"the page of {verb} lacks {option}")
    overview = t.read("pages/man1/tgc.1")
    if not all(f"tgc\\-{verb} (1)" in overview for verb in VERBS):
        raise Failed("the page of tgc lacks a verb")
    misuse(t, "help", "check", "--as", "bash").says("give no VERB")
    misuse(t, "help", "--as", "html").says("text, man, bash, zsh or fish")
    if shutil.which("groff"):
        r = t.shell("for f in pages/man1/*.1; do groff -man -ww -z -t $f 2>&1; done").exits(0)
        r.expect(not r.out, "expected no warning of groff")


def test_completion(t):
    """bash completes verbs, options, their values and machines; the scripts of zsh and fish parse."""
    t.run("help", "-o", "pages").exits(0)
    for shell, script in (("bash", "bash/tgc"), ("zsh", "zsh/_tgc"), ("fish", "fish/tgc.fish")):
        t.run("help", "--as", shell).exits(0).expect(t.run("help", "--as", shell).out == t.read(f"pages/{script}"),
                                                      "expected the same script in both ways")
        if shutil.which(shell):
            t.shell(f"{shell} -n pages/{script}").exits(0).silent()
    for words, wanted in ((["ch"], ["check"]), (["check", "--sa"], ["--sanitize"]),
                          (["tune", "--objective", ""], ["graph", "stream", "all"]),
                          (["compile", "x.cdl", "--arch", "sm_9"], ["sm_90"]), (["x.cdl", "--spec"], ["--spectrum"]),
                          (["help", "ver"], ["version"]), (["check", "pa"], ["pages"]),
                          (["tune", "--objective", "=", "gr"], ["graph"]),
                          (["tune", "--objective", "="], ["graph", "stream", "all"])):
        array = " ".join(f"'{w}'" for w in ["tgc", *words])
        r = t.shell(f'PATH="$(dirname "$TGC"):$PATH"; . pages/bash/tgc; COMP_WORDS=({array}); COMP_CWORD={len(words)}; _tgc; '
                    'printf "%s\\n" "${COMPREPLY[@]}"').exits(0)
        r.expect(sorted(r.out.split()) == sorted(wanted), f"expected {wanted} for {words}")


def test_unknown_options(t):
    misuse_on_sum(t, "--lits").says("unknown option `--lits'", "`--list'")
    misuse_on_sum(t, "--iteration", "3").says("`--iterations'")
    misuse_on_sum(t, "--spaces=cgo").says("`--space'")
    misuse_on_sum(t, "--frobnicate").says("unknown option `--frobnicate'")
    misuse_on_sum(t, "-x").says("unknown option `-x'")
    misuse(t, "check", "--sezes", "1").says("`--sizes'")
    misuse(t, "tune", "--determinsm", "1").says("`--determinism'")
    misuse(t, "bench", "--round", "1").says("`--rounds'")
    misuse(t, "archs", "--frobnicate").says("unknown option `--frobnicate'")


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
    misuse_on_sum(t, "--list=xml").says("takes json")
    misuse_on_sum(t, "--remarks=some").says("passed, missed or all")
    misuse_on_sum(t, "--space", "cog").says("takes cgo, not `cog'", "`cgo'")
    misuse_on_sum(t, "--determinism", "run_to_rum").says("`run_to_run'")
    misuse(t, "tune", "--objective", "speed").says("graph, stream or all")


@by_turns(1.5)
def test_counts(t):
    for value in ("0", "-1", "-999999999999", "3x", "x", " 3", "+3", "3.5", "0x10", "99999999999999999999",
                  "1000001", "nan"):
        misuse_on_sum(t, "--keep", value).says("--keep", "a number from 1 to 1000000")
        misuse_on_sum(t, "--iterations", value).says("--iterations", "a number from 1 to 1000000")
    misuse_on_sum(t, "--iterations", "all").says("--iterations")
    misuse_on_sum(t, "--keep", "all", "--limit", "none").says("--limit")
    misuse_on_sum(t, "--limit", "5").says("`--keep all'")
    t.run(t.source("examples", "max.cdl"), "--arch", "sm_60", "--levels", "grid,block,thread", "--iterations", "4",
          "--list",
          "--keep", "1000000").exits(0).silent()
    on_sum(t, "--list", "--iterations", "1000000").exits(0).silent()


def test_levels(t):
    refused_on_sum(t, "--levels", "block,grid,thread").says("`grid' is above `block'").hints("top down")
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


@by_turns(1.5)
def test_iterations(t):
    refused_on_sum(t, "--iterations", "1").says("no plan").hints("1 iteration does not reach")
    counts = []
    for n in (2, 3, 4):
        r = t.run(t.source("examples", "max.cdl"), "--arch", "sm_60", "--iterations", str(n), "--list=json", "--keep",
                  "all",
                  "--levels", "grid,block,thread")
        counts.append(r.out.count('"file":') if r.status == 0 else 0)
    if sorted(counts) != counts or counts[-1] == 0:
        raise Failed(f"more iterations find no more plans: {counts}")


def test_archs(t):
    r = t.shell('COLUMNS=80 "$TGC" archs').exits(0).silent()
    for name in (35, 52, 60, 70, 75, 80, 86, 89, 90, 100, 120):
        r.prints(f"sm_{name} ")
    r.prints("avx2 ", "avx512 ", "neon ", "\ncpu ")
    r.expect(max(map(len, r.out.splitlines())) <= 80, "expected a table of 80 columns")
    misuse(t, "archs", "sm_60").says("no arguments")


@by_turns(4)
def test_unwritable_output(t):
    """A full or closed standard output is an error, whatever was to be printed; a reader that leaves is not."""
    for what in ("--help", "--version", "archs", "rules $SUM", "$SUM --arch sm_60 --list",
                 "$SUM --arch sm_60 --list=json",
                 "$SUM --arch sm_60 --trace", "$SUM --arch sm_60 --pruned", "$SUM --arch sm_60 --print-after all",
                 "explain --help", "help", "version", "archs --json", "help --as man", "help --as bash"):
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
