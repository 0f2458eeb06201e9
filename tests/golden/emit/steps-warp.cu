// softmax, variant 036ae1b3: grid.each/all-warps(warp.steps=(warp.strided(thread.serial; warp.tree+shuffle); warp.strided(thread.serial; warp.tree+shuffle); warp.strided(thread.serial)))
// Made by tgc from softmax.cdl for sm_80; this text is yours.
//
// shuffle, 1 kernel, determinism gpu_to_gpu: no atomics; the order depends only on constants of the variant and on n
// batch-invariant: the order depends on n alone: not on the address, the order of arrival or the device
//
//   grid: regroups by `each', over its lanes (G3x)
//     each part: warp: `steps' takes 3 steps (W6)
//       step 1: warp: regroups by `strided', over its threads (W18)
//         each part: thread: computes by `serial' (T16)
//         results: warp: computes by `tree', exchanging registers (W19)
//       step 2: warp: regroups by `strided', over its threads (W24)
//         each part: thread: computes by `serial' (T22)
//         results: warp: computes by `tree', exchanging registers (W25)
//       step 3: warp: regroups by `strided', over its threads (W30)
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
#ifndef SOFTMAX_036AE1B3_CONFIGURATIONS
#define SOFTMAX_036AE1B3_CONFIGURATIONS(C) C(256)
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

namespace softmax_036ae1b3 {

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
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  // grid > warp: each (softmax.cdl:104), one part per warp
  for (Index turn = block * (threads / 32); turn < rows; turn += p * (threads / 32)) {
    const Index k = turn + warp;
    const Index columns2 = k < rows ? columns : 0;
    // warp: steps (softmax.cdl:47)
    T top_found = 0;
    // warp > thread: strided (max_steps.cdl:28), one part per thread
    const Index thread_begin = lane;
    // thread: serial (max_steps.cdl:6)
    T best = lowest<T>();
    for (Index i = thread_begin; i < columns2; i += 32)
      best = max(best, A[k * leading + i]);
    // warp: tree (max_steps.cdl:38), exchanging registers
    T best2 = best;
    for (int offset = 16; offset > 0; offset /= 2) {
      T other = __shfl_down_sync(0xffffffff, best2, offset);
      best2 = max(best2, other);
    }
    if (lane == 0)
      top_found = best2;
    const T top = __shfl_sync(0xffffffff, top_found, 0);
    T total_found = 0;
    // warp > thread: strided (sum_steps.cdl:33), one part per thread
    const Index thread_begin2 = lane;
    // thread: serial (sum_steps.cdl:6)
    T accum = 0;
    for (Index i = thread_begin2; i < columns2; i += 32)
      accum += exp(A[k * leading + i] - top);
    // warp: tree (sum_steps.cdl:47), exchanging registers
    T val = accum;
    for (int offset = 16; offset > 0; offset /= 2) {
      T other = __shfl_down_sync(0xffffffff, val, offset);
      val += other;
    }
    if (lane == 0)
      total_found = val;
    const T total = __shfl_sync(0xffffffff, total_found, 0);
    const T scale = T(1) / total;
    // warp > thread: strided (softmax.cdl:39), one part per thread
    const Index thread_begin3 = lane;
    // thread: serial (softmax.cdl:22)
    {
      Index i = thread_begin3;
      #pragma unroll 1
      for (; i + 224 < columns2; i += 256) {
        T value[8];
        #pragma unroll
        for (int s = 0; s < 8; ++s)
          value[s] = exp(A[k * leading + (i + (Index)s * 32)] - top) * scale;
        #pragma unroll
        for (int s = 0; s < 8; ++s)
          Y[k * Y_leading + (i + (Index)s * 32)] = value[s];
      }
      #pragma unroll 1
      for (; i < columns2; i += 256) {
        T value2[8];
        #pragma unroll
        for (int s2 = 0; s2 < 8; ++s2) {
          if (i + (Index)s2 * 32 < columns2)
            value2[s2] = exp(A[k * leading + (i + (Index)s2 * 32)] - top) * scale;
        }
        #pragma unroll
        for (int s2 = 0; s2 < 8; ++s2) {
          if (i + (Index)s2 * 32 < columns2)
            Y[k * Y_leading + (i + (Index)s2 * 32)] = value2[s2];
        }
      }
    }
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, T *Y, Index Y_leading, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  if (rows < 0 || columns < 0 || leading < 0 || Y_leading < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > warp: each (softmax.cdl:104), one part per warp
  const Index p = min_index(max_index((rows + threads / 32 - 1) / (threads / 32), 1), blocks);
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
  SOFTMAX_036AE1B3_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace softmax_036ae1b3

#define ROW(THREADS) {THREADS, 0, 1024, 0, 0, 0},
// Those that were compiled; zeros end them.
extern "C" const softmax_configuration softmax_036ae1b3_configurations[];
const softmax_configuration softmax_036ae1b3_configurations[] = {SOFTMAX_036AE1B3_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t softmax_036ae1b3_float(const softmax_configuration *c, void *workspace, size_t *workspace_bytes, const float *A, uint64_t rows, uint64_t columns, uint64_t leading, float *Y, uint64_t Y_leading, cudaStream_t stream) {
  return softmax_036ae1b3::configured<float>(c, workspace, workspace_bytes, A, (softmax_036ae1b3::Index)rows, (softmax_036ae1b3::Index)columns, (softmax_036ae1b3::Index)leading, Y, (softmax_036ae1b3::Index)Y_leading, stream);
}
