"""The functions of a generated library beside the plain ones: sums that start from a value, sums of as many as a word
in device memory says, errors in words (tests/library/calls.cc), on the CPU's executor."""
import json, shutil

from harness import LONG, Failed, Skipped, by_turns
from tables import HOOKS, compiler


def build(t, program, out="out", name="program", shared=False):
    """A program of a folder's library, or the library itself, its kernels compiled for the executor to watch. What
    several tests have, the executor above all, is compiled once (ccache: in whichever folder)."""
    clang = compiler()
    if "clang" not in clang:
        raise Skipped("no clang++")
    simt = t.source("runtime", "simt")
    kind, link = ("-fPIC", "-shared") if shared else ("-fPIE", "-pie")
    flags = f"-std=c++17 -O1 -w -fno-strict-aliasing {kind} -gline-tables-only -I '{simt}/include' -I '{simt}' -I {out}"
    hooks = f"{HOOKS} -mllvm -tsan-instrument-atomics=0"
    once = "env CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1 ccache " if shutil.which("ccache") else ""
    t.write("one.sh", f'case $1 in *.cu) hooks="{hooks}" ;; *.o) exec cp "$1" "$2" ;; esac\n'
            f'{once}{clang} $hooks {flags} -x c++ -c "$1" -o "$2" -MD\n')
    sources = f"$(find {out} -name '*.cu')" + (f" '{simt}'/*.cc" if shared else "") + (f" '{program}'" if program else "")
    executor = "" if shared else f"'{t.source('tests', 'executor.sh')}' {name}.d '{clang}' && "
    t.shell(f"{executor}mkdir -p {name}.d; n=0; for f in {sources}; do printf '%s\\0{name}.d/%s\\0' \"$f\" $((n++)).o; done | "
            f"xargs -0 -n 2 -P 2 sh one.sh && {clang} {link} {name}.d/*.o -o {name}", timeout=600).exits(0).silent()


def calls(t, *most):
    r = t.shell("./program " + " ".join(map(str, most)), timeout=300)
    r.exits(0).expect(r.out == "0 failed\n", "expected no failure")


def each_variant(t, machine, *keep):
    """A table that has every variant serve one size: counted sums of all that there are."""
    t.run(t.sum, "--arch", machine, "--types", "int,float", "-o", "first", *keep).exits(0)
    ids = [v["id"] for v in json.loads(t.read("first/manifest.json"))["variants"]]
    t.write("all.table", "".join(f"{kind} {'inf' if i + 1 == len(ids) else 9000 + i} {id} 0 0 0\n"
                                 for kind in ("int", "float") for i, id in enumerate(ids)))
    t.run(t.sum, "--arch", machine, "--types", "int,float", "-o", "out", *keep, "--table", "all.table").exits(0)
    missing = [id for id in ids if f"namespace v{id} " not in t.read("out/sum_counted.cu")]
    if missing:
        raise Failed(f"not in sum_counted.cu: {missing}")
    build(t, t.source("tests", "library", "calls.cc"))
    calls(t, 0, 1, 33, *range(9000, 9000 + len(ids)))


@by_turns(12)
def test_calls_of_each_variant(t):
    each_variant(t, "sm_90", "--keep", "24" if LONG else "12")


@by_turns(9)
def test_calls_of_each_variant_before_volta(t):
    each_variant(t, "sm_60", "--keep", "12" if LONG else "6")
