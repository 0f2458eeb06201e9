#include "guarded_quotients.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.length(200), d.length(300)), W(d, A.rows, A.columns);
  for (T &w : W.at) w = (T)((int)(d.bits() % 5) - 2);
  std::vector<T> more = d.some<T>(3), y = d.some<T>(A.columns);
  call(f, guarded_quotients_workspace_init, A.at.data(), A.rows, A.columns, A.leading, W.at.data(), W.leading,
       more.data(), UINT64_C(3), y.data());
  for (uint64_t c = 0; c < A.columns; c++) {
    double sum = 0, all = 0;
    for (uint64_t r = 0; r < A.rows; r++) {
      const T w = W(r, c);
      const double v = w == 0 ? -1 : A(r, c) / w > 0 ? (double)(T)(A(r, c) / w) : -(double)(T)(more[r % 3] / w);
      sum += v;
      all += fabs(v);
    }
    agree("y", c, y[c], sum, all);
  }
}

static void once(Draw &d) {
  one<int>(d, guarded_quotients_int);
  one<long long>(d, guarded_quotients_int64);
  one<float>(d, guarded_quotients_float);
}
