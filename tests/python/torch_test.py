"""Tensors of PyTorch on a CPU, and the libraries as its operators: fake kernels, torch.compile."""

import unittest

import numpy
import torch

import tgc
from drawn import SEED, drawn
from spectra import SPECTRA, agrees


def tensors(arguments):
    return [torch.from_numpy(x) if isinstance(x, numpy.ndarray) else x for x in arguments]


class Tensors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sum = tgc.load("sum.cdl", types="int,float")
        cls.axpy = tgc.load("saxpy.cdl", types="float")

    def test_spectra(self):
        for name in drawn([n for n in sorted(SPECTRA) if n != "histogram"], 3):
            arguments, types, options = SPECTRA[name]
            given, named, expected = arguments(numpy.random.default_rng(int(SEED)))
            got = tgc.load(f"{name}.cdl", types=types, **options)(*tensors(given), **named)
            with self.subTest(name=name):
                if isinstance(expected, tuple):
                    for one, other in zip(got, expected):
                        self.assertTrue(agrees(name, one.numpy(), other))
                elif isinstance(got, tuple):  # a struct's members
                    self.assertEqual([x.item() for x in got], list(expected.tolist()))
                else:
                    self.assertIsInstance(got, torch.Tensor)
                    self.assertTrue(agrees(name, got.numpy(), expected))

    def test_tensors(self):
        x = torch.arange(100, dtype=torch.float32)
        self.assertEqual(self.sum(x), 4950)
        self.assertEqual(self.sum(x[10:20]), x[10:20].sum())
        out = torch.zeros(())
        self.assertIs(self.sum(x, out=out), out)
        for call, error, text in (
            (lambda: self.sum(x[::2]), ValueError, "its elements are 2 apart"),
            (lambda: self.sum(x.double()), TypeError, "and is given in: double, shape 100"),
            (lambda: self.sum(x.clone().requires_grad_()), TypeError, "pass in.detach()"),
            (lambda: self.sum(x.to_sparse()), TypeError, "a strided tensor is expected"),
        ):
            with self.assertRaises(error) as caught:
                call()
            self.assertIn(text, str(caught.exception))
        with torch.no_grad():
            self.assertEqual(self.sum(x.clone().requires_grad_()), 4950)

    def test_structs(self):
        arg_max = tgc.load("reduce.cdl", operator="ArgMax", types="float")
        x = torch.tensor([1.0, 7.0, 3.0])
        best = arg_max(x)
        self.assertEqual((best.value.item(), best.place.item(), best.place.dtype), (7, 1, torch.int64))
        out = torch.zeros(16, dtype=torch.uint8)
        self.assertIs(arg_max(x, out=out), out)
        self.assertEqual(out[8:].view(torch.int64).item(), 1)

    def test_half_types(self):
        total = tgc.load("sum.cdl", types="half")
        self.assertEqual(total(torch.ones(3000, dtype=torch.float16)), 3000)
        with self.assertRaises(TypeError):
            total(torch.ones(3, dtype=torch.bfloat16))

    @unittest.skipUnless(hasattr(torch.library, "custom_op"), "PyTorch before 2.4 has no custom operators")
    def test_operators(self):
        total, axpy = self.sum.torch_op("test_sum"), self.axpy.torch_op("test_axpy")
        self.assertIs(self.sum.torch_op("test_sum"), total)
        with self.assertRaises(ValueError):
            self.axpy.torch_op("test_sum")
        scan = tgc.load("scan.cdl", types="float").torch_op("test_scan")
        segments = tgc.load("segmented_sum.cdl", types="float").torch_op("test_segments")
        transpose = tgc.load("transpose.cdl", types="float").torch_op("test_transpose")
        x = torch.arange(12, dtype=torch.float32)
        for op, given in (
            (torch.ops.tgc.test_sum, (x,)),
            (torch.ops.tgc.test_axpy, (2.0, x, x.clone())),
            (torch.ops.tgc.test_scan, (x,)),
            (torch.ops.tgc.test_segments, (x, 4, 3)),
            (torch.ops.tgc.test_transpose, (x.view(3, 4),)),
        ):
            torch.library.opcheck(op.default, given)

        def work(x):
            y = x + 1
            axpy(2.0, x, y)
            return scan(y), total(y), segments(y, 4, x.shape[0] // 4)

        compiled = torch.compile(work, fullgraph=True, backend="aot_eager")
        for n in (12, 12, 24, 36):
            x = torch.arange(n, dtype=torch.float32)
            y = 3 * x + 1
            found = compiled(x)
            for got, expected in zip(found, (y.cumsum(0), y.sum(), y.view(-1, 4).sum(1))):
                self.assertTrue(torch.equal(got, expected))
        self.assertEqual(transpose(torch.ones(3, 4)).shape, (4, 3))
