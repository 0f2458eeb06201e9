// jacobi, variant 36868ab8: grid.tiled(block.tiled/all!staged(thread.serial))
// Made by tgc from jacobi.cdl for sm_60; this text is yours.
//
// baseline, 1 kernel, determinism sequential: each element is computed by itself, as the sequential codelet does
// batch-invariant: each element is computed by itself
//
//   grid: regroups by `tiled', over its blocks (G3)
//     each part: block: regroups by `tiled', over its lanes (B3x)
//       each part, staged in shared memory: thread: computes by `serial' (T2)
//
// codelets
//   tiled        jacobi.cdl:23
//   serial       jacobi.cdl:14
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, tile_i, tile_j, lanes); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   tile_i: elements of a block's tile, 32 or 64
//   tile_j: elements of a block's tile, 32 or 64
//   lanes: lanes with neighbouring parts, 8, 16 or 32
#ifndef JACOBI_36868AB8_CONFIGURATIONS
#define JACOBI_36868AB8_CONFIGURATIONS(C) C(256, 32, 32, 32)
#endif

#ifndef JACOBI_CONFIGURATION
#define JACOBI_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct jacobi_configuration {
  int threads, loads;
  int64_t blocks;
  int lanes, tile_i, tile_j;
} jacobi_configuration;
#endif

namespace jacobi_36868ab8 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

