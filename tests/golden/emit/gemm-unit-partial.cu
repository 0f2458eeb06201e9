// gemm, variant 605082a4: grid.split!partial(block.tiled!prefetched(warp.panels/loop(warp.unit)))
// Made by tgc from gemm.cdl for sm_75; this text is yours.
//
// baseline, 2 kernels, determinism run_to_run: the order in which a matrix unit adds products is specific to the machine
// not batch-invariant: how many blocks share the contributions to an element depends on how many elements there are
//
//   grid: regroups by `split', over its blocks (G6)
//     each part: block: regroups by `tiled', over its warps (B3)
//       each part, prefetched and staged in shared memory: warp: regroups by `panels', over its iterations of a loop (W5s)
//         each part: warp: computes by `unit' (W7)
//     results: a copy for each block, added by a second kernel
//
// codelets
//   split        gemm.cdl:59
//   tiled        gemm.cdl:24
//   panels       gemm.cdl:48
//   unit         gemm.cdl:73
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, tile_m, tile_n, tile_k, warps); the first is the variant's own.
//   threads: threads per block, 128 to 1024, a multiple of 32
//   tile_m: elements of a block's tile, 32, 64, 128 or 256
//   tile_n: elements of a block's tile, 32, 64, 128 or 256
//   tile_k: elements of a panel, 16, 32 or 64
//   warps: warps with neighbouring parts, 1, 2 or 4
#ifndef GEMM_605082A4_CONFIGURATIONS
#define GEMM_605082A4_CONFIGURATIONS(C) C(128, 64, 64, 16, 2)
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

namespace gemm_605082a4 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

__host__ __device__ constexpr Index max_index(Index x, Index y) { return x > y ? x : y; }

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

// Elements in a register of a matrix unit.
template <typename E> constexpr int packed = sizeof(E) < 4 ? 4 / (int)sizeof(E) : 1;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
// So many parts of 8 x 8 elements of 16 bits, each from the row that this lane points to.
__device__ __forceinline__ void load_parts(unsigned (&to)[4], const void *row, bool transposed) {
  const unsigned at = (unsigned)__cvta_generic_to_shared(row);
  if (transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(at) : "memory");
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(at) : "memory");
}

__device__ __forceinline__ void load_parts(unsigned (&to)[2], const void *row, bool transposed) {
  const unsigned at = (unsigned)__cvta_generic_to_shared(row);
  if (transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(to[0]), "=r"(to[1]) : "r"(at) : "memory");
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(to[0]), "=r"(to[1]) : "r"(at) : "memory");
}
#endif

// A lane's elements of the 16 x 16 of A that begin at `from`, in shared memory: element (i, k) is at
// i * row_step + k * column_step, one of which is 1. Rows, or columns, of elements of 16 bits begin at multiples of 16 bytes.
template <typename E> __device__ __forceinline__ void load_a(E *to, const E *from, int row_step, int column_step) {
  const int lane = threadIdx.x % 32;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
  if constexpr (sizeof(E) == 2) {
    const bool by_rows = column_step == 1;
    const int i = lane / 8 % 2 * 8 + by_rows * (lane % 8), k = lane / 16 * 8 + !by_rows * (lane % 8);
    unsigned parts[4];
    load_parts(parts, &from[i * row_step + k * column_step], !by_rows);
    memcpy(to, parts, sizeof parts);
  } else
#endif
  {
#pragma unroll
    for (int e = 0; e < 8; ++e) {
      const int part = e / packed<E>, i = lane / 4 + part % 2 * 8, k = (lane % 4 + part / 2 * 4) * packed<E> + e % packed<E>;
      to[e] = from[i * row_step + k * column_step];
    }
  }
}

// The same of the 16 x 8 of B: element (k, j) is at k * row_step + j * column_step.
template <typename E> __device__ __forceinline__ void load_b(E *to, const E *from, int row_step, int column_step) {
  const int lane = threadIdx.x % 32;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
  if constexpr (sizeof(E) == 2) {
    const bool by_rows = column_step == 1;
    const int k = lane / 8 % 2 * 8 + by_rows * (lane % 8), j = !by_rows * (lane % 8);
    unsigned parts[2];
    load_parts(parts, &from[k * row_step + j * column_step], by_rows);
    memcpy(to, parts, sizeof parts);
  } else
#endif
  {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const int k = (lane % 4 + e / packed<E> * 4) * packed<E> + e % packed<E>;
      to[e] = from[k * row_step + lane / 4 * column_step];
    }
  }
}

