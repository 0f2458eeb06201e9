"""tgc installed, moved, and used from CMake projects: what is built again when something changes, and what is not. On
the CPU's executor, which needs no nvcc; with one the generated folder's own CMakeLists.txt is built and installed,
too."""
import glob, os, re, shutil

from drawn import LONG, drawn
from harness import Failed, Skipped, by_turns, long, tree
from examples import nvcc

CLANG = "-DCMAKE_CXX_COMPILER=clang++-19"
if shutil.which("ccache"):  # what is tgc's own is compiled once
    CLANG += " -DCMAKE_CXX_COMPILER_LAUNCHER=ccache"


def need_clang():
    if not shutil.which("clang++-19"):
        raise Skipped("no clang++-19")


def install(t):
    """The build that tgc is of, installed and then moved: its prefix."""
    build = os.path.dirname(t.tgc)
    if not os.path.exists(os.path.join(build, "cmake_install.cmake")):
        raise Skipped(f"{build} is no build of CMake's")
    t.shell(f'cmake --install "{build}" --prefix first >/dev/null && mv first "the prefix"').exits(0)
    return t.path("the prefix")


SIMPLE = """cmake_minimum_required(VERSION 3.20)
project(app LANGUAGES C CXX)
find_package(tgc CONFIG REQUIRED)
%s
"""


def configure(t, *more, source="app", compiler=CLANG):
    words = " ".join(f'"{word}"' for word in more)
    return t.shell(f'cmake -S {source} -B build -DCMAKE_PREFIX_PATH="{t.path("the prefix")}" {compiler} {words}')


def make(t):
    """A build: did it run tgc, and which sources did it compile?"""
    r = t.shell("cmake --build build -j 2", timeout=600).exits(0)
    ran = "tgc: codelets" in r.out
    compiled = [line.split("/")[-1] for line in r.out.splitlines() if "Building" in line]
    return ran, sorted(compiled)


def expect(found, wanted, when):
    if found != wanted:
        raise Failed(f"{when}: {found}, not {wanted}")


def installed_tgc(t, prefix):
    """It finds its own files in the prefix, not in the source tree."""
    r = t.shell(f'strace -f -e trace=file "{prefix}/bin/tgc" archs 2>&1' if shutil.which("strace") else
                f'"{prefix}/bin/tgc" archs').exits(0).prints("sm_90")
    r.expect(f"{t.root}/archspec" not in r.out, "expected no file of the source tree")
    os.rename(f"{prefix}/share/tgc/archspec/sm_90.yaml", f"{prefix}/share/tgc/archspec/sm_91.yaml")
    t.shell(f'"{prefix}/bin/tgc" archs').exits(1).says("sm_91.yaml")
    os.rename(f"{prefix}/share/tgc/archspec/sm_91.yaml", f"{prefix}/share/tgc/archspec/sm_90.yaml")


def installed_pages(t, prefix):
    """Man pages and completion scripts are in the places where they are looked for, and are what tgc prints."""
    for place, words in (("share/man/man1/tgc.1", "--as man"), ("share/man/man1/tgc-check.1", "check --as man"),
                         ("share/bash-completion/completions/tgc", "--as bash"),
                         ("share/zsh/site-functions/_tgc", "--as zsh"),
                         ("share/fish/vendor_completions.d/tgc.fish", "--as fish")):
        t.shell(f'"{prefix}/bin/tgc" help {words} | cmp - "{prefix}/{place}"').exits(0).silent()


def installed_editors(t, prefix):
    """What editors need is where they look, and what `tgc new' writes for clangd leads to what is installed."""
    for file in ("tgc/editors/vscode/package.json", "tgc/editors/vim/syntax/codelet.vim",
                 "vim/vimfiles/ftdetect/codelet.vim",
                 "nvim/site/lua/tgc.lua", "emacs/site-lisp/codelet-mode.el", "tgc/.clangd",
                 "tgc/codelets/compile_flags.txt"):
        if not os.path.exists(f"{prefix}/share/{file}"):
            raise Failed(f"there is no share/{file}")
    for path in re.findall(r'"(?:-I)?(/[^"]*)"', t.read("norm/.clangd")):
        if not path.startswith(os.path.realpath(prefix)) or not os.path.exists(path):
            raise Failed(f".clangd leads to {path}")


