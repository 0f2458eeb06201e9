#include "interleaved.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(9000);
  std::vector<T> x = d.some<T>(n), y = d.some<T>(n), z = d.some<T>(2 * n), want;
  const int back = (int)d.size(3);
  call(f, interleaved_workspace_init, x.data(), n, y.data(), back, z.data(), 2 * n);
  for (uint64_t i = 0; i < n; i++) want.push_back(x[i]), want.push_back(y[i]);
  if (back) std::reverse(want.begin(), want.end());
  for (uint64_t i = 0; i < 2 * n; i++) agree("z", i, z[i], want[i]);
}

static void once(Draw &d) {
  one<float>(d, interleaved_float);
  one<int>(d, interleaved_int);
}
