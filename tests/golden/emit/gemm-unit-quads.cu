// gemm, variant d9a370e1: grid.tiled(block.tiled!prefetched(warp.panels/loop(warp.unit)))
// Made by tgc from gemm.cdl for sm_70; this text is yours.
//
// baseline, 1 kernel, determinism run_to_run: the order in which a matrix unit adds products is specific to the machine
// batch-invariant: the order does not depend on what else is computed
//
//   grid: regroups by `tiled', over its blocks (G3)
//     each part: block: regroups by `tiled', over its warps (B3)
//       each part, prefetched and staged in shared memory: warp: regroups by `panels', over its iterations of a loop (W5s)
//         each part: warp: computes by `unit' (W7)
//
// codelets
//   tiled        gemm.cdl:24
//   panels       gemm.cdl:48
//   unit         gemm.cdl:73
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, tile_m, tile_n, warps, tile_k); the first is the variant's own.
//   threads: threads per block, 128 to 1024, a multiple of 32
//   tile_m: elements of a block's tile, 32, 64, 128 or 256
//   tile_n: elements of a block's tile, 32, 64, 128 or 256
//   warps: warps with neighbouring parts, 1, 2 or 4
//   tile_k: elements of a panel, 16, 32 or 64
#ifndef GEMM_D9A370E1_CONFIGURATIONS
#define GEMM_D9A370E1_CONFIGURATIONS(C) C(128, 64, 64, 2, 16)
#endif

#ifndef GEMM_CONFIGURATION
#define GEMM_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct gemm_configuration {
  int threads, loads;
  int64_t blocks;
  int lanes, tile_k, tile_m, tile_n, warps;
} gemm_configuration;
#endif

