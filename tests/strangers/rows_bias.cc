#include "rows_bias.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.length(300), d.length(300));
  std::vector<T> x = d.some<T>(A.columns), bias = d.some<T>(A.rows), y = d.some<T>(A.rows);
  call(f, rows_bias_workspace_init, A.at.data(), A.rows, A.columns, A.leading, x.data(), bias.data(), y.data());
  for (uint64_t r = 0; r < A.rows; r++) {
    double sum = bias[r], all = fabs(sum);
    for (uint64_t c = 0; c < A.columns; c++) {
      sum += (double)A(r, c) * x[c];
      all += fabs((double)A(r, c) * x[c]);
    }
    agree("y", r, y[r], std::max(sum, 0.0), all);
  }
}

static void once(Draw &d) {
  one<float>(d, rows_bias_float);
  one<int>(d, rows_bias_int);
}
