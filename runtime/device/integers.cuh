// integers.cuh: minimum and maximum of Index, for host and device.
//
//   MIN_INDEX, MAX_INDEX   min_index; max_index
#include "alone.cuh"
#ifndef MIN_INDEX
#define MIN_INDEX 1
#define MAX_INDEX 1
#endif
// ---- pasted from here on ----
#if MIN_INDEX

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }
#endif
#if MAX_INDEX

__host__ __device__ constexpr Index max_index(Index x, Index y) { return x > y ? x : y; }
#endif
