#include "log_loss.h"
#include "stranger.h"

#include <cmath>

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.size(20000);
  std::vector<T> x = d.some<T>(n), y = d.some<T>(n);
  T found = -1;
  call(f, log_loss_workspace_init, x.data(), n, y.data(), &found);
  long double sum = 0;
  for (uint64_t i = 0; i < n; i++) sum += std::log1p(std::exp(-(long double)x[i] * y[i]));
  agree("loss", n, found, (double)sum);
}

static void once(Draw &d) {
  one<float>(d, log_loss_float);
  one<double>(d, log_loss_double);
}
