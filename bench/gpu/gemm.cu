// gemm.cu: the variants of C += A B, each configuration that they were compiled for, against cuBLAS. A line for each: the
// median time, TFLOP/s, the speed relative to cuBLAS, the greatest difference from its result.
//
// Needs gemm.h and the objects of variants from folders that tgc wrote with --types float, double, half and int8, and, by nvcc
// -include, a file with their ids: `#define OF_FLOAT(X) X(f79ebe58) X(223facd6)', and OF_DOUBLE, OF_HALF, OF_INT8. With -DB_BY_COLUMNS
// the folders were written with --by-columns B. With
// `#define FUNCTIONS(X) X(float, float) X(double, double)', or X(half, __half), it measures the functions that users call in their
// place, and needs all of a folder of these types, as `tgc ship' writes it.
// Arguments are sizes: m,n,k,pad, where rows have pad elements between them. -DBLOCKS=132,264 measures each configuration with
// these numbers of blocks, but those of variants in -DWITHOUT_BLOCKS='"7ccbca4f 851b6590"', which have no such number, once. A
// configuration that takes over twice the time of the best so far in one call is measured no further.
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "gemm.h"
#include "replayed.h"

// What products of E are added up in.
template <typename E> struct SumOf { typedef E type; };
template <> struct SumOf<__half> { typedef float type; };
template <> struct SumOf<signed char> { typedef int type; };
template <typename E> using Sum = typename SumOf<E>::type;

template <typename E>
using Function = cudaError_t (*)(const gemm_configuration *, void *, size_t *, const E *, uint64_t, uint64_t, uint64_t, const E *,
                                 uint64_t, uint64_t, Sum<E> *, uint64_t, cudaStream_t);

#define DECLARE(ID, NAME, E)                                                                                              \
  extern "C" const gemm_configuration gemm_##ID##_configurations[];                                                      \
  extern "C" cudaError_t gemm_##ID##_##NAME(const gemm_configuration *, void *, size_t *, const E *, uint64_t, uint64_t, \
                                            uint64_t, const E *, uint64_t, uint64_t, Sum<E> *, uint64_t, cudaStream_t);
#define DECLARE_FLOAT(ID) DECLARE(ID, float, float)
#define DECLARE_DOUBLE(ID) DECLARE(ID, double, double)
#define DECLARE_HALF(ID) DECLARE(ID, half, __half)
#define DECLARE_INT8(ID) DECLARE(ID, int8, signed char)
#ifndef OF_FLOAT
#define OF_FLOAT(X)
#endif
#ifndef OF_DOUBLE
#define OF_DOUBLE(X)
#endif
#ifndef OF_HALF
#define OF_HALF(X)
#endif
#ifndef OF_INT8
#define OF_INT8(X)
#endif
#ifdef FUNCTIONS
#define FUNCTION(NAME, E)                                                                                                \
  static cudaError_t function(void *w, size_t *b, const E *A, uint64_t m, uint64_t k, uint64_t la, const E *B, uint64_t n, \
                              uint64_t lb, Sum<E> *C, uint64_t lc, cudaStream_t s) {                                     \
    return gemm_##NAME(w, b, A, m, k, la, B, n, lb, C, lc, s);                                                           \
  }
FUNCTIONS(FUNCTION)
#endif
OF_FLOAT(DECLARE_FLOAT)
OF_DOUBLE(DECLARE_DOUBLE)
OF_HALF(DECLARE_HALF)
OF_INT8(DECLARE_INT8)

template <typename T>
struct Variant {
  const char *id;
  const gemm_configuration *configurations;
  Function<T> function;
};
#define ROW_FLOAT(ID) {#ID, gemm_##ID##_configurations, gemm_##ID##_float},
#define ROW_DOUBLE(ID) {#ID, gemm_##ID##_configurations, gemm_##ID##_double},
#define ROW_HALF(ID) {#ID, gemm_##ID##_configurations, gemm_##ID##_half},
#define ROW_INT8(ID) {#ID, gemm_##ID##_configurations, gemm_##ID##_int8},
static const std::vector<Variant<float>> of_float = {OF_FLOAT(ROW_FLOAT)};
static const std::vector<Variant<double>> of_double = {OF_DOUBLE(ROW_DOUBLE)};
static const std::vector<Variant<__half>> of_half = {OF_HALF(ROW_HALF)};
static const std::vector<Variant<signed char>> of_int8 = {OF_INT8(ROW_INT8)};

static const std::vector<Variant<float>> &variants_of(float) { return of_float; }
static const std::vector<Variant<double>> &variants_of(double) { return of_double; }
static const std::vector<Variant<__half>> &variants_of(__half) { return of_half; }
static const std::vector<Variant<signed char>> &variants_of(signed char) { return of_int8; }

