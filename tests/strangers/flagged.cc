#include "flagged.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(30000);
  std::vector<T> x = d.some<T>(n), flags(n), out = d.some<T>(n), want(n);
  const uint64_t share = 1 + d.size(9);
  for (T &flag : flags) flag = d.bits() % share ? (T)0 : d.bits() % 3 ? (T)5 : (T)(std::is_floating_point_v<T> ? NAN : 1);
  uint64_t count = 0, others = 0;
  for (uint64_t i = 0; i < n; i++) {
    if (flags[i] != 0) want[count++] = x[i];
    else want[n - ++others] = x[i];
  }
  long long got = -1;
  call(f, flagged_workspace_init, x.data(), n, flags.data(), out.data(), &got);
  agree("count", 0, (double)got, (double)count);
  size_t bytes = 0; /* what a call takes is told before anything is read */
  if (f(nullptr, &bytes, x.data(), UINT64_C(1) << 40, flags.data(), out.data(), &got) || !bytes) fail("2^40", 0, 1, 0);
  if (!f(nullptr, &bytes, x.data(), UINT64_C(1) << 63, flags.data(), out.data(), &got)) fail("2^63", 0, 0, 1);
  for (uint64_t i = 0; i < n; i++) agree("out", i, out[i], (double)want[i]);
}

static void once(Draw &d) {
  one<float>(d, flagged_float);
  one<int>(d, flagged_int);
}
