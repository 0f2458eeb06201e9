"""bench/arrays.py: its errors, whole runs of gpu/arrays.cu with stand-ins for nvcc, the GPU and the workload
(tests/bench/fake), and the plots of what it measured, of the records in bench/results too."""
import glob, itertools, json, os, re
import xml.etree.ElementTree as xml

from benchmarks import SVG, equal, fake, labels_are_apart, module, points, texts
from harness import Failed, by_turns, difference, tree


def folder(t, *more):
    t.run(t.source("codelets", "segmented_sum.cdl"), "--arch", "sm_90", "--types", "float,half", "--keep", "4", "-o",
          "out", *more).exits(0)


def arrays(t, *arguments, **environment):
    words = " ".join(f"'{a}'" for a in arguments)
    return t.shell(f'python3 "{t.source("bench", "arrays.py")}" {words}', **environment)


def measured(t, *arguments, **environment):
    """A run on stand-ins, of few sizes."""
    environment = {"TGC_NVCC": t.source("tests", "bench", "fake", "nvcc"), **environment}
    fake(t)
    return arrays(t, "out", "--sizes", "16..18", "--rounds", "2", *arguments, **environment)


def rows_of(t, **wanted):
    rows = [json.loads(line) for line in t.read("arrays-results/arrays.jsonl").splitlines()]
    return [r for r in rows if all(r.get(key) == value for key, value in wanted.items())]


# ---- errors ----

@by_turns(1.5)
def test_misuse(t):
    arrays(t).exits(2).says("required: FOLDER")
    for sizes in ("", "8..", "x", "30..6", "0..5", "6..99", "6,,7"):
        arrays(t, "out", "--sizes", sizes).exits(2).says("wants powers of 2")
    for seconds in ("0", "-1", "x", "1.5"):
        arrays(t, "out", "--max-seconds=" + seconds).exits(2).says("wants a number from 1 on")
    arrays(t, "--help").exits(0).prints("--max-seconds", "--cccl", "--build-only")
    equal(os.listdir(t.folder), [], "left behind")


@by_turns(1)
def test_folders_that_are_none(t):
    os.mkdir(t.path("empty"))
    for name in ("nowhere", "empty"):
        arrays(t, name).exits(1).says("there is no folder that tgc wrote")
    for text in ('{"version": 1,', "[]", "{}"):
        t.write("broken/manifest.json", text)
        arrays(t, "broken").exits(1).says("`broken' has no manifest of tgc")
    t.run(t.source("codelets", "transpose.cdl"), "--arch", "sm_90", "--types", "float", "--keep", "2", "-o",
          "turned").exits(0)
    arrays(t, "turned").exits(1).says("of `turned' there is no workload; there are sum")
    folder(t)
    arrays(t, "out", "--only", "gemv").exits(1).says("or none that was picked")
    arrays(t, "out", "--cccl", "nowhere").exits(1).says("`nowhere' is no checkout of CCCL")
    equal(os.path.exists(t.path("arrays-results")), False, "results")


def test_without_nvcc(t):
    folder(t)
    arrays(t, "out", TGC_NVCC="/nonexistent/nvcc").exits(1).says("TGC_NVCC is `/nonexistent/nvcc'")
    equal(os.path.exists(t.path("arrays-results")), False, "results")


# ---- whole runs ----

