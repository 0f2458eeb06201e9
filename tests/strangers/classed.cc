#include "classed.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(20000);
  std::vector<T> x = d.some<T>(n);
  const T low = d.one<T>(), width = (T)(d.bits() % 5);
  unsigned bins[] = {7, 8, 9}, want[] = {7, 8, 9};
  call(f, classed_workspace_init, x.data(), n, low, width, bins, UINT64_C(3));
  for (T v : x) want[v < low ? 0 : v < (T)(low + width) ? 1 : 2]++;
  for (uint64_t i = 0; i < 3; i++) agree("bins", i, bins[i], want[i]);
}

static void once(Draw &d) {
  one<float>(d, classed_float);
  one<int>(d, classed_int);
}
