#include "lying.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t rows = d.size(40), columns = d.length(70), other = d.size(9);
  Matrix<T> A(d, rows, columns), B(d, other, d.size(9)), y(d, rows, columns), before = y;
  const uint64_t row = other + d.size(3), plane = other * row + d.size(5);
  const std::vector<int> Z = d.some<int>(3 * plane);
  // B by columns: what is a row here is a column there.
  call(f, lying_workspace_init, A.at.data(), rows, columns, A.leading, B.at.data(), B.columns, B.rows, B.leading,
       Z.data(), (uint64_t)3, other, other, plane, row, y.at.data(), y.leading);
  const double more = (double)(A.leading + 3 * B.leading + 5 * (plane + y.leading) + 7 * row);
  for (uint64_t r = 0; r < rows; r++)
    for (uint64_t c = 0; c < columns; c++) agree("y", r * y.leading + c, y(r, c), (double)A(r, c) + more);
  intact("between the rows of y", y, before);
}

static void once(Draw &d) {
  one<float>(d, lying_float);
  one<int>(d, lying_int);
}
