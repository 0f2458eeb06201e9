#include "segment_means.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.size(20000), segments = d.size(300);
  std::vector<T> in = d.some<T>(n), out = d.some<T>(segments);
  std::vector<long long> offsets(segments + 1);
  for (long long &x : offsets) x = (long long)(d.bits() % (n + 1));
  std::sort(offsets.begin(), offsets.end());
  call(f, segment_means_workspace_init, in.data(), n, offsets.data(), segments + 1, out.data(), segments);
  for (uint64_t s = 0; s < segments; s++) {
    double sum = 0, all = 0;
    const double count = (double)(offsets[s + 1] - offsets[s]);
    for (long long i = offsets[s]; i < offsets[s + 1]; i++) {
      sum += in[(uint64_t)i];
      all += fabs((double)in[(uint64_t)i]);
    }
    const double want = count > 0 ? sum / count : 0;
    agree("out", s, out[s], std::is_floating_point_v<T> ? want : trunc(want), count > 0 ? all / count : 0);
  }
}

static void once(Draw &d) {
  one<float>(d, segment_means_float);
  one<int>(d, segment_means_int);
}
