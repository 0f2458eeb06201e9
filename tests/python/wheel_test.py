"""`pip install .` into a new environment: the wheel has the compiler and its data, and needs no source tree."""

import os
import pathlib
import subprocess
import sys
import unittest

FOLDER, ROOT = pathlib.Path(os.environ["TGC_TEST_FOLDER"]), os.environ["TGC_ROOT"]
SCRIPT = """
import numpy, pathlib, tgc
assert tgc.__version__[0].isdigit(), tgc.__version__
total = tgc.load("sum.cdl", types="float")
assert total(numpy.ones(1000, "f4")) == 1000
here = pathlib.Path(tgc.__file__).parent
assert (here / "py.typed").exists() and (here / "__init__.pyi").exists() and (here / "bin" / "tgc").exists()
assert list(here.rglob("copyright")), "no licences"
print(tgc.run("version"), end="")
"""


@unittest.skipUnless(os.environ.get("TGC_LONG") == "1", "the long mode has it")
class Wheel(unittest.TestCase):
    def test_install(self):
        python = FOLDER / "venv" / "bin" / "python"
        subprocess.run([sys.executable, "-m", "venv", FOLDER / "venv"], check=True)
        environment = {k: v for k, v in os.environ.items() if k not in ("TGC_COMPILER", "PYTHONPATH", "TGC_DATA_DIR")}
        subprocess.run([python, "-m", "pip", "install", "--quiet", ROOT], check=True, env=environment)
        for command in ([python, "-c", SCRIPT], [FOLDER / "venv" / "bin" / "tgc", "version"]):
            done = subprocess.run(command, cwd=FOLDER, env=environment, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(done.stdout.startswith("tgc "), done.stdout)
