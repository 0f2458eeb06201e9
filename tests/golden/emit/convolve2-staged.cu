// convolve2, variant 702ff557: grid.tiled(block.tiled/all!staged(thread.serial))
// Made by tgc from convolve2.cdl for sm_60; this text is yours.
//
// baseline, 1 kernel, determinism sequential: each element is computed by itself, as the sequential codelet does
// batch-invariant: each element is computed by itself
//
//   grid: regroups by `tiled', over its blocks (G3)
//     each part: block: regroups by `tiled', over its lanes (B3x)
//       each part, staged in shared memory: thread: computes by `serial' (T2)
//
// codelets
//   tiled        convolve2.cdl:29
//   serial       convolve2.cdl:14
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, tile_i, tile_j, lanes, halo_i, halo_j); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   tile_i: elements of a block's tile, 32 or 64
//   tile_j: elements of a block's tile, 32 or 64
//   lanes: lanes with neighbouring parts, 8, 16 or 32
//   halo_i: elements around a block's tile, 2, 4, 6, 8, 16, 30 or 32
//   halo_j: elements around a block's tile, 2, 4, 6, 8, 16, 30 or 32
#ifndef CONVOLVE2_702FF557_CONFIGURATIONS
#define CONVOLVE2_702FF557_CONFIGURATIONS(C) C(256, 32, 32, 32, 8, 8)
#endif

#ifndef CONVOLVE2_CONFIGURATION
#define CONVOLVE2_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct convolve2_configuration {
  int threads, loads;
  int64_t blocks;
  int halo_i, halo_j, lanes, tile_i, tile_j;
} convolve2_configuration;
#endif

namespace convolve2_702ff557 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

