#include "life.h"
#include "stranger.h"

static void once(Draw &d) {
  Matrix<int> A(d, d.length(100), d.length(100)), B(d, A.rows, A.columns), before = B;
  call(life_int, life_workspace_init, A.at.data(), A.rows, A.columns, A.leading, B.at.data(), B.leading);
  for (uint64_t i = 0; i < A.rows; i++)
    for (uint64_t j = 0; j < A.columns; j++) {
      int around = 0;
      for (int k = 0; k < 9; k++)
        if (k != 4) around += A((i + A.rows + (uint64_t)k / 3 - 1) % A.rows,
                                (j + A.columns + (uint64_t)k % 3 - 1) % A.columns) & 1;
      agree("B", i * A.columns + j, B(i, j), around == 3 || (around == 2 && (A(i, j) & 1)));
    }
  intact("between the rows of B", B, before);
}
