#include "picked_rows.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t rows = 1 + d.size(40), columns = d.length(70), n = d.size(60), width = 1 + d.size(20);
  Matrix<T> A(d, rows, columns), W(d, 1, width), y(d, n, columns), before = y;
  const std::vector<int> at = d.places(n, rows), to = d.places(n, width);
  call(f, picked_rows_workspace_init, A.at.data(), rows, columns, A.leading, at.data(), n, W.at.data(), (uint64_t)1,
       width, W.leading, to.data(), y.at.data(), y.leading);
  for (uint64_t i = 0; i < n; i++)
    for (uint64_t j = 0; j < columns; j++)
      agree("y", i * y.leading + j, y(i, j), (double)A((uint64_t)at[i], j) + (double)W(0, (uint64_t)to[i]));
  intact("between the rows of y", y, before);
}

static void once(Draw &d) {
  one<float>(d, picked_rows_float);
  one<int>(d, picked_rows_int);
}
