// gemm_batched, variant 8462746a: grid.tiled(block.strided/all!piped(thread.panels/loop(thread.serial)))
// Made by tgc from gemm_batched.cdl for sm_80; this text is yours.
//
// baseline, 1 kernel, determinism sequential: each element is computed by itself, as the sequential codelet does
// batch-invariant: each element is computed by itself
//
//   grid: regroups by `tiled', over its blocks (G3)
//     each part: block: regroups by `strided', over its lanes (B4x)
//       each part, copied ahead to shared memory: thread: regroups by `panels', over its iterations of a loop (T5s)
//         each part: thread: computes by `serial' (T2)
//
// codelets
//   tiled        gemm_batched.cdl:24
//   strided      gemm_batched.cdl:38
//   panels       gemm_batched.cdl:52
//   serial       gemm_batched.cdl:12
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, tile_b, tile_m, tile_n, tile_k, stages, lanes); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   tile_b: elements of a block's tile, 1, 2, 4, 8 or 16
//   tile_m: elements of a block's tile, 16, 32, 64 or 128
//   tile_n: elements of a block's tile, 16, 32, 64 or 128
//   tile_k: elements of a panel, 8, 16 or 32
//   stages: panels in shared memory, 2, 3, 4, 5 or 6
//   lanes: lanes with neighbouring parts, 8, 16 or 32
#ifndef GEMM_BATCHED_8462746A_CONFIGURATIONS
#define GEMM_BATCHED_8462746A_CONFIGURATIONS(C) C(128, 1, 64, 64, 16, 3, 16) C(128, 1, 64, 128, 16, 3, 16) C(64, 1, 32, 32, 32, 4, 8) C(32, 1, 16, 16, 16, 3, 8)
#endif

#ifndef GEMM_BATCHED_CONFIGURATION
#define GEMM_BATCHED_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct gemm_batched_configuration {
  int threads, loads;
  int64_t blocks;
  int lanes, stages, tile_b, tile_k, tile_m, tile_n;
} gemm_batched_configuration;
#endif

