// matrix.cuh: products of tiles by a warp's matrix unit (PTX: mma.sync), 16 x 16 elements of A by 16 x 8 of B at a time.
//
// The lanes hold the elements together: a register has `packed` neighbours of a row of A or a column of B. Of each 8 rows
// of A, or columns of B, and 4 registers along them lane 4 * g + t has register (g, t). Of 8 rows and columns of C it has
// elements (g, 2 * t) and (g, 2 * t + 1). PTX ISA, "Matrix fragments for mma".
//
//   WIDTHS     packed
//   ROUNDS     in_unit: an element as the unit takes it, where one of the types is tf32; else all are as they are
//   BYTES      one of the types has bytes: where rows are multiplied, all
//   LOADS      load_a, load_b: a lane's elements, from shared memory: OF_A and OF_B of them
//   DEEP       all types have bytes, of which twice as many of the inner dimension are multiplied: DEPTH
//   PARTS      part_of_a: the same of A from registers
//   NEAR       load_near, keep_near: a lane's neighbours of a row that begins and ends anywhere
//   SCANS      unit_sums, unit_scan: what a warp's lanes hold of a tile, by products with ones and with a triangle, whose sums
//              are OWN_SUM
//   MULTIPLY   multiply, for elements of type ELEMENT, added up in SUM: by INSTRUCTION, for UNIT_M x 8 of C and UNIT_K of
//              the inner dimension, whose operands are c, a and b; PACKED: registers are words, of one element or more;
//              PACKED_SUMS: sums are halves, of which a register has two; ROWS_BELOW: where a lane has those of the rows UNIT_M below, i times
#include "alone.cuh"
#ifndef MULTIPLY
#define WIDTHS 1
#define ROUNDS 0
#define BYTES 0
#define DEEP 0
#define LOADS 1
#define PARTS 1
#define NEAR 1
#define SCANS 1
#define MULTIPLY 1
#endif
#ifndef OF_A
#define OF_A 8
#define OF_B 4
#endif
#ifndef ELEMENT
#define ELEMENT double
#define SUM double
#define UNIT_M 16
#define UNIT_K 16
#define DEPTH 16
#define PACKED 0
#define PACKED_SUMS 0
#define OWN_SUM T
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
#if BYTES
  memcpy(to, from, 4); // words, which are not taken apart
  memcpy(to + 4, from + below, 4);
#else
#pragma unroll
  for (int e = 0; e < 8; ++e) {
    const int part = e / packed<E>;
#if ROUNDS
    to[e] = in_unit(from[part % 2 * below + part / 2 * packed<E> + e % packed<E>]);
#else
    to[e] = from[part % 2 * below + part / 2 * packed<E> + e % packed<E>];
#endif
  }
#endif
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
#if BYTES
  memcpy(to, x.word, sizeof x.word);
#else
#pragma unroll
  for (int e = 0; e < near; ++e)
    to[e] = x.element[e];
#endif
}

