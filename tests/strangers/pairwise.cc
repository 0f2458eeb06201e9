#include "pairwise.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t m = d.length(90), n = d.length(90), k = d.length(300);
  Matrix<T> X(d, m, k), Y(d, k, n), D(d, m, n), before = D; // Y by columns
  call(f, pairwise_workspace_init, X.at.data(), m, k, X.leading, Y.at.data(), n, Y.leading, D.at.data(), D.leading);
  for (uint64_t i = 0; i < m; i++)
    for (uint64_t j = 0; j < n; j++) {
      double sum = 0;
      for (uint64_t l = 0; l < k; l++) sum += ((double)X(i, l) - Y(l, j)) * ((double)X(i, l) - Y(l, j));
      agree("D", i * D.leading + j, D(i, j), sum);
    }
  intact("between the rows of D", D, before);
}

static void once(Draw &d) {
  one<float>(d, pairwise_float);
  one<int>(d, pairwise_int);
}
