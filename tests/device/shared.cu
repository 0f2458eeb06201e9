// A kernel asks for 64 KB, which it may not without permission, and has two arrays there.
//
// mutant: no permission: return cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes); => return cudaSuccess;
// mutant: less permission: cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes => cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes / 2
#include "device_test.h"

#include "shared.cuh"

enum { HALF = 8192 };

__global__ void reversed(int *to) {
  SHARED_ARRAY(int, x, HALF, shared_memory);
  SHARED_ARRAY(int, y, HALF, x + HALF);
  for (int i = threadIdx.x; i < HALF; i += 32) x[i] = i;
  __syncthreads();
  for (int i = threadIdx.x; i < HALF; i += 32) y[i] = x[HALF - 1 - i];
  __syncthreads();
  for (int i = threadIdx.x; i < HALF; i += 32) to[i] = y[i] + x[i];
}

int main() {
  return each_seed([] {
    enum { BYTES = 2 * HALF * sizeof(int) };
    int *to = zeroed<int>(HALF);
    void *arguments[] = {&to};
    if (ask_for_shared(reversed, BYTES) != cudaSuccess) return false;
    if (cudaLaunchKernel(reversed, dim3(1), dim3(32), arguments, BYTES, nullptr) != cudaSuccess) return false;
    for (int i = 0; i < HALF; i++)
      if (to[i] != HALF - 1) return false;
    return true;
  });
}
