#include "scan_and_scale.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(20000), segments = d.size(300);
  std::vector<T> in(n), out = d.some<T>(n), before = out;
  for (T &x : in) x = (T)(d.bits() % 8 + 1);
  std::vector<long long> offsets(segments + 1);
  for (long long &x : offsets) x = (long long)(d.bits() % (n + 1));
  std::sort(offsets.begin(), offsets.end());
  call(f, scan_and_scale_workspace_init, in.data(), n, offsets.data(), segments + 1, out.data());
  std::vector<double> want(before.begin(), before.end());
  for (uint64_t s = 0; s < segments; s++) {
    double sum = 0;
    for (long long i = offsets[s]; i < offsets[s + 1]; i++) want[(size_t)i] = sum += in[(size_t)i];
    for (long long i = offsets[s]; i < offsets[s + 1]; i++) {
      want[(size_t)i] = want[(size_t)i] * 16 / sum;
      if (!std::is_floating_point_v<T>) want[(size_t)i] = trunc(want[(size_t)i]);
    }
  }
  for (uint64_t i = 0; i < n; i++) agree("out", i, out[i], want[i]);
}

static void once(Draw &d) {
  one<float>(d, scan_and_scale_float);
  one<int>(d, scan_and_scale_int);
}
