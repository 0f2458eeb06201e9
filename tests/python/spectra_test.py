"""Every shipped spectrum on random shapes, beside NumPy."""

import os
import pathlib
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
