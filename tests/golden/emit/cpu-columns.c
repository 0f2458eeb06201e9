// gemv, variant 54ef5760: process.each/all-lanes(lane.products=lane.tiled/spread(lane.serial; lane.serial))
// Made by tgc from gemv_columns.cdl for avx2; this text is yours.
//
// baseline, 2 kernels, determinism run_to_run: no atomics, but the order depends on widths that follow from the machine's figures
// not batch-invariant: the result depends on the machine's figures
//
//   process: regroups by `each', over its lanes (P3x)
//     each part: lane: `products' applies (L6)
//       lane: regroups by `tiled', over its share of the grid (L9g)
//         each part: lane: computes by `serial' (L8)
//         results: lane: computes by `serial' (L8)
//
// codelets
//   each         gemv_columns.cdl:26
//   products     dot.cdl:32
//   tiled        sum_steps.cdl:18
//   serial       sum_steps.cdl:6
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

// The configurations that are compiled, C(threads, loads); the first is the variant's own.
//   threads: lanes per vector, 8
//   loads: vectors in flight, 1 to 1024
#ifndef GEMV_54EF5760_CONFIGURATIONS
#define GEMV_54EF5760_CONFIGURATIONS(C) C(8, 8) C(8, 256)
#endif

#ifndef GEMV_CONFIGURATION
#define GEMV_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct gemv_configuration {
  int threads, loads;
  int64_t blocks;
} gemv_configuration;
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

// x * y + z, rounded once where the machine has an instruction for it.
#define FUSED_NOT(x, y, z) ((x) * (y) + (z))
#if (defined __GNUC__ || defined __clang__) && (defined __FMA__ || defined __ARM_FEATURE_FMA)
#define FUSED_FLOAT __builtin_fmaf
#define FUSED_DOUBLE __builtin_fma
#else
#define FUSED_FLOAT FUSED_NOT
#define FUSED_DOUBLE FUSED_NOT
#endif

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
#define HAS_32(THREADS, LOADS) || LOADS == 32
#define HAS_64(THREADS, LOADS) || LOADS == 64
#define HAS_128(THREADS, LOADS) || LOADS == 128
#define HAS_256(THREADS, LOADS) || LOADS == 256
#define HAS_512(THREADS, LOADS) || LOADS == 512
#define HAS_1024(THREADS, LOADS) || LOADS == 1024

#define TYPE float
#define T float
#define FUSED FUSED_FLOAT
#include "54ef5760.c"
#undef TYPE
#undef T
#undef FUSED

int gemv_54ef5760_float(const gemv_configuration *c, void *workspace, size_t *workspace_bytes, const float *A, uint64_t rows, uint64_t columns, uint64_t leading, const float *x, float *y) {
  return configured_float(c, workspace, workspace_bytes, A, (Index)rows, (Index)columns, (Index)leading, x, y);
}

