"""tgc bench: its errors, whole runs with stand-ins for nvcc and the GPU (tests/bench/fake), what is made of a record.

tests/bench/made_up.json is a record that no machine gave: it is there to be drawn and judged."""
import importlib, itertools, json, os, re, shutil, sys
import xml.etree.ElementTree as xml

from harness import Failed, Skipped, by_turns, difference, tree

SVG = "{http://www.w3.org/2000/svg}"


def equal(got, wanted, what):
    if got != wanted:
        raise Failed(f"{what}: {got!r}, expected {wanted!r}")


def module(t, name):
    """A module of bench/."""
    if t.source("bench") not in sys.path:
        sys.path.insert(0, t.source("bench"))
    return importlib.import_module(name)


def made_up(t):
    return module(t, "record").load(t.source("tests", "bench", "made_up.json"))


def folder(t, *more):
    t.run(t.sum, "--arch", "sm_90", "--types", "int,float", "--keep", "6", "-o", "out", *more).exits(0)


def fake(t, **more):
    if not shutil.which("c++"):
        raise Skipped("no c++")
    return {"env": {**os.environ, "TGC_NVCC": t.source("tests", "bench", "fake", "nvcc"), **more}}


def bench(t, *arguments, **more):
    return t.run("bench", "out", "--sizes", "6..8", "--rounds", "2", *arguments, **fake(t, **more))


def records_of(t, where="out/bench"):
    at = t.path(where)
    return sorted(os.listdir(at)) if os.path.isdir(at) else []


# ---- errors ----

@by_turns(1.4)
def test_misuse(t):
    t.refuses(2, "bench", "out", "--nonsense").says("--nonsense").hints("`tgc help bench'")
    for sizes in ("6..", "x", "30..6", "2^30..2^6", "0..5", "6..99", "2^6,,7", "3^6", "2^2^6"):
        t.refuses(2, "bench", "out", "--sizes", sizes).says("takes powers of two").hints("`tgc help bench'")
    t.refuses(2, "bench", "out", "--rounds", "0").says("takes a number")
    t.run("bench", "--help").exits(0).prints("--build-only", "--quick")


@by_turns(1)
def test_folders_that_are_none(t):
    os.mkdir(t.path("empty"))
    for name in ("nowhere", "empty"):
        t.refuses(1, "bench", name).says(f"cannot read `{name}/manifest.json'", "writes that folder")
    t.write("broken/manifest.json", '{"version": 1,')
    t.refuses(1, "bench", "broken").says("is no JSON", "line 1")
    for text in ("[]", "{}", '{"generator": "another"}'):
        t.write("theirs/manifest.json", text)
        t.refuses(1, "bench", "theirs").says("not a manifest of tgc")
    t.write("deep/manifest.json", '{"variants": ' + "[" * 200000)
    t.refuses(1, "bench", "deep").says("is no JSON", "nested too deeply")
    t.write("later/manifest.json", '{"generator": "tgc", "version": 2}')
    t.refuses(1, "bench", "later").says("of version 2", "reads version 1")


