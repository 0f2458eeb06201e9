// sum, variant 6ee2075d (l): grid.tiled!atomic(block.tree)
// Made by tgc from sum.cdl for sm_60; this text is yours.
//
// global-atomic, 1 kernel, determinism not_guaranteed: atomics accumulate in the order of arrival: floating-point results differ from run to run (integers do not)
// not batch-invariant: the result depends on the order of arrival
//
//   grid: regroups by `tiled', over its blocks (G3)
//     each part: block: computes by `tree' (B5)
//     results: accumulated atomically at the grid
//
// codelets
//   tiled        sum.cdl:21
//   tree         sum.cdl:50
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
#ifndef SUM_6EE2075D_CONFIGURATIONS
#define SUM_6EE2075D_CONFIGURATIONS(C) C(256)
#endif

#ifndef SUM_CONFIGURATION
#define SUM_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct sum_configuration {
  int threads, loads;
  int64_t blocks;
} sum_configuration;
#endif

namespace sum_6ee2075d {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

__host__ __device__ constexpr Index max_index(Index x, Index y) { return x > y ? x : y; }

// Sets the accumulator to the operator's identity.
template <typename T>
__global__ void sum_identity(T *__restrict__ out) {
  out[0] = 0;
}

// Each block reduces its part and adds it to the accumulator.
template <typename T, int threads>
__global__ void __launch_bounds__(threads, 1) sum_blocks(Index tile, Index n, const T *__restrict__ in, T *__restrict__ out) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  __shared__ T partial[32];
  __shared__ T tmp[threads];
  if (thread < 32)
    partial[thread] = 0;
  // grid > block: tiled (sum.cdl:21), one part per block
  const Index block_begin = min_index(block * tile, n);
  const Index block_end = min_index(tile + block * tile, n);
  // block: tree (sum.cdl:50)
  T val = thread < (block_end - block_begin) ? in[block_begin + thread] : T(0);
  tmp[thread] = val;
  for (int offset = 16; offset > 0; offset /= 2) {
    __syncwarp();
    val += lane + offset < 32 ? tmp[thread + offset] : T(0);
    __syncwarp();
    tmp[thread] = val;
  }
  if (block_end - block_begin > 32) {
    __syncthreads();
    if (lane == 0)
      partial[warp] = val;
    __syncthreads();
    if (warp == 0) {
      val = partial[lane];
      partial[thread] = val;
      for (int offset = 16; offset > 0; offset /= 2) {
        __syncwarp();
        val += lane + offset < 32 ? partial[thread + offset] : T(0);
        __syncwarp();
        partial[thread] = val;
      }
    }
  }
  if (thread == 0)
    atomicAdd(out, val);
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads>
cudaError_t run(void *workspace, size_t *workspace_bytes, const T *in, Index n, T *out, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  if (n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: tiled (sum.cdl:21), one part per block
  const Index p = max_index((n + threads - 1) / threads, 1);
  if (p > 2147483647)
    return cudaErrorInvalidValue;
  Index tile = (n + p - 1) / p;
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  {
    void *args[] = {&out};
    const cudaError_t error = cudaLaunchKernel(sum_identity<T>, dim3((unsigned)1), dim3(1), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  {
    void *args[] = {&tile, &n, &in, &out};
    const cudaError_t error = cudaLaunchKernel(sum_blocks<T, threads>, dim3((unsigned)p), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const sum_configuration *c, void *workspace, size_t *workspace_bytes, const T *in, Index n, T *out, cudaStream_t stream) {
  const sum_configuration own = {0, 0, 0};
  if (c == nullptr) c = &own;
#define RUN(THREADS) if (serves(THREADS, c->threads)) return run<T, THREADS>(workspace, workspace_bytes, in, n, out, stream);
  SUM_6EE2075D_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace sum_6ee2075d

#define ROW(THREADS) {THREADS, 0, 0},
// Those that were compiled; zeros end them.
extern "C" const sum_configuration sum_6ee2075d_configurations[];
const sum_configuration sum_6ee2075d_configurations[] = {SUM_6EE2075D_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

extern "C" cudaError_t sum_6ee2075d_float(const sum_configuration *c, void *workspace, size_t *workspace_bytes, const float *in, uint64_t n, float *out, cudaStream_t stream) {
  return sum_6ee2075d::configured<float>(c, workspace, workspace_bytes, in, (sum_6ee2075d::Index)n, out, stream);
}
