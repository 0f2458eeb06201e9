#include "recurrent.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.length(300), d.length(300)), B(d, A.rows, A.columns), before = B;
  std::vector<T> most = d.some<T>(A.columns);
  call(f, recurrent_workspace_init, A.at.data(), A.rows, A.columns, A.leading, B.at.data(), B.leading, most.data());
  for (uint64_t c = 0; c < A.columns; c++) {
    double value = 0, all = 0, greatest = 0;
    for (uint64_t r = 0; r < A.rows; r++) {
      value = A(r, c) - value;
      all += fabs((double)A(r, c));
      greatest = std::max(greatest, value);
      agree("B", r * A.columns + c, B(r, c), value, all);
    }
    agree("most", c, most[c], greatest, all);
  }
  intact("between the rows of B", B, before);
}

static void once(Draw &d) {
  one<float>(d, recurrent_float);
  one<int>(d, recurrent_int);
}
