#include "collatz.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(3000);
  std::vector<T> x(n);
  for (T &v : x) v = (T)(d.bits() % 1000) - 3;
  std::vector<int> steps(n, 7);
  T got = 3, most = 0;
  call(f, collatz_workspace_init, x.data(), n, steps.data(), &got);
  for (uint64_t i = 0; i < n; i++) {
    T many = 0;
    for (T v = x[i]; v > 1; v = v % 2 ? 3 * v + 1 : v / 2) many++;
    agree("steps", i, steps[i], (double)many);
    most = std::max(most, many);
  }
  agree("the most", 0, got, (double)most);
}

static void once(Draw &d) {
  one<int>(d, collatz_int);
  one<long long>(d, collatz_int64);
}
