#include "ragged_softmax.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(20000), rows = d.size(300);
  const std::vector<T> x = d.some<T>(n);
  const std::vector<int> offsets = d.offsets(rows, n);
  std::vector<T> y(n, 77);
  std::vector<double> want(n, 77); /* in no row: as it was */
  call(f, ragged_softmax_workspace_init, x.data(), n, offsets.data(), rows + 1, y.data());
  for (uint64_t r = 0; r < rows; r++) {
    const uint64_t first = (uint64_t)offsets[r], end = (uint64_t)offsets[r + 1];
    double total = 0;
    for (uint64_t i = first; i < end; i++) total += exp((double)x[i]);
    for (uint64_t i = first; i < end; i++) want[i] = exp((double)x[i]) / total;
  }
  for (uint64_t i = 0; i < n; i++) agree("y", i, y[i], want[i]);
}

static void once(Draw &d) {
  one<float>(d, ragged_softmax_float);
  one<double>(d, ragged_softmax_double);
}
