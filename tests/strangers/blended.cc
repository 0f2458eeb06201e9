#include "blended.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t size0 = d.size(9), size1 = d.size(40), size2 = d.length(70);
  const uint64_t row = size2 + d.size(3), plane = size1 * row + d.size(5);
  const uint64_t own_row = size2 + d.size(3), own_plane = size1 * own_row + d.size(5);
  const std::vector<T> X = d.some<T>(size0 * plane);
  std::vector<T> Y = d.some<T>(size0 * own_plane), before = Y;
  const T a = d.one<T>();
  call(f, blended_workspace_init, X.data(), size0, size1, size2, plane, row, a, Y.data(), own_plane, own_row);
  for (uint64_t i = 0; i < size0; i++)
    for (uint64_t j = 0; j < size1; j++)
      for (uint64_t k = 0; k < size2; k++) {
        const uint64_t at = i * own_plane + j * own_row + k;
        const double x = (double)X[i * plane + j * row + k];
        agree("Y", at, Y[at], (double)a * x + (double)before[at], fabs((double)a * x) + fabs((double)before[at]));
        before[at] = Y[at];
      }
  for (uint64_t i = 0; i < Y.size(); i++) agree("between the rows of Y", i, Y[i], (double)before[i]);
}

static void once(Draw &d) {
  one<float>(d, blended_float);
  one<int>(d, blended_int);
}
