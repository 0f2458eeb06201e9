"""Finds and runs the compiler: the one of this package, TGC_COMPILER, or one on the PATH."""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
from functools import lru_cache

HERE = pathlib.Path(__file__).resolve().parent


class CompileError(Exception):
    """The compiler refused the codelets or the options. The text is its diagnostics."""


@lru_cache(maxsize=None)
def _executable(named):
    for found in (named, HERE / "bin" / "tgc", shutil.which("tgc")):
        if found and os.access(found, os.X_OK):
            return pathlib.Path(found).resolve()
    raise CompileError(
        "there is no tgc here: this package has no bin/tgc, TGC_COMPILER names none, and the PATH has "
        "none; a folder that tgc wrote elsewhere is loaded by tgc.load_folder"
    )


def executable():
    """The compiler's path. TGC_COMPILER goes first: it is how a build tree's compiler is tried."""
    return _executable(os.environ.get("TGC_COMPILER"))


def run(*arguments, **named):
    """Runs tgc and returns what it printed; CompileError has its diagnostics."""
    command = [str(executable()), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, **named)
    if done.returncode:
        raise CompileError(done.stderr.strip() or f"{' '.join(command)}: status {done.returncode}")
    return done.stdout


def data_directory():
    """Where codelets/, tables/ and archspec/ are: an installation's, or a source tree's; None: there is neither."""
    program = executable()
    named = os.environ.get("TGC_DATA_DIR")
    candidates = [pathlib.Path(named)] if named else []
    candidates += [program.parent.parent / "share" / "tgc", *program.parents[1:4]]
    return next((c for c in candidates if (c / "codelets").is_dir() and (c / "archspec").is_dir()), None)


@lru_cache(maxsize=None)
def _identity(program, data):
    digest = hashlib.sha256(pathlib.Path(program).read_bytes())
    for folder in ("archspec", "tables"):
        for path in sorted(pathlib.Path(data, folder).rglob("*")) if data else []:
            if path.is_file():
                digest.update(str(path.relative_to(data)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def identity():
    """A hash of the compiler, its machine specs and its tables: more than a version says while tgc is developed."""
    return _identity(executable(), data_directory())


INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.M)


def included(paths):
    """The files and all that they include, by the compiler's rule: beside the file, then among the shipped codelets."""
    data, found, left = data_directory(), {}, [pathlib.Path(p) for p in paths]
    while left:
        path = left.pop()
        if path in found:
            continue
        found[path] = path.read_bytes()
        for name in INCLUDE.findall(found[path]):
            beside = [path.parent] + ([data / "codelets"] if data else [])
            places = [folder / name.decode(errors="replace") for folder in beside]
            left += [p for p in places if p.is_file()][:1]
    return found


def _version():
    try:
        from importlib.metadata import version

        return version("tgc")
    except ImportError:  # not installed: a source tree
        return "0+source"


__version__ = _version()
