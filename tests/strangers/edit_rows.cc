#include "edit_rows.h"
#include "stranger.h"

static void once(Draw &d) {
  const uint64_t rows = d.length(60), n = d.length(60);
  Matrix<int> a(d, rows, n), b(d, rows, n), table(d, rows, n + 1), before = table;
  for (int &x : a.at) x = (int)(d.bits() % 4);
  for (int &x : b.at) x = (int)(d.bits() % 4);
  std::vector<int> far(rows);
  call(edit_rows_int, edit_rows_workspace_init, a.at.data(), rows, n, a.leading, b.at.data(), b.leading,
       table.at.data(), n + 1, table.leading, far.data());
  for (uint64_t r = 0; r < rows; r++) {
    std::vector<std::vector<int>> all(n + 1, std::vector<int>(n + 1));
    for (uint64_t i = 0; i <= n; i++)
      for (uint64_t j = 0; j <= n; j++)
        all[i][j] = i == 0   ? (int)j
                    : j == 0 ? (int)i
                             : std::min(std::min(all[i - 1][j], all[i][j - 1]) + 1,
                                        all[i - 1][j - 1] + (a(r, i - 1) == b(r, j - 1) ? 0 : 1));
    agree("far", r, far[r], all[n][n]);
    for (uint64_t j = 0; j <= n; j++) agree("table", r * (n + 1) + j, table(r, j), all[n][j]);
  }
  intact("table", table, before);
}
