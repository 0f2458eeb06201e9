"""tgc check --quick: a sample, chosen by what the dispatch selects; and what -q, -v and --json say of a check."""
import json, re

from harness import Failed, by_turns

PLAIN = ("--plain", "--no-codelets")


def write(t, *more, out="out"):
    t.run(t.sum, "--arch", "sm_60", "--types", "int", "-o", out, *more).exits(0)
    return json.loads(t.read(f"{out}/manifest.json"))


@by_turns(4)
def test_the_sample(t):
    """Each category, what the dispatch selects, and six variants in all; the sizes end where blocks do."""
    m = write(t)
    said = json.loads(t.run("check", "--quick", *PLAIN, "--json", timeout=300).exits(0).out)
    checked = [v["id"] for v in said["variants"]]
    kinds = {v["category"] for v in m["variants"]}
    if len(checked) != 6 or {v["category"] for v in said["variants"]} != kinds:
        raise Failed(f"the sample is {said['variants']}, of the categories {kinds}")
    selected = list(dict.fromkeys(row["variant"] for row in m["dispatch"]))
    if not set(selected[:2]) <= set(checked):
        raise Failed(f"the dispatch selects {selected}, and {checked} were checked")
    again = json.loads(t.run("check", "--quick", *PLAIN, "--json", timeout=300).exits(0).out)
    if [v["id"] for v in again["variants"]] != checked:
        raise Failed("the sample is another one each time")
    t.run("check", "--quick", *PLAIN, timeout=300).exits(0).prints(f"a sample: {len(m['variants']) - 6} more variants were not checked")
    few = write(t, "--keep", "3", out="few")
    t.run("check", "few", "--quick", *PLAIN, timeout=300).exits(0).prints("3 of 3 variants").expect(len(few["variants"]) == 3, "")


@by_turns(2.5)
def test_it_finds_races(t):
    """Memory accesses are watched: a barrier that is missing is found."""
    m = write(t, "--keep", "4")
    selected = next(v["id"] for v in m["variants"] if "__syncthreads();" in t.read(f"out/variants/{v['id']}.cu"))
    path = f"out/variants/{selected}.cu"
    t.write(path, t.read(path).replace("__syncthreads();", "", 1))
    r = t.run("check", "--quick", "--json", timeout=300).exits(1)
    said = json.loads(r.out)
    races = [f for f in said["failures"] if f["variant"] == selected and f["kind"] == "race"]
    if said["passed"] or not races or "__syncthreads" in races[0]["what"]:
        raise Failed(f"--json says {said}")
    if [v["passed"] for v in said["variants"] if v["id"] == selected] != [False]:
        raise Failed(f"{selected} passed")
    quiet = t.run("check", "--quick", "--no-codelets", "-q", timeout=300).exits(1).silent().prints(f"{selected}: race")
    quiet.expect("passed on" not in quiet.out, "-q prints a summary")


@by_turns(4)
def test_what_is_said(t):
    m = write(t, "--keep", "2")
    few = (*PLAIN, "--sizes", "33", "--seeds", "1")
    t.run("check", *few, "-v", timeout=300).exits(0).prints(*(f"{v['id']}  {v['category']}, " for v in m["variants"]),
                                                            *(v["plan"] for v in m["variants"]))
    r = t.run("check", *few, "-q", timeout=300).exits(0).silent()
    r.expect(not r.out, "expected no output")
    said = json.loads(t.run("check", "--sizes", "33", "--seeds", "1", "--json", timeout=300).exits(0).out)
    if not said["passed"] or said["machine"] != "sm_60" or len(said["variants"]) != 2 or not all(c["passed"] for c in said["codelets"]) \
            or len(said["codelets"]) < 4 or not all(v["runs"] for v in said["variants"]):
        raise Failed(f"--json says {said}")
    t.run("check", *PLAIN, "--sizes", "2^5,0,2^10", "--seeds", "1", timeout=300).exits(0)
    t.run(t.sum, "--arch", "sm_60,sm_90", "--types", "int", "--keep", "1", "-o", "two").exits(0)
    both = json.loads(t.run("check", "two", *few, "--json", timeout=300).exits(0).out)
    if [one["machine"] for one in both] != ["sm_60", "sm_90"]:
        raise Failed(f"--json says {both}")


def test_keep_harness(t):
    write(t, "--keep", "1")
    for option in ("--keep-harness", "--keep"):
        r = t.run("check", *PLAIN, "--sizes", "1", "--seeds", "1", option, timeout=300).exits(0)
        where = re.search(r"^tgc: the harness is in (\S+)$", r.err, re.M)
        r.expect(where, "expected the harness's folder")
        t.shell(f"test -x {where[1]}/u0 && rm -r {where[1]}").exits(0)