def new_spectrum(t, program, prefix):
    """What `tgc new' writes builds and passes with the tgc that is found in the prefix."""
    t.shell(f'"{program}" new norm && cmake -S norm -B norm-build -DCMAKE_PREFIX_PATH="{prefix}" && '
            "cmake --build norm-build -j 2 && ctest --test-dir norm-build",
            timeout=600).exits(0).prints("100% tests passed")


@by_turns(9)
def test_pages_and_new_spectra(t):
    prefix = install(t)
    installed_pages(t, prefix)
    new_spectrum(t, f"{prefix}/bin/tgc", prefix)
    installed_editors(t, prefix)


@by_turns(4)
def test_built_and_not_installed(t):
    """The folder of a build is a package, too: what `tgc new' writes is built from a clone."""
    build = os.path.dirname(t.tgc)
    if not os.path.exists(os.path.join(build, "tgcConfig.cmake")):
        raise Skipped(f"{build} is no build of CMake's")
    new_spectrum(t, t.tgc, build)


def rebuilds(t, *generator):
    prefix = install(t)
    installed_tgc(t, prefix)
    shutil.copytree(t.source("examples", "cmake"), t.path("app"))
    project = t.read("app/CMakeLists.txt")
    t.write("app/CMakeLists.txt", project.replace("TYPES int;float", "TYPES int OPTIONS --keep 3"))
    configure(t, "-DON_CPU=ON", *generator).exits(0)
    ran, compiled = make(t)
    if not ran or not any(name.startswith("0.0.cu") for name in compiled):
        raise Failed(f"the first build compiled {compiled}")
    result = "the greatest of 1000000 numbers is 999982, found by the kernels for sm_90\n"
    t.shell("build/greatest", TGC_SIMT_COMPUTE="90").exits(0).silent().prints(result)
    expect(make(t), (False, []), "nothing changed")

    codelets = t.read("app/greatest.cdl")
    t.shell("sleep 1; touch app/greatest.cdl").exits(0)
    expect(make(t), (True, []), "the codelets' file was touched")
    expect(make(t), (False, []), "and then nothing")

    # Another codelet: more variants. The text of those that were there stays, with their names.
    before = set(glob.glob(t.path("build/codelets.codelets/sm_90/variants/*.cu")))
    t.write("app/greatest.cdl", codelets + codelets[codelets.index("template", codelets.index("template") + 1):]
            .replace("strided", "tiled").replace("sequence(0, 1, p), sequence(p), sequence(in.Size())",
            "sequence(0, (in.Size() + p - 1) / p, in.Size()), sequence(1), "
            "sequence((in.Size() + p - 1) / p, (in.Size() + p - 1) / p, in.Size())"))
    ran, compiled = make(t)
    after = set(glob.glob(t.path("build/codelets.codelets/sm_90/variants/*.cu")))
    if not ran or not compiled or after == before:
        raise Failed(f"another codelet: {len(before)} variants, then {len(after)}; compiled {compiled}")
    t.shell("build/greatest", TGC_SIMT_COMPUTE="90").exits(0).prints(result)

    # A text alone, under the same name: the source that includes it is compiled again, in the same build.
    project = t.read("app/CMakeLists.txt")
    t.write("app/CMakeLists.txt", project.replace("TYPES int ", "TYPES int;uint "))
    ran, compiled = make(t)
    if not ran or not {"main.c.o", "top.cu.o", "0.0.cu.o"} <= set(compiled):
        raise Failed(f"another type: compiled {compiled}")
    expect(make(t), (False, []), "nothing changed after that")
    t.write("app/CMakeLists.txt", project)

    # It goes again, and with it the files of its variants.
    t.write("app/greatest.cdl", codelets)
    ran, compiled = make(t)
    expect(set(glob.glob(t.path("build/codelets.codelets/sm_90/variants/*.cu"))), before, "a codelet went")
    t.shell("build/greatest", TGC_SIMT_COMPUTE="80").exits(0).prints("found by the kernels for sm_80")
    expect(make(t), (False, []), "nothing changed again")

    # An error stops the build, and what was there is there still.
    t.write("app/greatest.cdl", codelets.replace("return best;", "return best"))
    folder = tree(t.path("build/codelets.codelets"))
    r = t.shell("cmake --build build")
    r.expect(r.status != 0 and "greatest.cdl:" in r.err + r.out, "expected the error's place")
    expect(tree(t.path("build/codelets.codelets")), folder, "the folder after an error")


