// measure.h: what compare.cu and compare_type.cu share: an element type, those that compete, and how one calls them.
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

// A fault of the device or of this program, not of a contender: nothing that follows could be believed.
#define CUDA(call)                                                                                                     \
  do {                                                                                                                 \
    cudaError_t error_ = (call);                                                                                       \
    if (error_ != cudaSuccess) {                                                                                       \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_));                  \
      std::exit(3);                                                                                                    \
    }                                                                                                                  \
  } while (0)

// As in the generated header; with workspace NULL it says how many bytes it needs. `out` is device memory, unless the
// contender hands its result to the host.
typedef std::function<cudaError_t(void *workspace, size_t *workspace_bytes, const void *in, uint64_t n, void *out,
                                  cudaStream_t stream)> Call;

struct Contender {
  std::string name;      // "ours", "cub", "cub-transform", "thrust", "variant"
  std::string what;      // further members of its JSON objects: which variant, in which configuration
  Call call;
  bool to_host = false;  // the call waits for its result and writes it to the host: neither asynchronous nor for graphs
  uint64_t most = UINT64_MAX; // elements that it is tried with
  cudaError_t (*init)(void *workspace, size_t workspace_bytes, cudaStream_t stream) = nullptr; // once a workspace
};

// What a result is to be: a whole number, or the bytes of what the user's operator gives.
union Value {
  long long number;
  alignas(32) char bytes[32];
};

// Under C's operators the data are whole numbers whose results are exact in every type and in every order: a result is
// right or wrong. An operator of the user's may round.
struct ElementType {
  const char *name;
  size_t bytes, result_bytes;
  void (*fill)(void *in, uint64_t n);
  // sums[p] = the result of the n elements from in + p * stride on, for each of the places p
  void (*reference)(const void *in, uint64_t n, uint64_t stride, int places, Value *sums);
  bool (*right)(const void *result, const Value &sum, uint64_t n);
  std::vector<Contender> contenders, variants;
};

#endif
