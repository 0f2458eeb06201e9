#include "reduce_longest_run.h"
#include "stranger.h"

static void once(Draw &d) {
  const uint64_t n = d.length(20000);
  std::vector<int> in(n);
  const unsigned often = 1 + (unsigned)d.size(100);
  int v = 0;
  for (int &x : in) {
    if (d.bits() % often == 0) v = (int)(d.bits() % 3);
    x = v;
  }
  unsigned got = 99, best = 0, run = 0;
  call(reduce_longest_run_int, reduce_longest_run_workspace_init, in.data(), n, &got);
  for (uint64_t i = 0; i < n; i++) {
    run = i && in[i] == in[i - 1] ? run + 1 : 1;
    best = std::max(best, run);
  }
  agree("out", 0, got, best);
}
