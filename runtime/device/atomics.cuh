// atomics.cuh: atomics that a machine lacks on some element type: one overload a type, by compare-and-swap on the
// value's bits. A complex number is added part by part: it is read only after a barrier, when both parts are
// complete.
//
//   FUNCTION, HARDWARE, SWAP   atomic_max_block, atomicMax_block, atomicCAS_block: the overload's name, the hardware's, and the
//                              compare-and-swap of the same scope
//   TYPE                       the operand
//   COMBINE(found, value)      the operator
//   WORD, BITS(x), VALUE(x)    an integer type of TYPE's size, and the conversions
//
//   FIRST         the comment above the overloads of one atomic
//   USER_WORDS    Word, which USER needs
// and one of these, an overload:
//   NATIVE        by the hardware's atomic
//   TOGETHER      so, of bits: lanes of a warp that come to one word at once share one (REDUCE: __reduce_or_sync)
//   UNSIGNED      by the hardware's atomic on unsigned integers, which is the same in two's complement
//   BY_SWAP       by compare-and-swap, for numbers
//   BY_BITS       by compare-and-swap, for structs
//   BY_PARTS      a complex number, part by part
//   USER          a user's operator on states of 4 or 8 bytes, by compare-and-swap
#include "alone.cuh"
#ifndef FIRST
#define FIRST 0
#define USER_WORDS 0
#endif
#ifndef NATIVE
#define NATIVE 0
#define TOGETHER 0
#define UNSIGNED 0
#define BY_SWAP 1
#define BY_BITS 0
#define BY_PARTS 0
#define USER 0
#endif
#ifndef FUNCTION
#define REDUCE __reduce_or_sync
#define FUNCTION atomic_max
#define HARDWARE atomicMax
#define SWAP atomicCAS
#define TYPE float
#define COMBINE(found, value) max(found, value)
#define WORD unsigned
#define BITS(x) __float_as_uint(x)
#define VALUE(x) __uint_as_float(x)
#endif
// ---- pasted from here on ----
#if FIRST

// HARDWARE for every element type of this file.
#endif
#if USER_WORDS

// The unsigned integer with as many bytes as a state.
template <int bytes> struct Word;
template <> struct Word<4> { typedef unsigned type; };
template <> struct Word<8> { typedef unsigned long long type; };
#endif
#if USER

// Applies the operator atomically, by compare-and-swap.
template <typename M, typename T>
#endif
#if NATIVE
__device__ __forceinline__ void FUNCTION(TYPE *place, TYPE value) {
  HARDWARE(place, value);
}
#elif TOGETHER
__device__ __forceinline__ void FUNCTION(TYPE *place, TYPE value) {
#ifdef __CUDA_ARCH__
  const unsigned lanes = __activemask(), before = lanes & ((1u << threadIdx.x % 32) - 1);
  const unsigned long long own = (unsigned long long)place;
  if (__all_sync(lanes, own == __shfl_sync(lanes, own, __ffs((int)lanes) - 1))) {
    value = (TYPE)REDUCE(lanes, (unsigned)value);
    if (before == 0) HARDWARE(place, value);
    return;
  }
#endif
  HARDWARE(place, value);
}
#elif UNSIGNED
__device__ __forceinline__ void FUNCTION(TYPE *place, TYPE value) {
  HARDWARE((unsigned long long *)place, (unsigned long long)value);
}
#elif BY_SWAP
__device__ __forceinline__ void FUNCTION(TYPE *place, TYPE value) {
  WORD *word = (WORD *)place;
  WORD found = SWAP(word, 0, 0); // an atomic read
  for (;;) {
    const WORD before = found;
    const WORD after = BITS(COMBINE(VALUE(found), value));
    if (after == before) return;
    found = SWAP(word, before, after);
    if (found == before) return;
  }
}
#elif BY_BITS || USER
__device__ __forceinline__ void FUNCTION(TYPE *place, TYPE value) {
  WORD *word = (WORD *)place, found = SWAP(word, 0, 0); // an atomic read
  for (;;) {
    const WORD before = found;
    union {
      WORD bits;
      TYPE state;
    } now;
    now.bits = before;
    now.state = COMBINE(now.state, value);
    if (now.bits == before) return;
    found = SWAP(word, before, now.bits);
    if (found == before) return;
  }
}
#elif BY_PARTS
__device__ __forceinline__ void FUNCTION(TYPE *place, TYPE value) {
  FUNCTION(&place->re, value.re);
  FUNCTION(&place->im, value.im);
}
#endif
