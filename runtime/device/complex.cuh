// complex.cuh: complex numbers for host and device, with the layout of cuFloatComplex and cuDoubleComplex, which
// have no operators. std::complex is not available on the device. The default constructor is trivial, as shared
// memory needs.
#include "alone.cuh"
// ---- pasted from here on ----
// A complex number, laid out as cuFloatComplex and cuDoubleComplex are.
template <typename R> struct alignas(2 * sizeof(R)) complex {
  R re, im;
  complex() = default;
  __host__ __device__ constexpr complex(R re, R im = 0) : re(re), im(im) {}
  template <typename S> __host__ __device__ constexpr explicit complex(const complex<S> &x) : re((R)x.re), im((R)x.im) {}
  __host__ __device__ complex &operator+=(complex x) { return *this = *this + x; }
  __host__ __device__ complex &operator-=(complex x) { return *this = *this - x; }
  __host__ __device__ complex &operator*=(complex x) { return *this = *this * x; }
  __host__ __device__ complex &operator/=(complex x) { return *this = *this / x; }
  __host__ __device__ constexpr complex operator-() const { return complex(-re, -im); }
  friend __host__ __device__ constexpr complex operator+(complex x, complex y) { return complex(x.re + y.re, x.im + y.im); }
  friend __host__ __device__ constexpr complex operator-(complex x, complex y) { return complex(x.re - y.re, x.im - y.im); }
  friend __host__ __device__ constexpr complex operator*(complex x, complex y) {
    return complex(x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re);
  }
  friend __host__ __device__ constexpr complex operator/(complex x, complex y) {
    const R size = y.re * y.re + y.im * y.im;
    return complex((x.re * y.re + x.im * y.im) / size, (x.im * y.re - x.re * y.im) / size);
  }
  friend __host__ __device__ constexpr bool operator==(complex x, complex y) { return x.re == y.re && x.im == y.im; }
  friend __host__ __device__ constexpr bool operator!=(complex x, complex y) { return !(x == y); }
};
