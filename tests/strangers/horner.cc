#include "horner.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.size(20000), terms = d.size(5);
  std::vector<T> x = d.some<T>(n), c = d.some<T>(terms), y = d.some<T>(n);
  call(f, horner_workspace_init, x.data(), n, c.data(), terms, y.data());
  for (uint64_t i = 0; i < n; i++) {
    double sum = 0, all = 0;
    for (uint64_t k = 0; k < terms; k++) {
      const double term = c[k] * pow((double)x[i], (double)(terms - 1 - k));
      sum += term;
      all += fabs(term);
    }
    agree("y", i, y[i], sum, all);
  }
}

static void once(Draw &d) {
  one<float>(d, horner_float);
  one<int>(d, horner_int);
}
