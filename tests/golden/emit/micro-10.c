// sum, variant a3ddc03c: process.asso_tiled(thread.stride_tiled(lane.serial; thread.kog); process>thread.stride_tiled(lane.serial; thread.kog))
// Made by tgc from micro-2.cdl for avx2; this text is yours.
//
// baseline, 2 kernels, determinism sequential: the operator gives the same bits in any order
// batch-invariant: the operator gives the same bits in any order
//
//   process: regroups by `asso_tiled', over its threads (P4)
//     each part: thread: regroups by `stride_tiled', over its lanes (T5)
//       each part: lane: computes by `serial' (L2)
//       results: thread: computes by `kog' (T3)
//     results: process: one thread acts for all (P1)
//       thread: regroups by `stride_tiled', over its lanes (T5)
//         each part: lane: computes by `serial' (L2)
//         results: thread: computes by `kog' (T3)
//
// codelets
//   asso_tiled   micro-2.cdl:26
//   stride_tiled micro-2.cdl:35
//   serial       micro-2.cdl:3
//   kog          micro-2.cdl:13
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
#endif

// Loops that copy stay loops: what GCC copies by itself goes by halves of a vector, and whoever reads the whole
// waits for them. Nobody asks for errno after a root.
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-tree-loop-distribute-patterns", "no-math-errno")
#endif

// The configurations that are compiled, C(threads); the first is the variant's own.
//   threads: lanes per vector, 8
#ifndef SUM_A3DDC03C_CONFIGURATIONS
#define SUM_A3DDC03C_CONFIGURATIONS(C) C(8)
#endif

#ifndef SUM_CONFIGURATION
#define SUM_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct sum_configuration {
  int threads, loads;
  int64_t blocks;
} sum_configuration;
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

// What follows is included for each type:
// OF(name) is a function's name there.
#define JOIN_(x, y) x##_##y
#define JOIN(x, y) JOIN_(x, y)
#define OF(name) JOIN(name, TYPE)

#define TYPE int
#define T int
#include "a3ddc03c.c"
#undef TYPE
#undef T

int sum_a3ddc03c_int(const sum_configuration *c, void *workspace, size_t *workspace_bytes, const int *in, uint64_t n, int *out) {
  return configured_int(c, workspace, workspace_bytes, in, (Index)n, out);
}

#define ROW(THREADS) {THREADS, 0, 1024},
// Those that were compiled; zeros end them.
extern const sum_configuration sum_a3ddc03c_configurations[];
const sum_configuration sum_a3ddc03c_configurations[] = {SUM_A3DDC03C_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

#else // one type

// Each thread reduces its part.
static void OF(sum_threads)(Index thread, Index tile, Index n, const int *restrict in, int *restrict partial) {
  int tmp[8];
  // process > thread: asso_tiled (micro-2.cdl:26), one part per thread
  const Index thread_begin = min_index(thread * tile, n);
  const Index thread_end = min_index(tile + thread * tile, n);
  // thread > lane: stride_tiled (micro-2.cdl:35), one part per lane
  // lane: serial (micro-2.cdl:3)
  int accum[8];
  #pragma omp simd
  for (int lane = 0; lane < 8; ++lane)
    accum[lane] = 0;
  Index i = thread_begin;
  for (; i + 8 <= thread_end; i += 8) {
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      accum[lane] += in[i + lane];
  }
  unsigned id[8];
  #pragma omp simd
  for (int lane = 0; lane < 8; ++lane) {
    if (i + lane < thread_end)
      accum[lane] += in[i + lane];
    // thread: kog (micro-2.cdl:13)
    id[lane] = lane;
    tmp[id[lane]] = accum[lane];
  }
  for (unsigned s = 1u; s < 8; s *= 2u) {
    int value[8];
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
  partial[thread] = tmp[8 - 1];
}

// One thread works for the whole process.
static void OF(sum_one_thread)(Index p, int *restrict partial, int *restrict out) {
  int tmp[8];
  // thread > lane: stride_tiled (micro-2.cdl:35), one part per lane
  // lane: serial (micro-2.cdl:3)
  int accum[8];
  #pragma omp simd
  for (int lane = 0; lane < 8; ++lane)
    accum[lane] = 0;
  Index i = 0;
  for (; i + 8 <= p; i += 8) {
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      accum[lane] += partial[i + lane];
  }
  unsigned id[8];
  #pragma omp simd
  for (int lane = 0; lane < 8; ++lane) {
    if (i + lane < p)
      accum[lane] += partial[i + lane];
    // thread: kog (micro-2.cdl:13)
    id[lane] = lane;
    tmp[id[lane]] = accum[lane];
  }
  for (unsigned s = 1u; s < 8; s *= 2u) {
    int value[8];
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
  out[0] = tmp[8 - 1];
}

// With no workspace: says how many bytes one needs. With one: does the work.
static int OF(run)(Index blocks, void *workspace, size_t *workspace_bytes, const int *in, Index n, int *out) {
  static_assert(threads >= 8 && threads <= 8 && threads % 8 == 0, "threads: lanes per vector, 8");
  if (n < 0 || n > PTRDIFF_MAX / 2 || workspace_bytes == NULL) return EINVAL;
  // process > thread: asso_tiled (micro-2.cdl:26), one part per thread
  const Index p = min_index(max_index((n + threads * 1024 - 1) / (threads * 1024), 1), blocks);
  Index tile = (n + p - 1) / p;
  const size_t need = 16 + (size_t)p * sizeof(int);
  if (workspace == NULL) {
    *workspace_bytes = need;
    return 0;
  }
  if (*workspace_bytes < need) return EINVAL;
  int *partial = (int *)((char *)workspace + 16);
  {
    if (p == 1) // no thread is woken
      OF(sum_threads)(0, tile, n, in, partial);
    else {
      #pragma omp parallel for schedule(static) num_threads(at_once(p))
      for (Index thread = 0; thread < p; ++thread)
        OF(sum_threads)(thread, tile, n, in, partial);
    }
  }
  {
    OF(sum_one_thread)(p, partial, out);
  }
  return 0;
}

// The same in the configuration c; NULL: the variant's own.
static int JOIN(configured, TYPE)(const sum_configuration *c, void *workspace, size_t *workspace_bytes, const int *in, Index n, int *out) {
  const sum_configuration own = {0, 0, 0};
  if (c == NULL) c = &own;
  if (c->threads && c->threads != threads) return ENOTSUP;
  if (c->blocks < 0 || c->blocks > 2147483647) return ENOTSUP; // maximum number of threads, 1 to 2147483647
  const Index blocks = c->blocks ? c->blocks : processors();
  return OF(run)(blocks, workspace, workspace_bytes, in, n, out);
}

#endif
