#include "sddmm.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(3000), inner = d.size(40);
  Matrix<T> A(d, 1 + d.size(30), inner), B(d, 1 + d.size(30), inner);
  const std::vector<int> row = d.places(n, A.rows), column = d.places(n, B.rows);
  std::vector<T> out(n, 77);
  call(f, sddmm_workspace_init, row.data(), n, column.data(), A.at.data(), A.rows, inner, A.leading, B.at.data(),
       B.rows, B.leading, out.data());
  for (uint64_t e = 0; e < n; e++) {
    double want = 0, all = 0;
    for (uint64_t k = 0; k < inner; k++) {
      const double x = (double)A((uint64_t)row[e], k) * (double)B((uint64_t)column[e], k);
      want += x;
      all += fabs(x);
    }
    agree("out", e, out[e], want, all);
  }
}

static void once(Draw &d) {
  one<float>(d, sddmm_float);
  one<double>(d, sddmm_double);
}
