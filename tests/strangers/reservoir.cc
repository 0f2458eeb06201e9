#include "reservoir.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const std::vector<T> weights = d.some<T>(d.length(5000)), u = d.some<T>(weights.size());
  long long got, want = -1;
  T best = -std::numeric_limits<T>::infinity();
  call(f, reservoir_workspace_init, weights.data(), (uint64_t)weights.size(), u.data(), &got);
  for (size_t i = 0; i < weights.size(); i++) {
    const T key = weights[i] > 0 ? (u[i] - 9) / weights[i] : best;
    if (key > best) best = key, want = (long long)i;
  }
  agree("pick", 0, got, (double)want);
}

static void once(Draw &d) {
  one<float>(d, reservoir_float);
  one<double>(d, reservoir_double);
}
