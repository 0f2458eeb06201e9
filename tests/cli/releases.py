"""tgc ship: a release has the variants that the dispatch can select, in the configurations that it names, and no
others; it is a library that builds, computes, is checked and shipped again."""
import json, os, pathlib, re

from harness import Failed, by_turns
from library_calls import build, calls


def written(t, table=None, machine="sm_90", out="out", types="int,float", keep="12"):
    """A folder with a table of a few variants and configurations; its manifest."""
    more = ("-o", out, "--arch", machine, "--types", types, "--keep", keep)
    t.run(t.sum, *more, "--table", "none").exits(0)
    if table:
        ids = [v["id"] for v in json.loads(t.read(f"{out}/manifest.json"))["variants"]]
        t.write("some.table", table.format(*ids))
        t.run(t.sum, *more, "--table", "some.table").exits(0).silent()
    return json.loads(t.read(f"{out}/manifest.json"))


THREE = ("int 100 {0} 0 0 0\nint inf {2} 64 2 0\n"
         "float 50 {0} 128 4 0\nfloat 500 {0} 256 2 0\nfloat 5000 {2} 64 2 7\nfloat inf {5} 0 4 0\n")


def configurations(t, where, id):
    text = t.read(f"{where}/variants/{id}.cu")
    return re.findall(r"C\((\d+), (\d+)\)", re.search(r"^#define \w+_CONFIGURATIONS\(C\)(.*)$", text, re.M)[1])


def test_what_is_in_it(t):
    m = written(t, THREE)
    ids = [v["id"] for v in m["variants"]]
    kept = [ids[0], ids[2], ids[5]]
    t.run("ship").exits(0).silent().prints(f"3 of {len(ids)} variants of sum for sm_90 in release")
    release = json.loads(t.read("release/manifest.json"))
    if [v["id"] for v in release["variants"]] != kept or release["dispatch"] != m["dispatch"]:
        raise Failed(f"the release has {[v['id'] for v in release['variants']]}")
    if sorted(os.listdir(t.path("release/variants"))) != sorted(f"{id}.cu" for id in kept):
        raise Failed(f"the release has {os.listdir(t.path('release/variants'))}")
    for id, wanted in ((kept[0], None), (kept[1], [("64", "2")]), (kept[2], None)):
        found, before = configurations(t, "release", id), configurations(t, "out", id)
        if wanted and found != wanted or not set(found) <= set(before):
            raise Failed(f"{id} is compiled for {found}, of {before}")
    if configurations(t, "release", kept[0])[0] != configurations(t, "out", kept[0])[0]:
        raise Failed("a row leaves the configuration to the variant, whose own does not come first")
    for name in ("CMakeLists.txt", "sum.cu"):
        for id in ids:
            if (id in t.read(f"release/{name}")) != (id in kept):
                raise Failed(f"{name}: {id}")
    if "sum_variant_count = 3;" not in t.read("release/sum.cu"):
        raise Failed("the number of variants is another one")
    same = [name for name in ("sum.h", "sum.table", "sum_from.cu",
                              "sum_counted.cu") if t.read(f"out/{name}") != t.read(f"release/{name}")]
    if same:
        raise Failed(f"{same} differ")


def test_again(t):
    """A release of a release is the same; a second run touches nothing; what -v, -q and --json say."""
    written(t, THREE)
    t.run("ship", "out", "-o", "one").exits(0)
    times = t.shell("find one -type f -printf '%p %T@\\n' | sort").out
    t.run("ship", "out/", "-o", "one", "-q").exits(0).silent().expect(t.shell("find one -type f -printf '%p %T@\\n' | sort").out == times,
                                                                    "files were touched")
    t.run("ship", "one", "-o", "two").exits(0).prints("3 of 3 variants")
    t.shell("diff -r one two").exits(0)
    said = json.loads(t.run("ship", "out", "-o", "one", "--json").exits(0).silent().out)
    machine = said["machines"][0]
    if len(machine["variants"]) != 3 or len(machine["left_out"]) < 5 or machine["variants"][1]["configurations"] != "C(64, 2)":
        raise Failed(f"--json says {said}")
    t.run("ship", "out", "-o", "one", "-v").exits(0).prints(*(v["plan"] for v in machine["variants"]), "C(64, 2)")


