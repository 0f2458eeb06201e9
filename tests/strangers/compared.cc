#include "compared.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(3000), m = d.bits() % 3 ? n : d.length(3000);
  std::vector<T> x(n), y(m);
  for (uint64_t i = 0; i < n; i++) x[i] = (T)(d.bits() % 256);
  for (uint64_t i = 0; i < m; i++) y[i] = i < n ? x[i] : (T)(d.bits() % 256);
  if (m && d.bits() % 2) y[d.bits() % m] ^= (T)(d.bits() % 256);
  int got = 9;
  call(f, compared_workspace_init, x.data(), n, y.data(), m, &got);
  const bool less = std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
  agree("out", 0, got, x == y ? 0 : less ? -1 : 1);
}

static void once(Draw &d) {
  one<signed char>(d, compared_int8);
  one<unsigned char>(d, compared_uint8);
  one<int>(d, compared_int);
}
