#include "triples.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.length(300), 2 + d.length(200)), B(d, A.rows, A.columns - 2), before = B;
  call(f, triples_workspace_init, A.at.data(), A.rows, A.columns, A.leading, B.at.data(), B.columns, B.leading);
  for (uint64_t r = 0; r < A.rows; r++)
    for (uint64_t c = 0; c + 2 < A.columns; c++) {
      T three[] = {A(r, c), A(r, c + 1), A(r, c + 2)};
      std::sort(three, three + 3);
      agree("B", r * B.columns + c, B(r, c), (double)three[1]);
    }
  intact("between the rows of B", B, before);
}

static void once(Draw &d) {
  one<double>(d, triples_double);
  one<long long>(d, triples_int64);
}
