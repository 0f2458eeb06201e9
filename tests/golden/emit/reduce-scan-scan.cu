// inclusive_scan, variant 2097adff: grid.whole=grid.reduce_scan_scan(block.strided/all(thread.strided(ilp.serial; thread.serial); block.tree+shuffle); grid>block.kogge_stone+shuffle; block.sliding/loop(block.scan_scan_add(warp.sliding/loop(warp.scan_scan_add(thread.serial; warp.kogge_stone+shuffle)); block>warp.kogge_stone+shuffle)))
// Made by tgc from scan.cdl for sm_90; this text is yours.
//
// shuffle, 3 kernels, determinism run_to_run: no atomics, but where 16-byte loads begin depends on the input's alignment: the same address, the same result
// not batch-invariant: the result depends on the address: 16-byte loads begin where it is aligned
//
//   grid: `whole' applies (G2)
//     grid: regroups by `reduce_scan_scan', over its blocks (G8)
//       each part: block: regroups by `strided', over its lanes (B21x)
//         each part: thread: regroups by `strided', over its register slots (T21)
//           each part: ilp: computes by `serial' (I19)
//           results: thread: computes by `serial' (T19)
//         results: block: computes by `tree', exchanging registers (B22)
//       results: grid: one block acts for all (G11)
//         block: computes by `kogge_stone', exchanging registers (B13)
//       each part, from there: block: regroups by `sliding', over its iterations of a loop (B9s)
//         each part: block: regroups by `scan_scan_add', over its warps (B7)
//           each part: warp: regroups by `sliding', over its iterations of a loop (W9s)
//             each part: warp: regroups by `scan_scan_add', over its threads (W7)
//               each part: thread: computes by `serial' (T4)
//               results: warp: computes by `kogge_stone', exchanging registers (W13)
//           results: block: one warp acts for all (B11)
//             warp: computes by `kogge_stone', exchanging registers (W13)
//
// codelets
//   whole        scan.cdl:14
//   reduce_scan_scan scan_steps.cdl:102
//   strided      sum_steps.cdl:33
//   serial       sum_steps.cdl:6
//   tree         sum_steps.cdl:47
//   kogge_stone  carry_steps.cdl:26
//   sliding      scan_steps.cdl:119
//   scan_scan_add scan_steps.cdl:85
//   serial       scan_steps.cdl:13
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, loads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   loads: rows of a tile, 1 to 16
#ifndef INCLUSIVE_SCAN_2097ADFF_CONFIGURATIONS
#define INCLUSIVE_SCAN_2097ADFF_CONFIGURATIONS(C) C(512, 2)
#endif

#ifndef INCLUSIVE_SCAN_CONFIGURATION
#define INCLUSIVE_SCAN_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct inclusive_scan_configuration {
  int threads, loads;
  int64_t blocks;
} inclusive_scan_configuration;
#endif

namespace inclusive_scan_2097adff {

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

// As many elements as 16 bytes of T have, in one load; `from` is aligned to their size.
template <typename T, typename E> __device__ __forceinline__ void load_row(E *to, const E *from) {
  struct alignas(16 / sizeof(T) * sizeof(E)) Row {
    E element[16 / sizeof(T)];
  };
  const Row row = *(const Row *)from;
#pragma unroll
  for (int i = 0; i < (int)(16 / sizeof(T)); ++i)
    to[i] = row.element[i];
}

// A 16-byte store; `to` is aligned to 16 bytes. The compiler splits a plain store when single elements are stored
// next to it.
template <typename E> __device__ __forceinline__ void store_wide(E *to, const E *from) {
  union {
    uint4 bits;
    E element[16 / sizeof(E)];
  } wide;
#pragma unroll
  for (int i = 0; i < (int)(16 / sizeof(E)); ++i)
    wide.element[i] = from[i];
  __stwb((uint4 *)to, wide.bits);
}

// The same for any alignment: element by element if it is not 16 bytes.
template <typename E> __device__ __forceinline__ void store_wide_anywhere(E *to, const E *from) {
  if ((uintptr_t)to % 16 == 0) {
    store_wide(to, from);
    return;
  }
#pragma unroll
  for (int i = 0; i < (int)(16 / sizeof(E)); ++i)
    to[i] = from[i];
}

// Programmatic dependent launch: the grid may start while the previous one in the stream still runs.
inline cudaLaunchAttribute may_begin_early() {
  cudaLaunchAttribute early = {};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  return early;
}

// Waits until the previous grid has finished and its stores are visible. The kernel's pointers are not __restrict__:
// the compiler could move loads through them above this call.
__device__ __forceinline__ void after_earlier_grids() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}

