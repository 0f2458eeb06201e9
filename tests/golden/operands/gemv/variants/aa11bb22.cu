// gemv, variant aa11bb22: grid.tiled(block.tree, block.tree)
// Made by tgc from sum.cdl for sm_60; this text is yours.
//
// baseline, 2 kernels, determinism gpu_to_gpu: every width is a constant or follows from n
// batch-invariant: the order follows from n
//
//   grid: regroups by `tiled', over its blocks (G3)
//     each part: block: computes by `tree' (B2)
//     results: block: computes by `tree' (B2)
//
// codelets
//   tiled        sum.cdl:4
//   tree         sum.cdl:3
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads); the first is the variant's own.
//   threads: lanes of a block, 32 to 1024, a multiple of 32
#ifndef GEMV_AA11BB22_CONFIGURATIONS
#define GEMV_AA11BB22_CONFIGURATIONS(C) C(128)
#endif

#ifndef GEMV_CONFIGURATION
#define GEMV_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct gemv_configuration {
  int threads, loads;
  int64_t blocks;
} gemv_configuration;
#endif

namespace gemv_aa11bb22 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index max_index(Index x, Index y) { return x > y ? x : y; }

template <typename E, typename T, int threads>
__global__ void __launch_bounds__(threads, 1) gemv_blocks(const E *__restrict__ A, Index rows, Index columns, Index leading, const E *__restrict__ x, T *__restrict__ y) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const Index row = block * threads + thread;
  if (row < rows) {
    T sum = 0;
    for (Index k = 0; k < columns; ++k)
      sum += (T)A[row * leading + k] * (T)x[k];
    y[row] = sum;
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename E, typename T, int threads>
cudaError_t run(void *workspace, size_t *workspace_bytes, const E *A, Index rows, Index columns, Index leading, const E *x, T *y, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: lanes of a block, 32 to 1024, a multiple of 32");
  if (rows < 0 || columns < 0 || leading < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  const Index blocks = max_index(1, (rows + (threads - 1)) / threads);
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  {
    void *args[] = {&A, &rows, &columns, &leading, &x, &y};
    const cudaError_t error = cudaLaunchKernel(gemv_blocks<E, T, threads>, dim3((unsigned)blocks), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename E, typename T>
cudaError_t configured(const gemv_configuration *c, void *workspace, size_t *workspace_bytes, const E *A, Index rows, Index columns, Index leading, const E *x, T *y, cudaStream_t stream) {
  const gemv_configuration own = {0, 0, 0};
  if (c == nullptr) c = &own;
#define RUN(THREADS) if (serves(THREADS, c->threads)) return run<E, T, THREADS>(workspace, workspace_bytes, A, rows, columns, leading, x, y, stream);
  GEMV_AA11BB22_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace gemv_aa11bb22

#define ROW(THREADS) {THREADS, 0, 0},
// Those that were compiled; zeros end them.
extern "C" const gemv_configuration gemv_aa11bb22_configurations[];
const gemv_configuration gemv_aa11bb22_configurations[] = {GEMV_AA11BB22_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

extern "C" cudaError_t gemv_aa11bb22_float(const gemv_configuration *c, void *workspace, size_t *workspace_bytes, const float *A, uint64_t rows, uint64_t columns, uint64_t leading, const float *x, float *y, cudaStream_t stream) {
  return gemv_aa11bb22::configured<float, float>(c, workspace, workspace_bytes, A, (gemv_aa11bb22::Index)rows, (gemv_aa11bb22::Index)columns, (gemv_aa11bb22::Index)leading, x, y, stream);
}

extern "C" cudaError_t gemv_aa11bb22_int8(const gemv_configuration *c, void *workspace, size_t *workspace_bytes, const signed char *A, uint64_t rows, uint64_t columns, uint64_t leading, const signed char *x, int *y, cudaStream_t stream) {
  return gemv_aa11bb22::configured<signed char, int>(c, workspace, workspace_bytes, A, (gemv_aa11bb22::Index)rows, (gemv_aa11bb22::Index)columns, (gemv_aa11bb22::Index)leading, x, y, stream);
}
