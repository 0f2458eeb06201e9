// planes.cu: variants of transpose and jacobi of floats, in each configuration that they were compiled for, and the functions
// that users call, against a copy of the same bytes and, for transpose, cuBLAS's geam. A line for each: the median time, GB/s,
// the speed relative to the copy.
//
// Needs transpose.h, jacobi.h and the objects of both folders, which tgc wrote with --types float, and, by nvcc -include, a
// file with the variants' ids: `#define TRANSPOSES(X) X(92209c79)', and JACOBIS. Arguments are sizes: rows,columns,pad, where
// rows have pad elements between them.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "jacobi.h"
#include "replayed.h"
#include "transpose.h"

#define TRANSPOSE(ID)                                                                                            \
  extern "C" const transpose_configuration transpose_##ID##_configurations[];                                    \
  extern "C" cudaError_t transpose_##ID##_float(const transpose_configuration *, void *, size_t *, const float *, \
                                                uint64_t, uint64_t, uint64_t, float *, uint64_t, cudaStream_t);
#define JACOBI(ID)                                                                                         \
  extern "C" const jacobi_configuration jacobi_##ID##_configurations[];                                    \
  extern "C" cudaError_t jacobi_##ID##_float(const jacobi_configuration *, void *, size_t *, const float *, uint64_t, \
                                             uint64_t, uint64_t, float *, uint64_t, uint64_t, uint64_t, cudaStream_t);
TRANSPOSES(TRANSPOSE)
JACOBIS(JACOBI)

template <typename C, typename F>
struct Variant {
  const char *id;
  const C *configurations;
  F function;
};
#define TRANSPOSE_ROW(ID) {#ID, transpose_##ID##_configurations, transpose_##ID##_float},
#define JACOBI_ROW(ID) {#ID, jacobi_##ID##_configurations, jacobi_##ID##_float},
static const Variant<transpose_configuration, decltype(transpose_variant::run_float)> transposes[] = {TRANSPOSES(TRANSPOSE_ROW)};
static const Variant<jacobi_configuration, decltype(jacobi_variant::run_float)> jacobis[] = {JACOBIS(JACOBI_ROW)};

enum { ROUNDS = 9, CALLS = 8 };

struct Shape { long rows, columns, pad; };

static cudaStream_t stream;
static void *workspace;
static size_t bytes = 1 << 20;
static int wrong;

struct Arrays {
  std::vector<float> in, out, got;
  float *from = nullptr, *to = nullptr;
  double moved, copied;
};

static Arrays arrays(size_t in, size_t out, double moved) {
  Arrays a;
  a.in.resize(in);
  a.out.assign(out, -1);
  a.got.resize(out);
  for (float &v : a.in) v = (float)(std::rand() % 2001 - 1000) / 1000;
  cudaMalloc(&a.from, in * sizeof(float));
  cudaMalloc(&a.to, out * sizeof(float));
  cudaMemcpy(a.from, a.in.data(), in * sizeof(float), cudaMemcpyHostToDevice);
  a.moved = moved;
  const size_t all = std::min((size_t)(moved / 2), std::min(in, out) * sizeof(float));
  a.copied = replayed(stream, [&] { cudaMemcpyAsync(a.to, a.from, all, cudaMemcpyDeviceToDevice, stream); }, ROUNDS, CALLS);
  return a;
}

template <typename Call>
static void measure(Arrays *a, const std::vector<float> &wanted, const char *what, Call call) {
  cudaMemcpy(a->to, a->out.data(), a->out.size() * sizeof(float), cudaMemcpyHostToDevice);
  const cudaError_t queued = call(), ran = cudaDeviceSynchronize();
  cudaMemcpy(a->got.data(), a->to, a->got.size() * sizeof(float), cudaMemcpyDeviceToHost);
  double worst = 0;
  for (size_t i = 0; i < wanted.size(); i++) worst = std::max(worst, (double)std::fabs(a->got[i] - wanted[i]));
  const bool right = queued == cudaSuccess && ran == cudaSuccess && worst < 1e-6;
  wrong += !right;
  const double us = replayed(stream, call, ROUNDS, CALLS);
  std::printf("  %-36s %8.1f us, %6.0f GB/s, %.3f of the copy%s\n", what, us, a->moved / us / 1e3, a->copied / us,
              right ? "" : ": WRONG");
}

