#include "neighbour_jumps.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(20000);
  std::vector<T> x = d.some<T>(n);
  T got = 3;
  double sum = 0, all = 0;
  call(f, neighbour_jumps_workspace_init, x.data(), n, &got);
  for (uint64_t i = 0; i + 1 < n; i++) {
    const double one = fabs((double)x[i + 1] - x[i]) * (i < 6 ? (double)i + 3 : 9);
    sum += one;
    all += one;
  }
  agree("out", 0, got, sum, all);
}

static void once(Draw &d) {
  one<float>(d, neighbour_jumps_float);
  one<int>(d, neighbour_jumps_int);
}
