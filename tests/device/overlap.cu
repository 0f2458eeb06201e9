// A grid that is launched early waits for the one before it, before it touches memory.
//
// mutant: does not wait: cudaGridDependencySynchronize(); => ;
// mutant: no attribute: programmaticStreamSerializationAllowed = 1 => programmaticStreamSerializationAllowed = 0
#include "device_test.h"

#include "overlap.cuh"

__global__ void add(int *to) {
  after_earlier_grids();
  atomicAdd(to, 1);
}

int main() {
  cudaLaunchAttribute early = may_begin_early();
  if (!early.val.programmaticStreamSerializationAllowed) return 1;
  return each_seed([early]() mutable {
    int *to = zeroed<int>(1);
    const cudaLaunchConfig_t grid = {dim3(3), dim3(32), 0, nullptr, &early, 1};
    for (int i = 0; i < 2; i++)
      if (cudaLaunchKernelEx(&grid, add, to) != cudaSuccess) return false;
    return *to == 2 * 3 * 32;
  });
}
