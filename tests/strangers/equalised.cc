#include "equalised.h"
#include "stranger.h"

static void once(Draw &d) {
  Matrix<int> in(d, d.length(200), d.length(200)), out = in;
  for (int &x : in.at) x = (int)(d.bits() % 256);
  const Matrix<int> before = out;
  std::vector<int> counts(256, 7), sums(256, 7), want(256), running(256);
  call(equalised_int, equalised_workspace_init, in.at.data(), in.rows, in.columns, in.leading, counts.data(),
       UINT64_C(256), sums.data(), UINT64_C(256), out.at.data(), out.leading);
  for (uint64_t i = 0; i < in.rows; i++)
    for (uint64_t j = 0; j < in.columns; j++) want[(size_t)in(i, j)]++;
  for (int k = 0, run = 0; k < 256; k++) {
    running[(size_t)k] = run += want[(size_t)k];
    agree("counts", (uint64_t)k, counts[(size_t)k], want[(size_t)k]);
    agree("sums", (uint64_t)k, sums[(size_t)k], run);
  }
  const int all = std::max((int)(in.rows * in.columns), 1);
  for (uint64_t i = 0; i < in.rows; i++)
    for (uint64_t j = 0; j < in.columns; j++)
      agree("out", i * in.columns + j, out(i, j), running[(size_t)in(i, j)] * 255 / all);
  intact("between the rows of out", out, before);
}
