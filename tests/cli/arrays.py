"""Spectra of several containers, and results that are arrays: what the shipped ones compute, plan by plan, on the CPU;
what a plan of theirs costs and promises; what is refused."""
import json, shutil
import os

from drawn import drawn
from harness import Failed, by_turns


def codelets(t, name):
    return t.source("codelets", name + ".cdl")


def listed(t, name, *more):
    r = t.run(codelets(t, name), "--arch", "sm_90", "--types", "float", "--list=json", *more).exits(0).silent()
    return json.loads(r.out)["variants"]


def checked(t, name, *parts, types="float"):
    """Of the plans that are kept, one for each of `parts', a plan's text having all of its strings: checked in one
    run, whose harness is compiled but once. Gives their rows of the manifest."""
    t.run(codelets(t, name), "--arch", "sm_90", "--types", types, "-o", name).exits(0).silent()
    manifest = json.loads(t.read(name + "/manifest.json"))
    chosen = []
    for part in parts:
        fitting = [v for v in manifest["variants"] if all(p in v["plan"] for p in part)]
        if not fitting:
            raise Failed(f"{name}: no plan has {' and '.join(part)}")
        chosen.append(next((v for v in fitting if v not in chosen), fitting[0]))
    manifest["variants"] = [v for i, v in enumerate(chosen) if v not in chosen[:i]]
    t.write(name + "/manifest.json", json.dumps(manifest))
    n = len(manifest["variants"])
    r = t.run("check", name, "--no-codelets", "--sizes", "0,1,33,1025", "--seeds", "1", "--orders", "1", timeout=500)
    r.exits(0).prints(f"{n} of {n} variants of {manifest['spectrum']} passed")
    return chosen


# ---- what they compute ----

@by_turns(12)
def test_dot(t):
    checked(t, "dot", ["!post("], ["!ticket("], ["!atomic("], ["grid>block>warp."])


@by_turns(3)
def test_elements_by_themselves(t):
    for name, types in drawn((("vadd", "int"), ("saxpy", "float")), 1):
        checked(t, name, ["grid.strided(", "ilp.serial"], ["grid.tiled(", "thread.serial"], types=types)


@by_turns(8)
def test_scan(t):
    checked(t, "scan", ["!scanner(", "thread.serial"], ["!look_back(", "thread.serial"],
            ["grid>block.sliding/loop("], ["grid>block>warp.sliding/loop("])


@by_turns(6)
def test_exclusive_scan(t):
    checked(t, "exclusive_scan", ["!scanner(", "shuffle"], ["!look_back(", "warp.sliding/loop("],
            ["grid>block.sliding/loop("], types="int")


SHARES = (["grid.each/all-warp/8s("], ["grid.each/all-warps("], ["grid.each/all-threads("], ["grid.each(block."])


SPREAD = (["(block.", "tiled/spread(block.", "ilp."], ["(thread.", "tiled/spread(thread.serial"])  # several a part


@by_turns(12)
def test_segments_and_rows(t):
    slots = ["grid.each/all-threads(thread.strided(ilp.serial; thread.serial))"]
    for name, types, *parts in drawn((("segmented_sum", "float", *SHARES, *SPREAD, slots),
                                      ("segmented_sum_offsets", "int", *SHARES, *SPREAD),
                                      ("gemv", "float", *SHARES[:3], *SPREAD),
                                      ("gemv_columns", "int", *SHARES[1:], *SPREAD)), 1, lambda case: case[0]):
        checked(t, name, *parts, types=types)


def test_a_lane_reads_16_bytes(t):
    """A segment that is one lane's is read 16 bytes at a time too, in slots or in its order: its elements are
    neighbours. So it is written."""
    for name, part, words in (("segmented_sum", "(thread.strided(ilp.serial; thread.serial))", ["load_wide("]),
                              ("segmented_sum", "(thread.serial)", ["load_wide("]),
                              ("segmented_scan", "(thread.serial)", ["load_wide(", "store_wide_anywhere("])):
        t.run(codelets(t, name), "--arch", "sm_90", "--types", "float", "-o", "text_" + name).exits(0).silent()
        variants = json.loads(t.read(f"text_{name}/manifest.json"))["variants"]
        id = next(v["id"] for v in variants if v["plan"] == "grid.each/all-threads" + part)
        text = t.read(f"text_{name}/variants/{id}.cu")
        if "part[" in text or any(w not in text for w in words):
            raise Failed(f"{name}, {part}: elements are moved one by one")


