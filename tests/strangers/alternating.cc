#include "alternating.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.size(20000);
  std::vector<T> x = d.some<T>(n);
  T got = 5;
  double sum = 0, all = 0;
  call(f, alternating_workspace_init, x.data(), n, &got);
  for (uint64_t i = 0; i < n; i++) {
    sum += i % 2 ? -(double)x[i] : (double)x[i];
    all += fabs((double)x[i]);
  }
  agree("out", 0, got, sum, all);
}

static void once(Draw &d) {
  one<float>(d, alternating_float);
  one<int>(d, alternating_int);
}
