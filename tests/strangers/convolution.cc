#include "convolution.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t taps = d.size(30) + 1, n = d.length(9000);
  std::vector<T> x = d.some<T>(n + taps - 1), h = d.some<T>(taps), y = d.some<T>(n);
  call(f, convolution_workspace_init, x.data(), x.size(), h.data(), taps, y.data(), n);
  for (uint64_t i = 0; i < n; i++) {
    double sum = 0;
    for (uint64_t k = 0; k < taps; k++) sum += (double)x[i + k] * h[k];
    agree("y", i, y[i], sum, 64.0 * (double)taps);
  }
}

static void once(Draw &d) {
  one<float>(d, convolution_float);
  one<int>(d, convolution_int);
}
