#include "round_rows.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.length(130), d.length(600)), B(d, A.rows, A.columns), before = B;
  const T limit = d.one<T>();
  call(f, round_rows_workspace_init, A.at.data(), A.rows, A.columns, A.leading, limit, B.at.data(), B.leading);
  intact("between the rows of B", B, before);
  for (uint64_t i = 0; i < B.rows; i++)
    for (uint64_t j = 0; j < B.columns; j++) {
      const T sum = A(i, j) + A(i, (j + 1) % A.columns);
      agree("B", i * B.columns + j, B(i, j), sum >= limit ? sum : before(i, j));
    }
}

static void once(Draw &d) {
  one<float>(d, round_rows_float);
  one<int>(d, round_rows_int);
}
