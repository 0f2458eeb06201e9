// jacobi3, variant a2421422: grid.tiled(block.tiled/all!staged(thread.serial))
// Made by tgc from jacobi3.cdl for sm_60; this text is yours.
//
// baseline, 1 kernel, determinism sequential: each element is computed by itself, as the sequential codelet does
// batch-invariant: each element is computed by itself
//
//   grid: regroups by `tiled', over its blocks (G3)
//     each part: block: regroups by `tiled', over its lanes (B3x)
//       each part, staged in shared memory: thread: computes by `serial' (T2)
//
// codelets
//   tiled        jacobi3.cdl:27
//   serial       jacobi3.cdl:14
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, tile_i, tile_j, tile_k, lanes); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   tile_i: elements of a block's tile, 1, 2, 4 or 8
//   tile_j: elements of a block's tile, 16, 32 or 64
//   tile_k: elements of a block's tile, 16, 32 or 64
//   lanes: lanes with neighbouring parts, 8, 16 or 32
#ifndef JACOBI3_A2421422_CONFIGURATIONS
#define JACOBI3_A2421422_CONFIGURATIONS(C) C(256, 4, 32, 32, 32)
#endif

#ifndef JACOBI3_CONFIGURATION
#define JACOBI3_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct jacobi3_configuration {
  int threads, loads;
  int64_t blocks;
  int lanes, tile_i, tile_j, tile_k;
} jacobi3_configuration;
#endif

namespace jacobi3_a2421422 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

