// logsumexp_row, variant 2074b248: grid.steps=(grid.tiled!ticket(block.strided/all(thread.strided(ilp.serial; thread.serial); block.tree+shuffle); grid>block.strided/all(thread.serial; block.tree+shuffle)); grid.tiled!ticket(block.strided/all(thread.strided(ilp.serial; thread.serial); block.tree+shuffle); grid>block.strided/all(thread.serial; block.tree+shuffle)))
// Made by tgc from logsumexp.cdl for sm_90; this text is yours.
//
// shuffle, 3 kernels, determinism run_to_run: no atomics, but where 16-byte loads begin depends on the input's alignment: the same address, the same result
// not batch-invariant: the result depends on the address: 16-byte loads begin where it is aligned
//
//   grid: `steps' takes 2 steps (G2)
//     step 1: grid: regroups by `tiled', over its blocks (G5)
//       each part: block: regroups by `strided', over its lanes (B6x)
//         each part: thread: regroups by `strided', over its register slots (T6)
//           each part: ilp: computes by `serial' (I4)
//           results: thread: computes by `serial' (T4)
//         results: block: computes by `tree', exchanging registers (B7)
//       results, by the last to arrive: grid: one block acts for all (G3)
//         block: regroups by `strided', over its lanes (B6x)
//           each part: thread: computes by `serial' (T4)
//           results: block: computes by `tree', exchanging registers (B7)
//     step 2: grid: regroups by `tiled', over its blocks (G11)
//       each part: block: regroups by `strided', over its lanes (B12x)
//         each part: thread: regroups by `strided', over its register slots (T12)
//           each part: ilp: computes by `serial' (I10)
//           results: thread: computes by `serial' (T10)
//         results: block: computes by `tree', exchanging registers (B13)
//       results, by the last to arrive: grid: one block acts for all (G9)
//         block: regroups by `strided', over its lanes (B12x)
//           each part: thread: computes by `serial' (T10)
//           results: block: computes by `tree', exchanging registers (B13)
//
// codelets
//   steps        logsumexp.cdl:20
//   tiled        max_steps.cdl:16
//   strided      max_steps.cdl:28
//   serial       max_steps.cdl:6
//   tree         max_steps.cdl:38
//   tiled        sum_steps.cdl:18
//   strided      sum_steps.cdl:33
//   serial       sum_steps.cdl:6
//   tree         sum_steps.cdl:47
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
#include <limits>

// The configurations that are compiled, C(threads, loads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   loads: 16-byte loads in flight, 1 to 16
#ifndef LOGSUMEXP_ROW_2074B248_CONFIGURATIONS
#define LOGSUMEXP_ROW_2074B248_CONFIGURATIONS(C) C(512, 2)
#endif

#ifndef LOGSUMEXP_ROW_CONFIGURATION
#define LOGSUMEXP_ROW_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct logsumexp_row_configuration {
  int threads, loads;
  int64_t blocks;
} logsumexp_row_configuration;
#endif

namespace logsumexp_row_2074b248 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

__host__ __device__ constexpr Index max_index(Index x, Index y) { return x > y ? x : y; }

// The lowest and highest value of a type: infinities where it has them.
template <typename T> constexpr T lowest_value = std::numeric_limits<T>::has_infinity
                                                  ? -std::numeric_limits<T>::infinity()
                                                  : std::numeric_limits<T>::lowest();
template <typename T> constexpr T highest_value = std::numeric_limits<T>::has_infinity
                                                     ? std::numeric_limits<T>::infinity()
                                                     : std::numeric_limits<T>::max();
template <typename T> __host__ __device__ constexpr T lowest() { return lowest_value<T>; }
template <typename T> __host__ __device__ constexpr T highest() { return highest_value<T>; }

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

// Counts a block as it finishes. True for the last of `blocks`, which sees the others' stores. Resets the counter to 0.
__device__ __forceinline__ bool arrives_last(unsigned *arrived, unsigned blocks) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  unsigned before;
  asm volatile("atom.acq_rel.gpu.inc.u32 %0, [%1], %2;" : "=r"(before) : "l"(arrived), "r"(blocks - 1) : "memory");
#else
  __threadfence();
  const unsigned before = atomicInc(arrived, blocks - 1);
  __threadfence();
#endif
  return before == blocks - 1;
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

// First distance of an exchange over this many lanes: half of the next power of two.
__host__ __device__ constexpr int half_of(int lanes) {
  return lanes > 16 ? 16 : lanes > 8 ? 8 : lanes > 4 ? 4 : lanes > 2 ? 2 : lanes > 1 ? 1 : 0;
}

