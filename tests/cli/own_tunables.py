"""Tunables of a codelet's own, by names that nothing else knows: from its text to a call's configuration, and back from
the tuner's database and table."""
import json, os, re, shutil, sqlite3

from harness import Failed, Skipped, by_turns

TEXT = """// twice.cdl: y = x + x, by tiles.
template <typename T>
__codelet __tag(tiles)
void twice(const Array<1, T> x, __like(x) __mutable Array<1, T> y) {
  __tunable unsigned tile_m = 4, stages = 2;
  unsigned each = tile_m * stages;
  for (unsigned i = 0; i < x.Size(); i += each)
    for (unsigned k = 0; k < each; ++k)
      if (i + k < x.Size()) y[i + k] = x[i + k] + x[i + k];
}

template <typename T>
__codelet __tag(tiled)
void twice(const Array<1, T> x, __like(x) __mutable Array<1, T> y) {
  __tunable unsigned p;
  unsigned len = x.Size();
  unsigned tile = (len + p - 1) / p;
  Sequence start(0, tile, len);
  Sequence inc(1);
  Sequence end(tile, tile, len);
  map(twice<T>, partition(x, p, start, inc, end), partition(y, p, start, inc, end));
}
"""
MEMBERS = ["threads", "loads", "blocks", "stages", "tile_m"]


def equal(got, wanted, what):
    if got != wanted:
        raise Failed(f"{what}: {got!r}, expected {wanted!r}")


def write_folder(t, *more, arch="cpu", out="out"):
    t.write("twice.cdl", TEXT)
    t.run("twice.cdl", "--arch", arch, "--types", "float", "--keep", "2", "-o", out, *more).exits(0)
    return json.loads(t.read(f"{out}/manifest.json"))


def of_kind(v, bind):
    return {u["name"]: u for u in v["tunables"] if u["bind"] == bind}


def compilers():
    if not shutil.which("cc") or not shutil.which("c++"):
        raise Skipped("no cc and c++")


def test_the_folder(t):
    """In the manifest with their ranges, in the header's struct, as what the text is compiled for; on a GPU and a CPU."""
    for arch in ("sm_90", "avx2"):
        m = write_folder(t, arch=arch, out=arch)
        equal(m["configuration"], MEMBERS, "the members")
        for v in m["variants"]:
            own = of_kind(v, "compile")
            equal((own["tile_m"]["default"], own["tile_m"]["values"]), (4, [1, 2, 4, 8, 16, 32]), "tile_m")
            equal((own["stages"]["default"], own["stages"]["values"]), (2, [1, 2, 4, 8, 16]), "stages")
            text = t.read(f"{arch}/{v['file']}")
            values = ", ".join(str(u["default"]) for u in own.values())
            if f"#define {v['configurations_macro']}(C) C({values})\n" not in text:
                raise Failed(f"{v['id']} is not compiled for its own configuration, C({values})")
            told = t.run("explain", v["id"], arch).exits(0).out
            if "tile_m = 4, compiled" not in told:
                raise Failed(f"explain does not tell of tile_m:\n{told}")
        for row in m["dispatch"]:
            equal([row[name] for name in MEMBERS], [0] * len(MEMBERS), "a row's configuration")
        header = t.read(f"{arch}/twice.h")
        if "  int threads, loads;\n  int64_t blocks;\n  int stages, tile_m;\n} twice_configuration;" not in header:
            raise Failed(f"the header's struct:\n{header}")


def test_without_them(t):
    """Who has none has the struct that there was, and no list of members."""
    t.run(t.source("codelets", "vadd.cdl"), "--arch", "avx2", "--types", "float", "--keep", "2", "-o", "out").exits(0)
    if "configuration" in json.loads(t.read("out/manifest.json")):
        raise Failed("vadd's manifest lists members")
    if "  int64_t blocks;\n} vadd_configuration;" not in t.read("out/vadd.h"):
        raise Failed("vadd's struct has other members")


