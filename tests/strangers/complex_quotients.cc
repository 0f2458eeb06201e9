#include "complex_quotients.h"
#include "stranger.h"

#include <complex>

template <typename E, typename A, typename Z, typename Y, typename F> static void one(Draw &d, F f) {
  const uint64_t rows = d.length(200), columns = d.length(200), leading = rows + d.size(3),
      B_leading = rows + d.size(3);
  std::vector<std::complex<E>> x(columns * leading), a(columns);
  std::vector<std::complex<A>> y(columns * B_leading);
  for (auto &v : x) v = {(E)d.one<int>(), (E)d.one<int>()};
  for (auto &v : a) v = {(E)d.one<int>(), (E)d.one<int>()};
  for (auto &v : y) v = {(A)d.one<int>(), (A)d.one<int>()};
  const auto before = y;
  call(f, complex_quotients_workspace_init, (const Z *)x.data(), rows, columns, leading, (const Z *)a.data(),
       (Y *)y.data(), B_leading);
  typedef std::complex<double> C;
  for (uint64_t i = 0; i < y.size(); i++) {
    const uint64_t r = i % B_leading, c = i / B_leading;
    C want = before[i];
    if (r < rows) {
      const C v = x[c * leading + r], under = v * v + 1.0;
      if (under != 0.0) want = (C(a[c]) * v + want) / under;
    }
    agree("real", i, y[i].real(), want.real(), 300);
    agree("imaginary", i, y[i].imag(), want.imag(), 300);
  }
}

static void once(Draw &d) {
  one<float, float, __complex__ float, __complex__ float>(d, complex_quotients_cfloat);
  one<double, double, __complex__ double, __complex__ double>(d, complex_quotients_cdouble);
  one<float, double, __complex__ float, __complex__ double>(d, complex_quotients_cfloat_cdouble);
}
