#include "saturating.h"
#include "stranger.h"

template <typename T, typename R, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.length(300), d.length(300));
  for (T &x : A.at) x = (T)((int)(d.bits() % 256) - 128);
  std::vector<R> y(A.columns, 77);
  call(f, saturating_workspace_init, A.at.data(), A.rows, A.columns, A.leading, y.data());
  for (uint64_t c = 0; c < A.columns; c++) {
    int v = 3;
    for (uint64_t r = 0; r < A.rows; r++) v = std::clamp(v + A(r, c), -128, 127);
    agree("y", c, y[c], v);
  }
}

static void once(Draw &d) {
  one<signed char, int>(d, saturating_int8);
  one<short, int>(d, saturating_int16);
  one<signed char, long long>(d, saturating_int8_int64);
}
