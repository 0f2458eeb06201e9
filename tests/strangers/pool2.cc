#include "pool2.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> B(d, d.size(90), d.size(90)), A(d, 2 * B.rows, 2 * B.columns), before = B;
  call(f, pool2_workspace_init, B.at.data(), B.rows, B.columns, B.leading, A.at.data(), A.rows, A.columns, A.leading);
  intact("B", B, before);
  for (uint64_t i = 0; i < B.rows; i++)
    for (uint64_t j = 0; j < B.columns; j++) {
      T most = A(2 * i, 2 * j);
      for (uint64_t k = 0; k < 4; k++) most = std::max(most, A(2 * i + k / 2, 2 * j + k % 2));
      agree("B", i * B.columns + j, B(i, j), most);
    }
}

static void once(Draw &d) {
  one<float>(d, pool2_float);
  one<int>(d, pool2_int);
}