#define ROW(THREADS, LOADS) {THREADS, LOADS, 1024},
// Those that were compiled; zeros end them.
extern const gemv_configuration gemv_54ef5760_configurations[];
const gemv_configuration gemv_54ef5760_configurations[] = {GEMV_54EF5760_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

#elif !defined loads // one type

#if 0 GEMV_54EF5760_CONFIGURATIONS(HAS_1)
#define loads 1
#include "54ef5760.c"
#undef loads
#endif
#if 0 GEMV_54EF5760_CONFIGURATIONS(HAS_2)
#define loads 2
#include "54ef5760.c"
#undef loads
#endif
#if 0 GEMV_54EF5760_CONFIGURATIONS(HAS_4)
#define loads 4
#include "54ef5760.c"
#undef loads
#endif
#if 0 GEMV_54EF5760_CONFIGURATIONS(HAS_8)
#define loads 8
#include "54ef5760.c"
#undef loads
#endif
#if 0 GEMV_54EF5760_CONFIGURATIONS(HAS_16)
#define loads 16
#include "54ef5760.c"
#undef loads
#endif
#if 0 GEMV_54EF5760_CONFIGURATIONS(HAS_32)
#define loads 32
#include "54ef5760.c"
#undef loads
#endif
#if 0 GEMV_54EF5760_CONFIGURATIONS(HAS_64)
#define loads 64
#include "54ef5760.c"
#undef loads
#endif
#if 0 GEMV_54EF5760_CONFIGURATIONS(HAS_128)
#define loads 128
#include "54ef5760.c"
#undef loads
#endif
#if 0 GEMV_54EF5760_CONFIGURATIONS(HAS_256)
#define loads 256
#include "54ef5760.c"
#undef loads
#endif
#if 0 GEMV_54EF5760_CONFIGURATIONS(HAS_512)
#define loads 512
#include "54ef5760.c"
#undef loads
#endif
#if 0 GEMV_54EF5760_CONFIGURATIONS(HAS_1024)
#define loads 1024
#include "54ef5760.c"
#undef loads
#endif

// The same in the configuration c; NULL: the variant's own.
static int JOIN(configured, TYPE)(const gemv_configuration *c, void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, const T *x, T *y) {
  const gemv_configuration own = {0, 0, 0};
  if (c == NULL) c = &own;
  if (c->threads && c->threads != threads) return ENOTSUP;
  if (c->blocks < 0 || c->blocks > 2147483647) return ENOTSUP; // maximum number of threads, 1 to 2147483647
  const Index blocks = c->blocks ? c->blocks : processors();
#define RUN(THREADS, LOADS) if (c->loads == 0 || c->loads == LOADS) return JOIN3(run, TYPE, LOADS)(blocks, workspace, workspace_bytes, A, rows, columns, leading, x, y);
  GEMV_54EF5760_CONFIGURATIONS(RUN)
#undef RUN
  return ENOTSUP;
}

#else // one type, so many vectors in flight

// Each thread processes one piece of each of its parts.
static void OF(gemv_threads)(Index thread, Index rows, Index columns, Index pieces, const T *restrict A, Index leading, const T *restrict x, T *restrict partial) {
  // process > lane: each (gemv_columns.cdl:26), one part per lane
  Index turn = 0;
  for (; turn + (loads > 16 ? 1 : 8 * loads) <= rows; turn += loads > 16 ? min_index(8 * loads, rows - turn) : 8 * loads) {
    const int many = (int)(loads > 16 ? min_index(8 * loads, rows - turn) : 8 * loads);
    // lane: tiled (sum_steps.cdl:18), one piece of many
    Index tile = (columns + pieces - 1) / pieces;
    const Index piece_end = min_index(tile + thread * tile, columns);
    // lane: serial (sum_steps.cdl:6)
    T accum[8 * loads];
    #pragma omp simd
    for (int lane = 0; lane < many; ++lane)
      accum[lane] = 0;
    Index i = thread * tile;
    for (; many > 256 && (i + 8 <= piece_end); i += 8) {
      #pragma omp simd
      for (int lane = 0; lane < many; ++lane) {
        accum[lane] = FUSED(A[turn + lane + i * leading], x[i], accum[lane]);
        accum[lane] = FUSED(A[turn + lane + (i + 1) * leading], x[i + 1], accum[lane]);
        accum[lane] = FUSED(A[turn + lane + (i + 2) * leading], x[i + 2], accum[lane]);
        accum[lane] = FUSED(A[turn + lane + (i + 3) * leading], x[i + 3], accum[lane]);
        accum[lane] = FUSED(A[turn + lane + (i + 4) * leading], x[i + 4], accum[lane]);
        accum[lane] = FUSED(A[turn + lane + (i + 5) * leading], x[i + 5], accum[lane]);
        accum[lane] = FUSED(A[turn + lane + (i + 6) * leading], x[i + 6], accum[lane]);
        accum[lane] = FUSED(A[turn + lane + (i + 7) * leading], x[i + 7], accum[lane]);
      }
    }
    for (; i < piece_end; ++i) {
      #pragma omp simd
      for (int lane = 0; lane < many; ++lane)
        accum[lane] = FUSED(A[turn + lane + i * leading], x[i], accum[lane]);
    }
    #pragma omp simd
    for (int lane = 0; lane < many; ++lane)
      partial[thread * rows + (turn + lane)] = accum[lane];
  }
  for (; turn + 32 <= rows; turn += 32) {
    // lane: tiled (sum_steps.cdl:18), one piece of many
    Index tile = (columns + pieces - 1) / pieces;
    const Index piece_end = min_index(tile + thread * tile, columns);
    // lane: serial (sum_steps.cdl:6)
    T accum[32];
    #pragma omp simd
    for (int lane = 0; lane < 32; ++lane)
      accum[lane] = 0;
    for (Index i = thread * tile; i < piece_end; ++i) {
      #pragma omp simd
      for (int lane = 0; lane < 32; ++lane)
        accum[lane] = FUSED(A[turn + lane + i * leading], x[i], accum[lane]);
    }
    #pragma omp simd
    for (int lane = 0; lane < 32; ++lane)
      partial[thread * rows + (turn + lane)] = accum[lane];
  }
  for (; turn + 8 <= rows; turn += 8) {
    // lane: tiled (sum_steps.cdl:18), one piece of many
    Index tile = (columns + pieces - 1) / pieces;
    const Index piece_end = min_index(tile + thread * tile, columns);
    // lane: serial (sum_steps.cdl:6)
    T accum[8];
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      accum[lane] = 0;
    for (Index i = thread * tile; i < piece_end; ++i) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        accum[lane] = FUSED(A[turn + lane + i * leading], x[i], accum[lane]);
    }
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      partial[thread * rows + (turn + lane)] = accum[lane];
  }
  if (turn < rows) {
    // lane: tiled (sum_steps.cdl:18), one piece of many
    Index tile = (columns + pieces - 1) / pieces;
    const Index piece_end = min_index(tile + thread * tile, columns);
    // lane: serial (sum_steps.cdl:6)
    T accum[8];
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      accum[lane] = 0;
    for (Index i = thread * tile; i < piece_end; ++i) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        accum[lane] += turn + lane < rows ? A[turn + lane + i * leading] * x[i] : -(T)0;
    }
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane) {
      if (turn + lane < rows)
        partial[thread * rows + (turn + lane)] = accum[lane];
    }
  }
}

