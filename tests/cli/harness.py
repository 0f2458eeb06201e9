"""What the tests are written with: running tgc in a folder, and looking at what it said and left behind."""
import os, re, subprocess, sys

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import cached  # noqa: F401
from drawn import LONG, by_turns  # noqa: F401

PLACED = re.compile(r"^(?P<file>.*?):(?P<line>\d+):(?P<column>\d+): error: (?P<message>.*)$")


# What each folder has for its check: the codelets' text, and what executes it.
CHECKS = {f"check/{name}" for name in ("reference.cc", "codelets.h", "codelets.cc", "number.h", "mathematics.h",
                                       "containers.h", "language.h", "lanes.h", "entry.h", "codelets.json")}
PLAIN = () if LONG else ("--plain",)  # what is computed: races are the executor's own suites'


def long(test):
    """Marks a test that only the long mode runs: tests/README.md says what it proves."""
    test.is_long = True
    return test


class Failed(Exception):
    pass


class Skipped(Exception):
    pass


def tree(folder):
    """All that is in a folder: the relative names, with what each file holds and where each link leads."""
    found = {}
    for at, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(at, name)
            relative = os.path.relpath(path, folder)
            if os.path.islink(path):
                found[relative] = ("link", os.readlink(path))
            elif os.path.isdir(path):
                found[relative] = ("folder",)
            else:
                with open(path, "rb") as f:
                    found[relative] = ("file", f.read())
    return found


def difference(before, after):
    """The names in which two trees differ."""
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


class Run:
    """One run of tgc: its status and what it printed. Everything checked of it returns it, so that checks chain."""

    def __init__(self, command, done):
        self.command, self.status = command, done.returncode
        self.raw_out, self.raw_err = done.stdout, done.stderr
        self.out, self.err = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")

    def fail(self, why):
        text = f"{why}\n  $ {self.command}\n  status {self.status}\n"
        for name, said in (("stdout", self.out), ("stderr", self.err)):
            text += "".join(f"  {name}: {line}\n" for line in said.splitlines()[:25])
        raise Failed(text)

    def expect(self, ok, why):
        if not ok:
            self.fail(why)
        return self

    def exits(self, status):
        return self.expect(self.status == status, f"expected status {status}")

    def says(self, *parts):
        for part in parts:
            self.expect(part in self.err, f"expected on stderr: {part!r}")
        return self

    def prints(self, *parts):
        for part in parts:
            self.expect(part in self.out, f"expected on stdout: {part!r}")
        return self

    def silent(self):
        return self.expect(not self.err, "expected nothing on stderr")

    def errors(self):
        """(line, column, message, file) of every error that has a place, in order."""
        found = [PLACED.match(line) for line in self.err.splitlines()]
        return [(int(m["line"]), int(m["column"]), m["message"], m["file"]) for m in found if m]

    def points(self, file, line, column, message):
        """An error there; below it the source line and, under the column, a caret."""
        lines = self.err.splitlines()
        for i, said in enumerate(lines):
            m = PLACED.match(said)
            at = m and (int(m["line"]), int(m["column"]), m["file"])
            if at != (line, column, file) or message not in m["message"]:
                continue
            self.expect(i + 2 < len(lines), "no source line below the error")
            source = re.match(r"^ *(\d+) \| (.*)$", lines[i + 1])
            caret = re.match(r"^ +\| ([ \t]*)\^~*$", lines[i + 2])
            self.expect(source and int(source[1]) == line, "no source line below the error")
            self.expect(caret and (len(caret[1]) == column - 1 or column > 60), "no caret under the column")
            return self
        return self.fail(f"expected {file}:{line}:{column}: error: ..{message}..")

    def hints(self, *parts):
        """A hint; with parts, one that holds each."""
        said = [line for line in self.err.splitlines() if line.startswith("hint: ")]
        self.expect(said, "expected a hint")
        for part in parts:
            self.expect(any(part in line for line in said), f"expected a hint with {part!r}")
        return self


class Tgc:
    """tgc in a test's own folder."""

    def __init__(self, tgc, root, folder):
        self.tgc, self.root, self.folder = tgc, root, folder
        self.sum = os.path.join(root, "codelets", "sum.cdl")

    def path(self, name):
        return os.path.join(self.folder, name)

    def source(self, *names):
        """A file of the source tree."""
        return os.path.join(self.root, *names)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)) or ".", exist_ok=True)
        with open(self.path(name), "wb") as f:
            f.write(text if isinstance(text, bytes) else text.encode())
        return name

    def read(self, name):
        with open(self.path(name), "rb") as f:
            return f.read().decode()

    def run(self, *arguments, cwd=None, timeout=120, **how):
        how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL, **how}
        done = subprocess.run([self.tgc, *arguments], cwd=cwd or self.folder, timeout=timeout, **how)
        done.stdout, done.stderr = done.stdout or b"", done.stderr or b""
        words = (repr(a) if not a or isinstance(a, bytes) or " " in a else a for a in arguments)
        return Run(" ".join(["tgc", *words]), done)

    def shell(self, script, timeout=120, **environment):
        """A script of bash, with $TGC and $SUM set."""
        environment = {**os.environ, "TGC": self.tgc, "SUM": self.sum, **environment}
        done = subprocess.run(["bash", "-c", script], cwd=self.folder, timeout=timeout, env=environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return Run(script, done)

    def refuses(self, status, *arguments, **how):
        """A run that ends with that status, says why on stderr alone and leaves the folder as it was."""
        before = tree(self.folder)
        r = self.run(*arguments, **how)
        r.exits(status).expect(r.err, "expected a reason on stderr").expect(not r.out, "expected nothing on stdout")
        changed = difference(before, tree(self.folder))
        return r.expect(not changed, f"left behind or changed: {', '.join(changed[:8])}")
