// matrix_quads.cuh: products of tiles by the matrix unit of sm_70 (PTX: mma.sync.m8n8k4), whose instruction is four products
// of 8 x 8 x 4 elements, one for each quad pair: lanes 4 * q to 4 * q + 3, and those 16 further on.
//
// In its quad pair a lane has number r: its place in its four, and 4 more in the upper half of the warp. It holds 4
// neighbours of row r of A, and of column r of B. Of C, in rows r % 2 and r % 2 + 2 of the four rows from r / 4 * 4 on, it
// holds columns r / 2 % 2 * 2, the next one, and those 4 further on. PTX ISA, "Matrix fragments for mma.m8n8k4 with .f16".
//
// Rows of A and columns of B may stand in any order. Of columns it is this one, 0 1 4 5 2 3 6 7: so a lane has 4
// neighbours of a row of C.
//
//   MULTIPLY   multiply_quads: one instruction, for elements of type ELEMENT, added up in SUM: by INSTRUCTION, whose
//              operands are c, a and b
//   TILES      load_a, load_b, multiply_tile: 16 x 16 elements of A by 16 x 16 of B, where each quad pair has 8 rows and
//              8 columns of C, and a lane all 16 elements of a row and of a column
//   ROWS       multiply: 16 x 16 elements of A by 16 x 8 of B, which lanes hold as matrix.cuh has it
#include "alone.cuh"
#ifndef MULTIPLY
#define MULTIPLY 1
#define TILES 1
#define ROWS 1
#endif
#ifndef ELEMENT
#define ELEMENT unsigned short
#define SUM float
#define INSTRUCTION
#endif
// ---- pasted from here on ----
#if MULTIPLY

// C += A B in each quad pair: 8 elements of C, 4 of A, 4 of B.
__device__ __forceinline__ void multiply_quads(SUM *c, const ELEMENT *of_a, const ELEMENT *of_b) {
  unsigned a[2], b[2];
  memcpy(a, of_a, sizeof a);
  memcpy(b, of_b, sizeof b);
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
  INSTRUCTION
#else // tgc check's executor
  simt::multiply_quads<ELEMENT>(c, a, b);
#endif
}
#endif
#if TILES

// 16 neighbours, whose first lies at a multiple of 16 bytes, or `step' apart.
template <typename E> __device__ __forceinline__ void load_sixteen(E *to, const E *from, int step) {
  if (step == 1) {
    uint4 both[2] = {((const uint4 *)from)[0], ((const uint4 *)from)[1]};
    memcpy(to, both, sizeof both);
  } else {
#pragma unroll
    for (int k = 0; k < 16; ++k)
      to[k] = from[k * step];
  }
}

// A lane's elements of the 16 x 16 of A that begin at `from', in shared memory: element (i, k) is at
// i * row_step + k * column_step, one of which is 1. Rows, or columns, begin at multiples of 16 bytes.
template <typename E> __device__ __forceinline__ void load_a(E *to, const E *from, int row_step, int column_step) {
  const int lane = threadIdx.x % 32, row = lane / 8 % 2 * 8 + lane / 16 * 4 + lane % 4;
  load_sixteen(to, from + row * row_step, column_step);
}

// The same of the 16 x 16 of B: element (k, j) is at k * row_step + j * column_step.
template <typename E> __device__ __forceinline__ void load_b(E *to, const E *from, int row_step, int column_step) {
  const int lane = threadIdx.x % 32, column = lane / 4 % 2 * 8 + lane / 2 % 2 * 4 + lane / 16 * 2 + lane % 2;
  load_sixteen(to, from + column * column_step, row_step);
}

// C += A B. A lane has 4 neighbours each of two rows of C.
template <typename S, typename E> __device__ __forceinline__ void multiply_tile(S *c, const E *of_a, const E *of_b) {
#pragma unroll
  for (int k = 0; k < 16; k += 4)
    multiply_quads(c, of_a + k, of_b + k);
}
#endif
#if ROWS

// C += A B, of lanes' elements as matrix.cuh has them: lane 4 * g + t has rows g and g + 8 of A, and column g of B, in four
// places of the inner dimension, the t-th part of it. One instruction multiplies a part in the quad pairs of even numbers
// and the next one in those of odd ones, two do all four. Quad pairs 0 and 1 have the rows of even g / 2, quad pairs 2 and
// 3 those of odd, so that a lane gets rows g and g + 8.
__device__ __forceinline__ void multiply(SUM *sums, const ELEMENT *of_a, const ELEMENT *of_b) {
  const int lane = threadIdx.x % 32;
  const int odd = lane / 4 % 2, low = lane / 2 % 2; // the part of the inner dimension; the row is one of the lower 8
  const int g = lane / 16 * 4 + lane / 8 % 2 * 2 + lane % 2, column = low * 4 + lane / 16 * 2 + lane % 2;
  unsigned a[4], b[2], part_of_a[2][2], part_of_b[2][2];
  memcpy(a, of_a, sizeof a);
  memcpy(b, of_b, sizeof b);
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    // A lane gives its upper row to one lane and its lower row to another.
    const unsigned one = __shfl_sync(0xffffffff, a[2 * i + low], 4 * g + odd + 2 * low);
    const unsigned other = __shfl_sync(0xffffffff, a[2 * i + !low], 4 * g + odd + 2 * !low);
    part_of_a[0][i] = low ? other : one;
    part_of_a[1][i] = low ? one : other;
#pragma unroll
    for (int part = 0; part < 2; ++part)
      part_of_b[part][i] = __shfl_sync(0xffffffff, b[i], 4 * column + odd + 2 * part);
  }
  SUM c[8] = {0, 0, 0, 0, 0, 0, 0, 0};
#pragma unroll
  for (int part = 0; part < 2; ++part) {
    ELEMENT factor[8];
    memcpy(factor, part_of_a[part], 2 * sizeof(unsigned));
    memcpy(factor + 4, part_of_b[part], 2 * sizeof(unsigned));
    multiply_quads(c, factor, factor + 4);
  }
  // Of C lane 4 * g + t has columns 2 * t and 2 * t + 1: from a quad pair of either part, whose lane has exchanged the
  // lowest bits of g and t.
  const int from = lane / 8 * 8 + lane % 2 * 4 + lane / 2 % 2 * 2 + odd;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    sums[i] += __shfl_sync(0xffffffff, odd ? c[4 + i] : c[i], from) +
               __shfl_sync(0xffffffff, odd ? c[i] : c[4 + i], from ^ 4);
}
#endif
