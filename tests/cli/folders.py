"""Where the output goes: folders that may not be written, are full, are a file or someone else's; whole or not
at all."""
import os

from harness import Failed, Skipped, by_turns, difference, tree


def write_to(t, out, *more):
    return t.run(t.sum, "--arch", "sm_60", "--keep", "8", "-o", out, *more)


def refused(t, out):
    return t.refuses(1, t.sum, "--arch", "sm_60", "--keep", "8", "-o", out).hints()


def unchanged(t, before, where="."):
    changed = difference(before, tree(t.path(where)))
    if changed:
        raise Failed(f"left behind or changed in {where}: {', '.join(changed[:8])}")


def test_folder_that_is_a_file(t):
    t.write("file", "mine")
    refused(t, "file").says("`file' is a file")
    refused(t, "file/below").says("Not a directory")
    refused(t, "file/below/it").says("Not a directory")


@by_turns(1)
def test_folder_of_others(t):
    t.write("theirs/notes.txt", "mine")
    refused(t, "theirs").says("files that tgc did not make")
    refused(t, "theirs/").says("files that tgc did not make")
    refused(t, "theirs/../theirs/.").says("files that tgc did not make")
    t.write("json/manifest.json", '{"generator": "another"}')
    refused(t, "json").says("not a manifest of tgc")
    t.write("broken/manifest.json", "{")
    refused(t, "broken").says("not a manifest of tgc")
    refused(t, "/").says("files that tgc did not make")
    refused(t, ".").says("files that tgc did not make")


@by_turns(0.8)
def test_links(t):
    os.symlink("nowhere", t.path("dangling"))
    refused(t, "dangling").says("symbolic link to nothing")
    os.symlink("circle", t.path("circle"))
    refused(t, "circle")
    os.mkdir(t.path("real"))
    os.symlink("real", t.path("link"))
    write_to(t, "link").exits(0)
    if not os.path.islink(t.path("link")) or not os.path.exists(t.path("real/manifest.json")):
        raise Failed("a link to a folder was not followed")
    os.remove(t.path("real/sum.cu"))
    os.symlink("/etc/passwd", t.path("real/sum.cu"))
    refused(t, "real").says("`real/sum.cu' is a symbolic link")
    os.remove(t.path("real/sum.cu"))
    os.mkdir(t.path("real/sum.cu"))
    refused(t, "real").says("`real/sum.cu' is in the way")


def test_places_that_make_no_folders(t):
    refused(t, "/proc/tgc-out")
    refused(t, "/dev/null").says("is a file")
    refused(t, "/dev/null/out")
    refused(t, "x" * 300)
    refused(t, "/".join(["x" * 200] * 30))


@by_turns(0.8)
def test_unwritable(t):
    if os.geteuid() != 0:
        os.mkdir(t.path("locked"))
        os.chmod(t.path("locked"), 0o555)
        for out in ("locked", "locked/out", "locked/a/b"):
            refused(t, out).says("Permission denied")
        return
    os.mkdir(t.path("d"))
    write_to(t, "d/earlier").exits(0)
    before = tree(t.path("d"))
    for out in ("d", "d/out", "d/a/b", "d/earlier"):
        r = t.shell('unshare -m bash -c \'mount --bind d d && mount -o remount,bind,ro d || exit 77; '
                    f'"$TGC" "$SUM" --arch sm_70 --keep 8 -o {out}\'')
        if r.status == 77 or "unshare" in r.err:
            raise Skipped("no mounts here")
        r.exits(1).says("ead-only file system" if out != "d" else "").hints()
        unchanged(t, before, "d")


FULL = """unshare -m bash -c 'mount -t tmpfs -o size={size} tmpfs full || exit 77
{before}
cp -r full was
"$TGC" "$SUM" --arch sm_60 --space cgo -o {out} >said 2>why; echo $? >status
cp -r full left'"""


@by_turns(2.5)
def test_full_disk(t):
    """At every size: what was there before is there still, and nothing else."""
    os.mkdir(t.path("full"))
    for out, earlier in (("full/out", ""), ("full/a/b", ""), ("full", ""),
                         ("full/out", '"$TGC" "$SUM" --arch sm_60 --keep 3 -o full/out >/dev/null')):
        for size in ("128k", "600k"):
            t.shell("rm -rf left was")
            r = t.shell(FULL.format(size=size, before=earlier, out=out))
            if r.status == 77 or "unshare" in r.err:
                raise Skipped("no mounts here")
            why = t.read("why")
            if t.read("status").strip() != "1" or "No space left" not in why or "hint: " not in why or t.read("said"):
                raise Failed(f"on a full disk of {size}, into {out}: status {t.read('status')}{why}")
            changed = difference(tree(t.path("was")), tree(t.path("left")))
            if changed:
                raise Failed(f"on a full disk, into {out}: left behind or changed: {', '.join(changed[:8])}")


