#include "reached.h"
#include "stranger.h"

static void once(Draw &d) {
  Matrix<unsigned> A(d, d.size(90), d.size(90)), B(d, A.columns, d.size(90)), C(d, A.rows, B.columns);
  for (unsigned &x : C.at) x = 0;
  Matrix<unsigned> before = C;
  call(reached_int, reached_workspace_init, A.at.data(), A.rows, A.columns, A.leading, B.at.data(),
       B.columns, B.leading, C.at.data(), C.leading);
  intact("C", C, before);
  for (uint64_t i = 0; i < C.rows; i++)
    for (uint64_t j = 0; j < C.columns; j++) {
      unsigned bits = 0;
      for (uint64_t k = 0; k < A.columns; k++) bits |= A(i, k) & B(k, j);
      agree("C", i * C.columns + j, C(i, j), bits);
    }
}
