// copy_if, variant 0606b5c0: process.placed=process.sliding!chained(thread>lane.serial; thread.strided!atomic(lane.strided(ilp.serial; lane.serial)))
// Made by tgc from copy_if.cdl for avx2; this text is yours.
//
// accumulated, 1 kernel, determinism sequential: the operator gives the same bits in any order
// batch-invariant: the operator gives the same bits in any order
//
//   process: `placed' applies (P3)
//     process: regroups by `sliding', over its threads (P9)
//       each part: thread: one lane acts for all (T4)
//         lane: computes by `serial' (L5)
//       its total, before: thread: regroups by `strided', over its lanes (T15)
//         each part: lane: regroups by `strided', over its register slots (L15)
//           each part: ilp: computes by `serial' (I13)
//           results: lane: computes by `serial' (L13)
//         results: added by each lane in turn, at the thread
//
// codelets
//   placed       copy_if.cdl:43
//   sliding      place_steps.cdl:167
//   serial       place_steps.cdl:78
//   strided      place_steps.cdl:38
//   serial       place_steps.cdl:14
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
#ifndef COPY_IF_0606B5C0_CONFIGURATIONS
#define COPY_IF_0606B5C0_CONFIGURATIONS(C) C(8, 2)
#endif

#ifndef COPY_IF_CONFIGURATION
#define COPY_IF_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct copy_if_configuration {
  int threads, loads;
  int64_t blocks;
} copy_if_configuration;
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
#include "0606b5c0.c"
#undef TYPE
#undef T

int copy_if_0606b5c0_float(const copy_if_configuration *c, void *workspace, size_t *workspace_bytes, const float *in, uint64_t n, float bound, float *out, long long *out2) {
  return configured_float(c, workspace, workspace_bytes, in, (Index)n, bound, out, out2);
}

#define ROW(THREADS, LOADS) {THREADS, LOADS, 16},
// Those that were compiled; zeros end them.
extern const copy_if_configuration copy_if_0606b5c0_configurations[];
const copy_if_configuration copy_if_0606b5c0_configurations[] = {COPY_IF_0606B5C0_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

#elif !defined loads // one type

#if 0 COPY_IF_0606B5C0_CONFIGURATIONS(HAS_1)
#define loads 1
#include "0606b5c0.c"
#undef loads
#endif
#if 0 COPY_IF_0606B5C0_CONFIGURATIONS(HAS_2)
#define loads 2
#include "0606b5c0.c"
#undef loads
#endif
#if 0 COPY_IF_0606B5C0_CONFIGURATIONS(HAS_4)
#define loads 4
#include "0606b5c0.c"
#undef loads
#endif
#if 0 COPY_IF_0606B5C0_CONFIGURATIONS(HAS_8)
#define loads 8
#include "0606b5c0.c"
#undef loads
#endif
#if 0 COPY_IF_0606B5C0_CONFIGURATIONS(HAS_16)
#define loads 16
#include "0606b5c0.c"
#undef loads
#endif

// The same in the configuration c; NULL: the variant's own.
static int JOIN(configured, TYPE)(const copy_if_configuration *c, void *workspace, size_t *workspace_bytes, const T *in, Index n, T bound, T *out, Index *out2) {
  const copy_if_configuration own = {0, 0, 0};
  if (c == NULL) c = &own;
  if (c->threads && c->threads != threads) return ENOTSUP;
  if (c->blocks < 0 || c->blocks > 2147483647) return ENOTSUP; // maximum number of threads, 1 to 2147483647
  const Index blocks = c->blocks ? c->blocks : processors();
#define RUN(THREADS, LOADS) if (c->loads == 0 || c->loads == LOADS) return JOIN3(run, TYPE, LOADS)(blocks, workspace, workspace_bytes, in, n, bound, out, out2);
  COPY_IF_0606B5C0_CONFIGURATIONS(RUN)
#undef RUN
  return ENOTSUP;
}

#else // one type, so many vectors in flight

// What a tile passes on: how many have done so, and what stands before the next. One thread alone
// looks at it: it lies in lines of the cache that have no other's.
typedef struct OF(Word) {
  unsigned long long passed;
  Index before;
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
static Index OF(chain)(unsigned long long *tickets, Index tile, Index first, Index total) {
  Index before = first;
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
static void OF(copy_if_threads)(Index thread, Index team, Index tiles, unsigned long long *tickets, Index whole_tile, Index n, const T *in, T bound, T *out, Index *out2) {
  Index total;
  Index total2;
  Index last;
  // process > thread: sliding (place_steps.cdl:167), the next tile to the next thread
  for (Index tile2 = thread; tile2 < tiles; tile2 = team + next_tile(tickets)) {
    total2 = 0;
    const Index tile_begin = min_index(tile2 * whole_tile, n);
    const Index tile_end = min_index(whole_tile + tile2 * whole_tile, n);
    // thread > lane: strided (place_steps.cdl:38), one part per lane
    // lane > ilp: strided (place_steps.cdl:38), each with its register slots; serial (place_steps.cdl:14)
    Index accum[loads * 8];
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
          accum[s * 8 + lane] += in[i + s * 8 + lane] > bound ? 1 : 0;
      }
    }
    for (; i + 8 <= tile_end; i += 8) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        accum[lane] += in[i + lane] > bound ? 1 : 0;
    }
    if (i < tile_end) {
      Index some[8];
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        some[lane] = i + lane < tile_end ? in[i + lane] > bound ? 1 : 0 : -0;
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        accum[lane] += some[lane];
    }
    // lane: serial (place_steps.cdl:14)
    Index accum2[8];
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
    const Index before = OF(chain)(tickets, tile2, 0, total);
    // thread > lane: one lane acts for all
    {
      // lane: serial (place_steps.cdl:78)
      Index accum3 = before;
      for (Index i2 = tile2 * whole_tile; i2 < tile_end; ++i2) {
        const Index place = accum3;
        if ((in[i2] > bound ? 1 : 0) != 0)
          out[place] = in[i2];
        accum3 += in[i2] > bound ? 1 : 0;
      }
      last = accum3;
    }
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane) {
      if (lane == 0 && (tile2 == tiles - 1))
        out2[0] = last;
    }
  }
}

// With no workspace: says how many bytes one needs. With one: does the work.
static int OF(run)(Index blocks, void *workspace, size_t *workspace_bytes, const T *in, Index n, T bound, T *out, Index *out2) {
  static_assert(threads >= 8 && threads <= 8 && threads % 8 == 0, "threads: lanes per vector, 8");
  static_assert(loads >= 1 && loads <= 16, "loads: vectors in flight, 1 to 16");
  if (n < 0 || n > PTRDIFF_MAX / 2 || workspace_bytes == NULL) return EINVAL;
  // process > thread: sliding (place_steps.cdl:167), the next tile to the next thread
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
      OF(copy_if_threads)(0, 1, tiles, tickets, whole_tile, n, in, bound, out, out2);
    else {
      #pragma omp parallel num_threads(at_once(p))
      OF(copy_if_threads)(omp_get_thread_num(), omp_get_num_threads(), tiles, tickets, whole_tile, n, in, bound, out, out2);
    }
  }
  tickets[0] = 0;
  return 0;
}

#endif
