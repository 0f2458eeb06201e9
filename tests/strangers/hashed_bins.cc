#include "hashed_bins.h"
#include "stranger.h"
static void once(Draw &d) {
  const uint64_t n = d.length(9000), m = 1 + d.size(300);
  std::vector<int> x(n);
  for (int &v : x) v = (int)d.bits();
  std::vector<unsigned> bins(m, 1), want = bins;
  call(hashed_bins_int, hashed_bins_workspace_init, x.data(), n, bins.data(), m);
  for (int v : x) want[((unsigned)v * 2654435761u) % m]++;
  for (uint64_t i = 0; i < m; i++) agree("bins", i, bins[i], want[i]);
}
