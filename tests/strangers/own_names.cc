#include "own_names.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const std::vector<T> x = d.some<T>(d.length(3000)), p = d.some<T>(6);
  std::vector<T> y(x.size());
  call(f, own_names_workspace_init, x.data(), x.size(), p[0], p[1], p[2], p[3], p[4], p[5], y.data());
  for (uint64_t i = 0; i < x.size(); i++)
    agree("y", i, y[i], (double)x[i] * p[0] + (double)p[1] * p[2] - p[3] + (double)p[4] * p[5], 256);
}

static void once(Draw &d) {
  one<float>(d, own_names_float);
  one<double>(d, own_names_double);
}
