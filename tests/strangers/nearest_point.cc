#include "nearest_point.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t features = d.size(9);
  Matrix<T> points(d, d.size(300), features), queries(d, d.size(60), features);
  std::vector<long long> nearest(queries.rows, -7);
  call(f, nearest_point_workspace_init, queries.at.data(), queries.rows, features, queries.leading, points.at.data(),
       points.rows, points.leading, nearest.data());
  for (uint64_t q = 0; q < queries.rows && points.rows; q++) {
    double least = INFINITY;
    std::vector<double> all;
    for (uint64_t p = 0; p < points.rows; p++) {
      double sum = 0;
      for (uint64_t j = 0; j < features; j++) sum += pow((double)points(p, j) - (double)queries(q, j), 2);
      all.push_back(sum);
      least = std::min(least, sum);
    }
    agree("nearest", q, (T)all[(size_t)nearest[q]], least);
  }
}

static void once(Draw &d) {
  one<float>(d, nearest_point_float);
  one<double>(d, nearest_point_double);
}
