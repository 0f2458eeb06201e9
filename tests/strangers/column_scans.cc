#include "column_scans.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.length(300), d.length(300)), B(d, A.rows, A.columns), before = B;
  std::vector<T> begin = d.some<T>(A.columns);
  call(f, column_scans_workspace_init, A.at.data(), A.rows, A.columns, A.leading, begin.data(), B.at.data(),
       B.leading);
  for (uint64_t c = 0; c < A.columns; c++) {
    double sum = begin[c], all = fabs(sum);
    for (uint64_t r = 0; r < A.rows; r++) {
      sum += A(r, c);
      all += fabs((double)A(r, c));
      agree("B", r * A.columns + c, B(r, c), sum, all);
    }
  }
  intact("between the rows of B", B, before);
}

static void once(Draw &d) {
  one<float>(d, column_scans_float);
  one<int>(d, column_scans_int);
  one<double>(d, column_scans_double);
}
