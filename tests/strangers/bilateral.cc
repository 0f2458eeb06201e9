#include "bilateral.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.size(60), d.size(60)), near(d, d.size(4), d.size(4)), B(d, A.rows, A.columns), before = B;
  for (T &x : near.at) x = x < 0 ? -x : x;
  const T alike = d.one<T>();
  call(f, bilateral_workspace_init, A.at.data(), A.rows, A.columns, A.leading, near.at.data(), near.rows, near.columns,
       near.leading, alike, B.at.data(), B.leading);
  intact("B", B, before);
  for (uint64_t i = 0; i < B.rows; i++)
    for (uint64_t j = 0; j < B.columns; j++) {
      T sum = 0, weights = 0, size = 0;
      for (uint64_t k = 0; k < near.rows; k++)
        for (uint64_t l = 0; l < near.columns; l++) {
          const T other = A(std::min(i + k, A.rows - 1), std::min(j + l, A.columns - 1)) - A(i, j);
          if (other > alike || other < -alike) continue;
          sum += near(k, l) * other;
          size += (T)fabs((double)(near(k, l) * other));
          weights += near(k, l) * near(k, l);
        }
      const T want = A(i, j) + sum / (1 + weights);
      agree("B", i * B.columns + j, B(i, j), want, fabs((double)A(i, j)) + (double)size);
    }
}

static void once(Draw &d) {
  one<float>(d, bilateral_float);
  one<int>(d, bilateral_int);
}
