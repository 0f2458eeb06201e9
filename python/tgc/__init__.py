"""tgc: data-parallel primitives from small codelets, as functions of NumPy, PyTorch and CuPy arrays.

    import numpy, tgc
    total = tgc.load("sum.cdl", arch="cpu", types="float")
    total(numpy.ones(1000, numpy.float32))

docs/reference/python.md describes the interface; __init__.pyi has its types.
"""

from ._build import BuildError
from ._compiler import CompileError, __version__, run
from ._library import Library
from ._load import cache_directory, load, load_folder

__all__ = ["BuildError", "CompileError", "Library", "__version__", "cache_directory", "load", "load_folder", "run"]
