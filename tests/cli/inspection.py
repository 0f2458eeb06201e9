"""What there is to look at: the listing, explain, diagrams, rules, remarks, dumps, times; spaces and their
categories."""
import collections, glob, json, os, random, re

from harness import Failed, by_turns, tree

CATEGORIES = ("baseline", "global-atomic", "shared-atomic", "shuffle")


def listed(t, *more, file=None):
    return t.run(file or t.sum, "--arch", "sm_60", "--list", *more).exits(0).silent()


def manifest(t, *more):
    return json.loads(t.run(t.sum, "--arch", "sm_60", "--list=json", *more).exits(0).silent().out)


def count_by_category(m):
    return collections.Counter(v["category"] for v in m["variants"])


@by_turns(4)
def test_listing_fits(t):
    for more in ((), ("--space", "cgo"), ("--keep", "all", "--levels", "grid,block,thread")):
        words = " ".join(more)
        r = t.shell(f'COLUMNS=80 "$TGC" "$SUM" --arch sm_60 --list {words}').exits(0).silent()
        widest = max(map(len, r.out.splitlines()))
        r.expect(widest <= 80, f"a line of {widest} columns")
        for heading in CATEGORIES:
            r.prints(heading)


def test_shipped_codelets(t):
    """Each is composed and lowered, for a machine that is drawn for it."""
    for file in sorted(glob.glob(t.source("codelets", "*.cdl"))):
        machine = random.choice(("sm_60", "sm_80", "sm_90", "avx2", "neon"))
        operator = ("--operator", "Max") if os.path.basename(file) == "reduce.cdl" else ()
        t.run(file, "--arch", machine, "--list", *operator).exits(0)


def test_listing_on_a_terminal(t):
    """It is as wide as the terminal, not wider."""
    for columns in (70, 80, 132):
        script = f'script -qec "stty cols {columns}; $TGC $SUM --arch sm_60 --list" /dev/null'
        r = t.shell(script).exits(0)
        lines = [re.sub(r"\x1b\[[0-9;]*m", "", line).rstrip("\r") for line in r.out.split("\n")]
        r.expect(max(map(len, lines)) <= columns, f"wider than {columns} columns")
        r.expect(columns < 100 or max(map(len, lines)) > 80, "a wide terminal is not used")


@by_turns(2)
def test_listing_is_the_manifest(t):
    for more in ((), ("--space", "cgo"), ("--types", "float"), ("--keep", "5")):
        said = t.run(t.sum, "--arch", "sm_60", "--list=json", *more).exits(0)
        t.run(t.sum, "--arch", "sm_60", "-o", "out", *more).exits(0)
        said.expect(said.out == t.read("out/manifest.json"), "--list=json is not manifest.json")
    both = t.run(t.sum, "--arch", "sm_60", "--list=json", "-o", "out").exits(0)
    both.expect(both.out == t.read("out/manifest.json"), "with -o it prints something else")
    table = listed(t)
    for v in json.loads(both.out)["variants"]:
        table.prints(v["id"])


def test_manifest_keys(t):
    m = manifest(t)
    missing = {"version", "variants", "spectrum", "machine", "types", "dispatch"} - m.keys()
    for v in m["variants"]:
        missing |= {"id", "plan", "category", "kernels", "determinism", "launches", "levels", "atomics",
                    "shuffles", "tunables", "codelets",
                    "choices", "workspace", "file", "functions"} - v.keys()
        determinism = ("not_guaranteed", "run_to_run", "gpu_to_gpu", "sequential")
        if v["category"] not in CATEGORIES or v["determinism"] not in determinism:
            raise Failed(f"{v['id']}: {v['category']}, {v['determinism']}")
        if not re.fullmatch("[0-9a-f]{8}", v["id"]):
            raise Failed(f"the id {v['id']}")
        for k in v["launches"]:
            missing |= {"name", "threads", "shared_bytes"} - k.keys()
        for x in v["tunables"]:
            missing |= {"name", "default", "min", "max"} - x.keys()
            if not x["min"] <= x["default"] or (x["max"] is not None and x["default"] > x["max"]):
                raise Failed(f"{v['id']}: {x}")
        if v["determinism"] != "not_guaranteed" and any(a["space"] == "global" for a in v["atomics"]):
            raise Failed(f"{v['id']} promises {v['determinism']} with global atomics")
    if missing:
        raise Failed(f"keys that are missing: {missing}")
    ids = [v["id"] for v in m["variants"]]
    served = {d["variant"] for d in m["dispatch"]}
    if len(set(ids)) != len(ids) or not served <= set(ids) or m["dispatch"][-1]["up_to"] is not None:
        raise Failed("ids are not unique, or the dispatch names others")


