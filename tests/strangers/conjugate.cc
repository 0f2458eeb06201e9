#include "conjugate.h"
#include "stranger.h"

// What comes out solves the equations.
static void once(Draw &d) {
  const uint64_t n = d.size(150);
  Matrix<double> A(d, n, n);
  for (uint64_t i = 0; i < n; i++)
    for (uint64_t j = 0; j <= i; j++) A(i, j) = A(j, i) = i == j ? 20.0 * (double)n + A(i, j) : A(i, j);
  const std::vector<double> b = d.some<double>(n);
  std::vector<double> x(n, 0);
  double left = -1;
  call(conjugate_double, conjugate_workspace_init, b.data(), n, A.at.data(), A.leading, 200, 1e-20, x.data(), &left);
  if (!(left <= 1e-20)) fail("left", 0, left, 0);
  for (uint64_t i = 0; i < n; i++) {
    double ax = 0;
    for (uint64_t j = 0; j < n; j++) ax += A(i, j) * x[j];
    agree("b", i, ax, b[i], 1);
  }
}
