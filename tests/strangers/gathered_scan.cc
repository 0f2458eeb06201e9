#include "gathered_scan.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = 1 + d.length(3000), m = d.length(3000);
  std::vector<T> x = d.some<T>(n), out = d.some<T>(m);
  const std::vector<int> at = d.places(m, n);
  const T first = d.one<T>();
  T got = 3;
  call(f, gathered_scan_workspace_init, x.data(), n, at.data(), m, first, out.data(), &got);
  double sum = first, all = 8;
  for (uint64_t i = 0; i < m; i++) {
    agree("out", i, out[i], sum, all);
    sum += (double)x[(size_t)at[i]] + (double)i + 1;
    all += 9 + (double)i;
  }
  agree("the last", 0, got, sum, all);
}

static void once(Draw &d) {
  one<float>(d, gathered_scan_float);
  one<int>(d, gathered_scan_int);
}
