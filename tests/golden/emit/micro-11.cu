// sum, variant 20e4b720: grid.asso_tiled(block.stride_tiled(thread.serial; block.kog); grid>block.stride_tiled(thread.serial; block.kog))
// Made by tgc from micro-2.cdl for sm_35; this text is yours.
//
// baseline, 2 kernels, determinism sequential: the operator gives the same bits in any order
// batch-invariant: the operator gives the same bits in any order
//
//   grid: regroups by `asso_tiled', over its blocks (G4)
//     each part: block: regroups by `stride_tiled', over its threads (B5)
//       each part: thread: computes by `serial' (T2)
//       results: block: computes by `kog' (B3)
//     results: grid: one block acts for all (G1)
//       block: regroups by `stride_tiled', over its threads (B5)
//         each part: thread: computes by `serial' (T2)
//         results: block: computes by `kog' (B3)
//
// codelets
//   asso_tiled   micro-2.cdl:26
//   stride_tiled micro-2.cdl:35
//   serial       micro-2.cdl:3
//   kog          micro-2.cdl:13
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
#ifndef SUM_20E4B720_CONFIGURATIONS
#define SUM_20E4B720_CONFIGURATIONS(C) C(256)
#endif

#ifndef SUM_CONFIGURATION
#define SUM_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct sum_configuration {
  int threads, loads;
  int64_t blocks;
} sum_configuration;
#endif

namespace sum_20e4b720 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

__host__ __device__ constexpr Index max_index(Index x, Index y) { return x > y ? x : y; }

// Each block reduces its part.
template <int threads>
__global__ void __launch_bounds__(threads, 1) sum_blocks(Index tile, Index n, const int *__restrict__ in, int *__restrict__ partial) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  __shared__ int tmp[threads];
  // grid > block: asso_tiled (micro-2.cdl:26), one part per block
  const Index block_begin = min_index(block * tile, n);
  const Index block_end = min_index(tile + block * tile, n);
  // block > thread: stride_tiled (micro-2.cdl:35), one part per thread
  const Index thread_begin = block_begin + thread;
  // thread: serial (micro-2.cdl:3)
  int accum = 0;
  for (Index i = thread_begin; i < block_end; i += threads)
    accum += in[i];
  // block: kog (micro-2.cdl:13)
  unsigned id = thread;
  tmp[id] = accum;
  for (unsigned s = 1u; s < threads; s *= 2u) {
    int value;
    __syncthreads();
    if (id >= s)
      value = tmp[id - s];
    __syncthreads();
    if (id >= s)
      tmp[id] += value;
  }
  __syncthreads();
  if (thread == 0)
    partial[block] = tmp[threads - 1];
}

// One block works for the whole grid.
template <int threads>
__global__ void __launch_bounds__(threads, 1) sum_one_block(Index p, int *__restrict__ partial, int *__restrict__ out) {
  const int thread = threadIdx.x;
  __shared__ int tmp[threads];
  // block > thread: stride_tiled (micro-2.cdl:35), one part per thread
  const Index thread_begin = thread;
  // thread: serial (micro-2.cdl:3)
  int accum = 0;
  for (Index i = thread_begin; i < p; i += threads)
    accum += partial[i];
  // block: kog (micro-2.cdl:13)
  unsigned id = thread;
  tmp[id] = accum;
  for (unsigned s = 1u; s < threads; s *= 2u) {
    int value;
    __syncthreads();
    if (id >= s)
      value = tmp[id - s];
    __syncthreads();
    if (id >= s)
      tmp[id] += value;
  }
  __syncthreads();
  if (thread == 0)
    out[0] = tmp[threads - 1];
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <int threads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const int *in, Index n, int *out, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  if (n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: asso_tiled (micro-2.cdl:26), one part per block
  const Index p = min_index(max_index((n + threads - 1) / threads, 1), blocks);
  Index tile = (n + p - 1) / p;
  const size_t need = 16 + (size_t)p * sizeof(int);
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  int *partial = (int *)((char *)workspace + 16);
  {
    void *args[] = {&tile, &n, &in, &partial};
    const cudaError_t error = cudaLaunchKernel(sum_blocks<threads>, dim3((unsigned)p), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  {
    void *args[] = {(void *)&p, &partial, &out};
    const cudaError_t error = cudaLaunchKernel(sum_one_block<threads>, dim3((unsigned)1), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
cudaError_t configured(const sum_configuration *c, void *workspace, size_t *workspace_bytes, const int *in, Index n, int *out, cudaStream_t stream) {
  const sum_configuration own = {0, 0, 0};
  if (c == nullptr) c = &own;
  const Index blocks = c->blocks ? c->blocks : 1024; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS) if (serves(THREADS, c->threads)) return run<THREADS>(blocks, workspace, workspace_bytes, in, n, out, stream);
  SUM_20E4B720_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace sum_20e4b720

#define ROW(THREADS) {THREADS, 0, 1024},
// Those that were compiled; zeros end them.
extern "C" const sum_configuration sum_20e4b720_configurations[];
const sum_configuration sum_20e4b720_configurations[] = {SUM_20E4B720_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

extern "C" cudaError_t sum_20e4b720_int(const sum_configuration *c, void *workspace, size_t *workspace_bytes, const int *in, uint64_t n, int *out, cudaStream_t stream) {
  return sum_20e4b720::configured(c, workspace, workspace_bytes, in, (sum_20e4b720::Index)n, out, stream);
}

extern "C" cudaError_t sum_20e4b720_float(const sum_configuration *c, void *workspace, size_t *workspace_bytes, const int *in, uint64_t n, int *out, cudaStream_t stream) {
  return sum_20e4b720::configured(c, workspace, workspace_bytes, in, (sum_20e4b720::Index)n, out, stream);
}

extern "C" cudaError_t sum_20e4b720_double(const sum_configuration *c, void *workspace, size_t *workspace_bytes, const int *in, uint64_t n, int *out, cudaStream_t stream) {
  return sum_20e4b720::configured(c, workspace, workspace_bytes, in, (sum_20e4b720::Index)n, out, stream);
}
