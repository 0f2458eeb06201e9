// logsumexp_row, variant 62360a7f: grid.steps=(grid.tiled!atomic(block.strided/all(thread.strided(ilp.serial; thread.serial); block.tree+shuffle)); grid.tiled!atomic(block.strided/all(thread.strided(ilp.serial; thread.serial); block.tree+shuffle)))
// Made by tgc from logsumexp.cdl for sm_90; this text is yours.
//
// shuffle, 3 kernels, determinism not_guaranteed: atomics accumulate in the order of arrival: floating-point results differ from run to run (integers do not)
// not batch-invariant: the result depends on the order of arrival
//
//   grid: `steps' takes 2 steps (G2)
//     step 1: grid: regroups by `tiled', over its blocks (G6)
//       each part: block: regroups by `strided', over its lanes (B7x)
//         each part: thread: regroups by `strided', over its register slots (T7)
//           each part: ilp: computes by `serial' (I5)
//           results: thread: computes by `serial' (T5)
//         results: block: computes by `tree', exchanging registers (B8)
//       results: accumulated atomically at the grid
//     step 2: grid: regroups by `tiled', over its blocks (G12)
//       each part: block: regroups by `strided', over its lanes (B13x)
//         each part: thread: regroups by `strided', over its register slots (T13)
//           each part: ilp: computes by `serial' (I11)
//           results: thread: computes by `serial' (T11)
//         results: block: computes by `tree', exchanging registers (B14)
//       results: accumulated atomically at the grid
//
// codelets
//   steps        logsumexp.cdl:41
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
#ifndef LOGSUMEXP_ROW_62360A7F_CONFIGURATIONS
#define LOGSUMEXP_ROW_62360A7F_CONFIGURATIONS(C) C(512, 2)
#endif

#ifndef LOGSUMEXP_ROW_CONFIGURATION
#define LOGSUMEXP_ROW_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct logsumexp_row_configuration {
  int threads, loads;
  int64_t blocks;
} logsumexp_row_configuration;
#endif

namespace logsumexp_row_62360a7f {

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

// Operators that codelets name, as logsumexp.cdl has it.
template <typename T>
struct LogSumExp {
  struct State {
    T top, sum;
  };
  __host__ __device__ static State id() { return {T(sizeof(T) < 8 ? -3.40282347e38 : -1.7976931348623157e308), 0}; }
  __host__ __device__ static State op(State a, State b) {
    T less = exp2(-fabs(a.top - b.top) * T(1.4426950408889634));
    bool first = a.top >= b.top || a.top != a.top;
    return first ? State{a.top, a.sum + b.sum * less} : State{b.top, a.sum * less + b.sum};
  }
  __host__ __device__ static State lift(T x) { return {x, 1}; }
  __host__ __device__ static T finish(State a) { return a.top == highest<T>() ? a.top : a.top + log(a.sum); }
};
template <typename Element> using Operator1 = LogSumExp<Element>;
template <typename Element> using State1 = decltype(Operator1<Element>::id());

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

// atomicMax for every element type of this file.
__device__ __forceinline__ void atomic_max(float *place, float value) {
  unsigned *word = (unsigned *)place;
  unsigned found = atomicCAS(word, 0, 0); // an atomic read
  for (;;) {
    const unsigned before = found;
    const unsigned after = __float_as_uint(max(__uint_as_float(found), value));
    if (after == before) return;
    found = atomicCAS(word, before, after);
    if (found == before) return;
  }
}

// Sets the accumulator to the operator's identity.
template <typename T>
__global__ void logsumexp_row_identity(T *top_found) {
  after_earlier_grids();
  top_found[0] = lowest<T>();
}

// Each block reduces its part and adds it to the accumulator.
template <typename T, int threads, int loads, bool once>
__global__ void __launch_bounds__(threads, 1) logsumexp_row_blocks(Index whole_tile, Index n, const T *in, T *top_found, Index ahead) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  __shared__ T partial[32];
  if (thread < 32)
    partial[thread] = lowest<T>();
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
      partial[warp] = best3;
    __syncthreads();
    if (warp == 0) {
      best3 = partial[lane];
      for (int offset = half_of(threads / 32); offset > 0; offset /= 2) {
        T other = __shfl_down_sync(0xffffffff, best3, offset);
        best3 = max(best3, other);
      }
    }
  }
  if (thread == 0)
    atomic_max(top_found, best3);
}

