#include "gathered.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = 1 + d.size(3000), many = d.size(20000);
  std::vector<T> x = d.some<T>(n), y = d.some<T>(many), before = y;
  const std::vector<int> at = d.places(many, n);
  call(f, gathered_workspace_init, x.data(), n, at.data(), many, y.data());
  for (uint64_t i = 0; i < many; i++) agree("y", i, y[i], (double)(T)(before[i] + x[(size_t)at[i]]));
}

static void once(Draw &d) {
  one<float>(d, gathered_float);
  one<int>(d, gathered_int);
}
