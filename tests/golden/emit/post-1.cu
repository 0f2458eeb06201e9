// sum, variant 7ca3999c: grid.tiled!post(block.strided/all!atomic(thread.strided(ilp.serial; thread.serial)); grid>block.strided/all!atomic(thread.serial))
// Made by tgc from sum.cdl for sm_80; this text is yours.
//
// global-atomic, 1 kernel, determinism not_guaranteed: atomics accumulate in the order of arrival: floating-point results differ from run to run (integers do not)
// not batch-invariant: the result depends on the order of arrival
//
//   grid: regroups by `tiled', over its blocks (G3)
//     each part: block: regroups by `strided', over its lanes (B4x)
//       each part: thread: regroups by `strided', over its register slots (T4)
//         each part: ilp: computes by `serial' (I2)
//         results: thread: computes by `serial' (T2)
//       results: accumulated atomically at the block
//     results, posted to the last to begin: grid: one block acts for all (G1)
//       block: regroups by `strided', over its lanes (B4x)
//         each part: thread: computes by `serial' (T2)
//         results: accumulated atomically at the block
//
// codelets
//   tiled        sum.cdl:21
//   strided      sum.cdl:36
//   serial       sum.cdl:9
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, loads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   loads: 16-byte loads in flight, 1 to 16
#ifndef SUM_7CA3999C_CONFIGURATIONS
#define SUM_7CA3999C_CONFIGURATIONS(C) C(512, 2)
#endif

#ifndef SUM_CONFIGURATION
#define SUM_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct sum_configuration {
  int threads, loads;
  int64_t blocks;
} sum_configuration;
#endif

