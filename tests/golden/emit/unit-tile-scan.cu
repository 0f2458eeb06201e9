// inclusive_scan, variant ebe3923d: grid.whole=grid.sliding!look_back(block.scan_scan_add(warp.unit; block>warp.kogge_stone+shuffle))
// Made by tgc from scan.cdl for sm_90; this text is yours.
//
// shuffle, 1 kernel, determinism not_guaranteed: how far a block looks back depends on what the others have posted by then: floating-point results differ from run to run (integers do not)
// not batch-invariant: the result depends on what has been posted in time
//
//   grid: `whole' applies (G2)
//     grid: regroups by `sliding', over its blocks (G9)
//       each part: block: regroups by `scan_scan_add', over its warps (B7)
//         each part: warp: computes by `unit' (W10)
//         results: block: one warp acts for all (B11)
//           warp: computes by `kogge_stone', exchanging registers (W13)
//
// codelets
//   whole        scan.cdl:14
//   sliding      scan_steps.cdl:119
//   scan_scan_add scan_steps.cdl:85
//   unit         scan_steps.cdl:132
//   kogge_stone  carry_steps.cdl:26
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, loads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   loads: rows of a tile, 1 to 16
#ifndef INCLUSIVE_SCAN_EBE3923D_CONFIGURATIONS
#define INCLUSIVE_SCAN_EBE3923D_CONFIGURATIONS(C) C(256, 2)
#endif

#ifndef INCLUSIVE_SCAN_CONFIGURATION
#define INCLUSIVE_SCAN_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct inclusive_scan_configuration {
  int threads, loads;
  int64_t blocks;
} inclusive_scan_configuration;
#endif

namespace inclusive_scan_ebe3923d {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index max_index(Index x, Index y) { return x > y ? x : y; }

// Number of elements up to the next 16-byte boundary.
template <typename E> __host__ __device__ __forceinline__ Index to_aligned(const E *from) {
  return (Index)((16 - (uintptr_t)from % 16) % 16 / sizeof(E));
}

// A 16-byte store; `to` is aligned to 16 bytes. The compiler splits a plain store when single elements are stored
// next to it.
template <typename E> __device__ __forceinline__ void store_wide(E *to, const E *from) {
  union {
    uint4 bits;
    E element[16 / sizeof(E)];
  } wide;
#pragma unroll
  for (int i = 0; i < (int)(16 / sizeof(E)); ++i)
    wide.element[i] = from[i];
  __stwb((uint4 *)to, wide.bits);
}

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

// Elements in a register of a matrix unit.
template <typename E> constexpr int packed = sizeof(E) < 4 ? 4 / (int)sizeof(E) : 1;

// Of a lane's 4 neighbours in a row, and `below' further on in the one 8 rows below: its elements of the 16 x 16 of A whose
// inner dimension is in this order: lane by lane the first lane's 4, the second one's. B, read so, gives the same product.
template <typename E> __device__ __forceinline__ void part_of_a(E *to, const E *from, int below) {
#pragma unroll
  for (int e = 0; e < 8; ++e) {
    const int part = e / packed<E>;
    to[e] = from[part % 2 * below + part / 2 * packed<E> + e % packed<E>];
  }
}

// C += A B, of lanes' elements.
__device__ __forceinline__ void multiply(float *sums, const __half *of_a, const __half *of_b) {
#pragma unroll
  for (int k = 0; k < 16 / 16; ++k)
#pragma unroll
    for (int i = 0; i < 16 / 16; ++i) {
      float *c = sums + 2 * i;
      unsigned a[16 * 16 / 32 / packed<__half>], b[8 * 16 / 32 / packed<__half>];
      memcpy(a, of_a + k * (16 / 2) + i, sizeof a);
      memcpy(b, of_b + k * (16 / 4), sizeof b);
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
      asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else // tgc check's executor
      simt::multiply<__half, 16, 16>(c, a, b);
#endif
    }
}

// A warp's part of a tile has `rows' rows of 128 elements, of which a lane has 4 neighbours each. A row is 8 rows of A, of 16
// elements that 4 lanes have; the next one is the 8 rows below:
//
//   row 2 * q:      lanes 0 to 3: row 0 of A | lanes 4 to 7: row 1 | .. | lanes 28 to 31: row 7
//   row 2 * q + 1:                row 8      |               row 9 | .. |                 row 15
//
// Elements have 16 bits. Two of them are a word, which is not taken apart.
template <typename E> union PackedPair {
  unsigned word;
  E element[2];
};
template <typename E> __device__ __forceinline__ unsigned packed_pair(E x, E y) {
  PackedPair<E> p;
  p.element[0] = x, p.element[1] = y;
  return p.word;
}

// A lane's rows, the first at `from', of elements `at', at + 1, .. below `end': all at once where the whole tile is there.
template <int rows, typename E>
__device__ __forceinline__ void unit_load(E *to, const E *from, Index at, Index end, bool whole) {
  uint2 row[rows];
#pragma unroll
  for (int r = 0; r < rows; ++r)
    row[r] = whole ? *(const uint2 *)(from + 128 * r) : uint2{0, 0};
  if (!whole) {
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      E element[4];
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const Index i = at + 128 * r + e;
        element[e] = i >= 0 && i < end ? from[128 * r + e] : (E)0;
      }
      row[r] = uint2{packed_pair(element[0], element[1]), packed_pair(element[2], element[3])};
    }
  }
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const PackedPair<E> x = {row[r].x}, y = {row[r].y};
#pragma unroll
    for (int e = 0; e < 2; ++e)
      to[4 * r + e] = x.element[e], to[4 * r + 2 + e] = y.element[e];
  }
}

