#include "hooked.h"
#include "stranger.h"

// Each vertex stays in its component, below itself.
static void once(Draw &d) {
  const uint64_t n = d.size(20000), vertices = 1 + d.size(3000);
  const std::vector<int> from = d.places(n, vertices), to = d.places(n, vertices);
  std::vector<int> parent(vertices), least(vertices);
  for (uint64_t v = 0; v < vertices; v++) parent[v] = least[v] = (int)v;
  call(hooked_int, hooked_workspace_init, from.data(), n, to.data(), parent.data(), vertices);
  for (bool more = true; more;) {
    more = false;
    for (uint64_t e = 0; e < n; e++) {
      int &a = least[(size_t)from[e]], &b = least[(size_t)to[e]];
      more |= a != b;
      a = b = std::min(a, b);
    }
  }
  for (uint64_t v = 0; v < vertices; v++) {
    if (parent[v] < 0 || parent[v] > (int)v) fail("parent", v, parent[v], (double)v);
    agree("component", v, least[(size_t)parent[v]], least[v]);
  }
}
