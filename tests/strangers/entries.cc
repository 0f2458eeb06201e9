#include "entries.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(5000), rows = 1 + d.size(90), columns = 1 + d.size(90);
  std::vector<int> row(n), column(n);
  for (uint64_t e = 0; e < n; e++) row[e] = (int)(d.bits() % rows), column[e] = (int)(d.bits() % columns);
  std::vector<T> value = d.some<T>(n), x = d.some<T>(columns), y = d.some<T>(rows);
  std::vector<double> want(y.begin(), y.end()), size(rows);
  call(f, entries_workspace_init, row.data(), n, column.data(), value.data(), x.data(), columns, y.data(), rows);
  for (uint64_t e = 0; e < n; e++) {
    const double v = (double)value[e] * x[column[e]];
    want[row[e]] += v, size[row[e]] += std::fabs(v);
  }
  for (uint64_t i = 0; i < rows; i++) agree("y", i, y[i], want[i], size[i]);
}

static void once(Draw &d) {
  one<float>(d, entries_float);
  one<int>(d, entries_int);
}
