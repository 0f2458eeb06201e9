#include "neighbour_products.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(20000);
  std::vector<T> x = d.some<T>(n);
  T got = 3;
  double sum = 0, all = 0;
  call(f, neighbour_products_workspace_init, x.data(), n, &got);
  for (uint64_t i = 0; i + 1 < n; i++) {
    sum += (double)x[i] * x[i + 1];
    all += fabs((double)x[i] * x[i + 1]);
  }
  agree("out", 0, got, sum, all);
}

static void once(Draw &d) {
  one<float>(d, neighbour_products_float);
  one<int>(d, neighbour_products_int);
}
