// wide.cuh: vectorised loads and stores of 16 bytes.
//
//   TO_ALIGNED        to_aligned: the first aligned element
//   LOAD              load_wide
//   LOAD_ANYWHERE     load_wide_anywhere, for any alignment; needs LOAD
//   LOAD_ONCE         load_wide_once: for data that is read once, not cached in L1
//   LOAD_APART        load_wide_apart: at multiples of so many elements and of 16 bytes; needs LOAD
//   LOAD_ROW          load_row: as many elements as 16 bytes hold of another type
//   LOAD_SEVERAL      load_several: so many elements, at any address
//   STORE             store_wide
//   STORE_ANYWHERE    store_wide_anywhere, for any alignment; needs STORE
//   STORE_SHARED      store_wide_shared: to shared memory
//   AHEAD             fetch_ahead: an element to the cache
//   RUNS              load_run, store_run: neighbouring elements at any address, by 16 bytes; needs TO_ALIGNED
#include "alone.cuh"
#ifndef LOAD
#define TO_ALIGNED 1
#define LOAD 1
#define LOAD_ANYWHERE 1
#define LOAD_ONCE 1
#define LOAD_APART 1
#define LOAD_ROW 1
#define LOAD_SEVERAL 1
#define STORE 1
#define STORE_ANYWHERE 1
#define STORE_SHARED 1
#define RUNS 1
#define AHEAD 1
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
#if LOAD_APART

