// votes.cuh: what the lanes of a warp are told of one another's numbers.
//   ALIKE alike
#include "alone.cuh"
#ifndef ALIKE
#define ALIKE 1
#endif
// ---- pasted from here on ----
#if ALIKE

// Which lanes of the warp have the same `bits' lowest bits as this one: a bit for each. All lanes of the warp call it.
// Each bit is a vote, which costs less than __match_any_sync where there are no more than 8.
__device__ __forceinline__ unsigned alike(unsigned x, int bits) {
  unsigned same = 0xffffffff;
#pragma unroll
  for (int k = 0; k < bits; k++) {
    const unsigned set = __ballot_sync(0xffffffff, (int)(x >> k & 1));
    same &= ~(set ^ (unsigned)((int)(x << (31 - k)) >> 31)); // where the bit is clear, the vote is turned round
  }
  return same;
}
#endif