template <typename C>
static const char *name(char *to, const char *id, const C *c) {
  if (c->lanes) std::sprintf(to, "%s, %d threads by %d, %dx%d:", id, c->threads, c->lanes, c->tile_i, c->tile_j);
  else std::sprintf(to, "%s, %d threads:", id, c->threads);
  return to;
}

static void transpose(cublasHandle_t h, const Shape &s) {
  const size_t from = s.columns + s.pad, to = s.rows + s.pad;
  Arrays a = arrays(s.rows * from, s.columns * to, 8.0 * s.rows * s.columns);
  std::vector<float> wanted = a.out;
  for (long i = 0; i < s.rows; i++)
    for (long j = 0; j < s.columns; j++) wanted[j * to + i] = a.in[i * from + j];
  std::printf("transpose %ldx%ld, %ld between rows: copy %.1f us, %.0f GB/s\n", s.rows, s.columns, s.pad, a.copied,
              a.moved / a.copied / 1e3);
  const float one = 1, zero = 0;
  measure(&a, wanted, "cuBLAS geam:", [&] {
    return cublasSgeam(h, CUBLAS_OP_T, CUBLAS_OP_N, s.rows, s.columns, &one, a.from, from, &zero, a.to, to, a.to, to) ==
                   CUBLAS_STATUS_SUCCESS ? cudaSuccess : cudaErrorUnknown;
  });
  measure(&a, wanted, "transpose_float:", [&] {
    return transpose_float(workspace, &bytes, a.from, s.rows, s.columns, from, a.to, to, stream);
  });
  char text[80];
  for (const auto &v : transposes)
    for (const transpose_configuration *c = v.configurations; c->threads; c++)
      measure(&a, wanted, name(text, v.id, c), [&] {
        return v.function(c, workspace, &bytes, a.from, s.rows, s.columns, from, a.to, to, stream);
      });
  cudaFree(a.from);
  cudaFree(a.to);
}

static void jacobi(const Shape &s) {
  const size_t leading = s.columns + s.pad;
  Arrays a = arrays(s.rows * leading, s.rows * leading, 8.0 * s.rows * s.columns);
  std::vector<float> wanted = a.out;
  for (long i = 0; i + 2 < s.rows; i++)
    for (long j = 0; j + 2 < s.columns; j++) {
      const float *x = &a.in[i * leading + j];
      wanted[i * leading + j] = (float)(((double)x[1] + x[2 * leading + 1] + x[leading] + x[leading + 2]) * 0.25);
    }
  std::printf("jacobi %ldx%ld, %ld between rows: copy %.1f us, %.0f GB/s\n", s.rows, s.columns, s.pad, a.copied,
              a.moved / a.copied / 1e3);
  measure(&a, wanted, "jacobi_float:", [&] {
    return jacobi_float(workspace, &bytes, a.from, s.rows, s.columns, leading, a.to, s.rows - 2, s.columns - 2, leading, stream);
  });
  char text[80];
  for (const auto &v : jacobis)
    for (const jacobi_configuration *c = v.configurations; c->threads; c++)
      measure(&a, wanted, name(text, v.id, c), [&] {
        return v.function(c, workspace, &bytes, a.from, s.rows, s.columns, leading, a.to, s.rows - 2, s.columns - 2, leading, stream);
      });
  cudaFree(a.from);
  cudaFree(a.to);
}

int main(int argc, char **argv) {
  cublasHandle_t h;
  cublasCreate(&h);
  cudaStreamCreate(&stream);
  cublasSetStream(h, stream);
  cudaMalloc(&workspace, bytes);
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  int runtime = 0, version = 0;
  cudaRuntimeGetVersion(&runtime);
  cublasGetVersion(h, &version);
  std::printf("%s, CUDA %d, cuBLAS %d\n", device.name, runtime, version);
  for (int i = 1; i < argc; i++) {
    Shape s = {};
    if (std::sscanf(argv[i], "%ld,%ld,%ld", &s.rows, &s.columns, &s.pad) < 2) return 2;
    transpose(h, s);
    jacobi(s);
  }
  return wrong > 0;
}
