#include "reduce_tally.h"
#include "stranger.h"

static void once(Draw &d) {
  const uint64_t n = d.length(20000);
  std::vector<float> in(n);
  for (float &x : in) x = (float)((int)(d.bits() % 2001) - 1000);
  reduce_tally_State_t got = {};
  call(reduce_tally_float, reduce_tally_workspace_init, in.data(), n, &got);
  double sum = 0;
  for (float x : in) sum += x;
  agree("sum", 0, got.sum, sum);
  agree("count", 0, got.count, (double)n);
  agree("last", 0, got.last, n ? in[n - 1] : 0);
  agree("any", 0, (int)got.any, n > 0);
}
