#!/usr/bin/env python3
"""rows.py FOLDER.. [--shapes 4096x4096,..] [--type float]: row-wise softmax, logsumexp and layer_norm against PyTorch.

FOLDER is the spectrum's output folder for this GPU, which is built with nvcc as one library. Each variant, in each
configuration that the folder's table compiles, and the function that users call are compared with PyTorch in double.
They are timed in a replayed CUDA graph of calls, on data that rotate over more than the L2 cache: the median of seven
rounds, microseconds per call. PyTorch's function, and a copy of as many bytes as are read and written, are timed in the
same way. Variants for one block, and those that take over three times PyTorch's time in one call, are not measured."""
import argparse
import concurrent.futures
import ctypes
import json
import os
import subprocess
import sys
import tempfile

import torch

ROUNDS, CALLS, L2 = 7, 12, 200 << 20
SHAPES = "4096x4096,65536x1024,1024x65536,16x1048576,1048576x128"
TYPES = {"float": torch.float32, "double": torch.float64}
NUMBERS = {"float": ctypes.c_float, "double": ctypes.c_double}
PEERS = {
    "softmax": lambda x, w, b: torch.softmax(x, 1),
    "logsumexp": lambda x, w, b: torch.logsumexp(x, 1),
    "layer_norm": lambda x, w, b: torch.nn.functional.layer_norm(x, x.shape[1:], w, b, EPSILON),
}
EPSILON = 1e-5


class Configuration(ctypes.Structure):
    _fields_ = [("threads", ctypes.c_int), ("loads", ctypes.c_int), ("blocks", ctypes.c_int64)]


def configurations(library, symbol):
    """Those that were compiled; zeros end them."""
    every, i = (Configuration * 1000).in_dll(library, symbol), 0
    while every[i].threads:
        yield every[i]
        i += 1


def build(folder, name, out):
    sources = [f"{folder}/{name}.cu"] + [f"{folder}/variants/{f}" for f in sorted(os.listdir(f"{folder}/variants"))]

    def one(source):
        to = f"{out}/{os.path.basename(source)}.o"
        subprocess.run(["nvcc", "-O3", "-std=c++17", "-arch=native", "--split-compile=0", "-Xcompiler", "-fPIC",
                        "-I", folder, "-c", source, "-o", to], check=True)
        return to
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(one, sources))
    subprocess.run(["nvcc", "-shared", "-arch=native", *objects, "-o", f"{out}/lib{name}.so"], check=True)
    return ctypes.CDLL(f"{out}/lib{name}.so")


