#include "rotated.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.length(300), d.length(300)), B(d, A.columns, A.rows), before = B;
  std::vector<int> by = d.places(A.rows, 1000);
  for (int &b : by) b -= 500;
  const T old = d.one<T>();
  call(f, rotated_workspace_init, A.at.data(), A.rows, A.columns, A.leading, by.data(), old, B.at.data(), B.leading);
  for (uint64_t r = 0; r < A.rows; r++)
    for (uint64_t c = 0; c < A.columns; c++)
      agree("B", r * A.columns + c, B(c, r), (double)old * before(c, r) + A(r,
              (c + A.columns * 1000 + (uint64_t)(int64_t)by[r]) % A.columns), 72);
  intact("between the columns of B", B, before);
}

static void once(Draw &d) {
  one<float>(d, rotated_float);
  one<int>(d, rotated_int);
}
