// shuffles.cuh: shuffles of values of any size, 32 bits at a time.
//
// The loop has an index: nvcc would keep the words in local memory for a loop over references.
//
//   WORDS     the union that all of them need
//   SHUFFLE   one of them: NAME, on top of HARDWARE; LANE: the name of its second parameter
#include "alone.cuh"
#ifndef SHUFFLE
#define WORDS 1
#define SHUFFLE 1
#endif
#ifndef NAME
#define NAME shuffle_down
#define HARDWARE __shfl_down_sync
#define LANE by
#endif
// ---- pasted from here on ----
#if WORDS

// A value as the 32-bit words that shuffles move.
template <typename V> union Words {
  V value;
  unsigned word[(sizeof(V) + sizeof(unsigned) - 1) / sizeof(unsigned)];
};
#endif
#if SHUFFLE

// HARDWARE, for values of any size.
template <typename V> __device__ __forceinline__ V NAME(V value, int LANE) {
  Words<V> moved;
  moved.value = value;
#pragma unroll
  for (int k = 0; k < (int)(sizeof moved.word / sizeof(unsigned)); k++)
    moved.word[k] = HARDWARE(0xffffffff, moved.word[k], LANE);
  return moved.value;
}
#endif
