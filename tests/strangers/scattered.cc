#include "scattered.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = 1 + d.size(3000), many = d.size(20000);
  std::vector<T> weights = d.some<T>(many), out = d.some<T>(n);
  const std::vector<int> at = d.places(many, n);
  std::vector<double> want(out.begin(), out.end()), all(n, 0);
  call(f, scattered_workspace_init, at.data(), many, weights.data(), out.data(), n);
  for (uint64_t i = 0; i < many; i++) {
    want[(size_t)at[i]] += weights[i];
    all[(size_t)at[i]] += 8;
  }
  for (uint64_t i = 0; i < n; i++) agree("out", i, out[i], want[i], 8 + all[i]);
}

static void once(Draw &d) {
  one<float>(d, scattered_float);
  one<int>(d, scattered_int);
}
