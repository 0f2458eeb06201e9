// gemm, variant cf5856dd: grid.tiled(block.strided/all!prefetched(thread.panels/loop(thread.serial)))
// Made by tgc from gemm.cdl for sm_60; this text is yours.
//
// baseline, 1 kernel, determinism sequential: each element is computed by itself, as the sequential codelet does
// batch-invariant: each element is computed by itself
//
//   grid: regroups by `tiled', over its blocks (G3)
//     each part: block: regroups by `strided', over its lanes (B4x)
//       each part, prefetched and staged in shared memory: thread: regroups by `panels', over its iterations of a loop (T5s)
//         each part: thread: computes by `serial' (T2)
//
// codelets
//   tiled        gemm.cdl:24
//   strided      gemm.cdl:36
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
#ifndef GEMM_CF5856DD_CONFIGURATIONS
#define GEMM_CF5856DD_CONFIGURATIONS(C) C(128, 64, 64, 16, 16)
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

namespace gemm_cf5856dd {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

// Number of elements up to the next 16-byte boundary.
template <typename E> __host__ __device__ __forceinline__ Index to_aligned(const E *from) {
  return (Index)((16 - (uintptr_t)from % 16) % 16 / sizeof(E));
}

// A 16-byte load; `from` is aligned to 16 bytes.
template <typename E> __device__ __forceinline__ void load_wide(E *to, const E *from) {
  union {
    uint4 bits;
    E element[16 / sizeof(E)];
  } wide;
  wide.bits = *(const uint4 *)from;
#pragma unroll
  for (int i = 0; i < (int)(16 / sizeof(E)); ++i)
    to[i] = wide.element[i];
}

// A 16-byte store to shared memory; `to' is aligned to 16 bytes.
template <typename E> __device__ __forceinline__ void store_wide_shared(E *to, const E *from) {
  union {
    uint4 bits;
    E element[16 / sizeof(E)];
  } wide;
#pragma unroll
  for (int i = 0; i < (int)(16 / sizeof(E)); ++i)
    wide.element[i] = from[i];
  *(uint4 *)to = wide.bits;
}

// Each block processes its part.
template <typename T, int threads, int tile_m, int tile_n, int lanes, int tile_k, bool wide>
__global__ void __launch_bounds__(threads, 1) gemm_blocks(Index q, Index rows, Index leading, Index B_columns, Index C_leading, Index B_leading, Index columns, const T *__restrict__ A, const T *__restrict__ B, T *__restrict__ C) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int in_turns = threads / lanes % 2 == 0 ? 2 : 1;
  const int m_each = (tile_m + threads / lanes - 1) / (threads / lanes);
  const int n_each = (tile_n + lanes - 1) / lanes;
  const int m_padded = m_each * (threads / lanes);
  const int n_padded = n_each * lanes;
  const int A_per = (wide && (tile_k % (16 / (int)sizeof(T)) == 0)) ? 16 / (int)sizeof(T) : 1;
  const int A_pitch = m_padded + 1;
  const int A_elements = m_padded * tile_k;
  const int A_buffer = tile_k * A_pitch;
  const int A_rounds = (A_elements / A_per + threads - 1) / threads;
  const int B_per = (wide && (n_padded % (16 / (int)sizeof(T)) == 0)) ? 16 / (int)sizeof(T) : 1;
  const int B_elements = tile_k * n_padded;
  const int B_buffer = tile_k * n_padded;
  const int B_rounds = (B_elements / B_per + threads - 1) / threads;
  __shared__ __align__(16) T A_tile[2 * A_buffer];
  __shared__ __align__(16) T B_tile[2 * B_buffer];
  // grid > block: tiled (gemm.cdl:24), one part per block
  const Index m_begin = min_index((Index)((int)block / (int)q) * tile_m, rows);
  const Index m_size = min_index(tile_m, rows - m_begin);
  const Index A_begin = m_begin * leading;
  const Index n_begin = min_index((Index)((int)block % (int)q) * tile_n, B_columns);
  const Index n_size = min_index(tile_n, B_columns - n_begin);
  const Index C_begin = m_begin * C_leading + n_begin;
  // block > thread: strided (gemm.cdl:36), a rectangle each; serial (gemm.cdl:13)
  const int m_lane = thread / (in_turns * lanes) * in_turns + thread % in_turns;
  const int n_lane = thread / in_turns % lanes;
  const int m_left = (int)m_size - m_lane;
  const int n_left = (int)n_size - n_lane;
  const int A_last = (int)m_size - 1;
  const int B_last = (int)n_size - B_per;
  Index A_from[A_rounds];
  T A_ahead[A_rounds * A_per];
  Index B_from[B_rounds];
  T B_ahead[B_rounds * B_per];
  T C_held[m_each * n_each];
  #pragma unroll
  for (int s = 0; s < A_rounds; ++s) {
    const int e = (s * threads + thread) * A_per;
    const int row = e / tile_k;
    const int column = e % tile_k;
    A_from[s] = A_begin + (Index)min(row, A_last) * leading + column;
  }
  #pragma unroll
  for (int s = 0; s < B_rounds; ++s) {
    const int e = (s * threads + thread) * B_per;
    const int row = e / n_padded;
    const int column = e % n_padded;
    B_from[s] = n_begin + row * B_leading + (Index)min(column, B_last);
  }
  if (0 < columns) {
    const int k_left = (int)min_index(tile_k, columns);
    #pragma unroll
    for (int s = 0; s < A_rounds; ++s) {
      const int e = (s * threads + thread) * A_per;
      const int column = e % tile_k;
      if (A_elements % (threads * A_per) == 0 || e < A_elements) {
        if (column < k_left) {
          if (A_per > 1)
            load_wide(&A_ahead[s * A_per], &A[A_from[s]]);
          else
            A_ahead[s * A_per] = A[A_from[s]];
        }
      }
    }
    #pragma unroll
    for (int s = 0; s < B_rounds; ++s) {
      const int e = (s * threads + thread) * B_per;
      const int row = e / n_padded;
      if (B_elements % (threads * B_per) == 0 || e < B_elements) {
        if (row < k_left) {
          if (B_per > 1)
            load_wide(&B_ahead[s * B_per], &B[B_from[s]]);
          else
            B_ahead[s * B_per] = B[B_from[s]];
        }
      }
    }
  }
  #pragma unroll
  for (int i = 0; i < m_each; ++i) {
    #pragma unroll
    for (int j = 0; j < n_each; ++j)
      C_held[i * n_each + j] = (i * (threads / lanes) < m_left && (j * lanes < n_left)) ? C[C_begin + m_lane * C_leading + n_lane + (i * (threads / lanes * C_leading) + j * lanes)] : T(0);
  }
  for (Index k = 0; k < ((columns + tile_k - 1) / tile_k); ++k) {
    // thread: panels (gemm.cdl:48), one part after another
    const Index k_begin = k * tile_k;
    const int k_size = (int)min_index(tile_k, columns - k_begin);
    #pragma unroll
    for (int s = 0; s < A_rounds; ++s) {
      const int e = (s * threads + thread) * A_per;
      const int row = e / tile_k;
      const int column = e % tile_k;
      if (A_elements % (threads * A_per) == 0 || e < A_elements) {
        #pragma unroll
        for (int u = 0; u < A_per; ++u)
          A_tile[k % 2 * A_buffer + row + column * A_pitch + u * A_pitch] = A_ahead[s * A_per + u];
      }
    }
    #pragma unroll
    for (int s = 0; s < B_rounds; ++s) {
      const int e = (s * threads + thread) * B_per;
      const int row = e / n_padded;
      const int column = e % n_padded;
      if (B_elements % (threads * B_per) == 0 || e < B_elements) {
        if (B_per > 1)
          store_wide_shared(&B_tile[k % 2 * B_buffer + row * n_padded + column], &B_ahead[s * B_per]);
        else
          B_tile[k % 2 * B_buffer + row * n_padded + column] = B_ahead[s * B_per];
      }
    }
    if (k_begin + tile_k < columns) {
      const int k_left = (int)min_index(tile_k, columns - (k_begin + tile_k));
      #pragma unroll
      for (int s = 0; s < A_rounds; ++s) {
        const int e = (s * threads + thread) * A_per;
        const int column = e % tile_k;
        if (A_elements % (threads * A_per) == 0 || e < A_elements) {
          if (column < k_left) {
            if (A_per > 1)
              load_wide(&A_ahead[s * A_per], &A[A_from[s] + (k_begin + tile_k)]);
            else
              A_ahead[s * A_per] = A[A_from[s] + (k_begin + tile_k)];
          }
        }
      }
      #pragma unroll
      for (int s = 0; s < B_rounds; ++s) {
        const int e = (s * threads + thread) * B_per;
        const int row = e / n_padded;
        if (B_elements % (threads * B_per) == 0 || e < B_elements) {
          if (row < k_left) {
            if (B_per > 1)
              load_wide(&B_ahead[s * B_per], &B[B_from[s] + (k_begin + tile_k) * B_leading]);
            else
              B_ahead[s * B_per] = B[B_from[s] + (k_begin + tile_k) * B_leading];
          }
        }
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
            for (int j = 0; j < n_each; ++j)
              C_held[i * n_each + j] += A_tile[k % 2 * A_buffer + m_lane + (i * (threads / lanes) + k2 * A_pitch)] * B_tile[k % 2 * B_buffer + n_lane + (k2 * n_padded + j * lanes)];
          }
        }
      }
      else {
        for (Index k2 = 0; k2 < k_size; ++k2) {
          #pragma unroll
          for (int i = 0; i < m_each; ++i) {
            #pragma unroll
            for (int j = 0; j < n_each; ++j)
              C_held[i * n_each + j] += A_tile[k % 2 * A_buffer + m_lane + (i * (threads / lanes) + k2 * A_pitch)] * B_tile[k % 2 * B_buffer + n_lane + (k2 * n_padded + j * lanes)];
          }
        }
      }
    }
  }
  #pragma unroll
  for (int i = 0; i < m_each; ++i) {
    #pragma unroll
    for (int j = 0; j < n_each; ++j) {
      if (i * (threads / lanes) < m_left && (j * lanes < n_left))
        C[C_begin + m_lane * C_leading + n_lane + (i * (threads / lanes * C_leading) + j * lanes)] = C_held[i * n_each + j];
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
    const bool wide = to_aligned(&A[0]) == 0 && (columns % (16 / (int)sizeof(T)) == 0) && (leading % (16 / (int)sizeof(T)) == 0) && (to_aligned(&B[0]) == 0 && (B_columns % (16 / (int)sizeof(T)) == 0) && (B_leading % (16 / (int)sizeof(T)) == 0));
    void *args[] = {(void *)&q, &rows, &leading, &B_columns, &C_leading, &B_leading, &columns, &A, &B, &C};
    const cudaError_t error = cudaLaunchKernel(wide ? gemm_blocks<T, threads, tile_m, tile_n, lanes, tile_k, true> : gemm_blocks<T, threads, tile_m, tile_n, lanes, tile_k, false>, dim3((unsigned)tiles), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

// Bytes that a block has in shared memory.
template <typename T, int threads, int tile_m, int tile_n, int lanes, int tile_k>
constexpr size_t shared_bytes() {
  return (size_t)(2 * (tile_k * ((tile_m + threads / lanes - 1) / (threads / lanes) * (threads / lanes) + 1))) * sizeof(T) +
         (size_t)(2 * (tile_k * ((tile_n + lanes - 1) / lanes * lanes))) * sizeof(T);
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const gemm_configuration *c, void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, const T *B, Index B_columns, Index B_leading, T *C, Index C_leading, cudaStream_t stream) {
  const gemm_configuration own = {0, 0, 0, 0, 0, 0, 0};
  if (c == nullptr) c = &own;
#define RUN(THREADS, TILE_M, TILE_N, LANES, TILE_K) if constexpr (shared_bytes<T, THREADS, TILE_M, TILE_N, LANES, TILE_K>() <= 49152) if (serves(THREADS, c->threads) && serves(TILE_M, c->tile_m) && serves(TILE_N, c->tile_n) && serves(LANES, c->lanes) && serves(TILE_K, c->tile_k)) return run<T, THREADS, TILE_M, TILE_N, LANES, TILE_K>(workspace, workspace_bytes, A, rows, columns, leading, B, B_columns, B_leading, C, C_leading, stream);
  GEMM_CF5856DD_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace gemm_cf5856dd

#define ROW(THREADS, TILE_M, TILE_N, LANES, TILE_K) {THREADS, 0, 0, LANES, TILE_K, TILE_M, TILE_N},
// Those that were compiled; zeros end them.
extern "C" const gemm_configuration gemm_cf5856dd_configurations[];
const gemm_configuration gemm_cf5856dd_configurations[] = {GEMM_CF5856DD_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t gemm_cf5856dd_double(const gemm_configuration *c, void *workspace, size_t *workspace_bytes, const double *A, uint64_t rows, uint64_t columns, uint64_t leading, const double *B, uint64_t B_columns, uint64_t B_leading, double *C, uint64_t C_leading, cudaStream_t stream) {
  return gemm_cf5856dd::configured<double>(c, workspace, workspace_bytes, A, (gemm_cf5856dd::Index)rows, (gemm_cf5856dd::Index)columns, (gemm_cf5856dd::Index)leading, B, (gemm_cf5856dd::Index)B_columns, (gemm_cf5856dd::Index)B_leading, C, (gemm_cf5856dd::Index)C_leading, stream);
}