namespace sum_7ca3999c {

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

// Counts a block as it begins. True for the last of `blocks`: all others are running or done. Resets the counter to 0.
__device__ __forceinline__ bool begins_last(unsigned *begun, unsigned blocks) {
  return atomicInc(begun, blocks - 1) == blocks - 1;
}

// 64-bit loads and stores that bypass the L1 cache and are never torn.
#ifdef __CUDA_ARCH__
__device__ __forceinline__ void put_word(unsigned long long *to, unsigned long long word) { *(volatile unsigned long long *)to = word; }
__device__ __forceinline__ unsigned long long get_word(unsigned long long *from) { return *(volatile unsigned long long *)from; }
#else
__device__ inline void put_word(unsigned long long *to, unsigned long long word) { atomicExch(to, word); }
__device__ inline unsigned long long get_word(unsigned long long *from) { return atomicCAS(from, 0ull, 0ull); }
#endif

// Posts a result for the collecting block: 32 bits per word, below a mark that says the word is valid.
template <typename E> __device__ __forceinline__ void post(unsigned long long *posts, Index place, E value) {
  const int words = sizeof(E) / sizeof(unsigned);
  union {
    E value;
    unsigned word[words];
  } bits;
  bits.value = value;
#pragma unroll
  for (int k = 0; k < words; ++k)
    put_word(&posts[place * words + k], 1ull << 32 | bits.word[k]);
}

// Waits for a result, reads it, and clears its words for the next call.
template <typename E> __device__ __forceinline__ E collect(unsigned long long *posts, Index place) {
  const int words = sizeof(E) / sizeof(unsigned);
  union {
    E value;
    unsigned word[words];
  } bits;
#pragma unroll
  for (int k = 0; k < words; ++k) {
    unsigned long long word = get_word(&posts[place * words + k]);
    while (word >> 32 == 0)
      word = get_word(&posts[place * words + k]);
    put_word(&posts[place * words + k], 0);
    bits.word[k] = (unsigned)word;
  }
  return bits.value;
}

// Each block reduces its part; the last one to start combines the results.
template <typename T, int threads, int loads, bool once>
__global__ void __launch_bounds__(threads, 1) sum_blocks(unsigned *__restrict__ begun, Index p, Index whole_tile, Index n, const T *__restrict__ in, unsigned long long *__restrict__ posts, T *__restrict__ out, Index ahead) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  __shared__ T total;
  __shared__ bool last;
  __shared__ T parts[2048];
  __shared__ T total2;
  if (thread == 0)
    total = 0;
  if (thread == 0)
    total2 = 0;
  // grid > block: tiled (sum.cdl:21), one part per block
  bool begun_last = false;
  if (thread == 0)
    begun_last = begins_last(begun, (unsigned)p);
  const Index block_begin = min_index(block * whole_tile, n);
  const Index block_end = min_index(whole_tile + block * whole_tile, n);
  // block > thread: strided (sum.cdl:36), one part per thread
  // thread > ilp: strided (sum.cdl:36), each with its register slots; serial (sum.cdl:9)
  const int per = 16 / (int)sizeof(T);
  T accum[per];
  #pragma unroll
  for (int s = 0; s < per; ++s)
    accum[s] = 0;
  const Index aligned = min_index(block_begin + ahead, block_end);
  const Index ragged = aligned + (block_end - aligned) / per * per;
  Index i = aligned + thread * per;
  if (!once) {
    const Index many = aligned + (block_end - aligned) / (threads * per * loads) * (threads * per * loads);
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
  }
  // the last round; with it what lies before the first and after the last 16 bytes
  const int left = (int)(ragged - i);
  T wide[loads * per];
  #pragma unroll
  for (int s = 0; s < (loads * per); ++s)
    wide[s] = 0;
  #pragma unroll
  for (int k = 0; k < loads; ++k) {
    if (k * (threads * per) < left)
      load_wide(&wide[k * per], &in[i + k * (threads * per)]);
  }
  const int head = (int)(aligned - block_begin);
  const Index end = thread < head ? block_begin + thread : ragged + (thread - head);
  if (end < block_end)
    accum[0] += in[end];
  #pragma unroll
  for (int k = 0; k < loads; ++k) {
    #pragma unroll
    for (int s = 0; s < per; ++s)
      accum[s] += wide[k * per + s];
  }
  // thread: serial (sum.cdl:9)
  T accum2 = 0;
  #pragma unroll
  for (Index i2 = 0; i2 < per; ++i2)
    accum2 += accum[i2];
  __syncthreads();
  atomicAdd_block(&total, accum2);
  __syncthreads();
  if (thread == 0)
    post(posts, block, total);
  // the last block to begin combines the results
  if (thread == 0)
    last = begun_last;
  __syncthreads();
  if (last) {
    for (Index i2 = thread; i2 < p; i2 += threads)
      parts[i2] = collect<T>(posts, i2);
    // block > thread: strided (sum.cdl:36), one part per thread
    const Index thread_begin2 = thread;
    // thread: serial (sum.cdl:9)
    T accum3 = 0;
    __syncthreads();
    for (Index i3 = thread_begin2; i3 < p; i3 += threads)
      accum3 += parts[i3];
    atomicAdd_block(&total2, accum3);
    __syncthreads();
    if (thread == 0)
      out[0] = total2;
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int loads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const T *in, Index n, T *out, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(loads >= 1 && loads <= 16, "loads: 16-byte loads in flight, 1 to 16");
  if (n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: tiled (sum.cdl:21), one part per block
  const int grain = threads * (16 / (int)sizeof(T));
  const Index p = min_index(max_index((n + grain - 1) / grain, 1), blocks);
  Index tile = (n + p - 1) / p;
  const Index whole_tile = (tile + grain - 1) / grain * grain;
  const size_t need = 32784;
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  unsigned *begun = (unsigned *)workspace;
  unsigned long long *posts = (unsigned long long *)((char *)workspace + 16);
  {
    const bool once = whole_tile <= (threads * loads * (16 / (int)sizeof(T)));
    const Index ahead = to_aligned(&in[0]);
    void *args[] = {&begun, (void *)&p, (void *)&whole_tile, &n, &in, &posts, &out, (void *)&ahead};
    const cudaError_t error = cudaLaunchKernel(once ? sum_blocks<T, threads, loads, true> : sum_blocks<T, threads, loads, false>, dim3((unsigned)p), dim3(threads), args, 0, stream);
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
  const Index blocks = c->blocks ? c->blocks : 216; // maximum number of blocks, 1 to 2048
  if (blocks < 1 || blocks > 2048) return cudaErrorInvalidConfiguration;
#define RUN(THREADS, LOADS) if (serves(THREADS, c->threads) && serves(LOADS, c->loads)) return run<T, THREADS, LOADS>(blocks, workspace, workspace_bytes, in, n, out, stream);
  SUM_7CA3999C_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace sum_7ca3999c

#define ROW(THREADS, LOADS) {THREADS, LOADS, 216},
// Those that were compiled; zeros end them.
extern "C" const sum_configuration sum_7ca3999c_configurations[];
const sum_configuration sum_7ca3999c_configurations[] = {SUM_7CA3999C_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

extern "C" cudaError_t sum_7ca3999c_int(const sum_configuration *c, void *workspace, size_t *workspace_bytes, const int *in, uint64_t n, int *out, cudaStream_t stream) {
  return sum_7ca3999c::configured<int>(c, workspace, workspace_bytes, in, (sum_7ca3999c::Index)n, out, stream);
}

extern "C" cudaError_t sum_7ca3999c_double(const sum_configuration *c, void *workspace, size_t *workspace_bytes, const double *in, uint64_t n, double *out, cudaStream_t stream) {
  return sum_7ca3999c::configured<double>(c, workspace, workspace_bytes, in, (sum_7ca3999c::Index)n, out, stream);
}
