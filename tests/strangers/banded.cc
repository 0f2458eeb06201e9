#include "banded.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> B(d, d.length(3000), d.size(6));
  const T scale = d.one<T>();
  std::vector<T> x = d.some<T>(B.rows + 2), y = d.some<T>(B.rows), before = y;
  call(f, banded_workspace_init, B.at.data(), B.rows, B.columns, B.leading, x.data(), B.rows + 2, scale, y.data());
  for (uint64_t i = 0; i < B.rows; i++) {
    double sum = 0;
    for (uint64_t k = 0; k < std::min<uint64_t>(B.columns, 3); k++) sum += (double)B(i, k) * x[i + k];
    agree("y", i, y[i], sum * scale + before[i], 2000);
  }
}

static void once(Draw &d) {
  one<float>(d, banded_float);
  one<int>(d, banded_int);
}
