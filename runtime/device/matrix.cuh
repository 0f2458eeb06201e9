// matrix.cuh: products of tiles by a warp's matrix unit (PTX: mma.sync), 16 x 16 elements of A by 16 x 8 of B at a time.
//
// The lanes hold the elements together: a register has `packed` neighbours of a row of A or a column of B. Of each 8 rows
// of A, or columns of B, and 4 registers along them lane 4 * g + t has register (g, t). Of 8 rows and columns of C it has
// elements (g, 2 * t) and (g, 2 * t + 1). PTX ISA, "Matrix fragments for mma".
//
//   WIDTHS     packed
//   ROUNDS     in_unit: an element as the unit takes it, where one of the types is tf32; else all are as they are
//   BYTES      one of the types has bytes
//   LOADS      load_a, load_b: a lane's elements, from shared memory
//   PARTS      part_of_a: the same of A from registers
//   NEAR       load_near, keep_near: a lane's neighbours of a row that begins and ends anywhere
//   MULTIPLY   multiply, for elements of type ELEMENT, added up in SUM: by INSTRUCTION, for UNIT_M x 8 of C and UNIT_K of
//              the inner dimension, whose operands are c, a and b; PACKED: registers are words, of one element or more;
//              ROWS_BELOW: where a lane has those of the rows UNIT_M below, i times
#include "alone.cuh"
#ifndef MULTIPLY
#define WIDTHS 1
#define ROUNDS 0
#define BYTES 0
#define LOADS 1
#define PARTS 1
#define NEAR 1
#define MULTIPLY 1
#endif
#ifndef ELEMENT
#define ELEMENT double
#define SUM double
#define UNIT_M 16
#define UNIT_K 16
#define PACKED 0
#define ROWS_BELOW i
#define INSTRUCTION
#endif
// ---- pasted from here on ----
#if WIDTHS

// Elements in a register of a matrix unit.
template <typename E> constexpr int packed = sizeof(E) < 4 ? 4 / (int)sizeof(E) : 1;
#endif
#if ROUNDS

// An element as a matrix unit takes it: of a tf32 the nearest number with 10 bits behind the point. As cvt.rna.tf32.f32 rounds,
// which takes four times as long as an addition; the unit does not see the 13 bits below.
template <typename E> __device__ __forceinline__ E in_unit(E x) { return x; }
__device__ __forceinline__ tf32 in_unit(tf32 x) {
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
  return x.value == x.value ? tf32(__uint_as_float(__float_as_uint(x.value) + 0x1000)) : x; // NaN stays
#else // tgc check's executor
  return tf32(simt::to_tf32(x.value));
#endif
}
#endif
#if PARTS

// Of a lane's 4 neighbours in a row, and `below' further on in the one 8 rows below: its elements of the 16 x 16 of A whose
// inner dimension is in this order: lane by lane the first lane's 4, the second one's. B, read so, gives the same product.
template <typename E> __device__ __forceinline__ void part_of_a(E *to, const E *from, int below) {
#pragma unroll
  for (int e = 0; e < 8; ++e) {
    const int part = e / packed<E>;
#if ROUNDS
    to[e] = in_unit(from[part % 2 * below + part / 2 * packed<E> + e % packed<E>]);
#else
    to[e] = from[part % 2 * below + part / 2 * packed<E> + e % packed<E>];
#endif
  }
}
#endif
#if NEAR

// A lane's neighbours, as words: what one instruction loads, or masks, is not taken apart.
template <typename E, int near> union Near {
  unsigned word[near * sizeof(E) / 4];
  E element[near];
};

// `near` neighbours, which lie at a multiple of 16 bytes, or of their size, all at once; where they are not there, zeros.
template <int near, typename E> __device__ __forceinline__ void load_near(E *to, const E *from, bool there) {
  constexpr int words = near * sizeof(E) / 4;
  Near<E, near> x;
#pragma unroll
  for (int i = 0; i < words; ++i)
    x.word[i] = 0;
  if (there) {
#pragma unroll
    for (int i = 0; i < words; i += 4) {
      if constexpr (words < 4) {
        const uint2 two = *(const uint2 *)from;
        x.word[i] = two.x, x.word[i + 1] = two.y;
      } else {
        const uint4 four = ((const uint4 *)from)[i / 4];
        x.word[i] = four.x, x.word[i + 1] = four.y, x.word[i + 2] = four.z, x.word[i + 3] = four.w;
      }
    }
  }
#pragma unroll
  for (int e = 0; e < near; ++e)
    to[e] = x.element[e];
}

// Of these the ones from `first` on, up to `end`, zeros in place of the others; where some of them are there, but they were
// not read together, one by one.
template <int near, typename E>
__device__ __forceinline__ void keep_near(E *to, const E *from, int first, int end, bool read) {
  constexpr int words = near * sizeof(E) / 4, in_a_word = sizeof(E) < 4 ? 4 / (int)sizeof(E) : 1;
  Near<E, near> x;
#pragma unroll
  for (int e = 0; e < near; ++e)
    x.element[e] = to[e];
  if (first < end && (first > 0 || end < near || !read)) {
    if (!read) {
#pragma unroll
      for (int e = 0; e < near; ++e)
        if (e >= first && e < end) x.element[e] = from[e];
    }
#pragma unroll
    for (int i = 0; i < words; ++i) {
      unsigned mask = 0;
#pragma unroll
      for (int k = 0; k < in_a_word; ++k) {
        const int e = i * 4 / (int)sizeof(E) + k;
        if (e >= first && e < end) mask |= in_a_word > 1 ? 0xffffu << 16 * k : ~0u;
      }
      x.word[i] &= mask;
    }
  }
#pragma unroll
  for (int e = 0; e < near; ++e)
    to[e] = x.element[e];
}
#endif
#if LOADS

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
// So many parts of 8 x 8 elements of 16 bits, each from the row that this lane points to.
__device__ __forceinline__ void load_parts(unsigned (&to)[4], const void *row, bool transposed) {
  const unsigned at = (unsigned)__cvta_generic_to_shared(row);
  if (transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(at) : "memory");
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(at) : "memory");
}

