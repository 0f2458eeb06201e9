#include "fir_bank.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t taps = 1 + d.size(20), n = d.length(200);
  Matrix<T> x(d, d.size(9), n + taps - 1), w(d, d.size(33), taps);
  std::vector<T> y = d.some<T>(x.rows * w.rows * n);
  call(f, fir_bank_workspace_init, x.at.data(), x.rows, x.columns, x.leading, w.at.data(), w.rows, taps, w.leading,
       y.data(), n, w.rows * n, n);
  for (uint64_t c = 0; c < x.rows; c++)
    for (uint64_t k = 0; k < w.rows; k++)
      for (uint64_t t = 0; t < n; t++) {
        double sum = 0, size = 0;
        for (uint64_t i = 0; i < taps; i++) sum += (double)x(c, t + i) * w(k, i), size += fabs((double)x(c, t + i) * w(k, i));
        const uint64_t at = (c * w.rows + k) * n + t;
        agree("y", at, y[at], sum, size);
      }
}

static void once(Draw &d) {
  one<float>(d, fir_bank_float);
  one<double>(d, fir_bank_double);
}