@by_turns(7)
def test_whole_run(t):
    """Every size is measured, in order; what is far too slow is dropped, and said to be."""
    folder(t)
    r = measured(t).exits(0).silent()
    r.prints("out float, run_to_run", "waiting 2^17", "were dropped at some sizes",
             "slow(256)",
             "written into arrays-results: arrays-segmented-sum.svg, arrays.jsonl, arrays.txt, segmented_sum.table")
    ranges = [line.split()[:4] for line in t.read("arrays-results/segmented_sum.table").splitlines() if line[0] != "#"]
    equal(ranges, [["float", "inf", "fast", "256"], ["half", "inf", "fast", "256"]], "the table of ranges")
    for kind in ("float", "half"):
        equal([s["shape"] for s in rows_of(t, kind="shape", type=kind)], 2 * ["2^16", "2^18", "2^17"], "shapes")
        text = t.read("arrays-results/arrays.txt")
        equal(re.findall(r" 2\^1\d", text[text.index(f"out {kind}"):])[:3], [" 2^16", " 2^17", " 2^18"], "in the table")
        for shape in ("2^16", "2^17", "2^18"):
            there = rows_of(t, kind="measurement", type=kind, group="waiting", shape=shape)
            equal(sorted({r.get("id", r["name"]) for r in there}), ["copy", "cub", "fast", "odd", "ours", "read"],
                  f"measured at {shape}")
        dropped = rows_of(t, kind="dropped", type=kind, id="slow")
        equal([(d["group"], d["shape"]) for d in dropped], [("waiting", "2^16"), ("as many", "2^16")],
              "where the slow one was dropped")
        there = rows_of(t, kind="measurement", type=kind, group="as many", id="slow")
        equal(sorted({r["shape"] for r in there}), ["2^17", "2^18"], "where it is as fast as the best")
        equal({(d["us"], d["best"], d["by"]) for d in dropped}, {(240.0, 4.0, "a look")}, "why it was dropped")
        fast = rows_of(t, kind="measurement", type=kind, group="waiting", id="fast")
        equal([(r["low"], r["us"], r["high"]) for r in fast], [(us, us, us) for us in (4.0, 16.0, 8.0)], "figures")
    equal(rows_of(t, kind="failure"), [], "failures")
    equal(len(rows_of(t, kind="run")), 1, "the run's own row")
    equal(xml.fromstring(t.read("arrays-results/arrays-segmented-sum.svg")).tag, SVG + "svg", "the plot")


@by_turns(1.5)
def test_another_cub(t):
    """The peers are compiled for both; a checkout of another version makes programs stale."""
    folder(t)
    for path in ("thrust", "libcudacxx/include"):
        os.makedirs(t.path(f"cccl/{path}"))
    t.write("cccl/cub/cub/version.cuh", "#define CUB_VERSION 300301 // by the way\n")
    measured(t, "--types", "float", "--cccl", "cccl").exits(0)
    made = [n for n in os.listdir(t.path("build-arrays/out")) if n.startswith("peers") and n.endswith(".o")]
    equal(sorted(made), ["peers_cccl_float.o", "peers_toolkit_float.o"], "the peers' objects")
    t.write("cccl/cub/cub/version.cuh", "#define CUB_VERSION 300400\n")
    measured(t, "--types", "float", "--cccl", "cccl", TGC_NVCC="/nonexistent/nvcc").exits(1).says("TGC_NVCC")


@by_turns(1)
def test_named_configurations(t):
    """Only what the table names is compiled, and what is listed beside it."""
    folder(t)
    measured(t, "--types", "float", "--named", "--build-only").exits(0)
    m = json.loads(t.read("out/manifest.json"))
    named = {row["variant"] for row in m["dispatch"]}

    def compiled():
        return {n[8:-3] for n in os.listdir(t.path("build-arrays/out")) if re.fullmatch(r"variant_\w+\.cu", n)}
    equal(compiled(), named, "variants")
    other = next(v["id"] for v in m["variants"] if v["id"] not in named)
    measured(t, "--types", "float", "--named", "--variants", other, "--build-only").exits(0)
    equal(compiled(), named | {other}, "variants with one that is listed")


@by_turns(1.2)
def test_what_checked_sizes_foretell(t):
    """It is not even tried."""
    folder(t)
    measured(t, "--types", "float", FAKE_SLOW="2000").exits(0)
    equal({d["by"] for d in rows_of(t, kind="dropped", id="slow")}, {"checked sizes"}, "why it was dropped")
    equal(rows_of(t, kind="quick", id="slow"), [], "looks at it")


@by_turns(1.5)
def test_wrong_results(t):
    folder(t)
    measured(t, "--types", "float", FAKE_WRONG="1").exits(1).prints("FAILED: out float odd(256)", "3 wrong elements")
    equal(rows_of(t, kind="measurement", id="odd"), [], "measurements of what is wrong")
    if not rows_of(t, kind="measurement", id="fast", shape="2^18"):
        raise Failed("the rest did not go on")


@by_turns(3)
def test_what_crashes_or_hangs(t):
    folder(t)
    measured(t, "--types", "float", FAKE_CRASH="1").exits(1).prints("FAILED: out float odd(256)", "dies: status -6")
    measured(t, "--types", "float", "--stall", "3", FAKE_HANG="1").exits(1).prints("hangs: no end within 3 s")
    if not rows_of(t, kind="measurement", id="fast", shape="2^18"):
        raise Failed("the rest did not go on")


