#include "slopes.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> A(d, d.size(70), d.size(70)), down(d, A.rows, A.columns), across(d, A.rows, A.columns);
  Matrix<T> above = down, beside = across;
  call(f, slopes_workspace_init, A.at.data(), A.rows, A.columns, A.leading, down.at.data(), down.leading,
       across.at.data(), across.leading);
  intact("down", down, above);
  intact("across", across, beside);
  for (uint64_t i = 0; i < A.rows; i++)
    for (uint64_t j = 0; j < A.columns; j++) {
      const bool inner = i + 2 < A.rows && j > 0 && j + 1 < A.columns;
      const double first = inner ? (double)A(i + 2, j) - 2 * (double)A(i + 1, j) + A(i, j) : (double)above(i, j);
      const double most = inner ? std::max((double)A(i, j + 1), (double)A(i, j - 1)) : (double)beside(i, j);
      agree("down", i * A.columns + j, down(i, j), first, inner ? 32 : 0);
      agree("across", i * A.columns + j, across(i, j), most);
    }
}

static void once(Draw &d) {
  one<float>(d, slopes_float);
  one<int>(d, slopes_int);
}
