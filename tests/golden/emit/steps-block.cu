// softmax, variant b5e34b34: grid.each(block.steps=(block.strided/all(thread.serial; block.tree); block.strided/all(thread.serial; block.tree); block.strided/all(thread.serial)))
// Made by tgc from softmax.cdl for sm_80; this text is yours.
//
// baseline, 1 kernel, determinism gpu_to_gpu: no atomics; the order depends only on constants of the variant and on n
// batch-invariant: the order depends on n alone: not on the address, the order of arrival or the device
//
//   grid: regroups by `each', over its blocks (G3)
//     each part: block: `steps' takes 3 steps (B6)
//       step 1: block: regroups by `strided', over its lanes (B18x)
//         each part: thread: computes by `serial' (T16)
//         results: block: computes by `tree' (B19)
//       step 2: block: regroups by `strided', over its lanes (B24x)
//         each part: thread: computes by `serial' (T22)
//         results: block: computes by `tree' (B25)
//       step 3: block: regroups by `strided', over its lanes (B30x)
//         each part: thread: computes by `serial' (T28)
//
// codelets
//   each         softmax.cdl:104
//   steps        softmax.cdl:47
//   strided      max_steps.cdl:28
//   serial       max_steps.cdl:6
//   tree         max_steps.cdl:38
//   strided      sum_steps.cdl:33
//   serial       sum_steps.cdl:6
//   tree         sum_steps.cdl:47
//   strided      softmax.cdl:39
//   serial       softmax.cdl:22
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
#include <limits>

// The configurations that are compiled, C(threads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
#ifndef SOFTMAX_B5E34B34_CONFIGURATIONS
#define SOFTMAX_B5E34B34_CONFIGURATIONS(C) C(256)
#endif

#ifndef SOFTMAX_CONFIGURATION
#define SOFTMAX_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct softmax_configuration {
  int threads, loads;
  int64_t blocks;
  int lanes, tile_i, tile_j;
} softmax_configuration;
#endif

namespace softmax_b5e34b34 {

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

// Each block processes its share of the parts.
template <typename T, int threads>
__global__ void __launch_bounds__(threads, 1) softmax_blocks(Index rows, Index p, Index columns, const T *__restrict__ A, Index leading, T *__restrict__ Y, Index Y_leading) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  __shared__ T top_found;
  __shared__ T partial[32];
  __shared__ T tmp[threads];
  __shared__ T total_found;
  __shared__ T partial2[32];
  __shared__ T tmp2[threads];
  // grid > block: each (softmax.cdl:104), one part per block
  for (Index turn = block; turn < rows; turn += p) {
    if (thread < 32)
      partial[thread] = lowest<T>();
    if (thread < 32)
      partial2[thread] = 0;
    // block: steps (softmax.cdl:47)
    // block > thread: strided (max_steps.cdl:28), one part per thread
    const Index thread_begin = thread;
    // thread: serial (max_steps.cdl:6)
    T best = lowest<T>();
    for (Index i = thread_begin; i < columns; i += threads)
      best = max(best, A[turn * leading + i]);
    // block: tree (max_steps.cdl:38)
    T best2 = best;
    tmp[thread] = best2;
    for (int offset = 16; offset > 0; offset /= 2) {
      __syncwarp();
      best2 = max(best2, lane + offset < 32 ? tmp[thread + offset] : lowest<T>());
      __syncwarp();
      tmp[thread] = best2;
    }
    if (threads > 32) {
      __syncthreads();
      if (lane == 0)
        partial[warp] = best2;
      __syncthreads();
      if (warp == 0) {
        best2 = partial[lane];
        partial[thread] = best2;
        for (int offset = 16; offset > 0; offset /= 2) {
          __syncwarp();
          best2 = max(best2, lane + offset < 32 ? partial[thread + offset] : lowest<T>());
          __syncwarp();
          partial[thread] = best2;
        }
      }
    }
    if (thread == 0)
      top_found = best2;
    __syncthreads();
    const T top = top_found;
    // block > thread: strided (sum_steps.cdl:33), one part per thread
    const Index thread_begin2 = thread;
    // thread: serial (sum_steps.cdl:6)
    T accum = 0;
    for (Index i = thread_begin2; i < columns; i += threads)
      accum += exp(A[turn * leading + i] - top);
    // block: tree (sum_steps.cdl:47)
    T val = accum;
    tmp2[thread] = val;
    for (int offset = 16; offset > 0; offset /= 2) {
      __syncwarp();
      val += lane + offset < 32 ? tmp2[thread + offset] : T(0);
      __syncwarp();
      tmp2[thread] = val;
    }
    if (threads > 32) {
      if (lane == 0)
        partial2[warp] = val;
      __syncthreads();
      if (warp == 0) {
        val = partial2[lane];
        partial2[thread] = val;
        for (int offset = 16; offset > 0; offset /= 2) {
          __syncwarp();
          val += lane + offset < 32 ? partial2[thread + offset] : T(0);
          __syncwarp();
          partial2[thread] = val;
        }
      }
    }
    if (thread == 0)
      total_found = val;
    __syncthreads();
    const T total = total_found;
    const T scale = T(1) / total;
    // block > thread: strided (softmax.cdl:39), one part per thread
    const Index thread_begin3 = thread;
    // thread: serial (softmax.cdl:22)
    for (Index i = thread_begin3; i < columns; i += threads)
      Y[turn * Y_leading + i] = exp(A[turn * leading + i] - top) * scale;
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, T *Y, Index Y_leading, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  if (rows < 0 || columns < 0 || leading < 0 || Y_leading < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: each (softmax.cdl:104), one part per block
  const Index p = min_index(max_index(rows, 1), blocks);
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  {
    void *args[] = {&rows, (void *)&p, &columns, &A, &leading, &Y, &Y_leading};
    const cudaError_t error = cudaLaunchKernel(softmax_blocks<T, threads>, dim3((unsigned)p), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const softmax_configuration *c, void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, T *Y, Index Y_leading, cudaStream_t stream) {
  const softmax_configuration own = {0, 0, 0, 0, 0, 0};
  if (c == nullptr) c = &own;
  const Index blocks = c->blocks ? c->blocks : 1024; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS) if (serves(THREADS, c->threads)) return run<T, THREADS>(blocks, workspace, workspace_bytes, A, rows, columns, leading, Y, Y_leading, stream);
  SOFTMAX_B5E34B34_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace softmax_b5e34b34

#define ROW(THREADS) {THREADS, 0, 1024, 0, 0, 0},
// Those that were compiled; zeros end them.
extern "C" const softmax_configuration softmax_b5e34b34_configurations[];
const softmax_configuration softmax_b5e34b34_configurations[] = {SOFTMAX_B5E34B34_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t softmax_b5e34b34_float(const softmax_configuration *c, void *workspace, size_t *workspace_bytes, const float *A, uint64_t rows, uint64_t columns, uint64_t leading, float *Y, uint64_t Y_leading, cudaStream_t stream) {
  return softmax_b5e34b34::configured<float>(c, workspace, workspace_bytes, A, (softmax_b5e34b34::Index)rows, (softmax_b5e34b34::Index)columns, (softmax_b5e34b34::Index)leading, Y, (softmax_b5e34b34::Index)Y_leading, stream);
}