def test_few_segments_have_work_for_all(t):
    """Those who share a part: as many as the grid has room for, no more than there is work for, at least one; each
    part's results lie side by side, and a second kernel combines them."""
    t.run(codelets(t, "segmented_sum"), "--arch", "sm_90", "--types", "float", "--columns", "none", "-o",
          "segmented_sum").exits(0).silent()
    plan = next(v for v in json.loads(t.read("segmented_sum/manifest.json"))["variants"]
                if all(p in v["plan"] for p in SPREAD[0]))
    text = t.read(f"segmented_sum/variants/{plan['id']}.cu")
    for line in ("const Index groups = max_index(out_n, 1);",
                 "const Index pieces = max_index(min_index(blocks / groups, (n / groups + threads * 4 - 1) / (threads * 4)), 1);",
                 "(size_t)out_n * pieces * sizeof(T);", "dim3((unsigned)(p * pieces))"):
        if line not in text:
            raise Failed(f"not in the text: {line}")
    if plan["kernels"] != 2:
        raise Failed(f"{plan['kernels']} kernels")


@by_turns(5)
def test_histogram(t):
    checked(t, "histogram", ["grid.tiled(block.own*32"], ["grid>block.own"], ["grid.strided(block.strided/all("],
            types="int")


@by_turns(3)
def test_few_are_kept(t):
    """--keep and --variant, as users meet them: a few of each category, and one of those."""
    t.run(codelets(t, "scan"), "--arch", "sm_90", "--types", "int", "--keep", "3", "-o", "out").exits(0).silent()
    rows = json.loads(t.read("out/manifest.json"))["variants"]
    if len(rows) != 3:
        raise Failed(f"--keep 3 keeps {len(rows)}")
    r = t.run("check", "out", "--variant", rows[-1]["id"], "--sizes", "0,33", "--seeds", "1", "--plain")
    r.exits(0).prints("1 of 1 variants of inclusive_scan passed")


# ---- what they cost and promise ----

def test_one_kernel(t):
    """A view's elements are computed where they are read: dot has the kernels that sum has, by the same plan. What is
    computed element by element is one kernel, whatever the plan; so are scans, but for those that sum up first."""
    sums = {v["plan"]: v["kernels"] for v in listed(t, "sum")}
    products = {v["plan"].replace("grid.products=", ""): v["kernels"] for v in listed(t, "dot")}
    shared = sums.keys() & products.keys()
    if len(shared) < 20 or any(sums[p] != products[p] for p in shared):
        raise Failed(f"{len(shared)} plans of both; {[p for p in shared if sums[p] != products[p]]} cost more")
    if not any(n == 1 and p.startswith("grid.tiled!") for p, n in products.items()):
        raise Failed("no dot of a whole grid in one kernel")
    for name in ("vadd", "saxpy", "scan", "exclusive_scan"):
        several = [v["plan"] for v in listed(t, name) if v["kernels"] != 1 and ".reduce_scan_scan(" not in v["plan"]]
        if several:
            raise Failed(f"{name}: not one kernel: {several}")


def test_promises_of_scans(t):
    """How far a block looks back changes from run to run. A scanner takes the tiles in their order."""
    promised = {v["determinism"] for v in listed(t, "scan") if "!look_back(" in v["plan"]}
    if promised != {"not_guaranteed"}:
        raise Failed(f"look_back: {promised}")
    rows = listed(t, "scan", "--determinism", "run_to_run")
    if not rows or any("!look_back(" in v["plan"] for v in rows) or not any("!scanner(" in v["plan"] for v in rows):
        raise Failed("run_to_run: looks back, or has no scanner")
    if {v["determinism"] for v in rows} != {"run_to_run"}:
        raise Failed(f"run_to_run: {({v['determinism'] for v in rows})}")
    r = t.refuses(1, codelets(t, "scan"), "--arch", "sm_90", "--types", "float", "--determinism", "gpu_to_gpu",
                  "--list")
    r.says("no plan for `inclusive_scan' on sm_90 is gpu_to_gpu").hints("the most that one keeps is run_to_run")