// C += A B, of lanes' elements.
__device__ __forceinline__ void multiply(float *sums, const __half *of_a, const __half *of_b) {
#pragma unroll
  for (int k = 0; k < 16 / 8; ++k)
#pragma unroll
    for (int i = 0; i < 16 / 16; ++i) {
      float *c = sums + 2 * i;
      unsigned a[16 * 8 / 32 / packed<__half>], b[8 * 8 / 32 / packed<__half>];
      memcpy(a, of_a + k * (8 / 2) + i, sizeof a);
      memcpy(b, of_b + k * (8 / 4), sizeof b);
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
      asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]));
#else // tgc check's executor
      simt::multiply<__half, 16, 8>(c, a, b);
#endif
    }
}

// Each block processes its part.
template <typename E, typename T, int threads, int tile_m, int tile_n, int tile_k, int warps, bool wide>
__global__ void __launch_bounds__(threads, 1) gemm_blocks(Index q, Index r, Index rows, Index s_tile, Index columns, Index leading, Index B_columns, Index B_leading, const E *__restrict__ A, const E *__restrict__ B, T *__restrict__ partial) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int m_each = ((tile_m + threads / 32 / warps - 1) / (threads / 32 / warps) + 31) / 32 * 32;
  const int n_each = ((tile_n + warps - 1) / warps + 15) / 16 * 16;
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
  T partial_held[m_each / 16 * (n_each / 8) * 4];
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
    B_from[s] = B_begin + row * B_leading + (Index)min(column, B_last);
  }
  if (0 < s_size) {
    const int k_left = (int)min_index(tile_k, s_size);
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
    for (int j = 0; j < (n_each / 8); ++j) {
      #pragma unroll
      for (int r2 = 0; r2 < 4; ++r2)
        partial_held[(i * (n_each / 8) + j) * 4 + r2] = 0;
    }
  }
  for (Index k = 0; k < ((s_size + tile_k - 1) / tile_k); ++k) {
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
    if (k_begin + tile_k < s_size) {
      const int k_left = (int)min_index(tile_k, s_size - (k_begin + tile_k));
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
        E A_part[m_each / 16 * 8];
        #pragma unroll
        for (int i = 0; i < (m_each / 16); ++i)
          load_a(&A_part[i * 8], &A_tile[k % 2 * A_buffer + (m_first + i * 16) * A_pitch + (int)k2 * 16], A_pitch, 1);
        E B_part[n_each / 8 * 4];
        #pragma unroll
        for (int j = 0; j < (n_each / 8); ++j)
          load_b(&B_part[j * 4], &B_tile[k % 2 * B_buffer + (n_first + j * 8) + (int)k2 * 16 * B_pitch], B_pitch, 1);
        #pragma unroll
        for (int i = 0; i < (m_each / 16); ++i) {
          #pragma unroll
          for (int j = 0; j < (n_each / 8); ++j)
            multiply(&partial_held[(i * (n_each / 8) + j) * 4], &A_part[i * 8], &B_part[j * 4]);
        }
      }
    }
  }
  #pragma unroll
  for (int i = 0; i < (m_each / 16); ++i) {
    #pragma unroll
    for (int j = 0; j < (n_each / 8); ++j) {
      #pragma unroll
      for (int r2 = 0; r2 < 4; ++r2) {
        const int m_at = i * 16 + (lane / 4 + r2 / 2 * 8);
        const int n_at = j * 8 + (lane % 4 * 2 + r2 % 2);
        if (m_at < m_left && (n_at < n_left))
          partial[C_begin + m_first * B_columns + n_first + (m_at * B_columns + n_at)] = partial_held[(i * (n_each / 8) + j) * 4 + r2];
      }
    }
  }
}

// Each thread adds the copies of its elements.
template <typename E, typename T, int threads>
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

