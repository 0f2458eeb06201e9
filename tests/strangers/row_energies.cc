#include "row_energies.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.length(300), d.length(300)), B(d, A.rows, A.columns), C(d, A.rows, A.columns), before = C;
  call(f, row_energies_workspace_init, A.at.data(), A.rows, A.columns, A.leading, B.at.data(), B.leading,
       C.at.data(), C.leading);
  for (uint64_t r = 0; r < A.rows; r++) {
    double sum = 0, all = 0;
    for (uint64_t c = 0; c < A.columns; c++) {
      sum += (double)A(r, c) * A(r, c) + B(r, c);
      all += (double)A(r, c) * A(r, c) + 8;
      agree("C", r * A.columns + c, C(r, c), sum, all);
    }
  }
  intact("between the rows of C", C, before);
}

static void once(Draw &d) {
  one<float>(d, row_energies_float);
  one<int>(d, row_energies_int);
}
