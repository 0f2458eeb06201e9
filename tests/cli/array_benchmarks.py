"""bench/arrays.py: its errors, whole runs of gpu/arrays.cu with stand-ins for nvcc, the GPU and the workload
(tests/bench/fake), and the plots of what it measured, of the records in bench/results too."""
import glob, itertools, json, os, re
import xml.etree.ElementTree as xml

from benchmarks import SVG, box, equal, fake, module
from harness import Failed, difference, tree


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

def test_misuse(t):
    arrays(t).exits(2).says("required: FOLDER")
    for sizes in ("", "8..", "x", "30..6", "0..5", "6..99", "6,,7"):
        arrays(t, "out", "--sizes", sizes).exits(2).says("wants powers of 2")
    for seconds in ("0", "-1", "x", "1.5"):
        arrays(t, "out", "--max-seconds=" + seconds).exits(2).says("wants a number from 1 on")
    arrays(t, "--help").exits(0).prints("--max-seconds", "--cccl", "--build-only")
    equal(os.listdir(t.folder), [], "left behind")


def test_folders_that_are_none(t):
    os.mkdir(t.path("empty"))
    for name in ("nowhere", "empty"):
        arrays(t, name).exits(1).says("there is no folder that tgc wrote")
    for text in ('{"version": 1,', "[]", "{}"):
        t.write("broken/manifest.json", text)
        arrays(t, "broken").exits(1).says("`broken' has no manifest of tgc's")
    t.run(t.sum, "--arch", "sm_90", "--types", "float", "--keep", "2", "-o", "sums").exits(0)
    arrays(t, "sums").exits(1).says("of `sums' there is no workload; there are inclusive_scan")
    folder(t)
    arrays(t, "out", "--only", "gemv").exits(1).says("or none that was picked")
    arrays(t, "out", "--cccl", "nowhere").exits(1).says("`nowhere' is no checkout of CCCL")
    equal(os.path.exists(t.path("arrays-results")), False, "results")


def test_without_nvcc(t):
    folder(t)
    arrays(t, "out", TGC_NVCC="/nonexistent/nvcc").exits(1).says("TGC_NVCC is `/nonexistent/nvcc'")
    equal(os.path.exists(t.path("arrays-results")), False, "results")


# ---- whole runs ----

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


def test_another_cub(t):
    """Which one it was is recorded; a checkout of another version makes programs stale."""
    folder(t)
    for path in ("thrust", "libcudacxx/include"):
        os.makedirs(t.path(f"cccl/{path}"))
    t.write("cccl/cub/cub/version.cuh", "#define CUB_VERSION 300301 // by the way\n")
    measured(t, "--types", "float", "--cccl", "cccl").exits(0)
    equal([r["cub"] for r in rows_of(t, kind="run")], ["3.3.1"], "CUB's version")
    if "CUB 3.3.1; " not in t.read("arrays-results/arrays-segmented-sum.svg"):
        raise Failed("the plot does not say which CUB it was")
    t.write("cccl/cub/cub/version.cuh", "#define CUB_VERSION 300400\n")
    measured(t, "--types", "float", "--cccl", "cccl", TGC_NVCC="/nonexistent/nvcc").exits(1).says("TGC_NVCC")


def test_what_checked_sizes_foretell(t):
    """It is not even tried."""
    folder(t)
    measured(t, "--types", "float", FAKE_SLOW="2000").exits(0)
    equal({d["by"] for d in rows_of(t, kind="dropped", id="slow")}, {"checked sizes"}, "why it was dropped")
    equal(rows_of(t, kind="quick", id="slow"), [], "looks at it")


def test_wrong_results(t):
    folder(t)
    measured(t, "--types", "float", FAKE_WRONG="1").exits(1).prints("FAILED: out float odd(256)", "3 wrong elements")
    equal(rows_of(t, kind="measurement", id="odd"), [], "measurements of what is wrong")
    if not rows_of(t, kind="measurement", id="fast", shape="2^18"):
        raise Failed("the rest did not go on")


def test_what_crashes_or_hangs(t):
    folder(t)
    measured(t, "--types", "float", FAKE_CRASH="1").exits(1).prints("FAILED: out float odd(256)", "dies: status -6")
    measured(t, "--types", "float", "--stall", "3", FAKE_HANG="1").exits(1).prints("hangs: no end within 3 s")
    if not rows_of(t, kind="measurement", id="fast", shape="2^18"):
        raise Failed("the rest did not go on")


def test_time_that_is_up(t):
    """Each program gets its share; what was measured is written."""
    folder(t)
    measured(t, "--build-only").exits(0)
    measured(t, "--max-seconds", "4", FAKE_HANG="1").exits(1).prints("the time was up", "written into")
    equal([r["type"] for r in rows_of(t, name="the time was up")], ["float", "half"], "programs that were stopped")


# ---- building ----

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


