"""Files that include files, as users meet them: what is checked, listed and named of them; and libraries whose names
are chosen, so that two of one spectrum are in one program."""
import json, os, re

from cpu_library import need_openmp
from harness import Failed, by_turns

STEPS = """// what every sum has
#include "common/sum_steps.cdl"
template <typename T>
__codelet __coop __tag(wrong)
T sum(const Array<1, T> in) {
  Vector v();
  __shared T all[in.Size()];
  all[v.ThreadId()] = v.ThreadId() < in.Size() ? in[v.ThreadId()] : 0;
  return all[0] + all[1];
}
"""
TWICE = """#include "own/steps.cdl"
template <typename T>
__codelet
T twice(const Array<1, T> in) {
  return sum(in);
}
"""


@by_turns(2)
def test_a_mistake_in_what_is_included(t):
    """The check executes it too, and tells where it is."""
    need_openmp(t)
    t.write("own/steps.cdl", STEPS)
    t.write("sums.cdl", '#include "own/steps.cdl"\n#include "sum.cdl" // what both have is one\n')
    t.run("sums.cdl", "--arch", "avx2", "--types", "int", "--keep", "1", "-o", "out").exits(0)
    r = t.run("check", "out", "--quick").exits(1)
    r.expect("steps.cdl:5" in r.out + r.err and "wrong" in r.out + r.err, "expected the codelet's place")
    r.prints("7 of 8 codelets")  # of nine, one is what the others are compared with


def test_places(t):
    """Listings, #line and explanations name the file that a codelet is in; a build tool is told of all."""
    t.write("a b/own/steps.cdl", STEPS)
    t.write("a b/twice.cdl", '#include "own/steps.cdl"\n')
    t.run("a b/twice.cdl", "--arch", "sm_60", "--types", "int", "--keep", "8", "--line", "--depfile", "out.d", "-o",
          "out").exits(0)
    m = json.loads(t.read("out/manifest.json"))
    sources = {c["source"] for v in m["variants"] for c in v["codelets"]}
    if m["source"] != "twice.cdl" or not sources <= {"steps.cdl", "sum_steps.cdl"}:
        raise Failed(f"the manifest names {m['source']}, {sources}")
    for v in m["variants"]:
        t.run("explain", v["id"], "out").exits(0).prints("sum_steps.cdl:")
        lines = set(re.findall(r'^#line \d+ "(.*)"$', t.read("out/" + v["file"]), re.M))
        if not lines <= {"a b/own/steps.cdl", t.source("codelets", "common", "sum_steps.cdl")}:
            raise Failed(f"#line names {lines}")
    shipped = t.source("codelets", "common", "sum_steps.cdl").replace(" ", "\\ ")
    if t.read("out.d") != f"out: {shipped} a\\ b/own/steps.cdl a\\ b/twice.cdl\n":
        raise Failed(f"the build tool is told {t.read('out.d')}")


def test_where_shipped_codelets_are(t):
    t.write("twice.cdl", TWICE)
    t.write("own/steps.cdl", '#include "sum.cdl"\n')
    t.write("data/codelets/sum.cdl", "template <typename T> __codelet T sum(const Array<1, T> in) { return in[0]; }\n")
    r = t.shell(f'TGC_DATA_DIR=data "{t.tgc}" rules twice.cdl').exits(0)
    r.expect("tiled" not in r.out, "expected the one codelet of that folder")
    t.shell(f'TGC_DATA_DIR=nowhere "{t.tgc}" rules twice.cdl').exits(1).says("cannot find `sum.cdl'").hints("no folder of shipped")
    witness = os.path.join(os.path.dirname(t.tgc), "tgc-witness")
    r = t.shell(f'"{witness}" twice.cdl && TGC_DATA_DIR=data "{witness}" twice.cdl | grep -c tiled').prints("sum__tiled").prints("apply_sum")
    r.expect("#include \"own" not in r.out and r.out.endswith("\n0\n"), "expected codelets alone")
    os.remove(t.path("own/steps.cdl"))
    t.shell(f'"{witness}" twice.cdl').exits(1).says("cannot find `own/steps.cdl'")


