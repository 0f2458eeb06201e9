#include "weighted_segments.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(20000), segments = d.length(300);
  std::vector<T> x = d.some<T>(n), v = d.some<T>(n), weights = d.some<T>(segments), y = d.some<T>(segments);
  std::vector<long long> offsets(segments + 1);
  for (long long &o : offsets) o = (long long)(d.bits() % (n + 1));
  std::sort(offsets.begin(), offsets.end());
  call(f, weighted_segments_workspace_init, x.data(), n, v.data(), offsets.data(), segments + 1, weights.data(),
       segments, y.data(), segments);
  for (uint64_t s = 0; s < segments; s++) {
    double sum = 0, all = 0;
    for (size_t i = (size_t)offsets[s]; i < (size_t)offsets[s + 1]; i++) {
      const double e = ((double)x[i] - v[i]) * weights[s];
      sum += e;
      all += fabs(e) + 64;
    }
    agree("y", s, y[s], sum, all);
  }
}

static void once(Draw &d) {
  one<float>(d, weighted_segments_float);
  one<int>(d, weighted_segments_int);
}
