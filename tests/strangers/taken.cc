#include "stranger.h"
#include "taken.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.size(90), d.size(90));
  Matrix<unsigned> from(d, A.rows, A.columns);
  for (unsigned &x : from.at) x = (unsigned)d.bits();
  std::vector<T> stock = d.some<T>(9), least = d.some<T>(2), least_now = least;
  std::vector<unsigned> bits(9, 0xfffffff7u), bits_now = bits;
  std::vector<double> want(stock.begin(), stock.end()), all(9, 8);
  call(f, taken_workspace_init, A.at.data(), A.rows, A.columns, A.leading, from.at.data(), from.leading, stock.data(),
       9, least.data(), 2, bits.data(), 9);
  for (uint64_t i = 0; i < A.rows; i++)
    for (uint64_t j = 0; j < A.columns; j++) {
      const unsigned x = from(i, j);
      want[x % 9] -= A(i, j);
      all[x % 9] += fabs((double)A(i, j));
      least_now[x % 2] = std::min(least_now[x % 2], A(i, j));
      bits_now[x % 9] &= x;
    }
  for (uint64_t k = 0; k < 9; k++) agree("stock", k, stock[k], want[k], all[k]);
  for (uint64_t k = 0; k < 9; k++) agree("bits", k, bits[k], bits_now[k]);
  for (uint64_t k = 0; k < 2; k++) agree("least", k, least[k], least_now[k]);
}

static void once(Draw &d) {
  one<float>(d, taken_float);
  one<int>(d, taken_int);
}
