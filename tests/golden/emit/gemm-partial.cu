// gemm, variant eca57c86: grid.split!partial(block.tiled/all!staged(thread.panels/loop(thread.serial)))
// Made by tgc from gemm.cdl for sm_60; this text is yours.
//
// baseline, 2 kernels, determinism gpu_to_gpu: no atomics; the order depends only on constants of the variant and on the sizes
// not batch-invariant: how many blocks share the contributions to an element depends on how many elements there are
//
//   grid: regroups by `split', over its blocks (G6)
//     each part: block: regroups by `tiled', over its lanes (B3x)
//       each part, staged in shared memory: thread: regroups by `panels', over its iterations of a loop (T5s)
//         each part: thread: computes by `serial' (T2)
//     results: a copy for each block, added by a second kernel
//
// codelets
//   split        gemm.cdl:59
//   tiled        gemm.cdl:24
//   panels       gemm.cdl:48
//   serial       gemm.cdl:13
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, tile_m, tile_n, tile_k, lanes); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   tile_m: elements of a block's tile, 16, 32, 64, 128 or 256
//   tile_n: elements of a block's tile, 16, 32, 64, 128 or 256
//   tile_k: elements of a panel, 8, 16 or 32
//   lanes: lanes with neighbouring parts, 8, 16 or 32
#ifndef GEMM_ECA57C86_CONFIGURATIONS
#define GEMM_ECA57C86_CONFIGURATIONS(C) C(128, 64, 64, 16, 16)
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

namespace gemm_eca57c86 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

__host__ __device__ constexpr Index max_index(Index x, Index y) { return x > y ? x : y; }

// Each block processes its part.
template <typename T, int threads, int tile_m, int tile_n, int tile_k, int lanes>
__global__ void __launch_bounds__(threads, 1) gemm_blocks(Index q, Index r, Index rows, Index s_tile, Index columns, Index leading, Index B_columns, Index B_leading, const T *__restrict__ A, const T *__restrict__ B, T *__restrict__ partial) {
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
  // grid > block: split (gemm.cdl:59), one part per block
  const Index m_begin = min_index((Index)((int)block / (int)q / (int)r) * tile_m, rows);
  const Index m_size = min_index(tile_m, rows - m_begin);
  const Index s_begin = min_index((Index)((int)block / (int)q % (int)r) * s_tile, columns);
  const Index s_size = min_index(s_tile, columns - s_begin);
  const Index A_begin = m_begin * leading + s_begin;
  const Index n_begin = min_index((Index)((int)block % (int)q) * tile_n, B_columns);
  const Index n_size = min_index(tile_n, B_columns - n_begin);
  const Index B_begin = s_begin * B_leading + n_begin;
  const Index copy_begin = (Index)((int)block / (int)q % (int)r) * (rows * B_columns);
  const Index C_begin = copy_begin + m_begin * B_columns + n_begin;
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
  T partial_held[m_each * n_each];
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
    B_from[s] = B_begin + row * B_leading + (Index)min(column, B_last);
  }
  #pragma unroll
  for (int i = 0; i < m_each; ++i) {
    #pragma unroll
    for (int j = 0; j < n_each; ++j)
      partial_held[i * n_each + j] = 0;
  }
  for (Index k = 0; k < ((s_size + tile_k - 1) / tile_k); ++k) {
    // thread: panels (gemm.cdl:48), one part after another
    const Index k_begin = k * tile_k;
    const int k_size = (int)min_index(tile_k, s_size - k_begin);
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
              partial_held[i * n_each + j] += A_tile[m_first + (m_at + k2 * A_pitch)] * B_tile[n_first + (k2 * n_padded + n_at)];
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
              partial_held[i * n_each + j] += A_tile[m_first + (m_at + k2 * A_pitch)] * B_tile[n_first + (k2 * n_padded + n_at)];
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
        partial[C_begin + m_first * B_columns + n_first + (m_at * B_columns + n_at)] = partial_held[i * n_each + j];
    }
  }
}

