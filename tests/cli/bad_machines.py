"""Machine specs that are refused: unknown names, files that are no spec, levels that do not chain, impossible sizes."""
import os


def refuse(t, text, name="machine.yaml"):
    t.write(name, text)
    return t.refuses(1, t.sum, "--arch", "./" + name, "-o", "out")


def changed(t, old, new):
    """sm_60 with one thing changed."""
    text = open(t.source("archspec", "sm_60.yaml"), encoding="utf-8").read()
    assert old in text
    return text.replace(old, new, 1)


def refuse_changed(t, old, new):
    return refuse(t, changed(t, old, new))


def test_unknown_names(t):
    def refused(name):
        return t.refuses(1, t.sum, "--arch", name, "-o", "out")
    refused("sm_61").says("unknown machine `sm_61'").hints("did you mean `sm_60'?")
    refused("sm60").hints("`sm_60'")
    refused("SM_90").hints("sm_90")
    refused("turing").hints("sm_35", "sm_120")
    refused("..").says("unknown machine")
    misuse = t.refuses(2, t.sum, "--arch", "", "-o", "out")
    misuse.says("`--arch' needs a value")


def test_files_that_are_none(t):
    t.refuses(1, t.sum, "--arch", "nosuch.yaml", "-o", "out").says("nosuch.yaml", "No such file").hints("archs")
    os.mkdir(t.path("folder.yaml"))
    t.refuses(1, t.sum, "--arch", "folder.yaml", "-o", "out").says("directory").hints()
    t.refuses(1, t.sum, "--arch", "/dev/zero", "-o", "out").says("not a regular file").hints()
    refuse(t, "x" * (1 << 20)).says("too many").hints()


def test_malformed(t):
    for text in ("", "a: [1, 2\n", "- a\n- b\n", "name: sm_60\n\tlevels: 3\n", "{", "&a *a", "%PDF-1.4\n\xff",
                 "\0", "name: x\n---\nname: y\n"):
        r = refuse(t, text)
        r.expect(r.errors(), "expected an error with a place")
    refuse(t, "levels: [\n").hints()


def test_unknown_and_missing_keys(t):
    refuse_changed(t, "vector_width", "vektor_width").points(
        "./machine.yaml", 6, 1, "vektor_width").hints("`vector_width'")
    refuse_changed(t, "title: Pascal (Tesla P100)\n", "").says("title")
    refuse_changed(t, "    realised: grid", "    realised: gird").points(
        "./machine.yaml", 14, 15, "gird").hints("`grid'")
    refuse_changed(t, "compute: 6.0", "compute: six").points("./machine.yaml", 5, 10, "").hints()


def test_cycle(t):
    refuse_changed(t, "subordinate: ilp", "subordinate: grid").points("./machine.yaml", 35, 18, "cycle").hints()


def test_levels_that_do_not_chain(t):
    refuse_changed(t, "subordinate: warp", "subordinate: wrap").points(
        "./machine.yaml", 19, 18, "`wrap'").hints("`warp'")
    refuse_changed(t, "subordinate: warp", "subordinate: thread").points("./machine.yaml", 19, 18, "")
    refuse_changed(t, "name: warp", "name: block").points("./machine.yaml", 24, 11, "")


def test_impossible_sizes(t):
    refuse_changed(t, "min: 1, max: 32, default: 8", "min: 33, max: 32, default: 33").points(
        "./machine.yaml", 23, 18, "")
    refuse_changed(t, "default: 8", "default: 64").says("machine.yaml:23:")
    refuse_changed(t, "max: 32, default: 8", "max: 64, default: 8").says("machine.yaml:23:")
    refuse_changed(t, "max: 32, default: 8", "max: -1, default: 8").says("machine.yaml:23:")
    refuse_changed(t, "vector_width: 32", "vector_width: 0").points("./machine.yaml", 6, 15, "")
    refuse_changed(t, "vector_width: 32", "vector_width: 33").says("machine.yaml:6:")
    refuse_changed(t, "threads_block: 1024", "threads_block: 99999999999999999999").says("machine.yaml:48:")
    refuse_changed(t, "[shuffle,", "[independent_threads, shuffle,").says("machine.yaml:44:")


def test_several_errors_at_once(t):
    text = changed(t, "vector_width", "vektor_width")
    text = text.replace("letter: G", "letter: g7").replace("min: 1, max: 16", "min: x, max: 16")
    r = refuse(t, text)
    r.expect(len(r.errors()) >= 2, "expected several errors")


def test_rules_refuse_it_too(t):
    t.write("machine.yaml", changed(t, "subordinate: warp", "subordinate: wrap"))
    t.refuses(1, "rules", t.sum, "--arch", "machine.yaml").points("machine.yaml", 19, 18, "`wrap'").hints("`warp'")
    t.refuses(1, "rules", t.sum, "--arch", "sm_61").hints("`sm_60'")


def test_machines_without_vectors(t):
    """Rules are printed for any machine; what no kernel can be written for is said in so many words."""
    spec = t.source("tests", "specs", "micro-cpu.yaml")
    t.run("rules", t.sum, "--arch", spec).exits(0).silent()
    r = t.refuses(1, t.sum, "--arch", spec, "-o", "out").hints()
    r.expect("cannot lower" not in r.err, "expected a reason in the user's words")


def test_machines_of_ones_own_with_clusters(t):
    """A level of clusters that could compute is written for, too: by its blocks."""
    t.run(t.sum, "--arch", t.source("tests", "specs", "cluster.yaml"), "--list").exits(0).prints("grid>cluster.tiled")


def test_machines_folder_missing(t):
    r = t.shell('TGC_DATA_DIR=/nowhere "$TGC" archs').exits(1).says("archspec", "TGC_DATA_DIR")
    t.shell('TGC_DATA_DIR=/nowhere "$TGC" $SUM --arch sm_60 -o out').exits(1).says("machine")
    r.expect(not os.path.exists(t.path("out")), "something was written")
