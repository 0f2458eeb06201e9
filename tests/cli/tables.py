"""Tables of ranges: those that tgc is given, those that a generated library loads when it runs
(tests/tune/library.cc)."""
import glob, os, re, shutil

from harness import Failed, Skipped, by_turns
from tuning import equal, manifest, table_of, variants, write_folder


def rows_of(t, kind, where="out"):
    return [row for row in table_of(t, where) if row[0] == kind]


# ---- given to tgc ----

def with_table(t, table, *more, status=0, keep="4"):
    arguments = (t.sum, "--arch", "sm_90", "--types", "int,float", "--keep", keep, "-o", "given", "--table", table,
                 *more)
    return t.run(*arguments).exits(0) if status == 0 else t.refuses(status, *arguments)


def test_given_table(t):
    write_folder(t)
    a, b = variants(t)[:2]
    t.write("mine.table", f"# mine\nfloat 100 {a} 64 2 0 # small\nfloat inf {b} 0 0 0\n")
    with_table(t, "mine.table").silent()
    wanted = [["float", "100", a, "64", "2", "0"], ["float", "inf", b, "0", "0", "0"]]
    equal(rows_of(t, "float", "given"), wanted, "rows of float")
    equal(t.read("given/sum.table").splitlines()[0], "# mine", "the heading")
    equal(rows_of(t, "int", "given"), rows_of(t, "int"), "rows of int, guessed")
    with_table(t, "none").silent()
    equal(table_of(t, "given"), table_of(t), "the guess")
    with_table(t, "given/sum.table").silent()
    equal(table_of(t, "given"), table_of(t), "the guess, given")


def of_a_cpu(t, tables):
    """A spec of a CPU that takes the tables of that folder."""
    with open(t.source("archspec", tables.split("-")[0] + ".yaml"), encoding="utf-8") as f:
        t.write("host.yaml", f.read().replace("family: cpu\n", f"family: cpu\ntables: {tables}\n"))
    return "./host.yaml"


@by_turns(1.5)
def test_where_a_table_is_from(t):
    """The line of compile, the listing and the header say whether the dispatch was measured, and where."""
    guess = "not measured on this machine: run `tgc tune"
    words = lambda text: " ".join(text.replace("\n * ", " ").split())
    with_table(t, "none").prints(f"{guess} given'\n")
    listed = t.run(t.sum, "--arch", "sm_90", "--types", "int", "--table", "none", "--list")
    listed.prints(f"Dispatch by size: {guess}'\n")
    r = t.run(t.sum, "--arch", "sm_90", "--types", "int", "--table", "none", "-o", "x", "-q").exits(0)
    r.expect(guess not in r.out + r.err, "expected nothing of it with -q")
    for table, types, said in (("none", "int", f"{guess}'."), (None, "int", "measured on NVIDIA H200, "),
                               (None, "int,uint16", "; uint16: " + guess)):
        more = ["--table", table] if table else []
        r = t.run(t.sum, "--arch", "sm_90", "--types", types, *more, "-o", "made").exits(0)
        r.expect(("not measured" in r.out) == (guess in said),
                 "expected the line where something was not measured alone")
        header = words(t.read("made/sum.h"))
        r.expect("Dispatch by size (sum.table): " in header and said in header, f"expected {said!r} in the header")


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


