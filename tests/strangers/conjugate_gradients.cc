#include "conjugate_gradients.h"
#include "stranger.h"

// A symmetric matrix whose diagonal is larger than the sum of what stands beside it.
static void once(Draw &d) {
  const uint64_t n = 1 + d.size(1500);
  std::vector<std::vector<double>> beside(n);
  std::vector<std::vector<int>> at(n);
  std::vector<double> all(n, 1), values, b = d.some<double>(n), x = d.some<double>(n);
  std::vector<int> columns, offsets = {0};
  for (uint64_t k = d.size(6000); k > 0; k--) {
    const uint64_t i = d.bits() % n, j = d.bits() % n;
    const double v = d.one<double>();
    if (i == j) continue;
    for (const auto &[from, to] : {std::pair(i, j), std::pair(j, i)}) {
      beside[from].push_back(v), at[from].push_back((int)to);
      all[from] += fabs(v);
    }
  }
  for (uint64_t i = 0; i < n; i++) {
    values.push_back(all[i]), columns.push_back((int)i);
    values.insert(values.end(), beside[i].begin(), beside[i].end());
    columns.insert(columns.end(), at[i].begin(), at[i].end());
    offsets.push_back((int)values.size());
  }
  double norm = 0;
  for (double v : b) norm += v * v;
  call(conjugate_gradients_double, conjugate_gradients_workspace_init, values.data(), values.size(), columns.data(),
       offsets.data(), n + 1, b.data(), n, 1e-20 * (norm + 1), 2000, x.data());
  for (uint64_t i = 0; i < n; i++) { // A x = b
    double product = 0, sum = 0;
    for (int k = offsets[i]; k < offsets[i + 1]; k++) {
      const double one = values[(uint64_t)k] * x[(uint64_t)columns[(uint64_t)k]];
      product += one, sum += fabs(one);
    }
    agree("A x", i, product, b[i], sum + sqrt(norm));
  }
}
