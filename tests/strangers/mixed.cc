#include "mixed.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(9000), m = 1 + d.size(5);
  std::vector<int> codes(n);
  for (int &c : codes) c = (int)d.bits() >> d.bits() % 31;
  std::vector<T> x = d.some<T>(n);
  std::vector<double> values = d.some<double>(m);
  const unsigned shift = (unsigned)d.bits();
  const T big = d.one<T>();
  const double by = d.one<double>();
  double got = 3, sum = by, all = 8;
  call(f, mixed_workspace_init, codes.data(), n, x.data(), values.data(), m, shift, big, by, &got);
  for (uint64_t i = 0; i < n; i++) {
    const unsigned u = (unsigned)codes[i] >> (shift % 32);
    const int low = (int)(u % 1000) - 500;
    sum += (double)(x[i] * big) * low + values[m - 1] * (codes[i] < 0 ? 0.5 : 2);
    all += fabs((double)(x[i] * big) * low) + 16;
  }
  agree("out", 0, got, sum, all * 1e-2);
}

static void once(Draw &d) {
  one<float>(d, mixed_float);
  one<double>(d, mixed_double);
}
