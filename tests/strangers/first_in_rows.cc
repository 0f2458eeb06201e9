#include "first_in_rows.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.length(300), d.length(200));
  std::vector<T> limits = d.some<T>(A.rows), y = d.some<T>(A.rows);
  call(f, first_in_rows_workspace_init, A.at.data(), A.rows, A.columns, A.leading, limits.data(), y.data());
  for (uint64_t r = 0; r < A.rows; r++) {
    double sum = 0, all = 0;
    uint64_t c = 0;
    for (; c < A.columns && !(A(r, c) > limits[r]); c++) {
      sum += A(r, c);
      all += 8;
    }
    if (c < A.columns) sum += 100.0 * (double)c;
    agree("y", r, y[r], sum, all);
  }
}

static void once(Draw &d) {
  one<float>(d, first_in_rows_float);
  one<int>(d, first_in_rows_int);
}
