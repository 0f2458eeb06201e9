// gemm, variant d9d168f5: grid.tiled(block.tiled/all!piped(thread.panels/loop(thread.serial)))
// Made by tgc from gemm.cdl for sm_80; this text is yours.
//
// baseline, 1 kernel, determinism sequential: each element is computed by itself, as the sequential codelet does
// batch-invariant: each element is computed by itself
//
//   grid: regroups by `tiled', over its blocks (G3)
//     each part: block: regroups by `tiled', over its lanes (B3x)
//       each part, copied ahead to shared memory: thread: regroups by `panels', over its iterations of a loop (T5s)
//         each part: thread: computes by `serial' (T2)
//
// codelets
//   tiled        gemm.cdl:24
//   panels       gemm.cdl:48
//   serial       gemm.cdl:13
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, tile_m, tile_n, tile_k, stages, lanes); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   tile_m: elements of a block's tile, 16, 32, 64, 128 or 256
//   tile_n: elements of a block's tile, 16, 32, 64, 128 or 256
//   tile_k: elements of a panel, 8, 16 or 32
//   stages: panels in shared memory, 2, 3, 4, 5 or 6
//   lanes: lanes with neighbouring parts, 8, 16 or 32
#ifndef GEMM_D9D168F5_CONFIGURATIONS
#define GEMM_D9D168F5_CONFIGURATIONS(C) C(128, 64, 64, 16, 3, 16) C(256, 128, 256, 8, 4, 16) C(128, 64, 128, 16, 3, 16) C(64, 32, 32, 32, 4, 8) C(128, 256, 16, 16, 3, 8) C(128, 16, 256, 16, 3, 32) C(32, 16, 16, 16, 3, 8)
#endif

#ifndef GEMM_CONFIGURATION
#define GEMM_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct gemm_configuration {
  int threads, loads;
  int64_t blocks;
  int lanes, stages, tile_k, tile_m, tile_n;
} gemm_configuration;
#endif

namespace gemm_d9d168f5 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

// Number of elements up to the next 16-byte boundary.
template <typename E> __host__ __device__ __forceinline__ Index to_aligned(const E *from) {
  return (Index)((16 - (uintptr_t)from % 16) % 16 / sizeof(E));
}

// A copy of `many` neighbouring elements, of 16 bytes or one element, to shared memory, or zeros if they do not exist. It is
// there behind await_copies(). Elements of less than four bytes are copied at once.
template <int many, typename E> __device__ __forceinline__ void copy_ahead(E *to, const E *from, bool exist) {
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
  constexpr int bytes = many * (int)sizeof(E);
  if constexpr (bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from),
                 "r"(exist ? 16 : 0)
                 : "memory");
  } else if constexpr (bytes == 4 || bytes == 8) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from),
                 "n"(bytes), "r"(exist ? bytes : 0)
                 : "memory");
  } else {
#pragma unroll
    for (int i = 0; i < many; ++i)
      to[i] = exist ? from[i] : E(0);
  }
#else // tgc check's executor
  simt::copy_ahead(to, from, many, exist);
#endif
}

// This lane's copies since the last call are a group.
__device__ __forceinline__ void close_copies() {
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
  asm volatile("cp.async.commit_group;" ::: "memory");
#else
  simt::close_copies();
#endif
}

// Waits until no more than so many of this lane's groups are still being copied.
template <int groups> __device__ __forceinline__ void await_copies() {
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
  asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory");
#else
  simt::await_copies(groups);
#endif
}

// An array of it, which begins where another one ends, the first at `shared_memory`.
#ifndef SHARED_ARRAY
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
#define SHARED_ARRAY(E, name, length, begin) \
  extern __shared__ __align__(1024) unsigned char shared_memory[]; \
  E *const name = (E *)(begin)
#else // tgc check's executor: each array has an end of its own
#define SHARED_ARRAY(E, name, length, begin) __shared__ __align__(1024) E name[length]
#endif
#endif

// Lets a kernel be launched with so many bytes, beside which it has a few of its own.
template <typename Kernel> inline cudaError_t ask_for_shared(Kernel *kernel, size_t bytes) {
  if (bytes <= 48 * 1024 - 1024) return cudaSuccess;
  return cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
}

