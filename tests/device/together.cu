// Blocks that run at once meet, and then have what the others stored before; one thread acts in between.
//
// mutant: comes before its threads have: due += gridDim.x;\n  __syncthreads(); => due += gridDim.x;
// mutant: goes on before it has waited for its first thread: wait_for(met, due);\n  }\n  __syncthreads(); => wait_for(met, due);\n  }
// mutant: waits for nobody: come(met);\n    wait_for(met, due); => come(met);
// mutant: waits for all but one: due += gridDim.x;\n => due += gridDim.x - 1;\n
// mutant: acts before its threads have come: due += gridDim.x + 1;\n  __syncthreads(); => due += gridDim.x + 1;
// mutant: comes before its stores: __device__ __forceinline__ void come(unsigned *met) {\n  __threadfence(); => __device__ __forceinline__ void come(unsigned *met) {
// mutant: goes on before it may see: - due) < 0) {}\n  __threadfence(); => - due) < 0) {}
// mutant: comes last before its stores: return false;\n  __threadfence(); => return false;
// mutant: acts before it may see: if (!last) wait_for(met, due);\n  __threadfence(); => if (!last) wait_for(met, due);
// mutant: goes on before others have come: - due) < 0) {} => - due) < -1) {}
// mutant: does not wait for what one does: if (!last) wait_for(met, due); => if (!last) wait_for(met, due - 1);
// mutant: the first one acts: == due - 2; => == due - 1 - gridDim.x;
// mutant: goes on before its thread has acted: if (last) come(met);\n  __syncthreads(); => if (last) come(met);
// mutant: never goes on: if (last) come(met); => ;
// mutant: leaves its word: atomicExch(met, 0u); => ;
// mutant: leaves its word too early: == due + gridDim.x - 1) atomicExch => == due + gridDim.x - 2) atomicExch
// mutant: takes more than run at once: (Index)units * resident => (Index)units * resident + 1
#include "device_test.h"

#include "together.cuh"

constexpr int threads = 64, turns = 5;

// Each thread takes what its neighbour block's stored in the turn before; one adds up how many have come.
__global__ void pass_on(unsigned *met, int *stored, int *acted, int *seen) {
  const int thread = threadIdx.x, block = blockIdx.x, blocks = gridDim.x;
  unsigned due = 0;
  for (int turn = 0; turn < turns; turn++) {
    stored[block * threads + (thread + 7) % threads] = turn * 1000 + block;
    const bool last = comes_last(met, due);
    if (last) {
      int sum = 0;
      for (int i = 0; i < blocks * threads; i++) sum += stored[i];
      acted[0] = sum;
    }
    go_on(met, last);
    const int next = (block + 1) % blocks;
    seen[(turn * blocks + block) * threads + thread] = stored[next * threads + thread] + acted[0];
    meet(met, due);
  }
  disperse(met, due);
}

int main() {
  return each_seed([]() mutable {
    Index blocks = 0;
    if (blocks_at_once(pass_on, threads, &blocks) != cudaSuccess) return false;
    unsigned *met = zeroed<unsigned>(1);
    int *stored = zeroed<int>((size_t)blocks * threads), *acted = zeroed<int>(1);
    int *seen = zeroed<int>((size_t)turns * (size_t)blocks * threads);
    for (int call = 0; call < 2; call++) {
      cudaLaunchAttribute together = all_at_once();
      const cudaLaunchConfig_t grid = {dim3((unsigned)blocks), dim3(threads), 0, nullptr, &together, 1};
      if (cudaLaunchKernelEx(&grid, pass_on, met, stored, acted, seen) != cudaSuccess) return false;
      if (met[0]) return false;
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
