// segmented_sum, variant 7371a05d: grid.each/bounded-warp/8s!in_block(warp/8.strided(thread.serial; warp/8.tree+shuffle); block.strided/all(thread.serial; block.tree+shuffle))
// Made by tgc from segmented_sum_offsets.cdl for sm_90; this text is yours.
//
// shuffle, 1 kernel, determinism gpu_to_gpu: atomics only count pieces of long parts, which are combined in their order; that depends only on constants of the variant and on a part's length
// batch-invariant: the order depends on a part's length alone: not on the address, the order of arrival or the device
//
//   grid: regroups by `each', over its block (G3bV)
//     each part: warp/8: regroups by `strided', over its threads (V7)
//       each part: thread: computes by `serial' (T5)
//       results: warp/8: computes by `tree', exchanging registers (V8)
//     a long part: block: regroups by `strided', over its lanes (B7x)
//       each part: thread: computes by `serial' (T5)
//       results: block: computes by `tree', exchanging registers (B8)
//
// codelets
//   each         segmented_sum_offsets.cdl:26
//   strided      sum_steps.cdl:33
//   serial       sum_steps.cdl:6
//   tree         sum_steps.cdl:47
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, loads, longest); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   loads: elements in flight, 1 to 16
//   longest: elements of a part that one lane goes through, 8, 16, 32, 64, 128 or 256
#ifndef SEGMENTED_SUM_7371A05D_CONFIGURATIONS
#define SEGMENTED_SUM_7371A05D_CONFIGURATIONS(C) C(256, 2, 32)
#endif

#ifndef SEGMENTED_SUM_CONFIGURATION
#define SEGMENTED_SUM_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct segmented_sum_configuration {
  int threads, loads;
  int64_t blocks;
  int longest;
} segmented_sum_configuration;
#endif

