#include "filtered.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(3000);
  const std::vector<T> x = d.some<T>(n);
  std::vector<T> y(n);
  const double a = std::is_floating_point_v<T> ? -0.75 : (double)(d.bits() % 3) - 1;
  call(f, filtered_workspace_init, x.data(), n, (T)a, y.data());
  double run = 0, all = 0;
  for (uint64_t i = 0; i < n; i++) {
    run = (double)x[i] - a * run;
    all = fabs((double)x[i]) + fabs(a) * all;
    agree("y", i, y[i], run, all);
  }
}

static void once(Draw &d) {
  one<float>(d, filtered_float);
  one<int>(d, filtered_int);
}
