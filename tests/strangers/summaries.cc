#include "summaries.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(20000), bins = 1 + d.size(300);
  const std::vector<int> at = d.places(n, bins);
  std::vector<T> x = d.some<T>(n), w = d.some<T>(n), sums = d.some<T>(bins), most = d.some<T>(bins),
      least = d.some<T>(bins);
  std::vector<unsigned> counts(bins, 5), n_of(counts);
  std::vector<double> sum(sums.begin(), sums.end()), all(bins, 8), high(most.begin(), most.end()), low(least.begin(),
          least.end());
  call(f, summaries_workspace_init, at.data(), n, x.data(), w.data(), counts.data(), bins, sums.data(), most.data(),
       least.data());
  for (uint64_t i = 0; i < n; i++) {
    const size_t b = (size_t)at[i];
    n_of[b]++;
    sum[b] += (double)x[i] * w[i];
    all[b] += fabs((double)x[i] * w[i]);
    high[b] = std::max(high[b], (double)x[i]);
    low[b] = std::min(low[b], (double)x[i]);
  }
  for (uint64_t b = 0; b < bins; b++) {
    agree("counts", b, counts[b], n_of[b]);
    agree("sums", b, sums[b], sum[b], all[b]);
    agree("most", b, most[b], high[b]);
    agree("least", b, least[b], low[b]);
  }
}

static void once(Draw &d) {
  one<float>(d, summaries_float);
  one<int>(d, summaries_int);
}
