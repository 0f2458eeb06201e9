"""Calls: results that are given and made, sizes by name, strides, structs, and what is refused."""

import json
import os
import pathlib
import subprocess
import sys
import threading
import unittest

import numpy

import tgc
from drawn import by_turns

FOLDER = pathlib.Path(os.environ["TGC_TEST_FOLDER"])
EXTENT = """struct __monoid(associative, commutative) Extent {
  struct Range { float low, high; };
  static Range id() { return {highest<float>(), lowest<float>()}; }
  static Range op(Range a, Range b) { return {min(a.low, b.low), max(a.high, b.high)}; }
  static Range lift(float x) { return {x, x}; }
};
"""


def floats(*shape):
    return numpy.random.default_rng(1).integers(0, 9, shape).astype("f4")


class Calls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sum = tgc.load("sum.cdl", types="int,float")
        cls.gemv = tgc.load("gemv.cdl", types="float")

    def refuses(self, error, text, call):
        with self.assertRaises(error) as caught:
            call()
        self.assertIn(text, str(caught.exception))

    def test_result_that_is_given(self):
        x, out = floats(100), numpy.zeros((), "f4")
        self.assertIs(self.sum(x, out=out), out)
        self.assertEqual(out, x.sum())
        y = numpy.zeros(3, "f4")
        self.assertIs(self.gemv(floats(3, 5), floats(5), y=y), y)
        self.assertIs(self.gemv(floats(3, 5), floats(5), out=y), y)
        self.assertTrue(numpy.array_equal(y, floats(3, 5) @ floats(5)))

    def test_types(self):
        self.assertEqual(self.sum(numpy.arange(10, dtype="i4")).dtype, numpy.int32)
        self.refuses(
            TypeError, "sum takes (in: int) or (in: float), and is given in: double, shape 3",
            lambda: self.sum(numpy.ones(3))
        )
        self.refuses(TypeError, "in: an array is expected", lambda: self.sum([1, 2]))
        self.refuses(TypeError, "(in: float, out: float)", lambda: self.sum(floats(3), out=numpy.zeros((), "i4")))
        self.refuses(TypeError, "other byte order", lambda: self.sum(floats(3).astype(">f4")))

    def test_shapes(self):
        self.assertEqual(self.sum(floats(0)), 0)
        self.refuses(ValueError, "in has 2 dimensions (2x3), and 1 is expected", lambda: self.sum(floats(2, 3)))
        self.refuses(ValueError, "its elements are 2 apart", lambda: self.sum(floats(6)[::2]))
        self.refuses(ValueError, "its elements are -1 apart", lambda: self.sum(floats(6)[::-1]))
        self.refuses(
            ValueError,
            "x (4) gives columns = 4, and A (3x5) gives columns = 5",
            lambda: self.gemv(floats(3, 5), floats(4)),
        )
        self.refuses(ValueError, "it looks column-major", lambda: self.gemv(floats(5, 3).T, floats(5)))
        self.refuses(
            ValueError,
            "overlap",
            lambda: self.gemv(numpy.lib.stride_tricks.as_strided(floats(9), (3, 5), (8, 4)), floats(5)),
        )

    def test_rows_apart(self):
        A, x = floats(7, 20), floats(5)
        self.assertTrue(numpy.array_equal(self.gemv(A[:, 3:8], x), A[:, 3:8] @ x))
        self.assertTrue(numpy.array_equal(self.gemv(A[::3, 3:8], x), A[::3, 3:8] @ x))
        self.assertEqual(self.gemv(floats(0, 5), x).shape, (0,))
        self.assertTrue(numpy.array_equal(self.gemv(floats(3, 0), floats(0)), numpy.zeros(3)))

    def test_arguments(self):
        self.refuses(TypeError, "sum(in, out=None) lacks in", self.sum)
        self.refuses(TypeError, "has no argument axis", lambda: self.sum(floats(3), axis=0))
        self.refuses(TypeError, "in_ is given twice", lambda: self.sum(floats(3), in_=floats(3)))
        self.refuses(TypeError, "at most 1 arguments, and 2 were given", lambda: self.sum(floats(3), 4))
        self.refuses(TypeError, "has none", lambda: self.sum(floats(3), stream=1))
        self.assertEqual(self.sum(in_=floats(3)), floats(3).sum())

    def test_memory(self):
        A, out = floats(5, 5), floats(25)
        out.setflags(write=False)
        self.refuses(ValueError, "y is read-only", lambda: self.gemv(A, floats(5), out=out[:5]))
        self.refuses(ValueError, "y is written and shares memory with A", lambda: self.gemv(A, floats(5), out=A[2]))

    @by_turns(1.5)
    def test_sizes_that_are_missing(self):
        segments = tgc.load("segmented_sum.cdl", types="float")
        self.refuses(
            TypeError, "out is needed: how long it is (out_n) does not follow", lambda: segments(floats(12), 4)
        )
        self.assertEqual(segments(floats(12), 4, out=numpy.zeros(3, "f4")).shape, (3,))
        self.assertEqual(segments(floats(12), 4, out_n=3).shape, (3,))
        self.refuses(ValueError, "size = -4", lambda: segments(floats(12), -4, out_n=3))
        self.refuses(TypeError, "lacks size", lambda: segments(floats(12), out_n=3))

    @by_turns(1.5)
    def test_what_the_library_refuses(self):
        jacobi = tgc.load("jacobi.cdl", types="float")
        self.refuses(ValueError, "y_rows = 5, and has to be rows - 2", lambda: jacobi(floats(6, 6), floats(5, 4)))
        self.refuses(ValueError, "y would have y_rows = -1", lambda: jacobi(floats(1, 6)))

    @by_turns(1.5)
    def test_numbers(self):
        axpy = tgc.load("saxpy.cdl", types="int,float")
        self.refuses(TypeError, "axpy(a, x, y, out=None) lacks y", lambda: axpy(2, floats(3)))
        self.refuses(TypeError, "a: a number (float) is expected, not str", lambda: axpy("2", floats(3), floats(3)))
        self.refuses(
            TypeError, "a: an integer (int)", lambda: axpy(2.5, floats(3).astype("i4"), floats(3).astype("i4"))
        )
        self.refuses(
            ValueError,
            "a = 4294967296 is no value of int",
            lambda: axpy(2**32, floats(3).astype("i4"), floats(3).astype("i4")),
        )
        y = floats(3)
        self.assertIs(axpy(numpy.float32(2), floats(3), y), y)
        self.assertTrue(numpy.array_equal(y, 3 * floats(3)))

    @by_turns(4)
    def test_operator_and_structs(self):
        source = FOLDER / "extent.cdl"
        source.write_text(EXTENT)
        extent = tgc.load(["reduce.cdl", source], operator="Extent")
        x = floats(1000)
        self.assertEqual(extent(x).tolist(), (x.min(), x.max()))
        out = numpy.zeros((), [("low", "f4"), ("high", "f4")])
        self.assertIs(extent(x, out=out), out)
        self.refuses(TypeError, "out:", lambda: extent(x, out=numpy.zeros((), [("low", "f4"), ("up", "f4")])))
        root = pathlib.Path(os.environ["TGC_ROOT"])
        product = tgc.load(["reduce.cdl", root / "examples/product2x2.cdl"], operator="Product2x2")
        matrices = numpy.random.default_rng(2).integers(0, 5, (50, 2, 2)).astype("u4")
        given = numpy.zeros(50, [("m", "u4", (2, 2))])
        given["m"] = matrices
        expected = numpy.eye(2, dtype="u4")
        for m in matrices:
            expected = expected @ m
        self.assertTrue(numpy.array_equal(product(given)["m"], expected))

    @by_turns(5)
    def test_nan(self):
        """In any place, and at any number of places: as numpy.max and numpy.argmax have it."""
        random = numpy.random.default_rng(3)
        for operator, name in (("Max", "max"), ("ArgMin", "argmin")):
            loaded = tgc.load("reduce.cdl", operator=operator, nan="propagate", types="float")
            ignoring = tgc.load("reduce.cdl", operator=operator, types="float")
            for n in (1, 7, 1000, 50000):
                for many in (0, 1, 3):
                    x = random.integers(-9, 9, n).astype("f4")
                    x[random.integers(0, n, many)] = numpy.nan
                    if operator == "Max":
                        self.assertTrue(numpy.array_equal(loaded(x), x.max(), equal_nan=True))
                        self.assertTrue(many == n == 1 or n == 1 or ignoring(x) == numpy.nanmax(x))
                    else:
                        self.assertEqual(loaded(x)["place"], x.argmin())
                        self.assertTrue(numpy.array_equal(loaded(x)["value"], x.min(), equal_nan=True))
        self.refuses(
            ValueError, "there are ignore and propagate", lambda: tgc.load("reduce.cdl", operator="Max", nan=1)
        )
        self.refuses(ValueError, "is for the operators", lambda: tgc.load("sum.cdl", nan="propagate"))

    def test_what_is_changed(self):
        """An array has to be passed if the call reads it, however indirectly, and not if it is only filled."""
        head = "template <typename T> __codelet __tag(serial)\n"
        head += "void f(const Array<1, T> x, __like(x) __mutable Array<1, T> y) "
        inner = head.replace(" f(", " g(")
        loop = "{{ for (unsigned i = 0; i < x.Size(); ++i) {} }}\n"
        cases = (
            (head + loop.format("y[i] = x[i];"), False),
            (head + loop.format("y[i] = x[i] + y[i];"), True),
            (head + loop.format("y[i] += x[i];"), True),
            (head + loop.format("{ T before = y[i]; y[i] = before; }"), True),
            (inner + loop.format("y[i] = x[i];") + head + "{ g<T>(x, y); }\n", False),
            (inner + loop.format("y[i] += x[i];") + head + "{ g<T>(x, y); }\n", True),
        )
        source = FOLDER / "changed.cdl"
        for text, in_place in cases:
            source.write_text(text)
            manifest = json.loads(
                tgc.run("compile", source, "--spectrum", "f", "--arch", "avx2", "--types", "float", "--json")
            )
            found = {o["name"]: o["in_place"] for o in manifest["operands"]}
            self.assertEqual(found, {"x": False, "n": False, "y": in_place}, text)

    def test_other_arrays(self):
        class Interface:
            def __init__(self, x):
                self.__array_interface__ = x.__array_interface__
                self.x = x

        class Capsule:
            def __init__(self, x):
                self.x = x

            def __dlpack__(self, **named):
                return self.x.__dlpack__(**named)

            def __dlpack_device__(self):
                return self.x.__dlpack_device__()

        x = floats(100)
        for other in (Interface(x), Capsule(x)):
            self.assertEqual(self.sum(other), x.sum())
        self.assertTrue(
            numpy.array_equal(self.gemv(Capsule(floats(4, 9)[:, 2:5]), floats(3)), floats(4, 9)[:, 2:5] @ floats(3))
        )

    def test_threads(self):
        x, wrong = floats(100000), []

        def many():
            for _ in range(20):
                if self.sum(x) != x.sum(dtype="f8"):
                    wrong.append(1)

        threads = [threading.Thread(target=many) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])