namespace gemm_d9a370e1 {

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

// C += A B in each quad pair: 8 elements of C, 4 of A, 4 of B.
__device__ __forceinline__ void multiply_quads(float *c, const __half *of_a, const __half *of_b) {
  unsigned a[2], b[2];
  memcpy(a, of_a, sizeof a);
  memcpy(b, of_b, sizeof b);
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
  asm("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%0, %1, %2, %3, %4, %5, %6, %7};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]));
#else // tgc check's executor
  simt::multiply_quads<__half>(c, a, b);
#endif
}

// 16 neighbours, whose first lies at a multiple of 16 bytes, or `step' apart.
template <typename E> __device__ __forceinline__ void load_sixteen(E *to, const E *from, int step) {
  if (step == 1) {
    uint4 both[2] = {((const uint4 *)from)[0], ((const uint4 *)from)[1]};
    memcpy(to, both, sizeof both);
  } else {
#pragma unroll
    for (int k = 0; k < 16; ++k)
      to[k] = from[k * step];
  }
}

// A lane's elements of the 16 x 16 of A that begin at `from', in shared memory: element (i, k) is at
// i * row_step + k * column_step, one of which is 1. Rows, or columns, begin at multiples of 16 bytes.
template <typename E> __device__ __forceinline__ void load_a(E *to, const E *from, int row_step, int column_step) {
  const int lane = threadIdx.x % 32, row = lane / 8 % 2 * 8 + lane / 16 * 4 + lane % 4;
  load_sixteen(to, from + row * row_step, column_step);
}

// The same of the 16 x 16 of B: element (k, j) is at k * row_step + j * column_step.
template <typename E> __device__ __forceinline__ void load_b(E *to, const E *from, int row_step, int column_step) {
  const int lane = threadIdx.x % 32, column = lane / 4 % 2 * 8 + lane / 2 % 2 * 4 + lane / 16 * 2 + lane % 2;
  load_sixteen(to, from + column * column_step, row_step);
}

// C += A B. A lane has 4 neighbours each of two rows of C.
template <typename S, typename E> __device__ __forceinline__ void multiply_tile(S *c, const E *of_a, const E *of_b) {
#pragma unroll
  for (int k = 0; k < 16; k += 4)
    multiply_quads(c, of_a + k, of_b + k);
}

// Each block processes its part.
template <typename E, typename T, int threads, int tile_m, int tile_n, int warps, int tile_k, bool wide>
__global__ void __launch_bounds__(threads, 1) gemm_blocks(Index q, Index p, Index rows, Index leading, Index B_columns, Index C_leading, Index B_leading, Index columns, const E *__restrict__ A, const E *__restrict__ B, T *__restrict__ C) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int m_each = ((tile_m + threads / 32 / warps - 1) / (threads / 32 / warps) + 31) / 32 * 32;
  const int n_each = ((tile_n + warps - 1) / warps + 31) / 32 * 32;
  const int m_padded = m_each * (threads / 32 / warps);
  const int n_padded = n_each * warps;
  const int A_per = (wide && (tile_k % (16 / (int)sizeof(E)) == 0)) ? 16 / (int)sizeof(E) : 1;
  const int A_pitch = tile_k + (16 / (int)sizeof(E) > 4 ? 16 / (int)sizeof(E) : 4);
  const int A_elements = m_padded * tile_k;
  const int A_buffer = m_padded * A_pitch;
  const int A_rounds = (A_elements / A_per + threads - 1) / threads;
  const int B_per = (wide && (n_padded % (16 / (int)sizeof(E)) == 0)) ? 16 / (int)sizeof(E) : 1;
  const int B_pitch = n_padded + (16 / (int)sizeof(E) > 4 ? 16 / (int)sizeof(E) : 4);
  const int B_elements = tile_k * n_padded;
  const int B_buffer = tile_k * B_pitch;
  const int B_rounds = (B_elements / B_per + threads - 1) / threads;
  SHARED_ARRAY(E, A_tile, 2 * A_buffer, shared_memory);
  SHARED_ARRAY(E, B_tile, 2 * B_buffer, A_tile + 2 * A_buffer);
  // grid > block: tiled (gemm.cdl:24), one part per block
  const int first_row = (int)block / ((int)q * 8) * 8;
  const int rows_here = min((int)p - first_row, 8);
  const int in_rows = (int)block % ((int)q * 8);
  const Index m_begin = min_index((Index)(first_row + in_rows % rows_here) * tile_m, rows);
  const Index m_size = min_index(tile_m, rows - m_begin);
  const Index A_begin = m_begin * leading;
  const Index n_begin = min_index((Index)(in_rows / rows_here) * tile_n, B_columns);
  const Index n_size = min_index(tile_n, B_columns - n_begin);
  const Index C_begin = m_begin * C_leading + n_begin;
  // block > warp: tiled (gemm.cdl:24), a rectangle each; unit (gemm.cdl:73)
  const int m_warp = warp / warps;
  const int n_warp = warp % warps;
  const int m_first = m_warp * m_each;
  const int m_left = (int)m_size - m_first;
  const int n_first = n_warp * n_each;
  const int n_left = (int)n_size - n_first;
  const int A_last = (int)m_size - 1;
  const int B_last = (int)n_size - B_per;
  Index A_from[A_rounds];
  E A_ahead[A_rounds * A_per];
  Index B_from[B_rounds];
  E B_ahead[B_rounds * B_per];
  T C_held[m_each / 16 * (n_each / 16) * 8];
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
        else {
          #pragma unroll
          for (int u = 0; u < A_per; ++u)
            A_ahead[s * A_per + u] = (E)0;
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
        else {
          #pragma unroll
          for (int u = 0; u < B_per; ++u)
            B_ahead[s * B_per + u] = (E)0;
        }
      }
    }
  }
  #pragma unroll
  for (int i = 0; i < (m_each / 16); ++i) {
    #pragma unroll
    for (int j = 0; j < (n_each / 16); ++j) {
      #pragma unroll
      for (int r = 0; r < 8; ++r) {
        const int m_at = i * 16 + (lane / 8 % 2 * 8 + lane / 16 * 4 + lane % 2 + r / 2 % 2 * 2);
        const int n_at = j * 16 + (lane / 4 % 2 * 8 + lane / 2 % 2 * 4 + r / 2 / 2 * 2 + r % 2);
        C_held[(i * (n_each / 16) + j) * 8 + r] = (m_at < m_left && (n_at < n_left)) ? C[C_begin + m_first * C_leading + n_first + (m_at * C_leading + n_at)] : T(0);
      }
    }
  }
  for (Index k = 0; k < ((columns + tile_k - 1) / tile_k); ++k) {
    // warp: panels (gemm.cdl:48), one part after another
    const Index k_begin = k * tile_k;
    #pragma unroll
    for (int s = 0; s < A_rounds; ++s) {
      const int e = (s * threads + thread) * A_per;
      const int row = e / tile_k;
      const int column = e % tile_k;
      if (A_elements % (threads * A_per) == 0 || e < A_elements) {
        if (A_per > 1)
          store_wide_shared(&A_tile[k % 2 * A_buffer + row * A_pitch + column], &A_ahead[s * A_per]);
        else
          A_tile[k % 2 * A_buffer + row * A_pitch + column] = A_ahead[s * A_per];
      }
    }
    #pragma unroll
    for (int s = 0; s < B_rounds; ++s) {
      const int e = (s * threads + thread) * B_per;
      const int row = e / n_padded;
      const int column = e % n_padded;
      if (B_elements % (threads * B_per) == 0 || e < B_elements) {
        if (B_per > 1)
          store_wide_shared(&B_tile[k % 2 * B_buffer + row * B_pitch + column], &B_ahead[s * B_per]);
        else
          B_tile[k % 2 * B_buffer + row * B_pitch + column] = B_ahead[s * B_per];
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
          else {
            #pragma unroll
            for (int u = 0; u < A_per; ++u)
              A_ahead[s * A_per + u] = (E)0;
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
          else {
            #pragma unroll
            for (int u = 0; u < B_per; ++u)
              B_ahead[s * B_per + u] = (E)0;
          }
        }
      }
    }
    __syncthreads();
    if (m_left > 0 && (n_left > 0)) {
      #pragma unroll
      for (Index k2 = 0; k2 < (tile_k / 16); ++k2) {
        E A_part[m_each / 16 * 16];
        #pragma unroll
        for (int i = 0; i < (m_each / 16); ++i)
          load_a(&A_part[i * 16], &A_tile[k % 2 * A_buffer + (m_first + i * 16) * A_pitch + (int)k2 * 16], A_pitch, 1);
        E B_part[n_each / 16 * 16];
        #pragma unroll
        for (int j = 0; j < (n_each / 16); ++j)
          load_b(&B_part[j * 16], &B_tile[k % 2 * B_buffer + (n_first + j * 16) + (int)k2 * 16 * B_pitch], B_pitch, 1);
        #pragma unroll
        for (int i = 0; i < (m_each / 16); ++i) {
          #pragma unroll
          for (int j = 0; j < (n_each / 16); ++j)
            multiply_tile(&C_held[(i * (n_each / 16) + j) * 8], &A_part[i * 16], &B_part[j * 16]);
        }
      }
    }
  }
  #pragma unroll
  for (int i = 0; i < (m_each / 16); ++i) {
    #pragma unroll
    for (int j = 0; j < (n_each / 16); ++j) {
      #pragma unroll
      for (int r = 0; r < 8; ++r) {
        const int m_at = i * 16 + (lane / 8 % 2 * 8 + lane / 16 * 4 + lane % 2 + r / 2 % 2 * 2);
        const int n_at = j * 16 + (lane / 4 % 2 * 8 + lane / 2 % 2 * 4 + r / 2 / 2 * 2 + r % 2);
        if (m_at < m_left && (n_at < n_left))
          C[C_begin + m_first * C_leading + n_first + (m_at * C_leading + n_at)] = C_held[(i * (n_each / 16) + j) * 8 + r];
      }
    }
  }
}

