#include "inner_residual.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> x(d, d.length(200), d.length(200)), y(d, x.rows, x.columns), before = y;
  T got = -1, want = 0;
  call(f, inner_residual_workspace_init, x.at.data(), x.rows, x.columns, x.leading, y.at.data(), y.leading, &got);
  for (uint64_t i = 0; i < x.rows; i++)
    for (uint64_t j = 0; j < x.columns; j++) {
      const bool inside = i > 0 && j > 0 && i + 1 < x.rows && j + 1 < x.columns;
      const T v = inside ? (x(i - 1, j) + x(i + 1, j) + x(i, j - 1) + x(i, j + 1)) / 4 : before(i, j);
      if (inside) want = std::max(want, std::max((T)(v - x(i, j)), (T)(x(i, j) - v)));
      agree("y", i * x.columns + j, y(i, j), v, 8);
    }
  agree("most", 0, got, want, 8);
  intact("y", y, before);
}

static void once(Draw &d) {
  one<float>(d, inner_residual_float);
  one<int>(d, inner_residual_int);
}
