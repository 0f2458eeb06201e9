#include "welford.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const std::vector<T> x = d.some<T>(d.length(5000));
  T got;
  double mean = 0, squares = 0;
  call(f, welford_workspace_init, x.data(), (uint64_t)x.size(), &got);
  for (T v : x) mean += (double)v / (double)x.size();
  for (T v : x) squares += ((double)v - mean) * ((double)v - mean);
  agree("variance", 0, got, x.size() > 1 ? squares / (double)(x.size() - 1) : 0, 64);
}

static void once(Draw &d) {
  one<float>(d, welford_float);
  one<double>(d, welford_double);
}
