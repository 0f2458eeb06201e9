#include "gram.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.size(90), d.size(70)), C(d, A.columns, A.columns), before = C;
  call(f, gram_workspace_init, A.at.data(), A.rows, A.columns, A.leading, C.at.data(), C.leading);
  for (uint64_t i = 0; i < C.rows; i++)
    for (uint64_t j = 0; j < C.columns; j++) {
      double sum = 0, all = 0;
      for (uint64_t k = 0; k < A.rows; k++) {
        sum += (double)A(k, i) * A(k, j);
        all += fabs((double)A(k, i) * A(k, j));
      }
      agree("C", i * C.columns + j, C(i, j), sum, all);
    }
  intact("between the rows of C", C, before);
}

static void once(Draw &d) {
  one<float>(d, gram_float);
  one<int>(d, gram_int);
}
