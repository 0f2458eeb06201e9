// ticket.cuh: the last block of a grid to arrive detects that it is the last, with acquire and release semantics.
#include "alone.cuh"
// ---- pasted from here on ----

// Counts a block as it finishes. True for the last of `blocks`, which sees the others' stores. Resets the counter to 0.
__device__ __forceinline__ bool arrives_last(unsigned *arrived, unsigned blocks) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  unsigned before;
  asm volatile("atom.acq_rel.gpu.inc.u32 %0, [%1], %2;" : "=r"(before) : "l"(arrived), "r"(blocks - 1) : "memory");
#else
  __threadfence();
  const unsigned before = atomicInc(arrived, blocks - 1);
  __threadfence();
#endif
  return before == blocks - 1;
}
