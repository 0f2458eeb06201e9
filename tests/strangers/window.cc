#include "window.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = 3 + d.size(20000);
  std::vector<T> x = d.some<T>(n), y = d.some<T>(n - 3);
  call(f, window_workspace_init, x.data(), n, y.data(), n - 3);
  for (uint64_t i = 0; i + 3 < n; i++)
    agree("y", i, y[i], (double)x[i] + x[i + 1] + x[i + 2] + x[i + 3], 32);
}

static void once(Draw &d) {
  one<float>(d, window_float);
  one<int>(d, window_int);
}
