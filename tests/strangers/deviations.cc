#include "deviations.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t rows = d.length(300), columns = d.length(300);
  Matrix<T> A(d, rows, columns), before = A;
  std::vector<T> y(rows);
  call(f, deviations_workspace_init, A.at.data(), rows, columns, A.leading, y.data());
  for (uint64_t r = 0; r < rows; r++) {
    double mean = 0, all = 0, largest = 0;
    for (uint64_t c = 0; c < columns; c++) {
      mean += before(r, c);
      largest = std::max(largest, fabs((double)before(r, c)));
    }
    if (columns) mean /= (double)columns;
    for (uint64_t c = 0; c < columns; c++) all += fabs(before(r, c) - mean);
    if (columns) all /= (double)columns;
    agree("y", r, y[r], all, largest);
    for (uint64_t c = 0; c < columns; c++) {
      if (all > 0.01) agree("A", r * columns + c, A(r, c), (before(r, c) - mean) / all, largest / all);
    }
  }
  intact("between the rows of A", A, before);
}

static void once(Draw &d) {
  one<float>(d, deviations_float);
  one<double>(d, deviations_double);
}
