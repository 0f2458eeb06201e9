"""A folder of several machines: what is in it, what works on it, and which machine serves a device."""
import json, os

from harness import Failed, by_turns, tree
from library_calls import build

OPTIONS = ("--types", "int", "--keep", "3", "--columns", "none")


def write(t, machines, out="out"):
    return t.run(t.sum, "--arch", machines, *OPTIONS, "-o", out).exits(0).silent()


def test_lists_that_are_none(t):
    for machines, said in (("sm_60,", "an empty name"), (",sm_60", "an empty name"), (",", "an empty name"),
                           ("sm_60,,sm_80", "an empty name"), ("sm_60,sm_80,sm_60", "`sm_60' is given twice")):
        t.refuses(2, t.sum, "--arch", machines, "-o", "out").says(said)
    t.refuses(1, t.sum, "--arch", "sm_60,sm_8", "-o", "out").says("unknown machine `sm_8'").hints("sm_80")
    t.refuses(2, "rules", t.sum, "--arch", "sm_60,sm_80").says("one machine at a time")
    t.refuses(2, t.sum, "--arch", "sm_80,sm_90", "--table", "x", "-o", "out").says("a table belongs to one machine")
    t.refuses(2, t.sum, "--arch", "sm_80", "--arch", "sm_90", "-o", "out").says("`--arch' is given twice")
    t.write("twin.yaml", open(t.source("archspec", "sm_80.yaml"), encoding="utf-8").read().replace(
        "name: sm_80", "name: twin"))
    t.refuses(1, t.sum, "--arch", "sm_80,twin.yaml", "-o", "out").says("both of compute capability 8.0").hints("leave")


def test_each_as_alone(t):
    """A machine's folder is what it is alone, but for the names, and the table for all."""
    r = write(t, "sm_90,sm_80")
    r.prints("3 variants of sum for sm_80 in out/sm_80\n", "3 variants of sum for sm_90 in out/sm_90\n")
    m = json.loads(t.read("out/manifest.json"))
    if [(one["machine"], one["compute"], one["folder"]) for one in m["machines"]] != [
            ("sm_80", 80, "sm_80"), ("sm_90", 90, "sm_90")] or m["spectrum"] != "sum":
        raise Failed(f"the manifest: {m}")
    for machine in ("sm_80", "sm_90"):
        write(t, machine, "alone-" + machine)
        alone, there = tree(t.path("alone-" + machine)), tree(t.path("out/" + machine))
        for name, what in alone.items():
            own = name.replace("sum", "sum_" + machine) if name.startswith("sum") else name
            if own not in there:
                raise Failed(f"{machine} lacks {own}")
            if what[0] != "file" or name == "manifest.json":
                continue
            text = there[own][1].decode().replace("sum_" + machine, "sum").replace("SUM_" + machine.upper(), "SUM")
            if text != what[1].decode():
                raise Failed(f"{machine}'s {own} differs")
        if len(alone) != len(there):
            raise Failed(f"{machine} has {sorted(there)}")
    write(t, "sm_80,sm_90", "other")
    if tree(t.path("out")) != tree(t.path("other")):
        raise Failed("the order of the list changes the folder")


def test_own_machine_with_an_odd_name(t):
    text = open(t.source("archspec", "sm_60.yaml"), encoding="utf-8").read()
    t.write("odd.yaml", text.replace("name: sm_60", "name: my-gpu+1.0"))
    write(t, "odd.yaml,sm_80")
    if "sum_my_gpu_1_0_int(" not in t.read("out/my-gpu+1.0/sum_my_gpu_1_0.h"):
        raise Failed("a name that C does not take")


def files(t):
    return {name for name, what in tree(t.path("out")).items() if what[0] == "file"}


def test_from_one_to_several_and_back(t):
    """What an earlier run wrote goes; what others put there stays."""
    write(t, "sm_60")
    one = files(t)
    t.write("out/mine.txt", "mine")
    write(t, "sm_60,sm_80")
    several = files(t)
    if not {"mine.txt", "sum.cu", "sm_60/sum_sm_60.cu"} <= several or several & {"sum.table", "sum_from.cu"}:
        raise Failed(f"of several: {sorted(several)}")
    write(t, "sm_80,sm_90")
    if any(name.startswith("sm_60") for name in tree(t.path("out"))):
        raise Failed("a machine stays that is no longer made")
    t.write("out/sm_90/mine.txt", "mine")
    write(t, "sm_60")
    if files(t) != one | {"mine.txt", "sm_90/mine.txt"} or "sm_80" in tree(t.path("out")):
        raise Failed(f"back again: {sorted(files(t))}")
    before = tree(t.path("out"))
    write(t, "sm_60")
    if tree(t.path("out")) != before:
        raise Failed("the same again changes something")


