#include "lower.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.size(300), d.size(300));
  std::vector<T> y = d.some<T>(A.rows);
  call(f, lower_workspace_init, A.at.data(), A.rows, A.columns, A.leading, y.data());
  for (uint64_t r = 0; r < A.rows; r++) {
    double sum = 0, all = 0;
    for (uint64_t c = 0; c < A.columns && c <= r; c++) {
      sum += A(r, c);
      all += fabs((double)A(r, c));
    }
    agree("y", r, y[r], sum, all);
  }
}

static void once(Draw &d) {
  one<float>(d, lower_float);
  one<int>(d, lower_int);
}
