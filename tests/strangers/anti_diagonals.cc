#include "anti_diagonals.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(150);
  std::vector<T> x = d.some<T>(n * n), each = d.some<T>(n);
  const T more = d.one<T>();
  T got = 3;
  double sum = 0, all = 0;
  call(f, anti_diagonals_workspace_init, each.data(), n, x.data(), n * n, more, &got);
  for (uint64_t i = 0; i < n; i++) {
    const double v = (double)x[i * n + n - 1 - i] * each[i];
    sum += v + more;
    all += fabs(v) + fabs((double)more);
  }
  agree("out", 0, got, sum, all);
}

static void once(Draw &d) {
  one<float>(d, anti_diagonals_float);
  one<int>(d, anti_diagonals_int);
}
