// gemv, variant 52edaf5e: grid.each/all-threads(thread.products=thread.tiled/spread(thread.strided/slices(thread.serial; thread.serial); thread.tiled/slices(thread.serial; thread.serial)))
// Made by tgc from gemv_columns.cdl for sm_90; this text is yours.
//
// baseline, 2 kernels, determinism gpu_to_gpu: no atomics; the order depends only on constants of the variant and on n
// batch-invariant: the order depends on n alone: not on the address, the order of arrival or the device
//
//   grid: regroups by `each', over its lanes (G3xT)
//     each part: thread: `products' applies (T6)
//       thread: regroups by `tiled', over its share of the grid (T9g)
//         each part: thread: regroups by `strided', over its block's warps (T10w)
//           each part: thread: computes by `serial' (T8)
//           results: thread: computes by `serial' (T8)
//         results: thread: regroups by `tiled', over its block's warps (T9w)
//           each part: thread: computes by `serial' (T8)
//           results: thread: computes by `serial' (T8)
//
// codelets
//   each         gemv_columns.cdl:26
//   products     dot.cdl:32
//   tiled        sum_steps.cdl:18
//   strided      sum_steps.cdl:33
//   serial       sum_steps.cdl:6
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, loads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   loads: 16-byte loads in flight, 1 to 16
#ifndef GEMV_52EDAF5E_CONFIGURATIONS
#define GEMV_52EDAF5E_CONFIGURATIONS(C) C(256, 8)
#endif

#ifndef GEMV_CONFIGURATION
#define GEMV_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct gemv_configuration {
  int threads, loads;
  int64_t blocks;
} gemv_configuration;
#endif

namespace gemv_52edaf5e {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

__host__ __device__ constexpr Index max_index(Index x, Index y) { return x > y ? x : y; }

// Number of elements up to the next 16-byte boundary.
template <typename E> __host__ __device__ __forceinline__ Index to_aligned(const E *from) {
  return (Index)((16 - (uintptr_t)from % 16) % 16 / sizeof(E));
}

// A 16-byte load of data that is read once: it does not allocate in L1. `from` is aligned to 16 bytes.
template <typename E> __device__ __forceinline__ void load_wide_once(E *to, const E *from) {
  union {
    uint4 bits;
    E element[16 / sizeof(E)];
  } wide;
  wide.bits = __ldcg((const uint4 *)from);
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

// Each block processes one piece of each of its parts.
template <typename T, int threads, int loads, bool wide>
__global__ void __launch_bounds__(threads, 1) gemv_blocks(Index pieces, Index block_parts, Index rows, Index p, Index columns, const T *A, Index leading, const T *x, T *partial) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  __shared__ T slices[threads * (16 / (int)sizeof(T))];
  // grid > thread: each (gemv_columns.cdl:26), 16 bytes of neighbouring parts per thread
  const Index piece = block % pieces;
  const Index group = block / pieces;
  const int per = 16 / (int)sizeof(T);
  const int first = wide ? lane * per : lane;
  after_earlier_grids();
  for (Index turn = group * block_parts; turn < rows; turn += p * block_parts) {
    const Index k = min_index(turn + first, rows - (wide ? per : 1));
    // thread: tiled (sum_steps.cdl:18), one piece of many
    Index tile = (columns + pieces - 1) / pieces;
    const Index piece_begin = min_index(piece * tile, columns);
    const Index piece_end = min_index(tile + piece * tile, columns);
    // thread: strided (sum_steps.cdl:33), one slice per warp
    const Index slice_begin = piece_begin + warp;
    // thread: serial (sum_steps.cdl:6), on 16 bytes of neighbouring parts
    Index len2 = slice_begin < piece_end ? (piece_end - slice_begin - 1) / (threads / 32) + 1 : 0;
    T accum[per];
    #pragma unroll
    for (int s = 0; s < per; ++s)
      accum[s] = 0;
    Index i = 0;
    #pragma unroll 1
    for (; i + loads <= len2; i += loads) {
      T wide2[loads * per];
      T same[loads];
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2) {
        if (wide)
          load_wide_once(&wide2[k2 * per], &A[k + (slice_begin + (i + k2) * (threads / 32)) * leading]);
        else {
          #pragma unroll
          for (int s = 0; s < per; ++s)
            wide2[k2 * per + s] = A[k + (slice_begin + (i + k2) * (threads / 32)) * leading + min_index(s * 32, rows - 1 - k)];
        }
        same[k2] = x[slice_begin + (i + k2) * (threads / 32)];
      }
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2) {
        #pragma unroll
        for (int s = 0; s < per; ++s)
          accum[s] += wide2[k2 * per + s] * same[k2];
      }
    }
    const int left = (int)(len2 - i);
    if (left > 0) {
      T wide2[loads * per];
      T same[loads];
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2) {
        if (k2 < left) {
          if (wide)
            load_wide_once(&wide2[k2 * per], &A[k + (slice_begin + (i + k2) * (threads / 32)) * leading]);
          else {
            #pragma unroll
            for (int s = 0; s < per; ++s)
              wide2[k2 * per + s] = A[k + (slice_begin + (i + k2) * (threads / 32)) * leading + min_index(s * 32, rows - 1 - k)];
          }
          same[k2] = x[slice_begin + (i + k2) * (threads / 32)];
        }
      }
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2) {
        if (k2 < left) {
          #pragma unroll
          for (int s = 0; s < per; ++s)
            accum[s] += wide2[k2 * per + s] * same[k2];
        }
      }
    }
    __syncthreads();
    #pragma unroll
    for (int s = 0; s < per; ++s)
      slices[thread + s * threads] = accum[s];
    __syncthreads();
    for (int j = thread; j < (32 * (16 / (int)sizeof(T))); j += threads) {
      const Index part = turn + j;
      const int begin = (wide ? j % per : j / 32) * threads;
      // thread: serial (sum_steps.cdl:6)
      T accum2 = 0;
      for (Index i2 = begin + (wide ? j / per : j % 32); i2 < (begin + threads); i2 += 32)
        accum2 += slices[i2];
      if (part < rows)
        partial[piece * rows + part] = accum2;
    }
  }
}

