#include "hashed.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(9000);
  std::vector<T> in(n);
  for (T &x : in) x = (T)d.bits();
  const unsigned seed = (unsigned)d.bits();
  unsigned got = 3, want = seed;
  call(f, hashed_workspace_init, in.data(), n, seed, &got);
  for (T x : in) want = (want ^ ((unsigned)x & 255u)) * 16777619u;
  agree("out", 0, got, want);
}

static void once(Draw &d) {
  one<unsigned char>(d, hashed_uint8);
  one<signed char>(d, hashed_int8);
  one<unsigned>(d, hashed_uint);
}
