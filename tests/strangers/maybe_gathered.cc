#include "maybe_gathered.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<int> at(d, d.length(200), d.length(300));
  const uint64_t n = d.length(100);
  for (int &p : at.at) p = d.bits() % 2 ? (int)(d.bits() % 200) - 50 : (int)d.bits();
  std::vector<T> x = d.some<T>(n), y = d.some<T>(at.columns);
  call(f, maybe_gathered_workspace_init, at.at.data(), at.rows, at.columns, at.leading, x.data(), n, y.data());
  for (uint64_t c = 0; c < at.columns; c++) {
    double sum = 0;
    for (uint64_t r = 0; r < at.rows; r++)
      if (at(r, c) >= 0 && (uint64_t)at(r, c) < n) sum += x[(uint64_t)at(r, c)];
    agree("y", c, y[c], sum, 8.0 * (double)at.rows);
  }
}

static void once(Draw &d) {
  one<float>(d, maybe_gathered_float);
  one<int>(d, maybe_gathered_int);
}
