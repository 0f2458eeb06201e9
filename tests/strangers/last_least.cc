#include "reduce_last_least.h"
#include "stranger.h"

static void once(Draw &d) {
  const uint64_t n = d.length(20000);
  std::vector<reduce_last_least_Pair_t> in(n);
  for (auto &x : in) x = {(int)(d.bits() % 7) - 3, (unsigned)d.bits()};
  reduce_last_least_Pair_t got = {5, 5}, want = {2147483647, 0};
  call(reduce_last_least_Pair, reduce_last_least_workspace_init, in.data(), n, &got);
  for (auto x : in)
    if (x.key <= want.key) want = x;
  agree("key", 0, got.key, want.key);
  agree("value", 0, got.value, want.value);
}
