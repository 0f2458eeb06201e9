#include "row_starts.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t rows = d.length(300), columns = d.length(300);
  Matrix<T> A(d, rows, columns), C(d, rows, columns), before = C;
  const T start = d.one<T>();
  std::vector<T> y(rows, (T)-7), z(rows, (T)-7);
  call(f, row_starts_workspace_init, A.at.data(), rows, columns, A.leading, start, C.at.data(), C.leading, y.data(), z.data());
  for (uint64_t r = 0; r < rows; r++) {
    double total = 2 + (double)start, top = 1, size = 1;
    for (uint64_t c = 0; c < columns; c++) top = std::max(top, (double)A(r, c));
    for (uint64_t c = 0; c < columns; c++) total += A(r, c) + A(r, c) * top, size += fabs((double)A(r, c)) * (1 + top);
    agree("y", r, y[r], total, size);
    agree("z", r, z[r], top);
    for (uint64_t c = 0; c < columns; c++) agree("C", r * columns + c, C(r, c), (double)A(r, c) + top);
  }
  intact("between the rows of C", C, before);
}

static void once(Draw &d) {
  one<float>(d, row_starts_float);
  one<int>(d, row_starts_int);
}
