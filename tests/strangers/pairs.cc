#include "pairs.h"
#include "stranger.h"

static void once(Draw &d) {
  const uint64_t n = d.length(5000);
  Matrix<unsigned> counts(d, 1 + d.size(20), 1 + d.size(20)), before = counts;
  std::vector<int> x(n);
  for (int &v : x) v = (int)d.bits();
  call(pairs_int, pairs_workspace_init, x.data(), n, counts.at.data(), counts.rows, counts.columns, counts.leading);
  for (uint64_t i = 0; i + 1 < n; i++)
    if (x[i] >= 0 && x[i + 1] >= 0) before(x[i] % counts.rows, x[i + 1] % counts.columns)++;
  intact("counts", counts, before);
  for (uint64_t i = 0; i < counts.rows; i++)
    for (uint64_t j = 0; j < counts.columns; j++) agree("counts", i * counts.columns + j, counts(i, j), before(i, j));
}