namespace gemm_batched_8462746a {

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
template <typename T, int threads, int tile_b, int tile_m, int tile_n, int tile_k, int stages, int lanes, bool wide>
__global__ void __launch_bounds__(threads, 1) gemm_batched_blocks(Index q, Index p, Index size0, Index size1, Index stride0, Index stride1, Index B_size2, Index B_stride0, Index C_stride0, Index C_stride1, Index size2, Index B_stride1, const T *__restrict__ A, const T *__restrict__ B, T *__restrict__ C, int k_full, int k_rest) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int in_turns = threads / lanes % 2 == 0 ? 2 : 1;
  const int b_lanes = tile_b < (threads / lanes) ? tile_b : threads / lanes;
  const int m_lanes = threads / lanes / b_lanes;
  const int b_each = (tile_b + b_lanes - 1) / b_lanes;
  const int m_each = (tile_m + m_lanes - 1) / m_lanes;
  const int n_each = (tile_n + lanes - 1) / lanes;
  const int b_padded = b_each * b_lanes;
  const int m_padded = m_each * m_lanes;
  const int n_padded = n_each * lanes;
  const int A_pitch = m_padded + 1;
  const int A_elements = b_padded * m_padded * tile_k;
  const int A_buffer = b_padded * (tile_k * A_pitch);
  const int A_rounds = (A_elements + threads - 1) / threads;
  const int B_per = (wide && (n_padded % (16 / (int)sizeof(T)) == 0)) ? 16 / (int)sizeof(T) : 1;
  const int B_elements = b_padded * tile_k * n_padded;
  const int B_buffer = b_padded * (tile_k * n_padded);
  const int B_rounds = (B_elements / B_per + threads - 1) / threads;
  SHARED_ARRAY(T, A_tile, stages * A_buffer, shared_memory);
  SHARED_ARRAY(T, B_tile, stages * B_buffer, A_tile + stages * A_buffer);
  // grid > block: tiled (gemm_batched.cdl:24), one part per block
  const Index b_begin = min_index((Index)((int)block / (int)q / (int)p) * tile_b, size0);
  const Index b_size = min_index(tile_b, size0 - b_begin);
  const Index m_begin = min_index((Index)((int)block / (int)q % (int)p) * tile_m, size1);
  const Index m_size = min_index(tile_m, size1 - m_begin);
  const Index A_begin = b_begin * stride0 + m_begin * stride1;
  const Index n_begin = min_index((Index)((int)block % (int)q) * tile_n, B_size2);
  const Index n_size = min_index(tile_n, B_size2 - n_begin);
  const Index B_begin = b_begin * B_stride0 + n_begin;
  const Index C_begin = b_begin * C_stride0 + m_begin * C_stride1 + n_begin;
  // block > thread: strided (gemm_batched.cdl:38), a rectangle each; serial (gemm_batched.cdl:12)
  const int b_lane = (thread / (in_turns * lanes) * in_turns + thread % in_turns) / m_lanes;
  const int m_lane = (thread / (in_turns * lanes) * in_turns + thread % in_turns) % m_lanes;
  const int n_lane = thread / in_turns % lanes;
  const int b_first = b_lane * b_each;
  const int b_left = (int)b_size - b_first;
  const int m_left = (int)m_size - m_lane;
  const int n_left = (int)n_size - n_lane;
  const int A_last = (int)b_size - 1;
  const int A_last2 = (int)m_size - 1;
  const int B_last = (int)b_size - 1;
  const int B_last2 = (int)n_size - B_per;
  Index A_from[A_rounds];
  Index B_from[B_rounds];
  T C_held[b_each * m_each * n_each];
  #pragma unroll
  for (int s = 0; s < A_rounds; ++s) {
    const int e = s * threads + thread;
    const int plane = e / tile_k / m_padded;
    const int row = e / tile_k % m_padded;
    const int column = e % tile_k;
    A_from[s] = A_begin + (Index)min(plane, A_last) * stride0 + (Index)min(row, A_last2) * stride1 + column;
  }
  #pragma unroll
  for (int s = 0; s < B_rounds; ++s) {
    const int e = (s * threads + thread) * B_per;
    const int plane = e / n_padded / tile_k;
    const int row = e / n_padded % tile_k;
    const int column = e % n_padded;
    B_from[s] = B_begin + (Index)min(plane, B_last) * B_stride0 + row * B_stride1 + (Index)min(column, B_last2);
  }
  #pragma unroll
  for (Index ahead = 0; ahead < (stages - 1); ++ahead) {
    const int k_left = (int)ahead < k_full ? tile_k : (int)ahead == k_full ? k_rest : 0;
    #pragma unroll
    for (int s = 0; s < A_rounds; ++s) {
      const int e = s * threads + thread;
      const int plane = e / tile_k / m_padded;
      const int row = e / tile_k % m_padded;
      const int column = e % tile_k;
      if (A_elements % threads == 0 || e < A_elements)
        copy_ahead<1>(&A_tile[ahead % stages * A_buffer + plane * (tile_k * A_pitch) + row + column * A_pitch], &A[A_from[s] + ahead * tile_k], column < k_left);
    }
    #pragma unroll
    for (int s = 0; s < B_rounds; ++s) {
      const int e = (s * threads + thread) * B_per;
      const int plane = e / n_padded / tile_k;
      const int row = e / n_padded % tile_k;
      const int column = e % n_padded;
      if (B_elements % (threads * B_per) == 0 || e < B_elements)
        copy_ahead<B_per>(&B_tile[ahead % stages * B_buffer + plane * (tile_k * n_padded) + row * n_padded + column], &B[B_from[s] + ahead * tile_k * B_stride1], row < k_left && (B_per == 1 || plane <= B_last) && (B_per == 1 || column <= B_last2));
    }
    close_copies();
  }
  #pragma unroll
  for (int b = 0; b < b_each; ++b) {
    #pragma unroll
    for (int i = 0; i < m_each; ++i) {
      #pragma unroll
      for (int j = 0; j < n_each; ++j)
        C_held[b * (m_each * n_each) + i * n_each + j] = (b < b_left && (i * m_lanes < m_left) && (j * lanes < n_left)) ? C[C_begin + b_first * C_stride0 + m_lane * C_stride1 + n_lane + (b * C_stride0 + i * (m_lanes * C_stride1) + j * lanes)] : T(0);
    }
  }
  for (int k = 0; k < (k_full + (k_rest > 0 ? 1 : 0)); ++k) {
    // thread: panels (gemm_batched.cdl:52), one part after another
    const int k_size = k < k_full ? tile_k : k_rest;
    await_copies<stages - 2>();
    const int k_left = k + (stages - 1) < k_full ? tile_k : k + (stages - 1) == k_full ? k_rest : 0;
    __syncthreads();
    #pragma unroll
    for (int s = 0; s < A_rounds; ++s) {
      const int e = s * threads + thread;
      const int plane = e / tile_k / m_padded;
      const int row = e / tile_k % m_padded;
      const int column = e % tile_k;
      if (A_elements % threads == 0 || e < A_elements)
        copy_ahead<1>(&A_tile[(k + (stages - 1)) % stages * A_buffer + plane * (tile_k * A_pitch) + row + column * A_pitch], &A[A_from[s] + (Index)(k + (stages - 1)) * tile_k], column < k_left);
    }
    #pragma unroll
    for (int s = 0; s < B_rounds; ++s) {
      const int e = (s * threads + thread) * B_per;
      const int plane = e / n_padded / tile_k;
      const int row = e / n_padded % tile_k;
      const int column = e % n_padded;
      if (B_elements % (threads * B_per) == 0 || e < B_elements)
        copy_ahead<B_per>(&B_tile[(k + (stages - 1)) % stages * B_buffer + plane * (tile_k * n_padded) + row * n_padded + column], &B[B_from[s] + (Index)(k + (stages - 1)) * tile_k * B_stride1], row < k_left && (B_per == 1 || plane <= B_last) && (B_per == 1 || column <= B_last2));
    }
    close_copies();
    if (b_left > 0 && (m_left > 0) && (n_left > 0)) {
      if (k_size == tile_k) {
        #pragma unroll
        for (Index k2 = 0; k2 < tile_k; ++k2) {
          #pragma unroll
          for (int b = 0; b < b_each; ++b) {
            #pragma unroll
            for (int i = 0; i < m_each; ++i) {
              #pragma unroll
              for (int j = 0; j < n_each; ++j)
                C_held[b * (m_each * n_each) + i * n_each + j] += A_tile[k % stages * A_buffer + b_first * (tile_k * A_pitch) + m_lane + (b * (tile_k * A_pitch) + i * m_lanes + k2 * A_pitch)] * B_tile[k % stages * B_buffer + b_first * (tile_k * n_padded) + n_lane + (b * (tile_k * n_padded) + k2 * n_padded + j * lanes)];
            }
          }
        }
      }
      else {
        for (Index k2 = 0; k2 < k_size; ++k2) {
          #pragma unroll
          for (int b = 0; b < b_each; ++b) {
            #pragma unroll
            for (int i = 0; i < m_each; ++i) {
              #pragma unroll
              for (int j = 0; j < n_each; ++j)
                C_held[b * (m_each * n_each) + i * n_each + j] += A_tile[k % stages * A_buffer + b_first * (tile_k * A_pitch) + m_lane + (b * (tile_k * A_pitch) + i * m_lanes + k2 * A_pitch)] * B_tile[k % stages * B_buffer + b_first * (tile_k * n_padded) + n_lane + (b * (tile_k * n_padded) + k2 * n_padded + j * lanes)];
            }
          }
        }
      }
    }
  }
  #pragma unroll
  for (int b = 0; b < b_each; ++b) {
    #pragma unroll
    for (int i = 0; i < m_each; ++i) {
      #pragma unroll
      for (int j = 0; j < n_each; ++j) {
        if (b < b_left && (i * m_lanes < m_left) && (j * lanes < n_left))
          C[C_begin + b_first * C_stride0 + m_lane * C_stride1 + n_lane + (b * C_stride0 + i * (m_lanes * C_stride1) + j * lanes)] = C_held[b * (m_each * n_each) + i * n_each + j];
      }
    }
  }
}