@by_turns(1.4)
def test_ids_mean_plans(t):
    """The same id is the same plan on every machine and in every space."""
    plans = {}
    for machine in ("sm_35", "sm_60", "sm_90"):
        for more in ((), ("--space", "cgo")):
            for v in json.loads(t.run(t.sum, "--arch", machine, "--list=json", *more).exits(0).out)["variants"]:
                if plans.setdefault(v["id"], v["plan"]) != v["plan"]:
                    raise Failed(f"{v['id']} is {v['plan']} and {plans[v['id']]}")


def test_plans_left_out(t):
    """A plan that cannot be carried out is left out and told; the others are made. Where none is left, its error is the
    compilation's."""
    text = """template <typename T> __codelet __tag(serial) T sum(const Array<1, T> in) {
  T accum = 0;
  for (unsigned i = 0; i < in.Size(); ++i) accum += in[i];
  return accum;
}
template <typename T> __codelet __tag(strided) T sum(const Array<1, T> in) {
  __tunable unsigned p;
  return sum(map(sum, partition(in, p, sequence(0, 1, p), sequence(p), sequence(in.Size()))));
}
template <typename T> __codelet __coop __tag(large) T sum(const Array<1, T> in) {
  __shared T tmp[LENGTH];
  T val = coopIdx() < in.Size() ? in[coopIdx()] : 0;
  for (int k = 1; k < coopDim(); k *= 2) {
    tmp[coopIdx()] = val;
    val += coopIdx() + k < in.Size() ? tmp[coopIdx() + k] : 0;
  }
  return val;
}
"""
    t.write("half.cdl", text.replace("LENGTH", "8192"))  # 32 KB of a block's 48
    t.write("whole.cdl", text.replace("LENGTH", "16384"))
    command = ("--arch", "sm_90", "--types", "float", "-o", "out")
    r = t.run("half.cdl", *command, "--remarks=missed").exits(0)
    said = re.search(r"note: (\d+) of (\d+) plans cannot be carried out", r.err)
    if not said:
        raise Failed("no note of plans that are left out")
    without, of = int(said[1]), int(said[2])
    r.expect(r.err.count(" is left out: ") == without, "not every plan that is left out has a remark")
    kept = json.loads(t.read("out/manifest.json"))["variants"]
    r.expect(0 < without < of and len(kept) == of - without, f"{len(kept)} variants of {of} plans without {without}")
    r.expect(all(v["id"] in t.read("out/sum.cu") for v in kept), "the dispatch lacks a variant")
    t.run("whole.cdl", *command, "--keep", "2").exits(1).says("as all other plans, cannot be carried out: ",
                                                              "more than a block's shared memory",
                                                           "`--keep all'")


def test_resident(t):
    """How many blocks of a scan share a multiprocessor is told by the machine's spec; nothing is assumed of it."""
    for machine, parts in (("sm_86", ("int blocks = 16;", "1536 / threads", "65536 / (threads * registers)",
                                      ", 24 + 8 * (int)sizeof(T)")),
                           ("sm_90", ("10240 / rows : 2048 / threads",))):
        t.run(t.source("codelets", "scan.cdl"), "--arch", machine, "--types", "float", "--keep", "4", "--table", "none",
              "-o", machine).exits(0)
        texts = [t.read(f"{machine}/" + v["file"]) for v in json.loads(t.read(f"{machine}/manifest.json"))["variants"]]
        texts = [x for x in texts if "int resident(" in x]
        if not texts:
            raise Failed(f"no variant for {machine} keeps its tiles in registers")
        for part in parts:
            if not all(part in x for x in texts):
                raise Failed(f"for {machine} a text lacks `{part}'")


