#include "column_runs.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.length(200), d.length(300));
  const int values = 1 + (int)d.size(4);
  for (T &x : A.at) x = (T)(d.bits() % (uint64_t)values);
  Matrix<int> B(d, A.columns, d.size(5)), before = B;
  call(f, column_runs_workspace_init, A.at.data(), A.rows, A.columns, A.leading, B.at.data(), B.columns, B.leading);
  for (uint64_t c = 0; c < A.columns; c++) {
    int best = 0, at = -1;
    for (uint64_t i = 0; i < A.rows; i++) {
      uint64_t k = i;
      while (k + 1 < A.rows && A(k + 1, c) == A(i, c)) k++;
      if ((int)(k + 1 - i) > best) best = (int)(k + 1 - i), at = (int)i;
      i = k;
    }
    for (uint64_t k = 0; k < B.columns; k++) agree("B", c * B.columns + k, B(c, k),
                                                   k == 0 ? best : k == 1 ? at : before(c, k));
  }
  intact("between the rows of B", B, before);
}

static void once(Draw &d) {
  one<float>(d, column_runs_float);
  one<int>(d, column_runs_int);
}
