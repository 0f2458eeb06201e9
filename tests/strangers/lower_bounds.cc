#include "lower_bounds.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(3000), m = d.length(9000);
  std::vector<T> sorted = d.some<T>(n), x = d.some<T>(m);
  std::sort(sorted.begin(), sorted.end());
  std::vector<long long> at(m, -3);
  call(f, lower_bounds_workspace_init, sorted.data(), n, x.data(), m, at.data());
  for (uint64_t i = 0; i < m; i++)
    agree("at", i, at[i], (double)(std::lower_bound(sorted.begin(), sorted.end(), x[i]) - sorted.begin()));
}

static void once(Draw &d) {
  one<float>(d, lower_bounds_float);
  one<int>(d, lower_bounds_int);
}
