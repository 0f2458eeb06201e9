// look_back.cuh: the exclusive prefix of each tile of a single-pass scan (MICRO VI-C).
//
// Each block posts its tile's total. Either it then looks back over the totals of the tiles before it (Merrill and
// Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016), or one block of the grid, the
// scanner, scans all totals in order, its warps in rotation, and posts each tile's prefix: then the order of
// combination is the same in every run, and each word is read by one warp alone. Progress does not depend on the
// scanner: a tile that waits too long scans the totals up to itself.
//
// A word of 64 bits holds 32 bits of a total below the number of the call that posted them. So a word is valid or
// it is not, and nothing has to be cleared between calls.
//
//   LOOK_BACK       look_back: a tile looks back over the totals before it
//   SCANNER         scan_totals, prior_total: one block scans the totals for all tiles
//   PARTS           the tiles form parts of `each' tiles that are scanned separately
//   COMBINE(x, y), IDENTITY   the scan's operator and its identity
//   SUMS            it adds whole numbers
//   SHUFFLE.. (value, lane)   a warp's shuffles, for values of any size (shuffles.cuh)
#include "alone.cuh"
#ifndef LOOK_BACK
#define LOOK_BACK 1
#endif
#ifndef SCANNER
#define SCANNER 1
#endif
#ifndef PARTS
#define PARTS 0
#endif
#ifndef SUMS
#define SUMS 0
#endif
#ifndef COMBINE
#define COMBINE(x, y) x + y
#define IDENTITY T(0)
#endif
#ifndef SHUFFLE
#define SHUFFLE(value, lane) __shfl_sync(0xffffffff, value, lane)
#define SHUFFLE_DOWN(value, by) __shfl_down_sync(0xffffffff, value, by)
#define SHUFFLE_UP(value, by) __shfl_up_sync(0xffffffff, value, by)
#endif
// ---- pasted from here on ----

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
template <typename T> __device__ __forceinline__ T combine(T x, T y) { return COMBINE(x, y); }
#if LOOK_BACK

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
#if SUMS
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
#else
template <typename T> __device__ __forceinline__ T combined_lanes(T value, int lane) {
#pragma unroll
  for (int by = 1; by < 32; by *= 2) {
    const T other = SHUFFLE_DOWN(value, by);
    if (lane + by < 32) value = combine<T>(other, value);
  }
  return SHUFFLE(value, 0);
}
#endif

// The exclusive prefix of a tile, by decoupled look-back: posts the tile's own total, then reads those of the tiles
// before it, 32 at a time, back to the first that has its inclusive prefix. Their blocks have begun.
template <typename T> __device__ __forceinline__ T look_back(unsigned long long *words, Index, Index tile,
#if PARTS
                                                             unsigned long long taken, T total, Index each) {
#else
                                                             unsigned long long taken, T total) {
#endif
  const int lane = threadIdx.x % 32;
  T carry = IDENTITY;
#if PARTS
  if (lane == 0) post_at<T>(words, tile, taken, tile % each == 0 ? ALL : OWN, total);
  if (tile % each == 0) return carry;
#else
  if (lane == 0) post_at<T>(words, tile, taken, tile == 0 ? ALL : OWN, total);
  if (tile == 0) return carry;
#endif
  bool found = false;
  for (Index from = tile - 1 - lane; !found; from -= 32) {
    T value = IDENTITY;
    Posted what = from < 0 ? ALL : NOTHING;
    while (__any_sync(0xffffffff, what == NOTHING))
      if (what == NOTHING) what = posted_at<T>(words, from, taken, &value);
    const unsigned knew = __ballot_sync(0xffffffff, what == ALL);
    found = knew != 0;
    if (found && lane >= __ffs((int)knew)) value = IDENTITY; // what stands before that is in it already
    carry = combine<T>(combined_lanes<T>(value, lane), carry);
  }
  if (lane == 0) post_at<T>(words, tile, taken, ALL, combine<T>(carry, total));
  return carry;
}
#endif
#if SCANNER

// Words of tiles lie side by side, as the scanner reads them: all tiles' own totals, and behind them what it tells.
#if !LOOK_BACK
template <typename T> __host__ __device__ constexpr int words_of() { return 2 * words_each<T>(); }
#endif
template <typename T> __device__ __forceinline__
unsigned long long *place_of(unsigned long long *words, Index tiles, Index tile, Posted what) {
  return words + ((what == ALL ? tiles : 0) + tile) * words_each<T>();
}
template <typename T> __device__ __forceinline__ void post_total(unsigned long long *to, unsigned long long taken, T total) {
  Total<T> bits;
  bits.value = total;
#pragma unroll
  for (int k = 0; k < words_each<T>(); k++)
    set_word(&to[k], (unsigned long long)mark_of(taken) << 32 | bits.word[k]);
}

