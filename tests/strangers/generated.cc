#include "generated.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(20000);
  std::vector<T> x = d.some<T>(n);
  const T by = d.one<T>();
  T got = 3;
  double sum = 0, all = 0;
  call(f, generated_workspace_init, by, x.data(), n, &got);
  for (uint64_t i = 0; i < n; i++) {
    const double v = x[i] * ((double)((i * 7 + 3) % 11) - by);
    sum += v;
    all += fabs(v) + 80;
  }
  agree("out", 0, got, sum, all);
}

static void once(Draw &d) {
  one<float>(d, generated_float);
  one<int>(d, generated_int);
}
