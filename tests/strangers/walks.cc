#include "walks.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(2000);
  const int turns = (int)d.size(40);
  std::vector<unsigned> state(n);
  for (unsigned &s : state) s = (unsigned)d.bits();
  std::vector<unsigned> s = state;
  std::vector<T> x = d.some<T>(n);
  const std::vector<T> began = x;
  call(f, walks_workspace_init, state.data(), n, turns, x.data());
  for (uint64_t i = 0; i < n; i++) {
    double at = (double)began[i];
    for (int k = 0; k < turns; k++) {
      unsigned t = s[i] ^ (s[i] << 13);
      t ^= t >> 17;
      s[i] = t ^ (t << 5);
      at += sqrt((double)(s[i] & 255) + 1) * (s[i] & 256 ? 1 : -1);
    }
    agree("state", i, state[i], s[i]);
    agree("x", i, x[i], at, 16.0 * turns);
  }
}

static void once(Draw &d) {
  one<float>(d, walks_float);
}
