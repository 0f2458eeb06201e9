// copy_if, variant b4c07588: grid.placed=grid.sliding!look_back(block.scan_scan_add(warp.sliding/loop(warp.kogge_stone+shuffle); block>warp.kogge_stone+shuffle))
// Made by tgc from copy_if.cdl for sm_90; this text is yours.
//
// shuffle, 1 kernel, determinism sequential: the operator gives the same bits in any order
// batch-invariant: the operator gives the same bits in any order
//
//   grid: `placed' applies (G3)
//     grid: regroups by `sliding', over its blocks (G9)
//       each part: block: regroups by `scan_scan_add', over its warps (B7)
//         each part: warp: regroups by `sliding', over its iterations of a loop (W9s)
//           each part: warp: computes by `kogge_stone', exchanging registers (W6)
//         results: block: one warp acts for all (B4)
//           warp: computes by `kogge_stone', exchanging registers (W6)
//
// codelets
//   placed       copy_if.cdl:43
//   sliding      place_steps.cdl:167
//   scan_scan_add place_steps.cdl:135
//   kogge_stone  place_steps.cdl:90
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, loads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   loads: rows of a tile, 1 to 16
#ifndef COPY_IF_B4C07588_CONFIGURATIONS
#define COPY_IF_B4C07588_CONFIGURATIONS(C) C(256, 2)
#endif

#ifndef COPY_IF_CONFIGURATION
#define COPY_IF_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct copy_if_configuration {
  int threads, loads;
  int64_t blocks;
} copy_if_configuration;
#endif

namespace copy_if_b4c07588 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index max_index(Index x, Index y) { return x > y ? x : y; }

// How many blocks share a multiprocessor's registers, of which they keep 160 KB while they wait for others. A row
// is 16 bytes.
constexpr int resident(int threads, int rows) {
  return rows > 10240 ? 1 : 10240 / rows < 2048 / threads ? 10240 / rows : 2048 / threads;
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

// Low half: how many blocks began before this one. High half: the number of this call, which the last of `blocks`
// increments.
__device__ __forceinline__ unsigned long long take_ticket(unsigned long long *tickets, unsigned blocks) {
  const unsigned long long taken = atomicAdd(tickets, 1ull);
  if ((unsigned)taken == blocks - 1) atomicExch(tickets, ((taken >> 32) + 1) << 32);
  return taken;
}

// 64-bit loads and stores that bypass the L1 cache and are never torn.
#ifdef __CUDA_ARCH__
__device__ __forceinline__ void set_word(unsigned long long *to, unsigned long long word) { *(volatile unsigned long long *)to = word; }
__device__ __forceinline__ unsigned long long see_word(unsigned long long *from) { return *(volatile unsigned long long *)from; }
#else
__device__ inline void set_word(unsigned long long *to, unsigned long long word) { atomicExch(to, word); }
__device__ inline unsigned long long see_word(unsigned long long *from) { return atomicCAS(from, 0ull, 0ull); }
#endif

// Each tile posts two totals: its own, and that of all tiles before it (or up to it).
enum Posted { NOTHING, OWN, ALL };
template <typename T> __host__ __device__ constexpr int words_each() {
  return (int)((sizeof(T) + sizeof(unsigned) - 1) / sizeof(unsigned));
}
template <typename T> union Total {
  T value;
  unsigned word[words_each<T>()];
};

// What a call's words have in their upper halves, and a number more: which call it is. It is not 0, so a word that was
// never posted belongs to no call. Kernels that look back and such with a scanner may have the same workspace by turns.
__device__ __forceinline__ unsigned mark_of(unsigned long long taken) { return (unsigned)(taken >> 32) * 2 + 2; }
template <typename T> __device__ __forceinline__ T combine(T x, T y) { return x + y; }

// Both totals of a tile have one place, whose words say which it is: the total up to the tile takes the place of the
// tile's own. Places are 64 bytes apart. Side by side, blocks that post wait for one another and for all that look: on
// an H200 a compaction of 2^26 floats then took 139 us, in place of 125.
template <typename T> __host__ __device__ constexpr int words_of() { return (words_each<T>() + 7) / 8 * 8; }

// Two words, the first of which is at a multiple of 16 bytes: what is posted is posted together, and seen by one load.
struct PostedPair {
  unsigned long long word[2];
};
__device__ __forceinline__ void set_pair(unsigned long long *to, unsigned long long first, unsigned long long second) {
#ifdef __CUDA_ARCH__
  asm volatile("st.volatile.global.v2.u64 [%0], {%1, %2};" : : "l"(to), "l"(first), "l"(second) : "memory");
#else
  set_word(to, first);
  set_word(to + 1, second);
#endif
}
__device__ __forceinline__ PostedPair see_pair(unsigned long long *from) {
  PostedPair seen;
#ifdef __CUDA_ARCH__
  asm volatile("ld.volatile.global.v2.u64 {%0, %1}, [%2];"
               : "=l"(seen.word[0]), "=l"(seen.word[1]) : "l"(from) : "memory");
#else
  seen.word[0] = see_word(from);
  seen.word[1] = see_word(from + 1);
#endif
  return seen;
}

// A word's upper half is the call's mark, of a total of all one more.
template <typename T> __device__ __forceinline__
void post_at(unsigned long long *words, Index tile, unsigned long long taken, Posted what, T total) {
  unsigned long long *to = words + tile * words_of<T>();
  const unsigned long long mark = (unsigned long long)(mark_of(taken) + (what == ALL)) << 32;
  Total<T> bits;
  bits.value = total;
#pragma unroll
  for (int k = 0; k + 1 < words_each<T>(); k += 2)
    set_pair(&to[k], mark | bits.word[k], mark | bits.word[k + 1]);
  if (words_each<T>() % 2) set_word(&to[words_each<T>() - 1], mark | bits.word[words_each<T>() - 1]);
}

// What this call has posted there; all of its words are of one kind, or it is nothing yet.
template <typename T> __device__ __forceinline__
Posted posted_at(unsigned long long *words, Index tile, unsigned long long taken, T *total) {
  unsigned long long *from = words + tile * words_of<T>(), word[words_each<T>()];
#pragma unroll
  for (int k = 0; k + 1 < words_each<T>(); k += 2) {
    const PostedPair seen = see_pair(&from[k]);
    word[k] = seen.word[0];
    word[k + 1] = seen.word[1];
  }
  if (words_each<T>() % 2) word[words_each<T>() - 1] = see_word(&from[words_each<T>() - 1]);
  Total<T> bits;
  const unsigned mark = (unsigned)(word[0] >> 32);
  bool there = mark - mark_of(taken) < 2;
#pragma unroll
  for (int k = 0; k < words_each<T>(); k++) {
    there = there && (unsigned)(word[k] >> 32) == mark;
    bits.word[k] = (unsigned)word[k];
  }
  if (!there) return NOTHING;
  *total = bits.value;
  return mark % 2 ? ALL : OWN;
}

// What all lanes have together, those of higher numbers first.
template <typename T> __device__ __forceinline__ T combined_lanes(T value, int) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  // by parts of 22 bits, whose sums have 27
  const unsigned long long bits = (unsigned long long)value;
  const unsigned part = (1u << 22) - 1;
  T sum = (T)__reduce_add_sync(0xffffffff, (unsigned)bits & part);
  sum += (T)((unsigned long long)__reduce_add_sync(0xffffffff, (unsigned)(bits >> 22) & part) << 22);
  if (sizeof(T) > 4) sum += (T)((unsigned long long)__reduce_add_sync(0xffffffff, (unsigned)(bits >> 44)) << 44);
  return sum;
#else
#pragma unroll
  for (int by = 16; by > 0; by /= 2)
    value += __shfl_xor_sync(0xffffffff, value, by);
  return value;
#endif
}

