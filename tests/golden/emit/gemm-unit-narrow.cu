// gemm, variant 851b6590: grid.tiled(block.tiled!piped(warp.panels/loop(warp.unit)))
// Made by tgc from gemm.cdl for sm_80; this text is yours.
//
// baseline, 1 kernel, determinism run_to_run: the order in which a matrix unit adds products is specific to the machine
// batch-invariant: the order does not depend on what else is computed
//
//   grid: regroups by `tiled', over its blocks (G3)
//     each part: block: regroups by `tiled', over its warps (B3)
//       each part, copied ahead to shared memory: warp: regroups by `panels', over its iterations of a loop (W5s)
//         each part: warp: computes by `unit' (W7)
//
// codelets
//   tiled        gemm.cdl:24
//   panels       gemm.cdl:48
//   unit         gemm.cdl:73
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, tile_m, tile_n, tile_k, stages, warps); the first is the variant's own.
//   threads: threads per block, 128 to 1024, a multiple of 32
//   tile_m: elements of a block's tile, 32, 64, 128 or 256
//   tile_n: elements of a block's tile, 32, 64, 128 or 256
//   tile_k: elements of a panel, 16, 32 or 64
//   stages: panels in shared memory, 2, 3, 4, 5 or 6
//   warps: warps with neighbouring parts, 1, 2 or 4
#ifndef GEMM_851B6590_CONFIGURATIONS
#define GEMM_851B6590_CONFIGURATIONS(C) C(128, 64, 64, 16, 3, 2)
#endif

#ifndef GEMM_CONFIGURATION
#define GEMM_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct gemm_configuration {
  int threads, loads;
  int64_t blocks;
  int lanes, stages, tile_k, tile_m, tile_n, warps;
} gemm_configuration;
#endif

namespace gemm_851b6590 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

// A float that a matrix unit multiplies as the nearest number with 10 bits behind the point; anything else reads all of it.
struct tf32 {
  float value;
  tf32() = default;
  __host__ __device__ constexpr explicit tf32(float x) : value(x) {}
  __host__ __device__ constexpr operator float() const { return value; }
};

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

// Elements in a register of a matrix unit.
template <typename E> constexpr int packed = sizeof(E) < 4 ? 4 / (int)sizeof(E) : 1;

// An element as a matrix unit takes it: of a tf32 the nearest number with 10 bits behind the point. As cvt.rna.tf32.f32 rounds,
// which takes four times as long as an addition; the unit does not see the 13 bits below.
template <typename E> __device__ __forceinline__ E in_unit(E x) { return x; }
__device__ __forceinline__ tf32 in_unit(tf32 x) {
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
  return x.value == x.value ? tf32(__uint_as_float(__float_as_uint(x.value) + 0x1000)) : x; // NaN stays
#else // tgc check's executor
  return tf32(simt::to_tf32(x.value));
#endif
}

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
  if (sizeof(E) == 4 && column_step == 1) { // 16 bytes of a row are four elements, as they are eight halves
#pragma unroll
    for (int k = 0; k < 16; k += 8) {
      unsigned parts[4];
      load_parts(parts, &from[lane % 16 * row_step + lane / 16 * 4 + k], false);
      memcpy(&to[k / 2], parts, sizeof parts);
    }
#pragma unroll
    for (int e = 0; e < 8; ++e)
      to[e] = in_unit(to[e]);
    return;
  }
  if (sizeof(E) == 1 && column_step == 1) {
    unsigned parts[2];
    load_parts(parts, &from[lane % 16 * row_step], false);
    memcpy(to, parts, sizeof parts);
    return;
  }
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
      to[e] = in_unit(from[i * row_step + k * column_step]);
    }
  }
}

// The same of the 16 x 8 of B: element (k, j) is at k * row_step + j * column_step.
template <typename E> __device__ __forceinline__ void load_b(E *to, const E *from, int row_step, int column_step) {
  const int lane = threadIdx.x % 32;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
  if (sizeof(E) == 4 && row_step == 1) {
    unsigned parts[4];
    load_parts(parts, &from[lane / 8 * 4 + lane % 8 * column_step], false);
    memcpy(to, parts, sizeof parts);
#pragma unroll
    for (int e = 0; e < 4; ++e)
      to[e] = in_unit(to[e]);
    return;
  }
  if (sizeof(E) == 1 && row_step == 1) {
    const unsigned word = *(const unsigned *)&from[lane % 4 * 4 + lane / 4 * column_step];
    memcpy(to, &word, sizeof word);
    return;
  }
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
      to[e] = in_unit(from[k * row_step + lane / 4 * column_step]);
    }
  }
}