// Bytes that a block has in shared memory.
template <typename E, typename T, int threads, int tile_m, int tile_n, int warps, int tile_k>
constexpr size_t shared_bytes() {
  return (size_t)(2 * (((tile_m + threads / 32 / warps - 1) / (threads / 32 / warps) + 32 - 1) / 32 * 32 * (threads / 32 / warps) * (tile_k + (16 / (int)sizeof(E) > 4 ? 16 / (int)sizeof(E) : 4)))) * sizeof(E) +
         (size_t)(2 * (tile_k * (((tile_n + warps - 1) / warps + 32 - 1) / 32 * 32 * warps + (16 / (int)sizeof(E) > 4 ? 16 / (int)sizeof(E) : 4)))) * sizeof(E);
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename E, typename T, int threads, int tile_m, int tile_n, int warps, int tile_k>
cudaError_t run(void *workspace, size_t *workspace_bytes, const E *A, Index rows, Index columns, Index leading, const E *B, Index B_columns, Index B_leading, T *C, Index C_leading, cudaStream_t stream) {
  static_assert(threads >= 128 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 128 to 1024, a multiple of 32");
  static_assert(tile_m >= 32 && tile_m <= 256 && (tile_m == 32 || tile_m == 64 || tile_m == 128 || tile_m == 256), "tile_m: elements of a block's tile, 32, 64, 128 or 256");
  static_assert(tile_n >= 32 && tile_n <= 256 && (tile_n == 32 || tile_n == 64 || tile_n == 128 || tile_n == 256), "tile_n: elements of a block's tile, 32, 64, 128 or 256");
  static_assert(warps >= 1 && warps <= 4 && (warps == 1 || warps == 2 || warps == 4), "warps: warps with neighbouring parts, 1, 2 or 4");
  static_assert(tile_k >= 16 && tile_k <= 64 && (tile_k == 16 || tile_k == 32 || tile_k == 64), "tile_k: elements of a panel, 16, 32 or 64");
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
    const bool wide = to_aligned(&A[0]) == 0 && (columns % (16 / (int)sizeof(E)) == 0) && (leading % (16 / (int)sizeof(E)) == 0) && (to_aligned(&B[0]) == 0 && (B_columns % (16 / (int)sizeof(E)) == 0) && (B_leading % (16 / (int)sizeof(E)) == 0));
    const size_t shared = shared_bytes<E, T, threads, tile_m, tile_n, warps, tile_k>();
    const cudaError_t allowed = ask_for_shared(wide ? gemm_blocks<E, T, threads, tile_m, tile_n, warps, tile_k, true> : gemm_blocks<E, T, threads, tile_m, tile_n, warps, tile_k, false>, shared);
    if (allowed != cudaSuccess) return allowed;
    void *args[] = {(void *)&q, (void *)&p, &rows, &leading, &B_columns, &C_leading, &B_leading, &columns, &A, &B, &C};
    const cudaError_t error = cudaLaunchKernel(wide ? gemm_blocks<E, T, threads, tile_m, tile_n, warps, tile_k, true> : gemm_blocks<E, T, threads, tile_m, tile_n, warps, tile_k, false>, dim3((unsigned)tiles), dim3(threads), args, shared, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename E, typename T>
cudaError_t configured(const gemm_configuration *c, void *workspace, size_t *workspace_bytes, const E *A, Index rows, Index columns, Index leading, const E *B, Index B_columns, Index B_leading, T *C, Index C_leading, cudaStream_t stream) {
  const gemm_configuration own = {0, 0, 0, 0, 0, 0, 0, 0};
  if (c == nullptr) c = &own;
#define RUN(THREADS, TILE_M, TILE_N, WARPS, TILE_K) if constexpr (shared_bytes<E, T, THREADS, TILE_M, TILE_N, WARPS, TILE_K>() <= 98304) if (serves(THREADS, c->threads) && serves(TILE_M, c->tile_m) && serves(TILE_N, c->tile_n) && serves(WARPS, c->warps) && serves(TILE_K, c->tile_k)) return run<E, T, THREADS, TILE_M, TILE_N, WARPS, TILE_K>(workspace, workspace_bytes, A, rows, columns, leading, B, B_columns, B_leading, C, C_leading, stream);
  GEMM_D9A370E1_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace gemm_d9a370e1

#define ROW(THREADS, TILE_M, TILE_N, WARPS, TILE_K) {THREADS, 0, 0, 0, TILE_K, TILE_M, TILE_N, WARPS},
// Those that were compiled; zeros end them.
extern "C" const gemm_configuration gemm_d9a370e1_configurations[];
const gemm_configuration gemm_d9a370e1_configurations[] = {GEMM_D9A370E1_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t gemm_d9a370e1_half(const gemm_configuration *c, void *workspace, size_t *workspace_bytes, const __half *A, uint64_t rows, uint64_t columns, uint64_t leading, const __half *B, uint64_t B_columns, uint64_t B_leading, float *C, uint64_t C_leading, cudaStream_t stream) {
  return gemm_d9a370e1::configured<__half, float>(c, workspace, workspace_bytes, A, (gemm_d9a370e1::Index)rows, (gemm_d9a370e1::Index)columns, (gemm_d9a370e1::Index)leading, B, (gemm_d9a370e1::Index)B_columns, (gemm_d9a370e1::Index)B_leading, C, (gemm_d9a370e1::Index)C_leading, stream);
}
