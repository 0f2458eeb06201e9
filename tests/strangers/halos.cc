#include "halos.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(9000);
  std::vector<T> y = d.some<T>(n), x = d.some<T>(n + 2), w = d.some<T>(n + 1), z = d.some<T>(2 * n + 1);
  const T a = d.one<T>();
  call(f, halos_workspace_init, y.data(), n, x.data(), n + 2, w.data(), n + 1, a, z.data(), 2 * n + 1);
  for (uint64_t i = 0; i < n; i++) {
    agree("z", 2 * i, z[2 * i], x[i] + (double)x[i + 1] * a + x[i + 2], 80);
    agree("z", 2 * i + 1, z[2 * i + 1], y[i] * ((double)w[i + 1] - w[i]), 200);
  }
  agree("z", 2 * n, z[2 * n], (double)w[0] + w[n], 16);
}

static void once(Draw &d) {
  one<float>(d, halos_float);
  one<int>(d, halos_int);
}
