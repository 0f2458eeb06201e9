#include "interpolated.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t entries = 2 + d.size(300), n = d.size(4000);
  std::vector<T> table = d.some<T>(entries), w = d.some<T>(n), y = d.some<T>(n);
  const std::vector<int> at = d.places(n, entries - 1);
  call(f, interpolated_workspace_init, table.data(), entries, at.data(), n, w.data(), y.data());
  for (uint64_t i = 0; i < n; i++) {
    const double left = (double)table[(size_t)at[i]], right = (double)table[(size_t)at[i] + 1], by = (double)w[i];
    agree("y", i, y[i], left * (1 - by) + right * by, fabs(left * (1 - by)) + fabs(right * by));
  }
}

static void once(Draw &d) {
  one<float>(d, interpolated_float);
  one<double>(d, interpolated_double);
}
