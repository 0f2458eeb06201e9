#include "times_33.h"
#include "stranger.h"

static void once(Draw &d) {
  std::vector<unsigned> x(d.length(5000));
  for (unsigned &v : x) v = (unsigned)d.bits();
  unsigned got, want = 5381;
  call(times_33_int, times_33_workspace_init, x.data(), (uint64_t)x.size(), &got);
  for (unsigned v : x) want = want * 33 + v;
  agree("hash", 0, got, want);
}
