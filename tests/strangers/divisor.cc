#include "reduce_divisor.h"
#include "stranger.h"

#include <numeric>

template <typename E, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(20000), common = 1 + d.bits() % 40;
  std::vector<E> in(n);
  for (E &x : in) x = (E)(d.bits() % 6 * common);
  unsigned got = 1234, want = 0;
  call(f, reduce_divisor_workspace_init, in.data(), n, &got);
  for (E x : in) want = std::gcd(want, (unsigned)x);
  agree("out", 0, got, want);
}

static void once(Draw &d) {
  one<unsigned>(d, reduce_divisor_uint);
}