// Each block combines the partial results of neighbouring parts.
template <typename T, int threads, int loads, bool wide>
__global__ void __launch_bounds__(threads, 1) gemv_combine(Index block_parts, Index rows, Index combining, Index pieces, T *partial, T *y) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  __shared__ T slices[threads * (16 / (int)sizeof(T))];
  const int per = 16 / (int)sizeof(T);
  const int first = wide ? lane * per : lane;
  after_earlier_grids();
  for (Index turn = block * block_parts; turn < rows; turn += combining * block_parts) {
    const Index k = min_index(turn + first, rows - (wide ? per : 1));
    // thread: tiled (sum_steps.cdl:18), one slice per warp
    Index tile = (pieces + threads / 32 - 1) / (threads / 32);
    const Index slice_begin = min_index(k + warp * tile * rows, k + pieces * rows);
    const Index slice_end = min_index(k + (tile + warp * tile) * rows, k + pieces * rows);
    // thread: serial (sum_steps.cdl:6), on 16 bytes of neighbouring parts
    Index len = slice_begin < slice_end ? (slice_end - slice_begin - 1) / rows + 1 : 0;
    T accum[per];
    #pragma unroll
    for (int s = 0; s < per; ++s)
      accum[s] = 0;
    Index i = 0;
    #pragma unroll 1
    for (; i + loads <= len; i += loads) {
      T wide2[loads * per];
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2) {
        if (wide)
          load_wide_once(&wide2[k2 * per], &partial[slice_begin + (i + k2) * rows]);
        else {
          #pragma unroll
          for (int s = 0; s < per; ++s)
            wide2[k2 * per + s] = partial[slice_begin + (i + k2) * rows + min_index(s * 32, rows - 1 - k)];
        }
      }
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2) {
        #pragma unroll
        for (int s = 0; s < per; ++s)
          accum[s] += wide2[k2 * per + s];
      }
    }
    const int left = (int)(len - i);
    if (left > 0) {
      T wide2[loads * per];
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2) {
        if (k2 < left) {
          if (wide)
            load_wide_once(&wide2[k2 * per], &partial[slice_begin + (i + k2) * rows]);
          else {
            #pragma unroll
            for (int s = 0; s < per; ++s)
              wide2[k2 * per + s] = partial[slice_begin + (i + k2) * rows + min_index(s * 32, rows - 1 - k)];
          }
        }
      }
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2) {
        if (k2 < left) {
          #pragma unroll
          for (int s = 0; s < per; ++s)
            accum[s] += wide2[k2 * per + s];
        }
      }
    }
    __syncthreads();
    #pragma unroll
    for (int s = 0; s < per; ++s)
      slices[thread + s * threads] = accum[s];
    __syncthreads();
    for (int j = thread; j < (32 * (16 / (int)sizeof(T))); j += threads) {
      const Index part = turn + j;
      const int begin = (wide ? j % per : j / 32) * threads;
      // thread: serial (sum_steps.cdl:6)
      T accum2 = 0;
      for (Index i2 = begin + (wide ? j / per : j % 32); i2 < (begin + threads); i2 += 32)
        accum2 += slices[i2];
      if (part < rows)
        y[part] = accum2;
    }
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int loads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, const T *x, T *y, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(loads >= 1 && loads <= 16, "loads: 16-byte loads in flight, 1 to 16");
  if (rows < 0 || columns < 0 || leading < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > thread: each (gemv_columns.cdl:26), 16 bytes of neighbouring parts per thread
  const Index block_parts = 32 * (16 / (int)sizeof(T));
  // each part is shared: tiled (sum_steps.cdl:18)
  const Index groups = max_index((rows + block_parts - 1) / block_parts, 1);
  const Index pieces = max_index(min_index(blocks / groups, (rows * columns / groups + threads * 4 - 1) / (threads * 4)), 1);
  const Index p = min_index(groups, blocks);
  const Index combining = max_index(min_index((rows + block_parts - 1) / block_parts, blocks), 1);
  const size_t need = 32784 + (size_t)rows * pieces * sizeof(T);
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  T *partial = (T *)((char *)workspace + 32784);
  {
    const bool wide = rows % (16 / (int)sizeof(T)) == 0 && (to_aligned(&A[0]) == 0) && (leading % (16 / (int)sizeof(T)) == 0);
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)(p * pieces)), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, wide ? gemv_blocks<T, threads, loads, true> : gemv_blocks<T, threads, loads, false>, pieces, block_parts, rows, p, columns, A, leading, x, partial);
    if (error != cudaSuccess) return error;
  }
  {
    const bool wide = rows % (16 / (int)sizeof(T)) == 0 && (to_aligned(&partial[0]) == 0);
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)combining), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, wide ? gemv_combine<T, threads, loads, true> : gemv_combine<T, threads, loads, false>, block_parts, rows, combining, pieces, partial, y);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const gemv_configuration *c, void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, const T *x, T *y, cudaStream_t stream) {
  const gemv_configuration own = {0, 0, 0};
  if (c == nullptr) c = &own;
  const Index blocks = c->blocks ? c->blocks : 1024; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS, LOADS) if (serves(THREADS, c->threads) && serves(LOADS, c->loads)) return run<T, THREADS, LOADS>(blocks, workspace, workspace_bytes, A, rows, columns, leading, x, y, stream);
  GEMV_52EDAF5E_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace gemv_52edaf5e

#define ROW(THREADS, LOADS) {THREADS, LOADS, 1024},
// Those that were compiled; zeros end them.
extern "C" const gemv_configuration gemv_52edaf5e_configurations[];
const gemv_configuration gemv_52edaf5e_configurations[] = {GEMV_52EDAF5E_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

extern "C" cudaError_t gemv_52edaf5e_double(const gemv_configuration *c, void *workspace, size_t *workspace_bytes, const double *A, uint64_t rows, uint64_t columns, uint64_t leading, const double *x, double *y, cudaStream_t stream) {
  return gemv_52edaf5e::configured<double>(c, workspace, workspace_bytes, A, (gemv_52edaf5e::Index)rows, (gemv_52edaf5e::Index)columns, (gemv_52edaf5e::Index)leading, x, y, stream);
}
