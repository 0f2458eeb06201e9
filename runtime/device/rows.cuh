// rows.cuh: rows that the lanes of a block copy to shared memory together. Parameter:
//   AHEAD: copies are made while the lanes go on (copies.cuh), and are there behind await_copies()
#ifndef AHEAD
#define AHEAD 1
#endif
#include "alone.cuh"
#if AHEAD
#include "copies.cuh"
#endif
// ---- pasted from here on ----

// Copies so many rows of `columns` neighbouring elements, which begin `apart` elements after one another, to rows of row_k.
// This is lane number `lane`: it copies every lanes-th element, in the order of memory.
template <int lanes, int row_k, typename E>
__device__ __forceinline__ void copy_rows(E *to, const E *from, Index apart, Index rows, Index columns, int lane) {
  if (columns == 0) return;
  const int length = (int)columns, down = lanes / length, along = lanes % length;
  int row = lane / length, j = lane % length;
  to += row * row_k + j;
  from += row * apart + j;
  while (row < rows) {
#if AHEAD
    copy_ahead<1>(to, from, true);
#else
    *to = *from;
#endif
    row += down;
    j += along;
    to += down * row_k + along;
    from += down * apart + along;
    if (j >= length) { // it goes on in the next row
      ++row;
      j -= length;
      to += row_k - length;
      from += apart - length;
    }
  }
}