// Bytes that a block has in shared memory.
template <typename E, typename T, int threads, int tile_m, int tile_n, int tile_k, int warps>
constexpr size_t shared_bytes() {
  return (size_t)(2 * (((tile_m + threads / 32 / warps - 1) / (threads / 32 / warps) + 32 - 1) / 32 * 32 * (threads / 32 / warps) * (tile_k + (16 / (int)sizeof(E) > 4 ? 16 / (int)sizeof(E) : 4)))) * sizeof(E) +
         (size_t)(2 * (tile_k * (((tile_n + warps - 1) / warps + 16 - 1) / 16 * 16 * warps + (16 / (int)sizeof(E) > 4 ? 16 / (int)sizeof(E) : 4)))) * sizeof(E);
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename E, typename T, int threads, int tile_m, int tile_n, int tile_k, int warps>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const E *A, Index rows, Index columns, Index leading, const E *B, Index B_columns, Index B_leading, T *C, Index C_leading, cudaStream_t stream) {
  static_assert(threads >= 128 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 128 to 1024, a multiple of 32");
  static_assert(tile_m >= 32 && tile_m <= 256 && (tile_m == 32 || tile_m == 64 || tile_m == 128 || tile_m == 256), "tile_m: elements of a block's tile, 32, 64, 128 or 256");
  static_assert(tile_n >= 32 && tile_n <= 256 && (tile_n == 32 || tile_n == 64 || tile_n == 128 || tile_n == 256), "tile_n: elements of a block's tile, 32, 64, 128 or 256");
  static_assert(tile_k >= 16 && tile_k <= 64 && (tile_k == 16 || tile_k == 32 || tile_k == 64), "tile_k: elements of a panel, 16, 32 or 64");
  static_assert(warps >= 1 && warps <= 4 && (warps == 1 || warps == 2 || warps == 4), "warps: warps with neighbouring parts, 1, 2 or 4");
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
  const size_t need = 32784 + (size_t)rows * B_columns * r * sizeof(T);
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  T *partial = (T *)((char *)workspace + 32784);
  if (tiles > 0) {
    const bool wide = to_aligned(&A[0]) == 0 && (columns % (16 / (int)sizeof(E)) == 0) && (leading % (16 / (int)sizeof(E)) == 0) && (to_aligned(&B[0]) == 0 && (B_columns % (16 / (int)sizeof(E)) == 0) && (B_leading % (16 / (int)sizeof(E)) == 0));
    const size_t shared = shared_bytes<E, T, threads, tile_m, tile_n, tile_k, warps>();
    const cudaError_t allowed = ask_for_shared(wide ? gemm_blocks<E, T, threads, tile_m, tile_n, tile_k, warps, true> : gemm_blocks<E, T, threads, tile_m, tile_n, tile_k, warps, false>, shared);
    if (allowed != cudaSuccess) return allowed;
    void *args[] = {(void *)&q, (void *)&r, &rows, (void *)&s_tile, &columns, &leading, &B_columns, &B_leading, &A, &B, &partial};
    const cudaError_t error = cudaLaunchKernel(wide ? gemm_blocks<E, T, threads, tile_m, tile_n, tile_k, warps, true> : gemm_blocks<E, T, threads, tile_m, tile_n, tile_k, warps, false>, dim3((unsigned)tiles), dim3(threads), args, shared, stream);
    if (error != cudaSuccess) return error;
  }
  if (rows * B_columns > 0) {
    void *args[] = {&rows, &B_columns, (void *)&adding, &C, &C_leading, (void *)&r, &partial};
    const cudaError_t error = cudaLaunchKernel(gemm_sums<E, T, threads>, dim3((unsigned)adding), dim3(threads), args, 0, stream);
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
  const Index blocks = c->blocks ? c->blocks : 256; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS, TILE_M, TILE_N, TILE_K, WARPS) if constexpr (shared_bytes<E, T, THREADS, TILE_M, TILE_N, TILE_K, WARPS>() <= 65536) if (serves(THREADS, c->threads) && serves(TILE_M, c->tile_m) && serves(TILE_N, c->tile_n) && serves(TILE_K, c->tile_k) && serves(WARPS, c->warps)) return run<E, T, THREADS, TILE_M, TILE_N, TILE_K, WARPS>(blocks, workspace, workspace_bytes, A, rows, columns, leading, B, B_columns, B_leading, C, C_leading, stream);
  GEMM_605082A4_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace gemm_605082a4

#define ROW(THREADS, TILE_M, TILE_N, TILE_K, WARPS) {THREADS, 0, 256, 0, TILE_K, TILE_M, TILE_N, WARPS},
// Those that were compiled; zeros end them.
extern "C" const gemm_configuration gemm_605082a4_configurations[];
const gemm_configuration gemm_605082a4_configurations[] = {GEMM_605082A4_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t gemm_605082a4_half(const gemm_configuration *c, void *workspace, size_t *workspace_bytes, const __half *A, uint64_t rows, uint64_t columns, uint64_t leading, const __half *B, uint64_t B_columns, uint64_t B_leading, float *C, uint64_t C_leading, cudaStream_t stream) {
  return gemm_605082a4::configured<__half, float>(c, workspace, workspace_bytes, A, (gemm_605082a4::Index)rows, (gemm_605082a4::Index)columns, (gemm_605082a4::Index)leading, B, (gemm_605082a4::Index)B_columns, (gemm_605082a4::Index)B_leading, C, (gemm_605082a4::Index)C_leading, stream);
}