// Bytes that a block has in shared memory.
template <typename T, int threads, int tile_b, int tile_m, int tile_n, int tile_k, int stages, int lanes>
constexpr size_t shared_bytes() {
  return (size_t)(stages * ((tile_b + (tile_b < (threads / lanes) ? tile_b : threads / lanes) - 1) / (tile_b < (threads / lanes) ? tile_b : threads / lanes) * (tile_b < (threads / lanes) ? tile_b : threads / lanes) * (tile_k * ((tile_m + threads / lanes / (tile_b < (threads / lanes) ? tile_b : threads / lanes) - 1) / (threads / lanes / (tile_b < (threads / lanes) ? tile_b : threads / lanes)) * (threads / lanes / (tile_b < (threads / lanes) ? tile_b : threads / lanes)) + 1)))) * sizeof(T) +
         (size_t)(stages * ((tile_b + (tile_b < (threads / lanes) ? tile_b : threads / lanes) - 1) / (tile_b < (threads / lanes) ? tile_b : threads / lanes) * (tile_b < (threads / lanes) ? tile_b : threads / lanes) * (tile_k * ((tile_n + lanes - 1) / lanes * lanes)))) * sizeof(T);
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int tile_b, int tile_m, int tile_n, int tile_k, int stages, int lanes>
cudaError_t run(void *workspace, size_t *workspace_bytes, const T *A, Index size0, Index size1, Index size2, Index stride0, Index stride1, const T *B, Index B_size2, Index B_stride0, Index B_stride1, T *C, Index C_stride0, Index C_stride1, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(tile_b >= 1 && tile_b <= 16 && (tile_b == 1 || tile_b == 2 || tile_b == 4 || tile_b == 8 || tile_b == 16), "tile_b: elements of a block's tile, 1, 2, 4, 8 or 16");
  static_assert(tile_m >= 16 && tile_m <= 128 && (tile_m == 16 || tile_m == 32 || tile_m == 64 || tile_m == 128), "tile_m: elements of a block's tile, 16, 32, 64 or 128");
  static_assert(tile_n >= 16 && tile_n <= 128 && (tile_n == 16 || tile_n == 32 || tile_n == 64 || tile_n == 128), "tile_n: elements of a block's tile, 16, 32, 64 or 128");
  static_assert(tile_k >= 8 && tile_k <= 32 && (tile_k == 8 || tile_k == 16 || tile_k == 32), "tile_k: elements of a panel, 8, 16 or 32");
  static_assert(stages >= 2 && stages <= 6 && (stages == 2 || stages == 3 || stages == 4 || stages == 5 || stages == 6), "stages: panels in shared memory, 2, 3, 4, 5 or 6");
  static_assert(lanes >= 8 && lanes <= 32 && (lanes == 8 || lanes == 16 || lanes == 32), "lanes: lanes with neighbouring parts, 8, 16 or 32");
  if (size0 < 0 || size1 < 0 || size2 < 0 || stride0 < 0 || stride1 < 0 || B_size2 < 0 || B_stride0 < 0 || B_stride1 < 0 || C_stride0 < 0 || C_stride1 < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: tiled (gemm_batched.cdl:24), one part per block
  const Index o = (size0 + tile_b - 1) / tile_b;
  const Index p = (size1 + tile_m - 1) / tile_m;
  const Index q = (B_size2 + tile_n - 1) / tile_n;
  const Index tiles = o * p * q;
  if (tiles > 2147483647)
    return cudaErrorInvalidValue;
  if ((size2 + tile_k - 1) / tile_k > 2147483647)
    return cudaErrorInvalidValue;
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  if (tiles > 0) {
    const bool wide = to_aligned(&A[0]) == 0 && (size2 % (16 / (int)sizeof(T)) == 0) && (stride0 % (16 / (int)sizeof(T)) == 0) && (stride1 % (16 / (int)sizeof(T)) == 0) && (to_aligned(&B[0]) == 0 && (B_size2 % (16 / (int)sizeof(T)) == 0) && (B_stride0 % (16 / (int)sizeof(T)) == 0) && (B_stride1 % (16 / (int)sizeof(T)) == 0));
    const int k_full = (int)(size2 / tile_k);
    const int k_rest = (int)(size2 % (Index)tile_k);
    const size_t shared = shared_bytes<T, threads, tile_b, tile_m, tile_n, tile_k, stages, lanes>();
    const cudaError_t allowed = ask_for_shared(wide ? gemm_batched_blocks<T, threads, tile_b, tile_m, tile_n, tile_k, stages, lanes, true> : gemm_batched_blocks<T, threads, tile_b, tile_m, tile_n, tile_k, stages, lanes, false>, shared);
    if (allowed != cudaSuccess) return allowed;
    void *args[] = {(void *)&q, (void *)&p, &size0, &size1, &stride0, &stride1, &B_size2, &B_stride0, &C_stride0, &C_stride1, &size2, &B_stride1, &A, &B, &C, (void *)&k_full, (void *)&k_rest};
    const cudaError_t error = cudaLaunchKernel(wide ? gemm_batched_blocks<T, threads, tile_b, tile_m, tile_n, tile_k, stages, lanes, true> : gemm_batched_blocks<T, threads, tile_b, tile_m, tile_n, tile_k, stages, lanes, false>, dim3((unsigned)tiles), dim3(threads), args, shared, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const gemm_batched_configuration *c, void *workspace, size_t *workspace_bytes, const T *A, Index size0, Index size1, Index size2, Index stride0, Index stride1, const T *B, Index B_size2, Index B_stride0, Index B_stride1, T *C, Index C_stride0, Index C_stride1, cudaStream_t stream) {
  const gemm_batched_configuration own = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  if (c == nullptr) c = &own;
#define RUN(THREADS, TILE_B, TILE_M, TILE_N, TILE_K, STAGES, LANES) if constexpr (shared_bytes<T, THREADS, TILE_B, TILE_M, TILE_N, TILE_K, STAGES, LANES>() <= 166912) if (serves(THREADS, c->threads) && serves(TILE_B, c->tile_b) && serves(TILE_M, c->tile_m) && serves(TILE_N, c->tile_n) && serves(TILE_K, c->tile_k) && serves(STAGES, c->stages) && serves(LANES, c->lanes)) return run<T, THREADS, TILE_B, TILE_M, TILE_N, TILE_K, STAGES, LANES>(workspace, workspace_bytes, A, size0, size1, size2, stride0, stride1, B, B_size2, B_stride0, B_stride1, C, C_stride0, C_stride1, stream);
  GEMM_BATCHED_8462746A_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace gemm_batched_8462746a

#define ROW(THREADS, TILE_B, TILE_M, TILE_N, TILE_K, STAGES, LANES) {THREADS, 0, 0, LANES, STAGES, TILE_B, TILE_K, TILE_M, TILE_N},
// Those that were compiled; zeros end them.
extern "C" const gemm_batched_configuration gemm_batched_8462746a_configurations[];
const gemm_batched_configuration gemm_batched_8462746a_configurations[] = {GEMM_BATCHED_8462746A_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0, 0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t gemm_batched_8462746a_float(const gemm_batched_configuration *c, void *workspace, size_t *workspace_bytes, const float *A, uint64_t size0, uint64_t size1, uint64_t size2, uint64_t stride0, uint64_t stride1, const float *B, uint64_t B_size2, uint64_t B_stride0, uint64_t B_stride1, float *C, uint64_t C_stride0, uint64_t C_stride1, cudaStream_t stream) {
  return gemm_batched_8462746a::configured<float>(c, workspace, workspace_bytes, A, (gemm_batched_8462746a::Index)size0, (gemm_batched_8462746a::Index)size1, (gemm_batched_8462746a::Index)size2, (gemm_batched_8462746a::Index)stride0, (gemm_batched_8462746a::Index)stride1, B, (gemm_batched_8462746a::Index)B_size2, (gemm_batched_8462746a::Index)B_stride0, (gemm_batched_8462746a::Index)B_stride1, C, (gemm_batched_8462746a::Index)C_stride0, (gemm_batched_8462746a::Index)C_stride1, stream);
}
