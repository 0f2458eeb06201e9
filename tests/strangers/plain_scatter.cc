#include "plain_scatter.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> x(d, d.length(200), d.length(200));
  std::vector<T> flat = d.some<T>(x.rows * x.columns), first = d.some<T>(x.rows), before = first;
  call(f, plain_scatter_workspace_init, x.at.data(), x.rows, x.columns, x.leading, flat.data(), (uint64_t)flat.size(), first.data());
  for (uint64_t i = 0; i < x.rows; i++) {
    agree("first", i, first[i], x.columns ? x(i, 0) : before[i]);
    for (uint64_t j = 0; j < x.columns; j++) agree("flat", j * x.rows + i, flat[j * x.rows + i], x(i, j));
  }
}

static void once(Draw &d) {
  one<float>(d, plain_scatter_float);
  one<int>(d, plain_scatter_int);
}