__device__ __forceinline__ void load_parts(unsigned (&to)[2], const void *row, bool transposed) {
  const unsigned at = (unsigned)__cvta_generic_to_shared(row);
  if (transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(to[0]), "=r"(to[1]) : "r"(at) : "memory");
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(to[0]), "=r"(to[1]) : "r"(at) : "memory");
}
#endif

// A lane's elements of the 16 x 16 of A that begin at `from`, in shared memory: element (i, k) is at
// i * row_step + k * column_step, one of which is 1. Rows, or columns, of elements of 16 bits begin at multiples of 16 bytes.
template <typename E> __device__ __forceinline__ void load_a(E *to, const E *from, int row_step, int column_step) {
  const int lane = threadIdx.x % 32;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
#if ROUNDS
  if (sizeof(E) == 4 && column_step == 1) { // 16 bytes of a row are four elements, as they are eight halves
#pragma unroll
    for (int k = 0; k < 16; k += 8) {
      unsigned parts[4];
      load_parts(parts, &from[lane % 16 * row_step + lane / 16 * 4 + k], false);
      memcpy(&to[k / 2], parts, sizeof parts);
    }
#pragma unroll
    for (int e = 0; e < 8; ++e)
      to[e] = in_unit(to[e]);
    return;
  }
#endif
#if BYTES
  if (sizeof(E) == 1 && column_step == 1) {
    unsigned parts[2];
    load_parts(parts, &from[lane % 16 * row_step], false);
    memcpy(to, parts, sizeof parts);
    return;
  }
#endif
  if constexpr (sizeof(E) == 2) {
    const bool by_rows = column_step == 1;
    const int i = lane / 8 % 2 * 8 + by_rows * (lane % 8), k = lane / 16 * 8 + !by_rows * (lane % 8);
    unsigned parts[4];
    load_parts(parts, &from[i * row_step + k * column_step], !by_rows);
    memcpy(to, parts, sizeof parts);
  } else
#endif
  {
#pragma unroll
    for (int e = 0; e < 8; ++e) {
      const int part = e / packed<E>, i = lane / 4 + part % 2 * 8, k = (lane % 4 + part / 2 * 4) * packed<E> + e % packed<E>;
#if ROUNDS
      to[e] = in_unit(from[i * row_step + k * column_step]);
#else
      to[e] = from[i * row_step + k * column_step];
#endif
    }
  }
}

// The same of the 16 x 8 of B: element (k, j) is at k * row_step + j * column_step.
template <typename E> __device__ __forceinline__ void load_b(E *to, const E *from, int row_step, int column_step) {
  const int lane = threadIdx.x % 32;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
#if ROUNDS
  if (sizeof(E) == 4 && row_step == 1) {
    unsigned parts[4];
    load_parts(parts, &from[lane / 8 * 4 + lane % 8 * column_step], false);
    memcpy(to, parts, sizeof parts);
#pragma unroll
    for (int e = 0; e < 4; ++e)
      to[e] = in_unit(to[e]);
    return;
  }
#endif
#if BYTES
  if (sizeof(E) == 1 && row_step == 1) {
    const unsigned word = *(const unsigned *)&from[lane % 4 * 4 + lane / 4 * column_step];
    memcpy(to, &word, sizeof word);
    return;
  }
#endif
  if constexpr (sizeof(E) == 2) {
    const bool by_rows = column_step == 1;
    const int k = lane / 8 % 2 * 8 + by_rows * (lane % 8), j = !by_rows * (lane % 8);
    unsigned parts[2];
    load_parts(parts, &from[k * row_step + j * column_step], by_rows);
    memcpy(to, parts, sizeof parts);
  } else
#endif
  {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const int k = (lane % 4 + e / packed<E> * 4) * packed<E> + e % packed<E>;
#if ROUNDS
      to[e] = in_unit(from[k * row_step + lane / 4 * column_step]);
#else
      to[e] = from[k * row_step + lane / 4 * column_step];
#endif
    }
  }
}
#endif
#if MULTIPLY

// C += A B, of lanes' elements.
__device__ __forceinline__ void multiply(SUM *sums, const ELEMENT *of_a, const ELEMENT *of_b) {
#pragma unroll
  for (int k = 0; k < 16 / UNIT_K; ++k)
#pragma unroll
    for (int i = 0; i < 16 / UNIT_M; ++i) {
      SUM *c = sums + 2 * i;
#if PACKED
      unsigned a[UNIT_M * UNIT_K / 32 / packed<ELEMENT>], b[8 * UNIT_K / 32 / packed<ELEMENT>];
      memcpy(a, of_a + k * (UNIT_K / 2) + ROWS_BELOW, sizeof a);
      memcpy(b, of_b + k * (UNIT_K / 4), sizeof b);
#else
      const ELEMENT *a = of_a + k * (UNIT_K / 2) + i, *b = of_b + k * (UNIT_K / 4);
#endif
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
      INSTRUCTION
#else // tgc check's executor
      simt::multiply<ELEMENT, UNIT_M, UNIT_K>(c, a, b);
#endif
    }
}
#endif