@by_turns(12)
def test_it_computes(t):
    """The library of a release, its functions that start from a value or read n, on the executor; and its check."""
    written(t, THREE)
    t.run("ship", "out", "-o", "release").exits(0)
    build(t, t.source("tests", "library", "calls.cc"), out="release")
    calls(t, 0, 1, 50, 51, 101, 501, 5001, 70000)
    t.run("check", "release", "--quick", "--plain", timeout=300).exits(0).prints("3 of 3 variants of sum passed")


# What CMake is told, run as a script: the commands that need a compiler are replaced.
AS_SCRIPT = """function(project)
endfunction()
function(find_package)
endfunction()
function(add_library name)
  if(ARGN)
    set_property(GLOBAL PROPERTY SOURCES_${name} ${ARGN})
  endif()
endfunction()
function(get_target_property to name property)
  get_property(found GLOBAL PROPERTY ${property}_${name})
  set(${to} ${found} PARENT_SCOPE)
endfunction()
function(tgc_sum_architectures)
  return()
endfunction()
set(CMAKE_CUDA_ARCHITECTURES 90)
"""


def test_compiled_as_one(t):
    """CMake compiles few texts as one, which includes each of them; with OFF, and of a whole folder, one by one."""
    written(t, THREE)
    t.run("ship", "out", "-o", "release").exits(0)
    wanted = ["sum.cu", "sum_from.cu", "sum_counted.cu"] + sorted(f"variants/{name}" for name in os.listdir(t.path("release/variants")))
    text = t.read("release/CMakeLists.txt")
    block = re.search(r"^add_library\(tgc_sum\n.*?^\)\n.*?^endif\(\)\n", text, re.M | re.S)
    if not block or "AS_ONE" in t.read("out/CMakeLists.txt"):
        raise Failed("a release's CMakeLists.txt does not compile as one, or a folder's does")
    t.write("release/script.cmake", AS_SCRIPT + block[0].replace("set_target_properties(tgc_sum PROPERTIES SOURCES",
                                                                 "message(\"compiled is") .replace(".cu)\nendif", ".cu\")\nendif"))
    t.shell("cd release && cmake -P script.cmake").exits(0).says("compiled is", "release/tgc_sum.cu")
    included = re.findall(r'^#include "(.*)"$', t.read("release/tgc_sum.cu"), re.M)
    if sorted(os.path.relpath(path, t.path("release")) for path in included) != sorted(wanted):
        raise Failed(f"the text includes {included}, not {wanted}")
    os.remove(t.path("release/tgc_sum.cu"))
    t.shell("cd release && cmake -DTGC_SUM_AS_ONE=OFF -P script.cmake").exits(0).silent()


@by_turns(8)
def test_one_text_computes(t):
    """All texts of a release as one text, on the executor."""
    written(t, THREE)
    t.run("ship", "out", "-o", "release").exits(0)
    one = ""
    for path in sorted(pathlib.Path(t.path("release")).rglob("*.cu")):
        path.rename(f"{path}.inc")  # only the one text is compiled
        one += f'#include "{path}.inc"\n'
    t.write("release/tgc_sum.cu", one)
    build(t, t.source("tests", "library", "calls.cc"), out="release")
    calls(t, 0, 1, 50, 51, 101, 501, 5001, 70000)


@by_turns(2.5)
def test_of_a_cpu(t):
    """Its dispatch in C is cut to the same; a program links it alone, and gets what the whole library gives."""
    m = written(t, machine="avx2", types="float,double", keep="16")
    wanted = sorted({row["variant"] for row in m["dispatch"]})
    t.run("ship", "out", "-o", "release").exits(0).silent()
    t.write("main.c", """#include "sum.h"
#include <stdio.h>
#include <stdlib.h>
static double in[300007];
static float small[300007];
int main(void) {
  for (int i = 0; i < 300007; i++) small[i] = (float)(in[i] = i % 9 - 4);
  void *workspace = calloc(1, 1 << 20);
  for (int n = 0; n < 300007; n = 3 * n + 1) {
    size_t bytes = 1 << 20;
    double out;
    float single;
    if (sum_double(workspace, &bytes, in, (uint64_t)n, &out) || sum_float(workspace, &bytes, small, (uint64_t)n, &single)) return 1;
    printf("%d %g %g\\n", n, out, single);
  }
  printf("%d\\n", sum_variant_count);
  return 0;
}
""")
    said = {}
    for where in ("out", "release"):
        options = json.loads(t.read(f"{where}/manifest.json"))["options"]
        r = t.shell(f"{os.environ.get('TGC_CC', 'cc')} -std=c11 -O1 {options} -Wall -Werror -fopenmp -I {where} main.c {where}/sum.c "
                    f"{where}/variants/*.c -lm -o {where}.bin && ./{where}.bin", timeout=300)
        said[where] = r.exits(0).out.splitlines()
    if said["out"][:-1] != said["release"][:-1] or said["release"][-1] != str(len(wanted)) or said["out"][-1] == said["release"][-1]:
        raise Failed(f"the library says {said['out']}, its release {said['release']}")
    other = next(v["id"] for v in m["variants"] if v["id"] not in wanted)
    t.shell(f"TGC_VARIANT={other} ./release.bin").exits(1)
    t.shell(f"TGC_VARIANT={other} ./out.bin").exits(0)