@by_turns(3.5)
def test_manifest_that_lacks_something(t):
    folder(t)
    whole = json.loads(t.read("out/manifest.json"))
    for key in ("spectrum", "types", "dispatch", "variants", "operator"):
        t.write("out/manifest.json", json.dumps({k: v for k, v in whole.items() if k != key}))
        t.refuses(1, "bench", "out").says("lacks what tgc writes")
    variant, row = whole["variants"][0], whole["dispatch"][0]
    for wrong in ({"types": [["int"]]}, {"types": {"int": 1}}, {"types": "int\n"}, {"spectrum": "sum\"; int evil;"},
                  {"operator": ["add"]}, {"operator": {}}, {"variants": {}}, {"variants": [variant, 3]},
                  {"variants": [{**variant, "file": "../evil.cu"}]}, {"variants": [{**variant, "id": "x\", \"y"}]},
                  {"dispatch": [row, []]}, {"dispatch": [{**row, "variant": {}}]}, {"operands": 3}, {"operands": [3]},
                  {"options": "-march=native -fplugin=./evil.so"}, {"options": "-march=native,-fplugin=x"},
                  {"options": ["-O3"]}):
        family = "cpu" if "options" in wrong else None
        t.write("out/manifest.json", json.dumps({**whole, "family": family, **wrong}))
        t.refuses(1, "bench", "out").says("lacks what tgc writes")
    t.write("out/manifest.json", json.dumps({**whole, "operator": None}))
    t.refuses(1, "bench", "out").says("add, mul, max, min, and, or, xor, user are", "unknown")
    t.write("out/manifest.json", json.dumps(whole))
    t.refuses(1, "bench", "out", "--types", "float,half").says("no element type `half'", "int, float")
    dispatch = [{**row, "type": "cfloat"} for row in whole["dispatch"] if row["type"] == "float"]
    t.write("out/manifest.json", json.dumps({**whole, "types": ["cfloat"], "dispatch": dispatch}))
    t.refuses(1, "bench", "out", "--types", "cfloat").says("`cfloat' is not compared yet", "float, int")
    t.refuses(1, "bench", "out").says("none of the element types that are compared")


def test_without_nvcc(t):
    folder(t)
    r = t.run("bench", "out", env={**os.environ, "TGC_NVCC": "/nonexistent/nvcc"}).exits(1)
    r.says("TGC_NVCC is `/nonexistent/nvcc'")
    equal(records_of(t), [], "records")


def test_without_python(t):
    t.run("bench", "out", env={"PATH": t.folder}).exits(1).says("cannot run `python3'")


def test_without_gpu(t):
    folder(t)
    bench(t, FAKE_NO_GPU="1").exits(1).says("no GPU: there is no GPU", "--build-only")
    equal(records_of(t), [], "records")


@by_turns(3.5)
def test_text_that_does_not_compile(t):
    folder(t)
    bench(t, FAKE_NVCC_FAILS="compare_type.cu").exits(1).says("nvcc failed: ", "made to fail", "compare_type.cu")
    left = [name for name in os.listdir(t.path("out/build-bench")) if "partial" in name or name == "compare"]
    equal(left, [], "left behind")
    equal(records_of(t), [], "records")
    bench(t, "--build-only").exits(0).prints("built ")


def test_variant_that_is_missing(t):
    folder(t)
    gone = sorted(os.listdir(t.path("out/variants")))[0]
    os.unlink(t.path(f"out/variants/{gone}"))
    bench(t).exits(1).says(gone, "is missing")


@by_turns(1)
def test_places_that_take_no_record(t):
    folder(t)
    t.write("file", "mine")
    bench(t, "--results", "file").exits(1).says("cannot write into `file'")
    bench(t, "--build", "file").exits(1).says("cannot make the folder")
    equal(t.read("file"), "mine", "the file")


@by_turns(1.2)
def test_comparison_that_crashes_or_hangs(t):
    folder(t)
    bench(t, FAKE_CRASH="1").exits(1).says("ended with status -6")
    bench(t, "--timeout", "1", FAKE_HANG="1").exits(1).says("did not end within 1 s")
    equal(records_of(t), [], "records")


@by_turns(4)
def test_json_and_quiet(t):
    """--json prints the record; sizes are powers of two, by their exponents too."""
    folder(t)
    r = bench(t, "--types", "int", "--json").exits(0)
    equal(json.loads(r.out), json.loads(t.read(f"out/bench/{[n for n in records_of(t) if n.endswith('.json')][0]}")),
          "the record")
    exact = t.run("bench", "--sizes", "2^6..2^8", "--rounds=2", "--types", "int", "-q", **fake(t)).exits(0).silent()
    exact.prints("int |", "2^8").expect("written" not in exact.out, "expected the table alone")


# ---- a whole run ----

