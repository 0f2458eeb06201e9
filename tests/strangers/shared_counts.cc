#include "shared_counts.h"
#include "stranger.h"

static void once(Draw &d) {
  const uint64_t n = d.length(20000);
  std::vector<int> in(n);
  for (int &x : in) x = (int)d.bits();
  int got = 3, want = INT32_MIN;
  call(shared_counts_int, shared_counts_workspace_init, in.data(), n, &got);
  for (int x : in) want = std::max(want, x);
  agree("out", 0, got, want);
}
