#include "shifted.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const std::vector<T> x = d.some<T>(d.length(3000));
  const long long by = d.one<int>();
  const uint64_t from = d.size(x.size());
  std::vector<T> y(x.size(), 77);
  call(f, shifted_workspace_init, x.data(), x.size(), by, from, y.data());
  for (uint64_t i = 0; i < x.size(); i++)
    agree("y", i, y[i], i < from ? (double)x[i] : (double)(x[i] + std::abs(by) + 2 * by));
}

static void once(Draw &d) {
  one<int>(d, shifted_int);
  one<long long>(d, shifted_int64);
}
