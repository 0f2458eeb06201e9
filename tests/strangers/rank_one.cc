#include "rank_one.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t rows = d.size(300), columns = d.size(300);
  std::vector<T> x = d.some<T>(rows), y = d.some<T>(columns);
  Matrix<T> A(d, rows, columns), before = A;
  call(f, rank_one_workspace_init, x.data(), rows, y.data(), columns, A.at.data(), A.leading);
  for (uint64_t r = 0; r < rows; r++)
    for (uint64_t c = 0; c < columns; c++)
      agree("A", r * A.leading + c, A(r, c), (double)before(r, c) + (double)x[r] * y[c], fabs((double)before(r, c)));
  intact("between the rows of A", A, before);
}

static void once(Draw &d) {
  one<float>(d, rank_one_float);
  one<int>(d, rank_one_int);
}
