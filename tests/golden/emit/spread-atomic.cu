// segmented_sum, variant a80c6b74: grid.each(block.tiled/spread!atomic(block.strided/all(thread.strided(ilp.serial; thread.serial); block.tree+shuffle)))
// Made by tgc from segmented_sum.cdl for sm_60; this text is yours.
//
// shuffle, 1 kernel, determinism not_guaranteed: atomics accumulate in the order of arrival: floating-point results differ from run to run (integers do not)
// not batch-invariant: the result depends on the order of arrival
//
//   grid: regroups by `each', over its blocks (G4)
//     each part: block: regroups by `tiled', over its share of the grid (B8g)
//       each part: block: regroups by `strided', over its lanes (B9x)
//         each part: thread: regroups by `strided', over its register slots (T9)
//           each part: ilp: computes by `serial' (I7)
//           results: thread: computes by `serial' (T7)
//         results: block: computes by `tree', exchanging registers (B10)
//       results: accumulated atomically where the part's is stored
//
// codelets
//   each         segmented_sum.cdl:44
//   tiled        sum_steps.cdl:18
//   strided      sum_steps.cdl:33
//   serial       sum_steps.cdl:6
//   tree         sum_steps.cdl:47
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, loads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   loads: 16-byte loads in flight, 1 to 16
#ifndef SEGMENTED_SUM_A80C6B74_CONFIGURATIONS
#define SEGMENTED_SUM_A80C6B74_CONFIGURATIONS(C) C(512, 2)
#endif

#ifndef SEGMENTED_SUM_CONFIGURATION
#define SEGMENTED_SUM_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct segmented_sum_configuration {
  int threads, loads;
  int64_t blocks;
} segmented_sum_configuration;
#endif

namespace segmented_sum_a80c6b74 {

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

// Sets the results to the operator's identity.
template <typename T, int threads>
__global__ void __launch_bounds__(threads, 1) segmented_sum_identity(Index out_n, Index beginning, T *__restrict__ out) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  for (Index part = block * threads + thread; part < out_n; part += beginning * threads)
    out[part] = 0;
}

