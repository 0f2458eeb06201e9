#include "batched_gemv.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t many = d.size(20), rows = d.size(40), columns = d.size(70), gap = d.size(5);
  Matrix<T> x(d, many, columns), y(d, many, rows), before = y;
  const uint64_t leading = columns + d.size(3), apart = rows * leading + gap;
  std::vector<T> A = d.some<T>(many * apart);
  call(f, batched_gemv_workspace_init, A.data(), many, rows, columns, apart, leading, x.at.data(), x.leading,
       y.at.data(), y.leading);
  intact("y", y, before);
  for (uint64_t b = 0; b < many; b++)
    for (uint64_t i = 0; i < rows; i++) {
      double sum = 0, size = 0;
      for (uint64_t k = 0; k < columns; k++) {
        const double v = (double)A[b * apart + i * leading + k] * (double)x(b, k);
        sum += v, size += fabs(v);
      }
      agree("y", b * rows + i, y(b, i), sum, size);
    }
}

static void once(Draw &d) {
  one<float>(d, batched_gemv_float);
  one<int>(d, batched_gemv_int);
}