// Each thread combines the partial results of its share of the parts, one lane for each part.
static void OF(gemv_combine)(Index thread, Index combined, Index rows, Index pieces, T *restrict partial, T *restrict y) {
  const Index first = thread * combined;
  const Index last = min_index(first + combined, rows);
  Index turn = first;
  for (; turn + 8 <= last; turn += 8) {
    T accum[8];
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane) {
      // lane: serial (sum_steps.cdl:6)
      accum[lane] = 0;
    }
    for (Index i = 0; i < pieces; ++i) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        accum[lane] += partial[turn + lane + i * rows];
    }
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      y[turn + lane] = accum[lane];
  }
  if (turn < last) {
    T accum[8];
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane) {
      // lane: serial (sum_steps.cdl:6)
      accum[lane] = 0;
    }
    for (Index i = 0; i < pieces; ++i) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        accum[lane] += turn + lane < rows ? partial[turn + lane + i * rows] : -(T)0;
    }
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane) {
      if (turn + lane < rows)
        y[turn + lane] = accum[lane];
    }
  }
}

// With no workspace: says how many bytes one needs. With one: does the work.
static int OF(run)(Index blocks, void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, const T *x, T *y) {
  static_assert(threads >= 8 && threads <= 8 && threads % 8 == 0, "threads: lanes per vector, 8");
  static_assert(loads >= 1 && loads <= 1024, "loads: vectors in flight, 1 to 1024");
  if (rows < 0 || rows > PTRDIFF_MAX / 2 || columns < 0 || columns > PTRDIFF_MAX / 2 || leading < 0 || leading > PTRDIFF_MAX / 2 || workspace_bytes == NULL) return EINVAL;
  // process > lane: each (gemv_columns.cdl:26), one part per lane
  // each part is shared: tiled (sum_steps.cdl:18)
  const Index pieces = min_index(max_index((rows * columns + threads * 1024 - 1) / (threads * 1024), 1), blocks);
  const Index combining = max_index(min_index((rows * pieces + threads * 1024 - 1) / (threads * 1024), blocks), 1);
  const Index combined = (rows + combining * threads - 1) / (combining * threads) * threads;
  const size_t need = 16 + (size_t)rows * pieces * sizeof(T);
  if (workspace == NULL) {
    *workspace_bytes = need;
    return 0;
  }
  if (*workspace_bytes < need) return EINVAL;
  T *partial = (T *)((char *)workspace + 16);
  {
    if (pieces == 1) // no thread is woken
      OF(gemv_threads)(0, rows, columns, pieces, A, leading, x, partial);
    else {
      #pragma omp parallel for schedule(static) num_threads(at_once(pieces))
      for (Index thread = 0; thread < pieces; ++thread)
        OF(gemv_threads)(thread, rows, columns, pieces, A, leading, x, partial);
    }
  }
  {
    if (combining == 1) // no thread is woken
      OF(gemv_combine)(0, combined, rows, pieces, partial, y);
    else {
      #pragma omp parallel for schedule(static) num_threads(at_once(combining))
      for (Index thread = 0; thread < combining; ++thread)
        OF(gemv_combine)(thread, combined, rows, pieces, partial, y);
    }
  }
  return 0;
}

#endif