def test_space_cgo(t):
    """CGO IV-B: at least 89 variants, so many of each category, and the 36 single kernels; (l) to (p) by letter."""
    m = manifest(t, "--space", "cgo")
    have = count_by_category(m)
    least = {"baseline": 10, "global-atomic": 10, "shared-atomic": 38, "shuffle": 31}
    if len(m["variants"]) < 89 or any(have[c] < n for c, n in least.items()):
        raise Failed(f"{len(m['variants'])} variants: {dict(have)}")
    single = [v for v in m["variants"] if v["plan"].startswith(("grid.tiled!atomic(", "grid.strided!atomic("))]
    if len(single) != 36 or len({v["plan"] for v in single}) != 36:
        raise Failed(f"{len(single)} single kernels")
    letters = {v["letter"]: v["plan"] for v in m["variants"] if v["letter"]}
    if sorted(letters) != list("lmnop"):
        raise Failed(f"letters {sorted(letters)}")
    if not all(p.startswith("grid.tiled!atomic(") for p in letters.values()):
        raise Failed(f"letters: {letters}")
    if any(set(v["levels"]) - {"grid", "block", "thread"} for v in m["variants"]):
        raise Failed("a level that CGO does not have")


@by_turns(5)
def test_keep(t):
    everything = {v["plan"] for v in manifest(t, "--keep", "all", "--levels", "grid,block,thread")["variants"]}
    default = manifest(t)["variants"]
    for n in (1, 2, 10, 30):
        few = manifest(t, "--keep", str(n))["variants"]
        if not 1 <= len(few) <= n:
            raise Failed(f"--keep {n} keeps {len(few)}")
    kinds = count_by_category(manifest(t, "--keep", "12"))
    if set(kinds) != set(CATEGORIES):
        raise Failed(f"--keep 12 keeps {dict(kinds)}")
    if len(everything) <= 48 or not default:
        raise Failed(f"--keep all keeps {len(everything)}")


def test_limit(t):
    """`--keep all' says that it keeps the best only, and how to keep all; that does."""
    vadd = t.sum.replace("sum.cdl", "vadd.cdl")
    r = t.run(vadd, "--arch", "sm_60", "--keep", "all", "--limit", "5", "--list=json").exits(0)
    few = {v["id"] for v in json.loads(r.out)["variants"]}
    r.expect(len(few) == 5, f"expected 5 variants, got {len(few)}").says("`--keep all' keeps the best 5")
    hint = re.search(r"hint: `--keep all --limit (\d+)'", r.err)
    r.expect(hint, "expected the limit that keeps all")
    r = t.run(vadd, "--arch", "sm_60", "--keep", "all", "--limit", hint[1], "--list=json").exits(0).silent()
    every = {v["id"] for v in json.loads(r.out)["variants"]}
    r.expect(len(every) == int(hint[1]) and few < every, f"expected {hint[1]} variants, got {len(every)}")


def test_pruned_and_trace(t):
    r = t.run(t.sum, "--arch", "sm_60", "--pruned").exits(0).silent()
    r.expect(len(r.out.splitlines()) > 3, "expected what was pruned, and why")
    r = t.run(t.sum, "--arch", "sm_60", "--trace").exits(0).silent()
    r.expect(len(r.out.splitlines()) > 10, "expected the search's steps")
    again = t.run(t.sum, "--arch", "sm_60", "--trace")
    r.expect(r.out == again.out, "two traces differ")
    # Where no plan completes, its hint's advice can be followed.
    t.write("alone.cdl", "__codelet __coop\nvoid f(const Array<1, int> x, __like(x) __mutable Array<1, int> y) {\n"
            "  if (coopIdx() < x.Size())\n    y[coopIdx()] = x[coopIdx()];\n}\n")
    r = t.run("alone.cdl", "--arch", "sm_60,sm_80", "--trace").exits(1).says("`--trace' says what was tried")
    r.expect(r.out.startswith("iteration 1\n"), "expected the search's steps up to where it ends")
    r = t.run("alone.cdl", "--arch", "sm_60", "--pruned").exits(1).prints("0 plans complete, 0 kept")
    r.expect("iteration" not in r.out, "a trace that was not asked for")
    # One lane scans what no codelet cuts into tiles, though lanes could scan a tile together.
    for steps, least, most in (("carry_steps", 1, 1), ("exclusive_steps", 10, 1000)):
        t.write("offsets.cdl", f'#include "common/{steps}.cdl"\n__codelet\nvoid f(const Array<1, int> x, '
                '__like(x) __mutable Array<1, int> y) {\n  exclusive<int>(x, 0, y);\n}\n')
        r = t.run("offsets.cdl", "--spectrum", "f", "--arch", "sm_60", "--list=json").exits(0)
        n = len(json.loads(r.out)["variants"])
        r.expect(least <= n <= most, f"{n} variants")


