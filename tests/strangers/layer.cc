#include "layer.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t m = d.length(90), n = d.length(90), k = d.length(200);
  Matrix<T> X(d, m, k), W(d, n, k), Y(d, m, n), before = Y;
  std::vector<T> bias = d.some<T>(n);
  call(f, layer_workspace_init, X.at.data(), m, k, X.leading, W.at.data(), n, W.leading, bias.data(), Y.at.data(),
       Y.leading);
  for (uint64_t i = 0; i < m; i++)
    for (uint64_t j = 0; j < n; j++) {
      double sum = bias[j], all = fabs(sum);
      for (uint64_t l = 0; l < k; l++) sum += (double)X(i, l) * W(j, l), all += fabs((double)X(i, l) * W(j, l));
      agree("Y", i * Y.leading + j, Y(i, j), std::max(sum, 0.0), all);
    }
  intact("between the rows of Y", Y, before);
}

static void once(Draw &d) {
  one<float>(d, layer_float);
  one<int>(d, layer_int);
}
