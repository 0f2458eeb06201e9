#include "stranger.h"
#include "weighted_pairs.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.size(20), m = d.size(20), l = d.size(20), rows = d.size(9), bits = d.size(9);
  std::vector<unsigned> x(n * m * l), seen(bits, 1), marks = seen;
  for (unsigned &v : x) v = (unsigned)d.bits();
  std::vector<T> w = d.some<T>(x.size());
  Matrix<T> bins(d, rows, 7), before = bins;
  call(f, weighted_pairs_workspace_init, x.data(), n, m, l, m * l, l, w.data(), m * l, l, bins.at.data(), rows, 7,
       bins.leading, seen.data(), bits);
  intact("bins", bins, before);
  std::vector<double> want(rows * 7), all(rows * 7, 8);
  for (uint64_t i = 0; i < want.size(); i++) want[i] = before(i / 7, i % 7);
  for (uint64_t i = 0; i + 1 < x.size(); i++) {
    if (i % l == l - 1) continue;
    if (bits) marks[x[i] % bits] |= 1u << x[i] % 32;
    if (!rows) continue;
    const uint64_t at = x[i] % rows * 7 + x[i + 1] % 7;
    want[at] += w[i];
    all[at] += fabs((double)w[i]);
  }
  for (uint64_t i = 0; i < want.size(); i++) agree("bins", i, bins(i / 7, i % 7), want[i], all[i]);
  for (uint64_t i = 0; i < bits; i++) agree("seen", i, seen[i], marks[i]);
}

static void once(Draw &d) {
  one<float>(d, weighted_pairs_float);
  one<int>(d, weighted_pairs_int);
}
