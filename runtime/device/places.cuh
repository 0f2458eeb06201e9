// places.cuh: places that several threads write, and read meanwhile: one of the values stays, and none is torn.
//
//   SET   set_any: writes one of 4 or 8 bytes
//   SEE   see_any: reads it
//   CLAIM claim: writes one, if it is unset; of all who try so, it is one that does
#include "alone.cuh"
#ifndef SET
#define SET 1
#define SEE 1
#define CLAIM 1
#endif
// ---- pasted from here on ----

// A word of as many bytes.
template <int bytes> struct Place;
template <> struct Place<4> { typedef unsigned Word; };
template <> struct Place<8> { typedef unsigned long long Word; };
#if SET

template <typename T> __device__ __forceinline__ void set_any(T *to, T value) {
  union { T value; typename Place<sizeof(T)>::Word word; } bits = {value};
#ifdef __CUDA_ARCH__
  *(volatile typename Place<sizeof(T)>::Word *)to = bits.word;
#else
  atomicExch((typename Place<sizeof(T)>::Word *)to, bits.word);
#endif
}
#endif
#if SEE

template <typename T> __device__ __forceinline__ T see_any(T *from) {
  union { typename Place<sizeof(T)>::Word word; T value; } bits;
#ifdef __CUDA_ARCH__
  bits.word = *(volatile typename Place<sizeof(T)>::Word *)from;
#else
  bits.word = atomicCAS((typename Place<sizeof(T)>::Word *)from, 0, 0);
#endif
  return bits.value;
}
#endif
#if CLAIM

template <typename T> __device__ __forceinline__ bool claim(T *at, T unset, T value) {
  typedef typename Place<sizeof(T)>::Word Word;
  union { T value; Word word; } from = {unset}, to = {value};
  return atomicCAS((Word *)at, from.word, to.word) == from.word;
}
#endif
