#!/usr/bin/env python3
"""kmeans.py [N [CLUSTERS [FEATURES]]]: Lloyd's algorithm: each point goes to the nearest centre, and each centre to the
mean of its points, until no point changes. The two halves of an iteration are tgc's; NumPy's arrays are computed with on
this CPU. With PyTorch's or CuPy's arrays the same calls run on a GPU.

    PYTHONPATH=python TGC_COMPILER=build/tgc examples/python/kmeans.py 100000 5 34
"""
import sys

import numpy

import tgc


def clusters(points, centres, most=300):
    """Labels, centres, and how many iterations it took."""
    assign = tgc.load("kmeans_assign.cdl", types="float")
    update = tgc.load("kmeans_update.cdl", types="float")
    before = None
    for iteration in range(1, most + 1):
        labels = assign(points, centres)
        if before is not None and (labels == before).all():
            break
        before = labels
        sums, counts = update(points, labels, numpy.zeros_like(centres), numpy.zeros(len(centres), "i4"))
        full = counts > 0  # a centre without points stays where it is
        centres[full] = sums[full] / counts[full, None]
    return labels, centres, iteration


def main():
    n, many, features = (int(x) for x in (sys.argv[1:] + ["10000", "5", "8"][len(sys.argv) - 1:]))
    r = numpy.random.default_rng(1)
    around = r.normal(0, 10, (many, features))
    points = (around[r.integers(0, many, n)] + r.normal(0, 1, (n, features))).astype("f4")
    labels, centres, iterations = clusters(points, points[:many].copy())
    print(f"{n} points, {many} clusters, {iterations} iterations: {sorted(numpy.bincount(labels, minlength=many))}")


if __name__ == "__main__":
    main()
