"""Bad input to every verb: folders that are none, manifests that somebody else wrote, options that are none. Each ends
with status 1 or 2 and a reason, crashes nowhere, and leaves everything as it was."""
import copy, json, os, random

from harness import Failed, by_turns, difference, tree

FOLDER_VERBS = (("check", "--plain", "--no-codelets", "--sizes", "33", "--seeds", "1"), ("tune", "--sizes", "64"),
                ("bench", "--build-only"), ("explain", "a"), ("diff", "good"),
                ("ship", "-o", "release"))
ABSENT = {"TGC_NVCC": "/no/nvcc", "TGC_CC": "/no/cc", "TGC_CXX": "/no/c++"}


def ends(t, *words, said=None):
    """The run ends by itself with status 1 or 2, a reason on stderr, and no trace of a crash; nothing is left behind."""
    before = tree(t.folder)
    r = t.run(*words, env={**os.environ, **ABSENT}, timeout=60)
    r.expect(r.status in (1, 2), "expected status 1 or 2").expect(r.err.strip(), "expected a reason")
    for trace in ("Sanitizer", "Traceback", "runtime error", "Assertion"):
        r.expect(trace not in r.err, f"expected no {trace}")
    changed = difference(before, tree(t.folder))
    r.expect(not [name for name in changed if not name.startswith("bad/tune.db") and name != "bad"],
             f"left behind: {changed[:4]}")
    return r.says(said) if said else r


def verbs_on(folder):
    for verb, *more in FOLDER_VERBS:
        yield (verb, *more, folder)


def write_good(t):
    t.run(t.sum, "--arch", "sm_60", "--types", "int", "--keep", "2", "--table", "none", "-o", "good").exits(0)
    return json.loads(t.read("good/manifest.json"))


@by_turns(2)
def test_folders_that_are_none(t):
    write_good(t)
    os.mkdir(t.path("empty"))
    t.write("file", "text")
    os.makedirs(t.path("strange/manifest.json"))
    os.symlink("nowhere", t.path("link"))
    for folder in ("nowhere", "empty", "file", "strange", "link", "/dev/null", "x" * 5000, "good/variants"):
        for words in verbs_on(folder):
            ends(t, *words, said="manifest.json" if len(folder) < 100 else None)


@by_turns(4)
def test_manifests_that_are_none(t):
    write_good(t)
    for text in (b"", b"{", b"[]", b"null", b"{}", b"\xff\xfe\x00", b"\0" * 100, b"[" * 100000, b'{"a":' * 5000,
                 b'{"version": 1, "generator": "tgc"}',
                 b'{"version": 99, "generator": "tgc"}', b'{"version": 1, "generator": "cub"}',
                 b'{"version": 1e400, "generator": "tgc"}',
                 b'{"version": 1, "generator": "tgc", "machines": [{"machine": "x", "compute": 1, "folder": "../good"}], "spectrum": "s", '
                 b'"source": "s", "types": []}',
                 b'{"version": 1, "generator": "tgc", "machines": [], "spectrum": "s", "source": "s", "types": []}'):
        t.write("bad/manifest.json", text)
        for words in verbs_on("bad"):
            ends(t, *words)


WRONG = (None, "", 0, -1, 2 ** 62, 1.5, True, [], {}, "../../etc/passwd", "a b", "$(touch x)", "x" * 3000, "\x1b[31m",
         "\"; system(\"x", "%s%n", ["a"], {"a": 1})


def places(value, at=()):
    """Every place in a manifest, the lists by their first item."""
    yield at
    items = value.items() if isinstance(value, dict) else list(enumerate(value))[:1] if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*at, key))


def changed(manifest, at, value):
    m = copy.deepcopy(manifest)
    inner = m
    for key in at[:-1]:
        inner = inner[key]
    if value is KeyError:
        del inner[at[-1]]
    else:
        inner[at[-1]] = value
    return m


