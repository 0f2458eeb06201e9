#include "energies.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.size(20000);
  std::vector<T> in = d.some<T>(n), out = d.some<T>(n);
  call(f, energies_workspace_init, in.data(), n, out.data());
  double sum = 0;
  for (uint64_t i = 0; i < n; i++) {
    sum += (double)in[i] * in[i];
    agree("out", i, out[i], sum);
  }
}

static void once(Draw &d) {
  one<float>(d, energies_float);
  one<int>(d, energies_int);
}