def test_whole_run(t):
    """Every case by every way to call, and what is written is what was printed."""
    folder(t)
    before = tree(t.path("out"))
    r = bench(t, "--odd", "--variants", "--types", "int,float").exits(0)
    r.prints("Fake GPU", "int |", "float |", "2^8", "97+1", "written: out/bench/sum-fake-gpu-")
    names = records_of(t)
    equal([os.path.splitext(n)[1] for n in names], [".json", ".svg"], "records")
    record = module(t, "record").load(t.path(f"out/bench/{names[0]}"))
    cases = [(64, 0), (97, 1), (128, 0), (193, 1), (256, 0), (385, 1)]
    for kind in ("int", "float"):
        equal(record.cases(kind), cases, f"cases of {kind}")
        for case, mode, contender in itertools.product(cases, ("graph", "stream", "sync"), ("ours", "cub", "thrust")):
            there = contender != "thrust" or (mode == "stream" and case[0] <= 256)
            row = record.row(kind, case, mode, contender)
            equal(row is not None, there, f"{kind} {case} {mode} {contender} is there")
            if row and not 0 <= row["low"] <= row["us"] <= row["high"]:
                raise Failed(f"figures out of order: {row}")
        equal(record.best_variant(kind, (64, 0))["id"], "0123abcd", "the best variant")
    equal(record.data["failures"], [], "failures")
    equal(xml.parse(t.path(f"out/bench/{names[1]}")).getroot().tag, SVG + "svg", "the plot")
    changed = [n for n in difference(before, tree(t.path("out"))) if not n.startswith(("bench", "build-bench"))]
    equal(changed, [], "changed in the folder")


@by_turns(3.5)
def test_second_run_builds_nothing_and_keeps_the_first_record(t):
    folder(t)
    bench(t, "--types", "float").exits(0)
    before = tree(t.path("out/build-bench"))
    first = records_of(t)
    bench(t, "--types", "float", FAKE_NVCC_FAILS="compare_type.cu").exits(0)
    equal(difference(before, tree(t.path("out/build-bench"))), [], "built again")
    equal(len(records_of(t)), 4, "records")
    if not set(first) < set(records_of(t)):
        raise Failed("the first record is gone")


@by_turns(2)
def test_program_alone_can_be_carried(t):
    """The program and its stamp are enough where there is no nvcc; an edit of a variant makes them stale."""
    folder(t)
    bench(t, "--build-only", "--types", "float").exits(0)
    for name in os.listdir(t.path("out/build-bench")):
        if name not in ("compare", "compare.stamp", "device", "device.stamp"):
            os.unlink(t.path(f"out/build-bench/{name}"))
    bench(t, "--types", "float", TGC_NVCC="/nonexistent/nvcc").exits(0)
    name = sorted(os.listdir(t.path("out/variants")))[0]
    with open(t.path(f"out/variants/{name}"), "a", encoding="utf-8") as f:
        f.write("// edited\n")
    bench(t, "--types", "float", TGC_NVCC="/nonexistent/nvcc").exits(1).says("TGC_NVCC")


@by_turns(2)
def test_wrong_results_are_told(t):
    """A wrong or refused call fails the run, by name, and the rest is recorded."""
    folder(t)
    r = bench(t, "--types", "float", FAKE_WRONG="1").exits(1).prints("FAILED: ours", "n=256+0 graph: wrong result")
    r.expect("n=128" not in r.out, "a right result was called wrong")
    r = bench(t, "--types", "float", FAKE_ERROR="1").exits(1)
    r.prints("FAILED: ours", "n=256+0 stream: cudaErrorInvalidValue")
    equal(len(records_of(t)), 4, "records")


# ---- other operators ----

def operator_folder(t, operator, types):
    reduce = t.source("codelets", "reduce.cdl")
    t.run(reduce, "--operator", operator, "--arch", "sm_90", "--types", types, "--keep", "3", "-o", "out").exits(0)


@by_turns(1.2)
def test_operator_of_c(t):
    operator_folder(t, "Xor", "int,uint64")
    bench(t, "--types", "int").exits(0).prints("int |", "written: out/bench/reduce_xor-fake-gpu-")
    data = json.loads(t.read("out/bench/" + records_of(t)[0]))
    equal((data["operator"], data["bytes"]), ("xor", {"int": 4}), "in the record")


