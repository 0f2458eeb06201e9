#include "spread_out.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  std::vector<T> x = d.some<T>(1 + d.length(2000)), w = d.some<T>(1 + d.size(40)),
                 y = d.some<T>(x.size() + w.size() - 1);
  std::vector<double> want(y.begin(), y.end()), all(y.size(), 8);
  call(f, spread_out_workspace_init, x.data(), x.size(), w.data(), w.size(), y.data(), y.size());
  for (uint64_t i = 0; i < x.size(); i++)
    for (uint64_t k = 0; k < w.size(); k++) {
      want[i + k] += (double)x[i] * w[k];
      all[i + k] += fabs((double)x[i] * w[k]);
    }
  for (uint64_t i = 0; i < y.size(); i++) agree("y", i, y[i], want[i], all[i]);
}

static void once(Draw &d) {
  one<float>(d, spread_out_float);
  one<int>(d, spread_out_int);
}