BOTH = """#include <stdio.h>
#include "by_rows.h"
#include "by_columns.h"
enum { ROWS = 3, COLUMNS = 5 };
int main(void) {
  static float a[ROWS * COLUMNS], b[ROWS * COLUMNS], x[COLUMNS], y[ROWS], z[ROWS];
  static char one[1 << 20], other[1 << 20];
  size_t bytes = sizeof one, more = sizeof other;
  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < COLUMNS; c++) a[r * COLUMNS + c] = b[c * ROWS + r] = (float)(10 * r + c);
  for (int c = 0; c < COLUMNS; c++) x[c] = (float)(c + 1);
  int error = by_rows_workspace_init(one, bytes);
  if (!error) error = by_columns_workspace_init(other, more);
  by_rows_configuration first = {0};
  by_columns_configuration second = {0};
  (void)first, (void)second;
  if (!error) error = by_rows_float(one, &bytes, a, ROWS, COLUMNS, COLUMNS, x, y);
  if (!error) error = by_columns_float(other, &more, b, ROWS, COLUMNS, ROWS, x, z);
  for (int r = 0; r < ROWS && !error; r++) printf("%d %d\\n", (int)y[r], (int)z[r]);
  return error;
}
"""


@by_turns(1.3)
def test_two_libraries_of_one_spectrum(t):
    need_openmp(t)
    for codelets, name in (("gemv", "by_rows"), ("gemv_columns", "by_columns")):
        t.run(t.source("codelets", codelets + ".cdl"), "--arch", "avx2", "--types", "float", "--keep", "3", "--name",
              name, "-o",
              name).exits(0).silent()
        t.run("diff", name, name).exits(0)
        if re.search(r"\bgemv_(float|workspace|configuration)",
                     t.read(f"{name}/{name}.h") + t.read(f"{name}/{name}.c")):
            raise Failed("a name is still the spectrum's")
        if f"add_library(tgc_{name}\n" not in t.read(f"{name}/CMakeLists.txt"):
            raise Failed("CMake's target has another name")
    t.write("both.c", BOTH)
    t.shell("gcc -std=c11 -Wall -Wextra -Werror -O1 -mavx2 -mfma -fopenmp -Iby_rows -Iby_columns both.c by_rows/*.c by_columns/*.c "
            "by_rows/variants/*.c by_columns/variants/*.c -lm -o both && ./both",
            timeout=300).exits(0).prints("40 40\n190 190\n340 340\n")
    t.run("ship", "by_rows", "-o", "release").exits(0)
    if not os.path.exists(t.path("release/by_rows.h")):
        raise Failed("the release has another name")


def test_column_major_matrices(t):
    """--by-columns says what __by_columns does: the same variants and the same table as of the text that has it."""
    said = []
    for words in ((t.source("codelets", "gemv_columns.cdl"),), (t.source("codelets", "gemv.cdl"), "--by-columns", "A")):
        m = json.loads(t.run(*words, "--arch", "sm_90", "--types", "float", "--json").exits(0).out)
        said.append((m["operands"], m["dispatch"], [(v["id"], v["plan"], v["launches"]) for v in m["variants"]]))
    if said[0] != said[1] or [o["name"] for o in said[0][0] if o["by_columns"]] != ["A"]:
        raise Failed(f"{said[0][0]}\n{said[1][0]}")
    gemm = t.source("codelets", "gemm.cdl")
    m = json.loads(t.run(gemm, "--by-columns", "B,C", "--arch", "sm_60", "--types", "float", "--keep", "2",
                         "--json").exits(0).out)
    if [o["name"] for o in m["operands"] if o["by_columns"]] != ["B", "C"]:
        raise Failed(f"{m['operands']}")
    for file, words, why in ((gemm, "D", "`gemm' has no matrix of that name\n"), (gemm, "A,,B", "no matrix"),
                             (gemm, "A,", "no matrix"),
                             (t.sum, "in", "none of its parameters is a matrix")):
        t.run(file, "--by-columns", words, "--arch", "sm_60", "--list").exits(1).says(why)


def test_names_that_cannot_be(t):
    for name, why in (("9a", "a letter, then"), ("a b", "a letter, then"), ("_a", "a letter, then"),
                      ("a-b", "a letter, then"),
                      ("a" * 61, "a letter, then"), ("../a", "a letter, then"), ("\u00e9", "a letter, then"),
                      ("", "needs a value"),
                      ("stdio", "<stdio.h>")):
        t.run(t.sum, "--arch", "sm_60", "--name", name, "--list").exits(2).says(why)


