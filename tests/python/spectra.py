"""Each shipped spectrum beside NumPy: how it is loaded, random arguments, what NumPy makes of them. The arguments are
NumPy's arrays; `convert` turns them into another library's."""

import numpy


def whole(r, *shape):
    """Small whole numbers: sums and products of them are exact in any order."""
    return r.integers(-8, 9, shape).astype("f4")


def sizes(r, n=1):
    return [int(x) for x in r.integers(1, 400, n)]


def segments(r):
    """Elements, offsets of segments that cover them, some empty."""
    n, many = sizes(r, 2)
    cuts = numpy.sort(r.integers(0, n + 1, many - 1))
    return whole(r, n), numpy.concatenate([[0], cuts, [n]]).astype("i8")


def segmented_sum(r):
    size, many = sizes(r, 2)
    x = whole(r, size * many)
    return (x, size), {"out_n": many}, x.reshape(many, size).sum(1)


def segmented_sum_offsets(r):
    x, offsets = segments(r)
    return (x, offsets), {}, numpy.array([x[a:b].sum() for a, b in zip(offsets, offsets[1:])], "f4")


def spmv(r):
    values, offsets = segments(r)
    x = whole(r, int(r.integers(1, 500)))
    columns = r.integers(0, len(x), len(values)).astype("i4")
    y = [(values[a:b] * x[columns[a:b]]).sum() for a, b in zip(offsets, offsets[1:])]
    return (values, columns, offsets.astype("i4"), x), {}, numpy.array(y, "f4")


def copy_if(r):
    x = whole(r, *sizes(r))
    out, kept = whole(r, *x.shape), x[x > 2]
    return (x, 2, out.copy()), {}, (numpy.concatenate([kept, out[len(kept):]]), numpy.int64(len(kept)))


def runs(r):
    """Elements that come in runs, and where these begin."""
    x = numpy.sort(whole(r, *sizes(r)))
    return x, numpy.flatnonzero(numpy.concatenate([[True], x[1:] != x[:-1]]))


def unique(r):
    x, begins = runs(r)
    out = whole(r, *x.shape)
    return (x, out.copy()), {}, (numpy.concatenate([x[begins], out[len(begins):]]), numpy.int64(len(begins)))


def run_length(r):
    x, begins = runs(r)
    many = len(begins)
    values, offsets = whole(r, *x.shape), r.integers(0, 9, len(x) + 1).astype("i8")
    return (x, values.copy(), offsets.copy()), {}, (
        numpy.concatenate([x[begins], values[many:]]),
        numpy.concatenate([begins, [len(x)], offsets[many + 1:]]),
        numpy.int64(many),
    )


def sort_bit(r):
    keys = r.integers(0, 2**32, *sizes(r)).astype("u4")
    n, zeros, bit = len(keys), int(r.integers(0, len(keys) + 1)), int(r.integers(0, 33))
    in_order = numpy.concatenate([keys[:zeros], keys[zeros:][::-1]])
    clear = (in_order.astype("u8") >> bit) & 1 == 0
    out = numpy.concatenate([in_order[clear], in_order[~clear][::-1]])
    return (keys, numpy.array([zeros]), bit, numpy.zeros(n, "u4")), {}, (out, numpy.int64(clear.sum()))


def kmeans_assign(r):
    n, columns, many = sizes(r, 3)
    points, centres = whole(r, n, columns % 40 + 1), whole(r, many % 9 + 1, columns % 40 + 1)
    distances = ((points[:, None] - centres[None]) ** 2).sum(2)
    return (points, centres), {}, distances.argmin(1).astype("i4")


def kmeans_update(r):
    n, columns, many = sizes(r, 3)
    points, labels = whole(r, n, columns % 40 + 1), r.integers(-1, many, n).astype("i4")
    sums, counts = numpy.zeros((many, points.shape[1]), "f4"), numpy.zeros(many, "i4")
    numpy.add.at(sums, labels[labels >= 0], points[labels >= 0])
    numpy.add.at(counts, labels[labels >= 0], 1)
    return (points, labels, numpy.zeros_like(sums), numpy.zeros_like(counts)), {}, (sums, counts)


def kmeans_turn(r):
    n, columns, many = sizes(r, 3)
    features, many = columns % 40 + 1, many % 9 + 1
    points, centres = whole(r, n, features), whole(r, many, features)
    labels = ((points[:, None] - centres[None]) ** 2).sum(2).argmin(1).astype("i4")
    sums, counts = numpy.zeros_like(centres), numpy.bincount(labels, minlength=many).astype("i4")
    numpy.add.at(sums, labels, points)
    return (points, centres, numpy.zeros(n, "i4"), numpy.zeros_like(sums), numpy.zeros_like(counts)), {}, (
        labels, sums, counts)


