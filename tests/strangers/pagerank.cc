#include "pagerank.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = 1 + d.size(2000), edges = d.size(10000);
  std::vector<int> offsets = d.offsets(n, edges), degrees(n, 0);
  const std::vector<int> sources = d.places(edges, n);
  for (uint64_t e = (uint64_t)offsets[0]; e < (uint64_t)offsets[n]; e++) degrees[(size_t)sources[e]]++;
  std::vector<T> ranks(n, 7);
  const int turns = (int)d.size(8);
  call(f, pagerank_workspace_init, offsets.data(), n + 1, sources.data(), edges, degrees.data(), n, (T)0.5, turns,
       ranks.data());
  std::vector<double> want(n, 1.0 / (double)n);
  for (int k = 0; k < turns; k++) {
    std::vector<double> next(n);
    double lost = 0;
    for (uint64_t v = 0; v < n; v++) lost += degrees[v] ? 0 : want[v];
    for (uint64_t v = 0; v < n; v++) {
      double in = 0;
      for (int e = offsets[v]; e < offsets[v + 1]; e++)
        in += want[(size_t)sources[(size_t)e]] / degrees[(size_t)sources[(size_t)e]];
      next[v] = 0.5 * in + (0.5 + 0.5 * lost) / (double)n;
    }
    want = next;
  }
  for (uint64_t v = 0; v < n; v++) agree("rank", v, ranks[v], want[v]);
}

static void once(Draw &d) {
  one<float>(d, pagerank_float);
  one<double>(d, pagerank_double);
}
