#include "min_plus.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.size(90), d.size(90)), B(d, A.columns, d.size(90)), C(d, A.rows, B.columns), before = C;
  call(f, min_plus_workspace_init, A.at.data(), A.rows, A.columns, A.leading, B.at.data(), B.columns, B.leading,
       C.at.data(), C.leading);
  intact("C", C, before);
  for (uint64_t i = 0; i < C.rows; i++)
    for (uint64_t j = 0; j < C.columns; j++) {
      T least = before(i, j);
      for (uint64_t k = 0; k < A.columns; k++) least = std::min(least, (T)(A(i, k) + B(k, j)));
      agree("C", i * C.columns + j, C(i, j), least);
    }
}

static void once(Draw &d) {
  one<float>(d, min_plus_float);
  one<int>(d, min_plus_int);
}