@by_turns(3)
def test_explain(t):
    t.run(t.sum, "--arch", "sm_60", "--space", "cgo", "-o", "out").exits(0)
    m = json.loads(t.read("out/manifest.json"))
    before = tree(t.folder)
    for v in m["variants"][::25]:
        r = t.run("explain", v["id"]).exits(0).silent().prints(v["plan"], v["category"], v["determinism"], v["file"])
        for heading in ("plan", "kernels", "memory", "determinism", "codelets"):
            r.expect(re.search(f"^{heading}", r.out, re.M), f"no heading {heading}")
        for k in v["launches"]:
            r.prints(k["name"])
        same = t.run("explain", v["id"][:7], "out").exits(0)
        same.expect(same.out == r.out, "the id's beginning gives another text")
    for letter in "lmnop":
        v = next(v for v in m["variants"] if v["letter"] == letter)
        t.run("explain", letter, "out/").exits(0).prints(v["id"], f"({letter})")
    if tree(t.folder) != before:
        raise Failed("explain changed a file")


@by_turns(1)
def test_clusters(t):
    """They are named like any level where a plan is told of; machines without them say nothing of them."""
    t.run(t.sum, "--arch", "sm_90", "--types", "int", "-o", "out").exits(0)
    rows = [v for v in json.loads(t.read("out/manifest.json"))["variants"] if "cluster" in v["levels"]]
    if not rows:
        raise Failed("no variant with a cluster")
    for v in rows:
        r = t.run("explain", v["id"]).exits(0).silent().prints(v["plan"], "grid: one cluster acts for all (G1C)",
                                                               "cluster: one block acts for all (C1)", "2 per cluster")
        r.prints("blocks of the cluster: 1 to 8", "workspace  none")
        t.run("explain", v["id"], "--dot").exits(0).prints("cluster")
    t.run("rules", t.sum, "--arch", "sm_90").exits(0).prints("C rules: C1:", "G1C: compose(sum, G) -> S_G, devolve(C)")
    for arguments in (("rules", t.sum, "--arch", "sm_89"), (t.sum, "--arch", "sm_89", "--list")):
        r = t.run(*arguments).exits(0)
        r.expect("devolve(C)" not in r.out and "cluster" not in r.out, "a machine without clusters has them")


def test_explain_of_nothing(t):
    def refused(status, *arguments):
        return t.refuses(status, "explain", *arguments)
    refused(1, "1234").says("`out/manifest.json'").hints("tgc FILE.cdl --arch NAME -o out")
    t.run(t.sum, "--arch", "sm_60", "-o", "out").exits(0)
    ids = [v["id"] for v in json.loads(t.read("out/manifest.json"))["variants"]]
    refused(1, "zzzzzzzz", "out").says("`out' has no variant `zzzzzzzz'").hints()
    wrong = ids[0][:-1] + ("0" if ids[0][-1] != "0" else "1")
    refused(1, wrong, "out").hints(f"did you mean `{ids[0]}'?")
    beginnings = collections.Counter(i[0] for i in ids)
    one = beginnings.most_common(1)[0][0]
    refused(1, one, "out").says("is ambiguous").hints(next(i for i in ids if i[0] == one))
    refused(2).says("no variant given")
    refused(2, "", "out").says("an empty name in place of ID")
    refused(2, "1234", "out", "more").says("too many arguments: `more'")
    refused(2, "1234", "--dto").says("--dto", "--dot")
    refused(2, "1234", "--dot", "--json").says("different forms")
    refused(2, "1234", "--svg").says("--svg")
    refused(1, "1234", "nosuch").says("nosuch/manifest.json")
    t.write("broken/manifest.json", "{")
    refused(1, "1234", "broken").says("broken/manifest.json")
    t.write("other/manifest.json", '{"version": 99, "generator": "tgc", "variants": []}')
    refused(1, "1234", "other").says("other/manifest.json")


