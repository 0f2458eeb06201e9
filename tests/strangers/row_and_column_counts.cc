#include "row_and_column_counts.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.size(90), d.size(90));
  std::vector<T> most = d.some<T>(A.columns), most_before = most;
  std::vector<int> many(A.rows, 2), left(1, 11);
  std::vector<unsigned> parity(8, 5), bits = parity;
  const T bound = d.one<T>();
  call(f, row_and_column_counts_workspace_init, A.at.data(), A.rows, A.columns, A.leading, bound, many.data(),
       most.data(), parity.data(), 8, left.data(), 1);
  for (uint64_t i = 0; i < A.rows; i++) {
    int above = 2;
    for (uint64_t j = 0; j < A.columns; j++) {
      above += A(i, j) > bound;
      most_before[j] = std::max(most_before[j], A(i, j));
      if (A(i, j) > bound) bits[(i + j) % 8] ^= 1u << (i * A.columns + j) % 32;
    }
    agree("many", i, many[i], above);
  }
  for (uint64_t j = 0; j < A.columns; j++) agree("most", j, most[j], most_before[j]);
  for (uint64_t k = 0; k < 8; k++) agree("parity", k, parity[k], bits[k]);
  agree("left", 0, left[0], 11 - (double)(A.rows * A.columns));
}

static void once(Draw &d) {
  one<float>(d, row_and_column_counts_float);
  one<int>(d, row_and_column_counts_int);
}
