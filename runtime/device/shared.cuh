// shared.cuh: shared memory that a launch asks for, since it is more than a block may declare.
//
//   EVENLY            evenly_shared: .. or since blocks are to be shared out evenly
#include "alone.cuh"
#ifndef EVENLY
#define EVENLY 1
#endif
// ---- pasted from here on ----

// An array of it, which begins where another one ends, the first at `shared_memory`.
#ifndef SHARED_ARRAY
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
#define SHARED_ARRAY(E, name, length, begin) \
  extern __shared__ __align__(1024) unsigned char shared_memory[]; \
  E *const name = (E *)(begin)
#else // tgc check's executor: each array has an end of its own
#define SHARED_ARRAY(E, name, length, begin) __shared__ __align__(1024) E name[length]
#endif
#endif

// Lets a kernel be launched with so many bytes, beside which it has a few of its own.
template <typename Kernel> inline cudaError_t ask_for_shared(Kernel *kernel, size_t bytes) {
  if (bytes <= 48 * 1024 - 1024) return cudaSuccess;
  return cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
}
#if EVENLY

// .. so much that no multiprocessor has room for more blocks than the fullest of `units' has where all are shared out
// evenly. A block may ask for `most', and a multiprocessor has 1 KB more; each block takes 1 KB beside what it asks for.
inline size_t evenly_shared(size_t own, Index blocks, int units, size_t most) {
  const size_t each = (size_t)((blocks + units - 1) / units);
  const size_t even = most / (each + 1) / 128 * 128;
  return own < even ? even : own;
}
#endif
