// syrk, variant 0d5243a6: grid.products=grid.tiled(block.tiled/all!staged(thread.panels/loop(thread.serial)))
// Made by tgc from syrk.cdl for sm_60; this text is yours.
//
// baseline, 1 kernel, determinism gpu_to_gpu: a lane runs another codelet than the sequential one, which may round differently
// batch-invariant: results are combined only in the order that a codelet gives
//
//   grid: `products' applies (G3)
//     grid: regroups by `tiled', over its blocks (G6)
//       each part: block: regroups by `tiled', over its lanes (B6x)
//         each part, staged in shared memory: thread: regroups by `panels', over its iterations of a loop (T7s)
//           each part: thread: computes by `serial' (T5)
//
// codelets
//   products     syrk.cdl:73
//   tiled        syrk.cdl:27
//   panels       syrk.cdl:39
//   serial       syrk.cdl:16
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, tile_m, tile_n, lanes, tile_k); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   tile_m: elements of a block's tile, 16, 32, 64, 128 or 256
//   tile_n: elements of a block's tile, 16, 32, 64, 128 or 256
//   lanes: lanes with neighbouring parts, 8, 16 or 32
//   tile_k: elements of a panel, 8, 16 or 32
#ifndef SYRK_0D5243A6_CONFIGURATIONS
#define SYRK_0D5243A6_CONFIGURATIONS(C) C(128, 64, 64, 16, 16)
#endif

#ifndef SYRK_CONFIGURATION
#define SYRK_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct syrk_configuration {
  int threads, loads;
  int64_t blocks;
  int lanes, tile_k, tile_m, tile_n;
} syrk_configuration;
#endif

namespace syrk_0d5243a6 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