def generators():
    return ["Unix Makefiles"] + ["Ninja"] * bool(shutil.which("ninja"))


def by_generators(t, test):
    """Each in a project of its own."""
    for generator in drawn(generators(), 1):
        for folder in "app", "build":
            shutil.rmtree(t.path(folder), ignore_errors=True)
        test(t, "-G", generator)


@by_turns(28)
def test_rebuilds(t):
    need_clang()
    by_generators(t, rebuilds)


CALL = """#include <stdio.h>
#include <stdlib.h>
#include "%s.h"
int main(void) {
  enum { n = 100000 };
  %s out;
  float *in = malloc(n * sizeof *in);
  size_t bytes = 0;
  for (int i = 0; i < n; ++i) in[i] = (float)(i == 70000);
  int error = %s_float(NULL, &bytes, in, n, &out);
  void *workspace = malloc(bytes);
  if (!error) error = %s_workspace_init(workspace, bytes);
  if (!error) error = %s_float(workspace, &bytes, in, n, &out);
  printf("%%d %%d\\n", error, (int)out%s);
  free(workspace);
  free(in);
  return error;
}
"""


def call(name, result, member=""):
    return CALL % (name, result, name, name, name, member)


def for_a_cpu(t, *generator):
    """A library for the CPU at hand, in a project of C alone: static, then shared; what is compiled again, and what not."""
    install(t)
    shutil.copytree(t.source("codelets"), t.path("app"))
    t.write("app/main.c", call("total", "float"))
    t.write("app/total.cdl", '#include "sum.cdl"\n')
    t.write("app/CMakeLists.txt", (SIMPLE % """tgc_add_codelets(TARGET codelets SOURCES total.cdl NAME total ARCHS cpu TYPES float
                 OPTIONS --keep 3)
add_executable(app main.c)
target_link_libraries(app PRIVATE codelets)""").replace("C CXX", "C"))
    objects = lambda: {p: os.stat(p).st_mtime_ns for p in glob.glob(t.path("build/codelets.parts/build/**/*.o"), recursive=True)}
    configure(t, *generator, compiler="").exits(0)
    expect(make(t), (True, ["main.c.o"]), "the first build")
    t.shell("build/app").exits(0).prints("0 1\n")
    first = objects()
    if len(first) < 4:
        raise Failed(f"compiled were {sorted(first)}")
    expect(make(t), (False, []), "nothing changed")
    t.shell("sleep 1; touch app/sum.cdl").exits(0)
    expect(make(t), (True, []), "a file was touched that the codelets' file includes")
    expect(objects(), first, "what was compiled before")
    expect(make(t), (False, []), "and then nothing")
    t.write("app/CMakeLists.txt", t.read("app/CMakeLists.txt").replace("--keep 3", "--keep 2"))
    ran, _ = make(t)
    library = t.shell("ar t build/codelets.parts/build/libtgc_total.a").exits(0).out.split()
    if not ran or len(library) >= len(first):
        raise Failed(f"fewer variants: the library has {library}")
    t.shell("build/app").exits(0).prints("0 1\n")
    configure(t, *generator, "-DBUILD_SHARED_LIBS=ON", compiler="").exits(0)
    make(t)
    t.shell("ls build/libcodelets.so && build/app").exits(0).prints("0 1\n")
    t.write("app/sum.cdl", t.read("app/sum.cdl").replace("return accum;", "return accum"))
    r = t.shell("cmake --build build")
    r.expect(r.status != 0 and "sum.cdl:" in r.err + r.out, "expected the error's place")


