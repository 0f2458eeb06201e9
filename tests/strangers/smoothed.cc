#include "smoothed.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(3000);
  const std::vector<T> x = d.some<T>(n);
  std::vector<T> y(n);
  const bool whole = !std::is_floating_point_v<T>;
  const double a = whole ? (double)(d.bits() % 3) - 1 : 0.5 + 0.4 * (double)(d.bits() % 2), b = whole ? 3 : 0.25;
  T last;
  call(f, smoothed_workspace_init, x.data(), n, (T)a, (T)b, y.data(), &last);
  double run = 1, all = 1;
  for (uint64_t i = 0; i < n; i++) {
    run = (double)(T)a * run + b * x[i];
    all = fabs((double)(T)a) * all + fabs(b * x[i]);
    agree("y", i, y[i], run, all);
  }
  agree("the result", 0, last, 2 * run, all);
}

static void once(Draw &d) {
  one<float>(d, smoothed_float);
  one<int>(d, smoothed_int);
}
