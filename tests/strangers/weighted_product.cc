#include "weighted_product.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.size(90), d.length(200)), B(d, A.columns, d.size(90)), C(d, A.rows, B.columns), before = C;
  std::vector<T> w = d.some<T>(A.columns);
  call(f, weighted_product_workspace_init, A.at.data(), A.rows, A.columns, A.leading, w.data(), B.at.data(), B.columns,
       B.leading, C.at.data(), C.leading);
  for (uint64_t i = 0; i < C.rows; i++)
    for (uint64_t j = 0; j < C.columns; j++) {
      double sum = 0, all = 0;
      for (uint64_t k = 0; k < A.columns; k++) {
        const double one = (double)w[k] * A(i, k) * B(k, j);
        sum += one;
        all += fabs(one);
      }
      agree("C", i * C.leading + j, C(i, j), sum, all);
    }
  intact("between the rows of C", C, before);
}

static void once(Draw &d) {
  one<float>(d, weighted_product_float);
  one<int>(d, weighted_product_int);
}