// C += A B, of lanes' elements.
__device__ __forceinline__ void multiply(float *sums, const tf32 *of_a, const tf32 *of_b) {
#pragma unroll
  for (int k = 0; k < 16 / 8; ++k)
#pragma unroll
    for (int i = 0; i < 16 / 16; ++i) {
      float *c = sums + 2 * i;
      unsigned a[16 * 8 / 32 / packed<tf32>], b[8 * 8 / 32 / packed<tf32>];
      memcpy(a, of_a + k * (8 / 2) + i, sizeof a);
      memcpy(b, of_b + k * (8 / 4), sizeof b);
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
      asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else // tgc check's executor
      simt::multiply<tf32, 16, 8>(c, a, b);
#endif
    }
}

// C += A B, of lanes' elements.
__device__ __forceinline__ void multiply(int *sums, const signed char *of_a, const signed char *of_b) {
#pragma unroll
  for (int k = 0; k < 16 / 16; ++k)
#pragma unroll
    for (int i = 0; i < 16 / 16; ++i) {
      int *c = sums + 2 * i;
      unsigned a[16 * 16 / 32 / packed<signed char>], b[8 * 16 / 32 / packed<signed char>];
      memcpy(a, of_a + k * (16 / 2) + i * packed<signed char>, sizeof a);
      memcpy(b, of_b + k * (16 / 4), sizeof b);
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
      asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]));
#else // tgc check's executor
      simt::multiply<signed char, 16, 16>(c, a, b);
#endif
    }
}

