#include "repeated.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(3000), m = d.length(3000);
  std::vector<T> x = d.some<T>(n), w = d.some<T>(m);
  T got = 3;
  double sum = 0;
  call(f, repeated_workspace_init, x.data(), n, w.data(), m, &got);
  for (uint64_t i = 0; i < m && n; i++) sum += (double)x[i % n] * w[i];
  for (uint64_t i = 0; i < n && m; i++) sum -= (double)w[m - 1 - i % m] * x[i];
  agree("out", 0, got, sum + (double)m - (double)n, 64.0 * (n + m));
}

static void once(Draw &d) {
  one<float>(d, repeated_float);
  one<int>(d, repeated_int);
}
