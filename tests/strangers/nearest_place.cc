#include "nearest_place.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> points(d, d.length(2000), d.size(9));
  for (T &x : points.at) x = (T)((int)x); // distances are exact
  std::vector<T> q = d.some<T>(points.columns);
  for (T &x : q) x = (T)((int)x);
  int got, want = -1;
  double best = INFINITY;
  call(f, nearest_place_workspace_init, points.at.data(), points.rows, points.columns, points.leading, q.data(), &got);
  for (uint64_t p = 0; p < points.rows; p++) {
    double sum = 0;
    for (uint64_t j = 0; j < points.columns; j++) sum += pow((double)points(p, j) - (double)q[j], 2);
    if (sum < best) best = sum, want = (int)p;
  }
  agree("place", 0, got, want);
}

static void once(Draw &d) {
  one<float>(d, nearest_place_float);
  one<double>(d, nearest_place_double);
}
