#include "batch_norm.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t rows = 1 + d.length(200), columns = d.length(200);
  Matrix<T> X(d, rows, columns), Y(d, rows, columns), before = Y;
  const std::vector<T> gain = d.some<T>(columns), bias = d.some<T>(columns);
  call(f, batch_norm_workspace_init, X.at.data(), rows, columns, X.leading, gain.data(), bias.data(), (T)0.5,
       Y.at.data(), Y.leading);
  for (uint64_t j = 0; j < columns; j++) {
    double mean = 0, variance = 0;
    for (uint64_t i = 0; i < rows; i++) mean += X(i, j);
    mean /= (double)rows;
    for (uint64_t i = 0; i < rows; i++) variance += (X(i, j) - mean) * (X(i, j) - mean);
    const double scale = gain[j] / sqrt(variance / (double)rows + 0.5);
    for (uint64_t i = 0; i < rows; i++)
      agree("Y", i * columns + j, Y(i, j), (X(i, j) - mean) * scale + bias[j], fabs(8 * scale) + fabs(bias[j]));
  }
  intact("between the rows of Y", Y, before);
}

static void once(Draw &d) {
  one<float>(d, batch_norm_float);
  one<double>(d, batch_norm_double);
}
