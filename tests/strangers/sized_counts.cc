#include "sized_counts.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.size(90), d.size(90));
  std::vector<int> bins(d.size(70), 4), want = bins;
  call(f, sized_counts_workspace_init, A.at.data(), A.rows, A.columns, A.leading, bins.data(), bins.size());
  for (uint64_t i = 0; i < A.rows && bins.size(); i++)
    for (uint64_t j = 0; j < A.columns; j++)
      if (A(i, j) > (T)(i % 3)) want[(i * A.columns + j) % bins.size()]++;
  for (uint64_t k = 0; k < bins.size(); k++) agree("bins", k, bins[k], want[k]);
}

static void once(Draw &d) {
  one<float>(d, sized_counts_float);
  one<int>(d, sized_counts_int);
}
