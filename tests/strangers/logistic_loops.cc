#include "logistic_loops.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> X(d, d.size(400), d.size(60));
  std::vector<T> w = d.some<T>(X.columns), labels(X.rows), g(X.columns, T(1));
  for (T &x : labels) x = (T)(d.bits() % 2);
  for (T &x : w) x /= 64;
  std::vector<double> want(X.columns, 1), all(X.columns, 1);
  for (uint64_t i = 0; i < X.rows; i++) {
    double score = 0;
    for (uint64_t j = 0; j < X.columns; j++) score += (double)X(i, j) * (double)w[j];
    const double r = 1 / (1 + exp(-score)) - (double)labels[i];
    for (uint64_t j = 0; j < X.columns; j++) want[j] += r * (double)X(i, j), all[j] += fabs((double)X(i, j));
  }
  call(f, logistic_loops_workspace_init, X.at.data(), X.rows, X.columns, X.leading, w.data(), labels.data(), g.data());
  for (uint64_t j = 0; j < X.columns; j++) agree("g", j, g[j], want[j], all[j]); // it is added to what is there
}

static void once(Draw &d) {
  one<float>(d, logistic_loops_float);
  one<double>(d, logistic_loops_double);
}
