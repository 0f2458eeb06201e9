#include "products.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(20000);
  std::vector<T> x = d.some<T>(n), y = d.some<T>(n);
  T got = 3;
  double sum = 0, all = 0;
  call(f, products_workspace_init, x.data(), n, y.data(), &got);
  for (uint64_t i = 0; i < n; i++) {
    sum += (double)x[i] * y[i] - y[i];
    all += fabs((double)x[i] * y[i]) + fabs((double)y[i]);
  }
  agree("out", 0, got, sum, all);
}

static void once(Draw &d) {
  one<float>(d, products_float);
  one<int>(d, products_int);
}
