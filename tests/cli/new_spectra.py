"""tgc new: a spectrum and its test, which pass as they are; names that cannot be."""
import os

from harness import Failed, by_turns


@by_turns(3.5)
def test_it_passes(t):
    """On this CPU by hand, as the test's first lines say, and on GPUs as far as they are compiled; then it is changed."""
    t.run("new", "norm").exits(0).silent().prints("norm/norm.cdl", "tgc compile norm/norm.cdl --arch cpu")
    if sorted(os.listdir(t.path("norm"))) != [".clangd", "CMakeLists.txt", "norm.cdl", "norm_test.c"]:
        raise Failed(f"it wrote {os.listdir(t.path('norm'))}")
    t.run("compile", "norm/norm.cdl", "--arch", "cpu", "--types", "float", "--keep", "6").exits(0).silent()
    build = f"{os.environ.get('TGC_CC', 'cc')} -Wall -Werror -O1 -fopenmp -I out norm/norm_test.c out/norm.c out/variants/*.c -lm -o norm_test"
    t.shell(f"{build} && ./norm_test", timeout=300).exits(0).prints("passed")
    t.run("check", "--quick", "--plain", timeout=300).exits(0)
    for machine in ("sm_60", "sm_90", "avx512"):
        t.run("norm/norm.cdl", "--arch", machine, "--list").exits(0).silent()
    t.write("norm/norm.cdl", t.read("norm/norm.cdl").replace("result += in[i]", "result += 2 * in[i]"))
    t.write("norm/norm_test.c", t.read("norm/norm_test.c").replace("sum += in[i]", "sum += 1 + in[i]"))
    t.shell(f"{build} && ./norm_test", timeout=300).exits(1).prints("got ", "want ", "failed")


def test_where(t):
    t.run("new", "x1", "-o", "deep/folder", "-q").exits(0).silent().expect(True, "")
    if "x1.cdl" not in os.listdir(t.path("deep/folder")):
        raise Failed("it is not where -o says")
    t.refuses(1, "new", "x1", "-o", "deep/folder").says("`deep/folder' exists already").hints("`-o'")
    t.write("taken", "a file")
    t.refuses(1, "new", "taken").says("`taken' exists already")
    os.symlink("nowhere", t.path("link"))
    t.refuses(1, "new", "link").says("exists already")


def test_what_comes_next_can_be_copied(t):
    """The command is named as it was called: by its path, quoted where a shell needs it, or by its name in the PATH."""
    t.shell('"$TGC" new by_path').exits(0).prints(f"next: {t.tgc} compile by_path/by_path.cdl",
                                                  f"&& {t.tgc} check --quick")
    t.shell('PATH="$(dirname "$TGC"):$PATH" tgc new by_name').exits(0).prints("next: tgc compile by_name/by_name.cdl")
    t.shell('mkdir "a b" && ln -s "$TGC" "a b/tgc" && "a b/tgc" new by_quotes').exits(0).prints("next: 'a b/tgc' compile by_quotes/")


def test_names(t):
    for name in ("Norm", "2norm", "a b", "a-b", "../x", "a/b", "x" * 61, "n\u00e4", "_x", "x;y"):
        t.refuses(2, "new", name).says("cannot be the name of a spectrum")
    for name in ("float", "int", "map", "partition", "max", "template", "test", "sequence"):
        t.refuses(2, "new", name).says("has a meaning of its own")
    t.refuses(2, "new", "one", "two").says("too many arguments")
    for name in ("norm2", "a", "x_y", "mapping", "maximum"):
        t.run("new", name).exits(0)
        t.run(f"{name}/{name}.cdl", "--arch", "sm_60", "--keep", "2", "--list").exits(0).silent()
