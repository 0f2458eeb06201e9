#!/usr/bin/env python3
"""rows.py build FOLDER.. | run FOLDER..: row-wise softmax, logsumexp and layer_norm against PyTorch.

    build/tgc codelets/softmax.cdl --arch sm_90 --types float,half -o out/
    bench/rows.py build out/     makes out/librows.so with nvcc; needs no GPU
    bench/rows.py run out/       needs PyTorch; bench/rows_table.py makes a table of what it prints

FOLDER is the spectrum's output folder for this GPU. Each variant whose id or plan --only matches, in each configuration
that its file compiles and of --threads by --loads, with each number of --blocks, and the function that users call, are
compared with PyTorch in double. They are timed in a replayed CUDA graph of calls, on data that rotate over more than the
L2 cache: the median of seven rounds, microseconds per call. PyTorch's function, and a copy of as many bytes as are read
and written, are timed in the same way. Rows of half are computed in float, and stored so: PyTorch is asked for that,
too. Variants for one block, and those that take over three times PyTorch's time in one call, are not measured;
configurations that take over 1.3 times the best so far in one call, and 10 us, are measured no further. `run --function'
measures the function alone."""
import argparse
import concurrent.futures
import ctypes
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

try:
    import torch
except ImportError:  # to build, it is not needed
    torch = None