// Each block reduces its part; the last one to finish combines the results.
template <typename T, int threads, int loads, bool once>
__global__ void __launch_bounds__(threads, 1) logsumexp_row_blocks(Index whole_tile, Index n, const T *in, T *partial, unsigned *arrived, Index p, T *top_found, Index ahead) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  __shared__ T partial2[32];
  __shared__ bool last;
  __shared__ T partial3[32];
  if (thread < 32)
    partial2[thread] = lowest<T>();
  if (thread < 32)
    partial3[thread] = lowest<T>();
  // grid > block: tiled (max_steps.cdl:16), one part per block
  const Index block_begin = min_index(block * whole_tile, n);
  const Index block_end = min_index(whole_tile + block * whole_tile, n);
  // block > thread: strided (max_steps.cdl:28), one part per thread
  // thread > ilp: strided (max_steps.cdl:28), each with its register slots; serial (max_steps.cdl:6)
  const int per = 16 / (int)sizeof(T);
  T best[per];
  #pragma unroll
  for (int s = 0; s < per; ++s)
    best[s] = lowest<T>();
  const Index aligned = min_index(block_begin + ahead, block_end);
  const Index ragged = aligned + (block_end - aligned) / per * per;
  Index i = aligned + thread * per;
  after_earlier_grids();
  if (!once) {
    const Index many = aligned + (block_end - aligned) / (threads * per * loads) * (threads * per * loads);
    #pragma unroll 1
    for (; i < many; i += threads * per * loads) {
      T wide[loads * per];
      #pragma unroll
      for (int k = 0; k < loads; ++k)
        load_wide(&wide[k * per], &in[i + k * (threads * per)]);
      #pragma unroll
      for (int k = 0; k < loads; ++k) {
        #pragma unroll
        for (int s = 0; s < per; ++s)
          best[s] = max(best[s], wide[k * per + s]);
      }
    }
  }
  // the last round; with it what lies before the first and after the last 16 bytes
  const int left = (int)(ragged - i);
  T wide[loads * per];
  #pragma unroll
  for (int s = 0; s < (loads * per); ++s)
    wide[s] = lowest<T>();
  #pragma unroll
  for (int k = 0; k < loads; ++k) {
    if (k * (threads * per) < left)
      load_wide(&wide[k * per], &in[i + k * (threads * per)]);
  }
  const int head = (int)(aligned - block_begin);
  const Index end = thread < head ? block_begin + thread : ragged + (thread - head);
  if (end < block_end)
    best[0] = max(best[0], in[end]);
  #pragma unroll
  for (int k = 0; k < loads; ++k) {
    #pragma unroll
    for (int s = 0; s < per; ++s)
      best[s] = max(best[s], wide[k * per + s]);
  }
  // thread: serial (max_steps.cdl:6)
  T best2 = lowest<T>();
  #pragma unroll
  for (Index i2 = 0; i2 < per; ++i2)
    best2 = max(best2, best[i2]);
  // block: tree (max_steps.cdl:38), exchanging registers
  T best3 = best2;
  for (int offset = 16; offset > 0; offset /= 2) {
    T other = __shfl_down_sync(0xffffffff, best3, offset);
    best3 = max(best3, other);
  }
  if (threads > 32) {
    __syncthreads();
    if (lane == 0)
      partial2[warp] = best3;
    __syncthreads();
    if (warp == 0) {
      best3 = partial2[lane];
      for (int offset = half_of(threads / 32); offset > 0; offset /= 2) {
        T other = __shfl_down_sync(0xffffffff, best3, offset);
        best3 = max(best3, other);
      }
    }
  }
  if (thread == 0)
    partial[block] = best3;
  // the last block to arrive combines the results
  if (thread == 0)
    last = arrives_last(arrived, (unsigned)p);
  __syncthreads();
  if (last) {
    // block > thread: strided (max_steps.cdl:28), one part per thread
    const Index thread_begin2 = thread;
    // thread: serial (max_steps.cdl:6)
    T best4 = lowest<T>();
    for (Index i2 = thread_begin2; i2 < p; i2 += threads)
      best4 = max(best4, partial[i2]);
    // block: tree (max_steps.cdl:38), exchanging registers
    T best5 = best4;
    for (int offset = 16; offset > 0; offset /= 2) {
      T other = __shfl_down_sync(0xffffffff, best5, offset);
      best5 = max(best5, other);
    }
    if (threads > 32) {
      if (lane == 0)
        partial3[warp] = best5;
      __syncthreads();
      if (warp == 0) {
        best5 = partial3[lane];
        for (int offset = half_of(threads / 32); offset > 0; offset /= 2) {
          T other = __shfl_down_sync(0xffffffff, best5, offset);
          best5 = max(best5, other);
        }
      }
    }
    if (thread == 0)
      top_found[0] = best5;
  }
}

