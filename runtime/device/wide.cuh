// wide.cuh: vectorised loads and stores of 16 bytes.
//
//   TO_ALIGNED        to_aligned: the first aligned element
//   LOAD              load_wide
//   LOAD_ANYWHERE     load_wide_anywhere, for any alignment; needs LOAD
//   LOAD_ONCE         load_wide_once: for data that is read once, not cached in L1
//   LOAD_ROW          load_row: as many elements as 16 bytes hold of another type
//   LOAD_SEVERAL      load_several: so many elements, at any address
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
#define LOAD_SEVERAL 1
#define STORE 1
#define STORE_ANYWHERE 1
#define STORE_SHARED 1
#endif
// ---- pasted from here on ----
#if TO_ALIGNED

// Number of elements up to the next 16-byte boundary.
template <typename E> __host__ __device__ __forceinline__ Index to_aligned(const E *from) {
  return (Index)((16 - (uintptr_t)from % 16) % 16 / sizeof(E));
}
#endif
#if LOAD

// A 16-byte load; `from` is aligned to 16 bytes.
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

// The same for any alignment: element by element if it is not 16 bytes.
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

// A 16-byte load of data that is read once: it does not allocate in L1. `from` is aligned to 16 bytes.
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

// As many elements as 16 bytes of T have, in one load; `from` is aligned to their size.
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
#if LOAD_SEVERAL

// `count' elements: by 16 or by 8 bytes where they are as many, and `from' is aligned to them; else element by element.
template <typename E> __device__ __forceinline__ void load_several(E *to, const E *from, int count) {
  const int bytes = count * (int)sizeof(E);
  if (bytes % 16 == 0 && (uintptr_t)from % 16 == 0) {
#pragma unroll
    for (int i = 0; i < bytes / 16; ++i) {
      union {
        uint4 bits;
        E element[16 / sizeof(E)];
      } wide;
      wide.bits = ((const uint4 *)from)[i];
#pragma unroll
      for (int k = 0; k < (int)(16 / sizeof(E)); ++k)
        to[i * (int)(16 / sizeof(E)) + k] = wide.element[k];
    }
  } else if (bytes == 8 && (uintptr_t)from % 8 == 0) {
    union {
      uint2 bits;
      E element[8 / sizeof(E)];
    } half;
    half.bits = *(const uint2 *)from;
#pragma unroll
    for (int k = 0; k < (int)(8 / sizeof(E)); ++k)
      to[k] = half.element[k];
  } else {
#pragma unroll
    for (int i = 0; i < count; ++i)
      to[i] = from[i];
  }
}
#endif
#if STORE

// A 16-byte store; `to` is aligned to 16 bytes. The compiler splits a plain store when single elements are stored
// next to it.
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

// The same for any alignment: element by element if it is not 16 bytes.
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

// A 16-byte store to shared memory; `to' is aligned to 16 bytes.
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