def test_what_is_refused(t):
    taken = "a name that generated code uses"
    for what, said in (("stages = 0", "from 1 to 1024"), ("stages = 1025", "from 1 to 1024"),
                       ("threads = 2", taken), ("count = 2", taken)):
        t.write("bad.cdl", TEXT.replace("stages = 2", what).replace("* stages", "* " + what.split()[0]))
        t.refuses(1, "bad.cdl", "--arch", "sm_90", "-o", "out").says(said)
    t.write("bad.cdl", TEXT.replace("stages = 2", "stages"))
    t.refuses(1, "bad.cdl", "--arch", "sm_90", "-o", "out").says("has no value, and is no number of parts")
    other = TEXT.replace("__tag(tiles)", "__tag(others)").replace("stages = 2", "stages = 4").split("// twice.cdl")[1]
    t.write("bad.cdl", TEXT + "//" + other.split("template <typename T>\n__codelet __tag(tiled)")[0])
    t.refuses(1, "bad.cdl", "--arch", "sm_90", "-o", "out").says("has another value, or type, in an earlier codelet")


def test_a_table(t):
    """A table names them behind the usual ones; the variants are compiled for what it says."""
    m = write_folder(t, arch="sm_90")
    ids = [v["id"] for v in reversed(m["variants"])]
    t.write("mine.table", f"float 64 {ids[0]} 0 0 0 tile_m=8 # small\nfloat inf {ids[-1]} 0 0 0 stages=1 tile_m=16\n")
    m = write_folder(t, "--table", "mine.table", arch="sm_90")
    equal([[row[name] for name in MEMBERS] for row in m["dispatch"]], [[0, 0, 0, 0, 8], [0, 0, 0, 1, 16]],
          "the dispatch")
    rows = [line.split("#")[0].split()[3:] for line in t.read("out/twice.table").splitlines() if not line.startswith("#")]
    equal(rows, [["0", "0", "0", "tile_m=8"], ["0", "0", "0", "stages=1", "tile_m=16"]], "the table that is written")
    last = next(v for v in m["variants"] if v["id"] == ids[-1])
    lanes = of_kind(last, "compile")["threads"]["default"]
    if f"C({lanes}, 4, 2) C({lanes}, 16, 1)" not in t.read("out/" + last["file"]):
        raise Failed("the variant is not compiled for what the table says")
    if not re.search(r"twice_" + ids[0] + r"_float, \{ +0, +0, +0, 0, 8\}\}", t.read("out/twice.cu")):
        raise Failed("the library's ranges do not say what the table says")
    t.write("mine.table", f"float inf {ids[0]} 0 0 0 tile_m=3\n")
    t.run("twice.cdl", "--arch", "sm_90", "--types", "float", "--keep", "2", "--table", "mine.table", "-o", "out",
          "--remarks=all").says("`tile_m' of variant", "is 1, 2, 4, 8, 16 or 32, not 3")
    shipped = t.run("ship", "out", "-o", "shipped").exits(0)
    if not os.path.exists(t.path("shipped/twice.h")):
        shipped.fail("nothing was shipped")


CALLS = r"""
#include "twice.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
static int works(const twice_variant *v, const twice_configuration *c) {
  static float x[1000], y[1000];
  char workspace[4096];
  size_t bytes = sizeof workspace;
  for (int i = 0; i < 1000; i++) x[i] = i, y[i] = 0;
  const int error = v->run_float(c, workspace, &bytes, x, 1000, y);
  if (error) return error;
  for (int i = 0; i < 1000; i++)
    if (y[i] != 2 * x[i]) return -1;
  return 0;
}
int main(void) {
  const twice_variant *v = twice_variants;
  for (int i = 0; v->configurations[i].threads; i++)
    printf("%d/%d %d\n", v->configurations[i].tile_m, v->configurations[i].stages, works(v, &v->configurations[i]));
  const twice_configuration of_tile = {.tile_m = 16}, of_both = {.tile_m = 16, .stages = 1}, none = {.tile_m = 2};
  printf("%d %d %d\n", works(v, &of_tile), works(v, &of_both), works(v, &none) == ENOTSUP);
  static float x[4], y[4];
  char workspace[4096];
  size_t bytes = sizeof workspace;
  printf("%d\n", twice_float(workspace, &bytes, x, 4, y) == ENOTSUP);
  return 0;
}
"""