// Of these the ones from `first` on, up to `end`, zeros in place of the others; where some of them are there, but they were
// not read together, one by one.
template <int near, typename E>
__device__ __forceinline__ void keep_near(E *to, const E *from, int first, int end, bool read) {
  constexpr int words = near * sizeof(E) / 4, in_a_word = sizeof(E) < 4 ? 4 / (int)sizeof(E) : 1;
  Near<E, near> x;
#if BYTES
  memcpy(x.word, to, sizeof x.word);
#else
#pragma unroll
  for (int e = 0; e < near; ++e)
    x.element[e] = to[e];
#endif
  if (first < end && (first > 0 || end < near || !read)) {
    if (!read) {
#if BYTES
#pragma unroll
      for (int i = 0; i < words; ++i) {
        x.word[i] = 0;
#pragma unroll 1
        for (int e = i * in_a_word; e < (i + 1) * in_a_word; ++e) // few registers
          if (e >= first && e < end) x.word[i] |= (unsigned)(unsigned char)from[e] << 8 * (e % in_a_word);
      }
#else
#pragma unroll
      for (int e = 0; e < near; ++e)
        if (e >= first && e < end) x.element[e] = from[e];
#endif
    }
#pragma unroll
    for (int i = 0; i < words; ++i) {
      unsigned mask = 0;
#pragma unroll
      for (int k = 0; k < in_a_word; ++k) {
        const int e = i * 4 / (int)sizeof(E) + k;
#if BYTES
        if (e >= first && e < end) mask |= 0xffu << 8 * k;
#else
        if (e >= first && e < end) mask |= in_a_word > 1 ? 0xffffu << 16 * k : ~0u;
#endif
      }
      x.word[i] &= mask;
    }
  }
#if BYTES
  memcpy(to, x.word, sizeof x.word);
#else
#pragma unroll
  for (int e = 0; e < near; ++e)
    to[e] = x.element[e];
#endif
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
#if DEEP
    unsigned parts[4];
    load_parts(parts, &from[lane % 16 * row_step + lane / 16 * 16], false);
#else
    unsigned parts[2];
    load_parts(parts, &from[lane % 16 * row_step], false);
#endif
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
    for (int e = 0; e < OF_A; ++e) {
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
#if DEEP
    unsigned parts[2];
    load_parts(parts, &from[lane / 8 % 2 * 16 + lane % 8 * column_step], false);
    memcpy(to, parts, sizeof parts);
#else
    const unsigned word = *(const unsigned *)&from[lane % 4 * 4 + lane / 4 * column_step];
    memcpy(to, &word, sizeof word);
#endif
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
    for (int e = 0; e < OF_B; ++e) {
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
  for (int k = 0; k < DEPTH / UNIT_K; ++k)
#pragma unroll
    for (int i = 0; i < 16 / UNIT_M; ++i) {
#if PACKED_SUMS
      SUM *const own = sums + 2 * i;
#else
      SUM *c = sums + 2 * i;
#endif
#if PACKED
      unsigned a[UNIT_M * UNIT_K / 32 / packed<ELEMENT>], b[8 * UNIT_K / 32 / packed<ELEMENT>];
      memcpy(a, of_a + k * (UNIT_K / 2) + ROWS_BELOW, sizeof a);
      memcpy(b, of_b + k * (UNIT_K / 4), sizeof b);
#else
      const ELEMENT *a = of_a + k * (UNIT_K / 2) + i, *b = of_b + k * (UNIT_K / 4);
#endif
#if PACKED_SUMS
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
      unsigned c[UNIT_M / 8];
      memcpy(c, own, sizeof c);
      INSTRUCTION
      memcpy(own, c, sizeof c);
#else // tgc check's executor
      simt::multiply<ELEMENT, UNIT_M, UNIT_K>(own, a, b);
#endif
#else
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
      INSTRUCTION
#else // tgc check's executor
      simt::multiply<ELEMENT, UNIT_M, UNIT_K>(c, a, b);
#endif
#endif
    }
}
#endif
#if SCANS

// A warp's part of a tile has `rows' rows of 128 elements, of which a lane has 4 neighbours each. A row is 8 rows of A, of 16
// elements that 4 lanes have; the next one is the 8 rows below:
//
//   row 2 * q:      lanes 0 to 3: row 0 of A | lanes 4 to 7: row 1 | .. | lanes 28 to 31: row 7
//   row 2 * q + 1:                row 8      |               row 9 | .. |                 row 15
//
// Elements have 16 bits. Two of them are a word, which is not taken apart.
template <typename E> union PackedPair {
  unsigned word;
  E element[2];
};
template <typename E> __device__ __forceinline__ unsigned packed_pair(E x, E y) {
  PackedPair<E> p;
  p.element[0] = x, p.element[1] = y;
  return p.word;
}

// A lane's rows, the first at `from', of elements `at', at + 1, .. below `end': all at once where the whole tile is there.
template <int rows, typename E>
__device__ __forceinline__ void unit_load(E *to, const E *from, Index at, Index end, bool whole) {
  uint2 row[rows];
#pragma unroll
  for (int r = 0; r < rows; ++r)
    row[r] = whole ? *(const uint2 *)(from + 128 * r) : uint2{0, 0};
  if (!whole) {
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      E element[4];
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const Index i = at + 128 * r + e;
        element[e] = i >= 0 && i < end ? from[128 * r + e] : (E)0;
      }
      row[r] = uint2{packed_pair(element[0], element[1]), packed_pair(element[2], element[3])};
    }
  }
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const PackedPair<E> x = {row[r].x}, y = {row[r].y};
#pragma unroll
    for (int e = 0; e < 2; ++e)
      to[4 * r + e] = x.element[e], to[4 * r + 2 + e] = y.element[e];
  }
}

