"""A CPU's folder as a library in C: what is in it, what programs in C and C++ get from it, and what is refused."""
import json, os, shutil

from drawn import LONG, drawn
from harness import CHECKS, Failed, Skipped, by_turns, tree

STRICT = "-Wall -Wextra -Wpedantic -Werror"


def write(t, *options, out="out"):
    return t.run(*(options or (t.sum, "--types", "int,float", "--keep", "6")), "--arch", "avx2", "-o", out).exits(0)


def need_openmp(t):
    t.write("probe.c", "#include <omp.h>\nint main(void) { return !omp_get_max_threads(); }\n")
    if not shutil.which("gcc") or t.shell("gcc -fopenmp probe.c -o probe").status:
        raise Skipped("no gcc with OpenMP")
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        if " avx2 " not in f.read():
            raise Skipped("no AVX2")


def test_what_is_in_it(t):
    write(t).silent()
    m = json.loads(t.read("out/manifest.json"))
    files = {name for name, what in tree(t.path("out")).items() if what[0] == "file"}
    own = {v["file"] for v in m["variants"]}
    if m["family"] != "cpu" or m["machine"] != "avx2" or any(not f.endswith(".c") for f in own):
        raise Failed(f"the manifest: {m['family']}, {m['machine']}, {own}")
    if files != own | {"sum.h", "sum.c", "sum.table", "CMakeLists.txt", "manifest.json"} | CHECKS:
        raise Failed(f"the folder has {sorted(files)}")
    for name in files - CHECKS:
        if "cuda" in t.read("out/" + name).lower():
            raise Failed(f"{name} speaks of CUDA")
    write(t, t.source("codelets", "reduce.cdl"), "--operator", "ArgMax", "--types", "float", "--keep", "2", out="user")
    files = tree(t.path("user"))
    if "reduce_arg_max.cc" not in files or any(name.endswith(".c") for name in files):
        raise Failed(f"with an operator of the user's: {sorted(files)}")


def test_a_gpu_s_folder_becomes_a_cpu_s(t):
    """What the run before wrote goes, whatever language it was; other people's files stay."""
    def files(out):
        return {name for name, what in tree(t.path(out)).items() if what[0] == "file"}
    t.run(t.sum, "--arch", "sm_80", "--types", "int,float", "--keep", "2", "-o", "out").exits(0)
    gpu = files("out")
    t.write("out/sum.cc", "mine")
    write(t)
    write(t, out="alone")
    if files("out") != files("alone") | {"sum.cc"}:
        raise Failed(f"the folder has {sorted(files('out'))}")
    t.run(t.sum, "--arch", "sm_80", "--types", "int,float", "--keep", "2", "-o", "out").exits(0)
    if files("out") != gpu | {"sum.cc"}:
        raise Failed(f"and then {sorted(files('out'))}")


