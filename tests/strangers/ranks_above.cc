#include "ranks_above.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(60000);
  const std::vector<T> x = d.some<T>(n);
  const T bound = d.one<T>();
  std::vector<int> out(n, -1);
  int got = -1, want = 0;
  call(f, ranks_above_workspace_init, x.data(), n, bound, out.data(), &got);
  for (uint64_t i = 0; i < n; i++) {
    want += x[i] > bound;
    agree("out", i, out[i], want);
  }
  agree("all", 0, got, want);
}

static void once(Draw &d) {
  one<float>(d, ranks_above_float);
  one<int>(d, ranks_above_int);
}
