#include "mirrored_rows.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.length(300), d.length(300));
  std::vector<T> w = d.some<T>(A.columns), each = d.some<T>(A.rows), y = d.some<T>(A.rows);
  call(f, mirrored_rows_workspace_init, A.at.data(), A.rows, A.columns, A.leading, w.data(), each.data(), y.data());
  for (uint64_t r = 0; r < A.rows; r++) {
    double sum = 0, all = 0;
    for (uint64_t c = 0; c < A.columns; c++) {
      const double v = (double)A(r, c) * w[A.columns - 1 - c], e = (double)c * each[r];
      sum += v + e;
      all += fabs(v) + fabs(e);
    }
    agree("y", r, y[r], sum, all);
  }
}

static void once(Draw &d) {
  one<float>(d, mirrored_rows_float);
  one<int>(d, mirrored_rows_int);
}
