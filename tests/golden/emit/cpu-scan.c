// inclusive_scan, variant 74e1d453: process.whole=process.sliding!chained(thread.sliding/loop(thread.kogge_stone+shuffle); thread.strided(lane.strided(ilp.serial; lane.serial); thread.tree))
// Made by tgc from scan.cdl for avx2; this text is yours.
//
// shuffle, 1 kernel, determinism run_to_run: no atomics, but the order depends on widths that follow from the machine's figures
// not batch-invariant: the result depends on the machine's figures
//
//   process: `whole' applies (P2)
//     process: regroups by `sliding', over its threads (P9)
//       each part: thread: regroups by `sliding', over its iterations of a loop (T9s)
//         each part: thread: computes by `kogge_stone', exchanging registers (T5)
//       its total, before: thread: regroups by `strided', over its lanes (T21)
//         each part: lane: regroups by `strided', over its register slots (L21)
//           each part: ilp: computes by `serial' (I19)
//           results: lane: computes by `serial' (L19)
//         results: thread: computes by `tree' (T22)
//
// codelets
//   whole        scan.cdl:14
//   sliding      scan_steps.cdl:119
//   kogge_stone  scan_steps.cdl:26
//   strided      sum_steps.cdl:33
//   serial       sum_steps.cdl:6
//   tree         sum_steps.cdl:47
#ifndef TYPE

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#else
#define omp_get_num_procs() 1
#define omp_get_max_threads() 1
#define omp_get_thread_num() 0
#define omp_get_num_threads() 1
#endif
#if defined __unix__ || defined __APPLE__
#include <sched.h>
#define rest() sched_yield()
#else
#define rest() ((void)0)
#endif

// Loops that copy stay loops: what GCC copies by itself goes by halves of a vector, and whoever reads the whole
// waits for them. Nobody asks for errno after a root.
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-tree-loop-distribute-patterns", "no-math-errno")
#endif

// The configurations that are compiled, C(threads, loads); the first is the variant's own.
//   threads: lanes per vector, 8
//   loads: vectors in flight, 1 to 16
#ifndef INCLUSIVE_SCAN_74E1D453_CONFIGURATIONS
#define INCLUSIVE_SCAN_74E1D453_CONFIGURATIONS(C) C(8, 2)
#endif

#ifndef INCLUSIVE_SCAN_CONFIGURATION
#define INCLUSIVE_SCAN_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct inclusive_scan_configuration {
  int threads, loads;
  int64_t blocks;
} inclusive_scan_configuration;
#endif

typedef long long Index; // sizes and positions
enum { threads = 8 }; // lanes per vector

static inline Index min_index(Index x, Index y) { return x < y ? x : y; }

static inline Index max_index(Index x, Index y) { return x > y ? x : y; }

#ifndef CGROUP
#define CGROUP "/sys/fs/cgroup"
#endif
// A file's first numbers; how many are there.
static int numbers(const char *path, long long *first, long long *second) {
  FILE *file = fopen(path, "r");
  const int found = file ? fscanf(file, "%lld %lld", first, second) : 0;
  if (file) fclose(file);
  return found;
}

// How many processors' time a container may use, a part of one counted as one.
static int quota(void) {
  long long time = 0, period = 0, none;
  if (numbers(CGROUP "/cpu.max", &time, &period) != 2) {
    numbers(CGROUP "/cpu/cpu.cfs_quota_us", &time, &none);
    numbers(CGROUP "/cpu/cpu.cfs_period_us", &period, &none);
  }
  if (time <= 0 || period <= 0 || time / period >= INT_MAX) return INT_MAX; // as many as there are
  return (int)(time / period) + (time % period > 0);
}

// How many processors there are to use; it is asked for once.
static inline int processors(void) {
  static int known;
  int many;
  #pragma omp atomic read
  many = known;
  if (many == 0) {
    const int allowed = quota();
    many = omp_get_num_procs();
    if (many > allowed) many = allowed;
    #pragma omp atomic write
    known = many;
  }
  return many;
}

// How many threads do the work of so many: as many as OpenMP is told to have.
static inline int at_once(Index workers) {
  return workers < omp_get_max_threads() ? (int)workers : omp_get_max_threads();
}

// Each lane takes another one's element: whose, say the lists of the first half of the lanes, and of the second.
#define LIST(...) __VA_ARGS__
#define EXCHANGE_ANY(to, from, low, high) do { \
    static const unsigned char whose[threads] = {LIST low, LIST high}; \
    for (int lane = 0; lane < threads; ++lane) (to)[lane] = (from)[whose[lane]]; \
  } while (0)
