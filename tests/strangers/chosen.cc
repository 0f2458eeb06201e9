#include "chosen.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = 1 + d.length(3000), m = 1 + d.length(3000), k = d.length(9000);
  std::vector<T> x = d.some<T>(n), w = d.some<T>(k);
  const std::vector<int> at = d.places(m, n), which = d.places(k, m);
  T got = 3;
  double sum = 0, all = 0;
  call(f, chosen_workspace_init, x.data(), n, at.data(), m, which.data(), k, w.data(), &got);
  for (uint64_t i = 0; i < k / 2; i++) {
    const double v = x[(size_t)at[(size_t)which[i]]];
    sum += v * v + 2.0 * w[i];
    all += v * v + 2 * fabs((double)w[i]);
  }
  agree("out", 0, got, sum, all);
}

static void once(Draw &d) {
  one<float>(d, chosen_float);
  one<int>(d, chosen_int);
}
