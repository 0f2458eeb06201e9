#include "complex_polynomial.h"
#include "stranger.h"

#include <string.h>

#include <complex>

template <typename R, typename Z, typename F> static void one(Draw &d, F f) {
  typedef std::complex<R> C;
  const uint64_t n = d.length(3000);
  std::vector<C> w(n);
  for (C &x : w) x = C(d.one<R>(), d.one<R>());
  const double turn = d.one<double>();
  const C z = C((R)(0.9 * cos(turn)), (R)(0.9 * sin(turn)));
  C got = C(5, 5);
  // C's complex numbers are laid out as C++'s.
  Z number;
  memcpy(&number, &z, sizeof z);
  call(f, complex_polynomial_workspace_init, (const Z *)w.data(), n, number, (Z *)&got);
  std::complex<double> sum = 0, power = 1;
  double all = 0;
  for (C x : w) {
    sum += std::complex<double>(x) * power;
    all += std::abs(std::complex<double>(x) * power);
    power *= std::complex<double>(z);
  }
  const std::complex<double> want = n ? sum / (double)n : std::complex<double>(z);
  agree("real", 0, got.real(), want.real(), n ? all / n : 1);
  agree("imaginary", 0, got.imag(), want.imag(), n ? all / n : 1);
}

static void once(Draw &d) {
  one<float, __complex__ float>(d, complex_polynomial_cfloat);
  one<double, __complex__ double>(d, complex_polynomial_cdouble);
}
