#!/usr/bin/env python3
"""Runs a module of tests of the Python package, from the source tree and with a compiler of a build.

    run.py build/tgc ROOT NAME      the module NAME_test.py

The tests need NumPy, those of PyTorch need that too: a Python that has not hands over to Debian's, or to the one that
TGC_TORCH_PYTHON names. In the long mode (TGC_LONG=1) PyTorch is installed by pip, into a folder beside the compiler.
"""

import importlib, os, subprocess, sys, tempfile, unittest

sys.dont_write_bytecode = True
sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import drawn  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
DEBIAN_PYTHON = "/usr/bin/python3"  # which sees the package python3-numpy
ALL_SKIPPED = 77
BUDGET = 4  # processor seconds for those of a module's tests that take turns


def has(python, modules):
    return subprocess.run([python, "-c", f"import {modules}"], stderr=subprocess.DEVNULL).returncode == 0


def installed(compiler):
    """A Python with PyTorch, which pip installs once; None outside of the long mode, and where pip cannot."""
    if os.environ.get("TGC_LONG") != "1":
        return None
    folder = os.path.join(os.path.dirname(compiler), "python-torch")
    python = os.path.join(folder, "bin", "python3")
    if not os.path.exists(python):
        subprocess.run([DEBIAN_PYTHON, "-m", "venv", folder], check=False)
    done = subprocess.run([python, "-m", "pip", "install", "--quiet", "numpy", "torch"], check=False)
    return python if done.returncode == 0 else None


def hand_over(compiler, name):
    """Runs this in a Python that has what the module needs; returns in that one."""
    needed = "numpy, torch" if name == "torch" else "numpy"
    pythons = [os.environ.get("TGC_TORCH_PYTHON"), sys.executable, DEBIAN_PYTHON]
    python = next((p for p in pythons if p and has(p, needed)), None)
    if not python and name == "torch":
        python = installed(compiler)
    if not python and name == "torch":
        print(f"python: {name}: skipped: PyTorch is not installed; the long mode installs it")
        sys.exit(ALL_SKIPPED)
    if not python:
        sys.exit("python: NumPy is needed (Debian: python3-numpy)")
    if os.path.abspath(python) != os.path.abspath(sys.executable):
        os.execv(python, [python, __file__, *sys.argv[1:]])


def leave_out(suite):
    """Of the tests that are marked (@by_turns) as many run as the budget affords."""
    cases = [case for group in suite for case in group]
    marked = [case for case in cases if hasattr(method(case), "seconds")]
    for case in set(marked) - set(drawn.afforded(marked, BUDGET, lambda c: method(c).seconds, lambda c: c.id())):
        case.setUp = lambda case=case: case.skipTest("others were drawn")


def method(case):
    return getattr(case, case.id().rsplit(".", 1)[1])


def main():
    compiler, root, name = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
    hand_over(compiler, name)
    sys.path[:0] = [os.path.join(root, "python"), os.path.join(root, "tests"), HERE]
    import cached  # the compilers by way of ccache

    assert cached.NAMES
    os.environ.update(TGC_COMPILER=compiler, TGC_ROOT=root)
    with tempfile.TemporaryDirectory(prefix="tgc-python-") as folder:
        os.environ.update(TGC_CACHE_DIR=os.path.join(folder, "cache"), TGC_TEST_FOLDER=folder)
        os.environ["CCACHE_BASEDIR"] = folder  # so that texts are the same ones in each run's folder
        os.chdir(folder)
        suite = unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(f"{name}_test"))
        leave_out(suite)
        result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    for test, why in result.skipped:
        print(f"python: {test.id()}: skipped: {why}")
    if not result.wasSuccessful() or not result.testsRun:
        return 1
    return ALL_SKIPPED if len(result.skipped) == result.testsRun else 0


if __name__ == "__main__":
    sys.exit(main())
