"""The system's compilers by way of ccache, where there is one, for the tests and for whatever they start: what is tgc's
own (harnesses, executors, benchmarks) is compiled once, in whichever folder, and what did not change since the last run
not at all. clang++-19 is not among them: `tgc check' calls ccache itself where it pays."""
import atexit, os, shutil, tempfile

NAMES = ("cc", "c++", "gcc", "g++")


def use():
    ccache = shutil.which("ccache")
    if not ccache or os.environ.get("TGC_TESTS_CACHED"):
        return
    folder = tempfile.mkdtemp(prefix="tgc-cached-")
    atexit.register(remove, folder, os.getpid())
    for name in NAMES:
        if shutil.which(name):
            os.symlink(ccache, os.path.join(folder, name))
    os.environ["PATH"] = folder + os.pathsep + os.environ["PATH"]
    os.environ["TGC_TESTS_CACHED"] = "1"
    os.environ.setdefault("CCACHE_NOHASHDIR", "1")


def remove(folder, owner):
    if os.getpid() == owner:  # and not a child of its
        shutil.rmtree(folder, ignore_errors=True)


use()
# OpenMP's threads that have nothing to do sleep: those that spin take the processors from whatever runs beside.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