// Where a lane's rows go, of which a scan gives one after another: to registers; to memory, 16 bytes at once; to memory,
// those elements of at, at + 1, .. that are there.
template <typename T> struct UnitRegisters {
  T *to;
  __device__ __forceinline__ void put(int row, const T *four) const {
#pragma unroll
    for (int e = 0; e < 4; ++e)
      to[4 * row + e] = four[e];
  }
};
template <typename T> struct UnitWide {
  T *to;
  __device__ __forceinline__ void put(int row, const T *four) const { store_wide(to + 128 * row, four); }
};
template <typename T> struct UnitElements {
  T *to;
  Index at, end;
  __device__ __forceinline__ void put(int row, const T *four) const {
#pragma unroll
    for (int e = 0; e < 4; ++e)
      if (at + 128 * row + e >= 0 && at + 128 * row + e < end) to[128 * row + e] = four[e];
  }
};

// Of two rows of a lane's, its elements of A; of a number of rows that is odd the last one stands alone.
template <int rows, typename E> __device__ __forceinline__ void unit_rows(E *to, const E *from, int pair) {
  E both[8];
#pragma unroll
  for (int e = 0; e < 4; ++e) {
    both[e] = from[8 * pair + e];
    both[4 + e] = 2 * pair + 1 < rows ? from[(8 * pair + 4) % (4 * rows) + e] : (E)0;
  }
  part_of_a(to, both, 4);
}

// What this lane's value is with those of lanes that are so many times `first' below it, within `lanes' of them.
template <int first, int lanes, typename T> __device__ __forceinline__ T unit_upto(T value) {
#pragma unroll
  for (int by = first; by < lanes; by *= 2) {
    const T other = __shfl_up_sync(0xffffffff, value, by);
    if ((int)threadIdx.x % lanes >= by) value += other;
  }
  return value;
}

// before[0] is the sum of the warp's part. before[1] to [4] are what stands in it before rows of A: of four pairs of rows
// lane 4 * g + t has those of the one number t, row g and row 8 + g; then of the next four.
template <int rows, typename T, typename E> __device__ __forceinline__ void unit_sums(T *before, const E *from) {
  constexpr int pairs = (rows + 1) / 2, fours = (pairs + 3) / 4;
  static_assert(fours <= 2, "more rows than lanes keep sums of");
  const int lane = threadIdx.x % 32;
  const E ones[4] = {(E)1, (E)1, (E)1, (E)1};
  T own[4] = {0, 0, 0, 0};
#pragma unroll
  for (int pair = 0; pair < pairs; ++pair) {
    E part[8];
    OWN_SUM sums[4] = {0, 0, 0, 0};
    unit_rows<rows>(part, from, pair);
    multiply(sums, part, ones);
#pragma unroll
    for (int half = 0; half < 2; ++half)
      own[pair / 4 * 2 + half] = lane % 4 == pair % 4 ? (T)sums[2 * half] : own[pair / 4 * 2 + half];
  }
  T stands = 0;
#pragma unroll
  for (int four = 0; four < fours; ++four) {
    T row[2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const T upto = unit_upto<4, 32>(own[2 * four + half]), left = __shfl_up_sync(0xffffffff, upto, 4);
      before[1 + 2 * four + half] = lane < 4 ? (T)0 : left;
      row[half] = __shfl_sync(0xffffffff, upto, 28 + lane % 4);
    }
    const T upto = unit_upto<1, 4>(row[0] + row[1]), left = __shfl_up_sync(0xffffffff, upto, 1);
    const T first = lane % 4 == 0 ? stands : stands + left;
    before[1 + 2 * four] += first;
    before[2 + 2 * four] += first + row[0];
    stands += __shfl_sync(0xffffffff, upto, 3);
  }
  before[0] = stands;
}