// A total's words as read; `total` is valid if they are this call's.
template <typename T> struct Seen {
  unsigned long long word[words_each<T>()];
};
template <typename T> __device__ __forceinline__ Seen<T> see(unsigned long long *from) {
  Seen<T> seen;
#pragma unroll
  for (int k = 0; k < words_each<T>(); k++)
    seen.word[k] = see_word(&from[k]);
  return seen;
}
template <typename T> __device__ __forceinline__ bool holds_total(const Seen<T> &seen, unsigned long long taken, T *total) {
  Total<T> bits;
  bool there = true;
#pragma unroll
  for (int k = 0; k < words_each<T>(); k++) {
    there = there && seen.word[k] >> 32 == mark_of(taken);
    bits.word[k] = (unsigned)seen.word[k];
  }
  if (there) *total = bits.value;
  return there;
}
template <typename T> __device__ __forceinline__ bool see_total(unsigned long long *from, unsigned long long taken, T *total) {
  return holds_total<T>(see<T>(from), taken, total);
}

// How often to poll before giving up: the scanner may wait for a block that has no room to run while it does; a tile
// may wait for a scanner that gave up.
#ifdef __CUDA_ARCH__
enum { PATIENCE = 1 << 14 };
#else
enum { PATIENCE = 1 << 4 };
#endif
const unsigned long long GIVEN_UP = 0xfffffffeull << 32; // no turn has that number

// Scans the totals of tiles `from` to `upto` in order, 32 at a time, several such groups in flight, and posts each
// prefix as soon as the totals before it have arrived. Warps take turns: each passes the prefix on to the next turn in
// shared memory. The result does not depend on which warp does it. Gives up after PATIENCE polls, unless `patient`.
template <typename T, int groups> __device__ __forceinline__
void scan_from(unsigned long long *words, Index tiles, Index from, Index upto, T carry, bool patient,
#if PARTS
               unsigned long long taken, Index each, int warps, unsigned long long *handed) {
#else
               unsigned long long taken, int warps, unsigned long long *handed) {
#endif
  const int lane = threadIdx.x % 32;
  int vain = 0;
  unsigned long long turn = warps > 1 ? threadIdx.x / 32 : 0;
  from += 32 * groups * (Index)turn;
  Seen<T> next[groups];
#pragma unroll
  for (int g = 0; g < groups; g++)
    if (from + 32 * g + lane < upto) next[g] = see<T>(place_of<T>(words, tiles, from + 32 * g + lane, OWN));
  for (Index base = from; base < upto; base += 32 * groups * warps, turn += warps) {
    T own[groups];
    bool there[groups];
#if PARTS
    int ahead[groups]; // tiles of each one's part before it
#pragma unroll
    for (int g = 0; g < groups; g++)
      ahead[g] = (int)((unsigned)(base + 32 * g + lane) % (unsigned)each);
#endif
#pragma unroll
    for (int g = 0; g < groups; g++) {
      own[g] = IDENTITY;
      there[g] = base + 32 * g + lane >= upto || holds_total<T>(next[g], taken, &own[g]);
    }
#pragma unroll
    for (int g = 0; g < groups; g++) {
      const Index tile = base + 32 * (groups * warps + g) + lane;
      if (tile < upto) next[g] = see<T>(place_of<T>(words, tiles, tile, OWN));
    }
    for (bool begun = warps == 1 || turn == 0; !begun;) { // until its turn it looks again at what was not there
      Seen<T> again[groups];
#pragma unroll
      for (int g = 0; g < groups; g++)
        if (!there[g]) again[g] = see<T>(place_of<T>(words, tiles, base + 32 * g + lane, OWN));
      bool over = false;
      for (int k = 0; k < 8 && !begun && !over; k++) { // while those are on their way
        const Seen<T> said = see<T>(handed);
        begun = holds_total<T>(said, turn << 32, &carry);
        over = said.word[0] >> 32 == mark_of(GIVEN_UP);
      }
      if (__any_sync(0xffffffff, over)) return;
      begun = __all_sync(0xffffffff, begun);
#pragma unroll
      for (int g = 0; g < groups; g++)
        if (!there[g]) there[g] = holds_total<T>(again[g], taken, &own[g]);
    }
    int told = 0; // of the tiles of `group`
    for (int group = 0; group < groups;) {
#pragma unroll
      for (int g = 0; g < groups; g++)
        if (g >= group && !there[g])
          there[g] = see_total<T>(place_of<T>(words, tiles, base + 32 * g + lane, OWN), taken, &own[g]);
      if (!patient && ++vain > PATIENCE) {
        if (warps > 1 && lane == 0) post_total<T>(handed, GIVEN_UP, carry);
        return;
      }
      T sum[groups];
#pragma unroll
      for (int g = 0; g < groups; g++)
        sum[g] = there[g] ? own[g] : IDENTITY;
#pragma unroll
      for (int by = 1; by < 32; by *= 2)
#pragma unroll
        for (int g = 0; g < groups; g++) {
          const T other = SHUFFLE_UP(sum[g], by);
#if PARTS
          if (lane >= by && ahead[g] >= by) sum[g] = combine<T>(other, sum[g]);
#else
          if (lane >= by) sum[g] = combine<T>(other, sum[g]);
#endif
        }
#pragma unroll
      for (int g = 0; g < groups; g++) {
        const unsigned lacks = __ballot_sync(0xffffffff, !there[g]);
        const int known = lacks ? __ffs((int)lacks) - 1 : 32;
        if (g != group || (known == told && known < 32)) continue;
        vain = 0;
        const T before = SHUFFLE_UP(sum[g], 1), all = SHUFFLE(sum[g], 31);
        const Index tile = base + 32 * g + lane;
        if (lane >= told && lane < known && tile < upto)
#if PARTS
          post_total<T>(place_of<T>(words, tiles, tile, ALL), taken,
                        ahead[g] == 0 ? IDENTITY // nothing
                        : ahead[g] <= lane ? before // of these tiles alone
                        : lane == 0 ? carry : combine<T>(carry, before));
#else
          post_total<T>(place_of<T>(words, tiles, tile, ALL), taken, lane == 0 ? carry : combine<T>(carry, before));
#endif
        told = known;
        if (known == 32) {
#if PARTS
          carry = __shfl_sync(0xffffffff, ahead[g], 31) < 32 ? all : combine<T>(carry, all);
#else
          carry = combine<T>(carry, all);
#endif
          told = 0;
          ++group;
        }
      }
    }
    if (warps > 1 && lane == 0) post_total<T>(handed, (turn + 1) << 32, carry);
  }
}