def called(t, **environment):
    return t.shell("./calls", **{**os.environ, **environment}).exits(0).out.split("\n")


def test_calls(t):
    """A call's configuration picks among those that were compiled, by its members; so do the environment and tables."""
    compilers()
    m = write_folder(t)
    first = m["variants"][0]
    lanes = of_kind(first, "compile")["threads"]["default"]
    t.write("calls.c", CALLS)
    t.shell(f"cc -std=gnu11 -O1 -march=native -fopenmp -Iout '-D{first['configurations_macro']}(C)=C({lanes}, 4, 2) C({lanes}, 16, 2) "
            f"C({lanes}, 16, 1)' calls.c out/twice.c out/variants/*.c -lm -o calls").exits(0)
    ran = ["4/2 0", "16/2 0", "16/1 0", "0 0 1"]
    equal(called(t)[:4], ran, "the configurations")
    for set_to, refused in (("tile_m=16", "0"), ("stages=1:tile_m=16", "0"), ("tile_m=2", "1"), ("stages=3", "1"),
                            ("tile_n=2", "1"), ("tile_m", "1")):
        for between in (":", ":0:", ":0:0:0:"):
            equal(called(t, TGC_VARIANT=first["id"] + between + set_to)[4], refused, f"a call with {between}{set_to}")
    for set_to, refused in (("", "0"), ("tile_m=16 stages=1", "0"), ("tile_m=8", "1"), ("5", "1"),
                            ("tile_m=16 x", "1")):
        t.write("mine.table", f"float inf {first['id']} 0 0 0 {set_to} # mine\n")
        equal(called(t, TGC_TABLE="mine.table")[4], refused, f"a call by a table with `{set_to}'")


@by_turns(4.5)
def test_check(t):
    compilers()
    write_folder(t)
    t.run("check", "out", "--sizes", "0,1,33,1025,40009", "--seeds", "1", timeout=600).exits(0)


@by_turns(5.5)
def test_tuning(t):
    """Other values are tried and measured; a row of the database and one of the table say which."""
    compilers()
    m = write_folder(t)
    r = t.run("tune", "out", "--sizes", "2^12", timeout=600).exits(0)
    db = sqlite3.connect(t.path("out/tune.db"))
    measured = {text for text, in db.execute("SELECT DISTINCT configuration FROM measurement")}
    db.close()
    said = [dict(one.split("=") for one in text.split()) for text in measured]
    for name, least in (("tile_m", 3), ("stages", 3)):
        if len({one.get(name) for one in said}) < least:
            raise Failed(f"too few values of {name} were measured: {sorted(measured)}")
    rows = [line.split("#")[0].split() for line in t.read("out/twice.table").splitlines() if not line.startswith("#")]
    tuned = json.loads(t.read("out/manifest.json"))
    for row, dispatch in zip(rows, tuned["dispatch"]):
        own = dict(one.split("=") for one in row[6:])
        equal({n: int(v) for n, v in own.items()}, {n: dispatch[n] for n in MEMBERS[3:] if dispatch[n]},
              "what the dispatch says")
        equal(sorted(own), ["stages", "tile_m"], "what the table says")
        text = t.read("out/variants/" + row[2] + ".c")
        if f"{own['tile_m']}, {own['stages']})" not in re.search(r"_CONFIGURATIONS\(C\) (.*)", text)[1]:
            raise Failed(f"{row[2]} is not compiled for {own}")
    again = t.run("tune", "out", "--sizes", "2^12", timeout=600).exits(0)
    again.expect("tgc tune: 0 measured" in again.err, "expected that nothing is measured twice")
    equal(again.out.split("\n", 1)[1], r.out.split("\n", 1)[1], "the table")
    t.run("twice.cdl", "--arch", "cpu", "--types", "float", "--keep", "2", "--table", "out/twice.table", "-o",
          "again").exits(0)
    taken = json.loads(t.read("again/manifest.json"))["dispatch"]
    if any(v["id"] in {row[2] for row in rows} for v in m["variants"]):
        equal([[d[n] for n in MEMBERS] for d in taken], [[d[n] for n in MEMBERS] for d in tuned["dispatch"]],
              "the table, taken")
