// spmv, variant 6dc6961b: grid.each/all-warps(warp.products=warp.strided(thread.strided(ilp.serial; thread.serial); warp.tree+shuffle))
// Made by tgc from spmv.cdl for sm_90; this text is yours.
//
// shuffle, 1 kernel, determinism run_to_run: no atomics, but where 16-byte loads begin depends on the input's alignment: the same address, the same result
// not batch-invariant: the result depends on the address: 16-byte loads begin where it is aligned
//
//   grid: regroups by `each', over its lanes (G3x)
//     each part: warp: `products' applies (W6)
//       warp: regroups by `strided', over its threads (W10)
//         each part: thread: regroups by `strided', over its register slots (T10)
//           each part: ilp: computes by `serial' (I8)
//           results: thread: computes by `serial' (T8)
//         results: warp: computes by `tree', exchanging registers (W11)
//
// codelets
//   each         spmv.cdl:58
//   products     spmv.cdl:51
//   strided      sum_steps.cdl:33
//   serial       sum_steps.cdl:6
//   tree         sum_steps.cdl:47
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, loads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   loads: 16-byte loads in flight, 1 to 16
#ifndef SPMV_6DC6961B_CONFIGURATIONS
#define SPMV_6DC6961B_CONFIGURATIONS(C) C(512, 2)
#endif

#ifndef SPMV_CONFIGURATION
#define SPMV_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct spmv_configuration {
  int threads, loads;
  int64_t blocks;
  int longest;
} spmv_configuration;
#endif

