#include "window_maxima.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(3000), w = d.size(70);
  std::vector<T> x = d.some<T>(n), y = d.some<T>(n);
  call(f, window_maxima_workspace_init, x.data(), n, w, y.data());
  for (uint64_t i = 0; i < n; i++) agree("y", i, y[i], *std::max_element(x.begin() + (long)(i > w ? i - w : 0),
          x.begin() + (long)i + 1));
}

static void once(Draw &d) {
  one<float>(d, window_maxima_float);
  one<int>(d, window_maxima_int);
}
