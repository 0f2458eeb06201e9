// greatest, variant 5011e1c8: grid.tiled!atomic(block.shared)
// Made by tgc from max.cdl for sm_60; this text is yours.
//
// shared-atomic, 1 kernel, determinism sequential: the operator gives the same bits in any order
// batch-invariant: the operator gives the same bits in any order
//
//   grid: regroups by `tiled', over its blocks (G3)
//     each part: block: computes by `shared' (B6)
//     results: accumulated atomically at the grid
//
// codelets
//   tiled        max.cdl:14
//   shared       max.cdl:61
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
#include <limits>

// The configurations that are compiled, C(threads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
#ifndef GREATEST_5011E1C8_CONFIGURATIONS
#define GREATEST_5011E1C8_CONFIGURATIONS(C) C(256)
#endif

#ifndef GREATEST_CONFIGURATION
#define GREATEST_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct greatest_configuration {
  int threads, loads;
  int64_t blocks;
} greatest_configuration;
#endif

namespace greatest_5011e1c8 {

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

// atomicMax_block for every element type of this file.
__device__ __forceinline__ void atomic_max_block(float *place, float value) {
  unsigned *word = (unsigned *)place;
  unsigned found = atomicCAS_block(word, 0, 0); // an atomic read
  for (;;) {
    const unsigned before = found;
    const unsigned after = __float_as_uint(max(__uint_as_float(found), value));
    if (after == before) return;
    found = atomicCAS_block(word, before, after);
    if (found == before) return;
  }
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
__global__ void greatest_identity(T *__restrict__ out) {
  out[0] = lowest<T>();
}

// Each block reduces its part and adds it to the accumulator.
template <typename T, int threads>
__global__ void __launch_bounds__(threads, 1) greatest_blocks(Index tile, Index n, const T *__restrict__ in, T *__restrict__ out) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  __shared__ T best;
  if (thread == 0)
    best = lowest<T>();
  // grid > block: tiled (max.cdl:14), one part per block
  const Index block_begin = min_index(block * tile, n);
  const Index block_end = min_index(tile + block * tile, n);
  // block: shared (max.cdl:61)
  T mine = thread < (block_end - block_begin) ? in[block_begin + thread] : lowest<T>();
  __syncthreads();
  atomic_max_block(&best, mine);
  __syncthreads();
  if (thread == 0)
    atomic_max(out, best);
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads>
cudaError_t run(void *workspace, size_t *workspace_bytes, const T *in, Index n, T *out, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  if (n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: tiled (max.cdl:14), one part per block
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
    const cudaError_t error = cudaLaunchKernel(greatest_identity<T>, dim3((unsigned)1), dim3(1), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  {
    void *args[] = {&tile, &n, &in, &out};
    const cudaError_t error = cudaLaunchKernel(greatest_blocks<T, threads>, dim3((unsigned)p), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const greatest_configuration *c, void *workspace, size_t *workspace_bytes, const T *in, Index n, T *out, cudaStream_t stream) {
  const greatest_configuration own = {0, 0, 0};
  if (c == nullptr) c = &own;
#define RUN(THREADS) if (serves(THREADS, c->threads)) return run<T, THREADS>(workspace, workspace_bytes, in, n, out, stream);
  GREATEST_5011E1C8_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace greatest_5011e1c8

#define ROW(THREADS) {THREADS, 0, 0},
// Those that were compiled; zeros end them.
extern "C" const greatest_configuration greatest_5011e1c8_configurations[];
const greatest_configuration greatest_5011e1c8_configurations[] = {GREATEST_5011E1C8_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

extern "C" cudaError_t greatest_5011e1c8_float(const greatest_configuration *c, void *workspace, size_t *workspace_bytes, const float *in, uint64_t n, float *out, cudaStream_t stream) {
  return greatest_5011e1c8::configured<float>(c, workspace, workspace_bytes, in, (greatest_5011e1c8::Index)n, out, stream);
}
