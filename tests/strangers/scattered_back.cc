#include "scattered_back.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t rows = d.size(500), edges = d.size(5000), columns = 1 + d.size(300);
  const std::vector<int> offsets = d.offsets(rows, edges), places = d.places(edges, columns);
  const std::vector<T> values = d.some<T>(edges), x = d.some<T>(rows);
  std::vector<T> y = d.some<T>(columns);
  std::vector<double> want(columns), all(columns);
  call(f, scattered_back_workspace_init, offsets.data(), rows + 1, places.data(), edges, values.data(), x.data(), rows,
       y.data(), columns);
  for (uint64_t i = 0; i < rows; i++)
    for (int e = offsets[i]; e < offsets[i + 1]; e++) {
      const double v = (double)values[(size_t)e] * (double)x[i];
      want[(size_t)places[(size_t)e]] += v;
      all[(size_t)places[(size_t)e]] += fabs(v);
    }
  for (uint64_t j = 0; j < columns; j++) agree("y", j, y[j], want[j], all[j]);
}

static void once(Draw &d) {
  one<float>(d, scattered_back_float);
  one<int>(d, scattered_back_int);
}
