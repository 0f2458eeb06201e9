#include "transposed.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.size(300), d.size(300)), B(d, A.columns, A.rows);
  const Matrix<T> before = B;
  call(f, transposed_workspace_init, A.at.data(), A.rows, A.columns, A.leading, B.at.data(), B.leading);
  for (uint64_t r = 0; r < A.rows; r++)
    for (uint64_t c = 0; c < A.columns; c++)
      if (B(c, r) != A(r, c)) fail("B", c * B.leading + r, (double)B(c, r), (double)A(r, c));
  intact("between the rows of B", B, before);
}

static void once(Draw &d) {
  one<float>(d, transposed_float);
  one<int>(d, transposed_int);
}
