// A kernel asks for 64 KB, which it may not without permission, and has two arrays there. Blocks ask for what shares them
// out evenly.
//
// mutant: no permission: return cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes); => return cudaSuccess;
// mutant: less permission: cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes => cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes / 2
// mutant: a multiprocessor of the rest has fewer: (blocks + units - 1) / units => blocks / units
// mutant: room for one more: most / (each + 1) => most / (each + 2)
// mutant: less than its own: own < even ? even : own => even
#include "device_test.h"

#include "shared.cuh"

enum { HALF = 8192 };

// On 4 multiprocessors of 100 KB for blocks, and 1 KB; of blocks beside which 1 KB is taken.
static bool evenly() {
  const size_t most = 100 * 1024;
  for (Index blocks = 1; blocks <= 24; ++blocks) {
    const size_t each = (size_t)((blocks + 3) / 4), asked = evenly_shared(1024, blocks, 4, most);
    if (each * (asked + 1024) > most + 1024 || (each + 1) * (asked + 1024) <= most + 1024) return false;
    if (evenly_shared(most, blocks, 4, most) != most) return false;
  }
  return true;
}

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
    if (!evenly()) return false;
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
