// together.cuh: a kernel that stays for all of a loop: its blocks run at once, and wait for one another between steps.
//
//   MEET   meet: all wait for one another
//   ALONE  comes_last, go_on: .. while one thread acts
#include "alone.cuh"
#ifndef MEET
#define MEET 1
#endif
#ifndef ALONE
#define ALONE 1
#endif
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

// `met` is a word, zero before the kernel and after it: how often blocks have come to meetings of all. `due`, which
// each block has, is how often they have when the meetings so far are over. One thread of a block comes, and waits, for
// all of them. Before sm_70 there is no load that acquires: fences do it.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
__device__ __forceinline__ void come(unsigned *met) {
  asm volatile("red.release.gpu.add.u32 [%0], 1;" ::"l"(met) : "memory");
}

__device__ __forceinline__ unsigned have_come(unsigned *met) {
  unsigned n;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(n) : "l"(met) : "memory");
  return n;
}

__device__ __forceinline__ void wait_for(unsigned *met, unsigned due) {
  while ((int)(have_come(met) - due) < 0) {}
}
#else
__device__ __forceinline__ void come(unsigned *met) {
  __threadfence();
  atomicAdd(met, 1u);
}

__device__ __forceinline__ void wait_for(unsigned *met, unsigned due) {
  while ((int)(atomicCAS(met, 0u, 0u) - due) < 0) {}
  __threadfence();
}
#endif

#if MEET

// All blocks come, and wait here for one another: each sees what the others have stored before.
__device__ __forceinline__ void meet(unsigned *met, unsigned &due) {
  due += gridDim.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    come(met);
    wait_for(met, due);
  }
  __syncthreads();
}
#endif
#if ALONE

// All blocks come, and wait; but true on one thread of the grid, of the block that comes last, which does not: until
// go_on() nobody else does anything, and it sees what all have stored. It comes once more, which the others wait for.
__device__ __forceinline__ bool comes_last(unsigned *met, unsigned &due) {
  due += gridDim.x + 1;
  __syncthreads();
  if (threadIdx.x != 0) return false;
  __threadfence();
  const bool last = atomicAdd(met, 1u) == due - 2;
  if (!last) wait_for(met, due);
  __threadfence();
  return last;
}

// Behind comes_last(): the meeting is over, and all see what the others stored before.
__device__ __forceinline__ void go_on(unsigned *met, bool last) {
  if (last) come(met);
  __syncthreads();
}
#endif

// There is no other meeting: the last block leaves the word zero.
__device__ __forceinline__ void disperse(unsigned *met, unsigned due) {
  if (threadIdx.x == 0 && atomicAdd(met, 1u) == due + gridDim.x - 1) atomicExch(met, 0u);
}
