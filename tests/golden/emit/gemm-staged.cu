// gemm, variant f79ebe58: grid.tiled(block.tiled/all!staged(thread.panels/loop(thread.serial)))
// Made by tgc from gemm.cdl for sm_60; this text is yours.
//
// baseline, 1 kernel, determinism sequential: each element is computed by itself, as the sequential codelet does
// batch-invariant: each element is computed by itself
//
//   grid: regroups by `tiled', over its blocks (G3)
//     each part: block: regroups by `tiled', over its lanes (B3x)
//       each part, staged in shared memory: thread: regroups by `panels', over its iterations of a loop (T5s)
//         each part: thread: computes by `serial' (T2)
//
// codelets
//   tiled        gemm.cdl:24
//   panels       gemm.cdl:48
//   serial       gemm.cdl:13
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, tile_m, tile_n, lanes, tile_k); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   tile_m: elements of a block's tile, 16, 32, 64, 128 or 256
//   tile_n: elements of a block's tile, 16, 32, 64, 128 or 256
//   lanes: lanes with neighbouring parts, 8, 16 or 32
//   tile_k: elements of a panel, 8, 16 or 32
#ifndef GEMM_F79EBE58_CONFIGURATIONS
#define GEMM_F79EBE58_CONFIGURATIONS(C) C(128, 64, 64, 16, 16)
#endif

#ifndef GEMM_CONFIGURATION
#define GEMM_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct gemm_configuration {
  int threads, loads;
  int64_t blocks;
  int lanes, tile_k, tile_m, tile_n;
} gemm_configuration;
#endif

namespace gemm_f79ebe58 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

