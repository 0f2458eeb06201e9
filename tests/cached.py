"""The system's compilers by way of ccache, where there is one, for the tests and for whatever they start: what is tgc's
own (harnesses, executors, benchmarks) is compiled once, in whichever folder, and what did not change since the last run
not at all. clang++-19 is not among them: `tgc check' calls ccache itself where it pays."""
import atexit, os, shutil, tempfile

NAMES = ("cc", "gcc", "g++")
# ccache keeps nothing of a command that compiles several sources and links them, as `tgc tune' has one for its
# measuring process: each is compiled by itself.
APART = """#!/usr/bin/env bash
set -e
sources=() flags=() libraries=() target= last=
for word in "$@"; do
  case $word in
    -c | -E | -S | -x | -shared | -M | -MM) exec ccache COMPILER "$@" ;;
    *.cc) sources+=("$word") ;;
    -l*) libraries+=("$word") ;;
    *) if [ "$last" = -o ]; then target=$word; elif [ "$word" != -o ]; then flags+=("$word"); fi ;;
  esac
  last=$word
done
if [ -z "$target" ] || [ ${#sources[@]} -lt 2 ]; then exec ccache COMPILER "$@"; fi
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT
for i in "${!sources[@]}"; do
  ccache COMPILER "${flags[@]}" -c "${sources[$i]}" -o "$objects/$i.o"
done
COMPILER "${flags[@]}" "$objects"/*.o "${libraries[@]}" -o "$target"
"""


def use():
    ccache = shutil.which("ccache")
    if not ccache or os.environ.get("TGC_TESTS_CACHED"):
        return
    folder = tempfile.mkdtemp(prefix="tgc-cached-")
    atexit.register(remove, folder, os.getpid())
    for name in NAMES:
        if shutil.which(name):
            os.symlink(ccache, os.path.join(folder, name))
    if shutil.which("c++"):
        apart = os.path.join(folder, "c++")
        with open(apart, "w", encoding="utf-8") as f:
            f.write(APART.replace("COMPILER", shutil.which("c++")))
        os.chmod(apart, 0o755)
    os.environ["PATH"] = folder + os.pathsep + os.environ["PATH"]
    os.environ["TGC_TESTS_CACHED"] = "1"
    os.environ.setdefault("CCACHE_NOHASHDIR", "1")


def remove(folder, owner):
    if os.getpid() == owner:  # and not a child of its
        shutil.rmtree(folder, ignore_errors=True)


use()
# OpenMP's threads that have nothing to do sleep: those that spin take the processors from whatever runs beside.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