// Each block processes its part.
template <typename T, int threads, int tile_i, int tile_j, int lanes>
__global__ void __launch_bounds__(threads, 1) jacobi_blocks(Index q, Index y_rows, Index y_columns, Index leading, Index y_leading, const T *__restrict__ x, T *__restrict__ y) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int i_each = (tile_i + threads / lanes - 1) / (threads / lanes);
  const int j_each = (tile_j + lanes - 1) / lanes;
  const int i_padded = i_each * (threads / lanes);
  const int j_padded = j_each * lanes;
  const int x_pitch = j_padded + 2 + (j_each % (16 / (int)sizeof(T)) == 0 ? 16 / (int)sizeof(T) : 1);
  const int x_elements = (i_padded + 2) * (j_padded + 2);
  const int x_rounds = (x_elements + threads - 1) / threads;
  __shared__ T x_tile[(i_padded + 2) * x_pitch];
  // grid > block: tiled (jacobi.cdl:23), one part per block
  const Index i_begin = min_index((Index)((int)block / (int)q) * tile_i, y_rows);
  const Index i_size = min_index(tile_i, y_rows - i_begin);
  const Index j_begin = min_index((Index)((int)block % (int)q) * tile_j, y_columns);
  const Index j_size = min_index(tile_j, y_columns - j_begin);
  const Index x_begin = i_begin * leading + j_begin;
  const Index y_begin = i_begin * y_leading + j_begin;
  // block > thread: tiled (jacobi.cdl:23), a rectangle each; serial (jacobi.cdl:14)
  const int i_lane = thread / lanes;
  const int j_lane = thread % lanes;
  const int i_first = i_lane * i_each;
  const int i_left = (int)i_size - i_first;
  const int j_first = j_lane * j_each;
  const int j_left = (int)j_size - j_first;
  const int x_last = (int)(i_size + 2) - 1;
  const int x_last2 = (int)(j_size + 2) - 1;
  #pragma unroll
  for (int s = 0; s < x_rounds; ++s) {
    const int e = s * threads + thread;
    const int row = e / (j_padded + 2);
    const int column = e % (j_padded + 2);
    if (x_elements % threads == 0 || e < x_elements)
      x_tile[row * x_pitch + column] = x[x_begin + (Index)min(row, x_last) * leading + (Index)min(column, x_last2)];
  }
  __syncthreads();
  if (i_left > 0 && (j_left > 0)) {
    #pragma unroll
    for (int i = 0; i < i_each; ++i) {
      #pragma unroll
      for (int j = 0; j < j_each; ++j) {
        if (i < i_left && (j < j_left))
          y[y_begin + i_first * y_leading + j_first + (i * y_leading + j)] = (x_tile[i_first * x_pitch + j_first + (i * x_pitch + (j + 1))] + x_tile[i_first * x_pitch + j_first + ((i + 2) * x_pitch + (j + 1))] + x_tile[i_first * x_pitch + j_first + ((i + 1) * x_pitch + j)] + x_tile[i_first * x_pitch + j_first + ((i + 1) * x_pitch + (j + 2))]) * T(0.25);
      }
    }
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int tile_i, int tile_j, int lanes>
cudaError_t run(void *workspace, size_t *workspace_bytes, const T *x, Index rows, Index columns, Index leading, T *y, Index y_rows, Index y_columns, Index y_leading, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(tile_i >= 32 && tile_i <= 64 && (tile_i == 32 || tile_i == 64), "tile_i: elements of a block's tile, 32 or 64");
  static_assert(tile_j >= 32 && tile_j <= 64 && (tile_j == 32 || tile_j == 64), "tile_j: elements of a block's tile, 32 or 64");
  static_assert(lanes >= 8 && lanes <= 32 && (lanes == 8 || lanes == 16 || lanes == 32), "lanes: lanes with neighbouring parts, 8, 16 or 32");
  if (rows < 0 || columns < 0 || leading < 0 || y_rows < 0 || y_columns < 0 || y_leading < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: tiled (jacobi.cdl:23), one part per block
  const Index p = (y_rows + tile_i - 1) / tile_i;
  const Index q = (y_columns + tile_j - 1) / tile_j;
  const Index tiles = p * q;
  if (tiles > 2147483647)
    return cudaErrorInvalidValue;
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  if (tiles > 0) {
    void *args[] = {(void *)&q, &y_rows, &y_columns, &leading, &y_leading, &x, &y};
    const cudaError_t error = cudaLaunchKernel(jacobi_blocks<T, threads, tile_i, tile_j, lanes>, dim3((unsigned)tiles), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

// Bytes that a block has in shared memory.
template <typename T, int threads, int tile_i, int tile_j, int lanes>
constexpr size_t shared_bytes() {
  return (size_t)(((tile_i + threads / lanes - 1) / (threads / lanes) * (threads / lanes) + 2) * ((tile_j + lanes - 1) / lanes * lanes + 2 + ((tile_j + lanes - 1) / lanes % (16 / (int)sizeof(T)) == 0 ? 16 / (int)sizeof(T) : 1))) * sizeof(T);
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const jacobi_configuration *c, void *workspace, size_t *workspace_bytes, const T *x, Index rows, Index columns, Index leading, T *y, Index y_rows, Index y_columns, Index y_leading, cudaStream_t stream) {
  const jacobi_configuration own = {0, 0, 0, 0, 0, 0};
  if (c == nullptr) c = &own;
#define RUN(THREADS, TILE_I, TILE_J, LANES) if constexpr (shared_bytes<T, THREADS, TILE_I, TILE_J, LANES>() <= 49152) if (serves(THREADS, c->threads) && serves(TILE_I, c->tile_i) && serves(TILE_J, c->tile_j) && serves(LANES, c->lanes)) return run<T, THREADS, TILE_I, TILE_J, LANES>(workspace, workspace_bytes, x, rows, columns, leading, y, y_rows, y_columns, y_leading, stream);
  JACOBI_36868AB8_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace jacobi_36868ab8

#define ROW(THREADS, TILE_I, TILE_J, LANES) {THREADS, 0, 0, LANES, TILE_I, TILE_J},
// Those that were compiled; zeros end them.
extern "C" const jacobi_configuration jacobi_36868ab8_configurations[];
const jacobi_configuration jacobi_36868ab8_configurations[] = {JACOBI_36868AB8_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t jacobi_36868ab8_float(const jacobi_configuration *c, void *workspace, size_t *workspace_bytes, const float *x, uint64_t rows, uint64_t columns, uint64_t leading, float *y, uint64_t y_rows, uint64_t y_columns, uint64_t y_leading, cudaStream_t stream) {
  return jacobi_36868ab8::configured<float>(c, workspace, workspace_bytes, x, (jacobi_36868ab8::Index)rows, (jacobi_36868ab8::Index)columns, (jacobi_36868ab8::Index)leading, y, (jacobi_36868ab8::Index)y_rows, (jacobi_36868ab8::Index)y_columns, (jacobi_36868ab8::Index)y_leading, stream);
}
