#include "parity.h"
#include "stranger.h"

template <typename T, typename R, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(20000);
  std::vector<T> in(n);
  for (T &x : in) x = (T)d.bits();
  R got = 9;
  unsigned ones = 0;
  call(f, parity_workspace_init, in.data(), n, &got);
  for (T x : in)
    for (unsigned b = 0; b < 4; b++) ones += ((unsigned long long)x >> b) & 1;
  agree("out", 0, got, ones % 2);
}

static void once(Draw &d) {
  one<int, int>(d, parity_int);
  one<unsigned, unsigned>(d, parity_uint);
  one<long long, long long>(d, parity_int64);
  one<unsigned char, unsigned>(d, parity_uint8);
}