def kmeans(r):
    n, columns, many = sizes(r, 3)
    features, many = columns % 40 + 1, many % 9 + 1
    points, start = whole(r, n, features), whole(r, many, features)
    centres, labels, sums = start.copy(), numpy.zeros(n, "i4"), numpy.zeros_like(start)
    for _ in range(2):
        labels = ((points[:, None] - centres[None]) ** 2).sum(2, dtype="f4").argmin(1).astype("i4")
        sums = numpy.zeros_like(start)
        numpy.add.at(sums, labels, points)
        counts = numpy.bincount(labels, minlength=many)
        centres[counts > 0] = sums[counts > 0] / counts[counts > 0, None].astype("f4")
    return (points, 2, numpy.zeros(n, "i4"), numpy.zeros_like(start), start), {}, (labels, sums, centres)


def searched(r):
    """A graph in CSR with edges anywhere, a source, and levels by a plain search."""
    n = sizes(r)[0]
    degrees = r.integers(0, 4, n)
    offsets = numpy.concatenate([[0], numpy.cumsum(degrees)]).astype("i4")
    columns = r.integers(0, n, offsets[-1]).astype("i4")
    levels, source = numpy.full(n, -1, "i4"), int(r.integers(0, n))
    levels[source], reached = 0, [source]
    for v in reached:
        for w in columns[offsets[v]:offsets[v + 1]]:
            if levels[w] < 0:
                levels[w] = levels[v] + 1
                reached.append(w)
    return offsets, columns, source, levels


def bfs(r):
    offsets, columns, source, levels = searched(r)
    return (offsets, columns, source, numpy.zeros_like(levels)), {}, levels


def bfs_edges(r):
    offsets, columns, source, levels = searched(r)
    start = numpy.repeat(numpy.arange(len(levels)), numpy.diff(offsets)).astype("i4")
    return (start, columns, source, numpy.zeros_like(levels)), {}, levels


def bfs_both(r):
    """Edges that lead both ways."""
    offsets, columns, source, _ = searched(r)
    start = numpy.repeat(numpy.arange(len(offsets) - 1), numpy.diff(offsets))
    tails, heads = numpy.concatenate([start, columns]), numpy.concatenate([columns, start])
    order = numpy.argsort(tails, kind="stable")
    both = heads[order].astype("i4")
    at = numpy.searchsorted(tails[order], numpy.arange(len(offsets))).astype("i4")
    levels, reached = numpy.full(len(offsets) - 1, -1, "i4"), [source]
    levels[source] = 0
    for v in reached:
        for w in both[at[v]:at[v + 1]]:
            if levels[w] < 0:
                levels[w] = levels[v] + 1
                reached.append(w)
    return (at, both, at, both, source, numpy.zeros_like(levels)), {}, levels


def sssp(r):
    """Whole weights: sums are exact. A plain loop over all edges until nothing changes."""
    offsets, columns, source, levels = searched(r)
    start = numpy.repeat(numpy.arange(len(levels)), numpy.diff(offsets)).astype("i4")
    weights = r.integers(0, 9, len(columns)).astype("f4")
    distances = numpy.full(len(levels), numpy.inf, "f4")
    distances[source] = 0
    for _ in levels:
        numpy.minimum.at(distances, columns, distances[start] + weights)
    return (start, columns, weights, source, numpy.zeros_like(distances)), {}, distances


def sort(r):
    """Numbers of both signs, of all magnitudes, and infinite ones."""
    keys = r.integers(0, 2**32, *sizes(r), dtype="u4").view("f4")
    keys[numpy.isnan(keys) | (keys == 0)] = numpy.inf
    return (keys, numpy.zeros_like(keys)), {}, numpy.sort(keys)


def sort_pairs(r):
    most = 2 ** int(r.integers(1, 63))
    keys = r.integers(-most, most, *sizes(r))
    values, order = r.integers(0, 2**32, len(keys), dtype="u4"), numpy.argsort(keys, kind="stable")
    return (keys, values, numpy.zeros_like(keys), numpy.zeros_like(values)), {}, (keys[order], values[order])


def segmented_scan(r):
    size, many = sizes(r, 2)
    x = whole(r, size * many)
    return (x, size), {}, x.reshape(many, size).cumsum(1, dtype="f4").ravel()


def segmented_scan_offsets(r):
    x, offsets = segments(r)
    return (x, offsets), {}, numpy.concatenate([x[a:b].cumsum(dtype="f4") for a, b in zip(offsets, offsets[1:])])