#if defined __clang__ || (defined __GNUC__ && __GNUC__ >= 12)
#define EXCHANGE_4(to, from, low, high) do { \
    typedef __typeof__(*(to)) Element; \
    typedef Element Vector __attribute__((vector_size(threads * sizeof(Element)))); \
    Vector lanes_moved; \
    memcpy(&lanes_moved, from, sizeof lanes_moved); \
    lanes_moved = __builtin_shufflevector(lanes_moved, lanes_moved, LIST low, LIST high); \
    memcpy(to, &lanes_moved, sizeof lanes_moved); \
  } while (0)
#define EXCHANGE_8(to, from, low, high) do { \
    typedef __typeof__(*(to)) Element; \
    typedef Element Vector __attribute__((vector_size(threads / 2 * sizeof(Element)))); \
    Vector lanes_moved[2], lanes_given[2]; \
    memcpy(lanes_given, from, sizeof lanes_given); \
    lanes_moved[0] = __builtin_shufflevector(lanes_given[0], lanes_given[1], LIST low); \
    lanes_moved[1] = __builtin_shufflevector(lanes_given[0], lanes_given[1], LIST high); \
    memcpy(to, lanes_moved, sizeof lanes_moved); \
  } while (0)
#else
#define EXCHANGE_4 EXCHANGE_ANY
#define EXCHANGE_8 EXCHANGE_ANY
#endif

// How many have taken a tile that was nobody's.
static inline Index next_tile(unsigned long long *tickets) {
  unsigned long long tile;
  #pragma omp atomic capture
  tile = tickets[0]++;
  return (Index)tile;
}

// A workspace: the next tile, and behind it so many words with which tiles pass on what stands before the next.
enum { first_word = 128, words = 64 };

// What follows is included for each type, and for each number of vectors in flight that a configuration has:
// OF(name) is a function's name there.
#define JOIN_(x, y) x##_##y
#define JOIN(x, y) JOIN_(x, y)
#define JOIN3(x, y, z) JOIN(JOIN(x, y), z)
#define OF(name) JOIN3(name, TYPE, loads)
#define HAS_1(THREADS, LOADS) || LOADS == 1
#define HAS_2(THREADS, LOADS) || LOADS == 2
#define HAS_4(THREADS, LOADS) || LOADS == 4
#define HAS_8(THREADS, LOADS) || LOADS == 8
#define HAS_16(THREADS, LOADS) || LOADS == 16

#define TYPE int
#define T int
#define EXCHANGE EXCHANGE_4
#include "74e1d453.c"
#undef TYPE
#undef T
#undef EXCHANGE

int inclusive_scan_74e1d453_int(const inclusive_scan_configuration *c, void *workspace, size_t *workspace_bytes, const int *in, uint64_t n, int *out) {
  return configured_int(c, workspace, workspace_bytes, in, (Index)n, out);
}

#define TYPE double
#define T double
#define EXCHANGE EXCHANGE_8
#include "74e1d453.c"
#undef TYPE
#undef T
#undef EXCHANGE

int inclusive_scan_74e1d453_double(const inclusive_scan_configuration *c, void *workspace, size_t *workspace_bytes, const double *in, uint64_t n, double *out) {
  return configured_double(c, workspace, workspace_bytes, in, (Index)n, out);
}

