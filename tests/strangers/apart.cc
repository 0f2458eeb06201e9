#include "apart.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(300);
  std::vector<T> x = d.some<T>(n);
  const T centre = d.one<T>();
  Matrix<T> D(d, n, n), before = D;
  call(f, apart_workspace_init, centre, x.data(), n, D.at.data(), D.leading);
  for (uint64_t i = 0; i < n; i++)
    for (uint64_t j = 0; j < n; j++) agree("D", i * n + j, D(i, j), fabs((double)x[i] - x[j]) + centre, 32);
  intact("between the rows of D", D, before);
}

static void once(Draw &d) {
  one<float>(d, apart_float);
  one<int>(d, apart_int);
}