// Each block processes its part.
template <typename T, int threads, int tile_m, int tile_n, int tile_k, int stages, int lanes, bool wide>
__global__ void __launch_bounds__(threads, !wide && ((tile_m + threads / lanes - 1) / (threads / lanes) * ((tile_n + lanes - 1) / lanes) <= (16 * (16 / (int)sizeof(T)))) && threads < 384 ? 384 / threads : 1) gemm_blocks(Index q, Index rows, Index leading, Index B_columns, Index C_leading, Index columns, Index B_leading, const T *__restrict__ A, const T *__restrict__ B, T *__restrict__ C, int k_full, int k_rest) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int in_turns = threads / lanes % 2 == 0 ? 2 : 1;
  const int m_each = (tile_m + threads / lanes - 1) / (threads / lanes);
  const int n_each = (tile_n + lanes - 1) / lanes;
  const int m_padded = m_each * (threads / lanes);
  const int n_padded = n_each * lanes;
  const int m_group = (wide && (tile_k % (16 / (int)sizeof(T)) == 0) && (m_each * n_each < 64)) ? 1 : m_each % (16 / (int)sizeof(T)) == 0 ? 16 / (int)sizeof(T) : m_each;
  const int m_apart = threads / lanes * m_group;
  const int n_group = n_each % (16 / (int)sizeof(T)) == 0 ? 16 / (int)sizeof(T) : n_each;
  const int n_apart = lanes * n_group;
  const int A_per = (wide && (tile_k % (16 / (int)sizeof(T)) == 0) && (m_each * n_each < 64)) ? 16 / (int)sizeof(T) : 1;
  const int A_pitch = A_per > 1 ? tile_k + 16 / (int)sizeof(T) : m_padded + (m_each % (16 / (int)sizeof(T)) == 0 ? 16 / (int)sizeof(T) : 1);
  const int A_elements = m_padded * tile_k;
  const int A_row_step = A_per > 1 ? A_pitch : 1;
  const int A_column_step = A_per > 1 ? 1 : A_pitch;
  const int A_buffer = A_elements + 16 / (int)sizeof(T) * (tile_k > m_padded ? tile_k : m_padded);
  const int A_rounds = (A_elements / A_per + threads - 1) / threads;
  const int A_rows = (tile_k % 8 == 0 && (m_padded % 4 == 0) && (A_per == 1)) ? threads / 32 % (tile_k / 8) == 0 ? threads / 32 / (tile_k / 8) * 4 : 0 : threads * A_per % tile_k == 0 ? threads * A_per / tile_k : 0;
  const int B_per = (wide && (n_padded % (16 / (int)sizeof(T)) == 0)) ? 16 / (int)sizeof(T) : 1;
  const int B_elements = tile_k * n_padded;
  const int B_buffer = tile_k * n_padded;
  const int B_rounds = (B_elements / B_per + threads - 1) / threads;
  const int B_rows = threads * B_per % n_padded == 0 ? threads * B_per / n_padded : 0;
  const int copies = A_rounds + B_rounds;
  SHARED_ARRAY(T, A_tile, stages * A_buffer, shared_memory);
  SHARED_ARRAY(T, B_tile, stages * B_buffer, A_tile + stages * A_buffer);
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
  const int A_row = (tile_k % 8 == 0 && (m_padded % 4 == 0) && (A_per == 1)) ? warp / (tile_k / 8) * 4 + lane / 8 : thread * A_per / tile_k;
  const int A_column = (tile_k % 8 == 0 && (m_padded % 4 == 0) && (A_per == 1)) ? warp % (tile_k / 8) * 8 + lane % 8 : thread * A_per % tile_k;
  const int B_last = (int)n_size - B_per;
  const int B_row = thread * B_per / n_padded;
  const int B_column = thread * B_per % n_padded;
  Index A_from[A_rounds];
  Index B_from[B_rounds];
  T C_held[m_each * n_each];
  T A_part[2 * m_each];
  T B_part[2 * n_each];
  #pragma unroll
  for (int s = 0; s < A_rounds; ++s) {
    const int e = (s * threads + thread) * A_per;
    const int row = A_rows > 0 ? A_row + s * A_rows : e / tile_k;
    const int column = A_rows > 0 ? A_column : e % tile_k;
    A_from[s] = A_begin + (Index)min(row, A_last) * leading + column;
  }
  #pragma unroll
  for (int s = 0; s < B_rounds; ++s) {
    const int e = (s * threads + thread) * B_per;
    const int row = B_rows > 0 ? B_row + s * B_rows : e / n_padded;
    const int column = B_rows > 0 ? B_column : e % n_padded;
    B_from[s] = n_begin + row * B_leading + (Index)min(column, B_last);
  }
  #pragma unroll
  for (Index ahead = 0; ahead < (stages - 1); ++ahead) {
    const int k_left = (int)ahead < k_full ? tile_k : (int)ahead == k_full ? k_rest : 0;
    #pragma unroll
    for (int s = 0; s < A_rounds; ++s) {
      const int e = (s * threads + thread) * A_per;
      const int row = A_rows > 0 ? A_row + s * A_rows : e / tile_k;
      const int column = A_rows > 0 ? A_column : e % tile_k;
      if (A_elements % (threads * A_per) == 0 || e < A_elements)
        copy_ahead<A_per>(&A_tile[ahead % stages * A_buffer + row * A_row_step + column * A_column_step], &A[A_from[s] + ahead * tile_k], column < k_left && (A_per == 1 || row <= A_last));
    }
    #pragma unroll
    for (int s = 0; s < B_rounds; ++s) {
      const int e = (s * threads + thread) * B_per;
      const int row = B_rows > 0 ? B_row + s * B_rows : e / n_padded;
      const int column = B_rows > 0 ? B_column : e % n_padded;
      if (B_elements % (threads * B_per) == 0 || e < B_elements)
        copy_ahead<B_per>(&B_tile[ahead % stages * B_buffer + row * n_padded + column], &B[B_from[s] + ahead * tile_k * B_leading], row < k_left && (B_per == 1 || column <= B_last));
    }
    close_copies();
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
  await_copies<stages - 2>();
  __syncthreads();
  #pragma unroll
  for (int i = 0; i < m_each; ++i)
    A_part[i] = A_tile[0 % stages * A_buffer + (m_first + (i / m_group * m_apart + i % m_group)) * A_row_step];
  #pragma unroll
  for (int j = 0; j < n_each; ++j)
    B_part[j] = B_tile[0 % stages * B_buffer + (n_first + (j / n_group * n_apart + j % n_group))];
  __syncthreads();
  for (int k = 0; k < k_full; ++k) {
    // thread: panels (gemm.cdl:48), one part after another
    const int k_left = k + (stages - 1) < k_full ? tile_k : k + (stages - 1) == k_full ? k_rest : 0;
    if (wide) {
      #pragma unroll
      for (int s = 0; s < A_rounds; ++s) {
        const int e = (s * threads + thread) * A_per;
        const int row = A_rows > 0 ? A_row + s * A_rows : e / tile_k;
        const int column = A_rows > 0 ? A_column : e % tile_k;
        if (A_elements % (threads * A_per) == 0 || e < A_elements)
          copy_ahead<A_per>(&A_tile[(k + (stages - 1)) % stages * A_buffer + row * A_row_step + column * A_column_step], &A[A_from[s] + (Index)(k + (stages - 1)) * tile_k], column < k_left && (A_per == 1 || row <= A_last));
      }
      #pragma unroll
      for (int s = 0; s < B_rounds; ++s) {
        const int e = (s * threads + thread) * B_per;
        const int row = B_rows > 0 ? B_row + s * B_rows : e / n_padded;
        const int column = B_rows > 0 ? B_column : e % n_padded;
        if (B_elements % (threads * B_per) == 0 || e < B_elements)
          copy_ahead<B_per>(&B_tile[(k + (stages - 1)) % stages * B_buffer + row * n_padded + column], &B[B_from[s] + (Index)(k + (stages - 1)) * tile_k * B_leading], row < k_left && (B_per == 1 || column <= B_last));
      }
      close_copies();
    }
    #pragma unroll
    for (int step = 0; step < (tile_k - 1); ++step) {
      #pragma unroll
      for (int i = 0; i < m_each; ++i)
        A_part[(step + 1) % 2 * m_each + i] = A_tile[k % stages * A_buffer + (m_first + (i / m_group * m_apart + i % m_group)) * A_row_step + (step + 1) * A_column_step];
      #pragma unroll
      for (int j = 0; j < n_each; ++j)
        B_part[(step + 1) % 2 * n_each + j] = B_tile[k % stages * B_buffer + (step + 1) * n_padded + (n_first + (j / n_group * n_apart + j % n_group))];
      if (!wide && (step % 4 == 0)) {
        #pragma unroll
        for (int s = 0; s < A_rounds; ++s) {
          const int e = (s * threads + thread) * A_per;
          const int row = A_rows > 0 ? A_row + s * A_rows : e / tile_k;
          const int column = A_rows > 0 ? A_column : e % tile_k;
          if (s * (tile_k / 4) / copies == step / 4 && (A_elements % (threads * A_per) == 0 || e < A_elements))
            copy_ahead<A_per>(&A_tile[(k + (stages - 1)) % stages * A_buffer + row * A_row_step + column * A_column_step], &A[A_from[s] + (Index)(k + (stages - 1)) * tile_k], column < k_left && (A_per == 1 || row <= A_last));
        }
        #pragma unroll
        for (int s = 0; s < B_rounds; ++s) {
          const int e = (s * threads + thread) * B_per;
          const int row = B_rows > 0 ? B_row + s * B_rows : e / n_padded;
          const int column = B_rows > 0 ? B_column : e % n_padded;
          if ((A_rounds + s) * (tile_k / 4) / copies == step / 4 && (B_elements % (threads * B_per) == 0 || e < B_elements))
            copy_ahead<B_per>(&B_tile[(k + (stages - 1)) % stages * B_buffer + row * n_padded + column], &B[B_from[s] + (Index)(k + (stages - 1)) * tile_k * B_leading], row < k_left && (B_per == 1 || column <= B_last));
        }
      }
      #pragma unroll
      for (int i = 0; i < m_each; ++i) {
        #pragma unroll
        for (int j = 0; j < n_each; ++j)
          C_held[i * n_each + j] += A_part[step % 2 * m_each + i] * B_part[step % 2 * n_each + j];
      }
    }
    if (!wide) {
      close_copies();
    }
    await_copies<stages - 2>();
    __syncthreads();
    #pragma unroll
    for (int i = 0; i < m_each; ++i)
      A_part[i] = A_tile[(k + 1) % stages * A_buffer + (m_first + (i / m_group * m_apart + i % m_group)) * A_row_step];
    #pragma unroll
    for (int j = 0; j < n_each; ++j)
      B_part[j] = B_tile[(k + 1) % stages * B_buffer + (n_first + (j / n_group * n_apart + j % n_group))];
    #pragma unroll
    for (int i = 0; i < m_each; ++i) {
      #pragma unroll
      for (int j = 0; j < n_each; ++j)
        C_held[i * n_each + j] += A_part[(tile_k - 1) % 2 * m_each + i] * B_part[(tile_k - 1) % 2 * n_each + j];
    }
  }
  #pragma unroll 1
  for (int step = 0; step < k_rest; ++step) {
    #pragma unroll
    for (int i = 0; i < m_each; ++i)
      A_part[i] = A_tile[k_full % stages * A_buffer + (m_first + (i / m_group * m_apart + i % m_group)) * A_row_step + step * A_column_step];
    #pragma unroll
    for (int j = 0; j < n_each; ++j)
      B_part[j] = B_tile[k_full % stages * B_buffer + step * n_padded + (n_first + (j / n_group * n_apart + j % n_group))];
    #pragma unroll
    for (int i = 0; i < m_each; ++i) {
      #pragma unroll
      for (int j = 0; j < n_each; ++j)
        C_held[i * n_each + j] += A_part[i] * B_part[j];
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

// Bytes that a block has in shared memory.
template <typename T, int threads, int tile_m, int tile_n, int tile_k, int stages, int lanes>
constexpr size_t shared_bytes() {
  return (size_t)(stages * ((tile_m + threads / lanes - 1) / (threads / lanes) * (threads / lanes) * tile_k + 16 / (int)sizeof(T) * (tile_k > ((tile_m + threads / lanes - 1) / (threads / lanes) * (threads / lanes)) ? tile_k : (tile_m + threads / lanes - 1) / (threads / lanes) * (threads / lanes)))) * sizeof(T) +
         (size_t)(stages * (tile_k * ((tile_n + lanes - 1) / lanes * lanes))) * sizeof(T);
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int tile_m, int tile_n, int tile_k, int stages, int lanes>
cudaError_t run(void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, const T *B, Index B_columns, Index B_leading, T *C, Index C_leading, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(tile_m >= 16 && tile_m <= 256 && (tile_m == 16 || tile_m == 32 || tile_m == 64 || tile_m == 128 || tile_m == 256), "tile_m: elements of a block's tile, 16, 32, 64, 128 or 256");
  static_assert(tile_n >= 16 && tile_n <= 256 && (tile_n == 16 || tile_n == 32 || tile_n == 64 || tile_n == 128 || tile_n == 256), "tile_n: elements of a block's tile, 16, 32, 64, 128 or 256");
  static_assert(tile_k >= 8 && tile_k <= 32 && (tile_k == 8 || tile_k == 16 || tile_k == 32), "tile_k: elements of a panel, 8, 16 or 32");
  static_assert(stages >= 2 && stages <= 6 && (stages == 2 || stages == 3 || stages == 4 || stages == 5 || stages == 6), "stages: panels in shared memory, 2, 3, 4, 5 or 6");
  static_assert(lanes >= 8 && lanes <= 32 && (lanes == 8 || lanes == 16 || lanes == 32), "lanes: lanes with neighbouring parts, 8, 16 or 32");
  if (rows < 0 || columns < 0 || leading < 0 || B_columns < 0 || B_leading < 0 || C_leading < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: tiled (gemm.cdl:24), one part per block
  const Index p = (rows + tile_m - 1) / tile_m;
  const Index q = (B_columns + tile_n - 1) / tile_n;
  const Index tiles = p * q;
  if (tiles > 2147483647)
    return cudaErrorInvalidValue;
  if ((columns + tile_k - 1) / tile_k > 2147483647)
    return cudaErrorInvalidValue;
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  if (tiles > 0) {
    const bool wide = to_aligned(&A[0]) == 0 && (columns % (16 / (int)sizeof(T)) == 0) && (leading % (16 / (int)sizeof(T)) == 0) && (to_aligned(&B[0]) == 0 && (B_columns % (16 / (int)sizeof(T)) == 0) && (B_leading % (16 / (int)sizeof(T)) == 0));
    const int k_full = (int)(columns / tile_k);
    const int k_rest = (int)(columns % (Index)tile_k);
    const size_t shared = shared_bytes<T, threads, tile_m, tile_n, tile_k, stages, lanes>();
    const cudaError_t allowed = ask_for_shared(wide ? gemm_blocks<T, threads, tile_m, tile_n, tile_k, stages, lanes, true> : gemm_blocks<T, threads, tile_m, tile_n, tile_k, stages, lanes, false>, shared);
    if (allowed != cudaSuccess) return allowed;
    void *args[] = {(void *)&q, &rows, &leading, &B_columns, &C_leading, &columns, &B_leading, &A, &B, &C, (void *)&k_full, (void *)&k_rest};
    const cudaError_t error = cudaLaunchKernel(wide ? gemm_blocks<T, threads, tile_m, tile_n, tile_k, stages, lanes, true> : gemm_blocks<T, threads, tile_m, tile_n, tile_k, stages, lanes, false>, dim3((unsigned)tiles), dim3(threads), args, shared, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const gemm_configuration *c, void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, const T *B, Index B_columns, Index B_leading, T *C, Index C_leading, cudaStream_t stream) {
  const gemm_configuration own = {0, 0, 0, 0, 0, 0, 0, 0};
  if (c == nullptr) c = &own;
#define RUN(THREADS, TILE_M, TILE_N, TILE_K, STAGES, LANES) if constexpr (shared_bytes<T, THREADS, TILE_M, TILE_N, TILE_K, STAGES, LANES>() <= 166912) if (serves(THREADS, c->threads) && serves(TILE_M, c->tile_m) && serves(TILE_N, c->tile_n) && serves(TILE_K, c->tile_k) && serves(STAGES, c->stages) && serves(LANES, c->lanes)) return run<T, THREADS, TILE_M, TILE_N, TILE_K, STAGES, LANES>(workspace, workspace_bytes, A, rows, columns, leading, B, B_columns, B_leading, C, C_leading, stream);
  GEMM_D9D168F5_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace gemm_d9d168f5

#define ROW(THREADS, TILE_M, TILE_N, TILE_K, STAGES, LANES) {THREADS, 0, 0, LANES, STAGES, TILE_K, TILE_M, TILE_N},
// Those that were compiled; zeros end them.
extern "C" const gemm_configuration gemm_d9d168f5_configurations[];
const gemm_configuration gemm_d9d168f5_configurations[] = {GEMM_D9D168F5_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t gemm_d9d168f5_float(const gemm_configuration *c, void *workspace, size_t *workspace_bytes, const float *A, uint64_t rows, uint64_t columns, uint64_t leading, const float *B, uint64_t B_columns, uint64_t B_leading, float *C, uint64_t C_leading, cudaStream_t stream) {
  return gemm_d9d168f5::configured<float>(c, workspace, workspace_bytes, A, (gemm_d9d168f5::Index)rows, (gemm_d9d168f5::Index)columns, (gemm_d9d168f5::Index)leading, B, (gemm_d9d168f5::Index)B_columns, (gemm_d9d168f5::Index)B_leading, C, (gemm_d9d168f5::Index)C_leading, stream);
}
