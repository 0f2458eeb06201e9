#include "clamped_histogram.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.size(20000), bins = 1 + d.size(40);
  std::vector<T> in(n);
  for (T &x : in) x = (T)((double)d.one<T>() * 4);
  std::vector<unsigned> got(bins, 3), want(bins, 3);
  call(f, clamped_histogram_workspace_init, in.data(), n, got.data(), bins);
  for (T x : in) {
    const long long at = (long long)x;
    want[at < 0 ? 0 : at >= (long long)bins ? bins - 1 : (uint64_t)at]++;
  }
  for (uint64_t i = 0; i < bins; i++) agree("bins", i, got[i], want[i]);
}

static void once(Draw &d) {
  one<float>(d, clamped_histogram_float);
  one<int>(d, clamped_histogram_int);
}