// Each block reduces its part; the last one to finish combines the results.
template <typename T, int threads, int loads, bool once>
__global__ void __launch_bounds__(threads, 1) logsumexp_row_blocks2(Index whole_tile2, Index n, const T *in, T *partial4, unsigned *arrived, Index p2, T *total_found, T *top_found, Index ahead) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  after_earlier_grids();
  const T top = top_found[0];
  __shared__ T partial2[32];
  __shared__ bool last;
  __shared__ T partial3[32];
  if (thread < 32)
    partial2[thread] = 0;
  if (thread < 32)
    partial3[thread] = 0;
  // grid > block: tiled (sum_steps.cdl:18), one part per block
  const Index block_begin = min_index(block * whole_tile2, n);
  const Index block_end = min_index(whole_tile2 + block * whole_tile2, n);
  // block > thread: strided (sum_steps.cdl:33), one part per thread
  // thread > ilp: strided (sum_steps.cdl:33), each with its register slots; serial (sum_steps.cdl:6)
  const int per = 16 / (int)sizeof(T);
  T accum[per];
  #pragma unroll
  for (int s = 0; s < per; ++s)
    accum[s] = 0;
  const Index aligned = min_index(block_begin + ahead, block_end);
  const Index ragged = aligned + (block_end - aligned) / per * per;
  Index i = aligned + thread * per;
  if (!once) {
    const Index many = aligned + (block_end - aligned) / (threads * per * loads) * (threads * per * loads);
    #pragma unroll 1
    for (; i < many; i += threads * per * loads) {
      T wide[loads * per];
      #pragma unroll
      for (int k = 0; k < loads; ++k)
        load_wide(&wide[k * per], &in[i + k * (threads * per)]);
      #pragma unroll
      for (int k = 0; k < loads; ++k) {
        #pragma unroll
        for (int s = 0; s < per; ++s)
          accum[s] += exp(wide[k * per + s] - top);
      }
    }
  }
  // the last round; with it what lies before the first and after the last 16 bytes
  const int left = (int)(ragged - i);
  T wide[loads * per];
  #pragma unroll
  for (int k = 0; k < loads; ++k) {
    if (k * (threads * per) < left)
      load_wide(&wide[k * per], &in[i + k * (threads * per)]);
  }
  const int head = (int)(aligned - block_begin);
  const Index end = thread < head ? block_begin + thread : ragged + (thread - head);
  if (end < block_end)
    accum[0] += exp(in[end] - top);
  #pragma unroll
  for (int k = 0; k < loads; ++k) {
    #pragma unroll
    for (int s = 0; s < per; ++s) {
      if (k * (threads * per) < left)
        accum[s] += exp(wide[k * per + s] - top);
    }
  }
  // thread: serial (sum_steps.cdl:6)
  T accum2 = 0;
  #pragma unroll
  for (Index i2 = 0; i2 < per; ++i2)
    accum2 += accum[i2];
  // block: tree (sum_steps.cdl:47), exchanging registers
  T val = accum2;
  for (int offset = 16; offset > 0; offset /= 2) {
    T other = __shfl_down_sync(0xffffffff, val, offset);
    val += other;
  }
  if (threads > 32) {
    __syncthreads();
    if (lane == 0)
      partial2[warp] = val;
    __syncthreads();
    if (warp == 0) {
      val = partial2[lane];
      for (int offset = half_of(threads / 32); offset > 0; offset /= 2) {
        T other = __shfl_down_sync(0xffffffff, val, offset);
        val += other;
      }
    }
  }
  if (thread == 0)
    partial4[block] = val;
  // the last block to arrive combines the results
  if (thread == 0)
    last = arrives_last(arrived, (unsigned)p2);
  __syncthreads();
  if (last) {
    // block > thread: strided (sum_steps.cdl:33), one part per thread
    const Index thread_begin2 = thread;
    // thread: serial (sum_steps.cdl:6)
    T accum3 = 0;
    for (Index i2 = thread_begin2; i2 < p2; i2 += threads)
      accum3 += partial4[i2];
    // block: tree (sum_steps.cdl:47), exchanging registers
    T val2 = accum3;
    for (int offset = 16; offset > 0; offset /= 2) {
      T other = __shfl_down_sync(0xffffffff, val2, offset);
      val2 += other;
    }
    if (threads > 32) {
      if (lane == 0)
        partial3[warp] = val2;
      __syncthreads();
      if (warp == 0) {
        val2 = partial3[lane];
        for (int offset = half_of(threads / 32); offset > 0; offset /= 2) {
          T other = __shfl_down_sync(0xffffffff, val2, offset);
          val2 += other;
        }
      }
    }
    if (thread == 0)
      total_found[0] = val2;
  }
}

