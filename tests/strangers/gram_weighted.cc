#include "gram_weighted.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.size(60), d.size(60)), G(d, A.columns, A.columns), before = G;
  std::vector<T> w = d.some<T>(A.rows);
  call(f, gram_weighted_workspace_init, A.at.data(), A.rows, A.columns, A.leading, w.data(), G.at.data(), G.leading);
  intact("G", G, before);
  for (uint64_t i = 0; i < A.columns; i++)
    for (uint64_t j = 0; j < A.columns; j++) {
      double sum = before(i, j), all = 8;
      for (uint64_t k = 0; k < A.rows; k++) {
        const double v = (double)w[k] * A(k, i) * A(k, j);
        sum += v;
        all += fabs(v);
      }
      agree("G", i * A.columns + j, G(i, j), sum, all);
    }
}

static void once(Draw &d) {
  one<float>(d, gram_weighted_float);
  one<int>(d, gram_weighted_int);
}
