// A warp multiplies two tiles of 16 x 16 by 16 x 8 in shared memory, each by rows and by columns, of doubles by three shapes of
// instructions, of halves by two, of bytes by three, and of tf32 that are no numbers of 10 bits: as a plain product says, which knows
// nothing of lanes. The same of A from registers, four neighbours of two rows each, and of B in the order that goes with it.
//
// mutant: rows in pairs: i = lane / 4 + part % 2 * 8 => i = lane / 4 * 2 + part % 2
// mutant: half of A again: (lane % 4 + part / 2 * 4) => (lane % 4)
// mutant: half of B again: k = (lane % 4 + e / packed<E> * 4) => k = (lane % 4)
// mutant: one step: k < DEPTH / UNIT_K => k < 1
// mutant: one half of rows: SUM *c = sums + 2 * i => SUM *c = sums
// mutant: A of the first step: of_a + k * (UNIT_K / 2) + i => of_a + i
// mutant: B of the first step: of_b + k * (UNIT_K / 4) => of_b
// mutant: neighbours of the other row: part % 2 * below + part / 2 => part / 4 * 4 + part % 2
// mutant: one register again: part / 2 * packed<E> + e => e
// mutant: rows below in between: of_a + k * (UNIT_K / 2) + ROWS_BELOW => of_a + k * (UNIT_K / 2) + i
// mutant: A as it is: in_unit(from[i * row_step + k * column_step]) => from[i * row_step + k * column_step]
// mutant: B as it is: in_unit(from[k * row_step + lane / 4 * column_step]) => from[k * row_step + lane / 4 * column_step]
// mutant: neighbours as they are: in_unit(from[part % 2 * below + part / 2 * packed<E> + e % packed<E>]) => from[part % 2 * below + part / 2 * packed<E> + e % packed<E>]
#include "device_test.h"

#include <cuda_fp16.h>

#include "half16.cuh"
#include "tf32.cuh"

#define WIDTHS 1
#define LOADS 1
#define PARTS 1
#define MULTIPLY 1
#define ELEMENT double
#define SUM double
#define UNIT_M 16
#define UNIT_K 16
#define DEPTH 16
#define DEEP 0
#define OF_A 8
#define OF_B 4
#define PACKED 0
#define ROWS_BELOW i
#define INSTRUCTION
namespace whole {
#include "matrix.cuh"
}
#undef UNIT_K
#define UNIT_K 8
namespace steps {
#include "matrix.cuh"
}
#undef UNIT_M
#undef UNIT_K
#define UNIT_M 8
#define UNIT_K 4
namespace small {
#include "matrix.cuh"
}
#undef ELEMENT
#undef SUM
#undef UNIT_M
#undef UNIT_K
#undef PACKED
#define ELEMENT __half
#define SUM float
#define UNIT_M 16
#define UNIT_K 16
#define PACKED 1
namespace halves {
#include "matrix.cuh"
}
#undef UNIT_K
#define UNIT_K 8
namespace half_steps {
#include "matrix.cuh"
}
#undef ELEMENT
#undef ROUNDS
#define ELEMENT tf32
#define ROUNDS 1
namespace tf32s {
#include "matrix.cuh"
}
#undef ELEMENT
#undef SUM
#undef UNIT_K
#undef ROUNDS
#define ELEMENT half16
#define SUM half_sum
#define PACKED_SUMS 1
#define UNIT_K 8
#define ROUNDS 0
namespace half_sums {
#include "matrix.cuh"
}
#undef ELEMENT
#undef SUM
#undef UNIT_K
#undef ROUNDS
#undef PACKED_SUMS
#define PACKED_SUMS 0
#define ELEMENT signed char
#define SUM int
#define UNIT_K 16
#define ROUNDS 0
namespace bytes {
#include "matrix.cuh"
}
#undef UNIT_M
#undef ROWS_BELOW
#define UNIT_M 8
#define ROWS_BELOW i * packed<signed char>
namespace byte_rows {
#include "matrix.cuh"
}

#undef UNIT_M
#undef UNIT_K
#undef DEPTH
#undef DEEP
#undef OF_A
#undef OF_B
#undef ROWS_BELOW
#define UNIT_M 16
#define UNIT_K 32
#define DEPTH 32
#define DEEP 1
#define OF_A 16
#define OF_B 8
#define ROWS_BELOW i
namespace deep_bytes {
#include "matrix.cuh"
}

enum { M = 16, N = 8, PITCH = 48 };

// Row i, column j of either tile: small integers, whose sums of products are exact.
static int of_a(int i, int k) { return (i * 7 + k * 5) % 11 - 5; }
static int of_b(int k, int j) { return (k * 3 + j * 13) % 7 - 3; }

// An element of that value; of tf32 one that is as near to no other number of 10 bits.
template <typename E> E element(int x) { return (E)(float)x; }
template <> tf32 element<tf32>(int x) { return tf32((float)x * (1 + 0x1p-13f)); }

