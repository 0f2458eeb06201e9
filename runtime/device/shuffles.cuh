// shuffles.cuh: a warp's shuffles for values that the machine's own do not take, 32 bits at a time.
//
// The words are counted: nvcc keeps in memory what a loop over references to them runs through.
//
//   WORDS            the union that they need
//   SHUFFLE          one of them: NAME, which the machine calls HARDWARE; LANE: what its second argument says
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

// A value as what a shuffle moves: 32 bits each.
template <typename V> union Words {
  V value;
  unsigned word[(sizeof(V) + sizeof(unsigned) - 1) / sizeof(unsigned)];
};
#endif
#if SHUFFLE

// HARDWARE for values of any size.
template <typename V> __device__ __forceinline__ V NAME(V value, int LANE) {
  Words<V> moved;
  moved.value = value;
#pragma unroll
  for (int k = 0; k < (int)(sizeof moved.word / sizeof(unsigned)); k++)
    moved.word[k] = HARDWARE(0xffffffff, moved.word[k], LANE);
  return moved.value;
}
#endif
