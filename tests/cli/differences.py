"""tgc diff: two folders told apart by their plans, texts, dispatch and measurements; its statuses are those of diff(1)."""
import json, os, re, shutil, sqlite3

from harness import Failed


def write(t, out, *more, machine="sm_90"):
    t.run(t.sum, "--arch", machine, "--types", "int,float", "--keep", "6", "--table", "none", "-o", out, *more).exits(0)
    return json.loads(t.read(f"{out}/manifest.json"))


def compared(t, *more, status=1):
    r = t.run("diff", "one", "other", *more)
    return r.exits(status).expect(status == 2 or not r.err, "expected nothing on stderr")


def test_the_same(t):
    write(t, "one")
    write(t, "other")
    compared(t, status=0).prints("one and other are the same")
    compared(t, "-q", status=0).expect(not compared(t, "-q", status=0).out, "expected no output")
    os.rename(t.path("other"), t.path("out"))
    t.run("diff", "one").exits(0).prints("one and out are the same")
    if json.loads(t.run("diff", "one", "out", "--json").exits(0).out)["same"] is not True:
        raise Failed("--json does not say that they are the same")


def test_plans(t):
    a = write(t, "one")
    t.run(t.sum, "--arch", "sm_90", "--types", "int", "--keep", "3", "--table", "none", "-o", "other").exits(0)
    b = json.loads(t.read("other/manifest.json"))
    r = compared(t).prints("--- one", "+++ other", "types", "- int,float", "+ int\n")
    only = {v["id"]: v["plan"] for v in a["variants"]}
    for v in b["variants"]:
        only.pop(v["id"], None)
    for id, plan in only.items():
        r.prints(f"  {id}\n    - {plan}\n")
    said = json.loads(compared(t, "--json").out)
    if {x["where"]: x["one"] for x in said["variants"] if x["one"]} != only or said["same"]:
        raise Failed(f"--json says {said['variants']}")
    compared(t, "-q").expect(not compared(t, "-q").out, "expected no output")


def test_texts(t):
    m = write(t, "one")
    write(t, "other")
    name = m["variants"][2]["file"]
    t.write(f"other/{name}", t.read(f"other/{name}").replace("return", "/* here */ return", 1))
    t.write("other/sum.h", t.read("other/sum.h") + "// more\n")
    r = compared(t).prints("texts that differ", f"  {name}\n", "  sum.h\n")
    r.expect("here" not in r.out, "lines are printed without -v")
    compared(t, "-v").prints("/* here */ return", "+// more")
    os.remove(t.path("other/sum.h"))
    compared(t).prints("  sum.h\n")


def test_dispatch(t):
    """Each piece of the sizes is served by one row of either folder."""
    ids = [v["id"] for v in write(t, "one")["variants"]]
    t.write("a.table", f"float 100 {ids[0]} 0 0 0\nfloat 1000 {ids[1]} 64 2 0\nfloat inf {ids[2]} 0 0 0\n")
    t.write("b.table", f"float 100 {ids[0]} 0 0 0\nfloat 500 {ids[1]} 64 2 0\nfloat inf {ids[2]} 0 0 0\n")
    for out, table in (("one", "a.table"), ("other", "b.table")):
        t.run(t.sum, "--arch", "sm_90", "--types", "int,float", "--keep", "6", "--table", table, "-o", out).exits(0)
    said = json.loads(compared(t, "--json").out)
    wanted = [{"where": "float, 501 to 1000", "one": f"{ids[1]} (threads 64, loads 2)", "other": ids[2]}]
    if said["dispatch"] != wanted:
        raise Failed(f"the dispatch differs in {said['dispatch']}, not {wanted}")
    compared(t).prints("dispatch\n  float, 501 to 1000\n")


def database(t, where, rows):
    db = sqlite3.connect(t.path(f"{where}/tune.db"))
    db.execute("CREATE TABLE measurement (type TEXT, n INTEGER, count INTEGER, variant TEXT, mode TEXT, median REAL)")
    db.executemany("INSERT INTO measurement VALUES (?, ?, ?, ?, ?, ?)", rows)
    db.commit()
    db.close()


def test_measurements(t):
    write(t, "one")
    shutil.copytree(t.path("one"), t.path("other"))
    common = [("float", 64, 0, "a", "graph", 1.0), ("float", 64, 0, "b", "graph", 2.0),
              ("float", 64, 0, "b", "sync", 0.1)]
    database(t, "one", common + [("float", 128, 0, "a", "graph", 3.0), ("int", 16, 4, "a", "graph", 5.0),
                                 ("int", 99, 0, "a", "graph", 5.0)])
    database(t, "other", common + [("float", 128, 0, "b", "graph", 2.5), ("int", 16, 4, "a", "graph", 5.1)])
    said = json.loads(compared(t, "--json").out)
    if said["measured"] != [{"where": "float, 128", "one": "3 us (a)", "other": "2.5 us (b)"}]:
        raise Failed(f"measured: {said['measured']}")
    compared(t).prints("1 of 3 measured sizes differ by more than 3%")
    t.write("other/tune.db", "no database")
    compared(t, status=2).says("cannot read the measurements `other/tune.db'")
    os.remove(t.path("other/tune.db"))
    compared(t, status=0)


def test_several_machines(t):
    for out in ("one", "other"):
        t.run(t.sum, "--arch", "sm_60,sm_90", "--types", "int", "--keep", "3", "--table", "none", "-o", out).exits(0)
    compared(t, status=0).prints("one/sm_60 and other/sm_60 are the same", "one/sm_90 and other/sm_90 are the same")
    if [x["same"] for x in json.loads(compared(t, "--json", status=0).out)] != [True, True]:
        raise Failed("--json does not have both machines")
    shutil.rmtree(t.path("other"))
    write(t, "other")
    compared(t, status=2).says("are for different machines").hints("one machine's folder")
    t.run("diff", "one/sm_60", "other").exits(1).prints("machine\n    - sm_60\n    + sm_90")


def test_trouble(t):
    write(t, "one")
    t.refuses(2, "diff", "one", "nowhere").says("nowhere/manifest.json")
    t.refuses(2, "diff", "one", "one", "-q", "-v").says("contradict")
    t.write("other/manifest.json", t.read("one/manifest.json").replace('"file": "variants/', '"file": "../variants/'))
    t.refuses(2, "diff", "other", "one").says("invalid file")
    t.write("other/manifest.json", t.read("one/manifest.json").replace("grid", "\\u001b[31mgrid"))
    r = t.run("diff", "one", "other").exits(1)
    r.expect("\033" not in r.out, "control characters reach the terminal")
    t.run("diff", "one", "other", "--color=always").exits(1)


def test_color(t):
    write(t, "one")
    write(t, "other", "--determinism=gpu_to_gpu")
    r = compared(t, "--color=always")
    r.expect(re.search(r"\033\[3[12]m[-+] ", r.out), "expected color")
    r.expect("\033" not in compared(t).out, "color in a pipe")
