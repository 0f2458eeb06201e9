// segmented_sum, variant 98355287: grid.each/bounded-warp/8s(warp/8.strided(thread.serial; warp/8.tree+shuffle); warp.strided(thread.serial; warp.tree+shuffle); warp.strided(thread.serial; warp.tree+shuffle))
// Made by tgc from segmented_sum_offsets.cdl for sm_90; this text is yours.
//
// shuffle, 2 kernels, determinism gpu_to_gpu: atomics only count pieces of long parts, which are combined in their order; that depends only on constants of the variant and on a part's length
// batch-invariant: the order depends on a part's length alone: not on the address, the order of arrival or the device
//
//   grid: regroups by `each', over its block (G3bV)
//     each part: warp/8: regroups by `strided', over its threads (V7)
//       each part: thread: computes by `serial' (T5)
//       results: warp/8: computes by `tree', exchanging registers (V8)
//     results: warp: regroups by `strided', over its threads (W7)
//       each part: thread: computes by `serial' (T5)
//       results: warp: computes by `tree', exchanging registers (W8)
//     pieces of long parts: warp: regroups by `strided', over its threads (W7)
//       each part: thread: computes by `serial' (T5)
//       results: warp: computes by `tree', exchanging registers (W8)
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
#ifndef SEGMENTED_SUM_98355287_CONFIGURATIONS
#define SEGMENTED_SUM_98355287_CONFIGURATIONS(C) C(256, 2, 32)
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

namespace segmented_sum_98355287 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

__host__ __device__ constexpr Index max_index(Index x, Index y) { return x > y ? x : y; }

// Counts a block as it finishes. True for the last of `blocks`, which sees the others' stores. Resets the counter to 0.
__device__ __forceinline__ bool arrives_last(unsigned *arrived, unsigned blocks) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  unsigned before;
  asm volatile("atom.acq_rel.gpu.inc.u32 %0, [%1], %2;" : "=r"(before) : "l"(arrived), "r"(blocks - 1) : "memory");
#else
  __threadfence();
  const unsigned before = atomicInc(arrived, blocks - 1);
  __threadfence();
#endif
  return before == blocks - 1;
}

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

// Each block processes its share of the parts, and queues longer ones.
template <typename T, int threads, int loads, int longest>
__global__ void __launch_bounds__(threads, loads <= 2 && threads < 2048 ? 2048 / threads : 1) segmented_sum_blocks(Index out_n, Index p, const Index *offsets, Index n, unsigned long long *queued, Index most2, Index *queued_part, Index *queued_begin, Index *queued_end, Index *queued_first, unsigned *queued_done, const T *in, T *out) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  // grid > warp/8: each (segmented_sum_offsets.cdl:26), one part per warp/8, if it is short
  after_earlier_grids();
  for (Index turn = block * (threads / 8); turn < out_n; turn += p * (threads / 8)) {
    const Index k = turn + thread / 8;
    const Index offset = max_index(offsets[min_index(1 + k, out_n)], 0);
    const Index offset2 = max_index(offsets[min_index(k, out_n - 1)], 0);
    const Index part_begin = min_index(offset2, n);
    const Index part_end = min_index(offset, n);
    const Index until = k < out_n ? part_end : part_begin;
    const Index begin = max_index(part_begin, 0);
    const Index length = until - begin;
    const bool fits = length <= (Index)(longest * 8);
    const Index short_end = fits ? until : begin;
    if (lane % 8 == 0 && (k < out_n) && (length > (Index)(longest * 8))) {
      Index taken[4];
      reserve(&queued[0], 4294967296ll + (length + (Index)(loads * 128) - 1) / (Index)(loads * 128), taken, 4611686018427387904ll);
      const Index place = taken[2] >> 32;
      if (place < most2) {
        queued_part[place] = k;
        queued_begin[place] = begin;
        queued_end[place] = until;
        queued_first[place] = taken[2] & 4294967295ll;
        queued_done[place] = 0u;
      }
    }
    // warp/8 > thread: strided (sum_steps.cdl:33), one part per thread
    const Index thread_begin = begin + lane % 8;
    // thread: serial (sum_steps.cdl:6)
    T accum = 0;
    for (Index i = thread_begin; i < short_end; i += 8)
      accum += in[i];
    // warp/8: tree (sum_steps.cdl:47), exchanging registers
    T val = accum;
    for (int offset3 = 4; offset3 > 0; offset3 /= 2) {
      T other = __shfl_down_sync(0xffffffff, val, offset3);
      val += other;
    }
    if (lane % 8 == 0 && (k < out_n) && fits)
      out[k] = val;
  }
}

