#include "string_hash.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(20000), rows = d.size(300);
  std::vector<T> x(n);
  for (T &c : x) c = (T)d.bits();
  const std::vector<int> offsets = d.offsets(rows, n);
  std::vector<unsigned> y(rows, 77);
  call(f, string_hash_workspace_init, x.data(), n, offsets.data(), rows + 1, y.data(), rows);
  for (uint64_t r = 0; r < rows; r++) {
    unsigned want = 0;
    for (int i = offsets[r]; i < offsets[r + 1]; i++) want = want * 31 + x[(uint64_t)i];
    agree("y", r, y[r], want);
  }
}

static void once(Draw &d) {
  one<unsigned char>(d, string_hash_uint8);
}
