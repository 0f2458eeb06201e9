#include "given_runs.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = 1 + d.size(20000), rows = d.size(300);
  std::vector<T> x = d.some<T>(n), y = d.some<T>(rows), tops = d.some<T>(rows);
  std::vector<int> starts = d.places(rows, n), lengths(rows), ends(rows);
  std::vector<long long> begins(rows);
  for (uint64_t i = 0; i < rows; i++) {
    lengths[i] = (int)(d.bits() % (n - (uint64_t)starts[i] + 1));
    begins[i] = (long long)(d.bits() % n);
    ends[i] = (int)begins[i] + (int)(d.bits() % (n - (uint64_t)begins[i] + 1));
  }
  call(f, given_runs_workspace_init, lengths.data(), rows, starts.data(), begins.data(), ends.data(), x.data(), n, y.data(),
       tops.data());
  for (uint64_t i = 0; i < rows; i++) {
    double want = 0, all = 0, top = -HUGE_VAL;
    for (int k = 0; k < lengths[i]; k++) {
      want += (double)x[(uint64_t)(starts[i] + k)] * k;
      all += fabs((double)x[(uint64_t)(starts[i] + k)] * k);
    }
    for (long long e = begins[i]; e < ends[i]; e++) top = std::max(top, (double)x[(uint64_t)e]);
    agree("y", i, y[i], want, all);
    agree("tops", i, tops[i], top);
  }
}

static void once(Draw &d) {
  one<float>(d, given_runs_float);
  one<double>(d, given_runs_double);
}
