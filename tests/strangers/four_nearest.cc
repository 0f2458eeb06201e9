#include "four_nearest.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t features = d.size(9);
  Matrix<T> points(d, d.size(300), features), queries(d, d.size(60), features);
  std::vector<int> nearest(queries.rows * 4, -7);
  std::vector<T> far(queries.rows * 4);
  call(f, four_nearest_workspace_init, points.at.data(), points.rows, features, points.leading, queries.at.data(),
       queries.rows, queries.leading, nearest.data(), UINT64_C(4), UINT64_C(4), far.data(), UINT64_C(4));
  for (uint64_t q = 0; q < queries.rows; q++) {
    std::vector<double> all;
    for (uint64_t p = 0; p < points.rows; p++) {
      double sum = 0;
      for (uint64_t j = 0; j < features; j++) sum += pow((double)points(p, j) - (double)queries(q, j), 2);
      all.push_back(sum);
    }
    std::vector<double> sorted = all;
    std::sort(sorted.begin(), sorted.end());
    for (uint64_t k = 0; k < 4; k++) {
      const int at = nearest[q * 4 + k];
      if (k >= points.rows) agree("nothing", q * 4 + k, at, -1);
      else agree("distance", q * 4 + k, far[q * 4 + k], sorted[k]), agree("place", q * 4 + k, (T)all[(size_t)at], sorted[k]);
    }
  }
}

static void once(Draw &d) {
  one<float>(d, four_nearest_float);
  one<int>(d, four_nearest_int);
}
