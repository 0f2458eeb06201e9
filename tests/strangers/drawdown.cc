#include "drawdown.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const std::vector<T> x = d.some<T>(d.length(5000));
  T worst, peak = std::numeric_limits<T>::lowest(), want = 0;
  call(f, drawdown_workspace_init, x.data(), (uint64_t)x.size(), &worst);
  for (T v : x) peak = std::max(peak, v), want = std::max(want, (T)(peak - v));
  agree("worst", 0, worst, want);
}

static void once(Draw &d) {
  one<float>(d, drawdown_float);
  one<int>(d, drawdown_int);
}
