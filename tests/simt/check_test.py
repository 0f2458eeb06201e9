#!/usr/bin/env python3
"""check_test.py TGC: what `tgc check' says of folders whose variants are right, wrong, or worse; its exit status."""
import glob
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # the source folder stays as it is
import mutants  # noqa: E402
from drawn import by_turns, in_their_turn  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
complaints = []


def tgc_check(tgc, *arguments, **environment):
    done = subprocess.run([tgc, "check", *arguments], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=dict(os.environ, **environment), timeout=250)
    return done.returncode, done.stdout, done.stderr


def expect(what, condition, *shown):
    if not condition:
        complaints.append(what)
        print("FAILED:", what, *shown, sep="\n")


def variant(name, old, new):
    """The ticketed kernel, something in it replaced, under another name."""
    text = open(f"{HERE}/kernels/ticketed.cu").read()
    assert old in text, old
    text = text.replace(old, new).replace("sum_ticketed", f"sum_{name}")
    return name, text, {"int": f"sum_{name}_int"}


def make(folder, variants):
    mutants.write(folder, "sum", "sm_60", "add", variants)
    os.mkdir(f"{folder}/check")
    open(f"{folder}/check/reference.cc", "w").write(mutants.REFERENCE)
    return folder


def one_bad_variant_each(tgc, base):
    loop = "value += in[i];\n"
    folder = make(f"{base}/bad", [
        variant("right", "lane", "lane"),
        variant("wrong", loop, "value += 2 * in[i];\n"),
        variant("compile", loop, "value += inn[i];\n"),
        variant("crash", loop, "value += in[i] + *(volatile int *)(size_t)0xdead00000000;\n"),
        variant("timeout", loop, "for (volatile int k = 1; k;) value += 0;\n"),
        variant("bounds", loop, "value += in[i + 1];\n"),
        variant("error", "if (error != cudaSuccess) return error;", "return cudaErrorInvalidConfiguration;"),
        variant("contract", "if (*bytes < (blocks + 1) * sizeof(int)) return cudaErrorInvalidValue;", ""),
        variant("again", "last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;",
                "last = (atomicAdd(ticket, 1) + 1) % (gridDim.x + (n == 1 ? 0 : 1)) == 0;"),
    ])
    status, out, err = tgc_check(tgc, folder, "--sizes", "0,1,33,1025", "--timeout", "2", "--all")
    expect("status 1 when variants fail", status == 1, out, err)
    for name, kind in dict(wrong="wrong", compile="compile", crash="crash", timeout="timeout",
                           bounds="bounds", error="error",
                           contract="contract").items():
        expect(f"{name} is reported as {kind}", re.search(rf"^{name}: {kind}\b", out, re.M), out)
    expect("nothing is said of the right one", not re.search(r"^right:", out, re.M), out)
    expect("two values are shown", re.search(r"got -?\d+, want -?\d+", out), out)
    expect("the compiler's own words are shown", "inn" in out, out)
    expect("the table counts", re.search(r"^mutant +9 +\d+ +8$", out, re.M), out)
    status, out, err = tgc_check(tgc, folder, "--variant", "right")
    expect("one variant alone passes", status == 0 and "1 of 1" in out, out, err)
    status, out, err = tgc_check(tgc, folder, "--variant", "right", "--plain", "--sizes", "33")
    expect("without hooks it passes too", status == 0, out, err)
    status, out, err = tgc_check(tgc, folder, "--variant", "rigth")
    expect("an unknown variant names the nearest", status == 1 and "right" in err, out, err)
    return folder


@by_turns(4)
def broken_promises(tgc, base):
    """Atomics of floats, said to give the same bits in every run; and a ticket, which does."""
    folder = f"{base}/promises"
    subprocess.run([tgc, f"{HERE}/../../codelets/sum.cdl", "--arch", "sm_60", "--types", "float", "-o", folder],
                   check=True, stdout=subprocess.PIPE)
    with open(f"{folder}/manifest.json") as f:
        manifest = json.load(f)
    atomic = next(v for v in manifest["variants"] if v["plan"].startswith("grid.tiled!atomic"))
    ticket = next(v for v in manifest["variants"] if v["plan"].startswith("grid.tiled!ticket") and
                  v["determinism"] == "run_to_run")
    arguments = (folder, "--sizes", "200000", "--seeds", "2")
    for variant in (atomic, ticket):
        status, out, err = tgc_check(tgc, *arguments, "--variant", variant["id"])
        expect(f"{variant['id']} keeps its promise", status == 0, out, err)
    atomic["determinism"] = "run_to_run"
    with open(f"{folder}/manifest.json", "w") as f:
        json.dump(manifest, f)
    status, out, err = tgc_check(tgc, *arguments, "--variant", atomic["id"])
    expect("a broken promise is reported", status == 1 and f"{atomic['id']}: order, float" in out, out, err)


