#include "joint_histogram.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(20000);
  Matrix<T> H(d, d.size(40), d.size(40)), before = H;
  std::vector<double> want(H.at.begin(), H.at.end()), all(H.at.size(), 8);
  std::vector<int> a = d.places(n, 45), b = d.places(n, 45);
  std::vector<T> w = d.some<T>(n);
  call(f, joint_histogram_workspace_init, a.data(), n, b.data(), w.data(), H.at.data(), H.rows, H.columns, H.leading);
  for (uint64_t i = 0; i < n; i++)
    if ((uint64_t)a[i] < H.rows && (uint64_t)b[i] < H.columns) {
      want[(uint64_t)a[i] * H.leading + (uint64_t)b[i]] += w[i];
      all[(uint64_t)a[i] * H.leading + (uint64_t)b[i]] += 8;
    }
  for (uint64_t i = 0; i < H.at.size(); i++) agree("H", i, H.at[i], want[i], all[i]);
  intact("between the rows of H", H, before);
}

static void once(Draw &d) {
  one<float>(d, joint_histogram_float);
  one<int>(d, joint_histogram_int);
}
