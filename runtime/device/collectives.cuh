// collectives.cuh: warp collectives other than shuffles.
//
//   REDUCES   reduces<T>: has the warp an instruction that reduces T?
//   HALF      half_of: the first distance of an exchange over some lanes
#include "alone.cuh"
#ifndef REDUCES
#define REDUCES 1
#define HALF 1
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
