#include "connected.h"
#include "stranger.h"

static void once(Draw &d) {
  const uint64_t n = d.size(20000), vertices = 1 + d.size(3000);
  const std::vector<int> from = d.places(n, vertices), to = d.places(n, vertices);
  std::vector<int> parent(vertices, -1), least(vertices);
  for (uint64_t v = 0; v < vertices; v++) least[v] = (int)v;
  call(connected_int, connected_workspace_init, from.data(), n, to.data(), parent.data(), vertices);
  for (bool more = true; more;) {
    more = false;
    for (uint64_t e = 0; e < n; e++) {
      int &a = least[(size_t)from[e]], &b = least[(size_t)to[e]];
      more |= a != b;
      a = b = std::min(a, b);
    }
  }
  for (uint64_t v = 0; v < vertices; v++) agree("component", v, parent[v], least[v]);
}
