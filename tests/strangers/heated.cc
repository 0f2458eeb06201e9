#include "heated.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t rows = d.size(60), columns = d.size(600);
  Matrix<T> A(d, rows, columns), Y(d, rows, columns);
  const Matrix<T> before = Y;
  const T heat = (T)(1 + d.size(3));
  call(f, heated_workspace_init, A.at.data(), rows, columns, A.leading, heat, Y.at.data(), Y.leading);
  for (uint64_t i = 0; i < rows; i++) {
    double all = 0, top = -1e30;
    for (uint64_t j = 0; j < columns; j++) top = fmax(top, (double)A(i, j));
    for (uint64_t j = 0; j < columns; j++) all += exp(((double)A(i, j) - top) / (double)heat);
    for (uint64_t j = 0; j < columns; j++)
      agree("Y", i * columns + j, Y(i, j), exp(((double)A(i, j) - top) / (double)heat) / all);
  }
  intact("Y", Y, before);
}

static void once(Draw &d) {
  one<float>(d, heated_float);
  one<double>(d, heated_double);
}
