#include "normalised.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.size(300), d.size(300)), B(d, A.rows, A.columns);
  if (A.rows && d.bits() % 2)
    for (uint64_t c = 0; c < A.columns; c++) A(0, c) = 0;
  const Matrix<T> before = B;
  call(f, normalised_workspace_init, A.at.data(), A.rows, A.columns, A.leading, B.at.data(), B.leading);
  for (uint64_t r = 0; r < A.rows; r++) {
    double sum = 0;
    for (uint64_t c = 0; c < A.columns; c++) sum += fabs((double)A(r, c));
    for (uint64_t c = 0; c < A.columns; c++) {
      const double want = sum > 0 ? A(r, c) / sum : 0;
      agree("B", r * B.leading + c, B(r, c), std::is_floating_point_v<T> ? want : trunc(want));
    }
  }
  intact("between the rows of B", B, before);
}

static void once(Draw &d) {
  one<float>(d, normalised_float);
  one<int>(d, normalised_int);
}
