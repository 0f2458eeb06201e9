"""The examples, built and run on the CPU's executor; and with nvcc, where there is one, compiled for a GPU."""
import glob, os, re, shutil, sys

from drawn import drawn
from harness import Failed, Skipped, by_turns
from library_calls import build


def write(t, types, machines="sm_90", keep="6"):
    t.run(t.sum, "--arch", machines, "--types", types, "--keep", keep, "-o", "out").exits(0).silent()


@by_turns(5)
def test_c(t):
    write(t, "float")
    t.shell(f'cp "{t.source("examples", "c", "sum.c")}" . && clang-19 -std=c11 -Wall -Wextra -Werror -fPIE -I out '
            f'-I "{t.source("runtime", "simt", "include")}" -c sum.c -o main.o').exits(0).silent()
    build(t, "main.o")
    t.shell("./program 100000").exits(0).silent().prints("100000 numbers: 450000.0; from 0.5: 450000.5\n")
    t.shell("./program 0").exits(0).prints("0 numbers: 0.0; from 0.5: 0.5\n")


def test_witness(t):
    """Codelets in a unit test, prepared by the program beside tgc."""
    prepare = os.path.join(os.path.dirname(t.tgc), "tgc-witness")
    t.shell(f'"{prepare}" "{t.source("examples", "max.cdl")}" > max.hh && g++ -std=c++17 -Wall -Wextra -g -I "{t.source("witness")}" '
            f'-I . "{t.source("examples", "witness", "test.cc")}" -o test && ./test').exits(0).silent().prints("0 wrong")
    t.write("broken.cdl", "__codelet int f(const Array<1, int> in) { return in[0;\n}\n")
    t.shell(f'"{prepare}" broken.cdl').exits(1).says("broken.cdl:2: a bracket that was not opened")


@by_turns(5)
def test_c_with_several_machines(t):
    write(t, "float", "sm_60,sm_90")
    t.shell(f'clang-19 -std=c11 -fPIE -I out -I "{t.source("runtime", "simt", "include")}" '
            f'-c "{t.source("examples", "c", "sum.c")}" -o main.o').exits(0)
    build(t, "main.o")
    for device in ("60", "90"):
        t.shell("./program 1000", TGC_SIMT_COMPUTE=device).exits(0).prints("1000 numbers: 4500.0; from 0.5: 4500.5\n")
    t.shell("./program 1000", TGC_SIMT_COMPUTE="50").exits(1).says("every machine of the library is newer")


MATRICES = """#include <stdio.h>
#include <cuda_runtime_api.h>
#include "out/reduce_product2x2.h"
int main(void) {
  reduce_product2x2_Matrix_t host[3] = {{{{1, 1}, {0, 1}}}, {{{1, 0}, {1, 1}}}, {{{2, 0}, {0, 3}}}}, product = {{{0}}};
  void *in = NULL, *out = NULL;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof product);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaError_t error = reduce_product2x2_Matrix_async(in, 3, out, NULL);
  cudaMemcpy(&product, out, sizeof product, cudaMemcpyDeviceToHost);
  printf("%d: %u %u %u %u\\n", error, product.m[0][0], product.m[0][1], product.m[1][0], product.m[1][1]);
  return 0;
}
"""


@by_turns(3)
def test_matrices(t):
    """Functions and structs of one header: elements are structs, and C has both."""
    t.run(t.source("codelets", "reduce.cdl"), t.source("examples", "product2x2.cdl"), "--operator", "Product2x2",
          "--arch", "sm_90", "--keep", "3", "-o", "out").exits(0)
    t.write("main.c", MATRICES)
    include = t.source("runtime", "simt", "include")
    t.shell(f'clang-19 -std=c11 -Wall -Wextra -Werror -fPIE -I "{include}" -c main.c -o main.o').exits(0).silent()
    build(t, "main.o")
    t.shell("./program").exits(0).prints("0: 4 3 2 3\n")


@by_turns(4.5)
def test_graph(t):
    write(t, "int")
    build(t, t.source("examples", "graph", "counts.cc"))
    r = t.shell("./program").exits(0).silent()
    wanted = ((100000, 200000), (0, 0), (1, 2), (12345, 24690), (100001, 200000))
    r.expect(r.out == "".join(f"{n} elements: {s}\n" for n, s in wanted), "expected the sums")


@by_turns(10)
def test_python(t):
    write(t, "float")
    build(t, "", name="libsum.so", shared=True)
    script = t.source("examples", "python", "sum.py")
    r = t.shell(f'CUDA_VISIBLE_DEVICES= "{sys.executable}" "{script}" ./libsum.so 5000')
    r.exits(0).silent().prints("5000 ones, with the CUDA runtime: 5000\n")


def nvcc():
    for found in (os.environ.get("TGC_NVCC"), shutil.which("nvcc"), "/usr/local/cuda/bin/nvcc"):
        if found and os.access(found, os.X_OK):
            return found
    raise Skipped("no nvcc: the examples were compiled for the CPU alone")


@by_turns(5)
def test_values_in_registers(t):
    """No kernel keeps what it shuffles in memory: nvcc says how large their stack frames are."""
    compiler = nvcc()
    reduce = t.source("codelets", "reduce.cdl")
    for out, arguments in drawn((("out-sum", [t.sum, "--types", "double,cdouble"]),
                                 ("out-own", [reduce, "--operator", "ReproducibleSum", "--types", "float"]),
                                 ("out-place", [reduce, "--operator", "ArgMax", "--types", "int64"])), 1,
                                lambda case: case[0]):
        t.run(*arguments, "--arch", "sm_90", "--keep", "6", "-o", out).exits(0)
        kernels = 0
        for path in sorted(glob.glob(t.path(out + "/variants/*.cu"))):
            r = t.shell(f"'{compiler}' -w -std=c++17 -arch=sm_90 -I {out} -cubin -o cubin -Xptxas -v '{path}'",
                        timeout=300)
            frames = re.findall(r"(\d+) bytes stack frame", r.exits(0).out + r.err)
            kernels += len(frames)
            r.expect(set(frames) == {"0"}, "expected kernels without stack frames")
        if not kernels or "shuffle_" not in t.shell(f"cat {out}/variants/*.cu").out:
            raise Failed(f"{out}: {kernels} kernels, or none that shuffles words")


@by_turns(8)
def test_for_a_gpu(t):
    """Compiled and linked; run where there is a GPU."""
    compiler = nvcc()
    write(t, "int,float", keep="2")
    t.shell(f'mkdir o && cd o && "{compiler}" -std=c++17 -arch=sm_90 -I ../out -c $(find ../out -name "*.cu")',
            timeout=600).exits(0)
    for name, source in (("sum", "c/sum.c"), ("counts", "graph/counts.cc")):
        t.shell(f'"{compiler}" -std=c++17 -arch=sm_90 -I out -o {name} "{t.source("examples", *source.split("/"))}" o/*.o',
                timeout=600).exits(0)
    if shutil.which("nvidia-smi"):
        t.shell("./sum 100000").exits(0).prints("450000.0")
        t.shell("./counts").exits(0).prints("12345 elements: 24690")
