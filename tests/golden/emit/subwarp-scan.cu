// segmented_scan, variant c5e13643: grid.each/all-warp/8s(warp/8.sliding/loop(warp/8.sliding/loop(warp/8.scan_scan_add(thread.serial; warp/8.kogge_stone+shuffle))))
// Made by tgc from segmented_scan.cdl for sm_90; this text is yours.
//
// shuffle, 1 kernel, determinism run_to_run: no atomics, but where 16-byte loads begin depends on the input's alignment: the same address, the same result
// not batch-invariant: the result depends on the address: 16-byte loads begin where it is aligned
//
//   grid: regroups by `each', over its lanes (G3xV)
//     each part: warp/8: regroups by `sliding', over its iterations of a loop (V11s)
//       each part: warp/8: regroups by `sliding', over its iterations of a loop (V11s)
//         each part: warp/8: regroups by `scan_scan_add', over its threads (V9)
//           each part: thread: computes by `serial' (T6)
//           results: warp/8: computes by `kogge_stone', exchanging registers (V18)
//
// codelets
//   each         segmented_scan.cdl:28
//   sliding      scan_steps.cdl:119
//   scan_scan_add scan_steps.cdl:85
//   serial       scan_steps.cdl:13
//   kogge_stone  carry_steps.cdl:26
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, loads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   loads: rows of a tile, 1 to 16
#ifndef SEGMENTED_SCAN_C5E13643_CONFIGURATIONS
#define SEGMENTED_SCAN_C5E13643_CONFIGURATIONS(C) C(256, 2)
#endif

#ifndef SEGMENTED_SCAN_CONFIGURATION
#define SEGMENTED_SCAN_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct segmented_scan_configuration {
  int threads, loads;
  int64_t blocks;
} segmented_scan_configuration;
#endif

namespace segmented_scan_c5e13643 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

__host__ __device__ constexpr Index max_index(Index x, Index y) { return x > y ? x : y; }

