#include "filter_totals.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(20000);
  std::vector<T> x = d.some<T>(n), y = d.some<T>(n), out = d.some<T>(4), before = out;
  const T bound = d.bits() % 4 ? d.one<T>() : (T)100;
  call(f, filter_totals_workspace_init, x.data(), n, y.data(), bound, out.data(), (uint64_t)4);
  double sum = 0, sizes = 0, count = 0;
  T least = 0, most = 0;
  for (uint64_t i = 0; i < n; i++)
    if (x[i] > bound) {
      least = count == 0 ? y[i] : std::min(least, y[i]);
      most = count == 0 ? y[i] : std::max(most, y[i]);
      sum += y[i];
      sizes += fabs((double)y[i]);
      count++;
    }
  agree("out", 0, out[0], sum, sizes);
  agree("out", 1, out[1], count > 0 ? least : bound);
  agree("out", 2, out[2], count);
  agree("out", 3, out[3], count > 0 ? (double)most - least : before[3]);
}

static void once(Draw &d) {
  one<float>(d, filter_totals_float);
  one<int>(d, filter_totals_int);
}