#define PRODUCT(SPACE, E, S, K)                                                                                          \
  __global__ void product_of_##SPACE(S *c, int a_columns, int b_columns) {                                            \
    __shared__ __align__(16) E a[K * PITCH];                                                                         \
    __shared__ __align__(16) E b[K * PITCH];                                                                         \
    const int lane = threadIdx.x % 32;                                                                                \
    const int a_row = a_columns ? 1 : PITCH, a_column = a_columns ? PITCH : 1;                                        \
    const int b_row = b_columns ? 1 : PITCH, b_column = b_columns ? PITCH : 1;                                        \
    for (int e = lane; e < M * K; e += 32) a[e / K * a_row + e % K * a_column] = element<E>(of_a(e / K, e % K));        \
    for (int e = lane; e < K * N; e += 32) b[e / N * b_row + e % N * b_column] = element<E>(of_b(e / N, e % N));        \
    __syncwarp();                                                                                                     \
    E own_a[K / 2], own_b[K / 4];                                                                                     \
    S own_c[4] = {1, 1, 1, 1};                                                                                        \
    SPACE::load_a(own_a, a, a_row, a_column);                                                                         \
    SPACE::load_b(own_b, b, b_row, b_column);                                                                         \
    SPACE::multiply(own_c, own_a, own_b);                                                                             \
    for (int e = 0; e < 4; ++e) c[(lane / 4 + e / 2 * 8) * N + lane % 4 * 2 + e % 2] = own_c[e];                      \
  }
#define NEIGHBOURS(SPACE, E, S)                                                                                       \
  __global__ void neighbours_of_##SPACE(S *c, int, int) {                                                             \
    const int lane = threadIdx.x % 32;                                                                                \
    E near[8], own_a[8], own_b[4];                                                                                    \
    for (int e = 0; e < 8; ++e) near[e] = element<E>(of_a(lane / 4 + e / 4 * 8, lane % 4 * 4 + e % 4));                 \
    for (int e = 0; e < 4; ++e) own_b[e] = (E)(float)of_b(lane % 4 * 4 + e, lane / 4);                                \
    S own_c[4] = {1, 1, 1, 1};                                                                                        \
    SPACE::part_of_a(own_a, near, 4);                                                                                    \
    SPACE::multiply(own_c, own_a, own_b);                                                                             \
    for (int e = 0; e < 4; ++e) c[(lane / 4 + e / 2 * 8) * N + lane % 4 * 2 + e % 2] = own_c[e];                      \
  }
NEIGHBOURS(whole, double, double)
NEIGHBOURS(steps, double, double)
NEIGHBOURS(small, double, double)
NEIGHBOURS(halves, __half, float)
NEIGHBOURS(half_steps, __half, float)
NEIGHBOURS(tf32s, tf32, float)
NEIGHBOURS(half_sums, half16, half_sum)
NEIGHBOURS(bytes, signed char, int)
NEIGHBOURS(byte_rows, signed char, int)
PRODUCT(whole, double, double, 16)
PRODUCT(steps, double, double, 16)
PRODUCT(small, double, double, 16)
PRODUCT(halves, __half, float, 16)
PRODUCT(half_steps, __half, float, 16)
PRODUCT(tf32s, tf32, float, 16)
PRODUCT(half_sums, half16, half_sum, 16)
PRODUCT(bytes, signed char, int, 16)

// Each of two instructions rounds its sums to halves once: 2048 and eight times 1, then 2056 and 1 .. 8 of them.
__global__ void rounds_once(half_sum *c) {
  const int lane = threadIdx.x % 32;
  half16 own_a[8], own_b[4];
  half_sum own_c[4] = {2048, 2048, 2048, 2048};
  for (int e = 0; e < 8; ++e) own_a[e] = (half16)1;
  for (int e = 0; e < 4; ++e) own_b[e] = (half16)(e < 2 || lane / 4 >= lane % 4 * 2 + e % 2);
  half_sums::multiply(own_c, own_a, own_b);
  for (int e = 0; e < 4; ++e) c[(lane / 4 + e / 2 * 8) * N + lane % 4 * 2 + e % 2] = own_c[e];
}

static bool right_halves() {
  half_sum *c = zeroed<half_sum>(M * N);
  if (!launched(rounds_once, 1, 32, c)) return false;
  for (int i = 0; i < M * N; i++) { // of halves above 2048 every second number is one
    const int sum = 2048 + 8 + i % N + 1, nearest = sum % 4 == 3 ? sum + 1 : sum / 2 * 2;
    if ((float)c[i] != (float)nearest) return false;
  }
  return true;
}
PRODUCT(byte_rows, signed char, int, 16)
PRODUCT(deep_bytes, signed char, int, 32)

template <typename S> bool right(void (*kernel)(S *, int, int), int K = 16) {
  for (int order = 0; order < 4; order++) {
    S *c = zeroed<S>(M * N);
    if (!launched(kernel, 1, 32, c, order & 1, order >> 1)) return false;
    for (int i = 0; i < M; i++)
      for (int j = 0; j < N; j++) {
        int sum = 1;
        for (int k = 0; k < K; k++) sum += of_a(i, k) * of_b(k, j);
        if (c[i * N + j] != (S)sum) return false;
      }
  }
  return true;
}

int main() {
  return each_seed([] {
    return right(product_of_whole) && right(product_of_steps) && right(product_of_small) && right(product_of_halves) &&
           right(product_of_half_steps) && right(neighbours_of_whole) && right(neighbours_of_steps) &&
           right(neighbours_of_small) && right(neighbours_of_halves) && right(neighbours_of_half_steps) &&
           right(product_of_tf32s) && right(product_of_bytes) && right(product_of_byte_rows) &&
           right(product_of_half_sums) && right(neighbours_of_half_sums) && right_halves() &&
           right(neighbours_of_tf32s) && right(neighbours_of_bytes) && right(neighbours_of_byte_rows) &&
           right(product_of_deep_bytes, 32);
  });
}