#define ROW(THREADS, LOADS) {THREADS, LOADS, 16},
// Those that were compiled; zeros end them.
extern const inclusive_scan_configuration inclusive_scan_74e1d453_configurations[];
const inclusive_scan_configuration inclusive_scan_74e1d453_configurations[] = {INCLUSIVE_SCAN_74E1D453_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

#elif !defined loads // one type

#if 0 INCLUSIVE_SCAN_74E1D453_CONFIGURATIONS(HAS_1)
#define loads 1
#include "74e1d453.c"
#undef loads
#endif
#if 0 INCLUSIVE_SCAN_74E1D453_CONFIGURATIONS(HAS_2)
#define loads 2
#include "74e1d453.c"
#undef loads
#endif
#if 0 INCLUSIVE_SCAN_74E1D453_CONFIGURATIONS(HAS_4)
#define loads 4
#include "74e1d453.c"
#undef loads
#endif
#if 0 INCLUSIVE_SCAN_74E1D453_CONFIGURATIONS(HAS_8)
#define loads 8
#include "74e1d453.c"
#undef loads
#endif
#if 0 INCLUSIVE_SCAN_74E1D453_CONFIGURATIONS(HAS_16)
#define loads 16
#include "74e1d453.c"
#undef loads
#endif

// The same in the configuration c; NULL: the variant's own.
static int JOIN(configured, TYPE)(const inclusive_scan_configuration *c, void *workspace, size_t *workspace_bytes, const T *in, Index n, T *out) {
  const inclusive_scan_configuration own = {0, 0, 0};
  if (c == NULL) c = &own;
  if (c->threads && c->threads != threads) return ENOTSUP;
  if (c->blocks < 0 || c->blocks > 2147483647) return ENOTSUP; // maximum number of threads, 1 to 2147483647
  const Index blocks = c->blocks ? c->blocks : processors();
#define RUN(THREADS, LOADS) if (c->loads == 0 || c->loads == LOADS) return JOIN3(run, TYPE, LOADS)(blocks, workspace, workspace_bytes, in, n, out);
  INCLUSIVE_SCAN_74E1D453_CONFIGURATIONS(RUN)
#undef RUN
  return ENOTSUP;
}

#else // one type, so many vectors in flight

// What a tile passes on: how many have done so, and what stands before the next. One thread alone
// looks at it: it lies in lines of the cache that have no other's.
typedef struct OF(Word) {
  unsigned long long passed;
  T before;
  char apart[112];
} OF(Word);

static OF(Word) *OF(word)(unsigned long long *tickets, Index tile) {
  return (OF(Word) *)((char *)tickets + first_word) + tile % words;
}

// No tile has passed on anything yet.
static void OF(clear)(unsigned long long *tickets, Index tiles) {
  tickets[0] = 0;
  for (Index i = 0; i < min_index(tiles, words); ++i) OF(word)(tickets, i)->passed = 0;
}

// Waits for what stands before the tile, `first' before the first one; passes on what stands before the next.
static T OF(chain)(unsigned long long *tickets, Index tile, T first, T total) {
  T before = first;
  if (tile > 0) {
    const OF(Word) *last = OF(word)(tickets, tile - 1);
    unsigned long long passed = 0;
    for (int look = 0; passed < (unsigned long long)tile; look += look < 1000) {
      if (look == 1000) rest();
      #pragma omp atomic read seq_cst
      passed = last->passed;
    }
    before = last->before;
  }
  OF(Word) *own = OF(word)(tickets, tile);
  own->before = before + total;
  #pragma omp atomic write seq_cst
  own->passed = (unsigned long long)tile + 1;
  return before;
}

// Each thread takes tiles in turn: it computes the total, waits for the prefix, and scans.
static void OF(inclusive_scan_threads)(Index thread, Index team, Index tiles, unsigned long long *tickets, Index whole_tile, Index n, const T *in, T *out) {
  T total;
  T tmp[8];
  T all;
  // process > thread: sliding (scan_steps.cdl:119), the next tile to the next thread
  for (Index tile2 = thread; tile2 < tiles; tile2 = team + next_tile(tickets)) {
    const Index tile_begin = min_index(tile2 * whole_tile, n);
    const Index tile_end = min_index(whole_tile + tile2 * whole_tile, n);
    // thread > lane: strided (sum_steps.cdl:33), one part per lane
    Index len = tile_end - tile_begin;
    // lane > ilp: strided (sum_steps.cdl:33), each with its register slots; serial (sum_steps.cdl:6)
    T accum[loads * 8];
    for (int s = 0; s < loads; ++s) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        accum[s * 8 + lane] = 0;
    }
    Index i = tile_begin;
    for (; i + 8 * loads <= tile_end; i += 8 * loads) {
      for (int s = 0; s < loads; ++s) {
        #pragma omp simd
        for (int lane = 0; lane < 8; ++lane)
          accum[s * 8 + lane] += in[i + s * 8 + lane];
      }
    }
    for (; i + 8 <= tile_end; i += 8) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        accum[lane] += in[i + lane];
    }
    if (i < tile_end) {
      T some[8];
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        some[lane] = i + lane < tile_end ? in[i + lane] : -(T)0;
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        accum[lane] += some[lane];
    }
    // lane: serial (sum_steps.cdl:6)
    T accum2[8];
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      accum2[lane] = 0;
    for (Index i2 = 0; i2 < loads; ++i2) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        accum2[lane] += accum[i2 * 8 + lane];
    }
    // thread: tree (sum_steps.cdl:47)
    T val[8];
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane) {
      val[lane] = accum2[lane];
      tmp[lane] = val[lane];
    }
    for (int offset = 4; offset > 0; offset /= 2) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        val[lane] += lane + offset < 8 ? tmp[lane + offset] : (T)0;
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        tmp[lane] = val[lane];
    }
    total = val[0];
    const T before = OF(chain)(tickets, tile2, (T)0, total);
    // thread: sliding (scan_steps.cdl:119), tile by tile
    const Index lead = 0;
    const Index tiles2 = (len + lead + 8 - 1) / 8;
    T sum = before;
    for (Index tile3 = 0; tile3 < tiles2; ++tile3) {
      const Index begin = tile3 * 8 - lead;
      const bool whole = begin + 8 <= len;
      T item[1 * 8];
      if (whole) {
        for (int k = 0; k < 1; ++k) {
          #pragma omp simd
          for (int lane = 0; lane < 8; ++lane) {
            const Index i2 = begin + lane + k * 8;
            item[k * 8 + lane] = in[tile_begin + i2];
          }
        }
      }
      else {
        for (int k = 0; k < 1; ++k) {
          #pragma omp simd
          for (int lane = 0; lane < 8; ++lane) {
            const Index i2 = begin + lane + k * 8;
            item[k * 8 + lane] = i2 < len ? in[tile_begin + i2] : (T)0;
          }
        }
      }
      T upto[8];
      T val2[8];
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane) {
        T own2 = item[lane];
        upto[lane] = 0;
        // thread: kogge_stone (scan_steps.cdl:26), exchanging registers
        val2[lane] = own2;
      }
      {
        T other[8];
        EXCHANGE(other, val2, (0, 0, 1, 2), (3, 4, 5, 6));
        #pragma omp simd
        for (int lane = 0; lane < 8; ++lane)
          val2[lane] += lane >= 1 ? other[lane] : (T)0;
      }
      {
        T other[8];
        EXCHANGE(other, val2, (0, 1, 0, 1), (2, 3, 4, 5));
        #pragma omp simd
        for (int lane = 0; lane < 8; ++lane)
          val2[lane] += lane >= 2 ? other[lane] : (T)0;
      }
      {
        T other[8];
        EXCHANGE(other, val2, (0, 1, 2, 3), (0, 1, 2, 3));
        #pragma omp simd
        for (int lane = 0; lane < 8; ++lane)
          val2[lane] += lane >= 4 ? other[lane] : (T)0;
      }
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        upto[lane] = val2[lane];
      all = upto[7];
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        item[lane] = sum + upto[lane];
      const T sum2 = sum + all;
      if (whole) {
        for (int k = 0; k < 1; ++k) {
          #pragma omp simd
          for (int lane = 0; lane < 8; ++lane) {
            const Index i2 = begin + lane + k * 8;
            out[tile_begin + i2] = item[k * 8 + lane];
          }
        }
      }
      else {
        for (int k = 0; k < 1; ++k) {
          #pragma omp simd
          for (int lane = 0; lane < 8; ++lane) {
            const Index i2 = begin + lane + k * 8;
            if (i2 < len)
              out[tile_begin + i2] = item[k * 8 + lane];
          }
        }
      }
      sum = sum2;
    }
  }
}

