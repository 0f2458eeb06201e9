#include "plain_clusters.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(1000), m = d.size(20), size = d.size(20);
  Matrix<T> x(d, n, size), c(d, m, size), sums(d, m, size), before = sums;
  for (T &v : x.at) v = (T)((int)(d.bits() % 19) - 9); /* squares of small whole numbers are exact */
  for (T &v : c.at) v = (T)((int)(d.bits() % 19) - 9);
  std::vector<int> labels(n), counts = d.places(m, 9), want = counts;
  call(f, plain_clusters_workspace_init, x.at.data(), n, size, x.leading, c.at.data(), m, c.leading, labels.data(),
       sums.at.data(), sums.leading, counts.data());
  Matrix<double> all(d, m, size);
  for (uint64_t k = 0; k < m; k++)
    for (uint64_t j = 0; j < size; j++) all(k, j) = before(k, j);
  for (uint64_t i = 0; i < n; i++) {
    int best = -1;
    double least = 0;
    for (uint64_t k = 0; k < m; k++) {
      double far = 0;
      for (uint64_t j = 0; j < size; j++) far += ((double)x(i, j) - c(k, j)) * ((double)x(i, j) - c(k, j));
      if (best < 0 || far < least) best = (int)k, least = far;
    }
    agree("labels", i, labels[i], best);
    if (best >= 0) want[best]++;
    for (uint64_t j = 0; j < size && best >= 0; j++) all(best, j) += x(i, j);
  }
  for (uint64_t k = 0; k < m; k++) {
    agree("counts", k, counts[k], want[k]);
    for (uint64_t j = 0; j < size; j++) agree("sums", k * size + j, sums(k, j), all(k, j), 9.0 * (double)n);
  }
  intact("sums", sums, before);
}

static void once(Draw &d) {
  one<float>(d, plain_clusters_float);
  one<int>(d, plain_clusters_int);
}
