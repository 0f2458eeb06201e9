#include "spreads.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(20000);
  const std::vector<T> x = d.some<T>(n);
  std::vector<T> y(n);
  T out = 0;
  call(f, spreads_workspace_init, x.data(), n, y.data(), &out);
  const T low = n ? *std::min_element(x.begin(), x.end()) : 0, high = n ? *std::max_element(x.begin(), x.end()) : 0;
  agree("out", 0, out, high - low);
  for (uint64_t i = 0; i < n; i++) agree("y", i, y[i], high > low ? (x[i] - low) * 100 / (high - low) : 0);
}

static void once(Draw &d) {
  one<float>(d, spreads_float);
  one<int>(d, spreads_int);
}
