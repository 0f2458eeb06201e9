// gathered_scan, variant 2aac1312: process.elsewhere=process.sliding!chained!copy(thread.sliding/loop(thread.kogge_stone); thread.strided!atomic(lane.strided(ilp.serial; lane.serial)))
// Made by tgc from view_scans.cdl for avx2; this text is yours.
//
// accumulated, 1 kernel, determinism run_to_run: no atomics, but the order depends on widths that follow from the machine's figures
// not batch-invariant: the result depends on the machine's figures
//
//   process: `elsewhere' applies (P2)
//     process: regroups by `sliding', over its threads (P6)
//       each part, from a copy: thread: regroups by `sliding', over its iterations of a loop (T6s)
//         each part: thread: computes by `kogge_stone' (T5)
//       its total, before: thread: regroups by `strided', over its lanes (T9)
//         each part: lane: regroups by `strided', over its register slots (L9)
//           each part: ilp: computes by `serial' (I8)
//           results: lane: computes by `serial' (L8)
//         results: added by each lane in turn, at the thread
//
// codelets
//   elsewhere    view_scans.cdl:10
//   sliding      view_scans.cdl:39
//   kogge_stone  view_scans.cdl:25
//   strided      view_scans.cdl:57
//   serial       view_scans.cdl:50
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
#include <stdalign.h>
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
#ifndef GATHERED_SCAN_2AAC1312_CONFIGURATIONS
#define GATHERED_SCAN_2AAC1312_CONFIGURATIONS(C) C(8, 2)
#endif

#ifndef GATHERED_SCAN_CONFIGURATION
#define GATHERED_SCAN_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct gathered_scan_configuration {
  int threads, loads;
  int64_t blocks;
} gathered_scan_configuration;
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

// An array of a function's own, which compilers take for any other.
static inline void *unseen(void *volatile array) { return array; }

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

#define TYPE float
#define T float
#include "2aac1312.c"
#undef TYPE
#undef T

int gathered_scan_2aac1312_float(const gathered_scan_configuration *c, void *workspace, size_t *workspace_bytes, const float *x, uint64_t n, const unsigned *places, uint64_t places_n, float *out) {
  return configured_float(c, workspace, workspace_bytes, x, (Index)n, places, (Index)places_n, out);
}

