// Rows of all lengths, apart or side by side, fewer and more than lanes: each element is copied to its place, and nothing beside it.
//
// mutant: rows beyond the last: left > 0 => left > -length
// mutant: it stays in its row: j + along >= length => false
// mutant: the next row is too near: next + apart - length => next
// mutant: rows there are as long as here: down + row_k - length => down
// mutant: every lane begins at the first: j = lane % length => j = 0
#include "device_test.h"

#include "rows.cuh"

enum { LANES = 32, ROW = 9, MOST = 40 };

__global__ void copies(const int *from, Index apart, int rows, int columns, int *to) {
  __shared__ __align__(16) int buffer[MOST * ROW];
  for (int i = threadIdx.x; i < MOST * ROW; i += LANES) buffer[i] = -1;
  __syncthreads();
  copy_rows<LANES, ROW>(buffer, from, apart, rows, columns, threadIdx.x);
  close_copies();
  await_copies<0>();
  __syncthreads();
  for (int i = threadIdx.x; i < MOST * ROW; i += LANES) to[i] = buffer[i];
}

int main() {
  return each_seed([] {
    for (int rows : {0, 1, 7, 32, 39})
      for (int columns : {0, 1, 3, 8, 9})
        for (int apart : {columns, columns + 5}) {
          const int length = rows && columns ? (rows - 1) * apart + columns : 0; // nothing lies behind it
          int *from = zeroed<int>((size_t)length), *to = zeroed<int>(MOST * ROW);
          for (int i = 0; i < length; i++) from[i] = i * 7 + 1;
          if (!launched(copies, 1, LANES, (const int *)from, (Index)apart, rows, columns, to)) return false;
          for (int row = 0; row < MOST; row++)
            for (int j = 0; j < ROW; j++)
              if (to[row * ROW + j] != (row < rows && j < columns ? (row * apart + j) * 7 + 1 : -1)) return false;
        }
    return true;
  });
}