def total(r):
    x = whole(r, *sizes(r))
    return (x,), {}, x.sum()


def dot(r):
    n = sizes(r)
    x, y = whole(r, *n), whole(r, *n)
    return (x, y), {}, x @ y


def axpy(r):
    n = sizes(r)
    x, y = whole(r, *n), whole(r, *n)
    return (3, x, y.copy()), {}, 3 * x + y


def vadd(r):
    n = sizes(r)
    x, y = whole(r, *n), whole(r, *n)
    return (x, y), {}, x + y


def gemv(r):
    rows, columns, gap = sizes(r, 3)
    A, x = whole(r, rows, columns + gap)[:, :columns], whole(r, columns)
    return (A, x), {}, A @ x


def gemv_columns(r):
    rows, columns = sizes(r, 2)
    A, x = whole(r, columns, rows).T, whole(r, columns)
    return (A, x), {}, A @ x


def gemm(r):
    rows, columns, inner = (n // 8 + 1 for n in sizes(r, 3))
    A, B, C = whole(r, rows, inner), whole(r, inner, columns), whole(r, rows, columns)
    return (A, B, C.copy()), {}, A @ B + C


def transpose(r):
    A = whole(r, *sizes(r, 2))
    return (A,), {}, A.T


def jacobi(r):
    rows, columns = (n + 2 for n in sizes(r, 2))
    x = whole(r, rows, columns)
    return (x,), {}, (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]) * numpy.float32(0.25)


def convolve(r):
    n, many = (x + 9 for x in sizes(r, 2))
    x, w = whole(r, n + many), whole(r, many)
    return (x, w), {}, numpy.correlate(x, w, "valid")


