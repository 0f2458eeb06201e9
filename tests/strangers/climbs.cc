#include "climbs.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.size(20000);
  std::vector<T> in = d.some<T>(n);
  long long got = -1, want = 0;
  call(f, climbs_workspace_init, in.data(), n, &got);
  for (uint64_t i = 0; i + 1 < n; i++) want += in[i] < in[i + 1];
  agree("out", 0, got, (double)want);
}

static void once(Draw &d) {
  one<float>(d, climbs_float);
  one<int>(d, climbs_int);
}
