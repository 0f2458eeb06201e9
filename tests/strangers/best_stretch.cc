#include "best_stretch.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const std::vector<T> x = d.some<T>(d.length(5000));
  T got;
  double best = 0, here = 0, all = 0;
  call(f, best_stretch_workspace_init, x.data(), (uint64_t)x.size(), &got);
  for (T v : x) here = std::max(here + (double)v, 0.0), best = std::max(best, here), all += fabs((double)v);
  agree("best", 0, got, best, all);
}

static void once(Draw &d) {
  one<float>(d, best_stretch_float);
  one<int>(d, best_stretch_int);
}
