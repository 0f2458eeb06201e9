#!/usr/bin/env python3
"""Every variant is held to what it promises of the order: orders_test.py TGC [TEST..].

Twelve calls (with TGC_LONG=1 a hundred) in other orders of blocks and lanes; the same bits from what two machines'
descriptions give; and each broken promise is noticed."""
import json, os, re, shutil, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(1, os.path.dirname(HERE))
from drawn import LONG, by_turns, drawn, in_their_turn

MANY = "100" if LONG else "12"
CODELETS = {"sum": f"{HERE}/../../codelets/sum.cdl", "max": f"{HERE}/../../examples/max.cdl"}


def expect(what, ok, *shown):
    if not ok:
        sys.exit(f"orders_test: {what}\n" + "\n".join(str(s)[-3000:] for s in shown))


class Tests:
    def __init__(self, tgc, base):
        self.tgc, self.base = tgc, base

    def write(self, name, codelets, arch, *more):
        folder = f"{self.base}/{name}"
        subprocess.run([self.tgc, CODELETS[codelets], "--arch", arch, "--columns", "none", "-o", folder, *more], check=True,
                       stdout=subprocess.DEVNULL)
        with open(f"{folder}/manifest.json") as f:
            return folder, json.load(f)

    def check(self, folder, *more):
        r = subprocess.run([self.tgc, "check", folder, "--no-codelets", "--plain", *more], text=True,
                           stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE)
        return r.returncode, r.stdout, r.stderr

    def holds(self, folder, *more):
        status, out, err = self.check(folder, *more)
        expect(f"{folder} {' '.join(more)} passes", status == 0, out, err)

    def digests(self, folder, *arguments):
        """A hash of each variant's results, from the check's own programs, run by hand."""
        status, out, err = self.check(folder, "--keep-harness", "--sizes", "1", "--seeds", "1", "--orders", "1")
        expect(f"{folder} passes", status == 0, out, err)
        harness = re.search(r"the harness is in (\S+)", err)[1]
        found = {}
        for program in sorted(p for p in os.listdir(harness) if re.fullmatch(r"u\d+", p)):
            with open(f"{harness}/{program}.cc") as f:
                ids = sorted(set(re.findall(r'CHECK_CONFIGURED\("(\w+)"', f.read())))
            for variant in ids:
                out = subprocess.run([f"{harness}/{program}", variant, *arguments], text=True, check=True,
                                     stdout=subprocess.PIPE).stdout
                done = re.fullmatch(r"done (\d+) (\w{16})\n", out)
                expect(f"{variant} of {folder} passes", done and int(done[1]) > 0, out)
                found[variant] = done[2]
        shutil.rmtree(harness)
        return found


@by_turns(5)
def many_calls(t):
    folder, manifest = t.write("many", "sum", "sm_90", "--types", "float", *(() if LONG else ("--keep", "6")))
    promises = {v["determinism"] for v in manifest["variants"]}
    expect("there are both sorts", promises == {"not_guaranteed", "run_to_run"}, promises)
    t.holds(folder, "--sizes", "33,5000", "--seeds", "1", "--orders", MANY)
    folder, manifest = t.write("many-given", "sum", "sm_60", "--types", "half", "--determinism", "gpu_to_gpu",
                               "--keep", "6")
    expect("all promise it", all(v["batch_invariant"] for v in manifest["variants"]))
    t.holds(folder, "--sizes", "33,5000", "--seeds", "1", "--orders", MANY)


@by_turns(2)
def zeros_and_nans(t):
    folder, manifest = t.write("max", "max", "sm_60", "--types", "float", "--keep", "12" if LONG else "4")
    expect("a maximum is exact", {v["determinism"] for v in manifest["variants"]} == {"sequential"} and
           manifest["exact"] == ["float"], manifest["exact"])
    t.holds(folder, "--sizes", "2,33,1025", "--seeds", "3", "--orders", "4")


@by_turns(14)
def two_machines(t):
    """Results that need all blocks that a grid has: 1024 of 256 lanes."""
    sizes = ("1", "1", "60", "1025", "300007")
    more = ("--types", "float,half" if LONG else "float", "--determinism", "gpu_to_gpu", "--keep",
            "12" if LONG else "7")
    others = drawn(("sm_60", "sm_80"), 1)
    folders = {arch: t.write(f"two-{arch}", "sum", arch, *more)[0] for arch in (*others, "sm_90")}
    bits = {arch: t.digests(folder, *sizes) for arch, folder in folders.items()}
    for arch in others:
        shared = bits[arch].keys() & bits["sm_90"].keys()
        expect(f"{arch} and sm_90 share variants", len(shared) >= (6 if LONG else 4), shared)
        other = [v for v in shared if bits[arch][v] != bits["sm_90"][v]]
        expect(f"{arch} and sm_90 give the same bits", not other, other)
    shared = sorted(v for v in shared if "c->blocks : 1024" in open(f"{folders['sm_90']}/variants/{v}.cu").read())
    path = f"{folders['sm_90']}/variants/{shared[0]}.cu"
    with open(path) as f:
        text = f.read()
    with open(path, "w") as f:
        f.write(text.replace("c->blocks : 1024", "c->blocks : 448"))
    other = t.digests(folders["sm_90"], *sizes)
    expect("another number of blocks gives other bits", other[shared[0]] != bits["sm_90"][shared[0]])
    expect("in that variant alone", all(other[v] == bits["sm_90"][v] for v in other if v != shared[0]))


@by_turns(4)
def broken_promises(t):
    """A variant that is said to promise more than it does is reported, for what it does not keep."""
    cases = (("sum", "run_to_run", "gpu_to_gpu", r"order, float.*other bits at another address"),
             ("sum", "gpu_to_gpu", "sequential", r"order, float.*the sequential codelet's"))
    for number, (codelets, has, said, reported) in enumerate(cases):
        folder, manifest = t.write(f"broken{number}", codelets, "sm_60", "--types", "float", "--determinism", has,
                                   "--keep", "4")
        v = next(v for v in manifest["variants"] if v["determinism"] == has)
        arguments = ("--variant", v["id"], "--sizes", "5000", "--seeds", "2", "--all")
        t.holds(folder, *arguments)
        v["determinism"] = said
        with open(f"{folder}/manifest.json", "w") as f:
            json.dump(manifest, f)
        status, out, err = t.check(folder, *arguments)
        expect(f"{has} is no {said}", status == 1 and re.search(reported, out, re.S), out, err)


def main():
    base = tempfile.mkdtemp(prefix="tgc-orders-")
    try:
        t = Tests(os.path.abspath(sys.argv[1]), base)
        tests = (many_calls, zeros_and_nans, two_machines, broken_promises)
        wanted = [test for test in tests if test.__name__ in sys.argv[2:]]
        for test in wanted or in_their_turn(tests, 5):
            start = time.monotonic()
            test(t)
            print(f"{test.__name__}: ok, {time.monotonic() - start:.0f} s", flush=True)
    finally:
        shutil.rmtree(base, ignore_errors=True)


if __name__ == "__main__":
    main()