// Each block processes its part.
template <typename E, typename T, int threads, int tile_m, int tile_n, int tile_k, int stages, int warps, bool wide>
__global__ void __launch_bounds__(threads, 1) gemm_blocks(Index q, Index p, Index rows, Index leading, Index B_columns, Index C_leading, Index columns, Index B_leading, const E *__restrict__ A, const E *__restrict__ B, T *__restrict__ C, int k_full, int k_rest) {
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
  const int B_pitch = n_padded + (16 / (int)sizeof(E) == 4 ? 8 : 16 / (int)sizeof(E) > 4 ? 16 / (int)sizeof(E) : 4);
  const int B_elements = tile_k * n_padded;
  const int B_buffer = tile_k * B_pitch;
  const int B_rounds = (B_elements / B_per + threads - 1) / threads;
  SHARED_ARRAY(E, A_tile, stages * A_buffer, shared_memory);
  SHARED_ARRAY(E, B_tile, stages * B_buffer, A_tile + stages * A_buffer);
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
  Index B_from[B_rounds];
  T C_held[m_each / 16 * (n_each / 8) * 4];
  E A_part[2 * (m_each / 16) * 8];
  E B_part[2 * (n_each / 8) * 4];
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
  #pragma unroll
  for (Index ahead = 0; ahead < (stages - 1); ++ahead) {
    const int k_left = (int)ahead < k_full ? tile_k : (int)ahead == k_full ? k_rest : 0;
    #pragma unroll
    for (int s = 0; s < A_rounds; ++s) {
      const int e = (s * threads + thread) * A_per;
      const int row = e / tile_k;
      const int column = e % tile_k;
      if (A_elements % (threads * A_per) == 0 || e < A_elements)
        copy_ahead<A_per>(&A_tile[ahead % stages * A_buffer + row * A_pitch + column], &A[A_from[s] + ahead * tile_k], column < k_left && (A_per == 1 || row <= A_last));
    }
    #pragma unroll
    for (int s = 0; s < B_rounds; ++s) {
      const int e = (s * threads + thread) * B_per;
      const int row = e / n_padded;
      const int column = e % n_padded;
      if (B_elements % (threads * B_per) == 0 || e < B_elements)
        copy_ahead<B_per>(&B_tile[ahead % stages * B_buffer + row * B_pitch + column], &B[B_from[s] + ahead * tile_k * B_leading], row < k_left && (B_per == 1 || column <= B_last));
    }
    close_copies();
  }
  #pragma unroll
  for (int i = 0; i < (m_each / 16); ++i) {
    #pragma unroll
    for (int j = 0; j < (n_each / 8); ++j) {
      #pragma unroll
      for (int r = 0; r < 4; ++r) {
        const int m_at = i * 16 + (lane / 4 + r / 2 * 8);
        const int n_at = j * 8 + (lane % 4 * 2 + r % 2);
        C_held[(i * (n_each / 8) + j) * 4 + r] = (m_at < m_left && (n_at < n_left)) ? C[C_begin + m_first * C_leading + n_first + (m_at * C_leading + n_at)] : T(0);
      }
    }
  }
  await_copies<stages - 2>();
  __syncthreads();
  #pragma unroll
  for (int i = 0; i < (m_each / 16); ++i)
    load_a(&A_part[i * 8], &A_tile[0 % stages * A_buffer + (m_first + i * 16) * A_pitch], A_pitch, 1);
  #pragma unroll
  for (int j = 0; j < (n_each / 8); ++j)
    load_b(&B_part[j * 4], &B_tile[0 % stages * B_buffer + (n_first + j * 8)], B_pitch, 1);
  __syncthreads();
  for (int k = 0; k < (k_full + (k_rest > 0 ? 1 : 0)); ++k) {
    // warp: panels (gemm.cdl:48), one part after another
    const int k_left = k + (stages - 1) < k_full ? tile_k : k + (stages - 1) == k_full ? k_rest : 0;
    #pragma unroll
    for (int s = 0; s < A_rounds; ++s) {
      const int e = (s * threads + thread) * A_per;
      const int row = e / tile_k;
      const int column = e % tile_k;
      if (A_elements % (threads * A_per) == 0 || e < A_elements)
        copy_ahead<A_per>(&A_tile[(k + (stages - 1)) % stages * A_buffer + row * A_pitch + column], &A[A_from[s] + (Index)(k + (stages - 1)) * tile_k], column < k_left && (A_per == 1 || row <= A_last));
    }
    #pragma unroll
    for (int s = 0; s < B_rounds; ++s) {
      const int e = (s * threads + thread) * B_per;
      const int row = e / n_padded;
      const int column = e % n_padded;
      if (B_elements % (threads * B_per) == 0 || e < B_elements)
        copy_ahead<B_per>(&B_tile[(k + (stages - 1)) % stages * B_buffer + row * B_pitch + column], &B[B_from[s] + (Index)(k + (stages - 1)) * tile_k * B_leading], row < k_left && (B_per == 1 || column <= B_last));
    }
    close_copies();
    #pragma unroll
    for (int step = 0; step < (tile_k / 16 - 1); ++step) {
      #pragma unroll
      for (int i = 0; i < (m_each / 16); ++i)
        load_a(&A_part[((step + 1) % 2 * (m_each / 16) + i) * 8], &A_tile[k % stages * A_buffer + (m_first + i * 16) * A_pitch + (step + 1) * 16], A_pitch, 1);
      #pragma unroll
      for (int j = 0; j < (n_each / 8); ++j)
        load_b(&B_part[((step + 1) % 2 * (n_each / 8) + j) * 4], &B_tile[k % stages * B_buffer + (n_first + j * 8) + (step + 1) * 16 * B_pitch], B_pitch, 1);
      #pragma unroll
      for (int i = 0; i < (m_each / 16); ++i) {
        #pragma unroll
        for (int j = 0; j < (n_each / 8); ++j)
          multiply(&C_held[(i * (n_each / 8) + j) * 4], &A_part[(step % 2 * (m_each / 16) + i) * 8], &B_part[(step % 2 * (n_each / 8) + j) * 4]);
      }
    }
    await_copies<stages - 2>();
    __syncthreads();
    if ((tile_k / 16 - 1) % 2 > 0) {
      #pragma unroll
      for (int i = 0; i < (m_each / 16); ++i)
        load_a(&A_part[i * 8], &A_tile[(k + 1) % stages * A_buffer + (m_first + i * 16) * A_pitch], A_pitch, 1);
      #pragma unroll
      for (int j = 0; j < (n_each / 8); ++j)
        load_b(&B_part[j * 4], &B_tile[(k + 1) % stages * B_buffer + (n_first + j * 8)], B_pitch, 1);
    }
    #pragma unroll
    for (int i = 0; i < (m_each / 16); ++i) {
      #pragma unroll
      for (int j = 0; j < (n_each / 8); ++j)
        multiply(&C_held[(i * (n_each / 8) + j) * 4], &A_part[((tile_k / 16 - 1) % 2 * (m_each / 16) + i) * 8], &B_part[((tile_k / 16 - 1) % 2 * (n_each / 8) + j) * 4]);
    }
    if ((tile_k / 16 - 1) % 2 == 0) {
      #pragma unroll
      for (int i = 0; i < (m_each / 16); ++i)
        load_a(&A_part[i * 8], &A_tile[(k + 1) % stages * A_buffer + (m_first + i * 16) * A_pitch], A_pitch, 1);
      #pragma unroll
      for (int j = 0; j < (n_each / 8); ++j)
        load_b(&B_part[j * 4], &B_tile[(k + 1) % stages * B_buffer + (n_first + j * 8)], B_pitch, 1);
    }
  }
  #pragma unroll
  for (int i = 0; i < (m_each / 16); ++i) {
    #pragma unroll
    for (int j = 0; j < (n_each / 8); ++j) {
      #pragma unroll
      for (int r = 0; r < 4; ++r) {
        const int m_at = i * 16 + (lane / 4 + r / 2 * 8);
        const int n_at = j * 8 + (lane % 4 * 2 + r % 2);
        if (m_at < m_left && (n_at < n_left))
          C[C_begin + m_first * C_leading + n_first + (m_at * C_leading + n_at)] = C_held[(i * (n_each / 8) + j) * 4 + r];
      }
    }
  }
}

