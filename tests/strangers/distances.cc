#include "distances.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.size(300), d.size(300));
  std::vector<T> point = d.some<T>(A.columns), y = d.some<T>(A.rows);
  call(f, distances_workspace_init, A.at.data(), A.rows, A.columns, A.leading, point.data(), y.data());
  for (uint64_t r = 0; r < A.rows; r++) {
    double sum = 0;
    for (uint64_t c = 0; c < A.columns; c++) sum += fabs((double)A(r, c) - (double)point[c]);
    agree("y", r, y[r], sum);
  }
}

static void once(Draw &d) {
  one<float>(d, distances_float);
  one<int>(d, distances_int);
}