// The exclusive prefix of a tile, by decoupled look-back: posts the tile's own total, then reads those of the tiles
// before it, 32 at a time, back to the first that has its inclusive prefix. Their blocks have begun.
template <typename T> __device__ __forceinline__ T look_back(unsigned long long *words, Index, Index tile,
                                                             unsigned long long taken, T total) {
  const int lane = threadIdx.x % 32;
  T carry = T(0);
  if (lane == 0) post_at<T>(words, tile, taken, tile == 0 ? ALL : OWN, total);
  if (tile == 0) return carry;
  bool found = false;
  for (Index from = tile - 1 - lane; !found; from -= 32) {
    T value = T(0);
    Posted what = from < 0 ? ALL : NOTHING;
    while (__any_sync(0xffffffff, what == NOTHING))
      if (what == NOTHING) what = posted_at<T>(words, from, taken, &value);
    const unsigned knew = __ballot_sync(0xffffffff, what == ALL);
    found = knew != 0;
    if (found && lane >= __ffs((int)knew)) value = T(0); // what stands before that is in it already
    carry = combine<T>(combined_lanes<T>(value, lane), carry);
  }
  if (lane == 0) post_at<T>(words, tile, taken, ALL, combine<T>(carry, total));
  return carry;
}

// Each block scans a tile, and finds its prefix by decoupled look-back.
template <typename T, int threads, int loads>
__global__ void __launch_bounds__(threads, resident(threads, threads * loads)) copy_if_tiles(unsigned long long *tickets, Index tiles, Index lead, Index n, const T *in, T bound, unsigned long long *posted, T *out, Index *out2) {
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  __shared__ unsigned long long taken;
  __shared__ int totals[threads / 32];
  __shared__ Index carry;
  // grid > block: sliding (place_steps.cdl:167), one tile per block, in the order in which they begin
  after_earlier_grids();
  if (thread == 0)
    taken = take_ticket(tickets, (unsigned)tiles);
  __syncthreads();
  const unsigned long long ticket = taken;
  const Index tile = (Index)(unsigned)ticket;
  const Index begin = tile * (threads * loads) - lead;
  int item[loads];
  const Index at = begin + (warp * (32 * loads) + lane);
  #pragma unroll
  for (int k = 0; k < loads; ++k) {
    const Index i = at + k * 32;
    item[k] = (i >= 0 && (i < n)) ? in[i] > bound ? 1 : 0 : 0;
  }
  // block: scan_scan_add (place_steps.cdl:135)
  // warp: sliding (place_steps.cdl:167)
  int running = 0;
  #pragma unroll
  for (int row = 0; row < loads; ++row) {
    int own2 = item[row];
    int before = 0;
    // warp: kogge_stone (place_steps.cdl:90), exchanging registers
    int val = own2;
    for (int offset = 1; offset < 32; offset *= 2) {
      int other = __shfl_up_sync(0xffffffff, val, offset);
      val += lane >= offset ? other : 0;
    }
    int other = __shfl_up_sync(0xffffffff, val, 1);
    int before2 = lane > 0 ? other : 0;
    before = before2;
    const int all = __shfl_sync(0xffffffff, before + own2, 31);
    item[row] = running + before;
    const int sum = running + all;
    running = sum;
  }
  if (lane == 0)
    totals[warp] = running;
  int before = 0;
  // warp: kogge_stone (place_steps.cdl:90), exchanging registers
  __syncthreads();
  int val = lane < (threads / 32) ? totals[lane] : 0;
  for (int offset = 1; offset < 32; offset *= 2) {
    int other = __shfl_up_sync(0xffffffff, val, offset);
    val += lane >= offset ? other : 0;
  }
  int other = __shfl_up_sync(0xffffffff, val, 1);
  int before2 = lane > 0 ? other : 0;
  if (lane < (threads / 32))
    before = before2;
  const int one = lane < (threads / 32) ? totals[lane] : 0;
  const int all = __shfl_sync(0xffffffff, before + one, threads / 32 - 1);
  const int above = __shfl_sync(0xffffffff, before, warp);
  // the first warp looks back at what stands before the tile
  if (warp == 0) {
    const Index found = look_back<Index>(posted, tiles, tile, ticket, all);
    if (lane == 0)
      carry = found;
  }
  #pragma unroll
  for (Index i = 0; i < loads; ++i)
    item[i] = above + item[i];
  __syncthreads();
  #pragma unroll
  for (int k = 0; k < loads; ++k) {
    const Index i = at + k * 32;
    if (i >= 0 && (i < n)) {
      const Index place = carry + item[k];
      if ((in[i] > bound ? 1 : 0) != 0)
        out[place] = in[i];
    }
  }
  const Index sum = carry + all;
  if (thread == 0 && (tile == tiles - 1))
    out2[0] = sum;
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int loads>
cudaError_t run(void *workspace, size_t *workspace_bytes, const T *in, Index n, T bound, T *out, Index *out2, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(loads >= 1 && loads <= 16, "loads: rows of a tile, 1 to 16");
  if (n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: sliding (place_steps.cdl:167), one tile per block
  const Index lead = 0;
  const Index tiles = max_index((n + lead + threads * loads - 1) / (threads * loads), 1);
  if (tiles > 2147483647)
    return cudaErrorInvalidValue;
  const size_t need = 32784 + (size_t)tiles * words_of<Index>() * sizeof(unsigned long long);
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  unsigned long long *tickets = (unsigned long long *)workspace;
  unsigned long long *posted = (unsigned long long *)((char *)workspace + 32784);
  {
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)tiles), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, copy_if_tiles<T, threads, loads>, tickets, tiles, lead, n, in, bound, posted, out, out2);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const copy_if_configuration *c, void *workspace, size_t *workspace_bytes, const T *in, Index n, T bound, T *out, Index *out2, cudaStream_t stream) {
  const copy_if_configuration own = {0, 0, 0};
  if (c == nullptr) c = &own;
#define RUN(THREADS, LOADS) if (serves(THREADS, c->threads) && serves(LOADS, c->loads)) return run<T, THREADS, LOADS>(workspace, workspace_bytes, in, n, bound, out, out2, stream);
  COPY_IF_B4C07588_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace copy_if_b4c07588

#define ROW(THREADS, LOADS) {THREADS, LOADS, 0},
// Those that were compiled; zeros end them.
extern "C" const copy_if_configuration copy_if_b4c07588_configurations[];
const copy_if_configuration copy_if_b4c07588_configurations[] = {COPY_IF_B4C07588_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

extern "C" cudaError_t copy_if_b4c07588_float(const copy_if_configuration *c, void *workspace, size_t *workspace_bytes, const float *in, uint64_t n, float bound, float *out, long long *out2, cudaStream_t stream) {
  return copy_if_b4c07588::configured<float>(c, workspace, workspace_bytes, in, (copy_if_b4c07588::Index)n, bound, out, out2, stream);
}
