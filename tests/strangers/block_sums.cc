#include "block_sums.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.length(200), d.length(200));
  const uint64_t blocks = d.size(20), size = 1 + d.size(40);
  Matrix<T> B(d, A.rows, blocks), before = B;
  call(f, block_sums_workspace_init, A.at.data(), A.rows, A.columns, A.leading, size, B.at.data(), blocks, B.leading);
  for (uint64_t r = 0; r < A.rows; r++)
    for (uint64_t b = 0; b < blocks; b++) {
      double sum = 0;
      for (uint64_t c = b * size; c < std::min((b + 1) * size, A.columns); c++) sum += A(r, c);
      agree("B", r * blocks + b, B(r, b), sum, 8.0 * size);
    }
  intact("between the rows of B", B, before);
}

static void once(Draw &d) {
  one<float>(d, block_sums_float);
  one<int>(d, block_sums_int);
}
