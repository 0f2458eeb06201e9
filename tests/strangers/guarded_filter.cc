#include "guarded_filter.h"
#include "stranger.h"

static void once(Draw &d) {
  const uint64_t n = d.length(20000), words = d.size(300);
  std::vector<unsigned> keys(n), filter(words);
  for (unsigned &k : keys) k = (unsigned)d.bits();
  for (unsigned &w : filter) w = (unsigned)(d.bits() & d.bits());
  std::vector<unsigned> want = filter;
  call(guarded_filter_int, guarded_filter_workspace_init, keys.data(), n, filter.data(), words);
  for (uint64_t i = 0; i < n && words; i++)
    for (unsigned h = 0; h < 3; h++) {
      const unsigned x = (keys[i] ^ h * 40503u) * 2654435761u, bit = x ^ (x >> 15);
      want[(bit >> 5) % words] |= 1u << (bit & 31);
    }
  for (uint64_t i = 0; i < words; i++) agree("filter", i, filter[i], want[i]);
}
