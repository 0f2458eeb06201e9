#include "weighted_means.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.size(300), d.size(300));
  std::vector<T> w(A.columns), y = d.some<T>(A.rows);
  for (T &x : w) x = (T)(1 + d.bits() % 5);
  call(f, weighted_means_workspace_init, A.at.data(), A.rows, A.columns, A.leading, w.data(), y.data());
  for (uint64_t r = 0; r < A.rows; r++) {
    double over = 0, under = 0, all = 0;
    for (uint64_t c = 0; c < A.columns; c++) {
      over += (double)A(r, c) * w[c];
      all += fabs((double)A(r, c) * w[c]);
      under += w[c];
    }
    const double want = under ? over / under : 0;
    agree("y", r, y[r], std::is_floating_point_v<T> ? want : trunc(want), under ? all / under : 0);
  }
}

static void once(Draw &d) {
  one<float>(d, weighted_means_float);
  one<int>(d, weighted_means_int);
}
