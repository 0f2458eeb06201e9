"""The command `tgc` of an installed package: the compiler itself."""

import os
import sys

from ._compiler import CompileError, executable


def main():
    try:
        program = str(executable())
    except CompileError as why:
        sys.exit(f"tgc: error: {why}")
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