namespace segmented_sum_7371a05d {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

__host__ __device__ constexpr Index max_index(Index x, Index y) { return x > y ? x : y; }

// What counts is an integer of as many bytes.
template <int bytes> struct Counter;
template <> struct Counter<4> { typedef unsigned Word; };
template <> struct Counter<8> { typedef unsigned long long Word; };

// The next place: of so many, where they are counted.
template <typename Word> __device__ __forceinline__ Word next_place(Word *count) {
#ifdef __CUDA_ARCH__
  const unsigned lanes = __activemask(), before = lanes & ((1u << threadIdx.x % 32) - 1);
  Word at = 0;
  if (before == 0) at = atomicAdd(count, (Word)__popc(lanes));
  return __shfl_sync(lanes, at, __ffs((int)lanes) - 1) + (Word)__popc(before);
#else
  return atomicAdd(count, (Word)1);
#endif
}

template <typename T, typename C>
__device__ __forceinline__ void append(C *count, T value, T *queue, Index room) {
  const unsigned long long at = next_place((typename Counter<sizeof(C)>::Word *)count);
  if (at < (unsigned long long)room) queue[at] = value;
}

// A lane's places for so many elements: taken[1] of its warp's share of `here` from taken[0] on, and taken[3] of the
// queue's from taken[2] on, as far as it has room.
template <typename C> __device__ __forceinline__ void reserve(C *count, Index many, Index *taken, Index room) {
  typedef typename Counter<sizeof(C)>::Word Word;
  const Index at = many > 0 ? (Index)atomicAdd((Word *)count, (Word)many) : 0, left = at < room ? room - at : 0;
  taken[0] = taken[1] = 0;
  taken[2] = at;
  taken[3] = many < left ? many : left;
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

// Each block processes its share of the parts, then longer ones, one after another.
template <typename T, int threads, int longest>
__global__ void __launch_bounds__(threads, loads <= 2 && threads < 2048 ? 2048 / threads : 1) segmented_sum_blocks(Index out_n, Index p, const Index *offsets, Index n, const T *in, T *out) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  __shared__ Index met[threads / 8];
  __shared__ unsigned long_parts[1];
  __shared__ T partial2[32];
  // grid > warp/8: each (segmented_sum_offsets.cdl:26), one part per warp/8, if it is short
  after_earlier_grids();
  for (Index turn = block; turn < ((out_n + (Index)(threads / 8) - 1) / (Index)(threads / 8)); turn += p) {
    const Index first = turn * (Index)(threads / 8);
    __syncthreads();
    if (thread == 0)
      long_parts[0] = 0u;
    const Index k = first + thread / 8;
    const Index offset = max_index(offsets[min_index(1 + k, out_n)], 0);
    const Index offset2 = max_index(offsets[min_index(k, out_n - 1)], 0);
    const Index part_begin = min_index(offset2, n);
    const Index part_end = min_index(offset, n);
    const Index until = k < out_n ? part_end : part_begin;
    const Index begin = max_index(part_begin, 0);
    const Index length = until - begin;
    const bool fits = length <= (Index)(longest * 8);
    const Index short_end = fits ? until : begin;
    __syncthreads();
    if (lane % 8 == 0 && (k < out_n) && (length > (Index)(longest * 8))) {
      Index taken[4];
      reserve(&long_parts[0], 1, taken, (Index)(threads / 8));
      met[taken[2]] = k;
    }
    // warp/8 > thread: strided (sum_steps.cdl:33), one part per thread
    const Index thread_begin = begin + lane % 8;
    // thread: serial (sum_steps.cdl:6)
    T accum = 0;
    for (Index i2 = thread_begin; i2 < short_end; i2 += 8)
      accum += in[i2];
    // warp/8: tree (sum_steps.cdl:47), exchanging registers
    T val = accum;
    for (int offset3 = 4; offset3 > 0; offset3 /= 2) {
      T other = __shfl_down_sync(0xffffffff, val, offset3);
      val += other;
    }
    if (lane % 8 == 0 && (k < out_n) && fits)
      out[k] = val;
    __syncthreads();
    for (Index piece = 0; piece < (Index)long_parts[0]; ++piece) {
      if (thread < 32)
        partial2[thread] = 0;
      const Index k2 = min_index(max_index(met[piece], 0), out_n - 1);
      const Index offset3 = max_index(offsets[min_index(1 + k2, out_n)], 0);
      const Index offset4 = max_index(offsets[min_index(k2, out_n - 1)], 0);
      const Index part_begin2 = min_index(offset4, n);
      const Index part_end2 = min_index(offset3, n);
      // block > thread: strided (sum_steps.cdl:33), one part per thread
      const Index thread_begin2 = part_begin2 + thread;
      // thread: serial (sum_steps.cdl:6)
      T accum2 = 0;
      for (Index i2 = thread_begin2; i2 < part_end2; i2 += threads)
        accum2 += in[i2];
      // block: tree (sum_steps.cdl:47), exchanging registers
      T val2 = accum2;
      for (int offset5 = 16; offset5 > 0; offset5 /= 2) {
        T other = __shfl_down_sync(0xffffffff, val2, offset5);
        val2 += other;
      }
      if (threads > 32) {
        __syncthreads();
        if (lane == 0)
          partial2[warp] = val2;
        __syncthreads();
        if (warp == 0) {
          val2 = partial2[lane];
          for (int offset5 = 16; offset5 > 0; offset5 /= 2) {
            T other = __shfl_down_sync(0xffffffff, val2, offset5);
            val2 += other;
          }
        }
      }
      if (thread == 0)
        out[k2] = val2;
    }
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int loads, int longest>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const T *in, Index n, const Index *offsets, Index offsets_n, T *out, Index out_n, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(loads >= 1 && loads <= 16, "loads: elements in flight, 1 to 16");
  static_assert(longest >= 8 && longest <= 256 && (longest == 8 || longest == 16 || longest == 32 || longest == 64 || longest == 128 || longest == 256), "longest: elements of a part that one lane goes through, 8, 16, 32, 64, 128 or 256");
  if (n < 0 || offsets_n < 0 || out_n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > warp/8: each (segmented_sum_offsets.cdl:26), one part per warp/8, if it is short
  const Index p = min_index(max_index((out_n + threads / 8 - 1) / (threads / 8), 1), blocks);
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  {
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)p), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, segmented_sum_blocks<T, threads, longest>, out_n, p, offsets, n, in, out);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const segmented_sum_configuration *c, void *workspace, size_t *workspace_bytes, const T *in, Index n, const Index *offsets, Index offsets_n, T *out, Index out_n, cudaStream_t stream) {
  const segmented_sum_configuration own = {0, 0, 0, 0};
  if (c == nullptr) c = &own;
  const Index blocks = c->blocks ? c->blocks : 1024; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS, LOADS, LONGEST) if (serves(THREADS, c->threads) && serves(LOADS, c->loads) && serves(LONGEST, c->longest)) return run<T, THREADS, LOADS, LONGEST>(blocks, workspace, workspace_bytes, in, n, offsets, offsets_n, out, out_n, stream);
  SEGMENTED_SUM_7371A05D_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace segmented_sum_7371a05d

#define ROW(THREADS, LOADS, LONGEST) {THREADS, LOADS, 1024, LONGEST},
// Those that were compiled; zeros end them.
extern "C" const segmented_sum_configuration segmented_sum_7371a05d_configurations[];
const segmented_sum_configuration segmented_sum_7371a05d_configurations[] = {SEGMENTED_SUM_7371A05D_CONFIGURATIONS(ROW) {0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t segmented_sum_7371a05d_float(const segmented_sum_configuration *c, void *workspace, size_t *workspace_bytes, const float *in, uint64_t n, const long long *offsets, uint64_t offsets_n, float *out, uint64_t out_n, cudaStream_t stream) {
  return segmented_sum_7371a05d::configured<float>(c, workspace, workspace_bytes, in, (segmented_sum_7371a05d::Index)n, offsets, (segmented_sum_7371a05d::Index)offsets_n, out, (segmented_sum_7371a05d::Index)out_n, stream);
}
