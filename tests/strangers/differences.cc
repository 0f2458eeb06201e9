#include "differences.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = 1 + d.size(20000);
  std::vector<T> x = d.some<T>(n), y = d.some<T>(n - 1);
  call(f, differences_workspace_init, x.data(), n, y.data(), n - 1);
  for (uint64_t i = 0; i + 1 < n; i++) agree("y", i, y[i], (double)(T)(x[i + 1] - x[i]));
}

static void once(Draw &d) {
  one<float>(d, differences_float);
  one<int>(d, differences_int);
}