// Each block processes its part.
template <typename T, int threads, int tile_m, int tile_n, int lanes, int tile_k>
__global__ void __launch_bounds__(threads, 1) syrk_blocks(Index q, Index rows, Index leading, Index C_leading, T *__restrict__ C, Index columns, const T *__restrict__ A) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int in_turns = threads / lanes % 2 == 0 ? 2 : 1;
  const int m_each = (tile_m + threads / lanes - 1) / (threads / lanes);
  const int n_each = (tile_n + lanes - 1) / lanes;
  const int m_padded = m_each * (threads / lanes);
  const int n_padded = n_each * lanes;
  const int m_group = m_each % (16 / (int)sizeof(T)) == 0 ? 16 / (int)sizeof(T) : m_each;
  const int m_apart = threads / lanes * m_group;
  const int n_group = n_each % (16 / (int)sizeof(T)) == 0 ? 16 / (int)sizeof(T) : n_each;
  const int n_apart = lanes * n_group;
  const int A_pitch = m_padded + (m_each % (16 / (int)sizeof(T)) == 0 ? 16 / (int)sizeof(T) : 1);
  const int A_elements = m_padded * tile_k;
  const int A_rounds = (A_elements + threads - 1) / threads;
  const int A_pitch2 = n_padded + (n_each % (16 / (int)sizeof(T)) == 0 ? 16 / (int)sizeof(T) : 1);
  const int A_elements2 = n_padded * tile_k;
  const int A_rounds2 = (A_elements2 + threads - 1) / threads;
  __shared__ T A_tile[tile_k * A_pitch];
  __shared__ T A_tile2[tile_k * A_pitch2];
  // grid > block: tiled (syrk.cdl:27), one part per block
  const Index m_begin = min_index((Index)((int)block / (int)q) * tile_m, rows);
  const Index m_size = min_index(tile_m, rows - m_begin);
  const Index A_begin = m_begin * leading;
  const Index n_begin = min_index((Index)((int)block % (int)q) * tile_n, rows);
  const Index n_size = min_index(tile_n, rows - n_begin);
  const Index B_begin = n_begin * leading;
  const Index C_begin = m_begin * C_leading + n_begin;
  // block > thread: tiled (syrk.cdl:27), a rectangle each; serial (syrk.cdl:16)
  const int m_lane = thread / (in_turns * lanes) * in_turns + thread % in_turns;
  const int n_lane = thread / in_turns % lanes;
  const int m_first = m_lane * m_group;
  const int m_left = (int)m_size - m_first;
  const int n_first = n_lane * n_group;
  const int n_left = (int)n_size - n_first;
  const int A_last = (int)m_size - 1;
  const int A_last2 = (int)n_size - 1;
  Index A_from[A_rounds];
  Index A_from2[A_rounds2];
  T C_held[m_each * n_each];
  #pragma unroll
  for (int s = 0; s < A_rounds; ++s) {
    const int e = s * threads + thread;
    const int row = e / tile_k;
    const int column = e % tile_k;
    A_from[s] = A_begin + (Index)min(row, A_last) * leading + column;
  }
  #pragma unroll
  for (int s = 0; s < A_rounds2; ++s) {
    const int e = s * threads + thread;
    const int row = e / tile_k;
    const int column = e % tile_k;
    A_from2[s] = B_begin + (Index)min(row, A_last2) * leading + column;
  }
  #pragma unroll
  for (int i = 0; i < m_each; ++i) {
    #pragma unroll
    for (int j = 0; j < n_each; ++j) {
      const int m_at = i / m_group * m_apart + i % m_group;
      const int n_at = j / n_group * n_apart + j % n_group;
      C_held[i * n_each + j] = (m_at < m_left && (n_at < n_left)) ? C[C_begin + m_first * C_leading + n_first + (m_at * C_leading + n_at)] : T(0);
    }
  }
  for (Index k = 0; k < ((columns + tile_k - 1) / tile_k); ++k) {
    // thread: panels (syrk.cdl:39), one part after another
    const Index k_begin = k * tile_k;
    const int k_size = (int)min_index(tile_k, columns - k_begin);
    __syncthreads();
    #pragma unroll
    for (int s = 0; s < A_rounds; ++s) {
      const int e = s * threads + thread;
      const int row = e / tile_k;
      const int column = e % tile_k;
      if (A_elements % threads == 0 || e < A_elements) {
        if (column < k_size)
          A_tile[row + column * A_pitch] = A[A_from[s] + k_begin];
      }
    }
    #pragma unroll
    for (int s = 0; s < A_rounds2; ++s) {
      const int e = s * threads + thread;
      const int row = e / tile_k;
      const int column = e % tile_k;
      if (A_elements2 % threads == 0 || e < A_elements2) {
        if (column < k_size)
          A_tile2[row + column * A_pitch2] = A[A_from2[s] + k_begin];
      }
    }
    __syncthreads();
    if (m_left > 0 && (n_left > 0)) {
      if (k_size == tile_k) {
        #pragma unroll
        for (Index k2 = 0; k2 < tile_k; ++k2) {
          #pragma unroll
          for (int i = 0; i < m_each; ++i) {
            #pragma unroll
            for (int j = 0; j < n_each; ++j) {
              const int m_at = i / m_group * m_apart + i % m_group;
              const int n_at = j / n_group * n_apart + j % n_group;
              C_held[i * n_each + j] += A_tile[m_first + (m_at + k2 * A_pitch)] * A_tile2[n_first + (n_at + k2 * A_pitch2)];
            }
          }
        }
      }
      else {
        for (Index k2 = 0; k2 < k_size; ++k2) {
          #pragma unroll
          for (int i = 0; i < m_each; ++i) {
            #pragma unroll
            for (int j = 0; j < n_each; ++j) {
              const int m_at = i / m_group * m_apart + i % m_group;
              const int n_at = j / n_group * n_apart + j % n_group;
              C_held[i * n_each + j] += A_tile[m_first + (m_at + k2 * A_pitch)] * A_tile2[n_first + (n_at + k2 * A_pitch2)];
            }
          }
        }
      }
    }
  }
  #pragma unroll
  for (int i = 0; i < m_each; ++i) {
    #pragma unroll
    for (int j = 0; j < n_each; ++j) {
      const int m_at = i / m_group * m_apart + i % m_group;
      const int n_at = j / n_group * n_apart + j % n_group;
      if (m_at < m_left && (n_at < n_left))
        C[C_begin + m_first * C_leading + n_first + (m_at * C_leading + n_at)] = C_held[i * n_each + j];
    }
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int tile_m, int tile_n, int lanes, int tile_k>
cudaError_t run(void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, T *C, Index C_leading, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(tile_m >= 16 && tile_m <= 256 && (tile_m == 16 || tile_m == 32 || tile_m == 64 || tile_m == 128 || tile_m == 256), "tile_m: elements of a block's tile, 16, 32, 64, 128 or 256");
  static_assert(tile_n >= 16 && tile_n <= 256 && (tile_n == 16 || tile_n == 32 || tile_n == 64 || tile_n == 128 || tile_n == 256), "tile_n: elements of a block's tile, 16, 32, 64, 128 or 256");
  static_assert(lanes >= 8 && lanes <= 32 && (lanes == 8 || lanes == 16 || lanes == 32), "lanes: lanes with neighbouring parts, 8, 16 or 32");
  static_assert(tile_k >= 8 && tile_k <= 32 && (tile_k == 8 || tile_k == 16 || tile_k == 32), "tile_k: elements of a panel, 8, 16 or 32");
  if (rows < 0 || columns < 0 || leading < 0 || C_leading < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: tiled (syrk.cdl:27), one part per block
  const Index p = (rows + tile_m - 1) / tile_m;
  const Index q = (rows + tile_n - 1) / tile_n;
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
    void *args[] = {(void *)&q, &rows, &leading, &C_leading, &C, &columns, &A};
    const cudaError_t error = cudaLaunchKernel(syrk_blocks<T, threads, tile_m, tile_n, lanes, tile_k>, dim3((unsigned)tiles), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

// Bytes that a block has in shared memory.
template <typename T, int threads, int tile_m, int tile_n, int lanes, int tile_k>
constexpr size_t shared_bytes() {
  return (size_t)(tile_k * ((tile_m + threads / lanes - 1) / (threads / lanes) * (threads / lanes) + ((tile_m + threads / lanes - 1) / (threads / lanes) % (16 / (int)sizeof(T)) == 0 ? 16 / (int)sizeof(T) : 1))) * sizeof(T) +
         (size_t)(tile_k * ((tile_n + lanes - 1) / lanes * lanes + ((tile_n + lanes - 1) / lanes % (16 / (int)sizeof(T)) == 0 ? 16 / (int)sizeof(T) : 1))) * sizeof(T);
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const syrk_configuration *c, void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, T *C, Index C_leading, cudaStream_t stream) {
  const syrk_configuration own = {0, 0, 0, 0, 0, 0, 0};
  if (c == nullptr) c = &own;
#define RUN(THREADS, TILE_M, TILE_N, LANES, TILE_K) if constexpr (shared_bytes<T, THREADS, TILE_M, TILE_N, LANES, TILE_K>() <= 49152) if (serves(THREADS, c->threads) && serves(TILE_M, c->tile_m) && serves(TILE_N, c->tile_n) && serves(LANES, c->lanes) && serves(TILE_K, c->tile_k)) return run<T, THREADS, TILE_M, TILE_N, LANES, TILE_K>(workspace, workspace_bytes, A, rows, columns, leading, C, C_leading, stream);
  SYRK_0D5243A6_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace syrk_0d5243a6

#define ROW(THREADS, TILE_M, TILE_N, LANES, TILE_K) {THREADS, 0, 0, LANES, TILE_K, TILE_M, TILE_N},
// Those that were compiled; zeros end them.
extern "C" const syrk_configuration syrk_0d5243a6_configurations[];
const syrk_configuration syrk_0d5243a6_configurations[] = {SYRK_0D5243A6_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t syrk_0d5243a6_double(const syrk_configuration *c, void *workspace, size_t *workspace_bytes, const double *A, uint64_t rows, uint64_t columns, uint64_t leading, double *C, uint64_t C_leading, cudaStream_t stream) {
  return syrk_0d5243a6::configured<double>(c, workspace, workspace_bytes, A, (syrk_0d5243a6::Index)rows, (syrk_0d5243a6::Index)columns, (syrk_0d5243a6::Index)leading, C, (syrk_0d5243a6::Index)C_leading, stream);
}
