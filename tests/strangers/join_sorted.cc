#include "join_sorted.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(20000), m = d.size(3000);
  std::vector<int> left = d.places(n, 4 * m + 3), right = d.places(m, 4 * m + 3);
  std::sort(right.begin(), right.end());
  std::vector<T> value = d.some<T>(m), out = d.some<T>(n);
  const T none = d.one<T>();
  long long got = -1, found = 0;
  call(f, join_sorted_workspace_init, left.data(), n, right.data(), m, value.data(), none, out.data(), &got);
  for (uint64_t i = 0; i < n; i++) {
    uint64_t at = 0;
    while (at < m && right[at] != left[i]) at++;
    found += at < m;
    agree("out", i, out[i], at < m ? value[at] : none);
  }
  agree("found", 0, got, (double)found);
}

static void once(Draw &d) {
  one<float>(d, join_sorted_float);
  one<int>(d, join_sorted_int);
}
