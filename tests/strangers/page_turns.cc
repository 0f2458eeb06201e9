#include "page_turns.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = 1 + d.size(3000), edges = d.size(20000);
  const int turns = (int)(d.bits() % 5);
  const std::vector<int> offsets = d.offsets(n, edges), sources = d.places(edges, n);
  std::vector<int> degrees(n);
  for (int s : sources) degrees[(uint64_t)s]++;
  std::vector<T> ranks = d.some<T>(n), next = d.some<T>(n);
  for (T &x : ranks) x = (T)fabs((double)x);
  std::vector<double> want(ranks.begin(), ranks.end()), then(n);
  const double damping = 0.75;
  for (int k = 0; k < turns; k++) {
    for (uint64_t v = 0; v < n; v++) {
      double in = 0;
      for (int e = offsets[v]; e < offsets[v + 1]; e++)
        in += want[(uint64_t)sources[(uint64_t)e]] / std::max(degrees[(uint64_t)sources[(uint64_t)e]], 1);
      then[v] = (1 - damping) / (double)n + damping * in / (k + 1);
    }
    want = then;
  }
  call(f, page_turns_workspace_init, offsets.data(), n + 1, sources.data(), edges, degrees.data(), n, (T)damping,
       turns, ranks.data(), next.data());
  for (uint64_t v = 0; v < n; v++) agree("ranks", v, ranks[v], want[v], 8);
}

static void once(Draw &d) {
  one<float>(d, page_turns_float);
  one<double>(d, page_turns_double);
}
