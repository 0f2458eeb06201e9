// Blocks that run at once meet, and then have what the others stored before; one thread acts in between.
//
// mutant: comes before its threads have: bool comes_last(unsigned *met) {\n  __syncthreads(); => bool comes_last(unsigned *met) {
// mutant: comes before its stores: meetings(met);\n  __threadfence(); => meetings(met);
// mutant: acts before it may see: over) {}\n  __threadfence(); => over) {}
// mutant: goes on before others have come: while (!last && meetings(met) == over) {} => ;
// mutant: the first one acts: == gridDim.x - 1;\n  while => == 0;\n  while
// mutant: goes on before its thread has acted: atomicAdd(&met[1], 1u);\n  }\n  __syncthreads(); => atomicAdd(&met[1], 1u);\n  }
// mutant: goes on before what it did is there: atomicExch(&met[0], 0u);\n    __threadfence(); => atomicExch(&met[0], 0u);
// mutant: does not begin again: if (last) {\n    atomicExch(&met[0], 0u); => if (last) {
// mutant: leaves its words: atomicExch(&met[1], 0u); => ;
// mutant: takes more than run at once: (Index)units * resident => (Index)units * resident + 1
#include "device_test.h"

#include "together.cuh"

constexpr int threads = 64, turns = 5;

// Each thread takes what its neighbour block's stored in the turn before; one adds up how many have come.
__global__ void pass_on(unsigned *met, int *stored, int *acted, int *seen) {
  const int thread = threadIdx.x, block = blockIdx.x, blocks = gridDim.x;
  for (int turn = 0; turn < turns; turn++) {
    stored[block * threads + (thread + 7) % threads] = turn * 1000 + block;
    const bool last = comes_last(met);
    if (last) {
      int sum = 0;
      for (int i = 0; i < blocks * threads; i++) sum += stored[i];
      acted[0] = sum;
    }
    go_on(met, last);
    const int next = (block + 1) % blocks;
    seen[(turn * blocks + block) * threads + thread] = stored[next * threads + thread] + acted[0];
    go_on(met, comes_last(met));
  }
  disperse(met);
}

int main() {
  return each_seed([]() mutable {
    Index blocks = 0;
    if (blocks_at_once(pass_on, threads, &blocks) != cudaSuccess) return false;
    unsigned *met = zeroed<unsigned>(2);
    int *stored = zeroed<int>((size_t)blocks * threads), *acted = zeroed<int>(1);
    int *seen = zeroed<int>((size_t)turns * (size_t)blocks * threads);
    for (int call = 0; call < 2; call++) {
      cudaLaunchAttribute together = all_at_once();
      const cudaLaunchConfig_t grid = {dim3((unsigned)blocks), dim3(threads), 0, nullptr, &together, 1};
      if (cudaLaunchKernelEx(&grid, pass_on, met, stored, acted, seen) != cudaSuccess) return false;
      if (met[0] || met[1]) return false;
    }
    for (int turn = 0; turn < turns; turn++)
      for (int block = 0; block < blocks; block++) {
        const int sum = threads * ((int)blocks * turn * 1000 + (int)(blocks * (blocks - 1) / 2));
        const int want = turn * 1000 + (block + 1) % (int)blocks + sum;
        for (int thread = 0; thread < threads; thread++)
          if (seen[(turn * (int)blocks + block) * threads + thread] != want) return false;
      }
    return true;
  });
}
