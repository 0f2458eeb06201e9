#include "cosines.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t rows = d.length(300), columns = 1 + d.length(300);
  Matrix<T> A(d, rows, columns), B(d, rows, columns);
  std::vector<T> got(rows);
  call(f, cosines_workspace_init, A.at.data(), rows, columns, A.leading, B.at.data(), B.leading, got.data());
  for (uint64_t i = 0; i < rows; i++) {
    double ab = 0, aa = 0, bb = 0;
    for (uint64_t j = 0; j < columns; j++) {
      ab += (double)A(i, j) * B(i, j);
      aa += (double)A(i, j) * A(i, j);
      bb += (double)B(i, j) * B(i, j);
    }
    agree("cosine", i, got[i], ab / sqrt(aa * bb), 1);
  }
}

static void once(Draw &d) {
  one<float>(d, cosines_float);
  one<double>(d, cosines_double);
}
