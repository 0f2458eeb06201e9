#include "mttkrp.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.size(20), m = d.size(20), l = d.size(20), most = d.size(20);
  std::vector<T> X = d.some<T>(n * m * l);
  Matrix<T> B(d, m, most), C(d, l, most), M(d, n, most), before = M;
  call(f, mttkrp_workspace_init, X.data(), n, m, l, m * l, l, B.at.data(), most, B.leading, C.at.data(), C.leading,
       M.at.data(), M.leading);
  intact("M", M, before);
  for (uint64_t i = 0; i < n; i++)
    for (uint64_t r = 0; r < most; r++) {
      double sum = before(i, r), all = 8;
      for (uint64_t j = 0; j < m; j++)
        for (uint64_t k = 0; k < l; k++) {
          const double v = (double)X[(i * m + j) * l + k] * B(j, r) * C(k, r);
          sum += v;
          all += fabs(v);
        }
      agree("M", i * most + r, M(i, r), sum, all);
    }
}

static void once(Draw &d) {
  one<float>(d, mttkrp_float);
  one<int>(d, mttkrp_int);
}