def test_a_quota_of_processors(t):
    """As many parts as a container's quota lets processors work, in both versions of its files; more than one where
    there is none."""
    need_openmp(t)
    processors = len(os.sched_getaffinity(0))
    if processors < 2:
        raise Skipped("one processor")
    write(t, t.sum, "--types", "float", "--keep", "12")
    tiled = next(v["id"] for v in json.loads(t.read("out/manifest.json"))["variants"]
                 if v["plan"].startswith("process.tiled("))
    t.write("parts.c", f"""#include "sum.h"
#include <stdio.h>
int sum_{tiled}_float(const sum_configuration *, void *, size_t *, const float *, uint64_t, float *);
int main(void) {{
  size_t bytes = 0;
  const int error = sum_{tiled}_float(NULL, NULL, &bytes, NULL, 1 << 30, NULL);
  printf("%d\\n", (int)(bytes - 16) / (int)sizeof(float)); /* a result of each part */
  return error;
}}
""")
    for files, parts in (({}, processors), ({"cpu.max": "max 100000"}, processors), ({"cpu.max": "100000 100000"}, 1),
                         ({"cpu.max": "110000 100000"}, 2), ({"cpu.max": "9999999 1000"}, processors),
                         ({"cpu/cpu.cfs_quota_us": "20000", "cpu/cpu.cfs_period_us": "50000"}, 1),
                         ({"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "50000"}, processors)):
        shutil.rmtree(t.path("groups"), ignore_errors=True)
        os.makedirs(t.path("groups/cpu"))
        for name, text in files.items():
            t.write(f"groups/{name}", text + "\n")
        t.shell(f"gcc -std=c11 -O1 -mavx2 -mfma -fopenmp {STRICT} -Iout '-DCGROUP=\"groups\"' parts.c "
                f"out/variants/{tiled}.c -o parts").exits(0)
        said = int(t.shell("./parts").exits(0).out)
        if said != min(parts, processors):
            raise Failed(f"{said} parts with {files}, of {processors} processors")


@by_turns(5)
def test_programs_in_c_and_cplusplus(t):
    """Built by the folder's own CMakeLists.txt, and called from both."""
    need_openmp(t)
    write(t, t.sum, "--types", "int,float", "--keep", "12")  # those of one thread among them
    program = t.source("tests", "library", "cpu_calls.c")
    shutil.copy(program, t.path("calls.c"))
    shutil.copy(program, t.path("calls.cc"))
    t.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.18)\nproject(app LANGUAGES C CXX)\n"
            "add_subdirectory(out)\nadd_executable(in_c calls.c)\nadd_executable(in_cplusplus calls.cc)\n"
            "foreach(program in_c in_cplusplus)\n  target_link_libraries(${program} PRIVATE tgc::sum m)\n"
            f"  target_compile_options(${{program}} PRIVATE {STRICT})\nendforeach()\n"
            "find_package(OpenMP REQUIRED)\ntarget_link_libraries(in_c PRIVATE OpenMP::OpenMP_C)\n"
            "target_link_libraries(in_cplusplus PRIVATE OpenMP::OpenMP_CXX)\n")
    t.shell("cmake -S . -B build >/dev/null && cmake --build build -j 2", timeout=600, CC="gcc", CXX="g++",
            CFLAGS=STRICT).exits(0).silent()
    for name in ("in_c", "in_cplusplus"):
        t.shell(f"build/{name} out/sum.table").exits(0).prints("0 failed")
    t.shell("build/in_c out/sum.table", OMP_NUM_THREADS="1").exits(0).prints("0 failed")
    ids = [v["id"] for v in json.loads(t.read("out/manifest.json"))["variants"]]
    t.shell("build/in_c one", TGC_VARIANT=ids[-1]).exits(0).prints("0 failed")
    t.shell("build/in_c one", TGC_TABLE="out/sum.table").exits(0).prints("0 failed")
    for name, value in (("TGC_VARIANT", "nosuch"), ("TGC_VARIANT", ids[0] + ":3:x"), ("TGC_TABLE", "/nowhere")):
        r = t.shell("build/in_c one", **{name: value}).exits(1)
        r.prints(f"sum_float: what {name} names is not in this library")
    t.shell("build/in_c together", OMP_NUM_THREADS="4").exits(0).prints("0 failed")


@by_turns(3)
def test_its_package(t):
    """Installed, found, and linked by a program in C, which need not know of OpenMP."""
    need_openmp(t)
    write(t)
    shutil.copy(t.source("tests", "library", "cpu_calls.c"), t.path("calls.c"))
    t.shell("cmake -S out -B b -DCMAKE_C_COMPILER=gcc >/dev/null && cmake --build b -j 2 >/dev/null && "
            "cmake --install b --prefix there >/dev/null", timeout=600).exits(0).silent()
    t.write("app/CMakeLists.txt", "cmake_minimum_required(VERSION 3.18)\nproject(app LANGUAGES C)\n"
            "find_package(tgc_sum REQUIRED)\nadd_executable(app ../calls.c)\n"
            "target_link_libraries(app PRIVATE tgc::sum m)\n")
    t.shell(f"cmake -S app -B c -DCMAKE_C_COMPILER=gcc -DCMAKE_PREFIX_PATH='{t.path('there')}' >/dev/null && "
            "cmake --build c >/dev/null", timeout=600).exits(0).silent()
    t.shell("c/app out/sum.table").exits(0).prints("0 failed")


def test_texts_of_all_shapes_compile(t):
    """The dispatch and the reference of other operands, types and operators; the header in C and in C++."""
    need_openmp(t)
    shapes = (("gemv.cdl", "--types", "float,cfloat,half"), ("scan.cdl", "--types", "cdouble,int8"),
              ("histogram.cdl", "--types", "int"), ("saxpy.cdl", "--types", "float:double"),
              ("segmented_sum_offsets.cdl", "--types", "half,uint64"),
              ("sum.cdl", "--types", "half:double,cfloat:cdouble,cfloat"),
              ("reduce.cdl", "--operator", "Moments", "--types", "half,float"))
    for number, options in enumerate(drawn(shapes, 1, lambda options: options[0])):
        out = f"out{number}"
        write(t, t.source("codelets", options[0]), *options[1:], "--keep", "1", out=out)
        for name in os.listdir(t.path(out)):
            if name.endswith(".c"):
                t.shell(f"gcc -std=c11 {STRICT} -mf16c -fopenmp -c {out}/{name} -o x.o").exits(0).silent()
            if name.endswith(".cc"):
                t.shell(f"g++ -std=c++17 {STRICT} -mf16c -fopenmp -c {out}/{name} -o x.o").exits(0).silent()
            if name.endswith(".h"):
                for compiler, language in (("gcc -std=c11", "c"), ("g++ -std=c++17", "c++")):
                    t.shell(f"{compiler} {STRICT} -fsyntax-only -include {out}/{name} -x {language} /dev/null").exits(
                        0).silent()
        t.shell(f"g++ -std=c++17 -mf16c -c {out}/check/reference.cc -o x.o").exits(0).silent()


@by_turns(7)
def test_sparse_products(t):
    """Rows that are empty, long, beyond the end, not ascending, with NaN: by every variant, under sanitizers."""
    need_openmp(t)
    write(t, t.source("codelets", "spmv.cdl"), "--types", "float,double", *(() if LONG else ("--keep", "8")))
    for said in ("columns    n elements, read: indices of x, at least 0 and less than x_n\n",
                 "offsets    offsets_n elements, read: offsets into columns, ascending, at least 0; larger ones than n "
                 "count as n"):
        if said not in t.read("out/spmv.h"):
            raise Failed(f"the header does not say `{said}'")
    t.shell("gcc -std=c11 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover -mavx2 -mfma -fopenmp -Iout -o sparse "
            f"'{t.source('tests', 'library', 'spmv.c')}' out/*.c out/variants/*.c -lm", timeout=400).exits(0)
    t.shell("./sparse", timeout=200).exits(0).prints("0 failed")


@by_turns(12)
def test_clusters_levels_and_rows(t):
    """One call each: clusters from which no point moves, levels of graphs, rows' softmax, beside plain programs."""
    need_openmp(t)
    for name, types in (("kmeans", "float"), ("bfs", "int"), ("softmax", "float")):
        write(t, t.source("codelets", f"{name}.cdl"), "--types", types, "--keep", "3", out=name)
        t.shell(f"cd {name} && gcc -std=c11 -O1 -mavx2 -mfma -mf16c -fopenmp -c *.c variants/*.c", timeout=300).exits(0)
    t.shell("g++ -std=c++17 -O1 -Wall -Wextra -Werror -fopenmp -Ikmeans -Ibfs -Isoftmax -o converged "
            f"'{t.source('tests', 'library', 'converged.cc')}' */*.o -lm", timeout=300).exits(0)
    for seed in "123":  # not drawn: roundings may decide where points that are as far from two centres go
        t.shell(f"./converged {seed}", timeout=200).exits(0).prints("0 failed")


LONG_SEGMENTS = """#include "segmented_sum.h"
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  static const uint64_t sizes[] = {0, 7, 1000, 1001, UINT64_C(1) << 60, UINT64_C(3) << 60, INT64_MAX / 2};
  static float in[1000], out[40];
  for (int i = 0; i < 1000; i++) in[i] = (float)(i % 7 - 3);
  for (int v = 0; v < segmented_sum_variant_count; v++)
    for (int k = 0; k < 7; k++) {
      const segmented_sum_variant *it = segmented_sum_variants + v;
      size_t bytes;
      if (it->run_float(NULL, NULL, &bytes, in, 1000, sizes[k], out, 40)) return 1;
      void *workspace = aligned_alloc(64, (bytes + 63) / 64 * 64);
      for (int s = 0; s < 40; s++) out[s] = -1;
      if (!workspace || it->run_float(NULL, workspace, &bytes, in, 1000, sizes[k], out, 40)) return 2;
      for (int s = 0; s < 40; s++) {
        const uint64_t length = sizes[k] < 1000 ? sizes[k] : 1000;
        float sum = 0;
        for (uint64_t i = s * length; i < (s + 1) * length && i < 1000; i++) sum += in[i];
        if (out[s] != sum) return printf("%s: size %llu: out[%d] is %g, not %g\\n", it->plan,
                                         (unsigned long long)sizes[k], s, out[s], sum), 3;
      }
      free(workspace);
    }
  return 0;
}
"""


@by_turns(2.5)
def test_functions_of_c_s_library(t):
    """Compiled with -DLIBM its text calls exp and tanh, of lanes else; both give the same numbers, but for some bits."""
    need_openmp(t)
    t.write("waves.cdl", "template <typename T> __codelet void waves(const Array<1, T> x, __like(x) __mutable Array<1, T> y) {\n"
            "  for (unsigned i = 0; i < x.Size(); ++i) y[i] = exp(-x[i]) + tanh(x[i]) + log(x[i] + 1);\n}\n")
    t.write("waves.c", """
#include <math.h>
#include <stdio.h>
#include "waves.h"
int main(void) {
  static double x[1000], y[1000], room[64];
  size_t bytes = sizeof room;
  for (int i = 0; i < 1000; ++i) x[i] = i * 0.013;
  if (waves_double(room, &bytes, x, 1000, y)) return 1;
  for (int i = 0; i < 1000; ++i)
    if (!(fabs(y[i] - (exp(-x[i]) + tanh(x[i]) + log(x[i] + 1))) <= 4e-15)) return 2;
  return puts("the same") < 0;
}
""")
    t.run("waves.cdl", "--arch", "avx2", "--types", "float,double", "--keep", "2", "-o", "out").exits(0)
    for define, calls in (("", False), ("-DLIBM", True)):
        t.shell(f"gcc -std=c11 -O1 {STRICT} -mavx2 -mfma -ffp-contract=off -fopenmp {define} -Iout -o waves waves.c out/*.c "
                "out/variants/*.c -lm").exits(0)
        t.shell("./waves").exits(0).prints("the same")
        t.shell(f"gcc -std=c11 -O1 -mavx2 -mfma -fopenmp {define} -Iout -c $(ls out/variants/*.c | head -n 1) -o one.o").exits(0)
        for name in ("expf", "tanhf", "logf"):
            t.shell(f"nm one.o | grep -w 'U {name}'").exits(0 if calls else 1)


def test_segments_of_any_length(t):
    """Whatever a caller takes for a segment's length: those beyond the container's end are empty."""
    need_openmp(t)
    write(t, t.source("codelets", "segmented_sum.cdl"), "--types", "float", *(() if LONG else ("--keep", "8")))
    t.write("long.c", LONG_SEGMENTS)
    t.shell("gcc -std=c11 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover -mavx2 -mfma -fopenmp -Iout -o long "
            "long.c out/*.c out/variants/*.c -lm", timeout=400).exits(0)
    t.shell("./long", timeout=200).exits(0).silent()


SHORT_SHAPES = """#include "gemv.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static float A[300 * 300], x[300], y[301];
static int failed;
static void refused(int error, const char *why) {
  if (error == EINVAL && strstr(gemv_error_text(error), why)) return;
  failed = printf("%d: %s, not %s\\n", error, gemv_error_text(error), why);
}
int main(void) {
  static const uint64_t sizes[] = {0, 1, 7, 16, 17, 64, 65, 200, 300};
  const int many = sizeof sizes / sizeof *sizes;
  char *workspace = calloc(1, 1 << 20);
  for (int i = 0; i < 300 * 300; i++) A[i] = (float)(i % 7 - 3);
  for (int i = 0; i < 300; i++) x[i] = (float)(i % 5 - 2);
  for (int turn = 0; turn < 2; turn++) /* the first call is another's: it reads the environment */
    for (int r = 0; r < many; r++)
      for (int c = 0; c < many; c++) {
        const uint64_t rows = sizes[r], columns = sizes[c];
        size_t bytes = 0;
        memset(y, 1, sizeof y);
        const float beyond = y[rows];
        if (gemv_float(NULL, &bytes, A, rows, columns, 300, x, y) || !bytes || bytes > 1 << 20) return puts("a size"), 1;
        if (gemv_float(workspace, &bytes, A, rows, columns, 300, x, y)) return puts(gemv_error_text(EINVAL)), 1;
        for (uint64_t i = 0; i < rows; i++) {
          float sum = 0;
          for (uint64_t k = 0; k < columns; k++) sum += A[i + k * 300] * x[k];
          if (y[i] != sum) return printf("%d x %d: y[%d] is %g, not %g\\n", (int)rows, (int)columns, (int)i, y[i], sum), 1;
        }
        if (memcmp(&y[rows], &beyond, sizeof beyond)) return puts("beyond"), 1;
      }
  size_t bytes = 1 << 20, none = 0, some = 17;
  refused(gemv_float(workspace, &bytes, A, 64, 64, 63, x, y), "leading = 63 is less than rows = 64");
  refused(gemv_float(workspace, &bytes, NULL, 64, 64, 64, x, y), "A is NULL");
  refused(gemv_float(workspace, &bytes, A, 64, 64, 64, NULL, y), "x is NULL");
  refused(gemv_float(workspace, &bytes, A, 64, 64, 64, x, NULL), "y is NULL");
  refused(gemv_float(workspace, &bytes, (float *)((char *)A + 2), 64, 64, 64, x, y), "A is not aligned");
  refused(gemv_float(workspace + 1, &bytes, A, 64, 64, 64, x, y), "workspace is not aligned");
  refused(gemv_float(workspace, NULL, A, 64, 64, 64, x, y), "workspace_bytes is NULL");
  refused(gemv_float(workspace, &none, A, 64, 64, 64, x, y), "");
  refused(gemv_float(workspace, &some, A, 64, 300, 64, x, y), " bytes, and ");
  /* which variant it is shows in what workspace it needs */
  refused(gemv_float(workspace, &some, A, 7, 200, 300, x, y), " bytes, and ");
  refused(gemv_float(workspace, &some, A, 65, 17, 300, x, y), " bytes, and ");
  failed |= gemv_float(workspace, &some, A, 8, 200, 300, x, y) || gemv_float(workspace, &some, A, 64, 17, 300, x, y);
  refused(gemv_float(workspace, &bytes, A, UINT64_C(1) << 63, 1, UINT64_C(1) << 63, x, y), "more than any memory");
  refused(gemv_float(workspace, &bytes, A, 4, UINT64_C(1) << 33, UINT64_C(1) << 33, x, y), "more than any memory");
  free(workspace);
  return failed != 0;
}
"""


BY_HAND = """#include "sums.h"
#include "zeros.h"
#include "most.h"
#include "less.h"
#include <math.h>
#include <stdio.h>
static float in[70000], out[3];
int main(void) {
  static char workspace[1 << 20];
  size_t bytes = sizeof workspace;
  double sum = 0, made = -1;
  float most = -1;
  for (unsigned i = 0; i < 70000; i++) sum += i * i / 7;
  if (sums_double(workspace, &bytes, (const double *)(const void *)in, 70000, &made) || made != sum)
    return printf("positions: %g, not %g\\n", made, sum), 1;
  for (int i = 0; i < 70000; i++) in[i] = 1;
  if (less_float(workspace, &bytes, in, 70000, &most) || most != -70000) return printf("%g\\n", (double)most), 1;
  for (int i = 0; i < 70000; i++) in[i] = 0;
  in[0] = -0.0f;
  if (zeros_float(workspace, &bytes, in, 3, out) || signbit(out[0])) return puts("-0 + 0 is -0"), 1;
  in[1] = 2;
  for (int k = 2; k < 70000; k += 3) in[k] = NAN;
  if (most_float(workspace, &bytes, in, 70000, &most) || most != 2) return printf("%g, not 2\\n", (double)most), 1;
  return 0;
}
"""

CODELETS = {"sums": """template <typename T> __codelet T sums(const Array<1, T> in);
template <typename T> __codelet T square(unsigned i) { return i * i / 7; }
template <typename T> __codelet __tag(serial) T sum(const Array<1, T> in) {
  T accum = 0;
  for (unsigned i = 0; i < in.Size(); ++i) accum += in[i];
  return accum;
}
template <typename T> __codelet __tag(strided) T sum(const Array<1, T> in) {
  __tunable unsigned p;
  return sum<T>(map(sum<T>, partition(in, p, sequence(0, 1, p), sequence(p), sequence(in.Size()))));
}
template <typename T> __codelet __tag(squares) T sums(const Array<1, T> in) {
  return sum<T>(generate(square<T>, in.Size()));
}
""", "zeros": """__codelet void zeros(const Array<1, float> in, __like(in) __mutable Array<1, float> out) {
  for (unsigned i = 0; i < in.Size(); ++i) out[i] = in[i] + 0;
}
""", "most": """__codelet float most(const Array<1, float> in) {
  float best = lowest<float>();
  for (unsigned i = 0; i < in.Size(); ++i) best = max(best, in[i]);
  return best;
}
__codelet __tag(strided) float most(const Array<1, float> in) {
  __tunable unsigned p;
  return most(map(most, partition(in, p, sequence(0, 1, p), sequence(p), sequence(in.Size()))));
}
""", "less": """template <typename T> __codelet T less(const Array<1, T> in);
template <typename T> __codelet __tag(serial) T sum(const Array<1, T> in) {
  T accum = 0;
  for (unsigned i = 0; i < in.Size(); ++i) accum += in[i];
  return accum;
}
template <typename T> __codelet __tag(parts) T less(const Array<1, T> in) {
  __tunable unsigned p;
  Map m(sum<T>, partition(in, p, sequence(0, 1, p), sequence(p), sequence(in.Size())));
  m.atomicSub();
}
"""}


def test_values_written_by_hand(t):
    """Positions are what a function's parameter makes of them; 0 added to a float's -0 is 0; what is no number is no
    maximum of floats; sums are taken away in any order."""
    need_openmp(t)
    for name, text in CODELETS.items():
        t.write(f"{name}.cdl", text)
        types = ("--types", "double") if name == "sums" else ("--types", "float")
        write(t, f"{name}.cdl", *types, "--keep", "1", out=name)
    t.write("by_hand.c", BY_HAND)
    folders = " ".join(f"-I{name} {name}/{name}.c {name}/variants/*.c" for name in CODELETS)
    t.shell(f"gcc -std=c11 -O1 -mavx2 -mfma -fopenmp -o by_hand by_hand.c {folders} -lm", timeout=400).exits(0)
    t.shell("./by_hand", timeout=200).exits(0).silent()


@by_turns(6)
def test_short_ways_of_shapes(t):
    """A call that nothing can be wrong with goes to the work of its shape's variant, if that needs no workspace."""
    need_openmp(t)
    columns, table = t.source("codelets", "gemv_columns.cdl"), "short.table"
    write(t, columns, "--types", "float")
    ids = {row["plan"]: row["id"] for row in json.loads(t.read("out/manifest.json"))["variants"]}
    lanes, shared = (ids[f"process.each/all-lanes({plan})"] for plan in (
        "lane.serial", "lane.products=lane.tiled/spread(lane.serial; lane.serial)"))
    t.write(table, "".join(f"float {size} {id} 0 {loads} {blocks}\n" for size, id, loads, blocks in (
        ("16x16", lanes, 1, 1), ("16", lanes, 4, 2), ("64x64", lanes, 2, 2), ("64", shared, 4, 0),
        ("200x7", shared, 8, 1),
        ("200", lanes, 64, 0), ("inf", shared, 8, 2))))
    write(t, columns, "--types", "float", "--table", table)
    t.write("short.c", SHORT_SHAPES)
    # what no row names is not called, and takes long to compile so
    called = " ".join(f"out/variants/{id}.c" for id in (lanes, shared))
    t.shell("gcc -std=c11 -O1 -mavx2 -mfma -fopenmp -Iout -c out/variants/*.c && flags='-std=c11 -O1 -g "
            "-fsanitize=address,undefined -fno-sanitize-recover -mavx2 -mfma -fopenmp -Iout' && "
            f"gcc $flags -c {called} && gcc $flags -o short short.c out/*.c *.o -lm", timeout=400).exits(0)
    t.shell("./short", timeout=200).exits(0).silent()


def test_refusals(t):
    t.refuses(1, t.sum, "--arch", "avx2", "--types", "float,bfloat16", "-o", "out").says(
        "`avx2' is a CPU: there is no type `bfloat16' in C for it").hints("half")
    t.refuses(1, t.source("codelets", "gemm.cdl"), "--arch", "avx2", "--types", "tf32", "-o", "out").says(
        "`avx2' is a CPU: there is no type `tf32' in C for it").hints("float")
    t.refuses(1, t.sum, "--arch", "sm_80", "--types", "tf32", "-o", "out").says(
        "no codelet of `sum' is a product", "others read `tf32' as float").hints("--types float")
    t.refuses(1, t.source("codelets", "gemm.cdl"), "--arch", "sm_70", "--types", "half16", "-o", "out").says(
        "`sm_70' has no matrix unit for `half16', and would read it as half").hints("--types half")
    t.refuses(1, t.sum, "--arch", "sm_80", "--types", "half,half16", "-o", "out").says(
        "no codelet of `sum' is a product", "others read `half16' as half").hints("--types half")
    for arch in "sm_60", "sm_75":
        t.refuses(1, t.source("codelets", "gemm.cdl"), "--arch", arch, "--types", "float,tf32", "-o", "out").says(
            "gemm.cdl:", f"`{arch}' has no matrix unit for `tf32', and would read it as float").hints("--types float")
    for machines in ("sm_80,avx2", "avx2,sm_80"):
        r = t.refuses(1, t.sum, "--arch", machines, "-o", "out")
        r.says("`avx2' is a CPU: only GPUs can share a folder").hints("a folder each")
    t.refuses(1, t.sum, "--arch", "avx2", "--levels", "thread,lane", "-o", "out").says("there is no `process'").hints(
        "`--levels process,thread,lane,ilp' would do")


MISFITS = """#include "convolve.h"
#include "gemm.h"
#include <stdio.h>
#include <math.h>
static char room[1 << 20] __attribute__((aligned(64)));
static float a[64], b[64], c[64];
static void product(const float *A, uint64_t m, uint64_t k, uint64_t la, const float *B, uint64_t n, uint64_t lb, float *C, uint64_t lc) {
  size_t bytes = sizeof room;
  const int error = gemm_float(room, &bytes, A, m, k, la, B, n, lb, C, lc);
  puts(error ? gemm_error_text(error) : "served");
}
static void convolution(uint64_t n, uint64_t taps, uint64_t out) {
  size_t bytes = sizeof room;
  const int error = convolve_float(room, &bytes, a, n, b, taps, c, out);
  puts(error ? convolve_error_text(error) : "served");
}
int main(void) {
  size_t bytes = sizeof room;
  if (gemm_workspace_init(room, bytes)) return 1;
  product(a, 3, 4, 3, b, 5, 5, c, 5);
  product(a, 3, 4, 4, b, 5, 4, c, 5);
  product(a, 3, 4, 4, b, 5, 5, c, 4);
  product(NULL, 3, 4, 4, b, 5, 5, c, 5);
  product((float *)((char *)a + 2), 3, 4, 4, b, 5, 5, c, 5);
  product(a, 1ull << 40, 4, 1ull << 40, b, 5, 5, c, 5);
  product(NULL, 0, 0, 0, NULL, 0, 0, NULL, 0);
  product(a, 3, 0, 0, b, 5, 5, c, 5);
  product(a, 0, 4, 4, b, 5, 5, NULL, 5);
  if (convolve_workspace_init(room, bytes)) return 1;
  convolution(40, 3, 37);
  convolution(2, 5, 0);
  convolution(4, 0, 5);
  convolution(2, 3, 0);
  a[0] = NAN, a[4] = 1, b[0] = -INFINITY; /* rows of A: one with a NaN, one that meets an infinity */
  for (int i = 0; i < 64; i++) c[i] = 0;
  product(a, 2, 3, 4, b, 1, 1, c, 7);
  printf("%d %d %d\\n", isnan(c[0]) != 0, c[7] == -INFINITY, c[1] == 0);
  return 0;
}
"""
MISFITS_SAID = """gemm_float: leading = 3 is less than columns = 4
gemm_float: B_leading = 4 is less than B_columns = 5
gemm_float: C_leading = 4 is less than B_columns = 5
gemm_float: A is NULL, and rows = 3, columns = 4
gemm_float: A is not aligned to 4 bytes
gemm_float: rows * leading is more than any memory holds
served
served
served
convolve_float: out_n = 37, and has to be n - w_n + 1 = 38
convolve_float: out_n = 0, and has to be n - w_n + 1 = -2
served
served
served
1 1 1
"""


def test_shapes_that_do_not_fit(t):
    """Located by name and size at the call; nothing is not wrong, and NaN and infinities are numbers like others."""
    need_openmp(t)
    for name in ("gemm", "convolve"):
        write(t, t.source("codelets", name + ".cdl"), "--types", "float", "--keep", "3", out=name)
    t.write("misfits.c", MISFITS)
    t.shell(f"gcc -std=c11 -O1 -mavx2 -mfma -fopenmp -fsanitize=address,undefined -fno-sanitize-recover {STRICT} -Igemm -Iconvolve "
            "misfits.c gemm/*.c gemm/variants/*.c convolve/*.c convolve/variants/*.c -lm -o misfits",
            timeout=300).exits(0)
    t.shell("./misfits", OMP_NUM_THREADS="2").exits(0).prints(MISFITS_SAID)
