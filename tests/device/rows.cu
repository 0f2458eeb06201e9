// Rows of all lengths, apart or side by side, fewer and more than lanes, that begin anywhere: each element is copied to its place, and
// nothing beside it.
//
// mutant: rows beyond the last: row < rows => row <= rows
// mutant: the next row is too near: x += down * apart => x += apart
// mutant: rows there are as long as here: y += down * row_k => y += down * runs * many
// mutant: every lane has the first run: run = lane - first * runs => run = 0
// mutant: lanes that are left take a row of others: first >= down => first > down
// mutant: runs that do not begin at their bytes: (uintptr_t)from % 16 == 0 => true
// mutant: rows that do not: (rows == 1 || apart % wide == 0) => true
// mutant: rows that are no whole runs: columns % half == 0 => true
// mutant: one run of rows that are apart: if (pitch == row_k) => if (false)
// mutant: a run that does not begin at its bytes: else if ((uintptr_t)from % 16 == 0) => else if (true)
// mutant: the end of a run that is no whole one: i < elements; i += lanes => i < whole; i += lanes
// mutant: every lane has the same of a run: i = lane * many => i = 0 * many
#include "device_test.h"

#include "rows.cuh"

enum { LANES = 32, MOST = 40, LONGEST = 12, AHEAD_OF_ROWS = 4 };

template <int row_k> __global__ void copies(const int *from, Index apart, int rows, int columns, int *to) {
  __shared__ __align__(16) int buffer[MOST * LONGEST];
  for (int i = threadIdx.x; i < MOST * row_k; i += LANES) buffer[i] = -1;
  __syncthreads();
  copy_rows<LANES, row_k>(buffer, from, apart, rows, columns, threadIdx.x);
  close_copies();
  await_copies<0>();
  __syncthreads();
  for (int i = threadIdx.x; i < MOST * row_k; i += LANES) to[i] = buffer[i];
}

template <int row_k> bool copied(int rows, int columns, int apart, int ahead) {
  const int length = ahead + (rows && columns ? (rows - 1) * apart + columns : 0); // nothing lies behind it
  int *from = zeroed<int>((size_t)length), *to = zeroed<int>(MOST * LONGEST);
  for (int i = 0; i < length; i++) from[i] = (i - ahead) * 7 + 1;
  if (!launched(copies<row_k>, 1, LANES, (const int *)from + ahead, (Index)apart, rows, columns, to)) return false;
  for (int row = 0; row < MOST; row++)
    for (int j = 0; j < row_k; j++)
      if (to[row * row_k + j] != (row < rows && j < columns ? (row * apart + j) * 7 + 1 : -1)) return false;
  return true;
}

// .. to rows as far apart as in memory.
template <int row_k> __global__ void copies_run(const int *from, Index apart, int rows, int columns, int pitch, int *to) {
  __shared__ __align__(16) int buffer[MOST * LONGEST];
  for (int i = threadIdx.x; i < MOST * row_k; i += LANES) buffer[i] = -1;
  __syncthreads();
  copy_rows<LANES, row_k>(buffer, from, apart, rows, columns, threadIdx.x, pitch);
  close_copies();
  await_copies<0>();
  __syncthreads();
  for (int i = threadIdx.x; i < MOST * row_k; i += LANES) to[i] = buffer[i];
}

template <int row_k> bool copied_as_run(int rows, int columns, int apart, int ahead) {
  const int length = ahead + (rows && columns ? (rows - 1) * apart + columns : 0), pitch = apart == columns ? columns : row_k;
  int *from = zeroed<int>((size_t)length), *to = zeroed<int>(MOST * LONGEST);
  for (int i = 0; i < length; i++) from[i] = (i - ahead) * 7 + 1;
  if (!launched(copies_run<row_k>, 1, LANES, (const int *)from + ahead, (Index)apart, rows, columns, pitch, to)) return false;
  for (int i = 0; i < MOST * row_k; i++) {
    const int row = pitch ? i / pitch : MOST, j = pitch ? i % pitch : 0;
    if (to[i] != (row < rows && j < columns ? (row * apart + j) * 7 + 1 : -1)) return false;
  }
  return true;
}

int main() {
  return each_seed([] {
    for (int rows : {0, 1, 7, 32, 39})
      for (int columns : {0, 1, 3, 6, 8, 9})
        for (int apart : {columns, columns + 1, columns + 2, columns + 4})
          for (int ahead = 0; ahead < AHEAD_OF_ROWS; ahead++)
            if (!copied<9>(rows, columns, apart, ahead) || !copied<LONGEST>(rows, columns, apart, ahead) ||
                !copied_as_run<9>(rows, columns, apart, ahead) || !copied_as_run<LONGEST>(rows, columns, apart, ahead))
              return false;
    return true;
  });
}
