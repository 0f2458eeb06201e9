#include "activations.h"
#include "stranger.h"

#include <cmath>

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.size(5000);
  std::vector<T> x = d.some<T>(n);
  Matrix<T> y(d, 4, n);
  const Matrix<T> before = y;
  call(f, activations_workspace_init, x.data(), n, y.at.data(), UINT64_C(4), y.leading);
  for (uint64_t i = 0; i < n; i++) {
    const double a = (double)x[i], b = std::fabs(a);
    agree("powers", i, y(0, i),
          std::exp(-b) + std::exp2(-b) + std::expm1(-b) + std::pow(b + 0.5, 3) + std::sqrt(b) +
              1 / std::sqrt(a * a + 1));
    agree("logarithms", i, y(1, i), std::log(b + 1) + std::log2(b + 1) + std::log1p(b), 1);
    agree("waves", i, y(2, i), std::sin(a) + std::cos(a) + std::atan(a) + std::tanh(a) + std::erf(a), 5);
    agree("pieces", i, y(3, i), std::floor(a) + 16 * std::ceil(a) + 256 * std::trunc(a) + a * a + 0.25, 3000);
  }
  intact("y", y, before);
}

static void once(Draw &d) {
  one<float>(d, activations_float);
  one<double>(d, activations_double);
}
