"""tgc.load: compiles codelets once, builds the library once, and keeps both by their contents."""

import contextlib
import fcntl
import hashlib
import json
import os
import pathlib
import platform
import shutil
import tempfile

from . import _build, _compiler
from ._library import Library
from ._manifest import Description

FORMAT = "1"  # of a cache entry; grows when what is kept changes
_loaded = {}


def cache_directory():
    """Where libraries are kept: TGC_CACHE_DIR, else tgc/ in XDG_CACHE_HOME, else ~/.cache/tgc."""
    named = os.environ.get("TGC_CACHE_DIR")
    if named:
        return pathlib.Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return pathlib.Path(base) / "tgc"


# ---- keys ----


def _key(*parts):
    digest = hashlib.sha256()
    for part in parts:
        part = part if isinstance(part, bytes) else str(part).encode()
        digest.update(b"%d:" % len(part) + part)
    return digest.hexdigest()[:32]


def _host():
    """What this CPU is, which `cpu` as a machine depends on."""
    facts = [platform.machine(), str(os.cpu_count())]
    with contextlib.suppress(OSError), open("/proc/cpuinfo", encoding="utf-8") as lines:
        facts += sorted({line.strip() for line in lines if line.startswith(("model name", "flags", "Features"))})
    return "\n".join(facts)


def _files_key(arguments):
    """The contents of files among the compiler's arguments: specs of machines, tables, operators."""
    found = []
    for argument in arguments:
        path = pathlib.Path(str(argument))
        with contextlib.suppress(OSError):
            found.append(path.read_bytes() if path.is_file() else b"")
    return _key(*found)


# ---- entries ----


@contextlib.contextmanager
def _lock(path):
    """One process makes an entry, others wait. Where a file system has no locks both do it, and the first is kept."""
    with open(path, "a", encoding="utf-8") as file:
        with contextlib.suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _entry(cache, key, make):
    """The folder of a key. It is made beside its place and renamed, so that nobody sees half of it."""
    place = cache / key
    if (place / "complete").exists():
        return place
    cache.mkdir(parents=True, exist_ok=True)
    with _lock(cache / f"{key}.lock"):
        if (place / "complete").exists():
            return place
        staged = pathlib.Path(tempfile.mkdtemp(prefix=f".{key}.", dir=cache))
        try:
            make(staged)
            (staged / "complete").write_text(FORMAT, encoding="utf-8")
            with contextlib.suppress(OSError):  # another process was faster, without locks
                staged.rename(place)
        finally:
            shutil.rmtree(staged, ignore_errors=True)
    if not (place / "complete").exists():
        raise OSError(f"{place}: there is something else in the cache's place; remove it")
    return place


def _built(cache, folder):
    """The library of a folder, by the contents of its files: another compiler's same text is not built again."""
    description = Description(folder)
    texts = [
        p
        for p in sorted(folder.rglob("*"))
        if p.suffix in (".c", ".cc", ".cu", ".h", ".json") and "check" not in p.relative_to(folder).parts
    ]
    contents = [part for p in texts for part in (p.relative_to(folder), p.read_bytes())]
    if description.family != "cpu":
        contents.append((_build.HERE / "device.cu").read_bytes())
    elif "native" in description.options:
        contents.append(_host())
    key = _key(FORMAT, "library", _build.build_key(folder, description), *contents)
    place = _entry(cache, key, lambda staged: _build.build(folder, description, staged / "library.so"))
    if key not in _loaded:  # a shared library is opened once in a process
        _loaded[key] = Library(folder, place / "library.so")
    return _loaded[key]


# ---- what is loaded ----


def _sources(source):
    """The codelet files: a path, or several. A name that is no file is one of those shipped."""
    paths = [source] if isinstance(source, (str, os.PathLike)) else list(source)
    found = []
    for path in map(pathlib.Path, paths):
        data = None if path.is_file() else _compiler.data_directory()
        shipped = data / "codelets" / path if data and not path.is_absolute() else None
        if shipped and shipped.is_file() and ".." not in path.parts:
            path = shipped
        if not path.is_file():
            raise FileNotFoundError(f"{path}: there is no such file, beside you or among the shipped codelets")
        found.append(path.resolve())
    return found


def _list(value):
    return value if isinstance(value, str) else ",".join(value)


PROPAGATING = {"Max": "MaxNan", "Min": "MinNan", "ArgMax": "ArgMaxNan", "ArgMin": "ArgMinNan"}


def _operator(operator, nan):
    """The operator that does with NaN what is asked for."""
    if nan not in ("ignore", "propagate"):
        raise ValueError(f"nan = {nan!r}: there are ignore and propagate")
    if nan == "ignore":
        return operator
    if operator not in PROPAGATING:
        raise ValueError(f"nan = {nan!r} is for the operators {', '.join(PROPAGATING)}, not {operator}")
    return PROPAGATING[operator]


def load(
    source, *, arch="cpu", types=None, spectrum=None, operator=None, nan="ignore", name=None, options=(), cache=None
):
    """Compiles codelets for a machine and returns them as a callable.

    source    a .cdl file, or several (an operator of your own is in the second); also the name of a shipped one
    arch      as `tgc --arch` has it: "cpu", "avx2", "sm_90", a spec file; one machine
    types     element types, "float" or ["half", "half:double"]; None: the compiler's default
    nan       "propagate": of Max, Min, ArgMax, ArgMin, a NaN among the elements is the result
    spectrum, operator, name, options   as the options of `tgc compile`
    cache     a folder in place of cache_directory()
    """
    paths = _sources(source)
    if "," in _list(arch):
        raise ValueError(f"arch = {arch!r}: one machine is loaded at a time")
    arguments = ["--arch", _list(arch)]
    operator = _operator(operator, nan)
    for option, value in (("types", types), ("spectrum", spectrum), ("operator", operator), ("name", name)):
        if value is not None:
            arguments += [f"--{option}", _list(value)]
    arguments += list(map(str, options))
    cache = pathlib.Path(cache) if cache else cache_directory()
    contents = [part for path, text in sorted(_compiler.included(paths).items()) for part in (path.name, text)]
    key = _key(FORMAT, "text", _compiler.identity(), json.dumps(arguments), _files_key(arguments), _host(), *contents)

    def make(staged):
        _compiler.run("compile", *paths, *arguments, "--quiet", "-o", staged / "all")
        _compiler.run("ship", staged / "all", "--quiet", "-o", staged / "release")

    place = _entry(cache, key, make)
    return _built(cache, place / "release")


def load_folder(folder, *, cache=None):
    """Builds a folder that tgc wrote, perhaps elsewhere, and returns it as a callable. The compiler is not needed."""
    folder = pathlib.Path(folder).resolve()
    cache = pathlib.Path(cache) if cache else cache_directory()
    return _built(cache, folder)
