#!/usr/bin/env python3
"""beside_triton.py build FOLDER.. | run FOLDER..: sums, rows and products beside Triton's kernels and PyTorch's.

    for s in sum softmax layer_norm; do build/tgc codelets/$s.cdl --arch sm_90 --types float,half -o out/$s; done
    build/tgc codelets/gemm.cdl --arch sm_90 --types float,half,bfloat16,tf32 -o out/gemm
    for s in sum softmax layer_norm gemm; do build/tgc ship out/$s -o ship/$s; done
    bench/beside_triton.py build ship/*     makes libbeside.so in each with nvcc; needs no GPU
    bench/beside_triton.py run ship/*       needs PyTorch and Triton; prints a table

Triton's kernels are those that its users write: one program a row that holds the row (softmax, layer norm); programs
that add up blocks and end in an atomic addition to what a launch before made zero (sums); tiles in groups of rows with
`tl.dot', added to C (products; floats in `ieee' precision). Each is timed in the configurations of CONFIGURATIONS, and
the best one counts. PyTorch's product is `addmm', of floats, where its operands are shorter. Ours is the function that
users call. All are compared with doubles, and timed in turns in replayed CUDA graphs of calls on data that rotate over
more than the L2 cache: the median of rounds, microseconds a call."""
import argparse
import concurrent.futures
import ctypes
import json
import os
import subprocess
import sys
import tempfile

try:
    import torch
    import triton
    import triton.language as tl
except ImportError:  # to build, they are not needed
    torch = triton = None

ROUNDS, LEAST_CALLS, L2 = 7, 12, 200 << 20
EPSILON = 1e-5
SUMS = [1 << 12, 1 << 16, 1 << 20, 1 << 24, 1 << 28, 1000003]
ROWS = [(4096, 4096), (65536, 1024), (1024, 65536), (1 << 20, 128), (857, 15), (5003, 1537)]
PRODUCTS = [(n, n, n) for n in (256, 512, 1024, 2048, 4096)] + [(1236, 3704, 1688), (1000, 1000, 1000)]
BOUNDS = {"sum": 1e-5, "softmax": 1e-5, "layer_norm": 1e-4, "gemm": 1e-3, "tf32": 5e-3}
ELEMENTS = {"float": "float", "half": "half", "bfloat16": "bfloat16", "tf32": "float"}  # PyTorch's names
BYTES = {"float": 4, "half": 2, "bfloat16": 2, "tf32": 4}

# What is tried: (elements a program, warps), (warps,), (rows, columns, inner elements of a tile, warps, stages).
CONFIGURATIONS = {
    "sum": [(1024, 4), (4096, 8), (8192, 8), (16384, 16)],
    "rows": [(1,), (4,), (8,), (16,)],  # up to 128 elements a lane
    "narrow": [(128, 256, 64, 8, 3), (128, 128, 64, 8, 4), (128, 128, 64, 4, 4), (64, 128, 64, 4, 4),
               (64, 64, 64, 4, 5)],
    "float": [(128, 128, 16, 8, 3), (64, 128, 16, 4, 4), (64, 64, 16, 4, 4), (32, 64, 32, 4, 3)],
    "tf32": [(128, 256, 32, 8, 3), (128, 128, 32, 8, 4), (128, 128, 32, 4, 4), (64, 128, 32, 4, 4),
             (64, 64, 32, 4, 5)],
}
CONFIGURATIONS["half"] = CONFIGURATIONS["bfloat16"] = CONFIGURATIONS.pop("narrow")