@by_turns(0.8)
def test_explain_draws(t):
    t.run(t.sum, "--arch", "sm_60", "--space", "cgo", "-o", "out").exits(0)
    r = t.run("explain", "l", "out", "--dot").exits(0).prints("digraph", "->")
    r.expect(r.out.count("{") == r.out.count("}"), "no graph")
    if t.shell("command -v dot").status == 0:
        t.run("explain", "l", "out", "--svg", "l.svg").exits(0).silent()
        if "<svg" not in t.read("l.svg"):
            raise Failed("l.svg is no picture")
        t.refuses(1, "explain", "l", "out", "--svg", "/proc/l.svg").says("/proc/l.svg")
        t.refuses(1, "explain", "l", "out", "--svg", "out/variants")
    t.shell('PATH=/nowhere "$TGC" explain l out --svg none.svg').exits(1).says("Graphviz").hints("--dot")
    if [n for n in os.listdir(t.folder) if n.startswith("none")]:
        raise Failed("a part of a picture is left")


def test_rules(t):
    r = t.run("rules", t.sum).exits(0).silent()
    r.prints("Rule 1: compose(sum, L) -> S_L, devolve(l_L), compose(sum, l_L)")
    r.expect("G rules" not in r.out, "rules of a machine that was not asked for")
    r = t.run("rules", t.sum, "--arch", "sm_60").exits(0).silent().prints("G rules", "W rules", "Serialize and Split")
    t.run("rules", t.sum, "--arch", "sm_60", "--levels", "grid,block,thread").exits(0).prints("T rules")
    t.run("rules", t.source("examples", "max.cdl"), "--arch", "sm_90").exits(0).prints("compose(greatest, L)")
    t.refuses(2, "rules").says("no input file")
    t.refuses(1, "rules", "nosuch.cdl").says("nosuch.cdl")


@by_turns(0.9)
def test_remarks(t):
    both = t.run(t.sum, "--arch", "sm_60", "--remarks").exits(0)
    passed = t.run(t.sum, "--arch", "sm_60", "--remarks=passed").exits(0)
    missed = t.run(t.sum, "--arch", "sm_60", "--remarks=missed").exits(0)
    located = re.compile(r"^\S+sum\.cdl:\d+:\d+: remark: .* \[[a-z-]+\]$", re.M)
    for r in (both, passed, missed):
        r.expect(located.search(r.err), "expected remarks with places and passes")
        r.expect(not r.out, "remarks go to stderr")
    count = [len(re.findall(": remark: ", r.err)) for r in (both, passed, missed)]
    both.expect(count[0] == count[1] + count[2], f"{count[0]} remarks are not {count[1]} passed and {count[2]} missed")
    passed.says("shuffle down", "[shared-atomic]", "[map-atomic]")
    missed.says("not a shuffle: ")
    if listed(t).out != t.run(t.sum, "--arch", "sm_60", "--list", "--remarks").out:
        raise Failed("remarks change the listing")


@by_turns(1)
def test_print_after(t):
    one = t.run(t.sum, "--arch", "sm_60", "--keep", "3", "--print-after", "lower").exits(0)
    one.silent().prints("// after lower: ")
    every = t.run(t.sum, "--arch", "sm_60", "--keep", "3", "--print-after", "all").exits(0).silent()
    for name in ("lower", "simplify", "barriers", "fold", "atomics"):
        every.prints(f"// after {name}: ")
        t.run(t.sum, "--arch", "sm_60", "--keep", "3", "--print-after", name).exits(0).prints(f"// after {name}: ")
    every.prints("(unchanged)")
    two = t.run(t.sum, "--arch", "sm_60", "--keep", "3", "--print-after", "lower,fold").exits(0)
    two.prints("// after lower: ", "// after fold: ").expect("after barriers" not in two.out, "a pass too many")
    one.expect("after fold" not in one.out, "a pass too many")


def test_time(t):
    r = t.run(t.sum, "--arch", "sm_60", "--time", "-o", "out").exits(0)
    for stage in ("parse", "compose", "lower", "passes", "emit", "write"):
        r.expect(re.search(stage + r" \d+\.\d ms", r.err), f"no time of {stage}")
    t.run(t.sum, "--arch", "sm_60", "--time", "-o", "again").exits(0)
    if tree(t.path("out")) != tree(t.path("again")):
        raise Failed("--time changes what is written")