// A load of 16 bytes from where one of several rows, `apart' elements after one another, has a multiple of 16: at once, by 8
// bytes or element by element, as all rows begin.
template <typename E> __device__ __forceinline__ void load_wide_apart(E *to, const E *from, int apart) {
  constexpr int wide = 16 / sizeof(E), half = wide / 2 ? wide / 2 : 1;
  if (apart % wide == 0) {
    load_wide(to, from);
  } else if (apart % half == 0) {
    union {
      uint2 bits[2];
      E element[16 / sizeof(E)];
    } halves;
    halves.bits[0] = ((const uint2 *)from)[0];
    halves.bits[1] = ((const uint2 *)from)[1];
#pragma unroll
    for (int i = 0; i < wide; ++i)
      to[i] = halves.element[i];
  } else {
#pragma unroll
    for (int i = 0; i < wide; ++i)
      to[i] = from[i];
  }
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
#if RUNS

// Words that are so many bytes further, below 16, and a multiple of the `alignment' of what they are made of.
template <int words, int alignment> __device__ __forceinline__ void shift_words(unsigned *word, int bytes) {
#pragma unroll
  for (int i = 0; i + 2 < words; ++i)
    word[i] = bytes & 8 ? word[i + 2] : word[i];
  if (alignment < 8) {
#pragma unroll
    for (int i = 0; i + 1 < words; ++i)
      word[i] = bytes & 4 ? word[i + 1] : word[i];
  }
  if (alignment < 4) {
#pragma unroll
    for (int i = 0; i + 1 < words; ++i)
      word[i] = (unsigned)(((unsigned long long)word[i + 1] << 32 | word[i]) >> bytes % 4 * 8);
  }
}

template <typename E> __device__ __forceinline__ E element_in(const unsigned *word, int number) {
  constexpr int words = ((int)sizeof(E) + 3) / 4, elements = sizeof(E) < 4 ? 4 / (int)sizeof(E) : 1;
  union {
    unsigned word[words];
    E element[elements];
  } some;
#pragma unroll
  for (int i = 0; i < words; ++i)
    some.word[i] = word[number * (int)sizeof(E) / 4 + i];
  return some.element[number % elements];
}

// So many bytes below 16 from a 16-byte boundary on, and none behind them, which may be beyond an array.
template <int bytes, typename E> __device__ __forceinline__ void load_rest(unsigned *word, const E *from) {
  constexpr int four = bytes / 8 * 2, some = bytes / 4, elements = bytes % 4 / (int)sizeof(E);
  if (bytes & 8) {
    const uint2 eight = *(const uint2 *)from;
    word[0] = eight.x;
    word[1] = eight.y;
  }
  if (bytes & 4) word[four] = ((const unsigned *)from)[four];
  union {
    unsigned word;
    E element[sizeof(E) < 4 ? 4 / sizeof(E) : 1];
  } rest;
#pragma unroll
  for (int i = 0; i < elements; ++i)
    rest.element[i] = from[some * 4 / (int)sizeof(E) + i];
  if (elements > 0) word[some] = rest.word;
}

// n neighbouring elements by the 16-byte loads that cover them, or from a 16-byte boundary on by these and shorter ones;
// `from` is a multiple of so many elements behind such a boundary: 1: anywhere; so many whole words behind it, -1: who
// knows. Lanes whose elements lie side by side find the vectors that they share in L1.
template <int n, int multiple, int words, typename S, typename E>
__device__ __forceinline__ void load_run(S *to, const E *from) {
  constexpr int whole = multiple * (int)alignof(E), alignment = whole > 16 ? 16 : whole;
  constexpr int least = words < 0 ? 0 : words, most = words < 0 ? 16 - alignment : 4 * words + (alignment < 4 ? 3 : 0);
  constexpr int vectors = (n * (int)sizeof(E) + most + 15) / 16;
  const int bytes = alignment == 16 ? 0 : (int)((uintptr_t)from % 16);
  const uint4 *at = (const uint4 *)((const char *)from - bytes); // as a pointer: loads are known to be global
  unsigned word[4 * vectors];
#pragma unroll
  for (int i = 0; i < vectors; ++i) {
    if (alignment == 16 && n * (int)sizeof(E) < 16 * i + 16) {
      load_rest<n * (int)sizeof(E) % 16>(word + 4 * i, (const E *)(at + i));
      continue;
    }
    const uint4 wide = at[i];
    word[4 * i] = wide.x;
    word[4 * i + 1] = wide.y;
    word[4 * i + 2] = wide.z;
    word[4 * i + 3] = wide.w;
  }
  if (words < 0 && alignment < 16) shift_words<4 * vectors, alignment>(word, bytes);
  if (words >= 0 && alignment < 4) shift_words<4 * vectors, alignment>(word, bytes % 4);
#pragma unroll
  for (int i = 0; i < n; ++i)
    to[i] = element_in<E>(word + least, i);
}

// Groups of n elements, a multiple of 16 bytes, of the lanes of a row of lanes, which lie side by side; `has': how many
// elements there are from a lane's first one on, those of lanes behind it too; below 1: none; of aligned groups `before`
// of the first ones are not there either. A lane stores the vectors that begin in its group; the last one's end is the
// next lane's. Two neighbours exchange vectors so that each store is of whole sectors of 32 bytes. All lanes of the warp
// call this.
template <int n, bool aligned, typename S, typename E>
__device__ __forceinline__ void store_run(E *to, const S *from, int lane, int lanes, int has, int before) {
  constexpr int words = n * (int)sizeof(E) / 4, each = 16 / (int)sizeof(E);
  union {
    E element[n];
    unsigned word[words];
  } own;
  unsigned word[words + 4];
#pragma unroll
  for (int i = 0; i < n; ++i)
    own.element[i] = from[i];
#pragma unroll
  for (int i = 0; i < words; ++i)
    word[i] = own.word[i];
  int ahead = 0, next = 0;
  if (!aligned) {
#pragma unroll
    for (int i = 0; i < 4; ++i)
      word[words + i] = __shfl_down_sync(0xffffffff, word[i], 1);
    next = __shfl_down_sync(0xffffffff, has, 1);
    if (lane + 1 >= lanes) next = 0;
    ahead = (int)to_aligned(to);
    if (lane == 0) {
#pragma unroll
      for (int i = 0; i < each - 1; ++i)
        if (i < ahead && i < has) to[i] = own.element[i];
    }
    shift_words<words + 4, alignof(E)>(word, ahead * (int)sizeof(E));
  }
  const bool whole = has >= n && next >= ahead && (!aligned || before <= 0);
  uint4 *vector = (uint4 *)(to + ahead);
  if (words % 8 == 0 && __all_sync(0xffffffff, whole)) {
    const bool odd = lane % 2 != 0;
#pragma unroll
    for (int i = 0; i < words; i += 8) { // an even lane gives its second vector for the odd one's first
      unsigned first[4], second[4];
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const unsigned taken = __shfl_xor_sync(0xffffffff, odd ? word[i + k] : word[i + 4 + k], 1);
        first[k] = odd ? taken : word[i + k];
        second[k] = odd ? word[i + 4 + k] : taken;
      }
      __stwb(vector + i / 4 - (odd ? words / 4 - 1 : 0), uint4{first[0], first[1], first[2], first[3]});
      __stwb(vector + i / 4 + (odd ? 1 : words / 4), uint4{second[0], second[1], second[2], second[3]});
    }
    return;
  }
  if (whole) {
#pragma unroll
    for (int i = 0; i < words; i += 4)
      __stwb(vector + i / 4, uint4{word[i], word[i + 1], word[i + 2], word[i + 3]});
    return;
  }
  const int end = has < n ? has : n + next;
#pragma unroll
  for (int i = 0; i < n; ++i)
    if (ahead + i < end && (!aligned || i >= before)) to[ahead + i] = element_in<E>(word, i);
}
#endif
#if AHEAD

// Has the element's line come to the L2 cache, for a load some time later. It takes no register.
template <typename E> __device__ __forceinline__ void fetch_ahead(const E *from) {
#ifdef __CUDA_ARCH__
  asm volatile("prefetch.global.L2 [%0];" ::"l"(from));
#else
  (void)from;
#endif
}
#endif
