#include "least_labels.h"
#include "stranger.h"

static void once(Draw &d) {
  const uint64_t n = 1 + d.size(3000), edges = d.size(4000);
  const std::vector<int> from = d.places(edges, n), to = d.places(edges, n);
  std::vector<int> label(n), want(n);
  for (uint64_t v = 0; v < n; v++) want[v] = (int)v;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint64_t e = 0; e < edges; e++) {
      int &a = want[(uint64_t)from[e]], &b = want[(uint64_t)to[e]];
      changed |= a != b;
      a = b = std::min(a, b);
    }
  }
  call(least_labels_int, least_labels_workspace_init, from.data(), edges, to.data(), label.data(), n);
  for (uint64_t v = 0; v < n; v++) agree("label", v, label[v], want[v]);
}