namespace spmv_6dc6961b {

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

// `count' elements: by 16 or by 8 bytes where they are as many, and `from' is aligned to them; else element by element.
template <typename E> __device__ __forceinline__ void load_several(E *to, const E *from, int count) {
  const int bytes = count * (int)sizeof(E);
  if (bytes % 16 == 0 && (uintptr_t)from % 16 == 0) {
#pragma unroll
    for (int i = 0; i < bytes / 16; ++i) {
      union {
        uint4 bits;
        E element[16 / sizeof(E)];
      } wide;
      wide.bits = ((const uint4 *)from)[i];
#pragma unroll
      for (int k = 0; k < (int)(16 / sizeof(E)); ++k)
        to[i * (int)(16 / sizeof(E)) + k] = wide.element[k];
    }
  } else if (bytes == 8 && (uintptr_t)from % 8 == 0) {
    union {
      uint2 bits;
      E element[8 / sizeof(E)];
    } half;
    half.bits = *(const uint2 *)from;
#pragma unroll
    for (int k = 0; k < (int)(8 / sizeof(E)); ++k)
      to[k] = half.element[k];
  } else {
#pragma unroll
    for (int i = 0; i < count; ++i)
      to[i] = from[i];
  }
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

// Each block processes its share of the parts.
template <typename T, int threads, int loads>
__global__ void __launch_bounds__(threads, 1) spmv_blocks(Index y_n, Index p, const int *offsets, Index n, const T *values, const int *columns, const T *x, T *y) {
  const Index block = blockIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  // grid > warp: each (spmv.cdl:58), one part per warp
  after_earlier_grids();
  for (Index turn = block * (threads / 32); turn < y_n; turn += p * (threads / 32)) {
    const Index k = turn + warp;
    const Index offset = max(offsets[min_index(1 + k, y_n)], 0);
    const Index offset2 = max(offsets[min_index(k, y_n - 1)], 0);
    const Index part_begin = min_index(offset2, n);
    const Index part_end = min_index(offset, n);
    const Index until = k < y_n ? part_end : part_begin;
    // warp > thread: strided (sum_steps.cdl:33), one part per thread
    // thread > ilp: strided (sum_steps.cdl:33), each with its register slots; serial (sum_steps.cdl:6)
    const int per = 16 / (int)sizeof(T);
    T accum[per];
    #pragma unroll
    for (int s = 0; s < per; ++s)
      accum[s] = 0;
    const Index ahead = to_aligned(&values[part_begin]);
    const Index aligned = min_index(part_begin + ahead, until);
    const Index ragged = aligned + (until - aligned) / per * per;
    Index i = aligned + lane * per;
    const Index many = aligned + (until - aligned) / (32 * per * loads) * (32 * per * loads);
    #pragma unroll 1
    for (; i < many; i += 32 * per * loads) {
      T wide[loads * per];
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2)
        load_wide(&wide[k2 * per], &values[i + k2 * (32 * per)]);
      int wide2[loads * per];
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2)
        load_several(&wide2[k2 * per], &columns[i + k2 * (32 * per)], per);
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2) {
        #pragma unroll
        for (int s = 0; s < per; ++s)
          accum[s] += wide[k2 * per + s] * x[wide2[k2 * per + s]];
      }
    }
    // the last round
    const int left = (int)(ragged - i);
    if (left > 0) {
      T wide[loads * per];
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2) {
        if (k2 * (32 * per) < left)
          load_wide(&wide[k2 * per], &values[i + k2 * (32 * per)]);
      }
      int wide2[loads * per];
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2) {
        if (k2 * (32 * per) < left)
          load_several(&wide2[k2 * per], &columns[i + k2 * (32 * per)], per);
      }
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2) {
        #pragma unroll
        for (int s = 0; s < per; ++s) {
          if (k2 * (32 * per) < left)
            accum[s] += wide[k2 * per + s] * x[wide2[k2 * per + s]];
        }
      }
    }
    // what lies before the first and after the last 16 bytes
    const int head = (int)(aligned - part_begin);
    const Index end = lane < head ? part_begin + lane : ragged + (lane - head);
    if (end < until)
      accum[0] += values[end] * x[columns[end]];
    // thread: serial (sum_steps.cdl:6)
    T accum2 = 0;
    #pragma unroll
    for (Index i2 = 0; i2 < per; ++i2)
      accum2 += accum[i2];
    // warp: tree (sum_steps.cdl:47), exchanging registers
    T val = accum2;
    for (int offset3 = 16; offset3 > 0; offset3 /= 2) {
      T other = __shfl_down_sync(0xffffffff, val, offset3);
      val += other;
    }
    if (lane == 0 && (k < y_n))
      y[k] = val;
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int loads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const T *values, Index n, const int *columns, const int *offsets, Index offsets_n, const T *x, Index x_n, T *y, Index y_n, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(loads >= 1 && loads <= 16, "loads: 16-byte loads in flight, 1 to 16");
  if (n < 0 || offsets_n < 0 || x_n < 0 || y_n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > warp: each (spmv.cdl:58), one part per warp
  const Index p = min_index(max_index((y_n + threads / 32 - 1) / (threads / 32), 1), blocks);
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  {
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)p), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, spmv_blocks<T, threads, loads>, y_n, p, offsets, n, values, columns, x, y);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const spmv_configuration *c, void *workspace, size_t *workspace_bytes, const T *values, Index n, const int *columns, const int *offsets, Index offsets_n, const T *x, Index x_n, T *y, Index y_n, cudaStream_t stream) {
  const spmv_configuration own = {0, 0, 0, 0};
  if (c == nullptr) c = &own;
  const Index blocks = c->blocks ? c->blocks : 264; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS, LOADS) if (serves(THREADS, c->threads) && serves(LOADS, c->loads)) return run<T, THREADS, LOADS>(blocks, workspace, workspace_bytes, values, n, columns, offsets, offsets_n, x, x_n, y, y_n, stream);
  SPMV_6DC6961B_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace spmv_6dc6961b

#define ROW(THREADS, LOADS) {THREADS, LOADS, 264, 0},
// Those that were compiled; zeros end them.
extern "C" const spmv_configuration spmv_6dc6961b_configurations[];
const spmv_configuration spmv_6dc6961b_configurations[] = {SPMV_6DC6961B_CONFIGURATIONS(ROW) {0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t spmv_6dc6961b_float(const spmv_configuration *c, void *workspace, size_t *workspace_bytes, const float *values, uint64_t n, const int *columns, const int *offsets, uint64_t offsets_n, const float *x, uint64_t x_n, float *y, uint64_t y_n, cudaStream_t stream) {
  return spmv_6dc6961b::configured<float>(c, workspace, workspace_bytes, values, (spmv_6dc6961b::Index)n, columns, offsets, (spmv_6dc6961b::Index)offsets_n, x, (spmv_6dc6961b::Index)x_n, y, (spmv_6dc6961b::Index)y_n, stream);
}
