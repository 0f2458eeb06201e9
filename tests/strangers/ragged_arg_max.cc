#include "ragged_arg_max.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(20000), rows = d.size(300);
  const std::vector<T> x = d.some<T>(n);
  const std::vector<int> offsets = d.offsets(rows, n);
  std::vector<long long> y(rows, 77);
  call(f, ragged_arg_max_workspace_init, x.data(), n, offsets.data(), rows + 1, y.data(), rows);
  for (uint64_t r = 0; r < rows; r++) {
    const auto first = x.begin() + offsets[r], end = x.begin() + offsets[r + 1];
    agree("y", r, y[r], first == end ? -1 : (double)(std::max_element(first, end) - first));
  }
}

static void once(Draw &d) {
  one<float>(d, ragged_arg_max_float);
  one<int>(d, ragged_arg_max_int);
}
