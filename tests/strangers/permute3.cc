#include "permute3.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t planes = d.size(20), rows = d.size(40), columns = d.size(40);
  std::vector<T> A = d.some<T>(planes * rows * columns), B = d.some<T>(A.size());
  call(f, permute3_workspace_init, A.data(), planes, rows, columns, rows * columns, columns, B.data(), planes * rows, rows);
  for (uint64_t i = 0; i < planes; i++)
    for (uint64_t j = 0; j < rows; j++)
      for (uint64_t k = 0; k < columns; k++) {
        const uint64_t at = (k * planes + i) * rows + j;
        agree("B", at, B[at], A[(i * rows + rows - 1 - j) * columns + k]);
      }
}

static void once(Draw &d) {
  one<float>(d, permute3_float);
  one<int>(d, permute3_int);
}
