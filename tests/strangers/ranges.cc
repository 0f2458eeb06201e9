#include "ranges.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.size(300), d.size(300));
  std::vector<T> y = d.some<T>(A.rows);
  call(f, ranges_workspace_init, A.at.data(), A.rows, A.columns, A.leading, y.data());
  for (uint64_t r = 0; r < A.rows; r++) {
    double least = A.columns ? A(r, 0) : 0, most = least;
    for (uint64_t c = 0; c < A.columns; c++) {
      least = fmin(least, A(r, c));
      most = fmax(most, A(r, c));
    }
    agree("y", r, y[r], (double)(T)(most - least));
  }
}

static void once(Draw &d) {
  one<float>(d, ranges_float);
  one<int>(d, ranges_int);
}
