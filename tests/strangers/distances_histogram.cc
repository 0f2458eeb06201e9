#include "distances_histogram.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.size(300), m = d.size(200);
  std::vector<T> x = d.some<T>(n), y = d.some<T>(n);
  for (T &v : x) v = std::floor(v); /* so that no distance is rounded */
  for (T &v : y) v = std::floor(v);
  const T scale = (T)(d.bits() % 2 ? 0.5 : -2);
  std::vector<int> bins(m, 3), want = bins;
  call(f, distances_histogram_workspace_init, x.data(), n, y.data(), scale, bins.data(), m);
  for (uint64_t i = 0; i < n; i++)
    for (uint64_t j = 0; j < i; j++) {
      const uint64_t at = (uint64_t)(((x[i] - x[j]) * (x[i] - x[j]) + (y[i] - y[j]) * (y[i] - y[j])) * fabs(scale));
      if (at < m) want[at]++;
    }
  for (uint64_t i = 0; i < m; i++) agree("bins", i, bins[i], want[i]);
}

static void once(Draw &d) {
  one<float>(d, distances_histogram_float);
  one<double>(d, distances_histogram_double);
}