@by_turns(8)
def test_manifests_of_others(t):
    """Each place with a value that cannot be there, drawn: verbs that only read take it or refuse it, and none of them
    crashes, writes outside, or prints what a terminal obeys."""
    manifest = write_good(t)
    t.shell("cp -r good bad")
    drawn = random.Random(os.environ.get("TGC_SEED", "") or None)
    all_places = [at for at in places(manifest) if at and at[0] not in ("version", "generator")]
    for at in drawn.sample(all_places, min(len(all_places), 60)):
        value = drawn.choice((KeyError, *WRONG))
        t.write("bad/manifest.json", json.dumps(changed(manifest, at, value)))
        where = f"{at} = {value!r}"[:200]
        for words in (("explain", manifest["variants"][0]["id"], "bad"),
                      ("explain", "--json", manifest["variants"][0]["id"], "bad"),
                      ("diff", "good", "bad"), ("diff", "bad", "good", "--json"),
                      ("ship", "bad", "-o", "release", "-v")):
            before = tree(t.folder)
            r = t.run(*words)
            r.expect(r.status in (0, 1, 2), f"{where}: status {r.status}")
            r.expect("Sanitizer" not in r.err and "\x1b" not in r.out + r.err,
                     f"{where}: a crash, or what a terminal obeys")
            r.expect(r.status == 0 or words[0] == "diff" or r.err, f"{where}: expected a reason")
            left = difference(before, tree(t.folder))
            r.expect(all(name.split("/")[0] == "release" for name in left), f"{where}: wrote {left}")
            r.expect(not left or r.status == 0, f"{where}: half-written")
            t.shell("rm -rf release")


def test_texts_that_are_none(t):
    """Of a release, the files that it reads: missing, empty, a folder, not text."""
    m = write_good(t)
    id = m["dispatch"][0]["variant"]
    for name in ("sum.cu", "sum.h", "CMakeLists.txt", f"variants/{id}.cu"):
        for how in ("rm", "mkdir", "bytes"):
            t.shell(f"rm -rf bad release && cp -r good bad && rm bad/{name}")
            if how == "mkdir":
                os.mkdir(t.path(f"bad/{name}"))
            elif how == "bytes":
                t.write(f"bad/{name}", b"\0\xff" * 500)
            r = t.run("ship", "bad", "-o", "release")
            if name in ("sum.h", "CMakeLists.txt") and how == "bytes":
                continue
            r.exits(1).says(name).expect(not os.path.exists(t.path("release")), "half-written")


@by_turns(3)
def test_options_that_are_none(t):
    write_good(t)
    for verb in ("compile", "check", "tune", "bench", "explain", "diff", "ship", "new", "rules", "archs", "lsp", "help",
                 "version"):
        for option in ("--nonsense", "-Z", "--", "---", "-", "--=", "--help=x", "--" + "x" * 5000, "--j\x1b[31m"):
            words = (verb, option, "good", "good", "good", "good")
            r = ends(t, *words)
            r.expect("\x1b" not in r.err, "what a terminal obeys is passed on")
    for words in (("check", "good", "--jobs", "0"), ("check", "good", "--sizes", "2^99"),
                  ("check", "good", "--sizes", ""), ("check", "good", "--seeds", "9" * 30),
                  ("check", "good", "--quick", "--sizes", "1"), ("check", "good", "--quick", "--device"),
                  ("check", "good", "--timeout=-1"),
                  ("compile", "nowhere.cdl", "--arch", "sm_60"), ("compile", t.sum, "--arch", "nowhere"),
                  ("compile", t.sum, "--arch", "/dev/null"),
                  ("rules", "nowhere.cdl"), ("new", "x", "-o", ""), ("ship", "good", "-o", ""),
                  ("ship", "good", "-o", "/proc/no"), ("help", "-o", "/proc/no")):
        ends(t, *words)


def test_every_machine_that_cannot_be_written(t):
    """A file system that is full or read-only: what is written is whole, or not there."""
    write_good(t)
    for words in ("ship good -o /dev/full/x", "new norm -o /dev/full/x", "help -o /dev/full/x"):
        ends(t, *words.split())
    t.shell('ulimit -f 4; "$TGC" ship good -o limited').exits(1).says("limited").expect(not os.path.exists(t.path("limited")), "half-written")
    for words in ("diff good good", "ship good -o all --json", "archs --json",
                  "check good --quick --json --plain --no-codelets"):
        t.shell(f'"$TGC" {words} > /dev/full', timeout=300).expect(True, "").exits(2 if words.startswith("diff") else 1)