// Where a lane's rows go, of which a scan gives one after another: to registers; to memory, 16 bytes at once; to memory,
// those elements of at, at + 1, .. that are there.
template <typename T> struct UnitRegisters {
  T *to;
  __device__ __forceinline__ void put(int row, const T *four) const {
#pragma unroll
    for (int e = 0; e < 4; ++e)
      to[4 * row + e] = four[e];
  }
};
template <typename T> struct UnitWide {
  T *to;
  __device__ __forceinline__ void put(int row, const T *four) const { store_wide(to + 128 * row, four); }
};
template <typename T> struct UnitElements {
  T *to;
  Index at, end;
  __device__ __forceinline__ void put(int row, const T *four) const {
#pragma unroll
    for (int e = 0; e < 4; ++e)
      if (at + 128 * row + e >= 0 && at + 128 * row + e < end) to[128 * row + e] = four[e];
  }
};

// Of two rows of a lane's, its elements of A; of a number of rows that is odd the last one stands alone.
template <int rows, typename E> __device__ __forceinline__ void unit_rows(E *to, const E *from, int pair) {
  E both[8];
#pragma unroll
  for (int e = 0; e < 4; ++e) {
    both[e] = from[8 * pair + e];
    both[4 + e] = 2 * pair + 1 < rows ? from[(8 * pair + 4) % (4 * rows) + e] : (E)0;
  }
  part_of_a(to, both, 4);
}

// What this lane's value is with those of lanes that are so many times `first' below it, within `lanes' of them.
template <int first, int lanes, typename T> __device__ __forceinline__ T unit_upto(T value) {
#pragma unroll
  for (int by = first; by < lanes; by *= 2) {
    const T other = __shfl_up_sync(0xffffffff, value, by);
    if ((int)threadIdx.x % lanes >= by) value += other;
  }
  return value;
}

// before[0] is the sum of the warp's part. before[1] to [4] are what stands in it before rows of A: of four pairs of rows
// lane 4 * g + t has those of the one number t, row g and row 8 + g; then of the next four.
template <int rows, typename T, typename E> __device__ __forceinline__ void unit_sums(T *before, const E *from) {
  constexpr int pairs = (rows + 1) / 2, fours = (pairs + 3) / 4;
  static_assert(fours <= 2, "more rows than lanes keep sums of");
  const int lane = threadIdx.x % 32;
  const E ones[4] = {(E)1, (E)1, (E)1, (E)1};
  T own[4] = {0, 0, 0, 0};
#pragma unroll
  for (int pair = 0; pair < pairs; ++pair) {
    E part[8];
    T sums[4] = {0, 0, 0, 0};
    unit_rows<rows>(part, from, pair);
    multiply(sums, part, ones);
#pragma unroll
    for (int half = 0; half < 2; ++half)
      own[pair / 4 * 2 + half] = lane % 4 == pair % 4 ? (T)sums[2 * half] : own[pair / 4 * 2 + half];
  }
  T stands = 0;
#pragma unroll
  for (int four = 0; four < fours; ++four) {
    T row[2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const T upto = unit_upto<4, 32>(own[2 * four + half]), left = __shfl_up_sync(0xffffffff, upto, 4);
      before[1 + 2 * four + half] = lane < 4 ? (T)0 : left;
      row[half] = __shfl_sync(0xffffffff, upto, 28 + lane % 4);
    }
    const T upto = unit_upto<1, 4>(row[0] + row[1]), left = __shfl_up_sync(0xffffffff, upto, 1);
    const T first = lane % 4 == 0 ? stands : stands + left;
    before[1 + 2 * four] += first;
    before[2 + 2 * four] += first + row[0];
    stands += __shfl_sync(0xffffffff, upto, 3);
  }
  before[0] = stands;
}