// One thread computes the result.
template <typename T>
__global__ void logsumexp_row_result(T *out, T *total_found, T *top_found) {
  after_earlier_grids();
  const T top = top_found[0];
  const T total = total_found[0];
  const T result = top + log(total);
  out[0] = result;
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int loads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const T *in, Index n, T *out, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(loads >= 1 && loads <= 16, "loads: 16-byte loads in flight, 1 to 16");
  if (n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid: steps (logsumexp.cdl:20)
  // grid > block: tiled (max_steps.cdl:16), one part per block
  const int grain = threads * (16 / (int)sizeof(T));
  const Index p = min_index(max_index((n + grain - 1) / grain, 1), blocks);
  Index tile = (n + p - 1) / p;
  const Index whole_tile = (tile + grain - 1) / grain * grain;
  // grid > block: tiled (sum_steps.cdl:18), one part per block
  const int grain2 = threads * (16 / (int)sizeof(T));
  const Index p2 = min_index(max_index((n + grain2 - 1) / grain2, 1), blocks);
  Index tile2 = (n + p2 - 1) / p2;
  const Index whole_tile2 = (tile2 + grain2 - 1) / grain2 * grain2;
  const size_t need = 32784 + ((size_t)1 * sizeof(T) + 15) / 16 * 16 + ((size_t)p * sizeof(T) + 15) / 16 * 16 + ((size_t)1 * sizeof(T) + 15) / 16 * 16 + (size_t)p2 * sizeof(T);
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  unsigned *arrived = (unsigned *)workspace;
  T *top_found = (T *)((char *)workspace + 32784);
  T *partial = (T *)((char *)top_found + ((size_t)1 * sizeof(T) + 15) / 16 * 16);
  T *total_found = (T *)((char *)partial + ((size_t)p * sizeof(T) + 15) / 16 * 16);
  T *partial4 = (T *)((char *)total_found + ((size_t)1 * sizeof(T) + 15) / 16 * 16);
  {
    const bool once = whole_tile <= (threads * loads * (16 / (int)sizeof(T)));
    const Index ahead = to_aligned(&in[0]);
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)p), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, once ? logsumexp_row_blocks<T, threads, loads, true> : logsumexp_row_blocks<T, threads, loads, false>, whole_tile, n, in, partial, arrived, p, top_found, ahead);
    if (error != cudaSuccess) return error;
  }
  {
    const bool once = whole_tile2 <= (threads * loads * (16 / (int)sizeof(T)));
    const Index ahead = to_aligned(&in[0]);
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)p2), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, once ? logsumexp_row_blocks2<T, threads, loads, true> : logsumexp_row_blocks2<T, threads, loads, false>, whole_tile2, n, in, partial4, arrived, p2, total_found, top_found, ahead);
    if (error != cudaSuccess) return error;
  }
  {
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)1), dim3(1), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, logsumexp_row_result<T>, out, total_found, top_found);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const logsumexp_row_configuration *c, void *workspace, size_t *workspace_bytes, const T *in, Index n, T *out, cudaStream_t stream) {
  const logsumexp_row_configuration own = {0, 0, 0};
  if (c == nullptr) c = &own;
  const Index blocks = c->blocks ? c->blocks : 264; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS, LOADS) if (serves(THREADS, c->threads) && serves(LOADS, c->loads)) return run<T, THREADS, LOADS>(blocks, workspace, workspace_bytes, in, n, out, stream);
  LOGSUMEXP_ROW_2074B248_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace logsumexp_row_2074b248

#define ROW(THREADS, LOADS) {THREADS, LOADS, 264},
// Those that were compiled; zeros end them.
extern "C" const logsumexp_row_configuration logsumexp_row_2074b248_configurations[];
const logsumexp_row_configuration logsumexp_row_2074b248_configurations[] = {LOGSUMEXP_ROW_2074B248_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

extern "C" cudaError_t logsumexp_row_2074b248_float(const logsumexp_row_configuration *c, void *workspace, size_t *workspace_bytes, const float *in, uint64_t n, float *out, cudaStream_t stream) {
  return logsumexp_row_2074b248::configured<float>(c, workspace, workspace_bytes, in, (logsumexp_row_2074b248::Index)n, out, stream);
}
