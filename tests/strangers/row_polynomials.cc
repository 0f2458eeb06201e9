#include "row_polynomials.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t rows = d.length(900), columns = d.size(9);
  Matrix<T> C(d, columns, rows); // by columns
  std::vector<T> x(rows), y = d.some<T>(rows);
  for (T &v : x) v = std::is_floating_point_v<T> ? d.one<T>() / 8 : (T)(d.bits() % 7) - 3;
  call(f, row_polynomials_workspace_init, C.at.data(), rows, columns, C.leading, x.data(), y.data());
  for (uint64_t r = 0; r < rows; r++) {
    double v = 0, all = 0;
    for (uint64_t k = columns; k-- > 0;) {
      v = v * x[r] + C(k, r);
      all = all * fabs((double)x[r]) + fabs((double)C(k, r));
    }
    agree("y", r, y[r], v, all);
  }
}

static void once(Draw &d) {
  one<float>(d, row_polynomials_float);
  one<int>(d, row_polynomials_int);
  one<double>(d, row_polynomials_double);
}
