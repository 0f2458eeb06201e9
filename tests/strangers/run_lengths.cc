#include "run_lengths.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(20000);
  std::vector<T> in(n);
  std::vector<long long> out(n, -5);
  const uint64_t values = 1 + d.size(5);
  for (T &x : in) x = (T)(d.bits() % values);
  long long got = -1, longest = 0, run = 0;
  call(f, run_lengths_workspace_init, in.data(), n, out.data(), &got);
  for (uint64_t i = 0; i < n; i++) {
    run = i && in[i] == in[i - 1] ? run + 1 : 1;
    longest = std::max(longest, run);
    agree("out", i, out[i], (double)run);
  }
  agree("the longest", 0, got, (double)longest);
}

static void once(Draw &d) {
  one<float>(d, run_lengths_float);
  one<int>(d, run_lengths_int);
}
