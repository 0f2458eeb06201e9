#include "palindrome.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.size(20000);
  std::vector<T> x = d.some<T>(n), y = d.some<T>(n);
  T got = 5;
  double sum = 0, all = 0;
  call(f, palindrome_workspace_init, x.data(), n, y.data(), &got);
  for (uint64_t i = 0; i < n; i++) {
    sum += (double)x[i] * y[n - 1 - i];
    all += fabs((double)x[i] * y[n - 1 - i]);
  }
  agree("out", 0, got, sum, all);
}

static void once(Draw &d) {
  one<float>(d, palindrome_float);
  one<int>(d, palindrome_int);
}
