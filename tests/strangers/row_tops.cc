#include "row_tops.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.length(300), d.length(300)), B(d, A.rows, A.columns), before = B;
  const std::vector<T> w = d.some<T>(A.columns);
  const T least = d.one<T>();
  call(f, row_tops_workspace_init, A.at.data(), A.rows, A.columns, A.leading, w.data(), least, B.at.data(), B.leading);
  for (uint64_t i = 0; i < A.rows; i++) {
    T top = least;
    for (uint64_t j = 0; j < A.columns; j++) {
      top = std::max<T>(top, A(i, j) * w[j]);
      agree("B", i * A.columns + j, B(i, j), (double)top);
    }
  }
  intact("between the rows of B", B, before);
}

static void once(Draw &d) {
  one<float>(d, row_tops_float);
  one<int>(d, row_tops_int);
}
