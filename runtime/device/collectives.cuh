// collectives.cuh: warp collectives other than shuffles.
//
//   REDUCES   reduces<T>: has the warp an instruction that reduces T?
//   HALF      half_of: the first distance of an exchange over some lanes
//   SUMS      add_of_block: one atomic for all lanes of a block
#include "alone.cuh"
#ifndef REDUCES
#define REDUCES 1
#define HALF 1
#define SUMS 1
#endif
// ---- pasted from here on ----
#if REDUCES

// Is there a warp-wide reduction instruction for T?
template <typename T> constexpr bool reduces = false;
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
template <> constexpr bool reduces<int> = true;
template <> constexpr bool reduces<unsigned> = true;
#endif
#endif
#if HALF

// First distance of an exchange over this many lanes: half of the next power of two.
__host__ __device__ constexpr int half_of(int lanes) {
  return lanes > 16 ? 16 : lanes > 8 ? 8 : lanes > 4 ? 4 : lanes > 2 ? 2 : lanes > 1 ? 1 : 0;
}
#endif
#if SUMS

// A whole number of each lane's: all of the block's are added there, by way of its `sum`.
template <int bytes> struct Summed;
template <> struct Summed<4> { typedef unsigned Word; };
template <> struct Summed<8> { typedef unsigned long long Word; };

template <typename T> __device__ __forceinline__ void add_of_block(T *to, T own, T *sum) {
  typedef typename Summed<sizeof(T)>::Word Word;
  if (threadIdx.x == 0) *sum = 0;
  __syncthreads();
  for (int i = 16; i > 0; i /= 2) own += __shfl_down_sync(0xffffffff, own, i);
  if (threadIdx.x % 32 == 0 && own != 0) atomicAdd((Word *)sum, (Word)own);
  __syncthreads();
  if (threadIdx.x == 0 && *sum != 0) atomicAdd((Word *)to, (Word)*sum);
}
#endif
