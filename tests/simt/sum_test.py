#!/usr/bin/env python3
"""sum_test.py TGC: codelets/sum.cdl for two machines, written, checked, and compiled for every machine from its own on.
Few variants and types, drawn; in the long mode all."""
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from drawn import LONG, drawn  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TYPES = ("int", "uint", "float", "double", "int64", "half")


def main():
    tgc = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as base:
        for arch in drawn(("sm_60", "sm_35"), 1):
            folder = f"{base}/{arch}"
            few = [] if LONG else ["--types", ",".join(drawn(TYPES, 1)), "--keep", "4"]
            for command in ([f"{ROOT}/codelets/sum.cdl", "--arch", arch, *few, "-o", folder],
                            ["check", folder, "--sizes", "0,1,33,1025,65537", "--seeds", "1"],
                            ["check", folder, "--compile"]):
                done = subprocess.run([tgc, *command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                if done.returncode:
                    sys.exit(f"tgc {' '.join(command)}: status {done.returncode}\n{done.stdout[:3000]}")
                print(done.stdout.splitlines()[-1], flush=True)


if __name__ == "__main__":
    main()