@by_turns(8)
def places_are_held(tgc, base):
    """Of what is written by place: a place twice under __accum(Once), one outside, one that races; on GPUs and CPUs."""
    right = """template <typename T>
__codelet __tag(serial)
void scatter(const Array<1, T> x, __like(x) const Array<1, int> at, __accum(Once) Array<1, T> y) {
  for (unsigned i = 0; i < x.Size(); ++i)
    y[at[i]] = x[i];
}
template <typename T>
__codelet __tag(strided)
void scatter(const Array<1, T> x, __like(x) const Array<1, int> at, __accum(Once) Array<1, T> y) {
  __tunable unsigned p;
  Cut i = cut(p, sequence(0, 1, p), sequence(p), sequence(x.Size()));
  map(scatter<T>, partition(x, i), partition(at, i), y);
}
"""
    for name, text, says in (
            ("right", right, None),
            ("twice", right.replace("y[at[i]]", "y[at[i] / 2]"), "`y' is __accum(Once), and place "),
            ("shifted", right.replace("y[at[i]]", "y[at[i] + 1]"), None),
            ("from_1", right.replace("y[at[i]]", "y[at[i] - 1]"), None),
            ("pairs", right.replace("y[at[i]] = x[i];", "{ y[2 * at[i]] = x[i]; y[2 * at[i] + 1] = x[i] + 1; }"), None),
            ("outside", right.replace("y[at[i]]", "y[at[i] + i + 1 - i]"), "position 33 of 33, at scatter_outside.cdl:5"),
            ("negative", right.replace("y[at[i]]", "y[at[i] + i - 1 - i]"), "position -1 of 33, at scatter_negative.cdl:5")):
        with open(f"{base}/scatter_{name}.cdl", "w", encoding="utf-8") as f:
            f.write(text)
        for arch in ("sm_80", "cpu"):
            folder = f"{base}/scatter_{name}_{arch}"
            subprocess.run([tgc, f"{base}/scatter_{name}.cdl", "--spectrum", "scatter", "--arch", arch, "--types", "int",
                            "--keep", "2", "-o", folder], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            status, out, err = tgc_check(tgc, folder, "--sizes", "33", "--seeds", "1", "--plain")
            expect(f"scatter, {name}, {arch}", status == (says is not None) and (not says or says in out), out, err)


@by_turns(4)
def other_configurations(tgc, base):
    """A kernel that is wrong with 64 lanes alone, which are compiled beside its own number, as the second or the third."""
    for others, seeds in ("C(64, \\2)", "1"), ("C(96, \\2) C(64, \\2)", "8"):
        folder = f"{base}/configured{seeds}"
        subprocess.run([tgc, f"{HERE}/../../codelets/sum.cdl", "--arch", "sm_60", "--types", "int", "-o", folder],
                       check=True, stdout=subprocess.PIPE)
        for one in json.load(open(f"{folder}/manifest.json"))["variants"]:
            text = open(f"{folder}/{one['file']}").read()
            macro = re.search(r"(CONFIGURATIONS\(C\)) C\((?:128|256|512), (\d+)\)$", text, re.M)
            if macro:
                break
        text = text.replace(macro.group(), macro.expand(f"{macro.group()} {others}"))
        for wrong in False, True:
            if wrong:
                text, kernels = re.subn(r"(__global__ [^{;]*\{\n)", r"\1  if (blockDim.x == 64) return;\n", text)
                expect("it has a kernel", kernels > 0)
            open(f"{folder}/{one['file']}", "w").write(text)
            status, out, err = tgc_check(tgc, folder, "--variant", one["id"], "--sizes", "1025", "--seeds", seeds,
                                         "--no-codelets")
            expect("a fault in another configuration shows", status == wrong and
                   wrong == bool(re.search(r" of configuration 64, ", out)), others, out, err)


WRONG_AT_TIMES = """
template <typename T> __codelet __tag(serial) T best(const Array<1, T> in) {
  T most = lowest<T>();
  for (unsigned i = 0; i < in.Size(); ++i) most = max(most, in[i]);
  return most;
}
template <typename T> __codelet __tag(takes_nan) T best(const Array<1, T> in) {
  T most = lowest<T>();
  for (unsigned i = 0; i < in.Size(); ++i) most = in[i] != in[i] ? in[i] : max(most, in[i]);
  return most;
}
template <typename T> __codelet __tag(keeps_zero) T best(const Array<1, T> in) {
  T most = lowest<T>();
  for (unsigned i = 0; i < in.Size(); ++i) most = in[i] > most ? in[i] : most;
  return most;
}
template <typename T> __codelet __tag(one_size) T best(const Array<1, T> in) {
  T most = lowest<T>();
  for (unsigned i = 0; i < in.Size(); ++i) most = max(most, in[i]);
  return in.Size() == 517 ? most + 1 : most;
}
template <typename T> __codelet __tag(past_a_size) T best(const Array<1, T> in) {
  T most = lowest<T>();
  for (unsigned i = 0; i < in.Size(); ++i)
    most = i == 516 ? most + 1 : max(most, in[i]);
  return most;
}
"""


@by_turns(7)
def wrong_at_times(tgc, base):
    """What is wrong for NaN, for a zero's sign, for one size alone is found without options; by the seed told, again."""
    with open(f"{base}/best.cdl", "w") as f:
        f.write(WRONG_AT_TIMES)
    folder = f"{base}/best"
    made = subprocess.run([tgc, f"{base}/best.cdl", "--arch", "sm_60", "--types", "float", "--keep", "1", "-o", folder],
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    expect("codelets that are wrong at times compile", made.returncode == 0, made.stdout)
    status, out, err = tgc_check(tgc, folder)
    for name in ("takes_nan", "keeps_zero", "one_size", "past_a_size"):
        expect(f"{name} is found", re.search(rf"codelet {name} of best, by itself: wrong, float, n = ", out), out, err)
    expect("one size alone is told", re.search(r"one_size .* n = 517,", out), out)
    expect("the variants pass", status == 1 and re.search(r"^(\d+) of \1 variants", out, re.M), out, err)
    folder = f"{base}/border"
    subprocess.run([tgc, f"{HERE}/../../codelets/sum.cdl", "--arch", "sm_60", "--types", "float", "--keep", "1", "-o",
                    folder], check=True, stdout=subprocess.PIPE)
    variant = f"{folder}/variants/" + os.listdir(f"{folder}/variants")[0]
    text = open(variant).read()
    head = re.search(r"extern \"C\" cudaError_t \w+\([^{]*\{\n", text)
    # one tile and one element: what it misses depends on the element's type and on how many are loaded at once
    tunables = json.load(open(f"{folder}/manifest.json"))["variants"][0]["tunables"]
    size = {t["name"]: t["default"] for t in tunables}
    tile = size["threads"] * size.get("loads", 1) * 4
    with open(variant, "w") as f:
        f.write(text[:head.end()] + f"  if (n == {tile + 1}) n = {tile};\n" + text[head.end():])
    status, out, err = tgc_check(tgc, folder, "--no-codelets")
    expect("one past a tile alone is found", status == 1 and f"n = {tile + 1}, " in out, out, err)
    seed = re.search(r"^random sizes: repeat them with --seed (\d+)$", out, re.M)
    expect("the seed is told", seed, out)
    runs = r"^all +\d+ +(\d+) "
    again = [tgc_check(tgc, folder, "--no-codelets", "--plain", "--seed", seed.group(1))[1] for _ in range(2)]
    expect("a seed draws the same again", len({re.search(runs, x, re.M).group(1) for x in again}) == 1, *again)


def misuse(tgc, folder, base):
    for arguments, word in [(["--sezes", "1", folder], "--sizes"),
                            ([folder, folder], "too many arguments"),
                            ([folder, "--sizes", "1,,2"], "--sizes"), ([folder, "--jobs", "0"], "--jobs"),
                            ([folder, "--seeds"], "needs a value"), 
                            ([folder, "--device", "--compile"], "two different")]:
        status, out, err = tgc_check(tgc, *arguments)
        expect(f"misuse: {arguments[:-1]}", status == 2 and word in err and not out, status, out, err)
    status, out, err = tgc_check(tgc, f"{base}/nowhere")
    expect("a missing folder is an error", status == 1 and "nowhere" in err, status, err)
    status, out, err = tgc_check(tgc, folder, TGC_CXX="/nonexistent/c++")
    expect("a missing compiler is an error", status == 1 and "TGC_CXX" in err, status, err)
    status, out, err = tgc_check(tgc, folder, "--device", TGC_NVCC="/nonexistent/nvcc")
    expect("no nvcc, no device", status == 1 and "no device" in err, status, err)
    manifest = json.load(open(f"{folder}/manifest.json"))
    manifest["variants"][0]["functions"] = {"int": "system(\"true\")"}
    json.dump(manifest, open(f"{folder}/manifest.json", "w"))
    status, out, err = tgc_check(tgc, folder)
    expect("a name that is no name is refused", status == 1 and "invalid function" in err, status, err)


@by_turns(4)
def compiles(tgc, base):
    folder = make(f"{base}/compile", [variant("right", "lane", "lane"), variant("bad", "atomicInc", "atomicInk")])
    status, out, err = tgc_check(tgc, folder, "--compile", "--all", TGC_NVCC="/nonexistent/nvcc")
    expect("--compile tells the bad one", status == 1 and re.search(r"^bad: compile$", out, re.M) and
           "sm_90" in out, out, err)
    expect("--compile says nothing of the right one", not re.search(r"^right:", out, re.M), out)


def leaves_nothing(tgc, base):
    """Interrupted or not, the temporary folder goes."""
    temporary = f"{base}/tmp"
    os.mkdir(temporary)
    folder = make(f"{base}/interrupted", [variant("right", "lane", "lane")])
    tgc_check(tgc, folder, "--sizes", "1", TMPDIR=temporary)
    expect("the temporary folder is removed", os.listdir(temporary) == [], os.listdir(temporary))
    running = subprocess.Popen([tgc, "check", folder, "--seeds", "5000"], env=dict(os.environ, TMPDIR=temporary),
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(1.5)
    running.send_signal(signal.SIGINT)
    expect("an interrupt ends it with 130", running.wait(20) == 130, running.returncode)
    expect("and the folder is removed then too", os.listdir(temporary) == [], os.listdir(temporary))


@by_turns(7)
def keeps_what_is_the_same(tgc, base):
    """With ccache a second check compiles nothing of tgc's own, nor the same sequential codelets and tables, whatever
    the folder's name; one whose folder cannot be written is no obstacle. Of a CPU's folder: the executor, which has
    none, takes longest to compile."""
    folder = f"{base}/cached"
    subprocess.run([tgc, f"{HERE}/../../codelets/sum.cdl", "--arch", "avx2", "--types", "int", "--keep", "1", "-o",
                    folder],
                   check=True, stdout=subprocess.PIPE)
    again = shutil.copytree(folder, f"{base}/cached-again")
    for one in folder, again:
        status, out, err = tgc_check(tgc, one, "--plain", "--sizes", "1", "--seeds", "1", CCACHE_STATSLOG=f"{one}.log")
        expect("a check with a cache passes", status == 0, out, err)
    with open(f"{again}.log", encoding="utf-8") as f:
        told = f.read()
    expect("the second compiles nothing again", "miss" not in told and told.count("direct_cache_hit") >= 12, told)
    expect("headers that execute codelets are an object", not shutil.which("clang++-19") or "witness/entry.h\n" in told,
           told)
    with open(f"{again}/check/language.h", "a", encoding="utf-8") as f:
        f.write("#error of the folder's own\n")
    status, out, err = tgc_check(tgc, again, "--plain", "--sizes", "1", "--seeds", "1")
    expect("but they are not taken for a folder's own", status == 1 and "of the folder's own" in err, out, err)
    # The compiler's own cache is not what is tested.
    with open(f"{base}/cached-c++", "w", encoding="utf-8") as f:
        f.write("#!/bin/sh\nunset CCACHE_DIR\nexport ${CCACHE_OWN:+CCACHE_DIR=$CCACHE_OWN} CCACHE_DEPEND=1\n"
                f"echo >> {base}/calls\ncase \" $* \" in *' -c '*) exec ccache g++ \"$@\" -MD;; esac\nexec g++ \"$@\"\n")
    os.chmod(f"{base}/cached-c++", 0o755)
    status, out, err = tgc_check(tgc, folder, "--no-codelets", "--plain", "--sizes", "1", "--seeds", "1",
                                 TGC_CXX=f"{base}/cached-c++", TGC_CC="gcc", CCACHE_DIR="/proc/cache",
                                 CCACHE_OWN=os.environ.get("CCACHE_DIR", ""))
    expect("a check without a cache passes", status == 0, out, err)
    expect("it calls the compiler", os.path.getsize(f"{base}/calls") >= 9, out, err)


ENDLESS = """__codelet __tag(serial)
void halve(__mutable Array<1, int> y) {
  for (unsigned i = 0; i < y.Size(); ++i) y[i] /= 2;
}
__codelet __tag(steps)
void ever(__mutable Array<1, int> y) {
  Array<1, int> one(1);
  halve(one);
  while (one[0] < 1) {
    halve(y);
    halve(one);
  }
}
"""
CALLS = """#include <errno.h>
#include <stddef.h>
#include <stdint.h>
int ever_ID_int(const void *c, void *workspace, size_t *bytes, int *y, uint64_t n);
int main(void) {
  static double workspace[512];
  size_t bytes = sizeof workspace;
  int y[3] = {1, 2, 3};
  return ever_ID_int(NULL, workspace, &bytes, y, 3) != ETIMEDOUT;
}
"""


@by_turns(6)
def loops_that_never_end(tgc, base):
    """The check says which; a call gives up."""
    with open(f"{base}/ever.cdl", "w", encoding="utf-8") as f:
        f.write(ENDLESS)
    for arch in "sm_60", "avx2":
        subprocess.run([tgc, f"{base}/ever.cdl", "--spectrum", "ever", "--arch", arch, "--types", "int", "--keep", "1", "-o",
                        f"{base}/ever_{arch}"], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    status, out, err = tgc_check(tgc, f"{base}/ever_sm_60", "--sizes", "33", "--seeds", "1", "--no-codelets")
    expect("a loop that never ends is located", status == 1 and "ever.cdl:9: this loop does not end" in out + err, out, err)
    with open(f"{base}/stays.cdl", "w", encoding="utf-8") as f:
        f.write("__codelet\nvoid stays(__mutable Array<1, int> y) {\n  for (unsigned i = 0; i < y.Size(); ++i)\n"
                "    for (int k = 0; k >= 0; k = k) y[i] = y[i] + 1;\n}\n")
    for arch in "sm_60", "avx2":  # one that no condition alone ends
        subprocess.run([tgc, f"{base}/stays.cdl", "--arch", arch, "--keep", "1", "-o", f"{base}/stays_{arch}"], check=True,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        status, out, err = tgc_check(tgc, f"{base}/stays_{arch}", "--sizes", "33", "--seeds", "1", "--no-codelets", "--plain",
                                     "--timeout", "3")
        expect("a run of the sequential codelet has a deadline", status == 1 and ": timeout, int, n = 33" in out and
               "the sequential codelet: no end in sight, at stays.cdl:4" in out, out, err)
    text, = glob.glob(f"{base}/ever_avx2/variants/*.c")
    with open(f"{base}/calls.c", "w", encoding="utf-8") as f:
        f.write(CALLS.replace("ID", os.path.basename(text)[:-2]))
    subprocess.run(["gcc", "-mavx2", "-fopenmp", "-DTGC_MOST_TURNS=100", f"{base}/calls.c", text, "-o", f"{base}/calls_ever"],
                   check=True)
    expect("a call gives up", subprocess.run([f"{base}/calls_ever"]).returncode == 0)


DOWN = """#include "common/sum_steps.cdl"
template <typename T>
__codelet
T less(T x) {
  return x - 1;
}

template <typename T>
__codelet
T five(long i) {
  return 5;
}

template <typename T>
__codelet
T down(const Array<1, T> x, __like(x) __mutable Array<1, T> y) {
  Array<1, T> turns(1);
  Map begin(five<T>, iota(0l, 1));
  begin.to(turns);
  Map first(less<T>, x);
  first.to(y);
  while (turns[0] > 0) {
    Map m(less<T>, y);
    m.to(y);
    Map one(less<T>, turns);
    one.to(turns);
  }
  return sum(y);
}
"""


@by_turns(12)
def loops_in_a_kernel_end(tgc, base):
    """A kernel that does all of a loop, of one block or of a grid that stays, gives up, or does not say that it ended: the
    call returns an error."""
    with open(f"{base}/down.cdl", "w", encoding="utf-8") as f:
        f.write(DOWN)
    for form, name, old, new in [(form, *cut) for form in ("!one_block=", "!persistent=") for cut in (
            ("as it is", "", ""), ("short", "TGC_MOST_TURNS 2147483648LL", "TGC_MOST_TURNS 5"), ("silent", "left[0] = 1;", ";"))]:
        folder = f"{base}/{form[1:4]}_{name.split()[0]}"
        subprocess.run([tgc, f"{base}/down.cdl", "--spectrum", "down", "--arch", "sm_90", "--types", "int", "--keep", "12", "-o",
                        folder], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for path in glob.glob(f"{folder}/variants/*.cu"):
            with open(path, encoding="utf-8") as f:
                text = f.read()
            if form in text:
                assert old in text, old
                with open(path, "w", encoding="utf-8") as f:
                    f.write(text.replace(old, new))
                break
        else:
            expect(f"a variant is {form[:-1]}", False)
        status, out, err = tgc_check(tgc, folder, "--variant", os.path.basename(path)[:-3], "--sizes", "33", "--seeds", "1",
                                     "--no-codelets")
        wrong = status == 1 and "cudaErrorLaunchTimeout" in out
        expect(f"a loop in a kernel, {form[:-1]}, {name}", status == 0 if not old else wrong, out, err)


@by_turns(9)
def loops_go_no_further(tgc, base):
    """Kernels behind the end of a loop that do what those before it did, or a decision that is not made, are noticed."""
    for name, old, new in (("further", "  if (left[0] != 0)\n    return;\n", ""), ("never", "left[0] = done;", "left[0] = 0;")):
        folder = f"{base}/{name}"
        subprocess.run([tgc, f"{HERE}/codelets/leaving.cdl", "--arch", "sm_90", "--types", "int", "--keep", "1", "-o", folder],
                       check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        path, = glob.glob(f"{folder}/variants/*.cu")
        with open(path, encoding="utf-8") as f:
            text = f.read()
        assert old in text, old
        with open(path, "w", encoding="utf-8") as f:
            f.write(text.replace(old, new))
        status, out, err = tgc_check(tgc, folder, "--sizes", "33,257", "--seeds", "1", "--no-codelets", "--timeout", "9")
        expect(f"a loop that goes {name} is noticed", status == 1, out, err)


NATIVE = """inline int twice(int x) { return x + x; }
__codelet __tag(serial) void f(const Array<1, int> in, __like(in) __mutable Array<1, int> out) {
  for (unsigned i = 0; i < in.Size(); ++i) out[i] = 2 * in[i];
}
__codelet __env(FEATURE, sm_60) __tag(fast) void f(const Array<1, int> in, __like(in) __mutable Array<1, int> out) {
  for (unsigned i = 0; i < in.Size(); ++i) out[i] = twice(in[i]);
}
"""


PLACES = '''#include "reduce.cdl"
template <typename T>
__codelet
long place_in(const Array<1, T> x) {
  return reduce<ArgMax, T>(x).place;
}
template <typename T>
__codelet __tag(each)
void places(const Array<1, T> x, const Array<1, int> offsets, __shape(offsets.Size() - 1) __mutable Array<1, long> y) {
  unsigned n = y.Size();
  Map m(place_in<T>, partition(x, n, sequence(offsets, 0, 1, n), sequence(1), sequence(offsets, 1, 1, n + 1)));
  m.to(y);
}
'''


def functions_of_the_compilers(tgc, base):
    """Codelets with functions that the C compiler reads are compared with the plain one; where the machine lacks what they
    are for they are skipped, not passed."""
    feature = "avx2" if platform.machine() == "x86_64" else "neon"
    for name, text, words in (("right", NATIVE, "1 of 1 variants of f passed"),
                              ("wrong", NATIVE.replace("x + x", "x + x + 1"), "0 of 1 variants of f passed")):
        with open(f"{base}/{name}.cdl", "w", encoding="utf-8") as f:
            f.write(text.replace("FEATURE", feature))
        for arch in (feature, "sm_60"):
            folder = f"{base}/{name}_{arch}"
            listed = subprocess.run([tgc, f"{base}/{name}.cdl", "--arch", arch, "-o", folder], text=True, capture_output=True)
            expect(f"{name}: compiles", listed.returncode == 0, listed.stderr)
            with open(f"{folder}/manifest.json", encoding="utf-8") as f:
                manifest = json.load(f)
            fast = [v for v in manifest["variants"] if "fast" in v["plan"]]
            expect(f"{name}, {arch}: its features are said", all(v.get("features") == ([feature] if arch != "sm_60" else None)
                                                                 for v in fast), fast)
            options = ["--variant", fast[0]["id"], "--no-codelets", "--sizes", "33", "--seeds", "1"]
            status, out, err = tgc_check(tgc, folder, *options)
            expect(f"{name}, {arch}", words in out or "skipped: 1 more" in out, out, err)
    fast[0]["features"] = ["no_such"]
    manifest["family"] = "cpu"
    with open(f"{folder}/manifest.json", "w", encoding="utf-8") as f:
        json.dump(manifest, f)
    status, out, err = tgc_check(tgc, folder, *options)
    expect("skipped", status == 0 and "0 of 0 variants" in out and "skipped: 1 more variant is for machines with no_such" in out,
           out, err)


def what_lies_between_members(tgc, base):
    """The state of an operator that a codelet names is copied with what lies between its members, which nobody writes;
    members that nobody writes are found."""
    with open(f"{base}/places.cdl", "w", encoding="utf-8") as f:
        f.write(PLACES)
    folder = f"{base}/places"
    for types in ("float", "int8", "double"):
        shutil.rmtree(folder, ignore_errors=True)
        done = subprocess.run([tgc, f"{base}/places.cdl", "--spectrum", "places", "--arch", "sm_60", "--types", types, "--keep",
                               "4", "-o", folder], text=True, capture_output=True)
        expect(f"{types}: compiles", done.returncode == 0, done.stderr)
        begins = {f: open(f, encoding="utf-8").read() for f in glob.glob(f"{folder}/variants/*.cu")}
        written = "partial[thread] = Operator1<T>::id();"
        begins = {f: text for f, text in begins.items() if written in text}
        expect(f"{types}: shares states", begins)
        file, text = next(iter(begins.items()))
        name = os.path.splitext(os.path.basename(file))[0]
        options = ["--variant", name, "--no-codelets", "--sizes", "0,33", "--seeds", "1", "--orders", "1"]
        status, out, err = tgc_check(tgc, folder, *options)
        expect(f"{types}: padding is no value", status == 0 and "1 of 1 variants of places passed" in out, out, err)
        for cut, of in ((";", "both"), ("partial[thread].value = 0;", "place"), ("partial[thread].place = -1;", "value")):
            with open(file, "w", encoding="utf-8") as f:
                f.write(text.replace(written, cut))
            status, out, err = tgc_check(tgc, folder, *options)
            expect(f"{types}: {of} unwritten", status == 1 and "uninitialised: shared partial+" in out, out, err)


def main():
    tgc = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as base:
        folder = one_bad_variant_each(tgc, base)
        misuse(tgc, folder, base)
        for test in in_their_turn((wrong_at_times, broken_promises, places_are_held, other_configurations, compiles, leaves_nothing,
                                   keeps_what_is_the_same, loops_that_never_end,
                                   loops_go_no_further, loops_in_a_kernel_end, functions_of_the_compilers, what_lies_between_members), 4):
            test(tgc, base)
    print(f"{len(complaints)} complaints" if complaints else "all as expected")
    sys.exit(1 if complaints else 0)


main()
