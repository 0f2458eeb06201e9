#include "inset.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.size(90), d.size(90)), k(d, A.rows, A.columns), B(d, A.rows, A.columns), before = B;
  const T step = d.one<T>();
  call(f, inset_workspace_init, A.at.data(), A.rows, A.columns, A.leading, k.at.data(), k.leading, step, B.at.data(),
       B.leading);
  intact("B", B, before);
  for (uint64_t i = 0; i < B.rows; i++)
    for (uint64_t j = 0; j < B.columns; j++) {
      if (i == 0 || j == 0 || i + 1 >= B.rows || j + 1 >= B.columns) {
        agree("B", i * B.columns + j, B(i, j), (double)before(i, j));
        continue;
      }
      double sum = 0, size = fabs((double)A(i, j));
      const double terms[] = {(double)k(i - 1, j) * A(i - 1, j), (double)k(i, j) * A(i, j),
                              (double)k(i + 1, j) * A(i + 1, j), (double)A(i, j - 1), (double)A(i, j + 1),
                              -(double)k(i, j + 1)};
      for (double x : terms) {
        sum += x;
        size += fabs((double)step * x);
      }
      agree("B", i * B.columns + j, B(i, j), A(i, j) + (double)step * sum, size);
    }
}

static void once(Draw &d) {
  one<float>(d, inset_float);
  one<int>(d, inset_int);
}
