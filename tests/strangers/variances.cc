#include "variances.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.size(300), d.size(300));
  std::vector<T> y = d.some<T>(A.columns);
  call(f, variances_workspace_init, A.at.data(), A.rows, A.columns, A.leading, y.data());
  for (uint64_t c = 0; c < A.columns; c++) {
    double mean = 0, squares = 0, all = 0;
    for (uint64_t r = 0; r < A.rows; r++) mean += A(r, c);
    const double n = A.rows ? (double)A.rows : 1;
    mean /= n;
    if (!std::is_floating_point_v<T>) mean = trunc(mean);
    for (uint64_t r = 0; r < A.rows; r++) {
      squares += (A(r, c) - mean) * (A(r, c) - mean);
      all += (double)A(r, c) * A(r, c);
    }
    squares /= n;
    agree("y", c, y[c], std::is_floating_point_v<T> ? squares : trunc(squares), all / n);
  }
}

static void once(Draw &d) {
  one<float>(d, variances_float);
  one<int>(d, variances_int);
}