# ---- what is refused ----

def test_scans_have_no_bench(t):
    t.run(codelets(t, "scan"), "--arch", "sm_90", "--types", "float", "--keep", "1", "-o", "out").exits(0)
    t.refuses(1, "bench", "out").says("`inclusive_scan' is no reduction")


DECLARED = """template <typename T>
__codelet
void both(const Array<1, T> in, __like(in) __mutable Array<1, T> out);

"""
STEPS = """template <typename T>
__codelet __tag(serial)
void copy(const Array<1, T> in, __like(in) __mutable Array<1, T> out) {
  for (unsigned i = 0; i < in.Size(); ++i) {
    out[i] = in[i];
  }
}

template <typename T>
__codelet __tag(serial)
void inc(__mutable Array<1, T> out) {
  for (unsigned i = 0; i < out.Size(); ++i) {
    out[i] += 1;
  }
}

"""
AFTER = """template <typename T>
__codelet __tag(after)
void both(const Array<1, T> in, __like(in) __mutable Array<1, T> out) {
  copy<T>(in, out);
  inc<T>(out);
}
"""
MAPS = """template <typename T>
__codelet __tag(maps)
void both(const Array<1, T> in, __like(in) __mutable Array<1, T> out) {
  __tunable unsigned p;
  map(copy<T>, partition(in, p, sequence(0, 1, p), sequence(p), sequence(in.Size())),
      partition(out, p, sequence(0, 1, p), sequence(p), sequence(out.Size())));
  map(inc<T>, partition(out, p, sequence(0, 1, p), sequence(p), sequence(out.Size())));
}
"""


def test_a_scan_by_no_known_operator(t):
    """It is said, where it is written, and not found out when kernels are made."""
    shutil.copy(codelets(t, "scan"), t.path("mine.cdl"))
    shutil.copytree(t.source("codelets", "common"), t.path("common"))
    text = t.read("common/scan_steps.cdl")
    t.write("common/scan_steps.cdl", text.replace("  T accum = carry;\n", "  T accum = carry;\n  accum += 0;\n", 1))
    r = t.run("mine.cdl", "--spectrum", "inclusive_scan", "--types", "float", "--arch", "sm_90", "-o", "out").exits(1)
    r.says("error: it is not known which operator `scan' reduces by, so partial results cannot be combined")
    if os.path.exists(t.path("out")):
        raise Failed("a folder was written")


def test_one_after_the_other(t):
    """Two spectra in one codelet are steps, and so are two maps."""
    for name, text in ("after", AFTER), ("maps", MAPS):
        t.write(f"{name}.cdl", DECLARED + STEPS + text)
        t.run(f"{name}.cdl", "--arch", "sm_90", "--types", "float", "--keep", "6", "-o", name).exits(0)
        t.run("check", name, "--sizes", "0,1,33", "--seeds", "1").exits(0)


TWICE = """template <typename T>
__codelet __tag(serial)
T total(const Array<1, T> in) {
  T all = 0;
  for (unsigned i = 0; i < in.Size(); ++i)
    all += in[i];
  return all;
}

template <typename T>
__codelet __tag(twice)
T total(const Array<1, T> in) {
  __tunable unsigned p;
  Map m(total<T>, partition(in, p, sequence(0, 1, p), sequence(p), sequence(in.Size())));
  Map k(total<T>, partition(m, p, sequence(0, 1, p), sequence(p), sequence(p)));
  return total(k);
}
"""


def test_what_is_left_out_is_said(t):
    """Beside a codelet that serves, those that no plan has: a remark at the second map."""
    t.write("twice.cdl", TWICE)
    line = [i for i, row in enumerate(TWICE.splitlines(), 1) if "Map k" in row][-1]
    r = t.run("twice.cdl", "--arch", "sm_90", "--types", "float", "--list", "--remarks=missed").exits(0)
    r.says(f"twice.cdl:{line}:7: remark: `twice' is left out: several maps in one codelet are only composed for scans [compound]")
    for name in ("scan", "histogram", "segmented_scan"):
        r = t.run(codelets(t, name), "--arch", "sm_90", "--types", "float", "--list", "--remarks=missed").exits(0)
        r.expect("left out" not in r.err, "expected every codelet in some plan")