@by_turns(4.5)
def test_for_a_cpu(t):
    by_generators(t, for_a_cpu)


@by_turns(3.5)
def test_an_operator_for_a_cpu(t):
    """Its text is C++; who calls it is C, in another folder of the project."""
    install(t)
    shutil.copytree(t.source("codelets"), t.path("app/lib"))
    t.write("app/main.c", call("reduce_arg_max", "reduce_arg_max_State_float", ".place"))
    shutil.copy(t.source("archspec", "avx2.yaml"), t.path("app/lib/mine.yaml"))
    t.write("app/lib/CMakeLists.txt", "tgc_add_codelets(TARGET codelets SOURCES reduce.cdl OPERATOR ArgMax ARCHS ./mine.yaml "
            "TYPES float OPTIONS --keep 2)\n")
    t.write("app/CMakeLists.txt", SIMPLE % """add_subdirectory(lib)
add_executable(app main.c)
target_link_libraries(app PRIVATE codelets)""")
    configure(t, compiler="").exits(0)
    make(t)
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        if " avx2 " in f.read():
            t.shell("build/app").exits(0).prints("0 70000\n")


SPECTRA = """tgc_add_codelets(TARGET blas SOURCES dot.cdl gemv.cdl SPECTRUM dot gemv NAME blas ARCHS %s TYPES float OPTIONS --keep 2 %s)
add_executable(app main.c)
target_link_libraries(app PRIVATE blas)"""

CALLS = """#include "blas.h"
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  const float x[4] = {1, 2, 3, 4};
  float y[2], z;
  size_t bytes = 1 << 20;
  void *workspace = calloc(1, bytes);
  int error = dot_float(workspace, &bytes, x, 4, x, &z STREAM);
  bytes = 1 << 20;
  if (!error) error = gemv_float(workspace, &bytes, x, 2, 2, 2, x, y STREAM);
  printf("%d %g %g %g\\n", error, z, y[0], y[1]);
  return error;
}
"""


def several_spectra(t, arch, where, compiler):
    shutil.copytree(t.source("codelets"), t.path("app"))
    t.write("app/main.c", CALLS.replace(" STREAM", ", NULL" if where else ""))
    t.write("app/CMakeLists.txt", SIMPLE % (SPECTRA % (arch, where)))
    configure(t, compiler=compiler).exits(0)
    r = t.shell("cmake --build build -j 2", timeout=600).exits(0)
    t.shell("build/app").exits(0).prints("0 30 5 11\n")
    t.shell("cmake --build build").exits(0).expect("tgc: blas" in r.out, "tgc did not run").expect(
        "Building" not in t.shell("cmake --build build").out, "something was built again")


@by_turns(4)
def test_several_spectra(t):
    """Of several files, in one library with one header: of a CPU, and of a GPU on the executor."""
    need_clang()
    install(t)
    for arch, where, compiler in drawn((("avx2", "", ""), ("sm_90", "EXECUTOR", CLANG)), 1):
        several_spectra(t, arch, where, compiler)
        shutil.rmtree(t.path("app"))
        shutil.rmtree(t.path("build"))


