#include "stranger.h"
#include "wrapped.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.size(90), d.size(90)), B(d, A.rows, A.columns), before = B;
  const T w = d.one<T>();
  call(f, wrapped_workspace_init, A.at.data(), A.rows, A.columns, A.leading, w, B.at.data(),
       B.leading);
  intact("B", B, before);
  for (uint64_t i = 0; i < B.rows; i++)
    for (uint64_t j = 0; j < B.columns; j++) {
      double sum = 0, size = fabs((double)A(i, j));
      for (uint64_t k = 0; k < 4; k++) {
        const uint64_t row = i + A.rows + (k == 0) - (k == 1), column = j + A.columns + (k == 2) - (k == 3);
        const double x = A(row % A.rows, column % A.columns);
        sum += x;
        size += fabs((double)w * x);
      }
      agree("B", i * B.columns + j, B(i, j), A(i, j) + (double)w * sum, size);
    }
}

static void once(Draw &d) {
  one<float>(d, wrapped_float);
  one<int>(d, wrapped_int);
}