// Sets the accumulator to the operator's identity.
template <typename T>
__global__ void logsumexp_row_identity2(T *total_found) {
  after_earlier_grids();
  total_found[0] = 0;
}

// Each block reduces its part and adds it to the accumulator.
template <typename T, int threads, int loads, bool once>
__global__ void __launch_bounds__(threads, 1) logsumexp_row_blocks2(Index whole_tile2, Index n, const T *in, T *total_found, T *top_found, Index ahead) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  after_earlier_grids();
  const T top = top_found[0];
  const T base = top - top == T(0) ? top : T(0);
  __shared__ T partial[32];
  if (thread < 32)
    partial[thread] = 0;
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
          accum[s] += exp2((wide[k * per + s] - base) * T(1.4426950408889634));
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
    accum[0] += exp2((in[end] - base) * T(1.4426950408889634));
  #pragma unroll
  for (int k = 0; k < loads; ++k) {
    #pragma unroll
    for (int s = 0; s < per; ++s) {
      if (k * (threads * per) < left)
        accum[s] += exp2((wide[k * per + s] - base) * T(1.4426950408889634));
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
      partial[warp] = val;
    __syncthreads();
    if (warp == 0) {
      val = partial[lane];
      for (int offset = half_of(threads / 32); offset > 0; offset /= 2) {
        T other = __shfl_down_sync(0xffffffff, val, offset);
        val += other;
      }
    }
  }
  if (thread == 0)
    atomicAdd(total_found, val);
}

// One thread computes the result.
template <typename T>
__global__ void logsumexp_row_result(T *out, T *total_found, T *top_found) {
  after_earlier_grids();
  const T top = top_found[0];
  const T base = top - top == T(0) ? top : T(0);
  const T total = total_found[0];
  const T result = base + log(total);
  out[0] = result;
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int loads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const T *in, Index n, T *out, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(loads >= 1 && loads <= 16, "loads: 16-byte loads in flight, 1 to 16");
  if (n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid: steps (logsumexp.cdl:41)
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
  const size_t need = 32784 + ((size_t)1 * sizeof(T) + 15) / 16 * 16 + (size_t)1 * sizeof(T);
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  T *top_found = (T *)((char *)workspace + 32784);
  T *total_found = (T *)((char *)top_found + ((size_t)1 * sizeof(T) + 15) / 16 * 16);
  {
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)1), dim3(1), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, logsumexp_row_identity<T>, top_found);
    if (error != cudaSuccess) return error;
  }
  {
    const bool once = whole_tile <= (threads * loads * (16 / (int)sizeof(T)));
    const Index ahead = to_aligned(&in[0]);
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)p), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, once ? logsumexp_row_blocks<T, threads, loads, true> : logsumexp_row_blocks<T, threads, loads, false>, whole_tile, n, in, top_found, ahead);
    if (error != cudaSuccess) return error;
  }
  {
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)1), dim3(1), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, logsumexp_row_identity2<T>, total_found);
    if (error != cudaSuccess) return error;
  }
  {
    const bool once = whole_tile2 <= (threads * loads * (16 / (int)sizeof(T)));
    const Index ahead = to_aligned(&in[0]);
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)p2), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, once ? logsumexp_row_blocks2<T, threads, loads, true> : logsumexp_row_blocks2<T, threads, loads, false>, whole_tile2, n, in, total_found, top_found, ahead);
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
  LOGSUMEXP_ROW_62360A7F_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace logsumexp_row_62360a7f

#define ROW(THREADS, LOADS) {THREADS, LOADS, 264},
// Those that were compiled; zeros end them.
extern "C" const logsumexp_row_configuration logsumexp_row_62360a7f_configurations[];
const logsumexp_row_configuration logsumexp_row_62360a7f_configurations[] = {LOGSUMEXP_ROW_62360A7F_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

extern "C" cudaError_t logsumexp_row_62360a7f_float(const logsumexp_row_configuration *c, void *workspace, size_t *workspace_bytes, const float *in, uint64_t n, float *out, cudaStream_t stream) {
  return logsumexp_row_62360a7f::configured<float>(c, workspace, workspace_bytes, in, (logsumexp_row_62360a7f::Index)n, out, stream);
}
