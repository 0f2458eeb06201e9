#!/usr/bin/env python3
"""Runs the worked examples of a page.

| block                 | what is done with it                                                                       |
|-----------------------|--------------------------------------------------------------------------------------------|
| ```sh                 | run with `set -e`, in one folder that sees the tree's folders, `build/tgc`, nothing else   |
| ```sh fails           | the same; its status must not be 0                                                         |
| ```sh long            | run by the long mode alone (TGC_LONG=1), reported as skipped otherwise                     |
| ```sh turns=SECONDS   | the normal mode draws as many of a page's as take together no more processor seconds than  |
|                       | its budget; nothing but others that take turns needs what they leave behind                |
| ```text               | what the block before it must print; a line `...` stands for any lines                     |
| ```text measured      | the same, but any number may stand where the page has a number, with any padding           |
| ```LANGUAGE file=NAME | the text of that file of the tree, or of a file that later commands use                    |
"""
import os, re, subprocess, sys, tempfile

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import cached  # noqa: E402,F401
from drawn import LONG, afforded  # noqa: E402

page, root, tgc = sys.argv[1:4]
text = open(page, encoding="utf-8").read()
blocks = re.findall(r"^```(\w+)([^\n]*)\n(.*?)^```$", text, re.M | re.S)


def matches(pattern, output, measured):
    if measured:
        pattern, output = numbers_alike(pattern), numbers_alike(output)
    parts = [re.escape(part) for part in re.split(r"^\.\.\.\n", pattern, flags=re.M)]
    return re.fullmatch("(?:.*\n)*?".join(parts), output) is not None


def numbers_alike(text):
    """Every number is 0 (as 2^20, 1.5e-3 and inf are), every id `id', runs of blanks are one blank, or none at a line's end."""
    text = re.sub(r"\b[0-9a-f]{8}\b", "id", text)
    text = re.sub(r"\b\d[\d.^]*(e[-+]?\d+)?|\binf\b", "0", text)
    return re.sub(r" +", " ", re.sub(r" +$", "", text, flags=re.M))


# Only a slow machine shows how far a command has come.
# Which CPU has a table that was measured is not the page's matter, nor is it said of every folder in a page.
PROGRESS = re.compile(r"^(tgc (check: compiled \d+ of \d+, checked \d+ of|tune: \d+ %,) .*|"
                      r"not measured on this machine: .*)\n", re.M)

BUDGET = 3  # processor seconds of a page's examples that take turns


def seconds(block):
    """What an example that takes turns takes; 0: it does not."""
    said = re.search(r"\bturns=(\S+)", block[1])
    return float(said[1]) if said else 0


def last_line(block):
    return block[2].splitlines()[-1]


os.environ.setdefault("TGC_BUDGET", "5")  # no figure is looked at
in_turn = list(filter(seconds, blocks))
chosen = afforded(in_turn, BUDGET, seconds, last_line)
left_out = [block for block in in_turn if block not in chosen]
failed = ran = skipped = 0
with tempfile.TemporaryDirectory() as folder:
    for name in ("codelets", "examples", "archspec", "docs", "tests", "bench", "runtime", "scripts", "compiler",
                 "witness"):
        os.symlink(os.path.join(root, name), os.path.join(folder, name))
    os.mkdir(os.path.join(folder, "build"))
    for name in ("tgc", "tgc-witness"):
        os.symlink(os.path.join(os.path.dirname(tgc), name), os.path.join(folder, "build", name))
    output = ""
    for kind, rest, body in blocks:
        is_long = "long" in rest.split() and not LONG
        if kind == "sh" and (is_long or (kind, rest, body) in left_out):
            output, skipped = None, skipped + 1
            print(f"{page}: skipped: {'the long mode has it' if is_long else 'others were drawn'}: {body.splitlines()[-1]}")
        elif kind == "sh":
            done = subprocess.run(["bash", "-e", "-c", body], cwd=folder, text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)
            output, ran = PROGRESS.sub("", done.stdout), ran + 1
            fails = "fails" in rest.split()
            if (done.returncode != 0) != fails:
                failed += 1
                print(f"{page}: status {done.returncode} from\n{body}\n{output}")
        elif kind == "text" and output is not None:
            ran += 1
            if not matches(body, output, "measured" in rest.split()):
                failed += 1
                print(f"{page}: expected\n{body}\n--- got\n{output}")
        elif "file=" in rest:
            name = rest.split("file=")[1].split()[0]
            path = os.path.join(folder, name)
            ran += 1
            if os.path.exists(path):
                if open(path, encoding="utf-8").read() != body:
                    failed += 1
                    print(f"{page}: {name} differs from the text shown")
            else:
                open(path, "w", encoding="utf-8").write(body)
print(f"{page}: {ran} examples, {failed} failed, {skipped} skipped")
sys.exit(1 if failed or not ran else 0)