// Bytes that a block has in shared memory.
template <typename E, typename T, int threads, int tile_m, int tile_n, int tile_k, int stages, int warps>
constexpr size_t shared_bytes() {
  return (size_t)(stages * (((tile_m + threads / 32 / warps - 1) / (threads / 32 / warps) + 32 - 1) / 32 * 32 * (threads / 32 / warps) * (tile_k + (16 / (int)sizeof(E) > 4 ? 16 / (int)sizeof(E) : 4)))) * sizeof(E) +
         (size_t)(stages * (tile_k * (((tile_n + warps - 1) / warps + 16 - 1) / 16 * 16 * warps + (16 / (int)sizeof(E) == 4 ? 8 : 16 / (int)sizeof(E) > 4 ? 16 / (int)sizeof(E) : 4)))) * sizeof(E);
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename E, typename T, int threads, int tile_m, int tile_n, int tile_k, int stages, int warps>
cudaError_t run(void *workspace, size_t *workspace_bytes, const E *A, Index rows, Index columns, Index leading, const E *B, Index B_columns, Index B_leading, T *C, Index C_leading, cudaStream_t stream) {
  static_assert(threads >= 128 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 128 to 1024, a multiple of 32");
  static_assert(tile_m >= 32 && tile_m <= 256 && (tile_m == 32 || tile_m == 64 || tile_m == 128 || tile_m == 256), "tile_m: elements of a block's tile, 32, 64, 128 or 256");
  static_assert(tile_n >= 32 && tile_n <= 256 && (tile_n == 32 || tile_n == 64 || tile_n == 128 || tile_n == 256), "tile_n: elements of a block's tile, 32, 64, 128 or 256");
  static_assert(tile_k >= 16 && tile_k <= 64 && (tile_k == 16 || tile_k == 32 || tile_k == 64), "tile_k: elements of a panel, 16, 32 or 64");
  static_assert(stages >= 2 && stages <= 6 && (stages == 2 || stages == 3 || stages == 4 || stages == 5 || stages == 6), "stages: panels in shared memory, 2, 3, 4, 5 or 6");
  static_assert(warps >= 1 && warps <= 4 && (warps == 1 || warps == 2 || warps == 4), "warps: warps with neighbouring parts, 1, 2 or 4");
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
    const bool wide = to_aligned(&A[0]) == 0 && (columns % (16 / (int)sizeof(E)) == 0) && (leading % (16 / (int)sizeof(E)) == 0) && (to_aligned(&B[0]) == 0 && (B_columns % (16 / (int)sizeof(E)) == 0) && (B_leading % (16 / (int)sizeof(E)) == 0));
    const int k_full = (int)(columns / tile_k);
    const int k_rest = (int)(columns % (Index)tile_k);
    const size_t shared = shared_bytes<E, T, threads, tile_m, tile_n, tile_k, stages, warps>();
    const cudaError_t allowed = ask_for_shared(wide ? gemm_blocks<E, T, threads, tile_m, tile_n, tile_k, stages, warps, true> : gemm_blocks<E, T, threads, tile_m, tile_n, tile_k, stages, warps, false>, shared);
    if (allowed != cudaSuccess) return allowed;
    void *args[] = {(void *)&q, (void *)&p, &rows, &leading, &B_columns, &C_leading, &columns, &B_leading, &A, &B, &C, (void *)&k_full, (void *)&k_rest};
    const cudaError_t error = cudaLaunchKernel(wide ? gemm_blocks<E, T, threads, tile_m, tile_n, tile_k, stages, warps, true> : gemm_blocks<E, T, threads, tile_m, tile_n, tile_k, stages, warps, false>, dim3((unsigned)tiles), dim3(threads), args, shared, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename E, typename T>
cudaError_t configured(const gemm_configuration *c, void *workspace, size_t *workspace_bytes, const E *A, Index rows, Index columns, Index leading, const E *B, Index B_columns, Index B_leading, T *C, Index C_leading, cudaStream_t stream) {
  const gemm_configuration own = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  if (c == nullptr) c = &own;
#define RUN(THREADS, TILE_M, TILE_N, TILE_K, STAGES, WARPS) if constexpr (shared_bytes<E, T, THREADS, TILE_M, TILE_N, TILE_K, STAGES, WARPS>() <= 166912) if (serves(THREADS, c->threads) && serves(TILE_M, c->tile_m) && serves(TILE_N, c->tile_n) && serves(TILE_K, c->tile_k) && serves(STAGES, c->stages) && serves(WARPS, c->warps)) return run<E, T, THREADS, TILE_M, TILE_N, TILE_K, STAGES, WARPS>(workspace, workspace_bytes, A, rows, columns, leading, B, B_columns, B_leading, C, C_leading, stream);
  GEMM_851B6590_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace gemm_851b6590

#define ROW(THREADS, TILE_M, TILE_N, TILE_K, STAGES, WARPS) {THREADS, 0, 0, 0, STAGES, TILE_K, TILE_M, TILE_N, WARPS},
// Those that were compiled; zeros end them.
extern "C" const gemm_configuration gemm_851b6590_configurations[];
const gemm_configuration gemm_851b6590_configurations[] = {GEMM_851B6590_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0, 0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t gemm_851b6590_tf32(const gemm_configuration *c, void *workspace, size_t *workspace_bytes, const float *A, uint64_t rows, uint64_t columns, uint64_t leading, const float *B, uint64_t B_columns, uint64_t B_leading, float *C, uint64_t C_leading, cudaStream_t stream) {
  return gemm_851b6590::configured<gemm_851b6590::tf32, float>(c, workspace, workspace_bytes, (const gemm_851b6590::tf32 *)A, (gemm_851b6590::Index)rows, (gemm_851b6590::Index)columns, (gemm_851b6590::Index)leading, (const gemm_851b6590::tf32 *)B, (gemm_851b6590::Index)B_columns, (gemm_851b6590::Index)B_leading, C, (gemm_851b6590::Index)C_leading, stream);
}

extern "C" cudaError_t gemm_851b6590_int8(const gemm_configuration *c, void *workspace, size_t *workspace_bytes, const signed char *A, uint64_t rows, uint64_t columns, uint64_t leading, const signed char *B, uint64_t B_columns, uint64_t B_leading, int *C, uint64_t C_leading, cudaStream_t stream) {
  return gemm_851b6590::configured<signed char, int>(c, workspace, workspace_bytes, A, (gemm_851b6590::Index)rows, (gemm_851b6590::Index)columns, (gemm_851b6590::Index)leading, B, (gemm_851b6590::Index)B_columns, (gemm_851b6590::Index)B_leading, C, (gemm_851b6590::Index)C_leading, stream);
}