@by_turns(4.5)
def test_shipped_tables(t):
    """What was measured serves at once: each variant that a shipped table names is one that tgc keeps by default. Where
    no promise is wanted another table may serve."""
    recorded = {}
    for path in glob.glob(t.source("bench", "results", "*", "*.table")):
        recorded[read(path)] = path
    shipped_tables = sorted(glob.glob(t.source("tables", "*", "*.table")))
    if not shipped_tables:
        raise Failed("no table is shipped")
    for path in shipped_tables:
        machine, spectrum = path.split("/")[-2], os.path.basename(path)[:-6]
        text = read(path)
        shipped = [line.split("#")[0].split() for line in text.splitlines() if not line.startswith("#")]
        kinds = dict.fromkeys(row[0] for row in shipped)
        promise = ["--determinism", "not_guaranteed"] if spectrum.endswith("_not_guaranteed") else []
        spectrum, _, by_columns = spectrum.partition("_by_columns_of_")  # which of the operands, and units
        by_columns = by_columns.removesuffix("_groups").removesuffix("_units")
        layout = ["--by-columns", by_columns.replace("_", ",")] if by_columns else []
        spectrum = spectrum.removesuffix("_not_guaranteed")
        file = {"axpy": "saxpy", "inclusive_scan": "scan", "gemv_by_columns": "gemv_columns"}.get(spectrum, spectrum)
        file = file.replace("_by_offsets", "_offsets").removesuffix("_groups").removesuffix("_units")
        if not os.path.exists(t.source("codelets", f"{file}.cdl")):
            file = file.removesuffix("_offsets")
        codelets = [t.source("codelets", f"{file}.cdl")]
        name = spectrum.removesuffix("_by_columns").removesuffix("_by_offsets").removesuffix("_groups").removesuffix("_units")
        if os.path.exists(codelets[0]):
            codelets += ["--spectrum", name]
        else:
            operator = "".join(word.capitalize() for word in spectrum.split("_")[1:])
            codelets = [t.source("codelets", "reduce.cdl"), "--operator", operator]
        arch = machine if os.path.exists(t.source("archspec", f"{machine}.yaml")) else of_a_cpu(t, machine)
        if arch != machine and text not in recorded:
            raise Failed(f"{path} is no table of a record")
        # units take tf32 and halves from different tiles; a block of a sort has shared memory for 384 keys of 4 bytes alone
        apart = "tf32" in kinds or spectrum.startswith("sort")
        # types that units multiply have rows of their own; these serve where they are asked for
        stem = path.removesuffix(".table")
        better = [f"{stem.removesuffix('_units')}_groups.table"] + [f"{stem}_units.table"]
        others = [p for p in better if os.path.exists(p) and p != path]
        given = {kind for kind in kinds if any(re.search(rf"^{kind} ", read(p), re.M) for p in others)}
        sets = [[kind] for kind in kinds] if apart else [[k for k in kinds if k not in given], list(given)]
        for types in filter(None, sets):
            own = ["--table", path] if given and set(types) <= given else []
            t.run(*codelets, "--arch", arch, "--types", ",".join(types), *promise, *layout, *own, "-o",
                  machine).exits(0).silent()
            equal(table_of(t, machine, name), [row for row in shipped if row[0] in types], f"{path}: {types}")


def test_given_table_for_a_type_that_is_alike(t):
    write_folder(t)
    t.write("mine.table", f"uint inf {variants(t)[0]} 0 0 0\nhalf inf 01234567 0 0 0\n")
    with_table(t, "mine.table").silent()
    equal(rows_of(t, "int", "given"), [["int", "inf", variants(t)[0], "0", "0", "0"]], "rows of int")


def test_given_table_that_is_none(t):
    for text, line, said in (("float 64 a 0 0\n", 1, "a field is missing"),
                             ("# x\n\nfloat inf a 0 0 x\n", 3, "a number"),
                             ("float inf a 9999 0 0\n", 1, "no number that fits"),
                             ("float 9 a 0 0 0\nfloat 9 b 0 0 0\nfloat inf a 0 0 0\n", 2, "ascend"),
                             ("float 9 a 0 0 0\n", 2, "do not end with `inf'")):
        t.write("bad.table", text)
        r = with_table(t, "bad.table", status=1).says(f"bad.table:{line}:", said).hints("type up_to variant")
        equal(r.errors()[0][0], line, "the line")
    with_table(t, "nowhere.table", status=1).says("cannot read `nowhere.table'")
    with_table(t, ".", status=1).says("`.'")


