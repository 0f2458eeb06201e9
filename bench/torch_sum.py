#!/usr/bin/env python3
"""Times torch.sum as compare.cu times the rest, and prints the same JSON lines; started by bench.py.

    torch_sum.py --check                             status 0 where torch has a GPU, else 1 and why
    torch_sum.py --types float,half --sizes 6..30 [--rounds N] [--odd]
"""
import argparse, json, statistics, sys, time

DTYPES = {"half": "float16", "bfloat16": "bfloat16", "float": "float32", "double": "float64", "int8": "int8",
          "int16": "int16", "int": "int32", "int64": "int64"}
RESULTS = {"half": "float32", "bfloat16": "float32", "int8": "int32", "int16": "int32"}  # where they are others
SMALL, MOST_CALLS, SYNC_CALLS = 1 << 16, 256, 32


def import_torch():
    """torch, or a sentence that says why not."""
    try:
        import torch
    except ImportError:
        return None, "this Python has no torch"
    if not torch.cuda.is_available():
        return None, "torch has no GPU here"
    return torch, None


def exponents(text):
    """"6..9,12" -> [6, 7, 8, 9, 12]; ValueError when it is no such thing."""
    found = []
    for part in text.split(","):
        first, dots, last = part.partition("..")
        low, high = int(first), int(last if dots else first)
        if not 1 <= low <= high <= 34:
            raise ValueError(text)
        found += range(low, high + 1)
    return found


def cases_of(sizes, odd):
    """(elements, elements past an aligned address), as compare.cu has them."""
    return [c for k in sizes for c in ((1 << k, 0), (3 * (1 << k) // 2 + 1, 1))[:2 if odd else 1]]


class Case:
    def __init__(self, torch, kind, n, offset):
        self.torch, self.n = torch, n
        self.dtype = getattr(torch, DTYPES[kind])
        self.result = getattr(torch, RESULTS.get(kind, DTYPES[kind]))  # ints else widen to int64
        size = torch.empty((), dtype=self.dtype).element_size()
        properties = torch.cuda.get_device_properties(0)
        l2 = getattr(properties, "L2_cache_size", 64 << 20)
        stride = (n + offset + 63) // 64 * 64
        self.places = 64 if n < SMALL else 3 * l2 // (stride * size) + 1
        self.calls = max(4, min(MOST_CALLS, int(1000 / (1 + stride * size / 4e6))))
        self.calls = -(-self.calls // self.places) * self.places
        data = torch.randint(-8, 9, (stride * self.places + offset,), device="cuda", dtype=torch.int8).to(self.dtype)
        self.inputs = [data[p * stride + offset:p * stride + offset + n] for p in range(self.places)]
        self.begin, self.end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        self.graph = None

    def call(self, i):
        return self.torch.sum(self.inputs[i % self.places], dtype=self.result)

    def right(self):
        exact = self.inputs[0].to(self.torch.int8).sum(dtype=self.torch.int64)
        return self.call(0).to(self.torch.float64).item() == float(exact.item())

    def capture(self):
        torch = self.torch
        self.call(0)
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            for i in range(self.calls):
                self.call(i)

    def timed(self, work):
        self.begin.record()
        work()
        self.end.record()
        self.end.synchronize()
        return 1e3 * self.begin.elapsed_time(self.end) / self.calls

    def stream(self):
        for i in range(self.calls):
            self.call(i)

    def sync(self):
        times = []
        for i in range(min(self.calls, SYNC_CALLS)):
            start = time.perf_counter()
            self.call(i)
            self.torch.cuda.synchronize()
            times.append(1e6 * (time.perf_counter() - start))
        return statistics.median(times)

    def round(self, mode):
        if mode == "sync":
            return self.sync()
        return self.timed(self.graph.replay if mode == "graph" else self.stream)


def run_case(torch, kind, n, offset, rounds):
    row = {"type": kind, "n": n, "offset": offset, "contender": "torch"}
    case = Case(torch, kind, n, offset)
    if not case.right():
        print(json.dumps({"kind": "failure", **row, "mode": "stream", "what": "wrong result"}), flush=True)
        return
    case.capture()
    for mode in ("graph", "stream", "sync"):
        us = sorted([case.round(mode) for _ in range(rounds + 1)][1:])
        trim = 1 if len(us) >= 5 else 0
        print(json.dumps({"kind": "measurement", **row, "mode": mode, "us": us[len(us) // 2], "low": us[trim],
                          "high": us[-1 - trim], "rounds": rounds, "calls": case.calls}), flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--check", action="store_true")
    arguments.add_argument("--types", default="float")
    arguments.add_argument("--sizes", type=exponents, default="6..30")
    arguments.add_argument("--rounds", type=int, default=9)
    arguments.add_argument("--odd", action="store_true")
    o = arguments.parse_args()
    torch, why = import_torch()
    if not torch:
        print(why, file=sys.stderr)
        return 1
    if o.check:
        return 0
    print(json.dumps({"kind": "torch", "version": torch.__version__}), flush=True)
    for kind in o.types.split(","):
        for n, offset in cases_of(o.sizes, o.odd):
            if kind in DTYPES:
                run_case(torch, kind, n, offset, o.rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