if triton:
    @triton.jit
    def sum_kernel(x, y, n, block: tl.constexpr):
        total = tl.zeros((block,), tl.float32)
        for begin in range(tl.program_id(0) * block, n, tl.num_programs(0) * block):
            at = begin + tl.arange(0, block)
            total += tl.load(x + at, mask=at < n, other=0.0).to(tl.float32)
        tl.atomic_add(y, tl.sum(total, 0))

    @triton.jit
    def softmax_kernel(x, y, columns, block: tl.constexpr):
        row, at = tl.program_id(0).to(tl.int64) * columns, tl.arange(0, block)
        values = tl.load(x + row + at, mask=at < columns, other=-float("inf")).to(tl.float32)
        powers = tl.exp(values - tl.max(values, 0))
        tl.store(y + row + at, powers / tl.sum(powers, 0), mask=at < columns)

    @triton.jit
    def layer_norm_kernel(x, w, b, y, columns, epsilon, block: tl.constexpr):
        row, at = tl.program_id(0).to(tl.int64) * columns, tl.arange(0, block)
        values = tl.load(x + row + at, mask=at < columns, other=0.0).to(tl.float32)
        apart = tl.where(at < columns, values - tl.sum(values, 0) / columns, 0.0)
        scale = 1.0 / tl.sqrt(tl.sum(apart * apart, 0) / columns + epsilon)
        weights = tl.load(w + at, mask=at < columns, other=0.0).to(tl.float32)
        biases = tl.load(b + at, mask=at < columns, other=0.0).to(tl.float32)
        tl.store(y + row + at, apart * scale * weights + biases, mask=at < columns)

    @triton.jit
    def product_kernel(a, b, c, m, n, k, precision: tl.constexpr, bm: tl.constexpr, bn: tl.constexpr, bk: tl.constexpr):
        tiles_m, tiles_n = tl.cdiv(m, bm), tl.cdiv(n, bn)
        group = 8 * tiles_n
        first = tl.program_id(0) // group * 8
        rows = min(tiles_m - first, 8)
        tile_m, tile_n = first + tl.program_id(0) % group % rows, tl.program_id(0) % group // rows
        i, j, p = tile_m * bm + tl.arange(0, bm), tile_n * bn + tl.arange(0, bn), tl.arange(0, bk)
        total = tl.zeros((bm, bn), tl.float32)
        for begin in range(0, k, bk):
            of_a = tl.load(a + i[:, None] * k + (begin + p)[None, :], mask=(i < m)[:, None] & (begin + p < k)[None, :],
                           other=0.0)
            of_b = tl.load(b + (begin + p)[:, None] * n + j[None, :], mask=(begin + p < k)[:, None] & (j < n)[None, :],
                           other=0.0)
            total = tl.dot(of_a, of_b, total, input_precision=precision)
        to, inside = c + i[:, None] * n + j[None, :], (i < m)[:, None] & (j < n)[None, :]
        tl.store(to, tl.load(to, mask=inside, other=0.0) + total, mask=inside)


def build(folder, given):
    folder = os.path.abspath(folder)
    with open(f"{folder}/manifest.json", encoding="utf-8") as f:
        manifest = json.load(f)
    with tempfile.TemporaryDirectory() as out, concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        def one(source):
            to = f"{out}/{os.path.basename(source)}.o"
            subprocess.run(["nvcc", "-O3", "-std=c++17", "-arch", given.arch, "-Xcompiler", "-fPIC", "-I", folder, "-c",
                            f"{folder}/{source}", "-o", to], check=True)
            return to
        objects = pool.map(one, [f"{manifest['spectrum']}.cu"] + [v["file"] for v in manifest["variants"]])
        subprocess.run(["nvcc", "-shared", "-arch", given.arch, *objects, "-o", f"{folder}/libbeside.so"], check=True)


def graph_of(call, copies):
    """A graph of calls with each of the copies in turn, and how many they are."""
    stream, calls = torch.cuda.Stream(), max(LEAST_CALLS, copies)
    with torch.cuda.stream(stream):
        call(0)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=stream):
            for i in range(calls):
                call(i % copies)
    return graph, calls