@by_turns(2.5)
def test_several_machines(t):
    t.run(t.sum, "--arch", "sm_60,sm_90", "--types", "int", "--keep", "6", "--table", "none", "-o", "out").exits(0)
    r = t.run("ship", "out", "-o", "release").exits(0).silent()
    r.prints("variants of sum_sm_60 for sm_60", "variants of sum_sm_90 for sm_90")
    for machine in ("sm_60", "sm_90"):
        m = json.loads(t.read(f"release/{machine}/manifest.json"))
        kept = sorted({row["variant"] for row in m["dispatch"]})
        if sorted(v["id"] for v in m["variants"]) != kept or sorted(os.listdir(t.path(f"release/{machine}/variants"))) != [f"{id}.cu" for id in kept]:
            raise Failed(f"{machine}: {m['variants']}")
        listed = re.findall(rf"^  {machine}/variants/(\w+)[.]cu$", t.read("release/CMakeLists.txt"), re.M)
        if sorted(listed) != kept:
            raise Failed(f"CMakeLists.txt has {listed} of {machine}")
        own = re.findall(r"^  variants/(\w+)[.]cu$", t.read(f"release/{machine}/CMakeLists.txt"), re.M)
        if sorted(own) != kept:
            raise Failed(f"{machine}/CMakeLists.txt has {own}")
    t.run("check", "release", "--quick", "--plain", timeout=300).exits(0)


def test_refusals(t):
    """Nothing is written where a release cannot be made, or must not go."""
    m = written(t, THREE)
    t.refuses(2, "ship", "out", "-o", "out").says("a folder of its own")
    t.refuses(2, "ship", "out", "-o", "./out/").says("a folder of its own")
    t.write("theirs/file.txt", "mine")
    t.refuses(1, "ship", "out", "-o", "theirs").says("holds files that tgc did not make")
    text = t.read("out/manifest.json")
    first, dropped = m["dispatch"][0]["variant"], next(v["id"] for v in m["variants"] if v["id"] not in THREE and
                                                       v["id"] not in {row["variant"] for row in m["dispatch"]})

    def edited(said, change):
        wrong = json.loads(text)
        change(wrong)
        t.write("out/manifest.json", json.dumps(wrong, indent=2))
        t.refuses(1, "ship", "out", "-o", "release").says(said).hints()
    edited("invalid variant in dispatch[0], `nosuch'", lambda m: m["dispatch"][0].update(variant="nosuch"))
    edited("selects no variant", lambda m: m.update(dispatch=[]))
    edited("invalid spectrum", lambda m: m.update(spectrum="../sum"))
    edited("invalid file `variants/../../x.cu'", lambda m: m["variants"][0].update(file="variants/../../x.cu"))
    edited("invalid file `/etc/passwd'", lambda m: m["variants"][0].update(file="/etc/passwd"))
    edited("invalid id", lambda m: m["variants"][0].update(id="a b"))
    edited("invalid machine", lambda m: m.update(machine="../x"))
    edited("does not define", lambda m: [v.update(configurations_macro="OTHER") for v in m["variants"]])
    t.write("out/manifest.json", text)
    library = t.read("out/sum.cu")
    t.write("out/sum.cu", library.replace(first, "0"))
    t.refuses(1, "ship", "out", "-o", "release").says(f"does not have the variant {first}")
    t.write("out/sum.cu", library + f"// x{dropped}\n")
    t.refuses(1, "ship", "out", "-o", "release").says(f"cannot take the variant {dropped} out of")
    t.write("out/sum.cu", "")
    t.refuses(1, "ship", "out", "-o", "release").says("is not a text")
    t.write("out/sum.cu", library)
    os.remove(t.path(f"out/variants/{first}.cu"))
    t.refuses(1, "ship", "out", "-o", "release").says(f"cannot read `out/variants/{first}.cu'")