@by_turns(1.2)
def test_check(t):
    """One variant is checked; a damaged one fails, with its id, the size and the two values."""
    t.run(t.sum, "--arch", "sm_60", "--keep", "2", "--types", "int", "-o", "out").exits(0)
    v = json.loads(t.read("out/manifest.json"))["variants"][0]
    quick = ("--variant", v["id"], "--sizes", "0,33", "--seeds", "1")
    before = tree(t.folder)
    t.run("check", "out", *quick).exits(0).prints("sum")
    if tree(t.folder) != before:
        raise Failed("check leaves something behind")
    text = t.read("out/" + v["file"])
    last = list(re.finditer(r"accum\w*(\[\w+\])? \+=", text))[-1]
    t.write("out/" + v["file"], text[:last.end() - 2] + "-=" + text[last.end():])
    r = t.run("check", "out", *quick).exits(1).prints(v["id"], "33")
    r.expect(text != t.read("out/" + v["file"]), "nothing was damaged")


def test_check_of_nothing(t):
    t.refuses(2, "check", "out", "--frobnicate").says("unknown option `--frobnicate'")
    t.refuses(2, "check", "out", "--compiel").says("`--compile'")
    t.refuses(2, "check", "out", "more").says("too many arguments: `more'")
    t.refuses(1, "check", "nosuch").says("nosuch/manifest.json").hints("tgc FILE.cdl --arch NAME -o nosuch")
    t.write("theirs/notes.txt", "mine")
    t.refuses(1, "check", "theirs").says("theirs/manifest.json")
    t.run("check", "--help").exits(0).prints("--sizes")


def labels(t, *arguments):
    t.run(t.sum, "--arch", "sm_90", "-o", "out", *arguments).exits(0).silent()
    return {v["determinism"] for v in json.loads(t.read("out/manifest.json"))["variants"]}


@by_turns(1)
def test_promised_order(t):
    """Every variant keeps what is asked for, or more; what none keeps is refused; integers are exact in any order."""
    if labels(t) != {"not_guaranteed", "run_to_run"}:
        raise Failed("without a promise there are both sorts")
    if labels(t, "--determinism", "run_to_run") != {"run_to_run"}:
        raise Failed("run_to_run")
    if labels(t, "--determinism", "gpu_to_gpu") != {"gpu_to_gpu"}:
        raise Failed("gpu_to_gpu")
    if labels(t, "--determinism", "sequential", "--types", "int,uint64") != {"sequential"}:
        raise Failed("integers alone are exact in any order")
    t.run(t.sum, "--arch", "sm_90", "--determinism", "sequential", "-o", "none").exits(1).says(
        "no plan for `sum' on sm_90 is sequential", "hint: the most that one keeps is gpu_to_gpu")
    t.run(t.sum, "--arch", "sm_90", "--determinism", "run_to_rum").exits(2).says("did you mean `run_to_run'?")
    t.run(t.sum, "--arch", "sm_90", "--determinism", "").exits(2)


@by_turns(1.7)
def test_promise_by_operator(t):
    """Which operators are exact, for which types; what rounds, and selections by comparison, is no sequential loop."""
    maximum = t.source("examples", "max.cdl")
    with open(maximum) as f:
        text = f.read()
    t.write("min.cdl", text.replace("max(", "min(").replace("lowest", "highest").replace("atomicMax", "atomicMin"))
    t.write("compared.cdl", text.replace("best = max(best, in[i])", "best = in[i] > best ? in[i] : best"))
    simple = text[:text.index("template <typename T>\n__codelet __coop")].replace("  map.atomicMax();\n", "")
    for name, how, start in (("mul", "best * in[i]", "1"), ("xor", "best ^ in[i]", "0"), ("and", "in[i] & best", "-1")):
        t.write(f"{name}.cdl", simple.replace("max(best, in[i])", how).replace("lowest<T>()", start))
        for types, exact in (("int,uint64", True), ("float", False)):
            if name != "mul" and not exact:
                continue  # no such operator on floats
            t.run(f"{name}.cdl", "--arch", "sm_60", "--types", types, "-o", "simple").exits(0)
            manifest = json.loads(t.read("simple/manifest.json"))
            found = {v["determinism"] for v in manifest["variants"]}
            if manifest["operator"] != name or (found == {"sequential"}) != exact or bool(manifest["exact"]) != exact:
                raise Failed(f"{name}, {types}: {found}, {manifest['exact']}")
    for file, types, refused in ((maximum, "float,half,int64", False), ("min.cdl", "double", False),
                                 ("compared.cdl", "int,uint", False), ("compared.cdl", "float", True),
                                 (t.sum, "int", False), (t.sum, "int,half", True)):
        asked = (file, "--arch", "sm_90", "--types", types, "--determinism", "sequential", "-o", "promised")
        if refused:
            t.refuses(1, *asked).says("is sequential").hints("the most that one keeps is gpu_to_gpu")
            continue
        t.run(*asked).exits(0)
        manifest = json.loads(t.read("promised/manifest.json"))
        if {v["determinism"] for v in manifest["variants"]} != {"sequential"} or manifest["exact"] != manifest["types"]:
            raise Failed(f"{file}, {types}: {manifest['exact']}")
    t.run("compared.cdl", "--arch", "sm_60", "--types", "float", "--remarks=all", "--list").exits(0).says(
        "elements are compared")
    t.run("compared.cdl", "--arch", "sm_60", "--types", "float", "-o", "compared").exits(0)
    if json.loads(t.read("compared/manifest.json"))["exact"]:
        raise Failed("a selection by comparison is not exact on floats")