def test_file_size_limit(t):
    """The same by a limit on the size of a file, which needs no mounts; some variants fit, the manifest does not."""
    before = tree(t.folder)
    limited = "ulimit -f 16; "
    r = t.shell(limited + '"$TGC" "$SUM" --arch sm_60 -o out').exits(1).says("cannot write `out/").hints()
    r.expect("File too large" in r.err, "expected the reason")
    unchanged(t, before)
    write_to(t, "out").exits(0)
    before = tree(t.folder)
    t.shell(limited + '"$TGC" "$SUM" --arch sm_70 -o out').exits(1).hints()
    unchanged(t, before)


def test_too_many_open_files(t):
    t.shell('ulimit -n 5; "$TGC" "$SUM" --arch sm_60 -o out; test $? -le 1').exits(0)
    if os.path.exists(t.path("out")) and not os.path.exists(t.path("out/manifest.json")):
        raise Failed("half of a folder was written")


def test_little_memory(t):
    """Out of memory: an error status or a signal, never half a folder."""
    for kilobytes in (60000, 120000, 160000):
        t.shell(f'ulimit -c 0 -v {kilobytes}; "$TGC" "$SUM" --arch sm_60 --space cgo -o out')
        left = set(os.listdir(t.folder))
        if left - {"out"} or (left and not os.path.exists(t.path("out/manifest.json"))):
            raise Failed(f"left behind: {left}")


def test_killed(t):
    """A run that is killed leaves the earlier folder as it was, but for a staging folder of its own."""
    write_to(t, "out").exits(0)
    before = tree(t.path("out"))
    for delay in ("0.03", "0.06", "0.09", "0.12"):
        t.shell(f'timeout -s KILL {delay} "$TGC" "$SUM" --arch sm_60 --space cgo -o fresh')
        if os.path.exists(t.path("fresh")):
            if not os.path.exists(t.path("fresh/manifest.json")):
                raise Failed("half of a folder was written")
            t.shell("rm -rf fresh")
    unchanged(t, before, "out")


def test_its_own_folder_is_renewed(t):
    write_to(t, "out").exits(0)
    t.write("out/notes.txt", "mine")
    stamp = os.stat(t.path("out/sum.h")).st_mtime_ns
    write_to(t, "out").exits(0)
    if os.stat(t.path("out/sum.h")).st_mtime_ns != stamp:
        raise Failed("a file whose text is right was written again")
    t.run(t.sum, "--arch", "sm_60", "--keep", "2", "-o", "out").exits(0)
    if len(os.listdir(t.path("out/variants"))) != 2 or t.read("out/notes.txt") != "mine":
        raise Failed("the earlier variants should go, and the user's file stay")
    t.run(t.sum, "--arch", "sm_60", "--keep", "2", "-o", "fresh").exits(0)
    os.remove(t.path("out/notes.txt"))
    if tree(t.path("out")) != tree(t.path("fresh")):
        raise Failed("a renewed folder differs from a fresh one")


def test_texts_of_an_operator_go(t):
    """An operator's text of an earlier run would be taken for the next one's."""
    reduce = t.source("codelets", "reduce.cdl")
    for out, operators in (("out", ("ArgMax", "Xor")), ("fresh", ("Xor",))):
        for name in operators:
            t.run(reduce, "--operator", name, "--arch", "sm_60", "--types", "int", "--keep", "2", "-o", out).exits(0)
    changed = difference(tree(t.path("fresh")), tree(t.path("out")))
    if changed:
        raise Failed(f"a renewed folder differs from a fresh one: {changed}")


@by_turns(0.8)
def test_two_at_once(t):
    """Two runs into one folder: it ends whole."""
    t.shell('"$TGC" "$SUM" --arch sm_60 -o out & "$TGC" "$SUM" --arch sm_60 -o out; wait; '
            '"$TGC" "$SUM" --arch sm_60 -o out').exits(0)
    t.run(t.sum, "--arch", "sm_60", "-o", "alone").exits(0)
    if tree(t.path("out")) != tree(t.path("alone")) or sorted(os.listdir(t.folder)) != ["alone", "out"]:
        raise Failed("two runs at once left another folder than one")


@by_turns(1)
def test_odd_names(t):
    for name in ("with space", "a/b/c", "-dash", "naïve", "per%cent", "quote'd", "trailing//", "./x/../y"):
        write_to(t, name) if name != "-dash" else t.run(t.sum, "--arch", "sm_60", "--out=-dash", "--keep", "8").exits(0)
        if not os.path.exists(os.path.join(t.path(name), "manifest.json")):
            raise Failed(f"nothing in `{name}'")