def test_several_machines_and_a_table(t):
    """Names of one machine have its name behind the library's; the shipped table is that of the spectrum."""
    t.run(t.sum, "--arch", "sm_60,sm_90", "--types", "float", "--keep", "2", "--name", "total", "-o", "out").exits(0)
    if not os.path.exists(t.path("out/total.h")) or not os.path.exists(t.path("out/sm_90/total_sm_90.cu")):
        raise Failed("files have other names")
    dispatch = []
    for words in ((), ("--name", "total")):
        r = t.run(t.sum, "--arch", "sm_90", "--types", "float", "--json", *words).exits(0)
        dispatch.append(json.loads(r.out)["dispatch"])
    if dispatch[0] != dispatch[1] or len(dispatch[0]) < 3:
        raise Failed("another table")


SEVERAL = """#include <stdio.h>
#include "blas.h"
int main(void) {
  static float a[4] = {1, 2, 3, 4}, x[2] = {1, 2}, y[2], all;
  static char one[1 << 20], other[1 << 20];
  size_t bytes = sizeof one, more = sizeof other;
  int error = dot_workspace_init(one, bytes);
  if (!error) error = gemv_workspace_init(other, more);
  if (!error) error = dot_float(one, &bytes, a, 4, a, &all);
  if (!error) error = gemv_float(other, &more, a, 2, 2, 2, x, y);
  printf("%d %d %d\\n", (int)all, (int)y[0], (int)y[1]);
  return error;
}
"""


def write_several(t, *more):
    t.write("blas.cdl", '#include "dot.cdl"\n#include "gemv.cdl"\n')
    return t.run("blas.cdl", "--types", "float", "--keep", "2", *more)


@by_turns(5)
def test_several_spectra(t):
    """One folder, one header, one target, one package; and what was of several goes where one is written."""
    need_openmp(t)
    write_several(t, "--spectrum", "dot,gemv", "--name", "blas", "--arch", "avx2", "-o", "out").exits(0).silent()
    t.write("app/app.c", SEVERAL)
    t.write("app/CMakeLists.txt", "cmake_minimum_required(VERSION 3.18)\nproject(app LANGUAGES C)\nfind_package(tgc_blas REQUIRED)\n"
            "add_executable(app app.c)\ntarget_link_libraries(app PRIVATE tgc::blas)\n")
    t.shell("cmake -S out -B build -DCMAKE_INSTALL_PREFIX=$PWD/prefix && cmake --build build -j 2 && cmake --install build && "
            "cmake -S app -B app-build -DCMAKE_PREFIX_PATH=$PWD/prefix && cmake --build app-build && app-build/app",
            timeout=300).exits(0).prints("30 5 11\n")
    t.run("diff", "out", "out").exits(0).prints("out/gemv and out/gemv are the same")
    t.run("ship", "out", "-o", "release").exits(0).silent().prints("of dot for avx2", "of gemv for avx2")
    for spectrum in ("dot", "gemv"):
        m = json.loads(t.read(f"release/{spectrum}/manifest.json"))
        kept = {row["variant"] for row in m["dispatch"]}
        if {v["id"] for v in m["variants"]} != kept or {f"{id}.c" for id in kept} != set(os.listdir(t.path(f"release/{spectrum}/variants"))):
            raise Failed(f"the release of {spectrum} has {m['variants']}")
    t.shell("cmake -S release -B rb -DCMAKE_INSTALL_PREFIX=$PWD/rp && cmake --build rb -j 2 && cmake --install rb && "
            "cmake -S app -B ra -DCMAKE_PREFIX_PATH=$PWD/rp && cmake --build ra && ra/app",
            timeout=300).exits(0).prints("30 5 11\n")
    t.write("out/mine", "mine")
    write_several(t, "--spectrum", "dot", "--arch", "avx2", "-o", "out").exits(0)
    if {f for f in os.listdir(t.path("out"))} - {"dot.c", "dot.h", "dot.table", "check", "variants", "manifest.json",
                                                 "CMakeLists.txt", "mine"}:
        raise Failed(f"the folder has {os.listdir(t.path('out'))}")


def test_several_spectra_that_cannot_be(t):
    for spectra, arch, name, status, why in (
            ("dot,", "sm_60", "b", 2, "an empty name"), ("dot,dot", "sm_60", "b", 2, "given twice"),
            ("dot,gemv", "sm_60", "dot", 1, "one of them has it"),
        ("dot,gemv", "sm_60,sm_90", "b", 2, "of one machine"),
            ("dot,no", "sm_60", "b", 1, "no spectrum `no'"), ("dot,gemv", "sm_60", None, 2, "--name")):
        write_several(t, "--spectrum", spectra, "--arch", arch, *(("--name", name) if name else ()),
                      "--list").exits(status).says(why)
    t.run("rules", "blas.cdl", "--spectrum", "dot,gemv").exits(2).says("one spectrum at a time")