@by_turns(5.5)
def test_names(t):
    """The header is called what NAME says, or the first file, whatever the spectrum in it; an operator's name follows."""
    install(t)
    t.write("app/my_max.cdl", "template <typename T>\n__codelet\nT largest(const Array<1, T> in) {\n  T best = lowest<T>();\n"
            "  for (unsigned i = 0; i < in.Size(); ++i) best = max(best, in[i]);\n  return best;\n}\n")
    shutil.copytree(t.source("codelets", "common"), t.path("app/common"))
    shutil.copy(t.source("codelets", "reduce.cdl"), t.path("app"))
    names = {"one": ("my_max.cdl", "my_max"), "two": ("my_max.cdl NAME other", "other"),
             "three": ("my_max.cdl SPECTRUM largest", "largest"), "four": ("reduce.cdl OPERATOR Max", "reduce_max")}
    t.write("app/CMakeLists.txt", SIMPLE % "\n".join(f"tgc_add_codelets(TARGET {target} SOURCES {words} ARCHS avx2 TYPES int "
                                                     "OPTIONS --keep 1)" for target, (words, _) in names.items()))
    configure(t, compiler="").exits(0)
    t.shell("cmake --build build -j 2", timeout=300).exits(0)
    for target, (_, name) in names.items():
        if f"int {name}_int(" not in t.read(f"build/{target}.codelets/{name}.h"):
            raise Failed(f"{target}: no function {name}_int in {name}.h")


def test_bad_arguments(t):
    need_clang()
    install(t)
    good = "TARGET c SOURCES x.cdl TYPES int"
    for arguments, said in (
            (f"{good} EXECUTOR", "ARCHS is missing"), (f"{good} ARCHS EXECUTOR", "ARCHS"),
            (f"{good} ARCHS sm_80 sm_81 EXECUTOR", "there is no machine `sm_81'"),
            (f"{good} ARCHS sm_80 sm_80 EXECUTOR", "two machines of compute capability 8.0"),
            (f"{good} ARCHS avx2 sm_80", "ARCHS is one CPU, or some GPUs"),
        (f"{good} ARCHS cpu EXECUTOR", "EXECUTOR is for GPUs"),
            (f"{good} ARCHS avx2 avx512", "ARCHS is one CPU"),
        (f"{good} ARCHS ./none.yaml", "there is no machine `./none.yaml'"),
            ("SOURCES x.cdl ARCHS sm_80 EXECUTOR", "TARGET is missing"), ("TARGET c ARCHS sm_80", "SOURCES is missing"),
            (f"{good} SPECTRUM a b ARCHS sm_80 EXECUTOR", "NAME is missing"),
            (f"{good} SPECTRUM a b NAME c ARCHS sm_80 sm_90 EXECUTOR", "several spectra are for one machine"),
            ("TARGET c SOURCES my-sum.cdl ARCHS sm_80 EXECUTOR", "`my-sum' cannot be the name of C functions"),
            (f"SOMETHING {good} ARCHS sm_80 EXECUTOR", "what is `SOMETHING'"),
            (f"{good} ARCHS sm_80", "the project has no CUDA")):
        t.write("app/CMakeLists.txt", SIMPLE % f"tgc_add_codelets({arguments})")
        r = configure(t)
        r.expect(r.status != 0 and said in " ".join(r.err.split()), f"expected {said!r}")


def test_default_machines(t):
    """Those that serve CMAKE_CUDA_ARCHITECTURES."""
    need_clang()
    install(t)
    t.write("app/CMakeLists.txt", SIMPLE % 'get_property(data GLOBAL PROPERTY TGC_DATA)\n'
            '_tgc_default_machines(found ${data})\nmessage("machines: ${found}")')
    for wanted, machines in (("80;90", "sm_80;sm_90"), ("87-real", "sm_86"), ("90a;90", "sm_90"), ("20", ""),
                             ("native", ""), ("103", "sm_100")):
        r = configure(t, f"-DCMAKE_CUDA_ARCHITECTURES={wanted}").exits(0)
        r.expect(f"machines: {machines}\n" in r.err, f"expected {machines!r} for {wanted}")