#define ROW(THREADS, LOADS) {THREADS, LOADS, 16},
// Those that were compiled; zeros end them.
extern const gathered_scan_configuration gathered_scan_2aac1312_configurations[];
const gathered_scan_configuration gathered_scan_2aac1312_configurations[] = {GATHERED_SCAN_2AAC1312_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

#elif !defined loads // one type

#if 0 GATHERED_SCAN_2AAC1312_CONFIGURATIONS(HAS_1)
#define loads 1
#include "2aac1312.c"
#undef loads
#endif
#if 0 GATHERED_SCAN_2AAC1312_CONFIGURATIONS(HAS_2)
#define loads 2
#include "2aac1312.c"
#undef loads
#endif
#if 0 GATHERED_SCAN_2AAC1312_CONFIGURATIONS(HAS_4)
#define loads 4
#include "2aac1312.c"
#undef loads
#endif
#if 0 GATHERED_SCAN_2AAC1312_CONFIGURATIONS(HAS_8)
#define loads 8
#include "2aac1312.c"
#undef loads
#endif
#if 0 GATHERED_SCAN_2AAC1312_CONFIGURATIONS(HAS_16)
#define loads 16
#include "2aac1312.c"
#undef loads
#endif

// The same in the configuration c; NULL: the variant's own.
static int JOIN(configured, TYPE)(const gathered_scan_configuration *c, void *workspace, size_t *workspace_bytes, const T *x, Index n, const unsigned *places, Index places_n, T *out) {
  const gathered_scan_configuration own = {0, 0, 0};
  if (c == NULL) c = &own;
  if (c->threads && c->threads != threads) return ENOTSUP;
  if (c->blocks < 0 || c->blocks > 2147483647) return ENOTSUP; // maximum number of threads, 1 to 2147483647
  const Index blocks = c->blocks ? c->blocks : processors();
#define RUN(THREADS, LOADS) if (c->loads == 0 || c->loads == LOADS) return JOIN3(run, TYPE, LOADS)(blocks, workspace, workspace_bytes, x, n, places, places_n, out);
  GATHERED_SCAN_2AAC1312_CONFIGURATIONS(RUN)
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
static void OF(gathered_scan_threads)(Index thread, Index team, Index tiles, unsigned long long *tickets, Index whole_tile, Index places_n, const T *x, const unsigned *places, T *out) {
  T total;
  alignas(64) T copy_room[8 * 1024];
  T *const copy = (T *)unseen(copy_room);
  T total2;
  T tmp[8];
  T all;
  // process > thread: sliding (view_scans.cdl:39), the next tile to the next thread
  for (Index tile2 = thread; tile2 < tiles; tile2 = team + next_tile(tickets)) {
    total2 = 0;
    const Index tile_begin = min_index(tile2 * whole_tile, places_n);
    const Index tile_end = min_index(whole_tile + tile2 * whole_tile, places_n);
    const Index elements = tile_end - tile_begin;
    // thread: what is read twice is copied the first time
    // thread > lane: strided (view_scans.cdl:57), one part per lane
    // lane > ilp: strided (view_scans.cdl:57), each with its register slots; serial (view_scans.cdl:50)
    T accum[loads * 8];
    for (int s = 0; s < loads; ++s) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        accum[s * 8 + lane] = 0;
    }
    Index i = 0;
    for (; i + 8 * loads <= elements; i += 8 * loads) {
      for (int s = 0; s < loads; ++s) {
        #pragma omp simd
        for (int lane = 0; lane < 8; ++lane)
          copy[i + s * 8 + lane] = x[places[tile_begin + (i + s * 8 + lane)]];
        #pragma omp simd
        for (int lane = 0; lane < 8; ++lane)
          accum[s * 8 + lane] += copy[i + s * 8 + lane];
      }
    }
    for (; i + 8 <= elements; i += 8) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        copy[i + lane] = x[places[tile_begin + (i + lane)]];
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        accum[lane] += copy[i + lane];
    }
    if (i < elements) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane) {
        if (i + lane < elements)
          copy[i + lane] = x[places[tile_begin + (i + lane)]];
      }
      T some[8];
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        some[lane] = i + lane < elements ? copy[i + lane] : -(T)0;
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        accum[lane] += some[lane];
    }
    // lane: serial (view_scans.cdl:50)
    T accum2[8];
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      accum2[lane] = 0;
    for (Index i2 = 0; i2 < loads; ++i2) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        accum2[lane] += accum[i2 * 8 + lane];
    }
    for (int lane = 0; lane < 8; ++lane)
      total2 += accum2[lane];
    total = total2;
    const T before = OF(chain)(tickets, tile2, (T)0, total);
    // thread: sliding (view_scans.cdl:39), tile by tile
    const Index lead = 0;
    const Index tiles2 = (elements + lead + 8 - 1) / 8;
    T sum = before;
    for (Index tile3 = 0; tile3 < tiles2; ++tile3) {
      const Index begin = tile3 * 8 - lead;
      const bool whole = begin + 8 <= elements;
      T item[1 * 8];
      if (whole) {
        for (int k = 0; k < 1; ++k) {
          #pragma omp simd
          for (int lane = 0; lane < 8; ++lane) {
            const Index i2 = begin + lane + k * 8;
            item[k * 8 + lane] = copy[i2];
          }
        }
      }
      else {
        for (int k = 0; k < 1; ++k) {
          #pragma omp simd
          for (int lane = 0; lane < 8; ++lane) {
            const Index i2 = begin + lane + k * 8;
            item[k * 8 + lane] = i2 < elements ? copy[i2] : (T)0;
          }
        }
      }
      T upto[8];
      unsigned id[8];
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane) {
        T own2 = item[lane];
        upto[lane] = 0;
        // thread: kogge_stone (view_scans.cdl:25)
        id[lane] = lane;
        tmp[id[lane]] = own2;
      }
      for (unsigned s = 1u; s < 8; s *= 2u) {
        T value[8];
        #pragma omp simd
        for (int lane = 0; lane < 8; ++lane) {
          if (id[lane] >= s)
            value[lane] = tmp[id[lane] - s];
        }
        #pragma omp simd
        for (int lane = 0; lane < 8; ++lane) {
          if (id[lane] >= s)
            tmp[id[lane]] += value[lane];
        }
      }
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        upto[lane] = tmp[id[lane]];
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
            if (i2 < elements)
              out[tile_begin + i2] = item[k * 8 + lane];
          }
        }
      }
      sum = sum2;
    }
  }
}

// With no workspace: says how many bytes one needs. With one: does the work.
static int OF(run)(Index blocks, void *workspace, size_t *workspace_bytes, const T *x, Index n, const unsigned *places, Index places_n, T *out) {
  static_assert(threads >= 8 && threads <= 8 && threads % 8 == 0, "threads: lanes per vector, 8");
  static_assert(loads >= 1 && loads <= 16, "loads: vectors in flight, 1 to 16");
  if (n < 0 || n > PTRDIFF_MAX / 2 || places_n < 0 || places_n > PTRDIFF_MAX / 2 || workspace_bytes == NULL) return EINVAL;
  // process > thread: sliding (view_scans.cdl:39), the next tile to the next thread
  const Index rounds = (places_n + threads * 1024 * blocks - 1) / (threads * 1024 * blocks);
  const Index tiles = max_index(min_index(rounds * blocks, (places_n + threads * 128 - 1) / (threads * 128)), 1);
  const Index p = min_index(tiles, blocks);
  Index tile = (places_n + tiles - 1) / tiles;
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
      OF(gathered_scan_threads)(0, 1, tiles, tickets, whole_tile, places_n, x, places, out);
    else {
      #pragma omp parallel num_threads(at_once(p))
      OF(gathered_scan_threads)(omp_get_thread_num(), omp_get_num_threads(), tiles, tickets, whole_tile, places_n, x, places, out);
    }
  }
  tickets[0] = 0;
  return 0;
}

#endif
