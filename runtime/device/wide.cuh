// wide.cuh: vectorised loads and stores of 16 bytes.
//
//   TO_ALIGNED        to_aligned: the first aligned element
//   LOAD              load_wide
//   LOAD_ANYWHERE     load_wide_anywhere, for any alignment; needs LOAD
//   LOAD_ONCE         load_wide_once: for data that is read once, not cached in L1
//   LOAD_ROW          load_row: as many elements as 16 bytes hold of another type
//   STORE             store_wide
//   STORE_ANYWHERE    store_wide_anywhere, for any alignment; needs STORE
//   STORE_SHARED      store_wide_shared: to shared memory
#include "alone.cuh"
#ifndef LOAD
#define TO_ALIGNED 1
#define LOAD 1
#define LOAD_ANYWHERE 1
#define LOAD_ONCE 1
#define LOAD_ROW 1
#define STORE 1
#define STORE_ANYWHERE 1
#define STORE_SHARED 1
#endif
// ---- pasted from here on ----
#if TO_ALIGNED

// How many elements lie between this one and the next multiple of 16 bytes.
template <typename E> __host__ __device__ __forceinline__ Index to_aligned(const E *from) {
  return (Index)((16 - (uintptr_t)from % 16) % 16 / sizeof(E));
}
#endif
#if LOAD

// 16 bytes at once; `from` lies at a multiple of 16.
template <typename E> __device__ __forceinline__ void load_wide(E *to, const E *from) {
  union {
    uint4 bits;
    E element[16 / sizeof(E)];
  } wide;
  wide.bits = *(const uint4 *)from;
#pragma unroll
  for (int i = 0; i < (int)(16 / sizeof(E)); ++i)
    to[i] = wide.element[i];
}
#endif
#if LOAD_ANYWHERE

// The same, one element at a time where it lies elsewhere.
template <typename E> __device__ __forceinline__ void load_wide_anywhere(E *to, const E *from) {
  if ((uintptr_t)from % 16 == 0) {
    load_wide(to, from);
    return;
  }
#pragma unroll
  for (int i = 0; i < (int)(16 / sizeof(E)); ++i)
    to[i] = from[i];
}
#endif
#if LOAD_ONCE

// 16 bytes at once of what nobody reads again: the first cache keeps none of it. `from` lies at a multiple of 16.
template <typename E> __device__ __forceinline__ void load_wide_once(E *to, const E *from) {
  union {
    uint4 bits;
    E element[16 / sizeof(E)];
  } wide;
  wide.bits = __ldcg((const uint4 *)from);
#pragma unroll
  for (int i = 0; i < (int)(16 / sizeof(E)); ++i)
    to[i] = wide.element[i];
}
#endif
#if LOAD_ROW

// As many elements as 16 bytes of T's are, at once; `from` lies at a multiple of as many bytes as they are.
template <typename T, typename E> __device__ __forceinline__ void load_row(E *to, const E *from) {
  struct alignas(16 / sizeof(T) * sizeof(E)) Row {
    E element[16 / sizeof(T)];
  };
  const Row row = *(const Row *)from;
#pragma unroll
  for (int i = 0; i < (int)(16 / sizeof(T)); ++i)
    to[i] = row.element[i];
}
#endif
#if STORE

// 16 bytes at once; `to` lies at a multiple of 16. A plain store would be taken apart where single elements are
// stored beside it.
template <typename E> __device__ __forceinline__ void store_wide(E *to, const E *from) {
  union {
    uint4 bits;
    E element[16 / sizeof(E)];
  } wide;
#pragma unroll
  for (int i = 0; i < (int)(16 / sizeof(E)); ++i)
    wide.element[i] = from[i];
  __stwb((uint4 *)to, wide.bits);
}
#endif
#if STORE_ANYWHERE

// The same, one element at a time where it lies elsewhere.
template <typename E> __device__ __forceinline__ void store_wide_anywhere(E *to, const E *from) {
  if ((uintptr_t)to % 16 == 0) {
    store_wide(to, from);
    return;
  }
#pragma unroll
  for (int i = 0; i < (int)(16 / sizeof(E)); ++i)
    to[i] = from[i];
}
#endif
#if STORE_SHARED

// 16 bytes at once; `to' lies at a multiple of 16, in shared memory.
template <typename E> __device__ __forceinline__ void store_wide_shared(E *to, const E *from) {
  union {
    uint4 bits;
    E element[16 / sizeof(E)];
  } wide;
#pragma unroll
  for (int i = 0; i < (int)(16 / sizeof(E)); ++i)
    wide.element[i] = from[i];
  *(uint4 *)to = wide.bits;
}
#endif
