#include "row_maxima.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t rows = d.length(300), columns = d.length(300);
  Matrix<T> A(d, rows, columns), B(d, rows, columns), before = B;
  Matrix<int> W(d, rows, columns), w = W;
  call(f, row_maxima_workspace_init, A.at.data(), rows, columns, A.leading, B.at.data(), B.leading, W.at.data(),
       W.leading);
  for (uint64_t r = 0; r < rows; r++) {
    uint64_t at = 0;
    for (uint64_t c = 0; c < columns; c++) {
      if (A(r, c) >= A(r, at)) at = c;
      agree("B", r * columns + c, B(r, c), A(r, at));
      agree("W", r * columns + c, W(r, c), (double)at);
    }
  }
  intact("between the rows of B", B, before);
  intact("between the rows of W", W, w);
}

static void once(Draw &d) {
  one<float>(d, row_maxima_float);
  one<int>(d, row_maxima_int);
}
