// jacobi, variant 94b8b7eb: process.tiled(thread.tiled(lane.serial))
// Made by tgc from jacobi.cdl for avx2; this text is yours.
//
// baseline, 1 kernel, determinism sequential: each element is computed by itself, as the sequential codelet does
// batch-invariant: each element is computed by itself
//
//   process: regroups by `tiled', over its threads (P3)
//     each part: thread: regroups by `tiled', over its lanes (T3)
//       each part: lane: computes by `serial' (L2)
//
// codelets
//   tiled        jacobi.cdl:23
//   serial       jacobi.cdl:14
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
#ifndef JACOBI_94B8B7EB_CONFIGURATIONS
#define JACOBI_94B8B7EB_CONFIGURATIONS(C) C(8)
#endif

#ifndef JACOBI_CONFIGURATION
#define JACOBI_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct jacobi_configuration {
  int threads, loads;
  int64_t blocks;
} jacobi_configuration;
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

#define TYPE float
#define T float
#include "94b8b7eb.c"
#undef TYPE
#undef T

int jacobi_94b8b7eb_float(const jacobi_configuration *c, void *workspace, size_t *workspace_bytes, const float *x, uint64_t rows, uint64_t columns, uint64_t leading, float *y, uint64_t y_rows, uint64_t y_columns, uint64_t y_leading) {
  return configured_float(c, workspace, workspace_bytes, x, (Index)rows, (Index)columns, (Index)leading, y, (Index)y_rows, (Index)y_columns, (Index)y_leading);
}

#define ROW(THREADS) {THREADS, 0, 1024},
// Those that were compiled; zeros end them.
extern const jacobi_configuration jacobi_94b8b7eb_configurations[];
const jacobi_configuration jacobi_94b8b7eb_configurations[] = {JACOBI_94B8B7EB_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

#else // one type

// Each thread processes its part.
static void OF(jacobi_threads)(Index thread, Index q, Index i_tile, Index y_rows, Index j_tile, Index y_columns, Index leading, Index y_leading, T *restrict y, const T *restrict x) {
  // process > thread: tiled (jacobi.cdl:23), one part per thread
  const Index i_begin = min_index(thread / q * i_tile, y_rows);
  const Index i_size = min_index(i_tile, y_rows - i_begin);
  const Index j_begin = min_index(thread % q * j_tile, y_columns);
  const Index j_size = min_index(j_tile, y_columns - j_begin);
  const Index x_begin = i_begin * leading + j_begin;
  const Index y_begin = i_begin * y_leading + j_begin;
  // thread > lane: tiled (jacobi.cdl:23), one part per lane
  const Index j_tile2 = (j_size + 7) / 8;
  // lane: serial (jacobi.cdl:14)
  for (Index i = 0; i < i_size; ++i) {
    for (int lane = 0; lane < 8; ++lane) {
      for (Index j = 0; j < min_index(j_tile2, j_size - min_index(lane * j_tile2, j_size)); ++j)
        y[y_begin + min_index(lane * j_tile2, j_size) + (i * y_leading + j)] = (x[x_begin + min_index(lane * j_tile2, j_size) + (i * leading + (j + 1))] + x[x_begin + min_index(lane * j_tile2, j_size) + ((i + 2) * leading + (j + 1))] + x[x_begin + min_index(lane * j_tile2, j_size) + ((i + 1) * leading + j)] + x[x_begin + min_index(lane * j_tile2, j_size) + ((i + 1) * leading + (j + 2))]) * (T)0.25;
    }
  }
}

// With no workspace: says how many bytes one needs. With one: does the work.
static int OF(run)(Index blocks, void *workspace, size_t *workspace_bytes, const T *x, Index rows, Index columns, Index leading, T *y, Index y_rows, Index y_columns, Index y_leading) {
  static_assert(threads >= 8 && threads <= 8 && threads % 8 == 0, "threads: lanes per vector, 8");
  if (rows < 0 || rows > PTRDIFF_MAX / 2 || columns < 0 || columns > PTRDIFF_MAX / 2 || leading < 0 || leading > PTRDIFF_MAX / 2 || y_rows < 0 || y_rows > PTRDIFF_MAX / 2 || y_columns < 0 || y_columns > PTRDIFF_MAX / 2 || y_leading < 0 || y_leading > PTRDIFF_MAX / 2 || workspace_bytes == NULL) return EINVAL;
  // process > thread: tiled (jacobi.cdl:23), one part per thread
  const Index p = max_index(min_index((y_rows + 16 - 1) / 16, blocks), 1);
  const Index left = max_index(blocks / p, 1);
  const Index q = max_index(min_index((y_columns + 16 - 1) / 16, left), 1);
  const Index i_tile = (y_rows + p - 1) / p;
  const Index j_tile = (y_columns + q - 1) / q;
  const Index tiles = p * q;
  const size_t need = 1; // none, but never zero
  if (workspace == NULL) {
    *workspace_bytes = need;
    return 0;
  }
  if (*workspace_bytes < need) return EINVAL;
  {
    if (tiles == 1) // no thread is woken
      OF(jacobi_threads)(0, q, i_tile, y_rows, j_tile, y_columns, leading, y_leading, y, x);
    else {
      #pragma omp parallel for schedule(static) num_threads(at_once(tiles))
      for (Index thread = 0; thread < tiles; ++thread)
        OF(jacobi_threads)(thread, q, i_tile, y_rows, j_tile, y_columns, leading, y_leading, y, x);
    }
  }
  return 0;
}

// The same in the configuration c; NULL: the variant's own.
static int JOIN(configured, TYPE)(const jacobi_configuration *c, void *workspace, size_t *workspace_bytes, const T *x, Index rows, Index columns, Index leading, T *y, Index y_rows, Index y_columns, Index y_leading) {
  const jacobi_configuration own = {0, 0, 0};
  if (c == NULL) c = &own;
  if (c->threads && c->threads != threads) return ENOTSUP;
  if (c->blocks < 0 || c->blocks > 2147483647) return ENOTSUP; // maximum number of threads, 1 to 2147483647
  const Index blocks = c->blocks ? c->blocks : processors();
  return OF(run)(blocks, workspace, workspace_bytes, x, rows, columns, leading, y, y_rows, y_columns, y_leading);
}

#endif
