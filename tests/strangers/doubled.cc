#include "doubled.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.size(20000);
  std::vector<T> x = d.some<T>(n), y = d.some<T>(2 * n);
  call(f, doubled_workspace_init, x.data(), n, y.data(), 2 * n);
  for (uint64_t i = 0; i < n; i++)
    for (uint64_t k = 2 * i; k < 2 * i + 2; k++)
      if (y[k] != x[i]) fail("y", k, (double)y[k], (double)x[i]);
}

static void once(Draw &d) {
  one<float>(d, doubled_float);
  one<int>(d, doubled_int);
}
