#include "scaled_product.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const T alpha = (T)((int)d.size(6) - 3), beta = (T)((int)d.size(6) - 3);
  Matrix<T> A(d, d.size(90), d.size(200)), B(d, A.columns, d.size(90)), C(d, A.rows, B.columns), before = C;
  call(f, scaled_product_workspace_init, alpha, A.at.data(), A.rows, A.columns, A.leading, B.at.data(), B.columns,
       B.leading, beta, C.at.data(), C.leading);
  for (uint64_t i = 0; i < C.rows; i++)
    for (uint64_t j = 0; j < C.columns; j++) {
      double sum = 0, all = 0;
      for (uint64_t k = 0; k < A.columns; k++) sum += (double)A(i, k) * B(k, j), all += fabs((double)A(i, k) * B(k, j));
      agree("C", i * C.leading + j, C(i, j), alpha * sum + beta * before(i, j), fabs(alpha) * all + 20);
    }
  intact("between the rows of C", C, before);
}

static void once(Draw &d) {
  one<float>(d, scaled_product_float);
  one<int>(d, scaled_product_int);
}