// Is there a warp-wide reduction instruction for T?
template <typename T> constexpr bool reduces = false;
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
template <> constexpr bool reduces<int> = true;
template <> constexpr bool reduces<unsigned> = true;
#endif

// First distance of an exchange over this many lanes: half of the next power of two.
__host__ __device__ constexpr int half_of(int lanes) {
  return lanes > 16 ? 16 : lanes > 8 ? 8 : lanes > 4 ? 4 : lanes > 2 ? 2 : lanes > 1 ? 1 : 0;
}

// Each block computes the total of its part.
template <typename E, typename T, int threads, int loads, bool once>
__global__ void __launch_bounds__(threads, 1) inclusive_scan_sums(Index whole_tile, Index n, const E *in, T *partial, Index ahead) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  __shared__ T partial2[32];
  if (thread < 32)
    partial2[thread] = 0;
  // grid > block: reduce_scan_scan (scan_steps.cdl:102), one part per block
  const Index block_begin = min_index(block * whole_tile, n);
  const Index block_end = min_index(whole_tile + block * whole_tile, n);
  // block > thread: strided (sum_steps.cdl:33), one part per thread
  // thread > ilp: strided (sum_steps.cdl:33), each with its register slots; serial (sum_steps.cdl:6)
  const int per = 16 / (int)sizeof(E);
  T accum[per];
  #pragma unroll
  for (int s = 0; s < per; ++s)
    accum[s] = 0;
  const Index aligned = min_index(block_begin + ahead, block_end);
  const Index ragged = aligned + (block_end - aligned) / per * per;
  Index i = aligned + thread * per;
  after_earlier_grids();
  if (!once) {
    const Index many = aligned + (block_end - aligned) / (threads * per * loads) * (threads * per * loads);
    #pragma unroll 1
    for (; i < many; i += threads * per * loads) {
      E wide[loads * per];
      #pragma unroll
      for (int k = 0; k < loads; ++k)
        load_wide(&wide[k * per], &in[i + k * (threads * per)]);
      #pragma unroll
      for (int k = 0; k < loads; ++k) {
        #pragma unroll
        for (int s = 0; s < per; ++s)
          accum[s] += (T)wide[k * per + s];
      }
    }
  }
  // the last round; with it what lies before the first and after the last 16 bytes
  const int left = (int)(ragged - i);
  E wide[loads * per];
  #pragma unroll
  for (int s = 0; s < (loads * per); ++s)
    wide[s] = (E)T(0);
  #pragma unroll
  for (int k = 0; k < loads; ++k) {
    if (k * (threads * per) < left)
      load_wide(&wide[k * per], &in[i + k * (threads * per)]);
  }
  const int head = (int)(aligned - block_begin);
  const Index end = thread < head ? block_begin + thread : ragged + (thread - head);
  if (end < block_end)
    accum[0] += (T)in[end];
  #pragma unroll
  for (int k = 0; k < loads; ++k) {
    #pragma unroll
    for (int s = 0; s < per; ++s)
      accum[s] += (T)wide[k * per + s];
  }
  // thread: serial (sum_steps.cdl:6)
  T accum2 = 0;
  #pragma unroll
  for (Index i2 = 0; i2 < per; ++i2)
    accum2 += accum[i2];
  // block: tree (sum_steps.cdl:47), exchanging registers
  T val = accum2;
  if constexpr (reduces<T>)
    val = __reduce_add_sync(0xffffffff, val);
  else {
    for (int offset = 16; offset > 0; offset /= 2) {
      T other = __shfl_down_sync(0xffffffff, val, offset);
      val += other;
    }
  }
  if (threads > 32) {
    __syncthreads();
    if (lane == 0)
      partial2[warp] = val;
    __syncthreads();
    if (warp == 0) {
      val = partial2[lane];
      if constexpr (reduces<T>)
        val = __reduce_add_sync(0xffffffff, val);
      else {
        for (int offset = half_of(threads / 32); offset > 0; offset /= 2) {
          T other = __shfl_down_sync(0xffffffff, val, offset);
          val += other;
        }
      }
    }
  }
  if (thread == 0)
    partial[block] = val;
}