// Tunables that not every folder's configurations have; 0 there.
template <typename C> auto warps_of(const C &c, int) -> decltype(c.warps) { return c.warps; }
template <typename C> int warps_of(const C &, long) { return 0; }
template <typename C> auto stages_of(const C &c, int) -> decltype(c.stages) { return c.stages; }
template <typename C> int stages_of(const C &, long) { return 0; }

#ifndef BLOCKS
#define BLOCKS 0
#endif
static const std::vector<int64_t> numbers_of_blocks = {BLOCKS};
#ifndef WITHOUT_BLOCKS
#define WITHOUT_BLOCKS ""
#endif

enum { ROUNDS = 7 };

// Numbers between -1 and 1; whole ones of a byte.
template <typename E> __global__ void draw(E *to, size_t n, uint64_t seed) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
    uint64_t x = (i + (seed << 40)) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    x ^= x >> 31;
    to[i] = Sum<E>(0.5) == 0 ? (E)(int)(x % 256 - 128) : (E)((Sum<E>)(x % 2001) / 1000 - 1);
  }
}

// The greatest difference from what is wanted, between rows from what was there: the bits of a double that is not below 0.
template <typename T>
__global__ void differ(const T *got, const T *wanted, const T *before, size_t n, size_t columns, size_t leading,
                       unsigned long long *greatest) {
  double worst = 0;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
    const double off = fabs((double)got[i] - (double)(i % leading < columns ? wanted : before)[i]);
    worst = off <= worst || worst != worst ? worst : off; // what is no number stays
  }
  if (worst != 0) atomicMax(greatest, (unsigned long long)__double_as_longlong(worst) & ~(1ull << 63));
}

struct Shape { int m, n, k, pad; };

// How B lies there.
#ifdef B_BY_COLUMNS
static const cublasOperation_t of_b = CUBLAS_OP_T;
static int lines_of_b(const Shape &s) { return s.n; }
static int leading_of_b(const Shape &s) { return s.k + s.pad; }
#else
static const cublasOperation_t of_b = CUBLAS_OP_N;
static int lines_of_b(const Shape &s) { return s.k; }
static int leading_of_b(const Shape &s) { return s.n + s.pad; }
#endif