// A lane's elements of the triangle's columns of product j: of column 4 * c + 2 * j + i the first so many rows are ones,
// where c and i are a half and a rest of the column that the lane has of B.
template <typename E> __device__ __forceinline__ void unit_triangle(E *to, int j) {
  const int lane = threadIdx.x % 32, ones = 4 * (lane / 8 - lane % 4) + 2 * j + lane / 4 % 2 + 1;
#pragma unroll
  for (int e = 0; e < 4; e += 2) {
    PackedPair<E> p = {packed_pair((E)1, (E)1)};
    p.word = ones >= e + 2 ? p.word : ones > e ? p.word & 0xffffu : 0u;
    to[e] = p.element[0], to[e + 1] = p.element[1];
  }
}

// A pair of rows by products: what stands before each, and those of the row itself.
template <int rows, typename T, typename E>
__device__ __forceinline__ void unit_multiplied(T (&row)[2][4], const E *from, int pair, const T *stands, const E *triangle) {
  E part[8];
  unit_rows<rows>(part, from, pair);
#pragma unroll
  for (int j = 0; j < 2; ++j) {
    T made[4] = {stands[0], stands[0], stands[1], stands[1]};
    multiply(made, part, triangle + 4 * j);
#pragma unroll
    for (int e = 0; e < 4; ++e)
      row[e / 2][2 * j + e % 2] = made[e];
  }
}

// The same by exchanges.
template <int rows, typename T, typename E>
__device__ __forceinline__ void unit_exchanged(T (&row)[2][4], const E *from, int pair, const T *stands) {
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    T own = 0;
#pragma unroll
    for (int e = 0; e < 4; ++e)
      row[half][e] = own += (T)from[(8 * pair + 4 * half + e) % (4 * rows)];
    const T left = __shfl_up_sync(0xffffffff, unit_upto<1, 4>(own), 1);
#pragma unroll
    for (int e = 0; e < 4; ++e)
      row[half][e] += threadIdx.x % 4 == 0 ? stands[half] : stands[half] + left;
  }
}

template <int rows, bool finite, typename To, typename T, typename E>
__device__ __forceinline__ void unit_pairs(const To to, const E *from, const T *before, T first) {
  const int lane = threadIdx.x % 32;
  E triangle[8];
  unit_triangle(triangle, 0);
  unit_triangle(triangle + 4, 1);
#pragma unroll
  for (int pair = 0; pair < (rows + 1) / 2; ++pair) {
    T stands[2], row[2][4];
#pragma unroll
    for (int half = 0; half < 2; ++half)
      stands[half] = __shfl_sync(0xffffffff, first + before[1 + pair / 4 * 2 + half], lane / 4 * 4 + pair % 4);
    if constexpr (finite)
      unit_multiplied<rows>(row, from, pair, stands, triangle);
    else
      unit_exchanged<rows>(row, from, pair, stands);
    to.put(2 * pair, row[0]);
    if (2 * pair + 1 < rows) to.put(2 * pair + 1, row[1]);
  }
}

// A lane's rows, each element with all before it, of what stands before the warp's part and in it. A product adds an
// element to those before it times 0, and 0 * infinity is no number: where the sum is none, lanes add up their elements by
// themselves.
template <int rows, typename To, typename T, typename E>
__device__ __forceinline__ void unit_rows_to(const To to, const E *from, const T *before, T first) {
  if (before[0] - before[0] == (T)0)
    unit_pairs<rows, true>(to, from, before, first);
  else
    unit_pairs<rows, false>(to, from, before, first);
}

template <int rows, typename T, typename E>
__device__ __forceinline__ void unit_scan(T *to, const E *from, const T *before, T first) {
  unit_rows_to<rows>(UnitRegisters<T>{to}, from, before, first);
}