def test_inside_another_project(t):
    """add_subdirectory, as FetchContent does it: the project's own choices stay, and tgc_add_codelets is there."""
    need_clang()
    t.write("app/CMakeLists.txt", f"""cmake_minimum_required(VERSION 3.20)
project(app LANGUAGES C CXX)
add_subdirectory("{t.root}" tgc EXCLUDE_FROM_ALL)
tgc_add_codelets(TARGET codelets SOURCES greatest.cdl ARCHS sm_80 TYPES int EXECUTOR OPTIONS --keep 3)
add_executable(app main.c)
target_link_libraries(app PRIVATE codelets)
get_property(tests DIRECTORY "{t.root}" PROPERTY TESTS)
get_target_property(options libtgc COMPILE_OPTIONS)
message("type: '${{CMAKE_BUILD_TYPE}}', tests: '${{tests}}', options: '${{options}}', database: "
        "'${{CMAKE_EXPORT_COMPILE_COMMANDS}}'")
""")
    shutil.copy(t.source("examples", "cmake", "greatest.cdl"), t.path("app"))
    text = open(t.source("examples", "cmake", "main.c"), encoding="utf-8").read()
    t.write("app/main.c", text.replace("greatest_machine()", '"sm_80"'))
    r = t.shell(f"cmake -S app -B build {CLANG}").exits(0)
    r.expect("type: '', tests: '', options: 'options-NOTFOUND', database: ''" in r.err, "expected no side effects")
    cache = t.read("build/CMakeCache.txt")
    r.expect("BUILD_TESTING" not in cache and "TGC_INSTALL:BOOL=OFF" in cache, "expected no tests, nothing to install")
    if not LONG:
        raise Skipped("the long mode builds it")
    ran, _ = make(t)
    expect(ran, True, "the build ran tgc")
    t.shell("build/app").exits(0).prints("is 999982")
    t.shell("cmake --install build --prefix there").exits(0)
    expect(os.path.exists(t.path("there")), False, "something was installed")


C_ALONE = """cmake_minimum_required(VERSION 3.20)
project(app C)
include(FetchContent)
FetchContent_Declare(tgc SOURCE_DIR "%s")
FetchContent_MakeAvailable(tgc)
tgc_add_codelets(TARGET codelets SOURCES %s ARCHS cpu TYPES float OPTIONS --keep 3)
add_executable(app main.c)
target_link_libraries(app PRIVATE codelets)
"""


@by_turns(1.5)
def test_fetched_by_a_project_of_c_alone(t):
    """It configures without C++ and CUDA, in the project's own languages; an operator, which is C++, says so."""
    shutil.copytree(t.source("codelets"), t.path("app"))
    t.write("app/main.c", call("sum", "float"))
    t.write("app/CMakeLists.txt", C_ALONE % (t.root, "sum.cdl"))
    launcher = "-DCMAKE_C_COMPILER_LAUNCHER=ccache" if shutil.which("ccache") else ""
    t.shell(f"cmake -S app -B build {launcher}").exits(0)
    if "CMAKE_CXX_COMPILER" in t.read("build/CMakeCache.txt"):
        raise Failed("C++ was looked for")
    if not LONG:
        raise Skipped("the long mode builds it")
    make(t)
    t.shell("build/app").exits(0).prints("0 1\n")
    t.write("app/CMakeLists.txt", C_ALONE % (t.root, "reduce.cdl OPERATOR ArgMax"))
    r = t.shell("cmake --build build")
    r.expect(r.status != 0 and "project(.. LANGUAGES C CXX)" in " ".join((r.out + r.err).split()),
             "expected what is missing")