def test_given_table_that_names_another_variant(t):
    """It does not serve that type, and it is said why."""
    write_folder(t)
    t.write("other.table", f"float inf 01234567 0 0 0\nint inf {variants(t)[0]} 0 0 0\n")
    r = with_table(t, "other.table", "--remarks")
    equal(rows_of(t, "float", "given"), rows_of(t, "float"), "rows of float")
    equal(rows_of(t, "int", "given"), [["int", "inf", variants(t)[0], "0", "0", "0"]], "rows of int")
    r.says("the measured table is not used for `float'", "01234567")
    r.prints("(the table that was measured is not used for `float': variant 01234567 is not among those that are kept)\n")


def test_given_table_with_impossible_numbers(t):
    """1000 lanes are no warps: the text would not compile."""
    write_folder(t)
    own = variants(t)[0]
    for row, said in (("1000 0", "`threads'"), ("0 63", "`loads'")):
        t.write("other.table", f"float inf {own} {row} 0\nint inf {own} 0 0 0\n")
        r = with_table(t, "other.table", "--remarks")
        equal(rows_of(t, "float", "given"), rows_of(t, "float"), "rows of float")
        equal(rows_of(t, "int", "given"), [["int", "inf", own, "0", "0", "0"]], "rows of int")
        r.says("the measured table is not used for `float'", said, own)


def with_tunable(t, wanted):
    """A variant, and its tunable for which `wanted' holds."""
    for v in manifest(t)["variants"]:
        for tunable in v["tunables"]:
            if wanted(tunable):
                return v["id"], tunable
    raise Failed("no variant has such a tunable")


def test_given_table_with_numbers_for_the_launch(t):
    """As many blocks as a grid has; where they post, as many as there is room for."""
    write_folder(t, "out", "12")
    guess = rows_of(t, "float")
    free, _ = with_tunable(t, lambda x: x["name"] == "blocks" and x["max"] > 1 << 20)
    bound, blocks = with_tunable(t, lambda x: x["name"] == "blocks" and x["max"] < 1 << 20)
    for own, number, serves in ((free, 1 << 20, True), (bound, blocks["max"], True), (bound, blocks["max"] + 1, False)):
        t.write("mine.table", f"float inf {own} 0 0 {number}\n")
        r = with_table(t, "mine.table", "--remarks", keep="12")
        row = ["float", "inf", own, "0", "0", str(number)]
        equal(rows_of(t, "float", "given"), [row] if serves else guess, "rows of float")
        if not serves:
            r.says("the measured table is not used for `float': `blocks'", own, f"not {number}")


# ---- loaded by a library ----

def compiler():
    for name in ("clang++-19", "clang++", "c++"):
        if shutil.which(name):
            return name
    raise Skipped("no C++ compiler")


def library(t):
    """A program of out/sum.cu, whose variants only say what they were called with. They have (64, 2) and (128, 4)."""
    write_folder(t)
    t.write("stubs.inc", "".join(f"STUB({id}, {{64, 2}}, {{128, 4}})\n" for id in variants(t)))
    include = t.source("runtime", "simt", "include")
    t.shell(f'{compiler()} -std=c++17 -Wall -Wextra -Wno-unused-function -fsanitize=undefined,address -DSTUBS '
            f'-I out -I . -I "{include}" -x c++ out/sum.cu "{t.source("tests", "tune", "library.cc")}" '
            '-o library').exits(0).silent()
    return variants(t)


def runs(t, arguments, *lines, **environment):
    r = t.shell(f"./library {arguments}", ASAN_OPTIONS="detect_leaks=0", **environment).exits(0).silent()
    return r.expect(r.out.splitlines() == list(lines), f"expected {list(lines)}")


def compiled_choice(t, kind="int", n=100):
    row = next(r for r in table_of(t) if r[0] == kind and (r[1] == "inf" or n <= int(r[1])))
    return " ".join(row[2:])


