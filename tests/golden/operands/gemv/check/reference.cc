#include <cmath>
#include <limits>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef __host__
#define __host__
#define __device__
#endif

namespace gemv_reference {

typedef long long Index; // sizes and positions

// NaN is passed over; +0 is greater than -0.
template <typename T, typename U> inline T max(T x, U v) {
  const T y = T(v);
  if (x == y) return x == 0 && std::signbit((double)x) ? y : x;
  return x > y || y != y ? x : y;
}
template <typename T, typename U> inline T min(T x, U v) {
  const T y = T(v);
  if (x == y) return x == 0 && std::signbit((double)x) ? x : y;
  return x < y || y != y ? x : y;
}
inline Index least(Index x, Index y) { return x < y ? x : y; }
inline Index greatest(Index x, Index y) { return x > y ? x : y; }

// The least and the greatest value of a type, infinities where it has them.
template <typename T> constexpr T least_value = std::numeric_limits<T>::has_infinity
                                                  ? -std::numeric_limits<T>::infinity()
                                                  : std::numeric_limits<T>::lowest();
template <typename T> constexpr T greatest_value = std::numeric_limits<T>::has_infinity
                                                     ? std::numeric_limits<T>::infinity()
                                                     : std::numeric_limits<T>::max();
template <typename T> __host__ __device__ constexpr T lowest() { return least_value<T>; }
template <typename T> __host__ __device__ constexpr T highest() { return greatest_value<T>; }

// T is the type it accumulates in.
template <typename E, typename T> void sequential(const E *A, Index rows, Index columns, Index leading, const E *x, T *y) {
  (void)rows;
  (void)columns;
  (void)leading;
  for (Index row = 0; row < rows; ++row) {
    T sum = 0;
    for (Index k = 0; k < columns; ++k)
      sum += (T)A[row * leading + k] * (T)x[k];
    y[row] = sum;
  }
}

} // namespace gemv_reference

extern "C" void gemv_reference_float(const float *A, uint64_t rows, uint64_t columns, uint64_t leading, const float *x, double *y) {
  gemv_reference::sequential<float, double>(A, (gemv_reference::Index)rows, (gemv_reference::Index)columns, (gemv_reference::Index)leading, x, y);
}

extern "C" void gemv_sequential_float(const float *A, uint64_t rows, uint64_t columns, uint64_t leading, const float *x, float *y) {
  gemv_reference::sequential<float, float>(A, (gemv_reference::Index)rows, (gemv_reference::Index)columns, (gemv_reference::Index)leading, x, y);
}

extern "C" void gemv_reference_int8(const signed char *A, uint64_t rows, uint64_t columns, uint64_t leading, const signed char *x, int *y) {
  gemv_reference::sequential<signed char, int>(A, (gemv_reference::Index)rows, (gemv_reference::Index)columns, (gemv_reference::Index)leading, x, y);
}

extern "C" void gemv_sequential_int8(const signed char *A, uint64_t rows, uint64_t columns, uint64_t leading, const signed char *x, int *y) {
  gemv_reference::sequential<signed char, int>(A, (gemv_reference::Index)rows, (gemv_reference::Index)columns, (gemv_reference::Index)leading, x, y);
}
