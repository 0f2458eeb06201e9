#!/usr/bin/env python3
"""Runs a module of tests of the Python package, from the source tree and with a compiler of a build.

    run.py build/tgc ROOT NAME      the module NAME_test.py

The package needs NumPy: a Python that has none hands over to Debian's.
"""

import importlib, os, subprocess, sys, tempfile, unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
DEBIAN_PYTHON = "/usr/bin/python3"  # which sees the package python3-numpy
ALL_SKIPPED = 77


def has_numpy(python):
    return subprocess.run([python, "-c", "import numpy"], stderr=subprocess.DEVNULL).returncode == 0


def main():
    compiler, root, name = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
    if not has_numpy(sys.executable):
        if os.environ.get("TGC_TESTS_PYTHON") or not has_numpy(DEBIAN_PYTHON):
            sys.exit("python: NumPy is needed (Debian: python3-numpy)")
        os.environ["TGC_TESTS_PYTHON"] = "1"
        os.execv(DEBIAN_PYTHON, [DEBIAN_PYTHON, __file__, *sys.argv[1:]])
    sys.path[:0] = [os.path.join(root, "python"), os.path.join(root, "tests"), HERE]
    import cached  # the compilers by way of ccache

    assert cached.NAMES
    os.environ.update(TGC_COMPILER=compiler, TGC_ROOT=root)
    with tempfile.TemporaryDirectory(prefix="tgc-python-") as folder:
        os.environ.update(TGC_CACHE_DIR=os.path.join(folder, "cache"), TGC_TEST_FOLDER=folder)
        suite = unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(f"{name}_test"))
        result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    for test, why in result.skipped:
        print(f"python: {test.id()}: skipped: {why}")
    if not result.wasSuccessful() or not result.testsRun:
        return 1
    return ALL_SKIPPED if len(result.skipped) == result.testsRun else 0


if __name__ == "__main__":
    sys.exit(main())
