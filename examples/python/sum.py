#!/usr/bin/env python3
"""Calls a generated library from Python, by ctypes: on PyTorch's or CuPy's arrays and streams, or, with neither, on
memory that the CUDA runtime gives.

    tgc codelets/sum.cdl --arch sm_80 --types float -o out/
    cmake -S out -B out-build -DBUILD_SHARED_LIBS=ON -DCMAKE_CUDA_RUNTIME_LIBRARY=Shared && cmake --build out-build
    examples/python/sum.py out-build/libtgc_sum.so [N]
"""
import ctypes, ctypes.util, sys


class Sum:
    """sum_float of a library."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.call = self.library.sum_float_async
        self.call.argtypes = (ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_void_p)
        self.text = self.library.sum_error_text
        self.text.restype = ctypes.c_char_p

    def __call__(self, source, n, result, stream):
        """Queues the sum of n floats at the address `source`; it goes to the address `result`."""
        error = self.call(source, n, result, stream)
        if error:
            raise RuntimeError(self.text(error).decode())


def with_torch(sum_float, n):
    import torch
    if not torch.cuda.is_available():
        raise ImportError("PyTorch sees no GPU")
    numbers = torch.ones(n, device="cuda")
    result = torch.empty((), device="cuda")
    sum_float(numbers.data_ptr(), n, result.data_ptr(), torch.cuda.current_stream().cuda_stream)
    return result.item()


def with_cupy(sum_float, n):
    import cupy
    if not cupy.cuda.is_available():
        raise ImportError("CuPy sees no GPU")
    numbers, result = cupy.ones(n, dtype=cupy.float32), cupy.empty((), dtype=cupy.float32)
    sum_float(numbers.data.ptr, n, result.data.ptr, cupy.cuda.get_current_stream().ptr)
    return float(result)


def runtime(library):
    """The CUDA runtime: the library's own where it passes one on, else the system's."""
    if hasattr(library, "cudaMalloc"):
        return library
    found = ctypes.util.find_library("cudart") or "libcudart.so"
    return ctypes.CDLL(found)


def with_the_runtime(sum_float, n):
    cuda = runtime(sum_float.library)

    def check(error):
        if error:
            raise RuntimeError(sum_float.text(error).decode())

    def allocate(size):
        place = ctypes.c_void_p()
        check(cuda.cudaMalloc(ctypes.byref(place), ctypes.c_size_t(size)))
        return place

    to_device, to_host = 1, 2
    host, answer = (ctypes.c_float * n)(*[1] * n), ctypes.c_float()
    numbers, result = allocate(ctypes.sizeof(host) or 1), allocate(ctypes.sizeof(answer))
    check(cuda.cudaMemcpy(numbers, host, ctypes.c_size_t(ctypes.sizeof(host)), to_device))
    sum_float(numbers, n, result, None)
    check(cuda.cudaMemcpy(ctypes.byref(answer), result, ctypes.c_size_t(ctypes.sizeof(answer)), to_host))
    check(cuda.cudaFree(numbers)), check(cuda.cudaFree(result))
    return answer.value


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sum_float, n = Sum(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 100000
    for name, way in (("PyTorch", with_torch), ("CuPy", with_cupy), ("the CUDA runtime", with_the_runtime)):
        try:
            print(f"{n} ones, with {name}: {way(sum_float, n):g}")
            return
        except ImportError:
            continue


if __name__ == "__main__":
    main()
