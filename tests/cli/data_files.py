"""Files of data that benchmarks read and write, bench/data/matrices.cc: what is no matrix is refused with file and line, whoever
wrote it; what was read lies within the matrix; a file that cannot be written is not left behind."""
import os, random, re, shutil

from harness import Failed, Skipped, by_turns, difference, tree

HEAD = "%%MatrixMarket matrix coordinate real general\n"
GOOD = HEAD + "% a comment\n3 4 5\n1 1 2.5\n2 4 -1\n3 1 1e3\n3 2 0\n1 3 7\n"
REFUSED = (
    ("", 0, "cannot be read"), ("\0\xff\n", 1, "no matrix"), ("%PDF-1.4\n", 1, "no matrix"),
    (HEAD.replace("coordinate", "array") + "1 1\n1\n", 1, "coordinate"),
    (HEAD.replace("real", "complex") + "1 1 1\n1 1 1 1\n", 1, "real, integer and pattern"),
    (HEAD.replace("general", "hermitian") + "1 1 1\n1 1 1\n", 1, "symmetric"),
    (HEAD, 1, "the file ends before"), (HEAD + "% only comments\n", 2, "the file ends before"),
    (HEAD + "3 4\n", 2, "numbers of rows"), (HEAD + "3 -4 1\n1 1 1\n", 2, "numbers of rows"),
    (HEAD + "99999999999999999999 4 1\n1 1 1\n", 2, "numbers of rows"), (HEAD + "4294967296 4 0\n", 2, "numbers of rows"),
    (HEAD + "3 4 1e3\n", 2, "numbers of rows"), (HEAD + "3 4 1 1\n1 1 1\n", 2, "numbers of rows"),
    (HEAD + "3 4 2\n1 1 1\n", 3, "the file ends before"), (HEAD + "3 4 1\n1 1\n", 3, "a row, a column and a value"),
    (HEAD + "3 4 1\n1 x 1\n", 3, "a row, a column and a value"), (HEAD + "3 4 1\n1 1 x\n", 3, "a row, a column and a value"),
    (HEAD + "3 4 1\n0 1 1\n", 3, "outside of the matrix"), (HEAD + "3 4 1\n4 1 1\n", 3, "outside of the matrix"),
    (HEAD + "3 4 1\n1 5 1\n", 3, "outside of the matrix"), (HEAD + "3 4 1\n-1 1 1\n", 3, "outside of the matrix"),
    (HEAD + "3 4 1\n99999999999999999999 1 1\n", 3, "a row, a column and a value"),
    (HEAD + "0 0 1\n1 1 1\n", 3, "outside of the matrix"),
    (HEAD + "3 4 1\n1 1 1\n2 2 2\n", 4, "more entries than"), (HEAD + "3 4 0\n1 1 1\n", 3, "more entries than"),
    (HEAD.replace("general", "symmetric") + "3 5 1\n3 1 1\n", 2, "not square"),
    (HEAD.replace("general", "symmetric") + "5 3 1\n5 1 1\n", 2, "not square"),
    (HEAD.replace("general", "skew-symmetric") + "5 3 1\n5 1 1\n", 2, "not square"),
    (HEAD + "2147483647 4 1\n1 1 1\n", 2, "numbers of rows"),
    (HEAD + "2147483646 2147483647 1\n1 1 1\n", 0, "not enough memory"),
)


def build(t):
    if not shutil.which("c++"):
        raise Skipped("no c++")
    t.shell(f"c++ -std=c++17 -O1 -Wall -Wextra -Werror -D_GLIBCXX_ASSERTIONS -fsanitize=undefined "
            f"-fno-sanitize-recover=all '{t.source('bench', 'data', 'matrices.cc')}' -o matrices", timeout=300).exits(0)


def read(t, text, *more):
    """A run with the file of that text: it ends with 0, or with 1 and a reason; nothing but what it writes is left."""
    t.write("m.mtx", text.encode("latin-1"))
    before = tree(t.folder)
    r = t.shell(f"ulimit -v 4000000; timeout 60 ./matrices m.mtx {' '.join(more)}")
    r.expect(r.status in (0, 1), "expected status 0 or 1")
    left = difference(before, tree(t.folder))
    return r.expect(not left or (r.status == 0 and more), f"left behind: {left}")


@by_turns(6)
def test_matrices_that_are_none(t):
    build(t)
    read(t, GOOD).exits(0).prints("3 rows, 4 columns, 5 elements")
    for text, line, said in REFUSED:
        where = f"m.mtx:{line}: " if line else "m.mtx"
        read(t, text, "--write", "other.mtx").exits(1).says(where, said)
    drawn = random.Random(os.environ.get("TGC_SEED", "") or None)
    for _ in range(60):
        words = re.findall(r"\S+|\s+", GOOD)
        for _ in range(drawn.choice((1, 1, 2, 4))):
            words[drawn.randrange(len(words))] = drawn.choice(("", " ", "0", "-1", "4", "2147483648", "nan", "inf", "1e999", "x",
                                                               "\n", "%", drawn.choice(words)))
        read(t, "".join(words))


@by_turns(5)
def test_files_that_cannot_be_written(t):
    build(t)
    t.write("m.mtx", GOOD)
    t.shell("./matrices m.mtx --write /nowhere/other.mtx").exits(1).says("/nowhere/other.mtx")
    t.shell("ulimit -f 1; trap '' XFSZ; ./matrices band:400x8 --write other.mtx").exits(1).says("other.mtx")
    if os.path.exists(t.path("other.mtx")):
        raise Failed("half a file is left")
    t.shell("./matrices band:400x8 --write other.mtx && ./matrices other.mtx").exits(0)
    for name in ("nosuch", "band:4x1000000000", "band:-4x1", "law:2147483647x1000000000", "few:4x999999999", "one:0x0"):
        t.shell(f"./matrices '{name}'").exits(1).says(f"no matrix is named `{name}'")
