#include "above_mean.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.size(3000), m = 1 + d.size(20000);
  std::vector<T> x(n);
  for (T &one : x) one = (T)(d.bits() % 8);
  const std::vector<int> labels = d.places(m, 1000);
  T got = 0;
  call(f, above_mean_workspace_init, x.data(), n, labels.data(), m, &got);
  T sum = 0;
  for (T one : x) sum += one;
  const T mean = sum / std::max((T)n, (T)1);
  int many = 0;
  for (T one : x) many += one > mean;
  const auto top = std::max_element(labels.begin(), labels.end());
  agree("result", 0, got, (double)(many * 4 + (top - labels.begin()) + 2 * *top % 3));
}

static void once(Draw &d) {
  one<float>(d, above_mean_float);
  one<int>(d, above_mean_int);
}