def test_listing(t):
    r = t.run(t.sum, "--arch", "sm_60,sm_80", *OPTIONS, "--list").exits(0).silent()
    r.prints("sum of sum.cdl for sm_60", "sum of sum.cdl for sm_80")
    r = t.run(t.sum, "--arch", "sm_60,sm_80", *OPTIONS, "--list=json", "-o", "out").exits(0).silent()
    r.expect(r.out == t.read("out/manifest.json"), "expected what manifest.json holds")


def ids(t, machine):
    return [v["id"] for v in json.loads(t.read(f"out/{machine}/manifest.json"))["variants"]]


@by_turns(4)
def test_check(t):
    write(t, "sm_60,sm_80")
    options = ("--sizes", "0,33", "--seeds", "1", "--plain")
    t.run("check", "out", "--no-codelets", *options, timeout=300).exits(0).prints(
        "out/sm_60\n", "\nout/sm_80\n", "3 of 3 variants of sum_sm_60", "3 of 3 variants of sum_sm_80")
    file = f"out/sm_80/variants/{ids(t, 'sm_80')[0]}.cu"
    t.write(file, t.read(file).replace("workspace_bytes == nullptr) return", "workspace_bytes != nullptr) return"))
    t.run("check", "out", "--no-codelets", *options, timeout=300).exits(1).prints("3 of 3 variants of sum_sm_60", "2 of 3")


@by_turns(1.5)
def test_a_variant_of_one_machine(t):
    t.run(t.sum, "--arch", "sm_60,sm_90", "--types", "int", "-o", "out").exits(0)
    old, new = ids(t, "sm_60"), ids(t, "sm_90")
    both, own = sorted(set(old) & set(new)), sorted(set(new) - set(old))
    r = t.run("check", "out", "--variant", own[0], "--sizes", "33", "--seeds", "1", timeout=300).exits(0)
    r.prints("out/sm_90\n").expect("sm_60" not in r.out, "expected one machine")
    t.run("check", "out", "--variant", "zz").exits(1).says("no machine of `out' has a variant `zz'")
    r = t.run("explain", own[0], "out").exits(0).silent().prints("out/sm_90\n", own[0])
    r.expect("sm_60" not in r.out, "expected one machine")
    t.run("explain", both[0], "out").exits(0).prints("out/sm_60\n", "\nout/sm_90\n")
    t.run("explain", both[0], "out", "--svg", "x.svg").exits(1).says("several machines of `out'").hints("out/sm_60")
    t.run("explain", "zz", "out").exits(1).says("no machine of `out' has a variant `zz'")


def test_what_takes_one_machine(t):
    """tune and bench name the folders to name."""
    write(t, "sm_60,sm_80")
    t.run("bench", "out").exits(1).says("`out' is of several machines", "out/sm_60, out/sm_80")
    r = t.run("tune", "out")
    r.expect(r.status == 1, "expected status 1").says("`out' is of several machines").hints("out/sm_60, out/sm_80")


@by_turns(5)
def test_bad_manifests(t):
    write(t, "sm_60,sm_80")
    good = t.read("out/manifest.json")
    for old, new, said in (('"folder": "sm_60"', '"folder": "../sm_60"', "invalid folder `../sm_60'"),
                           ('"folder": "sm_60"', '"folder": ""', "invalid folder"),
                           ('"folder": "sm_60"', '"folder": 1', "machines[0].folder: wanted a string"),
                           ('"machines": [', '"machines": 1, "others": [', "machines: wanted an array"),
                           ('"machines": [', '"machines": [], "others": [', "has no machine")):
        t.write("out/manifest.json", good.replace(old, new))
        for verb in (("check", "out"), ("explain", "a", "out")):
            t.run(*verb).exits(1).says(said)
    t.write("out/manifest.json", good)
    os.remove(t.path("out/sm_80/manifest.json"))
    r = t.run("check", "out", "--sizes", "1", "--seeds", "1", timeout=300).exits(1)
    r.says("cannot read `out/sm_80/manifest.json'")


@by_turns(6)
def test_device_picks(t):
    """The newest machine that is not newer than the device."""
    t.run(t.sum, "--arch", "sm_60,sm_80,sm_90", "--types", "int", "--keep", "2", "-o", "out").exits(0)
    build(t, t.source("tests", "library", "machines.cc"))
    for device, machine in (("60", "sm_60"), ("75", "sm_60"), ("80", "sm_80"), ("89", "sm_80"), ("90", "sm_90"),
                            ("120", "sm_90")):
        r = t.shell("./program", TGC_SIMT_COMPUTE=device).exits(0)
        wanted = f"{machine} 6000\nsum_{machine}_int: workspace_bytes is NULL\n"
        r.expect(r.out == wanted, f"expected {wanted!r} of {device}")
    t.shell("./program", TGC_SIMT_COMPUTE="52").exits(1).prints(
        "error 209: sum: every machine of the library is newer than the device (compute capability 5.2)\n",
        "invalid argument\n")