@by_turns(5)
def test_operator_of_the_users(t):
    """What it is built of, and a record of ours alone."""
    operator_folder(t, "ArgMax", "float,double")
    bench(t, FAKE_ALONE="1").exits(0).prints("float |", "double |", "written: out/bench/reduce_arg_max-fake-gpu-")
    record = module(t, "record").load(t.path("out/bench/" + records_of(t)[0]))
    equal({row["contender"] for row in record.data["measurements"]}, {"ours"}, "who was measured")
    equal(record.rival("float", (64, 0), "graph"), None, "CUB's row")
    built = set(os.listdir(t.path("out/build-bench")))
    for name in ("type_float.o", "type_double.o", "user_compare_operation.o", "user_data.o", "user_layout.o"):
        if name not in built:
            raise Failed(f"{name} was not built: {sorted(built)}")
    bench(t, FAKE_WRONG="1", FAKE_ALONE="1").exits(1).prints("FAILED: ours", "n=256+0 graph: wrong result")


@by_turns(1.2)
def test_edited_operator_is_built_again(t):
    operator_folder(t, "ArgMax", "float")
    bench(t, "--build-only").exits(0)
    before = tree(t.path("out/build-bench"))
    t.write("out/check/operator.h", t.read("out/check/operator.h") + "// edited\n")
    bench(t, "--build-only").exits(0)
    changed = difference(before, tree(t.path("out/build-bench")))
    if "type_float.o.stamp" not in changed or "dispatch.o.stamp" in changed:
        raise Failed(f"built again: {changed}")


def test_bytes_of_structs(t):
    r = small_record(t, 2.0, 6.0)
    row = r.row("half", (64, 0), "graph", "ours")
    other = module(t, "record").Record({**r.data, "bytes": {"half": 12}})
    equal(other.gigabytes(row), 6 * r.gigabytes(row), "GB/s of elements of 12 bytes")


# ---- what follows from a record ----

def test_words_of_plans(t):
    words = module(t, "record").plan_words
    for plan, wanted in (("grid>block>warp.strided(thread.serial; warp.tree+shuffle)", "warp"),
                         ("grid>block.strided/all(thread.serial; block.tree)", "block"),
                         ("grid>cluster.tiled!atomic(block.tree)", "cluster"),
                         ("grid.tiled!ticket(block.tree; grid>block.tree)", "grid ticket"),
                         ("grid.tiled!atomic(block.tree)", "grid atomic"),
                         ("grid.tiled(block.tree; grid>block.tree)", "grid two steps")):
        equal(words(plan), wanted, plan)


def small_record(t, ours, cub, transform=None):
    rows = [{"type": "half", "n": 64, "offset": 0, "mode": "graph", "contender": c, "us": us, "low": us,
             "high": 1.5 * us, "rounds": 9, "calls": 4}
            for c, us in (("ours", ours), ("cub", cub), ("cub-transform", transform)) if us]
    dispatch = {"half": [{"up_to": 64, "variant": "a"}, {"up_to": None, "variant": "b"}]}
    return module(t, "record").Record({"device": {"name": "H200", "peak_gbs": 100}, "measurements": rows,
                                       "failures": [], "variants": {}, "dispatch": dispatch})


def test_ratios(t):
    r = small_record(t, 2.0, 6.0, 5.0)
    equal(r.speed_up("half", (64, 0), "graph"), 2.5, "speed-up over the faster of CUB's ways")
    equal(r.noise("half", (64, 0), "graph"), 0.5, "noise")
    equal(r.gigabytes(r.row("half", (64, 0), "graph", "ours")), 0.064, "GB/s")
    equal(r.speed_up("half", (64, 0), "stream"), None, "speed-up of what was not measured")
    equal([r.chosen("half", n)["variant"] for n in (1, 64, 65)], ["a", "a", "b"], "the dispatch's choice")


