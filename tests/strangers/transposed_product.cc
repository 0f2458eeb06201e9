#include "transposed_product.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.length(300), d.length(300));
  std::vector<T> x = d.some<T>(A.rows), y = d.some<T>(A.columns), before = y;
  call(f, transposed_product_workspace_init, A.at.data(), A.rows, A.columns, A.leading, x.data(), y.data());
  for (uint64_t c = 0; c < A.columns; c++) {
    double sum = before[c], all = 8;
    for (uint64_t r = 0; r < A.rows; r++) {
      sum += (double)A(r, c) * x[r];
      all += fabs((double)A(r, c) * x[r]);
    }
    agree("y", c, y[c], sum, all);
  }
}

static void once(Draw &d) {
  one<float>(d, transposed_product_float);
  one<int>(d, transposed_product_int);
}
