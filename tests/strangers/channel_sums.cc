#include "channel_sums.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.size(6), c = d.size(9), rows = d.size(30), columns = d.size(30);
  std::vector<T> x = d.some<T>(n * c * rows * columns), sums = d.some<T>(c);
  std::vector<double> want(sums.begin(), sums.end()), all(c, 8);
  call(f, channel_sums_workspace_init, x.data(), n, c, rows, columns, c * rows * columns, rows * columns, columns,
       sums.data());
  for (uint64_t i = 0; i < x.size(); i++) {
    const uint64_t channel = i / (rows * columns) % c;
    want[channel] += x[i];
    all[channel] += fabs((double)x[i]);
  }
  for (uint64_t i = 0; i < c; i++) agree("sums", i, sums[i], want[i], all[i]);
}

static void once(Draw &d) {
  one<float>(d, channel_sums_float);
  one<int>(d, channel_sums_int);
}