// With no workspace: says how many bytes one needs. With one: does the work.
static int OF(run)(Index blocks, void *workspace, size_t *workspace_bytes, const T *in, Index n, T *out) {
  static_assert(threads >= 8 && threads <= 8 && threads % 8 == 0, "threads: lanes per vector, 8");
  static_assert(loads >= 1 && loads <= 16, "loads: vectors in flight, 1 to 16");
  if (n < 0 || n > PTRDIFF_MAX / 2 || workspace_bytes == NULL) return EINVAL;
  // process > thread: sliding (scan_steps.cdl:119), the next tile to the next thread
  const Index rounds = (n + threads * 4096 * blocks - 1) / (threads * 4096 * blocks);
  const Index tiles = max_index(min_index(rounds * blocks, (n + threads * 128 - 1) / (threads * 128)), 1);
  const Index p = min_index(tiles, blocks);
  Index tile = (n + tiles - 1) / tiles;
  const int grain = threads * 16;
  const Index whole_tile = (tile + grain - 1) / grain * grain;
  const size_t need = first_word + words * sizeof(OF(Word));
  if (workspace == NULL) {
    *workspace_bytes = need;
    return 0;
  }
  if (*workspace_bytes < need) return EINVAL;
  unsigned long long *tickets = (unsigned long long *)workspace;
  OF(clear)(tickets, tiles);
  {
    if (p == 1) // no thread is woken
      OF(inclusive_scan_threads)(0, 1, tiles, tickets, whole_tile, n, in, out);
    else {
      #pragma omp parallel num_threads(at_once(p))
      OF(inclusive_scan_threads)(omp_get_thread_num(), omp_get_num_threads(), tiles, tickets, whole_tile, n, in, out);
    }
  }
  tickets[0] = 0;
  return 0;
}

#endif