// One block works for the whole grid.
template <typename E, typename T, int threads>
__global__ void __launch_bounds__(threads, 1) inclusive_scan_one_block(Index p, T *partial) {
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  __shared__ T partial2[32];
  if (thread < 32)
    partial2[thread] = 0;
  // block: kogge_stone (carry_steps.cdl:26), exchanging registers
  after_earlier_grids();
  T val = thread < p ? partial[thread] : T(0);
  for (int offset = 1; offset < 32; offset *= 2) {
    T other = __shfl_up_sync(0xffffffff, val, offset);
    val += lane >= offset ? other : T(0);
  }
  T other = __shfl_up_sync(0xffffffff, val, 1);
  T before = lane > 0 ? other : T(0);
  if (p > 32) {
    __syncthreads();
    if (lane == 31)
      partial2[warp] = val;
    __syncthreads();
    if (warp == 0) {
      T total = partial2[lane];
      for (int offset = 1; offset < 32; offset *= 2) {
        T other2 = __shfl_up_sync(0xffffffff, total, offset);
        total += lane >= offset ? other2 : T(0);
        partial2[thread] = total;
      }
    }
    __syncthreads();
    if (warp > 0)
      val += partial2[warp - 1];
  }
  __syncthreads();
  if (warp > 0)
    before += partial2[warp - 1];
  if (thread < p)
    partial[p + thread] = before;
}

