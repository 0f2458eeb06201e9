#include "trimmed.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(20000), k = d.size(n + 3);
  std::vector<T> in = d.some<T>(n);
  const T low = d.one<T>(), high = d.one<T>();
  T got = 3;
  double sum = 0, all = 0;
  call(f, trimmed_workspace_init, in.data(), n, k, low, high, &got);
  for (uint64_t i = k; i + k < n; i++)
    if (in[i] >= low && in[i] <= high) {
      sum += in[i];
      all += fabs((double)in[i]);
    }
  agree("out", 0, got, sum, all);
}

static void once(Draw &d) {
  one<float>(d, trimmed_float);
  one<int>(d, trimmed_int);
}