def convolve2(r):
    rows, columns = (n // 8 + 5 for n in sizes(r, 2))
    x, w = whole(r, rows, columns), whole(r, 3, 5)
    windows = numpy.lib.stride_tricks.sliding_window_view(x, w.shape)
    return (x, w), {}, (windows * w).sum((2, 3))


def ger(r):
    x, y = (whole(r, n) for n in sizes(r, 2))
    A = whole(r, len(x), len(y))
    return (x, y, A.copy()), {}, A + numpy.outer(x, y)


def row_max(r):
    A = whole(r, *sizes(r, 2))
    return (A,), {}, A.max(1)


def row_arg_max(r):
    A = whole(r, *sizes(r, 2))
    return (A,), {}, A.argmax(1)


def softmax(r):
    A = whole(r, *sizes(r, 2))
    weights = numpy.exp(A - A.max(1, keepdims=True), dtype="f8")
    return (A,), {}, (weights / weights.sum(1, keepdims=True)).astype("f4")


def logsumexp(r):
    A = whole(r, *sizes(r, 2)).astype("f4")
    for value, share in ((-numpy.inf, 0.1), (numpy.inf, 0.003), (numpy.nan, 0.003)):
        A[r.random(A.shape) < share] = value
    A[r.random(len(A)) < 0.1] = -numpy.inf
    with numpy.errstate(divide="ignore"):
        return (A,), {}, numpy.log(numpy.exp(A, dtype="f8").sum(1)).astype("f4")


def layer_norm(r):
    A = whole(r, *sizes(r, 2))
    weight, bias = whole(r, A.shape[1]), whole(r, A.shape[1])
    scaled = (A - A.mean(1, keepdims=True, dtype="f8")) / numpy.sqrt(A.var(1, keepdims=True, dtype="f8") + 1)
    return (A, weight, bias, 1), {}, (scaled * weight + bias).astype("f4")


def dot_bytes(r):
    x, y = r.integers(-128, 128, (2, *sizes(r), 4)).astype("i1")
    return (x.view("i4").ravel(), y.view("i4").ravel()), {}, (x.astype("i4") * y).sum(dtype="i4")


def column_sums(r):
    A = whole(r, *sizes(r, 2))
    return (A,), {}, A.sum(0)


def syrk(r):
    rows, columns = (n // 8 + 1 for n in sizes(r, 2))
    A, C = whole(r, rows, columns), whole(r, rows, rows)
    return (A, C.copy()), {}, A @ A.T + C


def gemm_batched(r):
    many, rows, columns, inner = (n // 32 + 1 for n in sizes(r, 4))
    A, B, C = whole(r, many, rows, inner), whole(r, many, inner, columns), whole(r, many, rows, columns)
    return (A, B, C.copy()), {}, A @ B + C


def gemm_scaled(r):
    rows, columns, inner = (n // 8 + 1 for n in sizes(r, 3))
    A, B, C = whole(r, rows, inner), whole(r, inner, columns), whole(r, rows, columns)
    alpha, beta = r.integers(-2, 3), r.integers(0, 3)
    return (float(alpha), A, B, float(beta), C.copy()), {}, numpy.float32(alpha) * (A @ B) + numpy.float32(beta) * C


def jacobi3(r):
    x = whole(r, *(n // 16 + 3 for n in sizes(r, 3)))
    inside = slice(1, -1)
    around = x[:-2, inside, inside] + x[2:, inside, inside] + x[inside, :-2, inside] + x[inside, 2:, inside]
    around = around + x[inside, inside, :-2] + x[inside, inside, 2:]
    return (x,), {}, around * (numpy.float32(1) / numpy.float32(6))


def scan(r):
    x = whole(r, *sizes(r))
    return (x,), {}, x.cumsum(dtype="f4")


def exclusive_scan(r):
    x = whole(r, *sizes(r))
    return (x,), {}, x.cumsum(dtype="f4") - x


def histogram(r):
    n, many = sizes(r, 2)
    x = r.integers(0, many, n).astype("i4")
    return (x, numpy.zeros(many, "u4")), {}, numpy.bincount(x, minlength=many).astype("u4")


def arg_max(r):
    x = whole(r, *sizes(r))
    return (
        (x,),
        {},
        numpy.array(
            (x.max(), x.argmax()),
            {"names": ["value", "place"], "formats": ["f4", "i8"], "offsets": [0, 8], "itemsize": 16},
        ),
    )


SPECTRA = {
    "bfs": (bfs, "int", {}),
    "bfs_edges": (bfs_edges, "int", {}),
    "bfs_queue": (bfs, "int", {}),
    "bfs_both": (bfs_both, "int", {}),
    "sssp": (sssp, "float", {}),
    "column_sums": (column_sums, "float", {}),
    "convolve": (convolve, "float", {}),
    "convolve2": (convolve2, "float", {}),
    "copy_if": (copy_if, "float", {}),
    "dot": (dot, "float", {}),
    "dot_bytes": (dot_bytes, "int", {}),
    "exclusive_scan": (exclusive_scan, "float", {}),
    "gemm": (gemm, "float", {}),
    "gemm_avx2": (gemm, "float", {}),
    "gemm_avx512": (gemm, "float", {}),
    "gemm_batched": (gemm_batched, "float", {}),
    "gemm_scaled": (gemm_scaled, "float", {}),
    "gemv": (gemv, "float", {}),
    "gemv_columns": (gemv_columns, "float", {}),
    "ger": (ger, "float", {}),
    "histogram": (histogram, "int", {}),
    "jacobi": (jacobi, "float", {}),
    "jacobi3": (jacobi3, "float", {}),
    "kmeans": (kmeans, "float", {}),
    "kmeans_assign": (kmeans_assign, "float", {}),
    "kmeans_turn": (kmeans_turn, "float", {}),
    "kmeans_update": (kmeans_update, "float", {}),
    "layer_norm": (layer_norm, "float", {}),
    "logsumexp": (logsumexp, "float", {}),
    "reduce": (arg_max, "float", {"operator": "ArgMax"}),
    "run_length": (run_length, "float", {}),
    "row_max": (row_max, "float", {}),
    "row_arg_max": (row_arg_max, "float", {}),
    "saxpy": (axpy, "float", {}),
    "scan": (scan, "float", {}),
    "segmented_scan": (segmented_scan, "float", {}),
    "segmented_scan_offsets": (segmented_scan_offsets, "float", {}),
    "segmented_sum": (segmented_sum, "float", {}),
    "segmented_sum_offsets": (segmented_sum_offsets, "float", {}),
    "softmax": (softmax, "float", {}),
    "sort": (sort, "float", {}),
    "sort_pairs": (sort_pairs, "int64", {}),
    "sort_bit": (sort_bit, "int", {}),
    "spmv": (spmv, "float", {}),
    "sum": (total, "float", {}),
    "syrk": (syrk, "float", {}),
    "transpose": (transpose, "float", {}),
    "unique": (unique, "float", {}),
    "vadd": (vadd, "float", {}),
}


def agrees(name, got, expected):
    """To the last bit where numbers are whole; not where they are of functions of mathematics, or quotients."""
    if name in ("softmax", "logsumexp", "layer_norm"):
        return numpy.allclose(got, expected, rtol=1e-4, atol=1e-5, equal_nan=True)
    return numpy.array_equal(got, expected)