@by_turns(2.5)
def test_time_that_is_up(t):
    """Each program gets its share; what was measured is written."""
    folder(t)
    measured(t, "--build-only").exits(0)
    measured(t, "--max-seconds", "4", FAKE_HANG="1").exits(1).prints("the time was up", "written into")
    equal([r["type"] for r in rows_of(t, name="the time was up")], ["float", "half"], "programs that were stopped")


# ---- building ----

@by_turns(2)
def test_programs_alone_can_be_carried(t):
    """They, their stamps and what did not compile are enough where there is no nvcc; an edit of a variant makes them
    stale."""
    folder(t)
    broken = sorted(os.listdir(t.path("out/variants")))[0]
    wanted = [v["id"] for v in json.loads(t.read("out/manifest.json"))["variants"] if broken in v["file"]][0]
    measured(t, "--all", "--build-only", FAKE_NVCC_FAILS=f"variant_{wanted}.cu").exits(1).prints("does not compile")
    before = tree(t.path("build-arrays"))
    measured(t, "--all", "--build-only").exits(1).prints(f"{wanted} does not compile")
    equal(difference(before, tree(t.path("build-arrays"))), [], "built again")
    for name in os.listdir(t.path("build-arrays/out")):
        if name.endswith(".o"):
            os.unlink(t.path(f"build-arrays/out/{name}"))
    r = measured(t, "--all", TGC_NVCC="/nonexistent/nvcc").exits(1)
    r.prints(f"{wanted} does not compile", "waiting 2^18").expect("dies" not in r.out, "it did not run")
    other = sorted(os.listdir(t.path("out/variants")))[1]
    t.write(f"out/variants/{other}", t.read(f"out/variants/{other}") + "// edited\n")
    measured(t, "--all", TGC_NVCC="/nonexistent/nvcc").exits(1).says("TGC_NVCC")


# ---- the plots ----

def draw(t, name):
    return t.shell(f'python3 "{t.source("bench", "arrays_plot.py")}" "{name}" -o plots')


def made_up(spectrum, promise, shapes):
    """What a program may have said."""
    def row(shape, role, name, us, **other):
        return {"kind": "measurement", "group": "", "shape": shape, "role": role, "name": name, "us": us,
                "low": us, "high": us, **other}
    rows = [{"kind": "device", "name": "a <GPU>", "runtime": 13000},
            {"kind": "workload", "spectrum": spectrum, "promise": promise}]
    for n, shape in enumerate(shapes):
        rows.append({"kind": "shape", "group": "", "shape": shape, "n": 8 << n, "read": 64, "written": 8,
                     "in_table": True, "key": 8 << n})
        rows.append(row(shape, "variant", "variant", 2.0, id="0a1b2c3d", threads=256, loads=0, blocks=0))
        rows += [row(shape, "library", "CUB 3.0.1", 4.0 + n), row(shape, "library", "CUB 3.6.0", 5.0),
                 row(shape, "bound", "copy", 1.5), row(shape, "bound", "read", 1.0), row(shape, "bound", "order", 1.75),
                 row(shape, "ours", "ours", 40.0)]
    return [{"folder": spectrum, "type": "float", **r} for r in rows]


def newest_record(t):
    return max(glob.glob(t.source("bench", "results", "*", "*-arrays.jsonl")))


@by_turns(2)
def test_recorded_plots(t):
    """Of the newest record: they say what bench/arrays_plot.py draws, have every point of the best variants and of the
    function, and no label lies over another."""
    record, plot = newest_record(t), module(t, "arrays_plot")
    draw(t, record).exits(0).silent()
    drawn = sorted(os.listdir(t.path("plots")))
    beside = sorted(glob.glob(record[:-len(".jsonl")] + "-*.svg"))
    equal(drawn, [os.path.basename(n) for n in beside], "the plots beside it")
    programs = plot.programs_of(plot.load(record))
    for path in beside:
        root, again = xml.parse(path).getroot(), xml.parse(t.path(f"plots/{os.path.basename(path)}")).getroot()
        equal(sorted(texts(root)), sorted(texts(again)), f"what {path} says; `bench/arrays_plot.py {record}' draws it")
        spectra = next(w[2] for w in plot.WORKS if path == f"{record[:-len('.jsonl')]}-{w[0]}.svg")
        shapes = [s for _, found in plot.panels_of(programs, spectra) for s in found]
        for name, who in (("function:", "ours"), ("best variant:", "best")):
            equal(points(root, name), sum(1 for s in shapes if s[who]), f"{name} points in {path}")
        labels_are_apart(root)