// Number of elements up to the next 16-byte boundary.
template <typename E> __host__ __device__ __forceinline__ Index to_aligned(const E *from) {
  return (Index)((16 - (uintptr_t)from % 16) % 16 / sizeof(E));
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

// Each block processes its share of the parts.
template <typename E, typename T, int threads, int loads>
__global__ void __launch_bounds__(threads, 1) segmented_scan_blocks(Index segments, Index p, Index length, Index n, const E *in, T *out) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  // grid > warp/8: each (segmented_scan.cdl:28), one part per warp/8
  after_earlier_grids();
  for (Index turn = block * (threads / 8); turn < segments; turn += p * (threads / 8)) {
    const Index k = turn + thread / 8;
    const Index part_begin = min_index(k * length, n);
    const Index part_end = min_index(length + k * length, n);
    // warp/8: sliding (scan_steps.cdl:119), tile by tile
    const int per = 16 / (int)sizeof(T);
    const Index elements = part_end - part_begin;
    const Index lead = (per - to_aligned(&in[part_begin]) % per) % per;
    const Index tiles = (elements + lead + 8 * (loads * per) - 1) / (8 * (loads * per));
    T sum = 0;
    #pragma unroll 1
    for (Index tile = 0; __any_sync(0xffffffff, tile < tiles); ++tile) {
      const Index begin = tile * (8 * (loads * per)) - lead;
      const Index at = begin + lane % 8 * per;
      const bool whole = at >= 0 && (at + (loads - 1) * (8 * per) + per <= elements);
      T item[loads * per];
      if (whole) {
        E wide[loads * per];
        #pragma unroll
        for (int row = 0; row < loads; ++row)
          load_row<T>(&wide[row * per], &in[part_begin + (at + row * (8 * per))]);
        #pragma unroll
        for (int k2 = 0; k2 < (loads * per); ++k2)
          item[k2] = (T)wide[k2];
      }
      else {
        #pragma unroll
        for (int k2 = 0; k2 < (loads * per); ++k2) {
          const Index i = at + k2 / per * (8 * per) + k2 % per;
          item[k2] = (i >= 0 && (i < elements)) ? (T)in[part_begin + i] : T(0);
        }
      }
      // warp/8: sliding (scan_steps.cdl:119)
      T running = sum;
      #pragma unroll
      for (int row = 0; row < loads; ++row) {
        // warp/8: scan_scan_add (scan_steps.cdl:85)
        T accum = 0;
        #pragma unroll
        for (Index i = row * per; i < (row * per + per); ++i) {
          accum += item[i];
          item[i] = accum;
        }
        T before = 0;
        // warp/8: kogge_stone (carry_steps.cdl:26), exchanging registers
        T val = accum;
        for (int offset = 1; offset < 8; offset *= 2) {
          T other = __shfl_up_sync(0xffffffff, val, offset);
          val += lane % 8 >= offset ? other : T(0);
        }
        T other = __shfl_up_sync(0xffffffff, val, 1);
        T before2 = lane % 8 > 0 ? other : T(0);
        before = before2;
        const T all = __shfl_sync(0xffffffff, before + accum, lane / 8 * 8 + 7);
        const T before3 = running + before;
        #pragma unroll
        for (Index i = row * per; i < (row * per + per); ++i)
          item[i] = before3 + item[i];
        const T sum2 = running + all;
        running = sum2;
      }
      if (whole) {
        #pragma unroll
        for (int row = 0; row < loads; ++row)
          store_wide_anywhere(&out[part_begin + (at + row * (8 * per))], &item[row * per]);
      }
      else {
        #pragma unroll
        for (int k2 = 0; k2 < (loads * per); ++k2) {
          const Index i = at + k2 / per * (8 * per) + k2 % per;
          if (i >= 0 && (i < elements))
            out[part_begin + i] = item[k2];
        }
      }
      sum = running;
    }
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename E, typename T, int threads, int loads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const E *in, Index n, Index size, T *out, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(loads >= 1 && loads <= 16, "loads: rows of a tile, 1 to 16");
  if (n < 0 || size < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > warp/8: each (segmented_scan.cdl:28), one part per warp/8
  Index length = max_index(min_index(size, n), 1);
  Index segments = (n + length - 1) / length;
  const Index p = min_index(max_index((segments + threads / 8 - 1) / (threads / 8), 1), blocks);
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  {
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)p), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, segmented_scan_blocks<E, T, threads, loads>, segments, p, length, n, in, out);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename E, typename T>
cudaError_t configured(const segmented_scan_configuration *c, void *workspace, size_t *workspace_bytes, const E *in, Index n, Index size, T *out, cudaStream_t stream) {
  const segmented_scan_configuration own = {0, 0, 0};
  if (c == nullptr) c = &own;
  const Index blocks = c->blocks ? c->blocks : 1024; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS, LOADS) if (serves(THREADS, c->threads) && serves(LOADS, c->loads)) return run<E, T, THREADS, LOADS>(blocks, workspace, workspace_bytes, in, n, size, out, stream);
  SEGMENTED_SCAN_C5E13643_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace segmented_scan_c5e13643

#define ROW(THREADS, LOADS) {THREADS, LOADS, 1024},
// Those that were compiled; zeros end them.
extern "C" const segmented_scan_configuration segmented_scan_c5e13643_configurations[];
const segmented_scan_configuration segmented_scan_c5e13643_configurations[] = {SEGMENTED_SCAN_C5E13643_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

extern "C" cudaError_t segmented_scan_c5e13643_half(const segmented_scan_configuration *c, void *workspace, size_t *workspace_bytes, const __half *in, uint64_t n, uint64_t size, float *out, cudaStream_t stream) {
  return segmented_scan_c5e13643::configured<__half, float>(c, workspace, workspace_bytes, in, (segmented_scan_c5e13643::Index)n, (segmented_scan_c5e13643::Index)size, out, stream);
}