@by_turns(1.2)
def test_versions_of_libclang(t):
    """One that is too old, and none: both errors say which versions will do. The old one is a stand-in."""
    t.write("old/include/clang-c/Index.h",
            "const char *clang_getClangVersion(void);\nconst char *clang_getCString(const char *);\n")
    t.write("old/clang.c", 'const char *clang_getClangVersion(void) { return "clang version 16.0.6"; }\n'
            "const char *clang_getCString(const char *s) { return s; }\n")
    t.shell("mkdir old/lib && cc -shared -fPIC -o old/lib/libclang.so old/clang.c").exits(0)
    for place, said in (("old", "lib/libclang.so is of LLVM 16. "), ("nowhere", "no libclang was found. ")):
        r = t.shell(f'cmake -S "{t.root}" -B {place}-build -DLLVM_ROOT="{t.path(place)}"')
        said += "tgc needs libclang of LLVM 17 or later (tested: 17, 18, 19, 21 and 22)"
        r.expect(r.status != 0 and said in " ".join(r.err.split()), f"expected {said!r}")


@by_turns(19)
def test_generated_folder(t):
    """A folder's own CMakeLists.txt: each machine for its own architectures; installed, found, called from C."""
    compiler = nvcc()
    t.run(t.sum, "--arch", "sm_80,sm_90", "--types", "float", "--keep", "1", "-o", "out").exits(0)
    path = f'PATH="$PATH:{os.path.dirname(compiler)}"'
    t.shell(f'{path} cmake -S out -B build -DCMAKE_CUDA_ARCHITECTURES="75;86;90" -DCMAKE_INSTALL_PREFIX=there '
            "&& cmake --build build -j 2 && cmake --install build", timeout=900).exits(0)
    for target, wanted in (("sum_sm_80", "86"), ("sum_sm_90", "90")):
        flags = t.read(f"build/CMakeFiles/tgc_{target}.dir/flags.make")
        if f"compute_{wanted}," not in flags or flags.count("--generate-code") != 1:
            raise Failed(f"{target} is not compiled for {wanted} alone:\n{flags}")
    t.write("app/CMakeLists.txt", "cmake_minimum_required(VERSION 3.18)\nproject(app LANGUAGES C)\n"
            "find_package(tgc_sum REQUIRED)\nadd_executable(app main.c)\ntarget_link_libraries(app PRIVATE tgc::sum)\n")
    t.write("app/main.c", '#include <sum.h>\nint main(void) { return sum_float_async(0, 1, 0, 0) == cudaSuccess; }\n')
    t.shell(f'mv there moved; {path} cmake -S app -B app-build -DCMAKE_PREFIX_PATH="$PWD/moved" && '
            "cmake --build app-build && app-build/app", timeout=300).exits(0)


# ---- packages of other tools ----

def test_versions_of_a_library(t):
    """A generated library has a version for find_package, and a file for pkg-config, which may be moved with it."""
    version = t.run("version").exits(0).out.split()[1]
    t.run(t.sum, "--arch", "cpu", "--types", "float", "--keep", "1", "-o", "out").exits(0)
    t.shell("cmake -S out -B made -DCMAKE_INSTALL_PREFIX=first >/dev/null && cmake --build made >/dev/null && "
            "cmake --install made --prefix first >/dev/null && mv first second", timeout=300).exits(0)
    where = f"PKG_CONFIG_PATH={t.path('second/lib/pkgconfig')}"
    t.shell(f"{where} pkg-config --modversion tgc_sum").exits(0).prints(version)
    t.write("main.c", '#include "sum.h"\n#include <stdlib.h>\nint main(void) {\n  float in[3] = {1, 2, 3}, out = 0;\n'
            "  size_t bytes = 0;\n  sum_float(NULL, &bytes, in, 3, &out);\n  void *workspace = calloc(1, bytes);\n"
            "  sum_float(workspace, &bytes, in, 3, &out);\n  free(workspace);\n  return out != 6;\n}\n")
    t.shell(f"cc main.c $({where} pkg-config --cflags --libs tgc_sum) -o main && ./main").exits(0)
    t.write("app/CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\nproject(app LANGUAGES C)\n"
            "find_package(tgc_sum ${WANTED} CONFIG REQUIRED)\n")
    for wanted, status in ((version, 0), ("99.0", 1)):
        t.shell(f'cmake -S app -B app{status} -DWANTED={wanted} -DCMAKE_PREFIX_PATH="{t.path("second")}"').exits(status)