def test_loaded_table_is_obeyed(t):
    a, b, c = library(t)[:3]
    t.write("x.table", f"# mine\n\nint 100 {a} 64 2 0 # why\n\tint 200 {b} 0 0 7\r\nint inf {c} 128 0 0")
    runs(t, "call 100 load x.table call 0 call 100 call 101 async 200 call 201 float 100",
         f"{compiled_choice(t)}: 100", "load 0", f"{a} 64 2 0: 0", f"{a} 64 2 0: 100", f"{b} 0 0 7: 101",
         f"{b} 0 0 7: 200", f"{c} 128 0 0: 201", f"{compiled_choice(t, 'float')}: 100")
    runs(t, "call 100 float 100", f"{a} 64 2 0: 100", f"{compiled_choice(t, 'float')}: 100", TGC_TABLE="x.table")
    t.write("y.table", f"float inf {a} 0 0 0\n")
    runs(t, "load x.table load y.table call 100 float 100", "load 0", "load 0", f"{compiled_choice(t)}: 100",
         f"{a} 0 0 0: 100")
    runs(t, "load out/sum.table call 100", "load 0", f"{compiled_choice(t)}: 100")


def test_variants_for_some_types(t):
    """A loaded table names a variant for a type that it is not for: it is refused, and what was compiled serves. Where
    it is pinned, other types are served as before."""
    t.run(t.source("codelets", "segmented_sum.cdl"), "--arch", "sm_90", "--types", "float,half", "--keep", "12", "-o",
          "out").exits(0)
    every = manifest(t)["variants"]
    names = {"float": "float", "half": "__half"}
    t.write("stubs.inc", "".join(f"CONFIGURATIONS({v['id']})\n" + "".join(
        f"STUB({v['id']}, {kind}, {names[kind]})\n" for kind in v["functions"]) for v in every))
    include = t.source("runtime", "simt", "include")
    t.shell(f'{compiler()} -std=c++17 -Wall -Wextra -Wno-unused-function -fsanitize=undefined,address -I out -I . '
            f'-I "{include}" -x c++ out/segmented_sum.cu "{t.source("tests", "library", "partial.cc")}" '
            '-o library').exits(0).silent()
    unit = next(v["id"] for v in every if list(v["functions"]) == ["half"])
    both = [v["id"] for v in every if len(v["functions"]) == 2]
    r = t.shell("./library float 100", ASAN_OPTIONS="detect_leaks=0").exits(0)
    compiled = r.out.strip()
    other = next(id for id in both if id != compiled)
    t.write("bad.table", f"half inf {unit} 0 0 0\nfloat inf {unit} 0 0 0\n")
    t.write("good.table", f"half inf {unit} 0 0 0\nfloat inf {other} 0 0 0\n")
    runs(t, "load bad.table float 100 load good.table float 100 half 100", "load 9", compiled, "load 0", other, unit)
    runs(t, "float 100 half 100", compiled, unit, TGC_VARIANT=unit)
    runs(t, "float 100 half 100", other, other, TGC_VARIANT=other)


def test_long_comments_of_a_loaded_table(t):
    a = library(t)[0]
    long = "# " + f"int inf {a} 0 0 0 " * 100
    t.write("x.table", f"{long}\nint inf {a} 64 2 0 {long}\n{long}")
    runs(t, "load x.table call 1", "load 0", f"{a} 64 2 0: 1")