def test_reasons(t):
    """The listing counts every promise with its reason; explain and the texts give a variant's own."""
    r = t.run(t.sum, "--arch", "sm_60", "--types", "int,float", "-o", "out", "--list").exits(0)
    variants = json.loads(t.read("out/manifest.json"))["variants"]
    said = " ".join(r.out.split())
    for label, why in {(v["determinism"], v["determinism_why"]) for v in variants}:
        count = sum(v["determinism_why"] == why for v in variants)
        r.expect(re.search(rf"\b{count} {label}, (not )?batch-invariant: {re.escape(why)}", said), f"no {label}: {why}")
    for v in variants[:1] + variants[-1:]:
        invariant = ("" if v["batch_invariant"] else "not ") + f"batch-invariant: {v['batch_invariant_why']}"
        t.run("explain", v["id"]).exits(0).prints(f"  {invariant}\n", f"{v['determinism']}: {v['determinism_why']}")
        if f"// {invariant}\n" not in t.read("out/" + v["file"]):
            raise Failed("the text does not say so")
        if v["batch_invariant"] != (v["determinism"] in ("gpu_to_gpu", "sequential")):
            raise Failed(f"{v['id']}: {v['determinism']}")


def test_codelets_that_no_plan_uses(t):
    """Each is told, with why: another machine's, one whose plans are not kept, one that no level can carry out."""
    t.write("some.cdl", """__codelet __tag(serial) int total(const Array<1, int> in) {
  int all = 0;
  for (unsigned i = 0; i < in.Size(); ++i) all += in[i];
  return all;
}
__codelet __tag(strided) int total(const Array<1, int> in) {
  __tunable unsigned p;
  Map m(total, partition(in, p, sequence(0, 1, p), sequence(p), sequence(in.Size())));
  m.atomicAdd();
  return total(m);
}
__codelet __tag(theirs) __env(sm_90) int total(const Array<1, int> in) {
  int all = 0;
  for (unsigned i = 0; i < in.Size(); ++i) all += in[i];
  return all;
}
__codelet __tag(shared) int total(const Array<1, int> in) {
  __shared_atomicAdd int all;
  all = coopIdx() < in.Size() ? in[coopIdx()] : 0;
  return all;
}
""")
    r = t.run("some.cdl", "--arch", "sm_60", "--keep", "1", "--list", "--remarks=missed").exits(0)
    r.says("some.cdl:12:42: remark: no plan uses `theirs' of `total': its __env names other machines [unused]")
    r.expect(r.err.count("no plan uses") == 1, "expected nothing of what is used")
    r = t.run(t.sum, "--arch", "sm_60", "--keep", "4", "--list", "--remarks=missed").exits(0)
    r.says("remark: no plan uses `kog' of `sum': the plans that have it are not kept")


