#include "remainders.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(20000);
  std::vector<T> x(n), m(n), y(n, 3);
  for (T &v : x) v = (T)(d.bits() % 1000);
  for (T &v : m) v = (T)(d.bits() % 7);
  call(f, remainders_workspace_init, x.data(), n, m.data(), y.data());
  for (uint64_t i = 0; i < n; i++) {
    const T v = (T)((m[i] ? x[i] % m[i] : x[i]) * 2);
    agree("y", i, y[i], (double)(m[i] && v / m[i] == 0 ? v : v | 1));
  }
}

static void once(Draw &d) {
  one<int>(d, remainders_int);
  one<unsigned>(d, remainders_uint);
  one<long long>(d, remainders_int64);
}
