// together.cuh: a kernel that stays for all of a loop: its blocks run at once, and wait for one another between the steps.
#include "alone.cuh"
// ---- pasted from here on ----

// How many blocks of so many threads run at once.
template <typename Kernel> inline cudaError_t blocks_at_once(Kernel *kernel, int threads, Index *blocks) {
  int device = 0, units = 0, resident = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess) error = 
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, (const void *)kernel, threads, 0);
  *blocks = (Index)units * resident;
  return error == cudaSuccess && *blocks < 1 ? cudaErrorInvalidConfiguration : error;
}

// A cooperative launch: it fails where not all blocks would run at once, instead of waiting forever.
inline cudaLaunchAttribute all_at_once() {
  cudaLaunchAttribute together = {};
  together.id = cudaLaunchAttributeCooperative;
  together.val.cooperative = 1;
  return together;
}

// `met` is two words, zero before the kernel and after it: how many blocks have come to a meeting of all, and how many
// meetings are over. The load bypasses the L1 cache.
#ifdef __CUDA_ARCH__
__device__ __forceinline__ unsigned meetings(unsigned *met) { return *(volatile unsigned *)&met[1]; }
#else
__device__ inline unsigned meetings(unsigned *met) { return atomicCAS(&met[1], 0u, 0u); }
#endif

// Each block comes to a meeting, and waits here for all others. True on one thread of the grid, of the block that comes
// last, which does not wait: until go_on() nobody else does anything, and it sees what all have stored.
__device__ __forceinline__ bool comes_last(unsigned *met) {
  __syncthreads();
  if (threadIdx.x != 0) return false;
  const unsigned over = meetings(met);
  __threadfence();
  const bool last = atomicAdd(&met[0], 1u) == gridDim.x - 1;
  while (!last && meetings(met) == over) {}
  __threadfence();
  return last;
}

// Behind comes_last(): the meeting is over, and all see what the others stored before.
__device__ __forceinline__ void go_on(unsigned *met, bool last) {
  if (last) {
    atomicExch(&met[0], 0u);
    __threadfence();
    atomicAdd(&met[1], 1u);
  }
  __syncthreads();
}

// There is no other meeting: the last block leaves the words zero.
__device__ __forceinline__ void disperse(unsigned *met) {
  if (threadIdx.x == 0 && atomicAdd(&met[0], 1u) == gridDim.x - 1) {
    atomicExch(&met[0], 0u);
    atomicExch(&met[1], 0u);
  }
}
