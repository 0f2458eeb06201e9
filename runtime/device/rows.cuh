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
  const int length = (int)columns, along = lanes % length, down = lanes / length * row_k + along;
  int left = (int)rows * length - lane, j = lane % length;
  const Index next = lanes / length * apart + along; // it may go on in the row behind
  to += lane / length * row_k + j;
  from += lane / length * apart + j;
  for (; left > 0; left -= lanes) {
#if AHEAD
    copy_ahead<1>(to, from, true);
#else
    *to = *from;
#endif
    const bool beyond = j + along >= length;
    j += beyond ? along - length : along;
    to += beyond ? down + row_k - length : down;
    from += beyond ? next + apart - length : next;
  }
}