def median(call, copies):
    """Of a call with each of the copies in turn."""
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        call(0, stream.cuda_stream)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        calls = max(CALLS, copies)
        with torch.cuda.graph(graph, stream=stream):
            for i in range(calls):
                call(i % copies, torch.cuda.current_stream().cuda_stream)
        graph.replay()
        times = []
        for _ in range(ROUNDS):
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            begin.record()
            graph.replay()
            end.record()
            torch.cuda.synchronize()
            times.append(begin.elapsed_time(end) * 1e3 / calls)
    return sorted(times)[ROUNDS // 2]


class Problem:
    def __init__(self, name, rows, columns, kind):
        self.name, self.rows, self.columns, self.kind = name, rows, columns, kind
        size = rows * columns * torch.finfo(TYPES[kind]).bits // 8
        self.copies = max(2, -(-L2 // (2 * size)))
        self.x = [torch.randn(rows, columns, dtype=TYPES[kind], device="cuda") for _ in range(self.copies)]
        self.w, self.b = (torch.randn(columns, dtype=TYPES[kind], device="cuda") for _ in range(2))
        shape = (rows,) if name == "logsumexp" else (rows, columns)
        self.y = [torch.empty(*shape, dtype=TYPES[kind], device="cuda") for _ in range(self.copies)]
        double = [t.double() for t in (self.x[0], self.w, self.b)]
        self.want = PEERS[name](*double)
        self.workspace, self.bytes = None, ctypes.c_size_t(0)

    def arguments(self, i):
        size, pointer = ctypes.c_uint64, lambda t: ctypes.c_void_p(t.data_ptr())
        first = [pointer(self.x[i]), size(self.rows), size(self.columns), size(self.columns)]
        if self.name == "logsumexp":
            return first + [pointer(self.y[i])]
        if self.name == "layer_norm":
            first += [pointer(self.w), pointer(self.b), NUMBERS[self.kind](EPSILON)]
        return first + [pointer(self.y[i]), size(self.columns)]

    def call(self, function, before):
        def run(i, stream):
            status = function(*before, ctypes.c_void_p(self.workspace.data_ptr()), ctypes.byref(self.bytes),
                              *self.arguments(i), ctypes.c_void_p(stream))
            if status:
                raise RuntimeError(f"status {status}")
        need = ctypes.c_size_t(0)
        if function(*before, None, ctypes.byref(need), *self.arguments(0), None):
            raise RuntimeError("no size of a workspace")
        if self.workspace is None or need.value > self.bytes.value:
            self.workspace = torch.zeros(max(need.value, 16), dtype=torch.uint8, device="cuda")
            self.bytes = ctypes.c_size_t(need.value)
        return run

    def measure(self, function, before=(), most=float("inf")):
        """(microseconds, the largest difference relative to the largest result), or None: the call fails for this
        problem, or takes more than `most' microseconds."""
        self.y[0].fill_(float("nan"))
        try:
            run = self.call(function, before)
            run(0, torch.cuda.current_stream().cuda_stream)
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            begin.record()
            run(0, torch.cuda.current_stream().cuda_stream)
            end.record()
            torch.cuda.synchronize()
            if begin.elapsed_time(end) * 1e3 > most:
                return None
        except RuntimeError:
            return None
        difference = ((self.y[0].double() - self.want).abs().max() / self.want.abs().max()).item()
        return median(run, self.copies), difference

    def peer(self):
        return median(lambda i, _: PEERS[self.name](self.x[i], self.w, self.b), self.copies)

    def copy(self):
        if self.name == "logsumexp":
            return median(lambda i, _: torch.sum(self.x[i], 1, out=self.y[i]), self.copies)
        return median(lambda i, _: self.y[i].copy_(self.x[i]), self.copies)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folders", nargs="+")
    options.add_argument("--shapes", default=SHAPES)
    options.add_argument("--type", default="float", choices=TYPES)
    given = options.parse_args()
    print(f"# {torch.cuda.get_device_name()}, CUDA {torch.version.cuda}, PyTorch {torch.__version__}; {given.type}")
    wrong = 0
    for folder in given.folders:
        manifest = json.load(open(f"{folder}/manifest.json", encoding="utf-8"))
        name = manifest["spectrum"]
        with tempfile.TemporaryDirectory() as out:
            library = build(os.path.abspath(folder), name, out)
            for shape in given.shapes.split(","):
                p = Problem(name, *map(int, shape.split("x")), given.type)
                found = {}
                peer, copy = p.peer(), p.copy()
                for v in manifest["variants"]:
                    if not v["plan"].startswith("grid."):
                        continue
                    for c in configurations(library, f"{name}_{v['id']}_configurations"):
                        function = getattr(library, f"{name}_{v['id']}_{given.type}")
                        m = p.measure(function, (ctypes.byref(c),), 3 * peer + 20)
                        if m:
                            found[f"{v['id']} {c.threads} threads, {c.loads} loads"] = (m[0], m[1], v["plan"])
                own = p.measure(getattr(library, f"{name}_{given.type}"))
                bad = {v: m for v, m in {**found, "the function": own}.items() if not m[1] < 1e-5}
                wrong += len(bad)
                print(f"{name} {shape}: PyTorch {peer:.1f}, {'sum' if name == 'logsumexp' else 'copy'} {copy:.1f}, "
                      f"the function {own[0]:.1f}{', WRONG ' + str(bad) if bad else ''}", flush=True)
                for v, m in sorted(found.items(), key=lambda x: x[1][0])[:6]:
                    print(f"  {v} {m[0]:.1f} ({peer / m[0]:.2f} of PyTorch, {copy / m[0]:.2f} of it), "
                          f"off by {m[1]:.1e}: {m[2]}")
                del p
                torch.cuda.empty_cache()
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