def made_up(t, promise, *more):
    """What a program of two sizes may have said."""
    def row(shape, role, name, us, **other):
        return {"kind": "measurement", "group": "by rows", "shape": shape, "role": role, "name": name, "us": us,
                "low": us, "high": us, **other}
    rows = [{"kind": "device", "name": "a <GPU>"}, {"kind": "workload", "spectrum": "gemv", "promise": promise}]
    for shape in ("8x2", "2x8"):
        rows.append({"kind": "shape", "group": "by rows", "shape": shape, "n": 8, "read": 64, "written": 8,
                     "in_table": False})
        rows.append(row(shape, "variant", "variant", 2.0, id="0a1b2c3d", threads=256, loads=0, blocks=0))
        rows += [row(shape, "library", "cublas", 4.0), row(shape, "bound", "copy", 1.5),
                 row(shape, "bound", "read", 1.0), row(shape, "bound", "order", 1.75), row(shape, "ours", "ours", 40.0)]
    return [{"folder": "gemv", "type": "float", **r} for r in [*rows, *more]]


def test_recorded_plots(t):
    """The plots of the records are those that lie beside them: bench/arrays_plot.py draws them again."""
    records = sorted(glob.glob(t.source("bench", "results", "*", "*-arrays.jsonl")))
    if not records:
        raise Failed("no records")
    for record in records:
        draw(t, record).exits(0).silent()
        stem = os.path.splitext(os.path.basename(record))[0]
        drawn = sorted(n for n in os.listdir(t.path("plots")) if n.startswith(stem + "-"))
        beside = sorted(os.path.basename(n) for n in glob.glob(record[:-len(".jsonl")] + "-*.svg"))
        equal(drawn, beside, f"the plots of {record}")
        for name in drawn:
            with open(os.path.join(os.path.dirname(record), name), encoding="utf-8") as f:
                if f.read() != t.read(f"plots/{name}"):
                    raise Failed(f"{name} is another than what is drawn; `bench/arrays_plot.py {record}' draws it")


def test_plots_have_every_point(t):
    """One for each ratio that the scale holds, of every work; what is below is named; no label lies over another."""
    plot, table = module(t, "arrays_plot"), module(t, "arrays_table")
    for record in sorted(glob.glob(t.source("bench", "results", "*", "*-arrays.jsonl"))):
        rows = plot.load(record)
        texts, programs = plot.drawings(rows), {}
        for r in rows:
            if r["kind"] != "run":
                programs.setdefault((r["folder"], r["type"]), []).append(r)
        shapes = [s for of_one in programs.values() for s in table.Shapes(of_one).all.values() if s["best"]]
        ratios = [s["library"]["us"] / s["best"]["us"] for s in shapes]
        roots = [xml.fromstring(text) for text in texts.values()]
        points = [p for root in roots for p in root.iter(SVG + "circle") if p[0].text.startswith("best variant")]
        equal(len(points), sum(1 for r in ratios if r >= plot.LOWEST), "points of the best variants")
        said = " ".join(e.text for root in roots for e in root.iter(SVG + "text"))
        if any(r < plot.LOWEST for r in ratios) and "sizes: best variant," not in said:
            raise Failed("below the scale and not named")
        for root in roots:
            boxes = [(e.text, box(e)) for e in root.iter(SVG + "text")]
            for (a, p), (b, q) in itertools.combinations(boxes, 2):
                if p[0] < q[2] and q[0] < p[2] and p[1] < q[3] and q[1] < p[3]:
                    raise Failed(f"labels overlap: `{a}' and `{b}'")


def test_record_shows_them(t):
    """The record's page shows the plots of the newest run, one for each kind of work; every picture is there."""
    folder = t.source("bench", "results", "nvidia-h200")
    with open(os.path.join(folder, "README.md"), encoding="utf-8") as f:
        shown = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", f.read())
    missing = [name for name in shown if not os.path.exists(os.path.join(folder, name))]
    equal(missing, [], "pictures that are missing")
    newest = max(glob.glob(os.path.join(folder, "*-arrays.jsonl")))
    wanted = {os.path.basename(n) for n in glob.glob(newest[:-len(".jsonl")] + "-*.svg")}
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
        of_one = [{k: v for k, v in r.items() if k not in ("folder", "type")} for r in made_up(t, promise)]
        equal([s["bound"]["name"] for s in shapes(of_one).all.values()], [name] * 2, f"the bound of {promise}")


def test_plot_says_what_is_not_drawn(t):
    """What is below the scale, and what was dropped; names with what XML reserves."""
    dropped = {"kind": "dropped", "group": "by rows", "shape": "2x8", "role": "ours", "name": "ours", "us": 40.0,
               "best": 1.0, "by": "a call"}
    root = xml.fromstring(module(t, "arrays_plot").drawings(made_up(t, "run_to_run", dropped))["gemv"])
    said = [e.text for e in root.iter(SVG + "text")]
    for text in ("below the scale at 2 of 2 sizes: public function, 0.1x to 0.1x of the fastest library",
                 "dropped as too slow at 1 of 2 sizes, 2x8 to 2x8: public function", "gemv float, by rows", "8x2",
                 "Matrix-vector products on a <GPU>: speedup over the fastest library"):
        if text not in said:
            raise Failed(f"expected in the plot: {text}\n{said}")
    equal([p[0].text for p in root.iter(SVG + "circle") if "2x8" in p[0].text][-1],
          "best variant 0a1b2c3d(256), gemv float, by rows, 2x8: 2.00x, 2.00 us, 0.00 TB/s", "a point's figures")


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