ROUNDS, CALLS, L2 = 7, 12, 200 << 20
EACH_ITS_OWN = 2147483647  # as many blocks as there are parts for
SHAPES = "4096x4096,65536x1024,1024x65536,16x1048576,1048576x128"
TYPES = ("float", "double", "half")
NUMBERS = {"float": ctypes.c_float, "double": ctypes.c_double, "half": ctypes.c_float}
PEERS = {
    "softmax": lambda x, w, b, to: torch.softmax(x, 1, dtype=to),
    "logsumexp": lambda x, w, b, to: torch.logsumexp(x, 1),
    "layer_norm": lambda x, w, b, to: torch.nn.functional.layer_norm(x, x.shape[1:], w, b, EPSILON),
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


def rows_of(v, text, given):
    """The configurations of a variant's macro, and those of --threads by --loads."""
    own = re.search(rf"#define {v['configurations_macro']}\(C\) (.*)", text).group(1).split(") ")
    choices = {"threads": given.threads, "loads": given.loads}
    names = [t["name"] for t in v["tunables"] if t["bind"] == "compile"]
    more = [f"C({', '.join(map(str, row))})" for row in itertools.product(*(choices[n] for n in names))]
    return " ".join(dict.fromkeys([x if x.endswith(")") else x + ")" for x in own] + more))


def build(folder, given):
    """librows.so: those that are wanted in all configurations, the others as they are."""
    folder = os.path.abspath(folder)
    with open(f"{folder}/manifest.json", encoding="utf-8") as f:
        manifest = json.load(f)
    with tempfile.TemporaryDirectory() as out, concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        def one(source):
            to = f"{out}/{os.path.basename(source)}.o"
            subprocess.run(["nvcc", "-O3", "-std=c++17", "-arch", given.arch, "-Xcompiler", "-fPIC", "-I", folder, "-c",
                            source, "-o", to], check=True)
            return to
        sources = [f"{folder}/{manifest['spectrum']}.cu"]
        for v in manifest["variants"]:
            source = f"{folder}/{v['file']}"
            if is_wanted(v, given):
                with open(source, encoding="utf-8") as f:
                    rows = rows_of(v, f.read(), given)
                source = f"{out}/{v['id']}.cu"
                with open(source, "w", encoding="utf-8") as f:
                    f.write(f"#define {v['configurations_macro']}(C) {rows}\n#include \"{folder}/{v['file']}\"\n")
            sources.append(source)
        subprocess.run(["nvcc", "-shared", "-arch", given.arch, *pool.map(one, sources), "-o", f"{folder}/librows.so"],
                       check=True)
    print(f"built {folder}/librows.so")


def is_wanted(v, given):
    return v["plan"].startswith("grid.") and re.search(given.only, f"{v['id']} {v['plan']}")


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
        of = getattr(torch, kind)
        self.to = torch.float if kind == "half" else of
        size = rows * columns * torch.finfo(of).bits // 8
        self.copies = max(2, -(-L2 // (2 * size)))
        self.x = [torch.randn(rows, columns, dtype=of, device="cuda") for _ in range(self.copies)]
        self.w, self.b = (torch.randn(columns, dtype=of, device="cuda") for _ in range(2))
        shape = (rows,) if name == "logsumexp" else (rows, columns)
        self.y = [torch.empty(*shape, dtype=self.to, device="cuda") for _ in range(self.copies)]
        double = [t.double() for t in (self.x[0], self.w, self.b)]
        self.want = PEERS[name](*double, torch.double)
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
        return median(lambda i, _: PEERS[self.name](self.x[i], self.w, self.b, self.to), self.copies)

    def copy(self):
        if self.name == "logsumexp":
            return median(lambda i, _: torch.sum(self.x[i], 1, out=self.y[i]), self.copies)
        return median(lambda i, _: self.y[i].copy_(self.x[i]), self.copies)


def variants(p, library, manifest, given, peer):
    """{text: (microseconds, difference, plan)} of the variants that are wanted, in all configurations."""
    found, best = {}, 3 * peer + 20
    for v in manifest["variants"]:
        if not is_wanted(v, given):
            continue
        function = getattr(library, f"{p.name}_{v['id']}_{given.type}")
        for c in configurations(library, f"{p.name}_{v['id']}_configurations"):
            for blocks in given.blocks:
                c.blocks = blocks
                m = p.measure(function, (ctypes.byref(c),), best)
                if m:
                    found[f"{v['id']} {c.threads} threads, {c.loads} loads, {blocks} blocks"] = (m[0], m[1], v["plan"])
                    best = min(best, 1.3 * m[0] + 10)
    return found


def compare(library, manifest, shape, given):
    p = Problem(manifest["spectrum"], *map(int, shape.split("x")), given.type)
    peer, copy = p.peer(), p.copy()
    own = p.measure(getattr(library, f"{p.name}_{given.type}"))
    found = {} if given.function else variants(p, library, manifest, given, peer)
    bad = {v: m for v, m in {**found, "the function": own}.items() if not m[1] < 1e-5}
    print(f"{p.name} {shape}: PyTorch {peer:.1f}, {'sum' if p.name == 'logsumexp' else 'copy'} {copy:.1f}, the function "
          f"{own[0]:.1f} ({peer / own[0]:.2f}, {copy / own[0]:.2f})"
          f"{', WRONG ' + str(bad) if bad else ''}", flush=True)
    for v, m in sorted(found.items(), key=lambda x: x[1][0])[:6]:
        print(f"  {v} {m[0]:.1f} ({peer / m[0]:.2f} of PyTorch, {copy / m[0]:.2f} of it), off by {m[1]:.1e}: {m[2]}")
    torch.cuda.empty_cache()
    return len(bad)


def numbers(text):
    return [int(x) for x in text.split(",")]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("verb", choices=("build", "run"))
    options.add_argument("folders", nargs="+")
    options.add_argument("--shapes", default=SHAPES)
    options.add_argument("--type", default="float", choices=TYPES)
    options.add_argument("--function", action="store_true")
    options.add_argument("--only", default="", help="a regular expression of ids or plans")
    options.add_argument("--threads", type=numbers, default=[128, 256, 512, 1024])
    options.add_argument("--loads", type=numbers, default=[1, 2, 4, 8])
    options.add_argument("--blocks", type=numbers, default=[0, EACH_ITS_OWN])
    options.add_argument("--arch", default="sm_90")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    given = options.parse_args()
    if given.verb == "run":
        print(f"# {torch.cuda.get_device_name()}, CUDA {torch.version.cuda}, PyTorch {torch.__version__}; {given.type}")
    wrong = 0
    for folder in given.folders:
        if given.verb == "build":
            build(folder, given)
            continue
        with open(f"{folder}/manifest.json", encoding="utf-8") as f:
            manifest = json.load(f)
        library = ctypes.CDLL(f"{os.path.abspath(folder)}/librows.so")
        wrong += sum(compare(library, manifest, shape, given) for shape in given.shapes.split(","))
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