@by_turns(1.2)
def test_loaded_table_that_is_none(t):
    """It is refused, and what was compiled serves; one that cannot be read changes nothing."""
    a, b = library(t)[:2]
    t.write("good.table", f"int inf {b} 64 2 3\n")
    for text in (f"int inf {a} 0 0\n", f"int inf {a} 0 0 0 0\n", f"int inf {a} 0 0 x\n", f"int inf {a} 0x 0 0\n",
                 "int inf 01234567 0 0 0\n", "half inf 01234567 0 0 0\n", f"int inf {a} 96 2 0\n",
                 f"int inf {a} 64 4 0\n", f"int inf {a} 64 2 -1\n", f"int -1 {a} 0 0 0\nint inf {a} 0 0 0\n",
                 f"int 1e3 {a} 0 0 0\nint inf {a} 0 0 0\n", f"int 64 {a} 0 0 0\n",
                 f"int inf {a} 0 0 0\nint inf {a} 0 0 0\n", f"int 9 {a} 0 0 0\nint 8 {a} 0 0 0\n",
                 f"int {'9' * 40} {a} 0 0 0\nint inf {a} 0 0 0\n", "what is this?\n",
                 "int inf " + "f" * 600 + " 0 0 0\n",
                 "".join(f"int {i} {a} 0 0 0\n" for i in range(1, 2000)) + f"int inf {a} 0 0 0\n"):
        t.write("bad.table", text)
        runs(t, "load bad.table call 100", "load 9", f"{compiled_choice(t)}: 100")
        runs(t, "load good.table load bad.table call 100", "load 0", "load 9", f"{compiled_choice(t)}: 100")
        runs(t, "call 100", "error 9", TGC_TABLE="bad.table")
    runs(t, "load good.table load nowhere call 100", "load 0", "load 1", f"{b} 64 2 3: 100")
    runs(t, "call 100 call 100", "error 1", "error 1", TGC_TABLE="nowhere")
    t.write("empty.table", "")
    runs(t, "load empty.table call 100", "load 0", f"{compiled_choice(t)}: 100")


def test_pinned_variant(t):
    a, b = library(t)[:2]
    t.write("x.table", f"int inf {b} 0 0 0\n")
    for pinned, wanted in ((a, f"{a} 0 0 0"), (f"{a}:64", f"{a} 64 0 0"), (f"{a}:64:2", f"{a} 64 2 0"),
                           (f"{a}:128:4:5", f"{a} 128 4 5"), (f"{a}:0:0:5", f"{a} 0 0 5")):
        runs(t, "call 5 float 500 async 7", f"{wanted}: 5", f"{wanted}: 500", f"{wanted}: 7", TGC_VARIANT=pinned)
        runs(t, "call 5", f"{wanted}: 5", TGC_VARIANT=pinned, TGC_TABLE="x.table")
    runs(t, "call 5", f"{compiled_choice(t)}: 5", TGC_VARIANT="", TGC_TABLE="")
    for pinned in ("01234567", ":64", ":", "x", a + "0", a[:-1], "x" * 500, f"{a}:96", f"{a}:64:4", f"{a}:64:2:-1",
                   f"{a}:x", f"{a}:", f"{a}:64:", f"{a}:64:2:0:1", f"{a}:64 ", f"{a} "):
        runs(t, "call 5 float 5 async 5", *["error 9"] * 3, TGC_VARIANT=pinned)


HOOKS = "-fsanitize=thread -mllvm -tsan-compound-read-before-write=1 -mllvm -tsan-instrument-func-entry-exit=0"


@by_turns(10)
def test_pinned_variants_add_up(t):
    """The library as it is, on the CPU's executor, which watches the variants."""
    clang = compiler()
    if "clang" not in clang:
        raise Skipped("no clang++")
    write_folder(t, "out", "3")
    simt = t.source("runtime", "simt")
    flags = f"-std=c++17 -O1 -w -fno-strict-aliasing -fPIE -I out -I '{simt}/include' -I '{simt}' -x c++ -c"
    t.write("one.sh", f'case $1 in out/variants/*) hooks="{HOOKS}" ;; esac\n{clang} $hooks {flags} "$1" -o "$2"\n')
    t.shell(f"n=0; for f in out/sum.cu out/variants/*.cu '{simt}'/*.cc '{t.source('tests', 'tune', 'library.cc')}'; do "
            f'printf "%s\\0%s\\0" "$f" $((n++)).o; done | xargs -0 -n 2 -P 2 sh one.sh && {clang} -pie *.o -o library'
            ).exits(0).silent()
    for id in [None, *variants(t)]:
        more = {"TGC_VARIANT": id} if id else {}
        runs(t, "call 0 call 1 float 1000 async 5000", "0", "1", "1000", "5000", **more)