class Loading(unittest.TestCase):
    def test_errors(self):
        with self.assertRaises(FileNotFoundError):
            tgc.load("nothing.cdl")
        with self.assertRaises(tgc.CompileError) as caught:
            tgc.load("sum.cdl", types="flaot")
        self.assertIn("flaot", str(caught.exception))
        with self.assertRaises(ValueError):
            tgc.load("sum.cdl", arch="sm_80,sm_90")
        with self.assertRaises(FileNotFoundError):
            tgc.load_folder(FOLDER)

    @by_turns(2.5)
    def test_cache_follows_contents(self):
        inner, outer = FOLDER / "inner.cdl", FOLDER / "outer.cdl"
        text = (
            "template <typename T> __codelet __tag(serial)\nT norm(const Array<1, T> x) {\n  T s = 0;\n"
            "  for (unsigned i = 0; i < x.Size(); ++i) s += x[i] * FACTOR;\n  return s;\n}\n"
        )
        outer.write_text('#include "inner.cdl"\n')
        for factor in (2, 3, 2):
            inner.write_text(text.replace("FACTOR", str(factor)))
            norm = tgc.load(outer, types="float")
            self.assertEqual(norm(floats(50)), factor * floats(50).sum())
        libraries = [p for p in tgc.cache_directory().glob("*/library.so")]
        self.assertEqual(tgc.load(outer, types="float").path, norm.path)
        self.assertEqual(len(libraries), len(list(tgc.cache_directory().glob("*/library.so"))))

    @by_turns(3)
    def test_processes_at_a_time(self):
        script = (
            "import sys, tgc, numpy\n"
            "f = tgc.load('dot.cdl', types='float', cache=sys.argv[1])\n"
            "assert f(numpy.ones(9, 'f4'), numpy.ones(9, 'f4')) == 9\n"
        )
        environment = {**os.environ, "PYTHONPATH": os.path.join(os.environ["TGC_ROOT"], "python")}
        cache = FOLDER / "shared"
        started = [subprocess.Popen([sys.executable, "-c", script, cache], env=environment) for _ in range(4)]
        self.assertEqual([p.wait() for p in started], [0] * 4)
        self.assertEqual(len(list(cache.glob("*/complete"))), 2)
        self.assertEqual([p.name for p in cache.iterdir() if p.name.startswith(".")], [])

    @by_turns(1.2)
    def test_folder(self):
        folder = FOLDER / "out"
        tgc.run(
            "compile",
            pathlib.Path(os.environ["TGC_ROOT"], "codelets/sum.cdl"),
            "--arch",
            "cpu",
            "--types",
            "float",
            "--keep",
            "2",
            "--quiet",
            "-o",
            folder,
        )
        loaded = tgc.load_folder(folder)
        self.assertEqual(loaded(floats(9)), floats(9).sum())
        self.assertEqual((loaded.name, loaded.arch, loaded.types), ("sum", "cpu", ("float",)))
