#include "plane_sums.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t planes = d.size(20), rows = d.size(40), columns = d.length(70);
  const uint64_t row = columns + d.size(3), plane = rows * row + d.size(5);
  const std::vector<T> A = d.some<T>(planes * plane);
  Matrix<T> S(d, planes, columns), before = S;
  call(f, plane_sums_workspace_init, A.data(), planes, rows, columns, plane, row, S.at.data(), S.leading);
  for (uint64_t i = 0; i < planes; i++)
    for (uint64_t k = 0; k < columns; k++) {
      double sum = (double)before(i, k);
      for (uint64_t j = 0; j < rows; j++) sum += (double)A[i * plane + j * row + k];
      agree("S", i * S.leading + k, S(i, k), sum, 8.0 * (double)(rows + 1));
    }
  intact("between the rows of S", S, before);
  size_t bytes = 0; // planes that overlap, and rows that do
  if (rows > 0 && columns > 0 &&
      (!f(nullptr, &bytes, A.data(), planes, rows, columns, rows * row - 1, row, S.at.data(), S.leading) ||
       !f(nullptr, &bytes, A.data(), planes, rows, columns, plane, columns - 1, S.at.data(), S.leading)))
    fail("a stride below what lies within", 0, 0, 1);
}

static void once(Draw &d) {
  one<float>(d, plane_sums_float);
  one<int>(d, plane_sums_int);
}
