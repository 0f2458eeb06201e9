// A warp multiplies a tile of 16 x 16 by one of 16 x 16 in shared memory, each by rows and by columns, and one of 16 x 8
// whose elements its lanes hold as those of other machines do: as a plain product says, which knows nothing of lanes.
//
// mutant: rows of the other half: row = lane / 8 % 2 * 8 + lane / 16 * 4 => row = lane / 8 % 2 * 8 + lane / 16 % 1 * 4
// mutant: quad pairs exchanged: row = lane / 8 % 2 * 8 => row = lane / 4 % 2 * 8
// mutant: columns in the order of lanes: lane / 2 % 2 * 4 + lane / 16 * 2 + lane % 2;\n  load_sixteen => lane / 16 * 4 + lane % 4;\n  load_sixteen
// mutant: one step again: multiply_quads(c, of_a + k, of_b + k) => multiply_quads(c, of_a + k, of_b)
// mutant: steps as they lie: to[k] = from[k * step] => to[k] = from[k]
// mutant: upper rows alone: a[2 * i + !low] => a[2 * i + low]
// mutant: parts of A exchanged: part_of_a[0][i] = low ? other : one => part_of_a[0][i] = one
// mutant: one part of B: 4 * column + odd + 2 * part => 4 * column + odd
// mutant: all of one part: 4 * g + odd + 2 * low => 4 * g + 2 * low
// mutant: columns of the other half: odd ? c[4 + i] : c[i] => c[i]
// mutant: one part of C twice: from ^ 4 => from
// mutant: lanes in their own order: from = lane / 8 * 8 + lane % 2 * 4 + lane / 2 % 2 * 2 + odd => from = lane
#include "device_test.h"

#include <cuda_fp16.h>

#define MULTIPLY 1
#define TILES 1
#define ROWS 1
#define ELEMENT __half
#define SUM float
#define INSTRUCTION
#include "matrix_quads.cuh"

enum { TILE = 16, PITCH = 24 };

// Row i, column j of either factor: small integers, whose sums of products are exact.
static int of_a(int i, int k) { return (i * 7 + k * 5 + i * k) % 11 - 5; }
static int of_b(int k, int j) { return (k * 3 + j * 13 + k * j) % 7 - 3; }

__global__ void product_of_tiles(float *c, int a_columns, int b_columns) {
  __shared__ __align__(16) __half a[TILE * PITCH];
  __shared__ __align__(16) __half b[TILE * PITCH];
  const int lane = threadIdx.x % 32;
  const int a_row = a_columns ? 1 : PITCH, a_column = a_columns ? PITCH : 1;
  const int b_row = b_columns ? 1 : PITCH, b_column = b_columns ? PITCH : 1;
  for (int e = lane; e < TILE * TILE; e += 32) {
    a[e / TILE * a_row + e % TILE * a_column] = (__half)(float)of_a(e / TILE, e % TILE);
    b[e / TILE * b_row + e % TILE * b_column] = (__half)(float)of_b(e / TILE, e % TILE);
  }
  __syncwarp();
  __half own_a[TILE], own_b[TILE];
  float own_c[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  load_a(own_a, a, a_row, a_column);
  load_b(own_b, b, b_row, b_column);
  multiply_tile(own_c, own_a, own_b);
  const int row = lane / 8 % 2 * 8 + lane / 16 * 4 + lane % 2, column = lane / 4 % 2 * 8 + lane / 2 % 2 * 4;
  for (int e = 0; e < 8; ++e) c[(row + e / 2 % 2 * 2) * TILE + column + e / 4 * 2 + e % 2] = own_c[e];
}

// Lane 4 * g + t has rows g and g + 8 and column g, in pairs of neighbours 8 apart; of what they give 2 * t and the next.
__global__ void product_of_rows(float *c, int, int) {
  const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
  __half own_a[8], own_b[4];
  for (int e = 0; e < 8; ++e) own_a[e] = (__half)(float)of_a(g + e / 2 % 2 * 8, e / 4 * 8 + 2 * t + e % 2);
  for (int e = 0; e < 4; ++e) own_b[e] = (__half)(float)of_b(e / 2 * 8 + 2 * t + e % 2, g);
  float own_c[4] = {1, 1, 1, 1};
  multiply(own_c, own_a, own_b);
  for (int e = 0; e < 4; ++e) c[(g + e / 2 * 8) * 8 + 2 * t + e % 2] = own_c[e];
}

static bool right(void (*kernel)(float *, int, int), int columns) {
  for (int order = 0; order < 4; order++) {
    float *c = zeroed<float>(TILE * columns);
    if (!launched(kernel, 1, 32, c, order & 1, order >> 1)) return false;
    for (int i = 0; i < TILE; i++)
      for (int j = 0; j < columns; j++) {
        int sum = 1;
        for (int k = 0; k < TILE; k++) sum += of_a(i, k) * of_b(k, j);
        if (c[i * columns + j] != (float)sum) return false;
      }
  }
  return true;
}

int main() {
  return each_seed([] { return right(product_of_tiles, TILE) && right(product_of_rows, 8); });
}
