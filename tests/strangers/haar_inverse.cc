#include "haar_inverse.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(5000);
  const std::vector<T> low = d.some<T>(n), high = d.some<T>(n);
  std::vector<T> x(2 * n);
  call(f, haar_inverse_workspace_init, low.data(), n, high.data(), x.data(), 2 * n);
  for (uint64_t i = 0; i < n; i++) {
    agree("even", i, x[2 * i], (double)(T)(low[i] + high[i]));
    agree("odd", i, x[2 * i + 1], (double)(T)(low[i] - high[i]));
  }
}

static void once(Draw &d) {
  one<float>(d, haar_inverse_float);
  one<int>(d, haar_inverse_int);
}
