#include "smooth.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.size(20000);
  std::vector<T> x = d.some<T>(n), y = d.some<T>(n);
  call(f, smooth_workspace_init, x.data(), n, y.data());
  for (uint64_t i = 0; i < n; i++) {
    double sum = 0, all = 0;
    int count = 0;
    for (int64_t k = -1; k <= 1; k++)
      if ((int64_t)i + k >= 0 && i + (uint64_t)k < n) {
        sum += x[i + (uint64_t)k];
        all += fabs((double)x[i + (uint64_t)k]);
        count++;
      }
    agree("y", i, y[i], std::is_floating_point_v<T> ? sum / count : trunc(sum / count), all);
  }
}

static void once(Draw &d) {
  one<float>(d, smooth_float);
  one<int>(d, smooth_int);
}
