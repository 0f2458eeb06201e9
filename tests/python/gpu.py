#!/usr/bin/env python3
"""The Python package on a GPU, with PyTorch and CuPy. tgc itself need not run there:

    tests/python/gpu.py --write DIR [--tgc build/tgc] [--arch sm_90]    where tgc runs: writes folders into DIR
    tests/python/gpu.py DIR                                            where the GPU is: builds and calls them

Prints a line for each check; the status is 1 if one failed. What is not installed there is reported as skipped.
"""

import argparse, os, subprocess, sys, tempfile, time, traceback
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "python"), HERE]
FOLDERS = {
    "sum": ["codelets/sum.cdl", "--types", "float,half", "--keep", "6"],
    "scan": ["codelets/scan.cdl", "--types", "float", "--keep", "4"],
    "gemv": ["codelets/gemv.cdl", "--types", "float", "--keep", "4"],
    "axpy": ["codelets/saxpy.cdl", "--types", "float", "--keep", "4"],
    "segmented_sum": ["codelets/segmented_sum.cdl", "--types", "float", "--keep", "4"],
    "arg_max": ["codelets/reduce.cdl", "--operator", "ArgMax", "--types", "float", "--keep", "4"],
}


def write(o):
    with tempfile.TemporaryDirectory() as folder:
        for name, words in FOLDERS.items():
            everything = os.path.join(folder, name)
            source = os.path.join(ROOT, words[0])
            subprocess.run([o.tgc, source, *words[1:], "--arch", o.arch, "-q", "-o", everything], check=True)
            subprocess.run([o.tgc, "ship", everything, "-q", "-o", os.path.join(o.folder, name)], check=True)