// Each block processes its part.
template <typename T, int threads, int tile_i, int tile_j, int lanes, int halo_i, int halo_j>
__global__ void __launch_bounds__(threads, 1) convolve2_blocks(Index q, Index out_rows, Index out_columns, Index leading, Index out_leading, Index w_rows, Index w_columns, const T *__restrict__ in, const T *__restrict__ w, Index w_leading, T *__restrict__ out) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int i_each = (tile_i + threads / lanes - 1) / (threads / lanes);
  const int j_each = (tile_j + lanes - 1) / lanes;
  const int i_padded = i_each * (threads / lanes);
  const int j_padded = j_each * lanes;
  const int in_pitch = j_padded + halo_j + (j_each % (16 / (int)sizeof(T)) == 0 ? 16 / (int)sizeof(T) : 1);
  const int in_elements = (i_padded + halo_i) * (j_padded + halo_j);
  const int in_rounds = (in_elements + threads - 1) / threads;
  __shared__ T in_tile[(i_padded + halo_i) * in_pitch];
  // grid > block: tiled (convolve2.cdl:29), one part per block
  const Index i_begin = min_index((Index)((int)block / (int)q) * tile_i, out_rows);
  const Index i_size = min_index(tile_i, out_rows - i_begin);
  const Index j_begin = min_index((Index)((int)block % (int)q) * tile_j, out_columns);
  const Index j_size = min_index(tile_j, out_columns - j_begin);
  const Index in_begin = i_begin * leading + j_begin;
  const Index out_begin = i_begin * out_leading + j_begin;
  // block > thread: tiled (convolve2.cdl:29), a rectangle each; serial (convolve2.cdl:14)
  const int i_lane = thread / lanes;
  const int j_lane = thread % lanes;
  const int i_first = i_lane * i_each;
  const int i_left = (int)i_size - i_first;
  const int j_first = j_lane * j_each;
  const int j_left = (int)j_size - j_first;
  const int in_last = (int)(i_size + (w_rows - 1)) - 1;
  const int in_last2 = (int)(j_size + (w_columns - 1)) - 1;
  T out_held[i_each * j_each];
  #pragma unroll
  for (int i = 0; i < i_each; ++i) {
    #pragma unroll
    for (int j = 0; j < j_each; ++j)
      out_held[i * j_each + j] = 0;
  }
  if (i_size <= (i_size + (w_rows - 1)) && (i_size + (w_rows - 1) <= (i_size + halo_i)) && (j_size <= (j_size + (w_columns - 1)) && (j_size + (w_columns - 1) <= (j_size + halo_j)))) {
    #pragma unroll
    for (int s = 0; s < in_rounds; ++s) {
      const int e = s * threads + thread;
      const int row = e / (j_padded + halo_j);
      const int column = e % (j_padded + halo_j);
      if (in_elements % threads == 0 || e < in_elements)
        in_tile[row * in_pitch + column] = in[in_begin + (Index)min(row, in_last) * leading + (Index)min(column, in_last2)];
    }
    __syncthreads();
    if (i_left > 0 && (j_left > 0)) {
      for (Index a = 0; a < w_rows; ++a) {
        for (Index b = 0; b < w_columns; ++b) {
          #pragma unroll
          for (int i = 0; i < i_each; ++i) {
            #pragma unroll
            for (int j = 0; j < j_each; ++j)
              out_held[i * j_each + j] += in_tile[i_first * in_pitch + j_first + ((i + a) * in_pitch + (j + b))] * w[a * w_leading + b];
          }
        }
      }
    }
  }
  else {
    if (i_left > 0 && (j_left > 0)) {
      for (Index a = 0; a < w_rows; ++a) {
        for (Index b = 0; b < w_columns; ++b) {
          #pragma unroll
          for (int i = 0; i < i_each; ++i) {
            #pragma unroll
            for (int j = 0; j < j_each; ++j) {
              if (i < i_left && (j < j_left))
                out_held[i * j_each + j] += in[in_begin + i_first * leading + j_first + ((i + a) * leading + (j + b))] * w[a * w_leading + b];
            }
          }
        }
      }
    }
  }
  #pragma unroll
  for (int i = 0; i < i_each; ++i) {
    #pragma unroll
    for (int j = 0; j < j_each; ++j) {
      if (i < i_left && (j < j_left))
        out[out_begin + i_first * out_leading + j_first + (i * out_leading + j)] = out_held[i * j_each + j];
    }
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int tile_i, int tile_j, int lanes, int halo_i, int halo_j>
cudaError_t run(void *workspace, size_t *workspace_bytes, const T *in, Index rows, Index columns, Index leading, const T *w, Index w_rows, Index w_columns, Index w_leading, T *out, Index out_rows, Index out_columns, Index out_leading, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(tile_i >= 32 && tile_i <= 64 && (tile_i == 32 || tile_i == 64), "tile_i: elements of a block's tile, 32 or 64");
  static_assert(tile_j >= 32 && tile_j <= 64 && (tile_j == 32 || tile_j == 64), "tile_j: elements of a block's tile, 32 or 64");
  static_assert(lanes >= 8 && lanes <= 32 && (lanes == 8 || lanes == 16 || lanes == 32), "lanes: lanes with neighbouring parts, 8, 16 or 32");
  static_assert(halo_i >= 2 && halo_i <= 32 && (halo_i == 2 || halo_i == 4 || halo_i == 6 || halo_i == 8 || halo_i == 16 || halo_i == 30 || halo_i == 32), "halo_i: elements around a block's tile, 2, 4, 6, 8, 16, 30 or 32");
  static_assert(halo_j >= 2 && halo_j <= 32 && (halo_j == 2 || halo_j == 4 || halo_j == 6 || halo_j == 8 || halo_j == 16 || halo_j == 30 || halo_j == 32), "halo_j: elements around a block's tile, 2, 4, 6, 8, 16, 30 or 32");
  if (rows < 0 || columns < 0 || leading < 0 || w_rows < 0 || w_columns < 0 || w_leading < 0 || out_rows < 0 || out_columns < 0 || out_leading < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: tiled (convolve2.cdl:29), one part per block
  const Index p = (out_rows + tile_i - 1) / tile_i;
  const Index q = (out_columns + tile_j - 1) / tile_j;
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
    void *args[] = {(void *)&q, &out_rows, &out_columns, &leading, &out_leading, &w_rows, &w_columns, &in, &w, &w_leading, &out};
    const cudaError_t error = cudaLaunchKernel(convolve2_blocks<T, threads, tile_i, tile_j, lanes, halo_i, halo_j>, dim3((unsigned)tiles), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

// Bytes that a block has in shared memory.
template <typename T, int threads, int tile_i, int tile_j, int lanes, int halo_i, int halo_j>
constexpr size_t shared_bytes() {
  return (size_t)(((tile_i + threads / lanes - 1) / (threads / lanes) * (threads / lanes) + halo_i) * ((tile_j + lanes - 1) / lanes * lanes + halo_j + ((tile_j + lanes - 1) / lanes % (16 / (int)sizeof(T)) == 0 ? 16 / (int)sizeof(T) : 1))) * sizeof(T);
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const convolve2_configuration *c, void *workspace, size_t *workspace_bytes, const T *in, Index rows, Index columns, Index leading, const T *w, Index w_rows, Index w_columns, Index w_leading, T *out, Index out_rows, Index out_columns, Index out_leading, cudaStream_t stream) {
  const convolve2_configuration own = {0, 0, 0, 0, 0, 0, 0, 0};
  if (c == nullptr) c = &own;
#define RUN(THREADS, TILE_I, TILE_J, LANES, HALO_I, HALO_J) if constexpr (shared_bytes<T, THREADS, TILE_I, TILE_J, LANES, HALO_I, HALO_J>() <= 49152) if (serves(THREADS, c->threads) && serves(TILE_I, c->tile_i) && serves(TILE_J, c->tile_j) && serves(LANES, c->lanes) && serves(HALO_I, c->halo_i) && serves(HALO_J, c->halo_j)) return run<T, THREADS, TILE_I, TILE_J, LANES, HALO_I, HALO_J>(workspace, workspace_bytes, in, rows, columns, leading, w, w_rows, w_columns, w_leading, out, out_rows, out_columns, out_leading, stream);
  CONVOLVE2_702FF557_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace convolve2_702ff557

#define ROW(THREADS, TILE_I, TILE_J, LANES, HALO_I, HALO_J) {THREADS, 0, 0, HALO_I, HALO_J, LANES, TILE_I, TILE_J},
// Those that were compiled; zeros end them.
extern "C" const convolve2_configuration convolve2_702ff557_configurations[];
const convolve2_configuration convolve2_702ff557_configurations[] = {CONVOLVE2_702FF557_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t convolve2_702ff557_float(const convolve2_configuration *c, void *workspace, size_t *workspace_bytes, const float *in, uint64_t rows, uint64_t columns, uint64_t leading, const float *w, uint64_t w_rows, uint64_t w_columns, uint64_t w_leading, float *out, uint64_t out_rows, uint64_t out_columns, uint64_t out_leading, cudaStream_t stream) {
  return convolve2_702ff557::configured<float>(c, workspace, workspace_bytes, in, (convolve2_702ff557::Index)rows, (convolve2_702ff557::Index)columns, (convolve2_702ff557::Index)leading, w, (convolve2_702ff557::Index)w_rows, (convolve2_702ff557::Index)w_columns, (convolve2_702ff557::Index)w_leading, out, (convolve2_702ff557::Index)out_rows, (convolve2_702ff557::Index)out_columns, (convolve2_702ff557::Index)out_leading, stream);
}
