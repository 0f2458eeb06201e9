// half16.cuh: the elements of --types half16: halves, which a matrix unit adds up in halves, too. Default constructors are
// trivial, as shared memory needs.
//
//   SUMS  Sum: what a matrix unit adds up elements of type E in, which others add up in T
#include "alone.cuh"

#include <cuda_fp16.h>
#ifndef SUMS
#define SUMS 1
#endif
// ---- pasted from here on ----
// A half, whose sums in a matrix unit are halves; anything else adds up in float.
struct half16 {
  __half value;
  half16() = default;
  __host__ __device__ explicit half16(float x) : value(x) {}
  __host__ __device__ operator float() const { return (float)value; }
};
#if SUMS

// Such a sum: what is added to it is rounded to a half.
struct half_sum {
  __half value;
  half_sum() = default;
  __host__ __device__ half_sum(float x) : value(x) {}
  __host__ __device__ operator float() const { return (float)value; }
  __host__ __device__ half_sum &operator+=(float x) { return *this = half_sum((float)*this + x); }
};
template <typename E, typename T> struct SumOf { typedef T type; };
template <> struct SumOf<half16, float> { typedef half_sum type; };
template <typename E, typename T> using Sum = typename SumOf<E, T>::type;
#endif