// A lane's elements of the triangle's columns of product j: of column 4 * c + 2 * j + i the first so many rows are ones,
// where c and i are a half and a rest of the column that the lane has of B.
template <typename E> __device__ __forceinline__ void unit_triangle(E *to, int j) {
  const int lane = threadIdx.x % 32, ones = 4 * (lane / 8 - lane % 4) + 2 * j + lane / 4 % 2 + 1;
#pragma unroll
  for (int e = 0; e < 4; e += 2) {
    PackedPair<E> p = {packed_pair((E)1, (E)1)};
    p.word = ones >= e + 2 ? p.word : ones > e ? p.word & 0xffffu : 0u;
    to[e] = p.element[0], to[e + 1] = p.element[1];
  }
}

// A pair of rows by products: what stands before each, and those of the row itself.
template <int rows, typename T, typename E>
__device__ __forceinline__ void unit_multiplied(T (&row)[2][4], const E *from, int pair, const T *stands, const E *triangle) {
  E part[8];
  unit_rows<rows>(part, from, pair);
#pragma unroll
  for (int j = 0; j < 2; ++j) {
    OWN_SUM made[4] = {stands[0], stands[0], stands[1], stands[1]};
    multiply(made, part, triangle + 4 * j);
#pragma unroll
    for (int e = 0; e < 4; ++e)
      row[e / 2][2 * j + e % 2] = made[e];
  }
}

// The same by exchanges.
template <int rows, typename T, typename E>
__device__ __forceinline__ void unit_exchanged(T (&row)[2][4], const E *from, int pair, const T *stands) {
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    T own = 0;
#pragma unroll
    for (int e = 0; e < 4; ++e)
      row[half][e] = own += (T)from[(8 * pair + 4 * half + e) % (4 * rows)];
    const T left = __shfl_up_sync(0xffffffff, unit_upto<1, 4>(own), 1);
#pragma unroll
    for (int e = 0; e < 4; ++e)
      row[half][e] += threadIdx.x % 4 == 0 ? stands[half] : stands[half] + left;
  }
}

template <int rows, bool finite, typename To, typename T, typename E>
__device__ __forceinline__ void unit_pairs(const To to, const E *from, const T *before, T first) {
  const int lane = threadIdx.x % 32;
  E triangle[8];
  unit_triangle(triangle, 0);
  unit_triangle(triangle + 4, 1);
#pragma unroll
  for (int pair = 0; pair < (rows + 1) / 2; ++pair) {
    T stands[2], row[2][4];
#pragma unroll
    for (int half = 0; half < 2; ++half)
      stands[half] = __shfl_sync(0xffffffff, first + before[1 + pair / 4 * 2 + half], lane / 4 * 4 + pair % 4);
    if constexpr (finite)
      unit_multiplied<rows>(row, from, pair, stands, triangle);
    else
      unit_exchanged<rows>(row, from, pair, stands);
    to.put(2 * pair, row[0]);
    if (2 * pair + 1 < rows) to.put(2 * pair + 1, row[1]);
  }
}

// A lane's rows, each element with all before it, of what stands before the warp's part and in it. A product adds an
// element to those before it times 0, and 0 * infinity is no number: where the sum is none, lanes add up their elements by
// themselves.
template <int rows, typename To, typename T, typename E>
__device__ __forceinline__ void unit_rows_to(const To to, const E *from, const T *before, T first) {
  if (before[0] - before[0] == (T)0)
    unit_pairs<rows, true>(to, from, before, first);
  else
    unit_pairs<rows, false>(to, from, before, first);
}

template <int rows, typename T, typename E>
__device__ __forceinline__ void unit_scan(T *to, const E *from, const T *before, T first) {
  unit_rows_to<rows>(UnitRegisters<T>{to}, from, before, first);
}

// The same to memory, the first row at `to', of elements at, at + 1, .. below `end'.
template <int rows, typename T, typename E> __device__ __forceinline__
void unit_store(T *to, const E *from, const T *before, T first, Index at, Index end, bool whole) {
  if (__all_sync(0xffffffff, whole && (uintptr_t)to % 16 == 0))
    unit_rows_to<rows>(UnitWide<T>{to}, from, before, first);
  else
    unit_rows_to<rows>(UnitElements<T>{to, at, end}, from, before, first);
}
#endif
