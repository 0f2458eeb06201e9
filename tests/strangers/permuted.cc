#include "permuted.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.size(20000), more = n + d.size(3000) + 1;
  std::vector<T> x = d.some<T>(n), y = d.some<T>(more);
  std::vector<int> at(more);
  for (uint64_t i = 0; i < more; i++) at[i] = (int)i;
  std::shuffle(at.begin(), at.end(), d.bits);
  std::vector<T> want = y;
  for (uint64_t i = 0; i < n; i++) want[(size_t)at[i]] = x[i];
  call(f, permuted_workspace_init, x.data(), n, at.data(), y.data(), more);
  for (uint64_t i = 0; i < more; i++) agree("y", i, y[i], (double)want[i]);
}

static void once(Draw &d) {
  one<float>(d, permuted_float);
  one<int>(d, permuted_int);
}