def test_targets(t):
    """A ratio is met within CUB's spread, 50% here."""
    text = module(t, "targets").text
    for ours, cub, verdict in ((1.0, 2.0, "met"), (1.0, 1.0, "missed"), (2.0, 1.0, "missed")):
        said = [line for line in text(small_record(t, ours, cub)).splitlines() if "graph 2^6..2^11" in line]
        equal([line.split()[0] for line in said], [verdict], f"{cub / ours:.2f} times CUB: {said}")
    within = small_record(t, 1.0, 0.8)
    equal(module(t, "targets").missed(within, "half", "graph", [(64, 0)], 1.15), [], "0.8 with a spread of 50%")
    equal(module(t, "targets").missed(within, "half", "graph", [(64, 0)], 1.25), ["2^6 0.80"], "0.8 against 1.25")
    said = text(made_up(t))
    for part in ("met     float graph: the dispatch within 3%",
                 "met     float graph below 2^20: torch at least 1.5x slower",
                 "missed  float stream 2^13..2^20: at least 2.0x CUB: 2^20 1.10"):
        if part not in said:
            raise Failed(f"expected of the made-up record: {part}\n{said}")
    r = small_record(t, 1.0, 2.0)
    r.data["device"]["name"] = "another"
    equal(text(r), "", "targets on another device")
    r = small_record(t, 1.0, 2.0)
    r.data["operator"] = "user"
    equal(text(r), "", "targets of an operator of the user's")


def test_table(t):
    text = module(t, "record").table(made_up(t))
    for part in ("float |", "half |", "2^30", "98305+1", "grid ticket",
                 "FAILED: variant 0a1b2c3d(512,4) half n=1024+0"):
        if part not in text:
            raise Failed(f"expected in the table: {part}\n{text}")


# ---- the plot ----

def points(root, name):
    """How many marks there are in the groups whose id begins so."""
    return sum(len(list(g.iter(SVG + "use"))) for g in root.iter(SVG + "g") if g.get("id", "").startswith(name))


def texts(root):
    return [e.text for e in root.iter(SVG + "text")]


def drawn(t, record=None):
    script, record = t.source("bench", "plot.py"), record or t.source("tests", "bench", "made_up.json")
    t.shell(f'python3 "{script}" "{record}" -o plot.svg').exits(0).silent()
    return xml.parse(t.path("plot.svg")).getroot()


def box(text):
    """About where a text lies: (left, top, right, bottom); rather too narrow: only what overlaps counts."""
    style = dict(part.strip().split(": ", 1) for part in text.get("style").split(";") if ": " in part)
    size, x, y = float(re.match(r"[\d.]+", style["font"])[0]), float(text.get("x")), float(text.get("y"))
    wide = 0.5 * size * len(text.text)
    left = x - {"start": 0, "middle": wide / 2, "end": wide}[style.get("text-anchor", "start")]
    return left, y - 0.7 * size, left + wide, y + 0.15 * size


def labels_are_apart(root):
    """All lie within the picture, and none over another; those that stand upright are left out."""
    width, height = map(float, root.get("viewBox").split()[2:])
    boxes = [(e.text, box(e)) for e in root.iter(SVG + "text") if "rotate(-90" not in e.get("transform", "")]
    for what, (left, top, right, bottom) in boxes:
        if left < 0 or top < 0 or right > width or bottom > height:
            raise Failed(f"outside the picture: {what}")
    for (a, p), (b, q) in itertools.combinations(boxes, 2):
        if p[0] < q[2] and q[0] < p[2] and p[1] < q[3] and q[1] < p[3]:
            raise Failed(f"labels overlap: `{a}' and `{b}'")


@by_turns(1)
def test_plot_has_every_point(t):
    """One for each ratio, also of what is far slower: the scale holds it."""
    root, record, plot = drawn(t), made_up(t), module(t, "plot")
    for contender, mode, name, _, _ in plot.SERIES:
        wanted = [r for kind in record.types() for case in record.cases(kind)
                  if (r := record.speed_up(kind, case, mode, contender))]
        equal(points(root, f"{name}:") + points(root, f"odd sizes, {name}:"), len(wanted), f"points of {name}")
        if name == "thrust::reduce" and min(wanted) > 0.25:
            raise Failed("the record has nothing that is far slower")


