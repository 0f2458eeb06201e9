#include "row_losses.h"
#include "stranger.h"

#include <cmath>

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t rows = d.length(300), columns = d.length(300) + 1;
  Matrix<T> A(d, rows, columns);
  const std::vector<int> label = d.places(rows, 5);
  std::vector<T> y(rows, (T)-7);
  call(f, row_losses_workspace_init, A.at.data(), rows, columns, A.leading, label.data(), y.data());
  for (uint64_t r = 0; r < rows; r++) {
    long double top = A(r, 0), total = 0;
    for (uint64_t c = 1; c < columns; c++) top = std::max(top, (long double)A(r, c));
    for (uint64_t c = 0; c < columns; c++) total += std::exp(A(r, c) - top);
    const long double log = std::log(total) * (label[r] + 1);
    // they may cancel out, and the logarithm of what is nearly 1 has the rounding of that
    agree("y", r, y[r], (double)(top + log), (double)(std::abs(top) + std::abs(log)) + 0.1 * (label[r] + 1));
  }
}

static void once(Draw &d) {
  one<float>(d, row_losses_float);
  one<double>(d, row_losses_double);
}