def deb(t):
    """The package that cpack makes of this build."""
    build = os.path.dirname(t.tgc)
    if not os.path.exists(os.path.join(build, "CPackConfig.cmake")) or not shutil.which("dpkg-shlibdeps"):
        raise Skipped("no cpack of this build, or no dpkg-dev")
    t.shell(f'cpack --config "{build}/CPackConfig.cmake" -B packed', timeout=900).exits(0)
    made, = glob.glob(t.path("packed/*.deb"))
    return made


@long
def test_debian_package(t):
    """What is in it, what it depends on, and that its programs find their data wherever it is unpacked."""
    made = deb(t)
    t.shell(f'dpkg-deb -f "{made}" Depends').exits(0).prints("libclang1-19", "libcyaml1", "libjansson4", "libsqlite3-0")
    t.shell(f'dpkg -x "{made}" root').exits(0)
    for name in ("share/man/man1/tgc-check.1", "share/bash-completion/completions/tgc", "share/zsh/site-functions/_tgc",
                 "share/doc/tgc/copyright", "share/doc/tgc/docs/tutorial.md", "lib/cmake/tgc/tgcConfigVersion.cmake",
                 "bin/tgc-tune", "bin/tgc-witness"):
        if not os.path.exists(t.path(f"root/usr/{name}")):
            raise Failed(f"the package has no {name}")
    drawn_by = os.path.getsize(os.path.join(os.path.dirname(t.tgc), "chart", "chart.js")) > 0
    for name in ("doc/tgc/copyright", "tgc/copyright"):
        text = t.read(f"root/usr/share/{name}")
        if "LLVM Exceptions" not in text or ("Chart.js Contributors" in text) != drawn_by:
            raise Failed(f"{name} lacks a licence of what the package has")
    t.shell("root/usr/bin/tgc root/usr/share/tgc/codelets/gemv.cdl --arch avx2 --types float --keep 2 -o out").exits(0)


@long
def test_debian_package_on_a_clean_system(t):
    """Installed by apt into a new Debian, with what it depends on and nothing else: it compiles, and its C is right."""
    if os.getuid() != 0 or not shutil.which("debootstrap"):
        raise Skipped("it needs root and debootstrap")
    made = deb(t)
    release = next(line.split("=")[1].strip() for line in open("/etc/os-release", encoding="utf-8")
                   if line.startswith("VERSION_CODENAME="))
    mirror = t.shell("apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | head -n 1").exits(0).out.strip()
    t.shell(f'debootstrap --variant=minbase {release} "{t.path("system")}" {mirror}', timeout=900).exits(0)
    t.shell(f'cp "{made}" system/tgc.deb && cp /etc/resolv.conf system/etc/ && '
            "for f in /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/apt.conf.d; do "
            "if [ -e $f ]; then cp -r $f system/etc/apt/; fi; done").exits(0)
    t.write("system/try.sh", "set -e\nexport DEBIAN_FRONTEND=noninteractive\napt-get update -qq\n"
            "apt-get install -y -qq --no-install-recommends /tgc.deb gcc libc6-dev >/dev/null\ncd /tmp\n"
            "tgc new norm >/dev/null\ntgc norm/norm.cdl --arch cpu --types float --keep 2\n"
            "cc -O2 -fopenmp -I out norm/norm_test.c out/*.c out/variants/*.c -lm -o norm_test\n./norm_test\n")
    t.shell("chroot system sh /try.sh", timeout=900).exits(0).prints("passed")