@by_turns(1)
def test_plot_names_peers_axes_and_winners(t):
    said = " ".join(texts(drawn(t)))
    for name in ("11111111 warp", "33333333 cluster", "0a1b2c3d grid atomic", "44444444 grid ticket",
                 "55555555 grid two steps", "speedup over CUB", "elements", "speedup"):
        if name not in said:
            raise Failed(f"expected in the plot: {name}")
    device = made_up(t).data["device"]
    for more, name in (({"cub": 300601}, "CUB 3.6.1"), ({"cub": None, "runtime": 13000}, "CUB of CUDA 13.0")):
        record = module(t, "record").Record({**made_up(t).data, "device": {**device, **more}})
        equal(record.peer(), name, "the peer's name")


@by_turns(1)
def test_plot_labels_do_not_overlap(t):
    labels_are_apart(drawn(t))


def test_plot_of_one_size(t):
    """The least that can be drawn, and names with what XML reserves."""
    r = small_record(t, 1.0, 2.0)
    r.data.update({"version": 1, "spectrum": "a<b", "date": "2000-01-01", "notes": ['"<&>"']})
    t.write("small.json", json.dumps(r.data))
    root = drawn(t, "small.json")
    equal(points(root, "function"), 1, "points")
    if not any(text.startswith("a<b on") for text in texts(root)):
        raise Failed("the title is another")


def test_without_matplotlib(t):
    """The reason why there is no plot is said."""
    equal(module(t, "drawing").has_matplotlib("/nonexistent/python"), False, "a python that is none")
    t.write("bin/python3", "#!/bin/sh\nexec /usr/bin/env -S python3 -S \"$@\"\n")
    script = (f"import sys; sys.path.insert(0, {t.source('bench')!r})\nimport drawing\n"
              "drawing.has_matplotlib = lambda python: False\nprint(drawing.run('plot.py', 'x.json'))\n")
    t.write("none.py", script)
    t.shell("python3 none.py").exits(0).prints("no plot: matplotlib is not installed")


@by_turns(2)
def test_plot_of_what_is_no_record(t):
    plot = f'python3 "{t.source("bench", "plot.py")}"'
    t.write("other.json", '{"version": 1}')
    t.write("broken.json", "{")
    t.shell(f"{plot} other.json").exits(1).says("no record of a comparison")
    t.shell(f"{plot} broken.json").exits(1).says("is no JSON")
    t.shell(f"{plot} nowhere.json").exits(1).says("cannot read `nowhere.json'")
    t.write("deep.json", "[" * 200000)
    t.shell(f"{plot} deep.json").exits(1).says("plot: `deep.json' is no JSON", "nested too deeply")
    whole = json.loads(open(t.source("tests", "bench", "made_up.json")).read())
    first = whole["measurements"][0]
    for wrong in ({"device": []}, {"device": {"name": 3}}, {"measurements": {}}, {"measurements": [[]]},
                  {"measurements": [{**first, "us": "1"}]}, {"measurements": [{**first, "us": float("nan")}]},
                  {"measurements": [{**first, "us": 0}]}, {"measurements": [{**first, "type": []}]},
                  {"measurements": [{**first, "n": -1}]}, {"measurements": [{**first, "n": "64"}]}, {"dispatch": []},
                  {"dispatch": {"float": [1]}}, {"variants": []}, {"variants": {"x": {}}}, {"bytes": {"int": "4"}},
                  {"failures": [None]}, {"operator": 3}, {"date": 3}):
        t.write("other.json", json.dumps({**whole, **wrong}))
        t.shell(f"{plot} other.json").exits(1).says("plot: `other.json' has values of types")
    plot = f'python3 "{t.source("bench", "arrays_plot.py")}"'
    for text in ("[" * 200000, "3", '{"kind": []}', '{"kind": {}, "folder": 1, "type": []}',
                 '{"kind": "run", "date": 1}',
                 '{"kind": "shape", "folder": "f", "type": "t", "group": [], "shape": {}}'):
        t.write("other.json", text)
        t.shell(f"{plot} other.json").exits(1).says("arrays_plot: ", "`other.json'")
    equal(sorted(os.listdir(t.folder)), ["broken.json", "deep.json", "other.json"], "left behind")
