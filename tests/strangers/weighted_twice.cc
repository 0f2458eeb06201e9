#include "stranger.h"
#include "weighted_twice.h"

template <typename T> static void compare(const char *name, const std::vector<T> &x, const std::vector<T> &h,
                                          const std::vector<T> &y) {
  for (uint64_t i = 0; i < y.size(); i++) {
    double sum = 0, size = 0;
    for (uint64_t k = 0; k < h.size(); k++) {
      sum += (double)x[i + k] * h[k];
      size += fabs((double)x[i + k] * h[k]);
    }
    agree(name, i, y[i], sum, size);
  }
}

template <typename T, typename F> static void one(Draw &d, F f) {
  const std::vector<T> g = d.some<T>(1 + d.size(9)), h = d.some<T>(1 + d.size(20));
  const std::vector<T> x = d.some<T>(std::max(g.size(), h.size()) - 1 + d.size(3000));
  std::vector<T> y = d.some<T>(x.size() - g.size() + 1), z = d.some<T>(x.size() - h.size() + 1);
  call(f, weighted_twice_workspace_init, x.data(), x.size(), g.data(), g.size(), h.data(), h.size(), y.data(),
       y.size(), z.data(), z.size());
  compare("y", x, g, y);
  compare("z", x, h, z);
}

static void once(Draw &d) {
  one<float>(d, weighted_twice_float);
  one<int>(d, weighted_twice_int);
}