def medians(calls, copies):
    """Microseconds a call; None where it cannot be captured. They take turns."""
    graphs = []
    for call in calls:
        try:
            graphs.append(graph_of(call, copies))
        except Exception as e:  # a configuration that needs more than there is
            print(f"  left out: {str(e).splitlines()[0][:90]}", file=sys.stderr)
            graphs.append(None)
    times = [[] for _ in graphs]
    for turn in range(ROUNDS + 1):
        for graph, own in zip(graphs, times):
            if not graph:
                continue
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            begin.record()
            graph[0].replay()
            end.record()
            torch.cuda.synchronize()
            if turn:
                own.append(begin.elapsed_time(end) * 1e3 / graph[1])
    return [sorted(own)[len(own) // 2] if own else None for own in times]


def pointer(t):
    return ctypes.c_void_p(t.data_ptr())


def size(n):
    return ctypes.c_uint64(n)


class Ours:
    """The function of a library: called with operands, on PyTorch's stream."""

    def __init__(self, folder, spectrum, kind):
        self.function = getattr(ctypes.CDLL(f"{os.path.abspath(folder)}/libbeside.so"), f"{spectrum}_{kind}")
        self.workspace, self.bytes = None, ctypes.c_size_t(0)

    def __call__(self, *operands):
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        if self.workspace is None:
            if self.function(None, ctypes.byref(self.bytes), *operands, stream):
                raise RuntimeError("no size of a workspace")
            self.workspace = torch.zeros(max(self.bytes.value, 16), dtype=torch.uint8, device="cuda")
        status = self.function(pointer(self.workspace), ctypes.byref(self.bytes), *operands, stream)
        if status:
            raise RuntimeError(f"status {status}")


def copies_of(bytes_of_one):
    return max(2, -(-L2 // bytes_of_one))


def random(kind, *shape):
    return torch.randn(*shape, dtype=getattr(torch, ELEMENTS[kind]), device="cuda")


def sums(ours, kind, n):
    copies = min(64, copies_of(n * BYTES[kind]))
    x, y = [random(kind, n) for _ in range(copies)], torch.zeros(1, device="cuda")
    processors = torch.cuda.get_device_properties(0).multi_processor_count

    def peer(block, warps):
        def call(i):
            y.zero_()
            sum_kernel[(min(triton.cdiv(n, block), 4 * processors),)](x[i], y, n, block, num_warps=warps)
        return call
    want = x[0].double().sum()
    scale = x[0].double().abs().sum()
    return ([lambda i: ours(pointer(x[i]), size(n), pointer(y)),
             lambda i: torch.sum(x[i], 0, keepdim=True, dtype=torch.float, out=y)] +
            [peer(*c) for c in CONFIGURATIONS["sum"]], copies,
            lambda: ((y.double() - want).abs() / scale).item(), y)


def row_warps(columns):
    return [c for c in CONFIGURATIONS["rows"] if columns <= 128 * 32 * c[0]]


def rows(ours, kind, shape, spectrum):
    count, columns = shape
    copies = copies_of(count * columns * BYTES[kind])
    x, y = [random(kind, *shape) for _ in range(copies)], torch.empty(*shape, device="cuda")
    w, b, block = random(kind, columns), random(kind, columns), triton.next_power_of_2(columns)
    norm = spectrum == "layer_norm"

    def own(i):
        more = [pointer(w), pointer(b), ctypes.c_float(EPSILON)] if norm else []
        ours(pointer(x[i]), size(count), size(columns), size(columns), *more, pointer(y), size(columns))

    def peer(warps):
        def call(i):
            if norm:
                layer_norm_kernel[(count,)](x[i], w, b, y, columns, EPSILON, block, num_warps=warps)
            else:
                softmax_kernel[(count,)](x[i], y, columns, block, num_warps=warps)
        return call
    def library(i):
        if not norm:
            torch.softmax(x[i], 1, dtype=torch.float, out=y)
        else:
            torch.nn.functional.layer_norm(x[i], (columns,), w, b, EPSILON)
    one = x[0].double()
    want = (torch.nn.functional.layer_norm(one, (columns,), w.double(), b.double(), EPSILON) if norm
            else torch.softmax(one, 1))
    return ([own, library] + [peer(*c) for c in row_warps(columns)], copies,
            lambda: ((y.double() - want).abs().max() / want.abs().max()).item(), y)


def products(ours, kind, shape):
    m, n, k = shape
    copies = min(64, copies_of((m * k + k * n) * BYTES[kind] + 4 * m * n))
    a, b = [random(kind, m, k) for _ in range(copies)], [random(kind, k, n) for _ in range(copies)]
    c = torch.zeros(m, n, device="cuda")

    def own(i):
        ours(pointer(a[i]), size(m), size(k), size(k), pointer(b[i]), size(n), size(n), pointer(c), size(n))

    def peer(bm, bn, bk, warps, stages):
        def call(i):
            product_kernel[(triton.cdiv(m, bm) * triton.cdiv(n, bn),)](
                a[i], b[i], c, m, n, k, "tf32" if kind == "tf32" else "ieee", bm, bn, bk, num_warps=warps,
                num_stages=stages)
        return call
    def library(i):
        more = {} if c.dtype == a[i].dtype else {"out_dtype": c.dtype}
        torch.addmm(c, a[i], b[i], out=c, **more)
    torch.backends.cuda.matmul.allow_tf32 = kind == "tf32"
    want = a[0].double() @ b[0].double()
    return ([own, library] + [peer(*x) for x in CONFIGURATIONS[kind]], copies,
            lambda: ((c.double() - want).abs().max() / want.abs().max()).item(), c)


def compare(spectrum, kind, shape, problem):
    calls, copies, difference, result = problem
    off = []
    for call in calls[:1] + calls[2:3]:  # PyTorch's layer norm stores elsewhere, and rounds to halves
        result.zero_()
        call(0)
        torch.cuda.synchronize()
        off.append(difference())
    own, library, *others = medians(calls, copies)
    best = min(t for t in others if t)
    wrong = any(not d < BOUNDS.get(kind, BOUNDS[spectrum]) for d in off)
    tried = (CONFIGURATIONS["sum" if spectrum == "sum" else kind] if spectrum in ("sum", "gemm")
             else row_warps(shape[1]))
    by = tried[others.index(best)]
    text = "x".join(map(str, shape)) if isinstance(shape, tuple) else str(shape)
    print(f"{spectrum:10} {kind:8} {text:15} Triton {best:8.1f} us {str(by):22} PyTorch {library or 0:8.1f} us  ours "
          f"{own:8.1f} us {best / own:5.2f}x {(library or 0) / own:5.2f}x{'  WRONG ' + str(off) if wrong else ''}",
          flush=True)
    torch.cuda.empty_cache()
    return wrong


def run(folder):
    with open(f"{folder}/manifest.json", encoding="utf-8") as f:
        spectrum = json.load(f)["spectrum"]
    wrong = 0
    for kind in ELEMENTS:
        try:
            ours = Ours(folder, spectrum, kind)
        except AttributeError:
            continue
        for shape in {"sum": SUMS, "gemm": PRODUCTS}.get(spectrum, ROWS):
            ours.workspace = None
            problem = (sums(ours, kind, shape) if spectrum == "sum" else products(ours, kind, shape)
                       if spectrum == "gemm" else rows(ours, kind, shape, spectrum))
            wrong += compare(spectrum, kind, shape, problem)
    return wrong


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("verb", choices=("build", "run"))
    options.add_argument("folders", nargs="+")
    options.add_argument("--arch", default="sm_90a")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    given = options.parse_args()
    if given.verb == "build":
        for folder in given.folders:
            build(folder, given)
        return 0
    print(f"# {torch.cuda.get_device_name()}, CUDA {torch.version.cuda}, PyTorch {torch.__version__}, "
          f"Triton {triton.__version__}")
    return sum(run(folder) for folder in given.folders) > 0


if __name__ == "__main__":
    sys.exit(main())
