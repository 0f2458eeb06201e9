#include "parted.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(20000);
  const std::vector<T> in = d.some<T>(n);
  std::vector<T> out(n), want = in;
  const T bound = d.one<T>();
  long long few = -1;
  call(f, parted_workspace_init, in.data(), n, bound, out.data(), &few);
  const auto middle = std::stable_partition(want.begin(), want.end(), [=](T x) { return x < bound; });
  agree("below the bound", 0, few, (double)(middle - want.begin()));
  for (uint64_t i = 0; i < n; i++) agree("out", i, out[i], (double)want[i]);
}

static void once(Draw &d) {
  one<float>(d, parted_float);
  one<int>(d, parted_int);
}