// Each block scans its part, starting from its prefix.
template <typename E, typename T, int threads, int loads>
__global__ void __launch_bounds__(threads, 1) inclusive_scan_parts(Index whole_tile, Index n, T *partial, Index p, const E *in, T *out) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  __shared__ T before;
  __shared__ T totals[threads / 32];
  // grid > block: reduce_scan_scan (scan_steps.cdl:102), one part per block
  const Index block_begin = min_index(block * whole_tile, n);
  const Index block_end = min_index(whole_tile + block * whole_tile, n);
  // the block's own words of the workspace are left zero
  after_earlier_grids();
  if (thread == 0) {
    before = partial[p + block];
    partial[block] = 0;
    partial[p + block] = 0;
  }
  // block: sliding (scan_steps.cdl:119), tile by tile
  const int per = 16 / (int)sizeof(T);
  const Index elements = block_end - block_begin;
  const Index lead = (per - to_aligned(&in[block_begin]) % per) % per;
  const Index tiles = (elements + lead + threads * (loads * per) - 1) / (threads * (loads * per));
  __syncthreads();
  T sum = before;
  #pragma unroll 1
  for (Index tile2 = 0; tile2 < tiles; ++tile2) {
    const Index begin = tile2 * (threads * (loads * per)) - lead;
    const bool whole = begin >= 0 && (begin + threads * (loads * per) <= elements);
    T item[loads * per];
    const Index at = begin + (warp * (32 * (loads * per)) + lane * per);
    if (whole) {
      E wide[loads * per];
      #pragma unroll
      for (int row = 0; row < loads; ++row)
        load_row<T>(&wide[row * per], &in[block_begin + (at + row * (32 * per))]);
      #pragma unroll
      for (int k = 0; k < (loads * per); ++k)
        item[k] = (T)wide[k];
    }
    else {
      #pragma unroll
      for (int k = 0; k < (loads * per); ++k) {
        const Index i = at + k / per * (32 * per) + k % per;
        item[k] = (i >= 0 && (i < elements)) ? (T)in[block_begin + i] : T(0);
      }
    }
    // block: scan_scan_add (scan_steps.cdl:85)
    // warp: sliding (scan_steps.cdl:119)
    T running = 0;
    #pragma unroll
    for (int row = 0; row < loads; ++row) {
      // warp: scan_scan_add (scan_steps.cdl:85)
      T accum = 0;
      #pragma unroll
      for (Index i = row * per; i < (row * per + per); ++i) {
        accum += item[i];
        item[i] = accum;
      }
      T before2 = 0;
      // warp: kogge_stone (carry_steps.cdl:26), exchanging registers
      T val = accum;
      for (int offset = 1; offset < 32; offset *= 2) {
        T other = __shfl_up_sync(0xffffffff, val, offset);
        val += lane >= offset ? other : T(0);
      }
      T other = __shfl_up_sync(0xffffffff, val, 1);
      T before3 = lane > 0 ? other : T(0);
      before2 = before3;
      const T all = __shfl_sync(0xffffffff, before2 + accum, 31);
      const T before4 = running + before2;
      #pragma unroll
      for (Index i = row * per; i < (row * per + per); ++i)
        item[i] = before4 + item[i];
      const T sum2 = running + all;
      running = sum2;
    }
    __syncthreads();
    if (lane == 0)
      totals[warp] = running;
    T before2 = 0;
    // warp: kogge_stone (carry_steps.cdl:26), exchanging registers
    __syncthreads();
    T val = lane < (threads / 32) ? totals[lane] : T(0);
    for (int offset = 1; offset < 32; offset *= 2) {
      T other = __shfl_up_sync(0xffffffff, val, offset);
      val += lane >= offset ? other : T(0);
    }
    T other = __shfl_up_sync(0xffffffff, val, 1);
    T before3 = lane > 0 ? other : T(0);
    if (lane < (threads / 32))
      before2 = before3;
    const T one = lane < (threads / 32) ? totals[lane] : T(0);
    const T all = __shfl_sync(0xffffffff, before2 + one, threads / 32 - 1);
    const T above = __shfl_sync(0xffffffff, before2, warp);
    const T before4 = sum + above;
    #pragma unroll
    for (Index i = 0; i < (loads * per); ++i)
      item[i] = before4 + item[i];
    const T sum2 = sum + all;
    if (whole) {
      #pragma unroll
      for (int row = 0; row < loads; ++row)
        store_wide_anywhere(&out[block_begin + (at + row * (32 * per))], &item[row * per]);
    }
    else {
      #pragma unroll
      for (int k = 0; k < (loads * per); ++k) {
        const Index i = at + k / per * (32 * per) + k % per;
        if (i >= 0 && (i < elements))
          out[block_begin + i] = item[k];
      }
    }
    sum = sum2;
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename E, typename T, int threads, int loads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const E *in, Index n, T *out, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(loads >= 1 && loads <= 16, "loads: rows of a tile, 1 to 16");
  if (n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: reduce_scan_scan (scan_steps.cdl:102), one part per block
  const Index turn = threads * (loads * (16 / (int)sizeof(T)));
  const Index p = min_index(min_index(max_index((n + turn - 1) / turn, 1), blocks), threads);
  Index tile = (n + p - 1) / p;
  const Index whole_tile = (tile + turn - 1) / turn * turn;
  const size_t need = 32784 + (size_t)p * 2 * sizeof(T);
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  T *partial = (T *)((char *)workspace + 32784);
  {
    const bool once = whole_tile <= (threads * loads * (16 / (int)sizeof(E)));
    const Index ahead = to_aligned(&in[0]);
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)p), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, once ? inclusive_scan_sums<E, T, threads, loads, true> : inclusive_scan_sums<E, T, threads, loads, false>, whole_tile, n, in, partial, ahead);
    if (error != cudaSuccess) return error;
  }
  {
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)1), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, inclusive_scan_one_block<E, T, threads>, p, partial);
    if (error != cudaSuccess) return error;
  }
  {
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)p), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, inclusive_scan_parts<E, T, threads, loads>, whole_tile, n, partial, p, in, out);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename E, typename T>
cudaError_t configured(const inclusive_scan_configuration *c, void *workspace, size_t *workspace_bytes, const E *in, Index n, T *out, cudaStream_t stream) {
  const inclusive_scan_configuration own = {0, 0, 0};
  if (c == nullptr) c = &own;
  const Index blocks = c->blocks ? c->blocks : 264; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS, LOADS) if (serves(THREADS, c->threads) && serves(LOADS, c->loads)) return run<E, T, THREADS, LOADS>(blocks, workspace, workspace_bytes, in, n, out, stream);
  INCLUSIVE_SCAN_2097ADFF_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace inclusive_scan_2097adff

#define ROW(THREADS, LOADS) {THREADS, LOADS, 264},
// Those that were compiled; zeros end them.
extern "C" const inclusive_scan_configuration inclusive_scan_2097adff_configurations[];
const inclusive_scan_configuration inclusive_scan_2097adff_configurations[] = {INCLUSIVE_SCAN_2097ADFF_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

extern "C" cudaError_t inclusive_scan_2097adff_int(const inclusive_scan_configuration *c, void *workspace, size_t *workspace_bytes, const int *in, uint64_t n, int *out, cudaStream_t stream) {
  return inclusive_scan_2097adff::configured<int, int>(c, workspace, workspace_bytes, in, (inclusive_scan_2097adff::Index)n, out, stream);
}

extern "C" cudaError_t inclusive_scan_2097adff_half(const inclusive_scan_configuration *c, void *workspace, size_t *workspace_bytes, const __half *in, uint64_t n, float *out, cudaStream_t stream) {
  return inclusive_scan_2097adff::configured<__half, float>(c, workspace, workspace_bytes, in, (inclusive_scan_2097adff::Index)n, out, stream);
}
