#include "norm_after.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(20000);
  std::vector<T> x = d.some<T>(n), y = d.some<T>(n), before = y;
  const T a = d.one<T>();
  T got = -1;
  call(f, norm_after_workspace_init, x.data(), n, a, y.data(), &got);
  double sum = 0;
  for (uint64_t i = 0; i < n; i++) {
    const double v = (double)before[i] + (double)a * x[i];
    agree("y", i, y[i], v, fabs((double)before[i]) + fabs((double)a * x[i]));
    sum += v * v;
  }
  agree("norm", 0, got, sum, sum);
}

static void once(Draw &d) {
  one<float>(d, norm_after_float);
  one<int>(d, norm_after_int);
}