class Checks:
    def __init__(self, folder):
        import tgc

        start = time.time()
        with ThreadPoolExecutor(len(FOLDERS)) as pool:
            loaded = pool.map(lambda name: tgc.load_folder(os.path.join(folder, name)), FOLDERS)
            self.loaded = dict(zip(FOLDERS, loaded))
        print(f"built in {time.time() - start:.0f} s")

    # ---- PyTorch ----

    def torch_results(self, torch):
        x = torch.arange(100000, device="cuda", dtype=torch.float32) % 7
        total = self.loaded["sum"](x)
        assert total.shape == () and total.device == x.device and total == x.sum(), total
        half = self.loaded["sum"](x[:1000].half())
        assert half.dtype == torch.float32 and half == x[:1000].sum(), half
        assert torch.equal(self.loaded["scan"](x), x.cumsum(0))
        A, v = (torch.randint(-8, 9, shape, device="cuda").float() for shape in ((300, 500), (200,)))
        assert torch.equal(self.loaded["gemv"](A[:, 100:300], v), A[:, 100:300] @ v)
        y = torch.ones(1000, device="cuda")
        assert self.loaded["axpy"](3, x[:1000], y) is y and torch.equal(y, 3 * x[:1000] + 1)
        best = self.loaded["arg_max"](x)
        assert best.value == 6 and best.place == 6, best
        out = torch.zeros(50, device="cuda")
        assert self.loaded["segmented_sum"](x[:5000], 100, out=out) is out
        assert torch.equal(out, x[:5000].view(50, 100).sum(1))

    def torch_refusals(self, torch):
        x = torch.ones(10, device="cuda")
        for call, error in (
            (lambda: self.loaded["sum"](x.cpu()), TypeError),
            (lambda: self.loaded["sum"](x.double()), TypeError),
            (lambda: self.loaded["sum"](x[::2]), ValueError),
            (lambda: self.loaded["sum"](x.clone().requires_grad_()), TypeError),
            (lambda: self.loaded["sum"](x, stream="none"), TypeError),
        ):
            try:
                call()
            except error as why:
                print("   ", why)
            else:
                raise AssertionError("nothing was refused")

    def torch_streams(self, torch):
        """A call waits for what the caller's stream does before: a slow kernel that fills the input."""
        stream, x = torch.cuda.Stream(), torch.zeros(1 << 22, device="cuda")
        torch.cuda.synchronize()
        for explicit in (False, True):
            x.zero_()
            torch.cuda.synchronize()
            with torch.cuda.stream(stream):
                torch.cuda._sleep(50_000_000)
                x.fill_(1)
                inside = None if explicit else self.loaded["sum"](x)
            total = self.loaded["sum"](x, stream=stream) if explicit else inside
            stream.synchronize()
            assert total == 1 << 22, (explicit, total)

    def torch_graph(self, torch):
        """A captured graph, replayed with other data, beside eager calls."""
        x, out = torch.ones(1 << 20, device="cuda"), torch.zeros((), device="cuda")
        self.loaded["sum"](x, out=out)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            prefix = self.loaded["scan"](x)
            self.loaded["sum"](prefix[:1000], out=out)
        for value in (1, 2, 3):
            x.fill_(value)
            graph.replay()
            eager = self.loaded["sum"](x)
            assert out == value * 500500 and eager == value * (1 << 20), (value, out, eager)

    def torch_compile(self, torch):
        """One graph without breaks, with the operators in it, for static and for dynamic shapes, and by CUDA graphs."""
        total, axpy = self.loaded["sum"].torch_op("total"), self.loaded["axpy"].torch_op("axpy")
        segments, product = self.loaded["segmented_sum"].torch_op("segments"), self.loaded["gemv"].torch_op("product")
        A = torch.randint(-8, 9, (64, 128), device="cuda").float()
        torch.library.opcheck(torch.ops.tgc.total.default, (torch.ones(100, device="cuda"),))
        torch.library.opcheck(
            torch.ops.tgc.axpy.default, (2.0, torch.ones(100, device="cuda"), torch.ones(100, device="cuda"))
        )

        def work(x):
            y = x + 1
            axpy(2.0, x, y)
            return total(y) + segments(y, 10, x.shape[0] // 10).sum() + product(A, y[:128]).sum()

        def expected(x):
            y = 3 * x + 1
            return 2 * y.sum() + (A @ y[:128]).sum()

        for mode in ("default", "reduce-overhead"):
            compiled = torch.compile(work, fullgraph=True, mode=mode)
            for n in (1000, 1000, 2000):
                x = (torch.arange(n, device="cuda") % 5).float()
                assert compiled(x) == expected(x), (mode, n, compiled(x), expected(x))

    # ---- CuPy ----

    def cupy_results(self, cupy):
        x = cupy.arange(100000, dtype="f4") % 7
        assert self.loaded["sum"](x) == x.sum()
        assert (self.loaded["scan"](x) == x.cumsum()).all()
        best = self.loaded["arg_max"](x)
        assert best.value == 6 and best.place == 6, best
        out = cupy.zeros((16,), "u1")
        self.loaded["arg_max"](x, out=out)
        assert out[8:].view("i8") == 6

    def cupy_streams(self, cupy):
        stream, x = cupy.cuda.Stream(non_blocking=True), cupy.ones(1000, "f4")
        cupy.cuda.Device().synchronize()
        with stream:
            total = self.loaded["sum"](x * 2)
        assert total.get(stream=stream) == 2000
        out = cupy.zeros((), "f4")
        with stream:
            stream.begin_capture()
            self.loaded["sum"](x, out=out)
            graph = stream.end_capture()
        for value in (3, 4):
            x.fill(value)
            cupy.cuda.Device().synchronize()
            graph.launch(stream)
            assert out.get(stream=stream) == 1000 * value

    def both_interfaces(self, torch, cupy):
        """DLPack and __cuda_array_interface__ of objects that are neither library's."""

        class Capsule:
            def __init__(self, x):
                self.x = x

            def __dlpack__(self, stream=None):
                return self.x.__dlpack__(stream=stream)

            def __dlpack_device__(self):
                return self.x.__dlpack_device__()

        class Interface:
            def __init__(self, x):
                self.__cuda_array_interface__ = x.__cuda_array_interface__
                self.x = x

        x = torch.ones(1000, device="cuda")
        assert float(self.loaded["sum"](Capsule(x))) == 1000
        assert float(self.loaded["sum"](Interface(cupy.ones(1000, "f4")))) == 1000


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder")
    arguments.add_argument("--write", action="store_true")
    arguments.add_argument("--tgc", default=os.path.join(ROOT, "build", "tgc"))
    arguments.add_argument("--arch", default="sm_90")
    o = arguments.parse_args()
    if o.write:
        return write(o)
    modules = {}
    for name in ("torch", "cupy"):
        try:
            modules[name] = __import__(name)
        except ImportError:
            print(f"gpu: skipped: {name} is not installed")
    checks, failed = Checks(o.folder), 0
    for name in [n for n in vars(Checks) if n.split("_")[0] in ("torch", "cupy", "both")]:
        wanted = ["torch", "cupy"] if name.startswith("both") else [name.split("_")[0]]
        if any(w not in modules for w in wanted):
            continue
        start = time.time()
        try:
            getattr(checks, name)(*[modules[w] for w in wanted])
            print(f"{name}: ok, {time.time() - start:.1f} s", flush=True)
        except Exception:
            failed += 1
            print(f"{name}: FAILED\n{traceback.format_exc()}", flush=True)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
