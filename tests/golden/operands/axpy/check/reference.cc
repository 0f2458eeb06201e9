#include <cuda_fp16.h>
#include <cuComplex.h>
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

namespace axpy_reference {

typedef long long Index; // sizes and positions

// A complex number, laid out as cuFloatComplex and cuDoubleComplex are.
template <typename R> struct alignas(2 * sizeof(R)) complex {
  R re, im;
  complex() = default;
  constexpr complex(R re, R im = 0) : re(re), im(im) {}
  template <typename S> constexpr explicit complex(const complex<S> &x) : re((R)x.re), im((R)x.im) {}
  complex &operator+=(complex x) { return *this = *this + x; }
  complex &operator-=(complex x) { return *this = *this - x; }
  complex &operator*=(complex x) { return *this = *this * x; }
  complex &operator/=(complex x) { return *this = *this / x; }
  constexpr complex operator-() const { return complex(-re, -im); }
  friend constexpr complex operator+(complex x, complex y) { return complex(x.re + y.re, x.im + y.im); }
  friend constexpr complex operator-(complex x, complex y) { return complex(x.re - y.re, x.im - y.im); }
  friend constexpr complex operator*(complex x, complex y) {
    return complex(x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re);
  }
  friend constexpr complex operator/(complex x, complex y) {
    const R size = y.re * y.re + y.im * y.im;
    return complex((x.re * y.re + x.im * y.im) / size, (x.im * y.re - x.re * y.im) / size);
  }
  friend constexpr bool operator==(complex x, complex y) { return x.re == y.re && x.im == y.im; }
  friend constexpr bool operator!=(complex x, complex y) { return !(x == y); }
};

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
template <typename E, typename T> void sequential(T a, const E *x, Index n, T *y) {
  (void)n;
  for (Index i = 0; i < n; ++i)
    y[i] = a * (T)x[i] + y[i];
}

} // namespace axpy_reference

extern "C" void axpy_reference_float(double a, const float *x, uint64_t n, double *y) {
  axpy_reference::sequential<float, double>(a, x, (axpy_reference::Index)n, y);
}

extern "C" void axpy_sequential_float(float a, const float *x, uint64_t n, float *y) {
  axpy_reference::sequential<float, float>(a, x, (axpy_reference::Index)n, y);
}

extern "C" void axpy_reference_half(double a, const __half *x, uint64_t n, double *y) {
  axpy_reference::sequential<__half, double>(a, x, (axpy_reference::Index)n, y);
}

extern "C" void axpy_sequential_half(float a, const __half *x, uint64_t n, float *y) {
  axpy_reference::sequential<__half, float>(a, x, (axpy_reference::Index)n, y);
}

extern "C" void axpy_reference_cfloat(cuDoubleComplex a, const cuFloatComplex *x, uint64_t n, cuDoubleComplex *y) {
  axpy_reference::sequential<axpy_reference::complex<float>, axpy_reference::complex<double>>(*(const axpy_reference::complex<double> *)&a, (const axpy_reference::complex<float> *)x, (axpy_reference::Index)n, (axpy_reference::complex<double> *)y);
}

extern "C" void axpy_sequential_cfloat(cuFloatComplex a, const cuFloatComplex *x, uint64_t n, cuFloatComplex *y) {
  axpy_reference::sequential<axpy_reference::complex<float>, axpy_reference::complex<float>>(*(const axpy_reference::complex<float> *)&a, (const axpy_reference::complex<float> *)x, (axpy_reference::Index)n, (axpy_reference::complex<float> *)y);
}