// Each block processes its part.
template <typename T, int threads, int tile_i, int tile_j, int tile_k, int lanes>
__global__ void __launch_bounds__(threads, 1) jacobi3_blocks(Index r, Index q, Index y_size0, Index y_size1, Index y_size2, Index stride0, Index stride1, Index y_stride0, Index y_stride1, const T *__restrict__ x, T *__restrict__ y) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int i_lanes = tile_i < (threads / lanes) ? tile_i : threads / lanes;
  const int j_lanes = threads / lanes / i_lanes;
  const int i_each = (tile_i + i_lanes - 1) / i_lanes;
  const int j_each = (tile_j + j_lanes - 1) / j_lanes;
  const int k_each = (tile_k + lanes - 1) / lanes;
  const int i_padded = i_each * i_lanes;
  const int j_padded = j_each * j_lanes;
  const int k_padded = k_each * lanes;
  const int x_pitch = k_padded + 2 + (k_each % (16 / (int)sizeof(T)) == 0 ? 16 / (int)sizeof(T) : 1);
  const int x_elements = (i_padded + 2) * (j_padded + 2) * (k_padded + 2);
  const int x_rounds = (x_elements + threads - 1) / threads;
  __shared__ T x_tile[(i_padded + 2) * ((j_padded + 2) * x_pitch)];
  // grid > block: tiled (jacobi3.cdl:27), one part per block
  const Index i_begin = min_index((Index)((int)block / (int)r / (int)q) * tile_i, y_size0);
  const Index i_size = min_index(tile_i, y_size0 - i_begin);
  const Index j_begin = min_index((Index)((int)block / (int)r % (int)q) * tile_j, y_size1);
  const Index j_size = min_index(tile_j, y_size1 - j_begin);
  const Index k_begin = min_index((Index)((int)block % (int)r) * tile_k, y_size2);
  const Index k_size = min_index(tile_k, y_size2 - k_begin);
  const Index x_begin = i_begin * stride0 + j_begin * stride1 + k_begin;
  const Index y_begin = i_begin * y_stride0 + j_begin * y_stride1 + k_begin;
  // block > thread: tiled (jacobi3.cdl:27), a rectangle each; serial (jacobi3.cdl:14)
  const int i_lane = thread / lanes / j_lanes;
  const int j_lane = thread / lanes % j_lanes;
  const int k_lane = thread % lanes;
  const int i_first = i_lane * i_each;
  const int i_left = (int)i_size - i_first;
  const int j_first = j_lane * j_each;
  const int j_left = (int)j_size - j_first;
  const int k_first = k_lane * k_each;
  const int k_left = (int)k_size - k_first;
  const int x_last = (int)(i_size + 2) - 1;
  const int x_last2 = (int)(j_size + 2) - 1;
  const int x_last3 = (int)(k_size + 2) - 1;
  #pragma unroll
  for (int s = 0; s < x_rounds; ++s) {
    const int e = s * threads + thread;
    const int plane = e / (k_padded + 2) / (j_padded + 2);
    const int row = e / (k_padded + 2) % (j_padded + 2);
    const int column = e % (k_padded + 2);
    if (x_elements % threads == 0 || e < x_elements)
      x_tile[plane * ((j_padded + 2) * x_pitch) + row * x_pitch + column] = x[x_begin + (Index)min(plane, x_last) * stride0 + (Index)min(row, x_last2) * stride1 + (Index)min(column, x_last3)];
  }
  __syncthreads();
  if (i_left > 0 && (j_left > 0) && (k_left > 0)) {
    #pragma unroll
    for (int i = 0; i < i_each; ++i) {
      #pragma unroll
      for (int j = 0; j < j_each; ++j) {
        #pragma unroll
        for (int k = 0; k < k_each; ++k) {
          const T sixth = T(1) / T(6);
          if (i < i_left && (j < j_left) && (k < k_left))
            y[y_begin + i_first * y_stride0 + j_first * y_stride1 + k_first + (i * y_stride0 + j * y_stride1 + k)] = (x_tile[i_first * ((j_padded + 2) * x_pitch) + j_first * x_pitch + k_first + (i * ((j_padded + 2) * x_pitch) + (j + 1) * x_pitch + (k + 1))] + x_tile[i_first * ((j_padded + 2) * x_pitch) + j_first * x_pitch + k_first + ((i + 2) * ((j_padded + 2) * x_pitch) + (j + 1) * x_pitch + (k + 1))] + x_tile[i_first * ((j_padded + 2) * x_pitch) + j_first * x_pitch + k_first + ((i + 1) * ((j_padded + 2) * x_pitch) + j * x_pitch + (k + 1))] + x_tile[i_first * ((j_padded + 2) * x_pitch) + j_first * x_pitch + k_first + ((i + 1) * ((j_padded + 2) * x_pitch) + (j + 2) * x_pitch + (k + 1))] + x_tile[i_first * ((j_padded + 2) * x_pitch) + j_first * x_pitch + k_first + ((i + 1) * ((j_padded + 2) * x_pitch) + (j + 1) * x_pitch + k)] + x_tile[i_first * ((j_padded + 2) * x_pitch) + j_first * x_pitch + k_first + ((i + 1) * ((j_padded + 2) * x_pitch) + (j + 1) * x_pitch + (k + 2))]) * sixth;
        }
      }
    }
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int tile_i, int tile_j, int tile_k, int lanes>
cudaError_t run(void *workspace, size_t *workspace_bytes, const T *x, Index size0, Index size1, Index size2, Index stride0, Index stride1, T *y, Index y_size0, Index y_size1, Index y_size2, Index y_stride0, Index y_stride1, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(tile_i >= 1 && tile_i <= 8 && (tile_i == 1 || tile_i == 2 || tile_i == 4 || tile_i == 8), "tile_i: elements of a block's tile, 1, 2, 4 or 8");
  static_assert(tile_j >= 16 && tile_j <= 64 && (tile_j == 16 || tile_j == 32 || tile_j == 64), "tile_j: elements of a block's tile, 16, 32 or 64");
  static_assert(tile_k >= 16 && tile_k <= 64 && (tile_k == 16 || tile_k == 32 || tile_k == 64), "tile_k: elements of a block's tile, 16, 32 or 64");
  static_assert(lanes >= 8 && lanes <= 32 && (lanes == 8 || lanes == 16 || lanes == 32), "lanes: lanes with neighbouring parts, 8, 16 or 32");
  if (size0 < 0 || size1 < 0 || size2 < 0 || stride0 < 0 || stride1 < 0 || y_size0 < 0 || y_size1 < 0 || y_size2 < 0 || y_stride0 < 0 || y_stride1 < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: tiled (jacobi3.cdl:27), one part per block
  const Index p = (y_size0 + tile_i - 1) / tile_i;
  const Index q = (y_size1 + tile_j - 1) / tile_j;
  const Index r = (y_size2 + tile_k - 1) / tile_k;
  const Index tiles = p * q * r;
  if (tiles > 2147483647)
    return cudaErrorInvalidValue;
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  if (tiles > 0) {
    void *args[] = {(void *)&r, (void *)&q, &y_size0, &y_size1, &y_size2, &stride0, &stride1, &y_stride0, &y_stride1, &x, &y};
    const cudaError_t error = cudaLaunchKernel(jacobi3_blocks<T, threads, tile_i, tile_j, tile_k, lanes>, dim3((unsigned)tiles), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

// Bytes that a block has in shared memory.
template <typename T, int threads, int tile_i, int tile_j, int tile_k, int lanes>
constexpr size_t shared_bytes() {
  return (size_t)(((tile_i + (tile_i < (threads / lanes) ? tile_i : threads / lanes) - 1) / (tile_i < (threads / lanes) ? tile_i : threads / lanes) * (tile_i < (threads / lanes) ? tile_i : threads / lanes) + 2) * (((tile_j + threads / lanes / (tile_i < (threads / lanes) ? tile_i : threads / lanes) - 1) / (threads / lanes / (tile_i < (threads / lanes) ? tile_i : threads / lanes)) * (threads / lanes / (tile_i < (threads / lanes) ? tile_i : threads / lanes)) + 2) * ((tile_k + lanes - 1) / lanes * lanes + 2 + ((tile_k + lanes - 1) / lanes % (16 / (int)sizeof(T)) == 0 ? 16 / (int)sizeof(T) : 1)))) * sizeof(T);
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const jacobi3_configuration *c, void *workspace, size_t *workspace_bytes, const T *x, Index size0, Index size1, Index size2, Index stride0, Index stride1, T *y, Index y_size0, Index y_size1, Index y_size2, Index y_stride0, Index y_stride1, cudaStream_t stream) {
  const jacobi3_configuration own = {0, 0, 0, 0, 0, 0, 0};
  if (c == nullptr) c = &own;
#define RUN(THREADS, TILE_I, TILE_J, TILE_K, LANES) if constexpr (shared_bytes<T, THREADS, TILE_I, TILE_J, TILE_K, LANES>() <= 49152) if (serves(THREADS, c->threads) && serves(TILE_I, c->tile_i) && serves(TILE_J, c->tile_j) && serves(TILE_K, c->tile_k) && serves(LANES, c->lanes)) return run<T, THREADS, TILE_I, TILE_J, TILE_K, LANES>(workspace, workspace_bytes, x, size0, size1, size2, stride0, stride1, y, y_size0, y_size1, y_size2, y_stride0, y_stride1, stream);
  JACOBI3_A2421422_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace jacobi3_a2421422

#define ROW(THREADS, TILE_I, TILE_J, TILE_K, LANES) {THREADS, 0, 0, LANES, TILE_I, TILE_J, TILE_K},
// Those that were compiled; zeros end them.
extern "C" const jacobi3_configuration jacobi3_a2421422_configurations[];
const jacobi3_configuration jacobi3_a2421422_configurations[] = {JACOBI3_A2421422_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t jacobi3_a2421422_float(const jacobi3_configuration *c, void *workspace, size_t *workspace_bytes, const float *x, uint64_t size0, uint64_t size1, uint64_t size2, uint64_t stride0, uint64_t stride1, float *y, uint64_t y_size0, uint64_t y_size1, uint64_t y_size2, uint64_t y_stride0, uint64_t y_stride1, cudaStream_t stream) {
  return jacobi3_a2421422::configured<float>(c, workspace, workspace_bytes, x, (jacobi3_a2421422::Index)size0, (jacobi3_a2421422::Index)size1, (jacobi3_a2421422::Index)size2, (jacobi3_a2421422::Index)stride0, (jacobi3_a2421422::Index)stride1, y, (jacobi3_a2421422::Index)y_size0, (jacobi3_a2421422::Index)y_size1, (jacobi3_a2421422::Index)y_size2, (jacobi3_a2421422::Index)y_stride0, (jacobi3_a2421422::Index)y_stride1, stream);
}
