// rows.cuh: rows that the lanes of a block copy to shared memory together. Parameter:
//   AHEAD: copies are made while the lanes go on (copies.cuh), and are there behind await_copies()
//   RUN: copy_rows of rows that may lie one behind another; needs AHEAD
#ifndef AHEAD
#define AHEAD 1
#define RUN 1
#endif
#include "alone.cuh"
#if AHEAD
#include "copies.cuh"
#endif
// ---- pasted from here on ----

// Rows of so many runs of `many' neighbouring elements, which begin `apart' elements after one another, to rows of row_k. Each
// lane has one run of a row, and the same one of a later row, as long as there are some.
template <int lanes, int row_k, int many, typename E>
__device__ __forceinline__ void copy_runs(E *to, const E *from, Index apart, int rows, int runs, int lane) {
  if (runs == 0) return;
  const int down = runs < lanes ? lanes / runs : 1, first = runs < lanes ? lane / runs : 0;
  if (first >= down) return; // lanes that are left are too few for another row
  for (int run = lane - first * runs; run < runs; run += lanes) {
    const E *x = from + first * apart + run * many;
    E *y = to + first * row_k + run * many;
    for (int row = first; row < rows; row += down) {
#if AHEAD
      copy_ahead<many>(y, x, true);
#else
      for (int i = 0; i < many; ++i)
        y[i] = x[i];
#endif
      x += down * apart;
      y += down * row_k;
    }
  }
}

// Copies so many rows of `columns' neighbouring elements, which begin `apart' elements after one another, to rows of row_k: by
// 16 or 8 bytes where all rows are whole runs of these. This is lane number `lane'.
template <int lanes, int row_k, typename E>
__device__ __forceinline__ void copy_rows(E *to, const E *from, Index apart, Index rows, Index columns, int lane) {
  constexpr int wide = 16 / sizeof(E) ? 16 / sizeof(E) : 1, half = wide / 2 ? wide / 2 : 1;
  const bool whole = (uintptr_t)from % 16 == 0 && columns % wide == 0 && (rows == 1 || apart % wide == 0);
  const bool halves = (uintptr_t)from % 8 == 0 && columns % half == 0 && (rows == 1 || apart % half == 0);
  if (row_k % wide == 0 && whole)
    copy_runs<lanes, row_k, wide>(to, from, apart, (int)rows, (int)(columns / wide), lane);
  else if (row_k % half == 0 && halves)
    copy_runs<lanes, row_k, half>(to, from, apart, (int)rows, (int)(columns / half), lane);
  else
    copy_runs<lanes, row_k, 1>(to, from, apart, (int)rows, (int)columns, lane);
}
#if RUN

// So many neighbouring elements, by runs of `many', and then one by one. This is lane number `lane'.
template <int lanes, int many, typename E>
__device__ __forceinline__ void copy_run(E *to, const E *from, int elements, int lane) {
  const int whole = elements / many * many;
  for (int i = lane * many; i < whole; i += lanes * many)
    copy_ahead<many>(to + i, from + i, true);
  for (int i = whole + lane; i < elements; i += lanes)
    copy_ahead<1>(to + i, from + i, true);
}

// Copies rows, too, to such that begin `pitch' elements after one another: row_k, or as many as they have. Then they
// lie so in memory, too, and are one run of it.
template <int lanes, int row_k, typename E>
__device__ __forceinline__ void copy_rows(E *to, const E *from, Index apart, Index rows, Index columns, int lane, int pitch) {
  constexpr int wide = 16 / sizeof(E) ? 16 / sizeof(E) : 1, half = wide / 2 ? wide / 2 : 1;
  const int elements = (int)(rows * columns);
  if (pitch == row_k)
    copy_rows<lanes, row_k>(to, from, apart, rows, columns, lane);
  else if ((uintptr_t)from % 16 == 0)
    copy_run<lanes, wide>(to, from, elements, lane);
  else if ((uintptr_t)from % 8 == 0)
    copy_run<lanes, half>(to, from, elements, lane);
  else
    copy_run<lanes, 1>(to, from, elements, lane);
}
#endif