// Row-major matrices are cuBLAS's transposed ones: C' += B' A'.
static void peer(cublasHandle_t h, const Shape &s, const float *A, const float *B, float *C) {
  const float one = 1;
  cublasSgemm(h, of_b, CUBLAS_OP_N, s.n, s.m, s.k, &one, B, leading_of_b(s), A, s.k + s.pad, &one, C, s.n + s.pad);
}
static void peer(cublasHandle_t h, const Shape &s, const double *A, const double *B, double *C) {
  const double one = 1;
  cublasDgemm(h, of_b, CUBLAS_OP_N, s.n, s.m, s.k, &one, B, leading_of_b(s), A, s.k + s.pad, &one, C, s.n + s.pad);
}
static void peer(cublasHandle_t h, const Shape &s, const __half *A, const __half *B, float *C) {
  const float one = 1;
  cublasGemmEx(h, of_b, CUBLAS_OP_N, s.n, s.m, s.k, &one, B, CUDA_R_16F, leading_of_b(s), A, CUDA_R_16F, s.k + s.pad, &one, C,
               CUDA_R_32F, s.n + s.pad, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}
static void peer(cublasHandle_t h, const Shape &s, const signed char *A, const signed char *B, int *C) {
  const int one = 1;
  cublasGemmEx(h, of_b, CUBLAS_OP_N, s.n, s.m, s.k, &one, B, CUDA_R_8I, leading_of_b(s), A, CUDA_R_8I, s.k + s.pad, &one, C,
               CUDA_R_32I, s.n + s.pad, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT);
}

template <typename T>
static T *on_device(size_t n, uint64_t seed) {
  T *to = nullptr;
  cudaMalloc(&to, (n + 1) * sizeof(T));
  draw<<<1024, 256>>>(to, n, seed);
  return to;
}

template <typename E>
static int compare(cublasHandle_t h, cudaStream_t stream, const char *type, const Shape &s) {
#ifndef FUNCTIONS
  if (variants_of(E()).empty()) return 0;
#endif
  typedef Sum<E> T;
  const size_t la = s.k + s.pad, lb = leading_of_b(s), lc = s.n + s.pad;
  const size_t results = s.m * lc;
  E *A = on_device<E>(s.m * la, 1), *B = on_device<E>(lines_of_b(s) * lb, 2);
  T *C = on_device<T>(results, 3), *before = on_device<T>(results, 3), *wanted = on_device<T>(results, 3);
  unsigned long long *greatest = nullptr;
  cudaMalloc(&greatest, sizeof *greatest);
  cudaDeviceSynchronize();
  const auto reset = [&] { cudaMemcpy(C, before, results * sizeof(T), cudaMemcpyDeviceToDevice); };
  const double work = 2.0 * s.m * s.n * s.k;
  const int calls = work < 2e9 ? 20 : work < 4e10 ? 5 : 2;
  peer(h, s, A, B, wanted);
  cudaDeviceSynchronize();
  const auto peer_takes = [&] { return replayed(stream, [&] { peer(h, s, A, B, C); }, ROUNDS, calls); };
  double peers = peer_takes();
  std::printf("%s %dx%dx%d, %d between rows: cuBLAS %.1f us, %.1f TFLOP/s\n", type, s.m, s.n, s.k, s.pad, peers,
              work / peers / 1e6);
  void *workspace = nullptr;
  size_t bytes = 0;
  int wrong = 0;
  double best = INFINITY;
  const double bound = (sizeof(T) == 4 ? 1e-6 : 2e-15) * (s.k + 1) * 4;
  const auto measure = [&](const char *name, auto call, bool again = false) { // again: cuBLAS, behind it, too
    size_t needed = 0;
    void *had = std::exchange(workspace, nullptr);
    std::swap(bytes, needed);
    cudaError_t queued = call(); // with no workspace: how many bytes one needs
    std::swap(bytes, needed);
    workspace = had;
    if (needed > bytes) {
      cudaFree(workspace);
      cudaMalloc(&workspace, bytes = needed);
      cudaMemset(workspace, 0, bytes);
    }
    reset();
    cudaMemset(greatest, 0, sizeof *greatest);
    cudaDeviceSynchronize();
    if (queued == cudaSuccess) queued = call();
    const cudaError_t ran = cudaDeviceSynchronize();
    differ<<<1024, 256>>>(C, wanted, before, results, s.n, lc, greatest);
    double worst = 0; // its bits are those of the number
    cudaMemcpy(&worst, greatest, sizeof worst, cudaMemcpyDeviceToHost);
    const bool right = queued == cudaSuccess && ran == cudaSuccess && worst <= bound;
    wrong += !right;
    const double once = replayed(stream, call, 1, 1);
    if (right && once > 2 * best + 10) return;
    best = std::min(best, once);
    const double us = replayed(stream, call, ROUNDS, calls);
    if (again) peers = std::min(peers, peer_takes());
    std::printf("  %s: %.1f us, %.1f TFLOP/s, %.2f of cuBLAS, differs by %.1e%s\n", name, us, work / us / 1e6, peers / us, worst,
                right ? "" : ": WRONG");
  };
#ifdef FUNCTIONS
  measure("the function", [&] { return function(workspace, &bytes, A, s.m, s.k, la, B, s.n, lb, C, lc, stream); }, true);
#endif
  for (const Variant<E> &v : variants_of(E()))
    for (const gemm_configuration *f = v.configurations; f->threads; f++) {
      gemm_configuration with = *f;
      for (const int64_t blocks : std::strstr(WITHOUT_BLOCKS, v.id) ? std::vector<int64_t>{0} : numbers_of_blocks) {
        char name[200];
        const int warps = warps_of(*f, 0);
        std::snprintf(name, sizeof name, "%s, %d threads by %d %s, %dx%dx%d, %d stages, %lld blocks", v.id, f->threads,
                      warps ? warps : f->lanes, warps ? "warps" : "lanes", f->tile_m, f->tile_n, f->tile_k, stages_of(*f, 0),
                      (long long)blocks);
        if (blocks) with.blocks = blocks;
        measure(name, [&] { return v.function(&with, workspace, &bytes, A, s.m, s.k, la, B, s.n, lb, C, lc, stream); });
      }
    }
  for (void *p : {(void *)A, (void *)B, (void *)C, (void *)before, (void *)wanted, (void *)greatest, workspace}) cudaFree(p);
  return wrong;
}

int main(int argc, char **argv) {
  cublasHandle_t h;
  cublasCreate(&h);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cublasSetStream(h, stream);
  const size_t scratch = 64 << 20; // cuBLAS's own would be allocated within the graph
  void *room = nullptr;
  cudaMalloc(&room, scratch);
  cublasSetWorkspace(h, room, scratch);
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  int runtime = 0, version = 0, wrong = 0;
  cudaRuntimeGetVersion(&runtime);
  cublasGetVersion(h, &version);
  std::printf("%s, CUDA %d, cuBLAS %d\n", device.name, runtime, version);
  for (int i = 1; i < argc; i++) {
    Shape s = {};
    if (std::sscanf(argv[i], "%d,%d,%d,%d", &s.m, &s.n, &s.k, &s.pad) < 3) return 2;
#ifdef FUNCTIONS
#define COMPARE(NAME, E) wrong += compare<E>(h, stream, #NAME, s);
    FUNCTIONS(COMPARE)
#else
    wrong += compare<__half>(h, stream, "half", s) + compare<signed char>(h, stream, "int8", s);
    wrong += compare<float>(h, stream, "float", s) + compare<double>(h, stream, "double", s);
#endif
  }
  return wrong > 0;
}
