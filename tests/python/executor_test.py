"""The package's way of calling GPU libraries, without a GPU: tgc's executor runs the CUDA text, a stand-in for nvcc
compiles it, and arrays are memory of the executor's with __cuda_array_interface__."""

import ctypes
import os
import pathlib
import shutil
import subprocess
import unittest

import numpy

import tgc

FOLDER = pathlib.Path(os.environ["TGC_TEST_FOLDER"])
SIMT = pathlib.Path(os.environ["TGC_ROOT"], "runtime/simt")
CLANG = shutil.which("clang++-19") or shutil.which("clang++")
# Takes nvcc's words; the executor is linked into each library, and watches no memory here.
NVCC = f"""#!/usr/bin/env bash
set -e
words=()
for word in "$@"; do
  case $word in -Xcompiler | -gencode=*) ;; *) words+=("$word") ;; esac
done
case " ${{words[*]}} " in
  *" -c "*) hooks="-fsanitize=thread"
    for hook in compound-read-before-write=1 instrument-func-entry-exit=0 instrument-atomics=0; do
      hooks+=" -mllvm -tsan-$hook"
    done
    exec {CLANG} $hooks -w -fno-strict-aliasing -I {SIMT}/include -I {SIMT} -x c++ "${{words[@]}}" -O1 ;;
  *) exec {CLANG} "${{words[@]}}" {FOLDER}/simt/*.o ;;
esac
"""


class Device:
    """Memory of the executor in a library, as an array."""

    def __init__(self, library, array, read_only=False, stream=None):
        self.library, self.host = library, numpy.ascontiguousarray(array)
        self.at = ctypes.c_void_p()
        assert library.cudaMalloc(ctypes.byref(self.at), ctypes.c_size_t(max(self.host.nbytes, 1))) == 0
        self.copy(self.at.value, self.host.ctypes.data, 1)
        self.__cuda_array_interface__ = {
            "shape": array.shape,
            "typestr": array.dtype.str,
            "version": 3,
            "stream": stream,
            "data": (self.at.value, read_only),
            "strides": None,
        }

    def copy(self, to, source, kind):
        error = self.library.cudaMemcpy(
            ctypes.c_void_p(to), ctypes.c_void_p(source), ctypes.c_size_t(self.host.nbytes), kind
        )
        assert error == 0, error

    def get(self):
        made = numpy.empty_like(self.host)
        self.copy(made.ctypes.data, self.at.value, 2)
        return made


@unittest.skipUnless(CLANG, "there is no clang++")
class Executor(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        (FOLDER / "simt").mkdir()
        once = ["ccache"] if shutil.which("ccache") else []
        for source in SIMT.glob("*.cc"):
            subprocess.run(
                [
                    *once,
                    CLANG,
                    "-std=c++17",
                    "-fPIC",
                    "-w",
                    "-O1",
                    "-fno-strict-aliasing",
                    "-I",
                    SIMT / "include",
                    "-I",
                    SIMT,
                    "-c",
                    source,
                    "-o",
                    FOLDER / "simt" / f"{source.stem}.o",
                ],
                check=True,
            )
        nvcc = FOLDER / "nvcc"
        nvcc.write_text(NVCC)
        nvcc.chmod(0o755)
        os.environ.update(TGC_NVCC=str(nvcc), TGC_SIMT_COMPUTE="80")
        cls.scan = tgc.load("scan.cdl", arch="sm_80", types="int", options=["--keep", "2"])
        cls.cuda = cls.scan._library

    def given(self, array, **named):
        return Device(self.cuda, array, **named)

    def test_results_and_workspaces(self):
        for n in (1, 1000, 100000, 10):
            x = numpy.arange(n, dtype="i4") % 5
            out = self.given(numpy.zeros(n, "i4"))
            self.assertIs(self.scan(self.given(x), out=out), out)
            self.assertTrue(numpy.array_equal(out.get(), x.cumsum(dtype="i4")))
        self.assertEqual(len(self.scan._workspaces.of_stream), 1)
        ((_, have),) = self.scan._workspaces.of_stream.values()
        self.assertGreater(have, 100000 // 1024)

    def test_streams(self):
        stream = ctypes.c_void_p()
        self.cuda.cudaStreamCreate(ctypes.byref(stream))
        x, out = self.given(numpy.ones(10, "i4")), self.given(numpy.zeros(10, "i4"))
        before = set(self.scan._workspaces.of_stream)
        self.scan(x, out=out, stream=stream.value)
        self.assertEqual(set(self.scan._workspaces.of_stream) - before, {(0, stream.value)})
        before, waits, wait = set(self.scan._workspaces.of_stream), [], self.scan._workspaces.wait
        self.scan._workspaces.wait = lambda s: waits.append(s) or wait(s)
        self.scan(self.given(numpy.ones(10, "i4"), stream=stream.value), out=out)
        self.assertEqual((set(self.scan._workspaces.of_stream), waits), (before, []))
        self.scan(self.given(numpy.ones(10, "i4"), stream=stream.value), out=out, stream=0)
        self.assertEqual(waits, [stream.value])
        self.assertEqual(out.get().tolist(), list(range(1, 11)))

    def test_capture(self):
        """What is captured has a workspace of its own, and is done at each launch of the graph."""
        stream, graph, ready = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        self.cuda.cudaStreamCreate(ctypes.byref(stream))
        x, out = self.given(numpy.ones(5000, "i4")), self.given(numpy.zeros(5000, "i4"))
        self.cuda.cudaStreamBeginCapture(stream, 2)
        self.scan(x, out=out, stream=stream.value)
        self.cuda.cudaStreamEndCapture(stream, ctypes.byref(graph))
        self.assertNotIn((0, stream.value), self.scan._workspaces.of_stream)
        self.assertEqual(out.get().sum(), 0)
        self.cuda.cudaGraphInstantiateWithFlags(ctypes.byref(ready), graph, ctypes.c_ulonglong(0))
        for value in (2, 3):
            filled = numpy.full(5000, value, "i4")
            x.copy(x.at.value, filled.ctypes.data, 1)
            self.assertEqual(self.cuda.cudaGraphLaunch(ready, stream), 0)
            self.assertEqual(out.get()[-1], 5000 * value)

    def test_what_is_refused(self):
        x = self.given(numpy.ones(10, "i4"))
        for call, error, text in (
            (
                lambda: self.scan(numpy.ones(10, "i4"), out=x),
                TypeError,
                "in is on a CPU, and inclusive_scan was compiled for",
            ),
            (lambda: self.scan(x), TypeError, "the result's kind is not known"),
            (
                lambda: self.scan(x, out=self.given(numpy.ones(10, "i4"), read_only=True)),
                ValueError,
                "out is read-only",
            ),
            (lambda: self.scan(x, out=self.given(numpy.ones(9, "i4"))), ValueError, "out (9) gives n = 9"),
            (lambda: self.scan(x, out=x), ValueError, "out is written and shares memory with in"),
            (lambda: self.scan(x, out=x, stream="s"), TypeError, "stream: a stream of PyTorch or CuPy, or a handle"),
        ):
            with self.assertRaises(error) as caught:
                call()
            self.assertIn(text, str(caught.exception))