// Each block processes one piece of each of its parts, and combines the partial results.
template <typename T, int threads, int loads>
__global__ void __launch_bounds__(threads, 1) segmented_sum_blocks(Index pieces, Index out_n, Index p, Index length, Index n, const T *__restrict__ in, T *__restrict__ out) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  __shared__ T partial[32];
  // grid > block: each (segmented_sum.cdl:44), one part per block
  const Index piece = block % pieces;
  const Index group = block / pieces;
  for (Index turn = group; turn < out_n; turn += p) {
    if (thread < 32)
      partial[thread] = 0;
    const Index part_begin = min_index(turn * length, n);
    const Index part_end = min_index(length + turn * length, n);
    // block: tiled (sum_steps.cdl:18), one piece of many
    Index len = part_end - part_begin;
    Index tile = (len + pieces - 1) / pieces;
    const int grain = threads * (16 / (int)sizeof(T));
    const Index whole_tile = (tile + grain - 1) / grain * grain;
    const Index piece_begin = min_index(part_begin + piece * whole_tile, part_end);
    const Index piece_end = min_index(part_begin + (whole_tile + piece * whole_tile), part_end);
    // block > thread: strided (sum_steps.cdl:33), one part per thread
    // thread > ilp: strided (sum_steps.cdl:33), each with its register slots; serial (sum_steps.cdl:6)
    const int per = 16 / (int)sizeof(T);
    T accum[per];
    #pragma unroll
    for (int s = 0; s < per; ++s)
      accum[s] = 0;
    const Index ahead = to_aligned(&in[piece_begin]);
    const Index aligned = min_index(piece_begin + ahead, piece_end);
    const Index ragged = aligned + (piece_end - aligned) / per * per;
    Index i = aligned + thread * per;
    const Index many = aligned + (piece_end - aligned) / (threads * per * loads) * (threads * per * loads);
    #pragma unroll 1
    for (; i < many; i += threads * per * loads) {
      T wide[loads * per];
      #pragma unroll
      for (int k = 0; k < loads; ++k)
        load_wide(&wide[k * per], &in[i + k * (threads * per)]);
      #pragma unroll
      for (int k = 0; k < loads; ++k) {
        #pragma unroll
        for (int s = 0; s < per; ++s)
          accum[s] += wide[k * per + s];
      }
    }
    // the last round
    const int left = (int)(ragged - i);
    if (left > 0) {
      T wide[loads * per];
      #pragma unroll
      for (int s = 0; s < (loads * per); ++s)
        wide[s] = 0;
      #pragma unroll
      for (int k = 0; k < loads; ++k) {
        if (k * (threads * per) < left)
          load_wide(&wide[k * per], &in[i + k * (threads * per)]);
      }
      #pragma unroll
      for (int k = 0; k < loads; ++k) {
        #pragma unroll
        for (int s = 0; s < per; ++s)
          accum[s] += wide[k * per + s];
      }
    }
    // what lies before the first and after the last 16 bytes
    const int head = (int)(aligned - piece_begin);
    const Index end = thread < head ? piece_begin + thread : ragged + (thread - head);
    if (end < piece_end)
      accum[0] += in[end];
    // thread: serial (sum_steps.cdl:6)
    T accum2 = 0;
    #pragma unroll
    for (Index i2 = 0; i2 < per; ++i2)
      accum2 += accum[i2];
    // block: tree (sum_steps.cdl:47), exchanging registers
    T val = accum2;
    for (int offset = 16; offset > 0; offset /= 2) {
      T other = __shfl_down_sync(0xffffffff, val, offset);
      val += other;
    }
    if (threads > 32) {
      __syncthreads();
      if (lane == 0)
        partial[warp] = val;
      __syncthreads();
      if (warp == 0) {
        val = partial[lane];
        for (int offset = 16; offset > 0; offset /= 2) {
          T other = __shfl_down_sync(0xffffffff, val, offset);
          val += other;
        }
      }
    }
    if (thread == 0)
      atomicAdd(&out[turn], val);
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int loads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const T *in, Index n, Index size, T *out, Index out_n, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(loads >= 1 && loads <= 16, "loads: 16-byte loads in flight, 1 to 16");
  if (n < 0 || size < 0 || out_n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: each (segmented_sum.cdl:44), one part per block
  Index length = min_index(size, n);
  // each part is shared: tiled (sum_steps.cdl:18)
  const Index groups = max_index(out_n, 1);
  const Index pieces = max_index(min_index(blocks / groups, (n / groups + threads * 4 - 1) / (threads * 4)), 1);
  const Index p = min_index(groups, blocks);
  const Index beginning = max_index(min_index((out_n + threads - 1) / threads, blocks), 1);
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  {
    void *args[] = {&out_n, (void *)&beginning, &out};
    const cudaError_t error = cudaLaunchKernel(segmented_sum_identity<T, threads>, dim3((unsigned)beginning), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  {
    void *args[] = {(void *)&pieces, &out_n, (void *)&p, &length, &n, &in, &out};
    const cudaError_t error = cudaLaunchKernel(segmented_sum_blocks<T, threads, loads>, dim3((unsigned)(p * pieces)), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const segmented_sum_configuration *c, void *workspace, size_t *workspace_bytes, const T *in, Index n, Index size, T *out, Index out_n, cudaStream_t stream) {
  const segmented_sum_configuration own = {0, 0, 0};
  if (c == nullptr) c = &own;
  const Index blocks = c->blocks ? c->blocks : 112; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS, LOADS) if (serves(THREADS, c->threads) && serves(LOADS, c->loads)) return run<T, THREADS, LOADS>(blocks, workspace, workspace_bytes, in, n, size, out, out_n, stream);
  SEGMENTED_SUM_A80C6B74_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace segmented_sum_a80c6b74

#define ROW(THREADS, LOADS) {THREADS, LOADS, 112},
// Those that were compiled; zeros end them.
extern "C" const segmented_sum_configuration segmented_sum_a80c6b74_configurations[];
const segmented_sum_configuration segmented_sum_a80c6b74_configurations[] = {SEGMENTED_SUM_A80C6B74_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

extern "C" cudaError_t segmented_sum_a80c6b74_double(const segmented_sum_configuration *c, void *workspace, size_t *workspace_bytes, const double *in, uint64_t n, uint64_t size, double *out, uint64_t out_n, cudaStream_t stream) {
  return segmented_sum_a80c6b74::configured<double>(c, workspace, workspace_bytes, in, (segmented_sum_a80c6b74::Index)n, (segmented_sum_a80c6b74::Index)size, out, (segmented_sum_a80c6b74::Index)out_n, stream);
}
