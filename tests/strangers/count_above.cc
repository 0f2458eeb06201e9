#include "count_above.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.size(20000);
  std::vector<T> in = d.some<T>(n);
  const T limit = d.one<T>();
  long long got = -1, want = 0;
  call(f, count_above_workspace_init, in.data(), n, limit, &got);
  for (T x : in) want += x > limit;
  agree("out", 0, got, (double)want);
}

static void once(Draw &d) {
  one<float>(d, count_above_float);
  one<int>(d, count_above_int);
}