// Each thread adds the copies of its elements.
template <typename T, int threads>
__global__ void __launch_bounds__(threads, 1) gemm_sums(Index rows, Index B_columns, Index adding, T *__restrict__ C, Index C_leading, Index r, T *__restrict__ partial) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  for (Index i = block * threads + thread; i < (rows * B_columns); i += adding * threads) {
    T sum = C[i / B_columns * C_leading + i % B_columns];
    #pragma unroll 8
    for (Index k = 0; k < r; ++k)
      sum = sum + partial[k * (rows * B_columns) + i];
    C[i / B_columns * C_leading + i % B_columns] = sum;
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int tile_m, int tile_n, int tile_k, int lanes>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, const T *B, Index B_columns, Index B_leading, T *C, Index C_leading, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(tile_m >= 16 && tile_m <= 256 && (tile_m == 16 || tile_m == 32 || tile_m == 64 || tile_m == 128 || tile_m == 256), "tile_m: elements of a block's tile, 16, 32, 64, 128 or 256");
  static_assert(tile_n >= 16 && tile_n <= 256 && (tile_n == 16 || tile_n == 32 || tile_n == 64 || tile_n == 128 || tile_n == 256), "tile_n: elements of a block's tile, 16, 32, 64, 128 or 256");
  static_assert(tile_k >= 8 && tile_k <= 32 && (tile_k == 8 || tile_k == 16 || tile_k == 32), "tile_k: elements of a panel, 8, 16 or 32");
  static_assert(lanes >= 8 && lanes <= 32 && (lanes == 8 || lanes == 16 || lanes == 32), "lanes: lanes with neighbouring parts, 8, 16 or 32");
  if (rows < 0 || columns < 0 || leading < 0 || B_columns < 0 || B_leading < 0 || C_leading < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: split (gemm.cdl:59), one part per block
  const Index p = (rows + tile_m - 1) / tile_m;
  const Index q = (B_columns + tile_n - 1) / tile_n;
  const Index left = max_index(blocks / max_index(p * q, 1), 1);
  const Index s_tile = max_index(((columns + left - 1) / left + tile_k - 1) / tile_k * tile_k, tile_k * 4);
  const Index r = (columns + s_tile - 1) / s_tile;
  const Index tiles = p * r * q;
  if (tiles > 2147483647)
    return cudaErrorInvalidValue;
  const Index adding = min_index((rows * B_columns + threads - 1) / threads, 2147483647);
  const size_t need = 16 + (size_t)rows * B_columns * r * sizeof(T);
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  T *partial = (T *)((char *)workspace + 16);
  if (tiles > 0) {
    void *args[] = {(void *)&q, (void *)&r, &rows, (void *)&s_tile, &columns, &leading, &B_columns, &B_leading, &A, &B, &partial};
    const cudaError_t error = cudaLaunchKernel(gemm_blocks<T, threads, tile_m, tile_n, tile_k, lanes>, dim3((unsigned)tiles), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  if (rows * B_columns > 0) {
    void *args[] = {&rows, &B_columns, (void *)&adding, &C, &C_leading, (void *)&r, &partial};
    const cudaError_t error = cudaLaunchKernel(gemm_sums<T, threads>, dim3((unsigned)adding), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

// Bytes that a block has in shared memory.
template <typename T, int threads, int tile_m, int tile_n, int tile_k, int lanes>
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
  const Index blocks = c->blocks ? c->blocks : 256; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS, TILE_M, TILE_N, TILE_K, LANES) if constexpr (shared_bytes<T, THREADS, TILE_M, TILE_N, TILE_K, LANES>() <= 49152) if (serves(THREADS, c->threads) && serves(TILE_M, c->tile_m) && serves(TILE_N, c->tile_n) && serves(TILE_K, c->tile_k) && serves(LANES, c->lanes)) return run<T, THREADS, TILE_M, TILE_N, TILE_K, LANES>(blocks, workspace, workspace_bytes, A, rows, columns, leading, B, B_columns, B_leading, C, C_leading, stream);
  GEMM_ECA57C86_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace gemm_eca57c86

#define ROW(THREADS, TILE_M, TILE_N, TILE_K, LANES) {THREADS, 0, 256, LANES, TILE_K, TILE_M, TILE_N},
// Those that were compiled; zeros end them.
extern "C" const gemm_configuration gemm_eca57c86_configurations[];
const gemm_configuration gemm_eca57c86_configurations[] = {GEMM_ECA57C86_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t gemm_eca57c86_float(const gemm_configuration *c, void *workspace, size_t *workspace_bytes, const float *A, uint64_t rows, uint64_t columns, uint64_t leading, const float *B, uint64_t B_columns, uint64_t B_leading, float *C, uint64_t C_leading, cudaStream_t stream) {
  return gemm_eca57c86::configured<float>(c, workspace, workspace_bytes, A, (gemm_eca57c86::Index)rows, (gemm_eca57c86::Index)columns, (gemm_eca57c86::Index)leading, B, (gemm_eca57c86::Index)B_columns, (gemm_eca57c86::Index)B_leading, C, (gemm_eca57c86::Index)C_leading, stream);
}
