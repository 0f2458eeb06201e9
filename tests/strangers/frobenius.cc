#include "frobenius.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.length(300), d.length(300));
  T got = -1;
  double sum = 0;
  for (uint64_t i = 0; i < A.rows; i++)
    for (uint64_t j = 0; j < A.columns; j++) sum += (double)A(i, j) * (double)A(i, j);
  call(f, frobenius_workspace_init, A.at.data(), A.rows, A.columns, A.leading, &got);
  agree("norm", 0, got, sqrt(sum));
}

static void once(Draw &d) {
  one<float>(d, frobenius_float);
  one<double>(d, frobenius_double);
}
