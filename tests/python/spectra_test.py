"""Every shipped spectrum on random shapes, beside NumPy."""

import os
import pathlib
import sys
import unittest

import numpy

import tgc
from drawn import SEED, drawn
from spectra import SPECTRA, agrees

ROUNDS = 20


class Spectra(unittest.TestCase):
    def test_all_are_here(self):
        shipped = {p.stem for p in pathlib.Path(os.environ["TGC_ROOT"], "codelets").glob("*.cdl")}
        self.assertEqual(shipped, set(SPECTRA), "tests/python/spectra.py lacks a shipped spectrum")

    def test_clusters(self):
        """The example's loop beside the same one in NumPy."""
        sys.path.insert(0, os.path.join(os.environ["TGC_ROOT"], "examples", "python"))
        import kmeans

        r = numpy.random.default_rng(int(SEED))
        n, many, features = int(r.integers(500, 3000)), int(r.integers(1, 9)), int(r.integers(1, 20))
        points = (100 * r.integers(0, many, (n, 1)) + r.integers(-20, 21, (n, features))).astype("f4")
        centres = numpy.arange(many, dtype="f4")[:, None] * 100 + numpy.zeros(features, "f4")
        labels, found, iterations = kmeans.clusters(points, centres.copy(), 12)
        for _ in range(iterations):
            wanted = ((points[:, None] - centres[None]) ** 2).sum(2, dtype="f4").argmin(1)
            for k in set(wanted):
                centres[k] = points[wanted == k].sum(0, dtype="f8") / (wanted == k).sum()
        self.assertTrue((labels == wanted).all())
        self.assertTrue(numpy.allclose(found, centres, rtol=1e-5))

    def test_sort(self):
        """A radix sort: a pass for each bit, which hands the next one how many keys come first."""
        sort_bit = tgc.load("sort_bit.cdl", arch="cpu", types="int")
        keys = numpy.random.default_rng(int(SEED)).integers(0, 2**32, 5000).astype("u4")
        found, zeros = keys, numpy.array([len(keys)])
        for bit in range(33):
            found, count = sort_bit(found, zeros, bit, numpy.zeros_like(keys))
            zeros = numpy.array([count])
        self.assertTrue((found == numpy.sort(keys)).all())

    def test_beside_numpy(self):
        for name in drawn(sorted(SPECTRA), 3):
            arguments, types, options = SPECTRA[name]
            loaded = tgc.load(f"{name}.cdl", arch="cpu", types=types, **options)
            for i in range(ROUNDS):
                given, named, expected = arguments(numpy.random.default_rng([int(SEED), i]))
                with self.subTest(name=name, round=i):
                    got = loaded(*given, **named)
                    several = isinstance(expected, tuple)
                    self.assertEqual(len(got) if several else 1, len(expected) if several else 1)
                    for one, other in zip(got, expected) if several else [(got, expected)]:
                        self.assertEqual(one.shape, numpy.shape(other))
                        self.assertTrue(agrees(name, one, other), f"{one} is not {other}")
