#include "median3.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(20000) + 2;
  std::vector<T> x = d.some<T>(n), y(n - 2);
  call(f, median3_workspace_init, x.data(), n, y.data(), n - 2);
  for (uint64_t i = 0; i < n - 2; i++) {
    T three[] = {x[i], x[i + 1], x[i + 2]};
    std::sort(three, three + 3);
    agree("y", i, y[i], (double)three[1]);
  }
}

static void once(Draw &d) {
  one<float>(d, median3_float);
  one<int>(d, median3_int);
}
