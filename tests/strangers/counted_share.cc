#include "counted_share.h"
#include "stranger.h"

static void once(Draw &d) {
  const uint64_t n = d.size(4000);
  const std::vector<double> x = d.some<double>(n), by = d.some<double>(2);
  std::vector<int> at(n, 7);
  std::vector<double> y(n, 7);
  double all = 0;
  call(counted_share_double, counted_share_workspace_init, x.data(), n, by.data(), 2, at.data(), y.data(), &all);
  int many = 0;
  for (uint64_t i = 0; i < n; i++) {
    many += x[i] > by[0];
    if (at[i] != many) fail("at", i, at[i], many);
  }
  double sum = 0, terms = 0;
  for (uint64_t i = 0; i < n; i++) {
    const double want = at[i] < many ? x[i] / (1 + 1.5 * many) : 0;
    agree("y", i, y[i], want);
    sum += want;
    terms += std::fabs(want);
  }
  agree("all", 0, all, sum + many, terms + many);
}