// Each block processes its part.
template <typename T, int threads, int tile_m, int tile_n, int lanes, int tile_k>
__global__ void __launch_bounds__(threads, 1) gemm_blocks(Index q, Index rows, Index leading, Index B_columns, Index C_leading, Index B_leading, T *__restrict__ C, Index columns, const T *__restrict__ A, const T *__restrict__ B) {
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
  const int B_pitch = n_padded;
  const int B_elements = tile_k * n_padded;
  const int B_rounds = (B_elements + threads - 1) / threads;
  __shared__ T A_tile[tile_k * A_pitch];
  __shared__ T B_tile[tile_k * B_pitch];
  // grid > block: tiled (gemm.cdl:24), one part per block
  const Index m_begin = min_index((Index)((int)block / (int)q) * tile_m, rows);
  const Index m_size = min_index(tile_m, rows - m_begin);
  const Index A_begin = m_begin * leading;
  const Index n_begin = min_index((Index)((int)block % (int)q) * tile_n, B_columns);
  const Index n_size = min_index(tile_n, B_columns - n_begin);
  const Index C_begin = m_begin * C_leading + n_begin;
  // block > thread: tiled (gemm.cdl:24), a rectangle each; serial (gemm.cdl:13)
  const int m_lane = thread / (in_turns * lanes) * in_turns + thread % in_turns;
  const int n_lane = thread / in_turns % lanes;
  const int m_first = m_lane * m_group;
  const int m_left = (int)m_size - m_first;
  const int n_first = n_lane * n_group;
  const int n_left = (int)n_size - n_first;
  const int A_last = (int)m_size - 1;
  const int B_last = (int)n_size - 1;
  Index A_from[A_rounds];
  Index B_from[B_rounds];
  T C_held[m_each * n_each];
  #pragma unroll
  for (int s = 0; s < A_rounds; ++s) {
    const int e = s * threads + thread;
    const int row = e / tile_k;
    const int column = e % tile_k;
    A_from[s] = A_begin + (Index)min(row, A_last) * leading + column;
  }
  #pragma unroll
  for (int s = 0; s < B_rounds; ++s) {
    const int e = s * threads + thread;
    const int row = e / n_padded;
    const int column = e % n_padded;
    B_from[s] = n_begin + row * B_leading + (Index)min(column, B_last);
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
    // thread: panels (gemm.cdl:48), one part after another
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
    for (int s = 0; s < B_rounds; ++s) {
      const int e = s * threads + thread;
      const int row = e / n_padded;
      const int column = e % n_padded;
      if (B_elements % threads == 0 || e < B_elements) {
        if (row < k_size)
          B_tile[row * n_padded + column] = B[B_from[s] + k_begin * B_leading];
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
              C_held[i * n_each + j] += A_tile[m_first + (m_at + k2 * A_pitch)] * B_tile[n_first + (k2 * n_padded + n_at)];
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
              C_held[i * n_each + j] += A_tile[m_first + (m_at + k2 * A_pitch)] * B_tile[n_first + (k2 * n_padded + n_at)];
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
cudaError_t run(void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, const T *B, Index B_columns, Index B_leading, T *C, Index C_leading, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(tile_m >= 16 && tile_m <= 256 && (tile_m == 16 || tile_m == 32 || tile_m == 64 || tile_m == 128 || tile_m == 256), "tile_m: elements of a block's tile, 16, 32, 64, 128 or 256");
  static_assert(tile_n >= 16 && tile_n <= 256 && (tile_n == 16 || tile_n == 32 || tile_n == 64 || tile_n == 128 || tile_n == 256), "tile_n: elements of a block's tile, 16, 32, 64, 128 or 256");
  static_assert(lanes >= 8 && lanes <= 32 && (lanes == 8 || lanes == 16 || lanes == 32), "lanes: lanes with neighbouring parts, 8, 16 or 32");
  static_assert(tile_k >= 8 && tile_k <= 32 && (tile_k == 8 || tile_k == 16 || tile_k == 32), "tile_k: elements of a panel, 8, 16 or 32");
  if (rows < 0 || columns < 0 || leading < 0 || B_columns < 0 || B_leading < 0 || C_leading < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: tiled (gemm.cdl:24), one part per block
  const Index p = (rows + tile_m - 1) / tile_m;
  const Index q = (B_columns + tile_n - 1) / tile_n;
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
    void *args[] = {(void *)&q, &rows, &leading, &B_columns, &C_leading, &B_leading, &C, &columns, &A, &B};
    const cudaError_t error = cudaLaunchKernel(gemm_blocks<T, threads, tile_m, tile_n, lanes, tile_k>, dim3((unsigned)tiles), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

// Bytes that a block has in shared memory.
template <typename T, int threads, int tile_m, int tile_n, int lanes, int tile_k>
constexpr size_t shared_bytes() {
  return (size_t)(tile_k * ((tile_m + threads / lanes - 1) / (threads / lanes) * (threads / lanes) + ((tile_m + threads / lanes - 1) / (threads / lanes) % (16 / (int)sizeof(T)) == 0 ? 16 / (int)sizeof(T) : 1))) * sizeof(T) +
         (size_t)(tile_k * ((tile_n + lanes - 1) / lanes * lanes)) * sizeof(T);
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const gemm_configuration *c, void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, const T *B, Index B_columns, Index B_leading, T *C, Index C_leading, cudaStream_t stream) {
  const gemm_configuration own = {0, 0, 0, 0, 0, 0, 0};
  if (c == nullptr) c = &own;
#define RUN(THREADS, TILE_M, TILE_N, LANES, TILE_K) if constexpr (shared_bytes<T, THREADS, TILE_M, TILE_N, LANES, TILE_K>() <= 49152) if (serves(THREADS, c->threads) && serves(TILE_M, c->tile_m) && serves(TILE_N, c->tile_n) && serves(LANES, c->lanes) && serves(TILE_K, c->tile_k)) return run<T, THREADS, TILE_M, TILE_N, LANES, TILE_K>(workspace, workspace_bytes, A, rows, columns, leading, B, B_columns, B_leading, C, C_leading, stream);
  GEMM_F79EBE58_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace gemm_f79ebe58

#define ROW(THREADS, TILE_M, TILE_N, LANES, TILE_K) {THREADS, 0, 0, LANES, TILE_K, TILE_M, TILE_N},
// Those that were compiled; zeros end them.
extern "C" const gemm_configuration gemm_f79ebe58_configurations[];
const gemm_configuration gemm_f79ebe58_configurations[] = {GEMM_F79EBE58_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t gemm_f79ebe58_float(const gemm_configuration *c, void *workspace, size_t *workspace_bytes, const float *A, uint64_t rows, uint64_t columns, uint64_t leading, const float *B, uint64_t B_columns, uint64_t B_leading, float *C, uint64_t C_leading, cudaStream_t stream) {
  return gemm_f79ebe58::configured<float>(c, workspace, workspace_bytes, A, (gemm_f79ebe58::Index)rows, (gemm_f79ebe58::Index)columns, (gemm_f79ebe58::Index)leading, B, (gemm_f79ebe58::Index)B_columns, (gemm_f79ebe58::Index)B_leading, C, (gemm_f79ebe58::Index)C_leading, stream);
}
