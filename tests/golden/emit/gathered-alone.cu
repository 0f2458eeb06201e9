// spmv, variant 51d7b544: grid.each/all-threads(thread.products=thread.serial)
// Made by tgc from spmv.cdl for sm_90; this text is yours.
//
// baseline, 1 kernel, determinism gpu_to_gpu: a lane runs another codelet than the sequential one, which may round differently
// batch-invariant: results are combined only in the order that a codelet gives
//
//   grid: regroups by `each', over its lanes (G3xT)
//     each part: thread: `products' applies (T6)
//       thread: computes by `serial' (T8)
//
// codelets
//   each         spmv.cdl:58
//   products     spmv.cdl:51
//   serial       sum_steps.cdl:6
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, loads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   loads: elements in flight, 1 to 16
#ifndef SPMV_51D7B544_CONFIGURATIONS
#define SPMV_51D7B544_CONFIGURATIONS(C) C(256, 2)
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

namespace spmv_51d7b544 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

__host__ __device__ constexpr Index max_index(Index x, Index y) { return x > y ? x : y; }

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
  const int thread = threadIdx.x;
  // grid > thread: each (spmv.cdl:58), one part per thread
  after_earlier_grids();
  for (Index turn = block * threads; turn < y_n; turn += p * threads) {
    const Index k = turn + thread;
    const Index offset = max(offsets[min_index(1 + k, y_n)], 0);
    const Index offset2 = max(offsets[min_index(k, y_n - 1)], 0);
    const Index part_begin = min_index(offset2, n);
    const Index part_end = min_index(offset, n);
    const Index until = k < y_n ? part_end : part_begin;
    // thread: serial (sum_steps.cdl:6), several elements at once
    T accum = 0;
    Index i = part_begin;
    #pragma unroll 1
    for (; i + loads <= until; i += loads) {
      T wide[loads];
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2)
        wide[k2] = values[i + k2];
      int wide2[loads];
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2)
        wide2[k2] = columns[i + k2];
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2)
        accum += wide[k2] * x[wide2[k2]];
    }
    const int left = (int)(until - i);
    if (left > 0) {
      T wide[loads];
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2) {
        if (k2 < left)
          wide[k2] = values[i + k2];
      }
      int wide2[loads];
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2) {
        if (k2 < left)
          wide2[k2] = columns[i + k2];
      }
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2) {
        if (k2 < left)
          accum += wide[k2] * x[wide2[k2]];
      }
    }
    if (k < y_n)
      y[k] = accum;
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int loads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const T *values, Index n, const int *columns, const int *offsets, Index offsets_n, const T *x, Index x_n, T *y, Index y_n, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(loads >= 1 && loads <= 16, "loads: elements in flight, 1 to 16");
  if (n < 0 || offsets_n < 0 || x_n < 0 || y_n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > thread: each (spmv.cdl:58), one part per thread
  const Index p = min_index(max_index((y_n + threads - 1) / threads, 1), blocks);
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
  const Index blocks = c->blocks ? c->blocks : 1024; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS, LOADS) if (serves(THREADS, c->threads) && serves(LOADS, c->loads)) return run<T, THREADS, LOADS>(blocks, workspace, workspace_bytes, values, n, columns, offsets, offsets_n, x, x_n, y, y_n, stream);
  SPMV_51D7B544_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace spmv_51d7b544

#define ROW(THREADS, LOADS) {THREADS, LOADS, 1024, 0},
// Those that were compiled; zeros end them.
extern "C" const spmv_configuration spmv_51d7b544_configurations[];
const spmv_configuration spmv_51d7b544_configurations[] = {SPMV_51D7B544_CONFIGURATIONS(ROW) {0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t spmv_51d7b544_float(const spmv_configuration *c, void *workspace, size_t *workspace_bytes, const float *values, uint64_t n, const int *columns, const int *offsets, uint64_t offsets_n, const float *x, uint64_t x_n, float *y, uint64_t y_n, cudaStream_t stream) {
  return spmv_51d7b544::configured<float>(c, workspace, workspace_bytes, values, (spmv_51d7b544::Index)n, columns, offsets, (spmv_51d7b544::Index)offsets_n, x, (spmv_51d7b544::Index)x_n, y, (spmv_51d7b544::Index)y_n, stream);
}