// The same to memory, the first row at `to', of elements at, at + 1, .. below `end'.
template <int rows, typename T, typename E> __device__ __forceinline__
void unit_store(T *to, const E *from, const T *before, T first, Index at, Index end, bool whole) {
  if (__all_sync(0xffffffff, whole && (uintptr_t)to % 16 == 0))
    unit_rows_to<rows>(UnitWide<T>{to}, from, before, first);
  else
    unit_rows_to<rows>(UnitElements<T>{to, at, end}, from, before, first);
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
template <typename T> __device__ __forceinline__ T combined_lanes(T value, int lane) {
#pragma unroll
  for (int by = 1; by < 32; by *= 2) {
    const T other = __shfl_down_sync(0xffffffff, value, by);
    if (lane + by < 32) value = combine<T>(other, value);
  }
  return __shfl_sync(0xffffffff, value, 0);
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
template <typename E, typename T, int threads, int loads>
__global__ void __launch_bounds__(threads, resident(threads, threads * loads * 3 / 4)) inclusive_scan_tiles(unsigned long long *tickets, Index tiles, Index lead, Index n, const E *in, unsigned long long *posted, T *out) {
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  __shared__ unsigned long long taken;
  __shared__ T totals[threads / 32];
  __shared__ T carry;
  // grid > block: sliding (scan_steps.cdl:119), one tile per block, in the order in which they begin
  const int per = 16 / (int)sizeof(T);
  after_earlier_grids();
  if (thread == 0)
    taken = take_ticket(tickets, (unsigned)tiles);
  __syncthreads();
  const unsigned long long ticket = taken;
  const Index tile = (Index)(unsigned)ticket;
  const Index begin = tile * (threads * (loads * per)) - lead;
  const bool whole = begin >= 0 && (begin + threads * (loads * per) <= n);
  E wide[loads * per];
  T part[5];
  const Index at = begin + (warp * (32 * (loads * per)) + lane * per);
  unit_load<loads>(wide, &in[at], at, n, whole);
  // block: scan_scan_add (scan_steps.cdl:85)
  unit_sums<loads>(part, wide);
  T part2 = part[0];
  if (lane == 0)
    totals[warp] = part2;
  T before = 0;
  // warp: kogge_stone (carry_steps.cdl:26), exchanging registers
  __syncthreads();
  T val = lane < (threads / 32) ? totals[lane] : T(0);
  for (int offset = 1; offset < 32; offset *= 2) {
    T other = __shfl_up_sync(0xffffffff, val, offset);
    val += lane >= offset ? other : T(0);
  }
  T other = __shfl_up_sync(0xffffffff, val, 1);
  T before2 = lane > 0 ? other : T(0);
  if (lane < (threads / 32))
    before = before2;
  const T one = lane < (threads / 32) ? totals[lane] : T(0);
  const T all = __shfl_sync(0xffffffff, before + one, threads / 32 - 1);
  const T above = __shfl_sync(0xffffffff, before, warp);
  // the first warp looks back at what stands before the tile
  if (warp == 0) {
    const T found = look_back<T>(posted, tiles, tile, ticket, all);
    if (lane == 0)
      carry = found;
  }
  __syncthreads();
  const T before3 = carry + above;
  unit_store<loads>(&out[at], wide, part, before3, at, n, whole);
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename E, typename T, int threads, int loads>
cudaError_t run(void *workspace, size_t *workspace_bytes, const E *in, Index n, T *out, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(loads >= 1 && loads <= 16, "loads: rows of a tile, 1 to 16");
  if (n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: sliding (scan_steps.cdl:119), one tile per block
  const Index lead = (16 / (int)sizeof(T) - to_aligned(&in[0]) % (16 / (int)sizeof(T))) % (16 / (int)sizeof(T));
  const Index tiles = max_index((n + lead + threads * (loads * (16 / (int)sizeof(T))) - 1) / (threads * (loads * (16 / (int)sizeof(T)))), 1);
  if (tiles > 2147483647)
    return cudaErrorInvalidValue;
  const size_t need = 32784 + (size_t)tiles * words_of<T>() * sizeof(unsigned long long);
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
    const cudaError_t error = cudaLaunchKernelEx(&grid, inclusive_scan_tiles<E, T, threads, loads>, tickets, tiles, lead, n, in, posted, out);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename E, typename T>
cudaError_t configured(const inclusive_scan_configuration *c, void *workspace, size_t *workspace_bytes, const E *in, Index n, T *out, cudaStream_t stream) {
  const inclusive_scan_configuration own = {0, 0, 0};
  if (c == nullptr) c = &own;
#define RUN(THREADS, LOADS) if (serves(THREADS, c->threads) && serves(LOADS, c->loads)) return run<E, T, THREADS, LOADS>(workspace, workspace_bytes, in, n, out, stream);
  INCLUSIVE_SCAN_EBE3923D_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace inclusive_scan_ebe3923d

#define ROW(THREADS, LOADS) {THREADS, LOADS, 0},
// Those that were compiled; zeros end them.
extern "C" const inclusive_scan_configuration inclusive_scan_ebe3923d_configurations[];
const inclusive_scan_configuration inclusive_scan_ebe3923d_configurations[] = {INCLUSIVE_SCAN_EBE3923D_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

extern "C" cudaError_t inclusive_scan_ebe3923d_half(const inclusive_scan_configuration *c, void *workspace, size_t *workspace_bytes, const __half *in, uint64_t n, float *out, cudaStream_t stream) {
  return inclusive_scan_ebe3923d::configured<__half, float>(c, workspace, workspace_bytes, in, (inclusive_scan_ebe3923d::Index)n, out, stream);
}