// The scanner: one block posts the prefix of every tile. `handed`: shared memory, as many words as a total has.
template <typename T> __device__ __forceinline__ void scan_totals(unsigned long long *words, Index tiles,
#if PARTS
                                                                  unsigned long long taken, Index each,
#else
                                                                  unsigned long long taken,
#endif
                                                                  unsigned long long *handed) {
  if (threadIdx.x < words_each<T>()) handed[threadIdx.x] = 0; // no turn's
  __syncthreads();
#if PARTS
  scan_from<T, 4>(words, tiles, 0, tiles, IDENTITY, false, taken, each, blockDim.x / 32, handed);
#else
  scan_from<T, 4>(words, tiles, 0, tiles, IDENTITY, false, taken, blockDim.x / 32, handed);
#endif
}

// The exclusive prefix of a tile: posts the tile's own total, and waits for the scanner's answer. After PATIENCE polls
// it scans the totals itself, from the last known prefix on: the blocks before it have begun, and post their totals
// before they wait. Called by one warp.
template <typename T> __device__ __forceinline__ T prior_total(unsigned long long *words, Index tiles, Index tile,
#if PARTS
                                                               unsigned long long taken, T total, Index each) {
#else
                                                               unsigned long long taken, T total) {
#endif
  const int lane = threadIdx.x % 32;
  unsigned long long *mine = place_of<T>(words, tiles, tile, ALL);
  T prior = IDENTITY;
  bool told = false;
  if (lane == 0) {
    post_total<T>(place_of<T>(words, tiles, tile, OWN), taken, total);
    for (int vain = 0; !told && vain < PATIENCE; vain++)
      told = see_total<T>(mine, taken, &prior);
  }
  if (__all_sync(0xffffffff, told || lane > 0)) return prior;
  Index from = tile / 32 * 32;
  T carry = IDENTITY;
  for (bool known = false; from > 0 && !known;) {
    known = see_total<T>(place_of<T>(words, tiles, from, ALL), taken, &carry);
    known = __all_sync(0xffffffff, known);
    if (!known) from -= 32;
  }
  if (from == 0) carry = IDENTITY;
  // beside what the block holds in registers
#if PARTS
  scan_from<T, 1>(words, tiles, from, tile + 1, carry, true, taken, each, 1, nullptr);
#else
  scan_from<T, 1>(words, tiles, from, tile + 1, carry, true, taken, 1, nullptr);
#endif
  __syncwarp();
  while (lane == 0 && !told)
    told = see_total<T>(mine, taken, &prior);
  __syncwarp();
  return prior;
}
#endif
