// integers.cuh: minimum and maximum of Index, for host and device.
//
//   LEAST, GREATEST   least; greatest
#include "alone.cuh"
#ifndef LEAST
#define LEAST 1
#define GREATEST 1
#endif
// ---- pasted from here on ----
#if LEAST

__host__ __device__ constexpr Index least(Index x, Index y) { return x < y ? x : y; }
#endif
#if GREATEST

__host__ __device__ constexpr Index greatest(Index x, Index y) { return x > y ? x : y; }
#endif
