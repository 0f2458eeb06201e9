#include "row_choices.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t rows = d.length(300), columns = d.length(300);
  Matrix<T> A(d, rows, columns), C(d, rows, columns), before = C;
  for (T &x : A.at) x = (T)(int)x; // some are equal
  const std::vector<T> w = d.some<T>(columns);
  std::vector<int> first(rows, -9), last(rows, -9);
  std::vector<T> both(rows, (T)-9);
  call(f, row_choices_workspace_init, A.at.data(), rows, columns, A.leading, w.data(), first.data(), last.data(), both.data(),
       C.at.data(), C.leading);
  for (uint64_t r = 0; r < rows; r++) {
    T best = -1, weight = 0;
    long place = -3, kind = -7, least = -1;
    for (uint64_t c = 0; c < columns; c++)
      if (A(r, c) > best) best = A(r, c), place = (long)c, weight = w[c];
    for (uint64_t c = 0; c < columns; c++)
      if (least < 0 || A(r, c) <= A(r, (uint64_t)least)) least = (long)c, kind = 2 * (long)c + 1;
    agree("first", r, first[r], (double)place);
    agree("last", r, last[r], (double)kind);
    agree("both", r, both[r], (double)(weight + best));
    for (uint64_t c = 0; c < columns; c++) agree("C", r * columns + c, C(r, c), (double)(A(r, c) - best));
  }
  intact("between the rows of C", C, before);
}

static void once(Draw &d) {
  one<float>(d, row_choices_float);
  one<int>(d, row_choices_int);
}