// Each warp reduces pieces of longer parts; the last one of a part combines these.
template <typename T, int threads, int loads>
__global__ void __launch_bounds__(threads, threads < 1024 ? 1024 / threads : 1) segmented_sum_long(unsigned long long *queued, Index most2, Index most_pieces, Index reducing, Index *queued_first, Index *queued_part, Index out_n, Index *queued_begin, Index n, Index *queued_end, const Index *offsets, const T *in, T *out, T *partial, unsigned *queued_done, unsigned *arrived) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  __shared__ Index waiting;
  __shared__ Index pieces;
  after_earlier_grids();
  if (thread == 0) {
    waiting = min_index((Index)queued[0] >> 32, most2);
    pieces = min_index((Index)queued[0] & 4294967295ll, most_pieces);
  }
  __syncthreads();
  for (Index piece = block * (threads / 32) + warp; piece < pieces; piece += reducing * (threads / 32)) {
    Index place = 0;
    Index high = waiting;
    while (high - place > 1) {
      const Index step = (high - place + 7) / 8;
      Index before = 0;
      #pragma unroll
      for (int k = 1; k < 8; ++k)
        before = before + (queued_first[min_index(place + (Index)k * step, high - 1)] <= piece ? 1 : 0);
      place = min_index(place + before * step, high - 1);
      high = min_index(place + step, high);
    }
    const Index k2 = min_index(max_index(queued_part[place], 0), out_n - 1);
    const Index first = queued_first[place];
    const Index begin = min_index(max_index(queued_begin[place], 0), n);
    const Index end = min_index(max_index(queued_end[place], 0), n);
    const Index many = (end - begin + (Index)(loads * 128) - 1) / (Index)(loads * 128);
    const Index from = max_index(min_index(begin + (piece - first) * (Index)(loads * 128), end), begin);
    const Index to = min_index(from + (Index)(loads * 128), end);
    int is_last = 0;
    int last = 0;
    // warp > thread: strided (sum_steps.cdl:33), one part per thread
    const Index thread_begin = from + lane;
    // thread: serial (sum_steps.cdl:6)
    T accum = 0;
    for (Index i = thread_begin; i < to; i += 32)
      accum += in[i];
    // warp: tree (sum_steps.cdl:47), exchanging registers
    T val = accum;
    for (int offset3 = 16; offset3 > 0; offset3 /= 2) {
      T other = __shfl_down_sync(0xffffffff, val, offset3);
      val += other;
    }
    if (many == 1) {
      if (lane == 0)
        out[k2] = val;
    }
    else {
      if (lane == 0) {
        partial[piece] = val;
        is_last = arrives_last(&queued_done[place], (unsigned)many) ? 1 : 0;
      }
      last = __shfl_sync(0xffffffff, is_last, 0);
      __syncwarp();
      if (last != 0) {
        // warp > thread: strided (sum_steps.cdl:33), one part per thread
        const Index thread_begin2 = first + lane;
        // thread: serial (sum_steps.cdl:6)
        T accum2 = 0;
        for (Index i = thread_begin2; i < (first + many); i += 32)
          accum2 += partial[i];
        // warp: tree (sum_steps.cdl:47), exchanging registers
        T val2 = accum2;
        for (int offset3 = 16; offset3 > 0; offset3 /= 2) {
          T other = __shfl_down_sync(0xffffffff, val2, offset3);
          val2 += other;
        }
        if (lane == 0)
          out[k2] = val2;
      }
    }
  }
  if (thread == 0 && (waiting > 0) && arrives_last(arrived, (unsigned)reducing))
    queued[0] = 0ull;
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
  const Index most2 = n / (Index)(longest * 8) + 1;
  const Index most_pieces = n / (Index)(loads * 128) + most2;
  const Index reducing = min_index((most_pieces + threads / 32 - 1) / (threads / 32), 135168 / (Index)threads);
  const size_t need = 32784 + ((size_t)most2 * sizeof(Index) + 15) / 16 * 16 + ((size_t)most2 * sizeof(Index) + 15) / 16 * 16 + ((size_t)most2 * sizeof(Index) + 15) / 16 * 16 + ((size_t)most2 * sizeof(Index) + 15) / 16 * 16 + ((size_t)most2 * sizeof(unsigned) + 15) / 16 * 16 + (size_t)most_pieces * sizeof(T);
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  unsigned *arrived = (unsigned *)workspace;
  unsigned long long *queued = (unsigned long long *)((char *)workspace + 8);
  Index *queued_part = (Index *)((char *)workspace + 32784);
  Index *queued_begin = (Index *)((char *)queued_part + ((size_t)most2 * sizeof(Index) + 15) / 16 * 16);
  Index *queued_end = (Index *)((char *)queued_begin + ((size_t)most2 * sizeof(Index) + 15) / 16 * 16);
  Index *queued_first = (Index *)((char *)queued_end + ((size_t)most2 * sizeof(Index) + 15) / 16 * 16);
  unsigned *queued_done = (unsigned *)((char *)queued_first + ((size_t)most2 * sizeof(Index) + 15) / 16 * 16);
  T *partial = (T *)((char *)queued_done + ((size_t)most2 * sizeof(unsigned) + 15) / 16 * 16);
  {
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)p), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, segmented_sum_blocks<T, threads, loads, longest>, out_n, p, offsets, n, queued, most2, queued_part, queued_begin, queued_end, queued_first, queued_done, in, out);
    if (error != cudaSuccess) return error;
  }
  if (n > (Index)(longest * 8)) {
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)reducing), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, segmented_sum_long<T, threads, loads>, queued, most2, most_pieces, reducing, queued_first, queued_part, out_n, queued_begin, n, queued_end, offsets, in, out, partial, queued_done, arrived);
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
  SEGMENTED_SUM_98355287_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace segmented_sum_98355287

#define ROW(THREADS, LOADS, LONGEST) {THREADS, LOADS, 1024, LONGEST},
// Those that were compiled; zeros end them.
extern "C" const segmented_sum_configuration segmented_sum_98355287_configurations[];
const segmented_sum_configuration segmented_sum_98355287_configurations[] = {SEGMENTED_SUM_98355287_CONFIGURATIONS(ROW) {0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t segmented_sum_98355287_float(const segmented_sum_configuration *c, void *workspace, size_t *workspace_bytes, const float *in, uint64_t n, const long long *offsets, uint64_t offsets_n, float *out, uint64_t out_n, cudaStream_t stream) {
  return segmented_sum_98355287::configured<float>(c, workspace, workspace_bytes, in, (segmented_sum_98355287::Index)n, offsets, (segmented_sum_98355287::Index)offsets_n, out, (segmented_sum_98355287::Index)out_n, stream);
}