def test_record_shows_them(t):
    """The record's page shows the plots of the newest run, one for each kind of work; every picture is there."""
    folder = t.source("bench", "results", "nvidia-h200")
    with open(os.path.join(folder, "README.md"), encoding="utf-8") as f:
        shown = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", f.read())
    missing = [name for name in shown if not os.path.exists(os.path.join(folder, name))]
    equal(missing, [], "pictures that are missing")
    wanted = {os.path.basename(n) for n in glob.glob(newest_record(t)[:-len(".jsonl")] + "-*.svg")}
    equal(sorted(wanted - set(shown)), [], "plots that the record does not show")


def test_every_workload_is_drawn(t):
    drawn = [s for work in module(t, "arrays_plot").WORKS for s in work[2]]
    equal(sorted(drawn), sorted(workloads(t)), "spectra")


def workloads(t):
    """By the text: a module of the tests has the name of arrays.py."""
    with open(t.source("bench", "arrays.py"), encoding="utf-8") as f:
        return [line.split('"')[1] for line in f if line.startswith('    "') and ": Workload(" in line]


def test_bounds(t):
    """Reading, where little is written; of sums in order these, where they take longer."""
    shapes = module(t, "arrays_table").Shapes
    for promise, name in (("run_to_run", "read"), ("sequential", "order")):
        of_one = [{k: v for k, v in r.items() if k not in ("folder", "type")} for r in made_up("dot", promise, ["2^3"])]
        equal([s["bound"]["name"] for s in shapes(of_one).all.values()], [name], f"the bound of {promise}")


def test_plot_says_all(t):
    """The peers and their versions, titles of axes; what is far slower is drawn, names may have what XML reserves."""
    rows = made_up("dot", "run_to_run", ["2^3", "2^4", "2^5"])
    t.write("a.jsonl", "".join(json.dumps(r) + "\n" for r in rows))
    draw(t, "a.jsonl").exits(0).silent()
    root = xml.fromstring(t.read("plots/a-vectors.svg"))
    for text in ("dot float: 1x is the fastest of CUB 3.0.1 and CUB 3.6.0", "elements", "speedup", "1/8x",
                 "dot, axpy, vadd on a <GPU>: speedup over the fastest library"):
        if text not in texts(root):
            raise Failed(f"expected in the plot: {text}\n{texts(root)}")
    equal(points(root, "function:"), 3, "points of the function, which takes ten times as long")


def test_two_points_are_a_table(t):
    t.write("a.jsonl", "".join(json.dumps(r) + "\n" for r in made_up("gemv", "run_to_run", ["8x2", "2x8"])))
    t.write("b.jsonl", "".join(json.dumps(r) + "\n" for r in made_up("dot", "run_to_run", ["2^3", "2^4"])))
    for name in ("a.jsonl", "b.jsonl"):
        draw(t, name).exits(0).silent()
    equal(os.listdir(t.path("plots")), [], "plots")


# ---- tables and records ----

def mend(t, table, record):
    return t.shell(f'python3 "{t.source("bench", "mend_table.py")}" "{table}" "{record}"')


def test_table_is_mended(t):
    """A row by which the function is slower than a variant gets that variant; others stay, a noisy one too."""
    rows = made_up("dot", "run_to_run", ["2^3", "2^4"])
    for r in rows:
        if r["kind"] == "measurement" and r["role"] == "ours" and r["shape"] == "2^4":
            r["us"] = 2.05
    t.write("a.jsonl", "".join(json.dumps(r) + "\n" for r in rows))
    head = "# dot, measured on a GPU\n# type  up_to\n"
    t.write("dot.table", head + "float   8            11111111          32 1 0\nfloat   inf          22222222          32 1 0\n")
    r = mend(t, "dot.table", "a.jsonl").exits(0).says("dot float 8: 40.00 us, now 2.00 us")
    equal([line.split()[:4] for line in r.out.splitlines()[2:]],
          [["float", "8", "0a1b2c3d", "256"], ["float", "inf", "22222222", "32"]], "the rows")
    mend(t, "nowhere", "a.jsonl").exits(1)
    t.write("guess.table", "# dot, a guess\n")
    mend(t, "guess.table", "a.jsonl").exits(1).says("no table that was measured")


def slower(t, old, new):
    return t.shell(f'python3 "{t.source("bench", "slower.py")}" "{old}" "{new}"')