def test_loops_that_nothing_cuts_are_told(t):
    """Where one lane does all in every plan."""
    t.write("peaks.cdl", """template <typename T> __codelet
void peaks(const Array<1, T> x, __accum(Max) Array<1, T> most) {
  T run = 0;
  for (unsigned i = 0; i < x.Size(); ++i) { run = x[i] - run * run; most[i % most.Size()] = max(most[i % most.Size()], run); }
}
""")
    for machine, worker in ("sm_90", "thread"), ("avx2", "lane"):
        t.run("peaks.cdl", "--arch", machine, "--list").exits(0).says(
            f"peaks.cdl:2:6: note: one {worker} does all that `serial' of `peaks' does")
    t.write("grown.cdl", """template <typename T> __codelet
void grown(const Array<1, T> x, __like(x) __mutable Array<1, T> out) {
  T run = 2;
  for (unsigned i = 0; i < out.Size(); ++i) { run = run * run - 1; out[i] = run; }
}
""")
    t.run("grown.cdl", "--arch", "sm_90", "--list").exits(0).says(
        "grown.cdl:2:6: note: one thread does all that `serial' of `grown' does")


def test_the_spectrum_that_is_compiled_is_told(t):
    """Where several may be meant and none is named, which one is compiled is said; a name, or one that all others
    serve, says it already."""
    body = "{ int s = 0; for (unsigned i = 0; i < in.Size(); ++i) s += in[i]; return s; }\n"
    t.write("two.cdl", f"__codelet int first(const Array<1, int> in) {body}__codelet int second(const Array<1, int> in) {body}")
    t.run("two.cdl", "--arch", "sm_60", "--list").exits(0).prints("first of two.cdl").says(
        "two.cdl:1:15: note: `first' is compiled since it comes first; `second' is another one", "--spectrum second")
    r = t.run("two.cdl", "--arch", "sm_60", "--list", "--spectrum", "second").exits(0).prints("second of two.cdl")
    r.expect("comes first" not in r.err, "expected no word of the other one")
    t.write("helper.cdl", f"__codelet int part(const Array<1, int> in) {body}"
            "__codelet int whole(const Array<1, int> in, int a) { return part(in); }\n")
    t.run("helper.cdl", "--arch", "sm_60", "--list").exits(0).says("`part' is compiled since it comes first, and `whole' applies it")
    t.run(t.sum, "--arch", "sm_60", "--list").exits(0).silent()


def test_lanes_that_serve(t):
    """A codelet that halves the lanes is offered powers of two alone: by the manifest, the text, to tables, in words."""
    t.write("halving.cdl", """template <typename T> __codelet __tag(serial) T total(const Array<1, T> in) {
  T s = 0;
  for (unsigned i = 0; i < in.Size(); ++i) s += in[i];
  return s;
}
template <typename T> __codelet __coop __tag(halving) T total(const Array<1, T> in) {
  __shared T tmp[coopDim()];
  tmp[coopIdx()] = coopIdx() < in.Size() ? in[coopIdx()] : 0;
  for (unsigned s = coopDim() / 2; s > 0; s /= 2) {
    if (coopIdx() < s) tmp[coopIdx()] += tmp[coopIdx() + s];
  }
  return tmp[0];
}
template <typename T> __codelet __tag(tiled) T total(const Array<1, T> in) {
  __tunable unsigned p;
  unsigned n = (in.Size() + p - 1) / p;
  return total(map(total, partition(in, p, sequence(0, n, in.Size()), sequence(1), sequence(n, n, in.Size()))));
}
""")
    powers = [32, 64, 128, 256, 512, 1024]
    write = ("halving.cdl", "--arch", "sm_60", "--types", "int", "--keep", "3", "-o", "out")
    t.run(*write).exits(0)
    m = json.loads(t.read("out/manifest.json"))
    v = next(v for v in m["variants"] if "block.halving" in v["plan"])
    threads = next(x for x in v["tunables"] if x["name"] == "threads")
    if threads["values"] != powers or threads["default"] not in powers:
        raise Failed(f"threads are {threads}")
    for part in ("threads: threads per block, 32, 64, 128, 256, 512 or 1024", "(threads == 32 || threads == 64 || "):
        if part not in t.read("out/" + v["file"]):
            raise Failed(f"the text lacks `{part}'")
    t.run("explain", v["id"], "out").exits(0).prints("32 to 1024, a multiple of 32, of these: 32, 64, 128, 256, 512, 1024")
    for lanes in (96, 128):
        t.write("own.table", f"int inf {v['id']} {lanes} 0 0\n")
        r = t.run(*write, "--table", "own.table", "--remarks").exits(0)
        r.expect(("is 32, 64, 128, 256, 512 or 1024, not 96" in r.err) == (lanes == 96),
                 "expected 96 lanes to be refused alone")
