#include "every_other.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.length(300), d.length(300)), B(d, A.rows, A.columns), before = B;
  const T w = d.one<T>();
  call(f, every_other_workspace_init, A.at.data(), A.rows, A.columns, A.leading, w, B.at.data(), B.leading);
  intact("between the rows of B", B, before);
  for (uint64_t i = 0; i < B.rows; i++)
    for (uint64_t j = 0; j < B.columns; j++) {
      double want = before(i, j), all = 0;
      if ((B.rows - 1 - i) % 2 == 0 && j > 0 && j + 1 < B.columns) {
        want = A(i, j - 1) + (double)w * A(i, j + 1);
        all = fabs((double)A(i, j - 1)) + fabs((double)w * A(i, j + 1));
      }
      agree("B", i * B.columns + j, B(i, j), want, all);
    }
}

static void once(Draw &d) {
  one<float>(d, every_other_float);
  one<int>(d, every_other_int);
}
