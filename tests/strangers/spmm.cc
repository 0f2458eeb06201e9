#include "spmm.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.size(3000), rows = d.size(200);
  Matrix<T> B(d, 1 + d.size(40), d.size(40)), C(d, rows, B.columns), before = C;
  const std::vector<T> value = d.some<T>(n);
  const std::vector<int> column = d.places(n, B.rows), offsets = d.offsets(rows, n);
  call(f, spmm_workspace_init, value.data(), n, column.data(), offsets.data(), rows + 1, B.at.data(), B.rows,
       B.columns, B.leading, C.at.data(), rows, C.leading);
  for (uint64_t i = 0; i < rows; i++)
    for (uint64_t j = 0; j < B.columns; j++) {
      double want = 0, all = 0;
      for (int e = offsets[i]; e < offsets[i + 1]; e++) {
        const double x = (double)value[(uint64_t)e] * (double)B((uint64_t)column[(uint64_t)e], j);
        want += x;
        all += fabs(x);
      }
      agree("C", i * B.columns + j, C(i, j), want, all);
    }
  intact("C", C, before);
}

static void once(Draw &d) {
  one<float>(d, spmm_float);
  one<double>(d, spmm_double);
}