def test_what_became_slower(t):
    """A recorded shape that takes more than 3% longer is named, in each kind of record; what is noise is not."""
    old = made_up("dot", "run_to_run", ["2^3", "2^4", "2^5"])
    new = json.loads(json.dumps(old))
    ours = [r for r in new if r["kind"] == "measurement" and r["role"] == "ours"]
    ours[0]["us"], ours[1]["us"] = 41.1, 41.3
    for name, rows in (("old", old), ("new", new)):
        t.write(f"{name}.jsonl", "".join(json.dumps(r) + "\n" for r in rows))
    r = slower(t, "old.jsonl", "new.jsonl").exits(1)
    r.prints("dot float 2^4: 40.00 us, now 41.30 us (1.03x)", "1 of 3 recorded shapes are slower by more than 3%")
    slower(t, "old.jsonl", "old.jsonl").exits(0).prints("0 of 3 recorded shapes")
    t.write("other.jsonl", "".join(json.dumps(r) + "\n" for r in made_up("vadd", "run_to_run", ["2^3"])))
    slower(t, "old.jsonl", "other.jsonl").exits(2).says("no recorded shape is in both")
    made = t.source("tests", "bench", "made_up.json")
    whole = json.loads(open(made, encoding="utf-8").read())
    slower(t, made, made).exits(0).prints("0 of ")
    for row in whole["measurements"]:
        row["us"] *= 1.1 if row["contender"] == "ours" and row["mode"] == "stream" else 1
    t.write("made.json", json.dumps(whole))
    slower(t, made, "made.json").exits(1).prints(" stream: ", "(1.10x)")
    line = "float   inf   11111111   0  4  0   # at 256: %s us\n"
    for new, status in (("0.014", 0), ("0.015", 1)):  # what is printed as 0.013 may have been 0.0135
        t.write("old.table", line % "0.013")
        t.write("new.table", line % new)
        slower(t, "old.table", "new.table").exits(status)
    slower(t, "nowhere.json", made).exits(2).says("cannot read")


def test_what_became_slower_on_a_cpu(t):
    """Made up: 64 of 4096 in 10.0 us, then in 10.2 and in 10.4."""
    for name, us in (("old", 10.0), ("noise", 10.2), ("new", 10.4), ("none", "fast")):
        rows = [{"type": "float", "n": 64, "all": 4096, "contender": who, "us": time}
                for who, time in (("ours", us), ("openmp", 50.0))]
        t.write(f"{name}.json", json.dumps({"version": 1, "family": "cpu", "measurements": rows}))
    slower(t, "old.json", "noise.json").exits(0).prints("0 of 1 recorded shapes")
    slower(t, "old.json", "new.json").exits(1).prints("float 2^6 of 2^12: 10.00 us, now 10.40 us (1.04x)", "1 of 1")
    slower(t, "old.json", "none.json").exits(2).says("no record")


def test_tables_of_the_two_days(t):
    """Tables have the figure of each row in its comment: of two of them rows are compared by the shape there."""
    head = "# dot, measured on a GPU\n"
    t.write("old.table", head + "float   8   11111111 32 1 0 # at 8: 2.00 us in a graph\nfloat   inf 1 32 1 0 # at 64: 3.00 us in a graph\n")
    t.write("new.table", head + "float   inf 11111111 32 1 0 # at 64: 3.20 us in a graph, 4 on a stream\n")
    slower(t, "old.table", "new.table").exits(1).prints("float 64: 3.00 us, now 3.20 us (1.07x)",
                                                        "1 of 1 recorded shapes")


def test_plot_of_what_is_none(t):
    t.write("other.jsonl", '{"version": 1}\n')
    t.write("broken.jsonl", "{\n")
    t.write("lacking.jsonl", '{"kind": "shape", "folder": "a", "type": "b"}\n{"kind": "workload", "folder": "a", '
            '"type": "b"}\n')
    t.write("empty.jsonl", "")
    draw(t, "other.jsonl").exits(1).says("is none of arrays.py's")
    draw(t, "broken.jsonl").exits(1).says("is no JSON a line")
    draw(t, "lacking.jsonl").exits(1).says("a row lacks")
    draw(t, "empty.jsonl").exits(1).says("nothing was measured")
    draw(t, "nowhere.jsonl").exits(1).says("cannot read `nowhere.jsonl'")
    equal(os.path.exists(t.path("plots")), False, "plots")
