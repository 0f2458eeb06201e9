#include "tropical.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.size(300), 1 + d.size(300));
  std::vector<T> x = d.some<T>(A.columns), y = d.some<T>(A.rows);
  call(f, tropical_workspace_init, A.at.data(), A.rows, A.columns, A.leading, x.data(), y.data());
  for (uint64_t r = 0; r < A.rows; r++) {
    T most = A(r, 0) + x[0];
    for (uint64_t c = 1; c < A.columns; c++)
      if (A(r, c) + x[c] > most) most = A(r, c) + x[c];
    agree("y", r, y[r], (double)most);
  }
}

static void once(Draw &d) {
  one<float>(d, tropical_float);
  one<int>(d, tropical_int);
}
