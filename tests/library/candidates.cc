// candidates.cc: the candidates that a generated library of spmv (out/spmv.cu, --online) has for calls of some shapes: a query
// asks each of them for its workspace, in their order. A line for each shape: their ids.
//
// stubs.inc has a line for each variant, STUB(id). Nothing is executed.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "spmv.h"

extern "C" {
const char *cudaGetErrorString(cudaError_t) { return "an error"; }
cudaError_t cudaMallocAsync(void **, size_t, cudaStream_t) { return cudaErrorMemoryAllocation; }
cudaError_t cudaFreeAsync(void *, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaGetDevice(int *device) { return *device = 0, cudaSuccess; }
cudaError_t cudaGetDeviceCount(int *many) { return *many = 1, cudaSuccess; }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *is, int) { return std::strcpy(is->name, "Made Up 1"), cudaSuccess; }
cudaError_t cudaPeekAtLastError(void) { return cudaSuccess; }
cudaError_t cudaGetLastError(void) { return cudaSuccess; }
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *) { return cudaSuccess; }
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus *) { return cudaSuccess; }
cudaError_t cudaEventCreate(cudaEvent_t *) { return cudaErrorMemoryAllocation; }
cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t) { return cudaSuccess; }
}

#define STUB(id)                                                                                                              \
  extern "C" const spmv_configuration spmv_##id##_configurations[] = {{}};                                                    \
  extern "C" cudaError_t spmv_##id##_float(const spmv_configuration *, void *, size_t *bytes, const float *, uint64_t,         \
                                           const int *, const int *, uint64_t, const float *, uint64_t, float *, uint64_t,    \
                                           cudaStream_t) {                                                                    \
    std::printf(" %s", #id);                                                                                                  \
    return *bytes = 16, cudaSuccess;                                                                                          \
  }
#include "stubs.inc"

int main(int argc, char **argv) {
  if (argc < 2 || spmv_select_online(std::atoi(argv[1]), "not_guaranteed") != cudaSuccess) return 1;
  for (int i = 2; i + 1 < argc; i += 2) { // the mean length of rows, and how many there are
    const uint64_t rows = std::strtoull(argv[i + 1], nullptr, 10), n = rows * std::strtoull(argv[i], nullptr, 10);
    alignas(16) static int any[4];
    size_t bytes = 0;
    std::printf("%s x %s:", argv[i], argv[i + 1]);
    const cudaError_t error = spmv_float(nullptr, &bytes, (const float *)any, n, any, any, rows + 1, (const float *)any, rows, (float *)(any + 2),
                                         rows, nullptr);
    std::puts("");
    if (error != cudaSuccess) std::puts(spmv_error_text(error));
  }
  return 0;
}
