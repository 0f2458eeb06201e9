#include "row_scaled.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t rows = d.length(300), columns = d.length(300);
  Matrix<T> A(d, rows, columns);
  Matrix<T> C(d, rows, columns), before = C;
  call(f, row_scaled_workspace_init, A.at.data(), rows, columns, A.leading, C.at.data(), C.leading);
  for (uint64_t r = 0; r < rows; r++) {
    double sum = 0, most = columns ? (double)A(r, 0) : 0;
    for (uint64_t c = 0; c < columns; c++) sum += (double)A(r, c) * A(r, c), most = std::max(most, (double)A(r, c));
    for (uint64_t c = 0; c < columns; c++) agree("C", r * columns + c, C(r, c), A(r, c) * (most > 0 ? sum : -sum));
  }
  intact("between the rows of C", C, before);
}

static void once(Draw &d) {
  one<float>(d, row_scaled_float);
  one<int>(d, row_scaled_int);
}
