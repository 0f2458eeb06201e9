#include "row_shares.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.length(200), d.length(500)), B(d, A.rows, A.columns), before = B;
  const T bound = d.one<T>();
  call(f, row_shares_workspace_init, A.at.data(), A.rows, A.columns, A.leading, bound, B.at.data(), B.leading);
  for (uint64_t i = 0; i < A.rows; i++) {
    double sum = 0, all = 0;
    for (uint64_t j = 0; j < A.columns; j++) {
      agree("B", i * A.columns + j, B(i, j), sum, all);
      if (A(i, j) > bound) sum += (double)A(i, j), all += fabs((double)A(i, j));
    }
  }
  intact("between the rows of B", B, before);
}

static void once(Draw &d) {
  one<int>(d, row_shares_int);
  one<double>(d, row_shares_double);
}
