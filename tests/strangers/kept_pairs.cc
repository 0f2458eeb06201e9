#include "kept_pairs.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(60000);
  const std::vector<T> x = d.some<T>(n), y = d.some<T>(n);
  const T bound = d.one<T>();
  std::vector<T> out(n, (T)77), want(n, (T)77);
  std::vector<int> from(n, -7), places(n, -7);
  long long got = -1, many = 0;
  call(f, kept_pairs_workspace_init, x.data(), n, y.data(), bound, out.data(), from.data(), &got);
  for (uint64_t i = 0; i < n; i++) {
    const T v = x[i] * y[i];
    if (!(v < bound)) continue;
    want[(size_t)many] = v;
    places[(size_t)many++] = (int)i;
  }
  agree("how many", 0, got, (double)many);
  for (uint64_t i = 0; i < n; i++) { /* what lies behind them is as it was */
    agree("out", i, out[i], (double)want[i]);
    agree("from", i, from[i], places[i]);
  }
}

static void once(Draw &d) {
  one<float>(d, kept_pairs_float);
  one<int>(d, kept_pairs_int);
}
