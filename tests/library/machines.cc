// machines.cc: a program of a library of several machines: which of them serves, and what a sum comes to. The
// executor's TGC_SIMT_COMPUTE says which device there is.
#include <cstdio>
#include <thread>
#include <vector>

#include "sum.h"

static cudaError_t sum(const int *in, uint64_t n, int *out) {
  void *workspace = nullptr;
  size_t bytes = 0;
  cudaError_t error = sum_int(nullptr, &bytes, in, n, out, nullptr);
  if (error == cudaSuccess) error = cudaMalloc(&workspace, bytes);
  if (error == cudaSuccess) error = sum_workspace_init(workspace, bytes, nullptr);
  if (error == cudaSuccess) error = sum_int(workspace, &bytes, in, n, out, nullptr);
  if (error == cudaSuccess) error = sum_int_from(workspace, &bytes, in, n, *out, out, nullptr);
  return error;
}

int main() {
  const std::vector<int> host(1000, 3);
  void *in = nullptr, *out = nullptr;
  cudaMalloc(&in, host.size() * sizeof(int)), cudaMalloc(&out, sizeof(int));
  cudaMemcpy(in, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice);
  const cudaError_t error = sum((const int *)in, host.size(), (int *)out);
  if (error != cudaSuccess) {
    std::printf("error %d: %s\n", (int)error, sum_error_text(error));
    std::thread([&] { // the other thread's error is not this one's
      std::printf("%s\n", sum_error_text(cudaErrorInvalidValue));
    }).join();
    return 1;
  }
  std::printf("%s %d\n", sum_machine(), *(const int *)out);
  const cudaError_t refused = sum_int(in, nullptr, nullptr, 1, nullptr, nullptr);
  std::printf("%s\n", sum_error_text(refused));
  return 0;
}
