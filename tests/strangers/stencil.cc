#include "stencil.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, 2 + d.length(200), 2 + d.length(200)), B(d, A.rows - 2, A.columns - 2), before = B;
  call(f, stencil_workspace_init, A.at.data(), A.rows, A.columns, A.leading, B.at.data(), B.rows, B.columns,
       B.leading);
  for (uint64_t i = 0; i < B.rows; i++)
    for (uint64_t j = 0; j < B.columns; j++)
      agree("B", i * B.columns + j, B(i, j),
            4.0 * A(i + 1, j + 1) - A(i, j + 1) - A(i + 2, j + 1) - A(i + 1, j) - A(i + 1, j + 2), 64);
  intact("between the rows of B", B, before);
}

static void once(Draw &d) {
  one<float>(d, stencil_float);
  one<int>(d, stencil_int);
}
