// append.cuh: queues (__append): each element gets a place of its own, in any order. The lanes of a warp that append at
// the same time take neighbouring places by one atomic. What there is no room for is counted, and not stored.
#include "alone.cuh"
// ---- pasted from here on ----

// What counts is an integer of as many bytes.
template <int bytes> struct Counter;
template <> struct Counter<4> { typedef unsigned Word; };
template <> struct Counter<8> { typedef unsigned long long Word; };

template <typename T, typename C>
__device__ __forceinline__ void append(C *count, T value, T *queue, Index room) {
  typedef typename Counter<sizeof(C)>::Word Word;
#ifdef __CUDA_ARCH__
  const unsigned lanes = __activemask(), before = lanes & ((1u << threadIdx.x % 32) - 1);
  Word at = 0;
  if (before == 0) at = atomicAdd((Word *)count, (Word)__popc(lanes));
  at = __shfl_sync(lanes, at, __ffs((int)lanes) - 1) + (Word)__popc(before);
#else
  const Word at = atomicAdd((Word *)count, (Word)1);
#endif
  if (at < (unsigned long long)room) queue[at] = value;
}
