#include "dots_of_rows.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.length(300), d.length(300)), B(d, A.columns, A.rows);
  const uint64_t k = d.size(400);
  std::vector<T> y = d.some<T>(A.rows);
  call(f, dots_of_rows_workspace_init, A.at.data(), A.rows, A.columns, A.leading, B.at.data(), B.leading, k,
       y.data());
  for (uint64_t r = 0; r < A.rows; r++) {
    double sum = 0, all = 0;
    for (uint64_t c = 0; c < std::min(k, A.columns); c++) {
      sum += (double)A(r, c) * B(c, r);
      all += fabs((double)A(r, c) * B(c, r));
    }
    agree("y", r, y[r], sum, all);
  }
}

static void once(Draw &d) {
  one<float>(d, dots_of_rows_float);
  one<int>(d, dots_of_rows_int);
}
