// gemv, variant 05fcaa5b: process.each/all-lanes!transposed(lane.serial)
// Made by tgc from gemv.cdl for avx2; this text is yours.
//
// baseline, 1 kernel, determinism sequential: each element is computed by itself, as the sequential codelet does
// batch-invariant: each element is computed by itself
//
//   process: regroups by `each', over its lanes (P3x)
//     each part, from a copy: lane: computes by `serial' (L5)
//
// codelets
//   each         gemv.cdl:26
//   serial       dot.cdl:21
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
#ifdef __FLT16_MANT_DIG__
__extension__ typedef _Float16 tgc_half;
#else
typedef struct tgc_half tgc_half; /* of 16 bits; this compiler has none */
#endif

// Loops that copy stay loops: what GCC copies by itself goes by halves of a vector, and whoever reads the whole
// waits for them. Nobody asks for errno after a root.
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-tree-loop-distribute-patterns", "no-math-errno")
#endif

// The configurations that are compiled, C(threads); the first is the variant's own.
//   threads: lanes per vector, 8
#ifndef GEMV_05FCAA5B_CONFIGURATIONS
#define GEMV_05FCAA5B_CONFIGURATIONS(C) C(8)
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

// Each lane gets so many elements of a row of its own, which lie side by side: element k of all rows is a vector then.
#define LOAD_ROWS_ANY(to, from, apart) do { \
    for (int line = 0; line < threads; ++line) \
      for (int lane = 0; lane < threads; ++lane) \
        (to)[line * threads + lane] = (from)[lane * (apart) + line]; \
  } while (0)
#if defined __clang__ || (defined __GNUC__ && __GNUC__ >= 12)
#define FOUR(a, b, c, d) do { \
    woven[0] = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13); \
    woven[1] = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15); \
    woven[2] = __builtin_shufflevector(c, d, 0, 8, 1, 9, 4, 12, 5, 13); \
    woven[3] = __builtin_shufflevector(c, d, 2, 10, 3, 11, 6, 14, 7, 15); \
    a = __builtin_shufflevector(woven[0], woven[2], 0, 1, 8, 9, 4, 5, 12, 13); \
    b = __builtin_shufflevector(woven[0], woven[2], 2, 3, 10, 11, 6, 7, 14, 15); \
    c = __builtin_shufflevector(woven[1], woven[3], 0, 1, 8, 9, 4, 5, 12, 13); \
    d = __builtin_shufflevector(woven[1], woven[3], 2, 3, 10, 11, 6, 7, 14, 15); \
  } while (0)
#define SWAP_4(x, y) do { \
    woven[0] = __builtin_shufflevector(x, y, 0, 1, 2, 3, 8, 9, 10, 11); \
    y = __builtin_shufflevector(x, y, 4, 5, 6, 7, 12, 13, 14, 15); \
    x = woven[0]; \
  } while (0)
#define LOAD_ROWS_4(to, from, apart) do { \
    typedef T Vector __attribute__((vector_size(threads * sizeof(T)))); \
    Vector lines[threads], woven[4]; \
    for (int line = 0; line < threads; ++line) \
      memcpy(&lines[line], (from) + line * (apart), sizeof(Vector)); \
    FOUR(lines[0], lines[1], lines[2], lines[3]); \
    FOUR(lines[4], lines[5], lines[6], lines[7]); \
    SWAP_4(lines[0], lines[4]); \
    SWAP_4(lines[1], lines[5]); \
    SWAP_4(lines[2], lines[6]); \
    SWAP_4(lines[3], lines[7]); \
    memcpy(to, lines, sizeof lines); \
  } while (0)
#else
#define LOAD_ROWS_4 LOAD_ROWS_ANY
#endif

// What follows is included for each type:
// OF(name) is a function's name there.
#define JOIN_(x, y) x##_##y
#define JOIN(x, y) JOIN_(x, y)
#define OF(name) JOIN(name, TYPE)

#define TYPE float
#define E float
#define T float
#define LOAD_ROWS LOAD_ROWS_4
#include "05fcaa5b.c"
#undef TYPE
#undef E
#undef T
#undef LOAD_ROWS

int gemv_05fcaa5b_float(const gemv_configuration *c, void *workspace, size_t *workspace_bytes, const float *A, uint64_t rows, uint64_t columns, uint64_t leading, const float *x, float *y) {
  return configured_float(c, workspace, workspace_bytes, A, (Index)rows, (Index)columns, (Index)leading, x, y);
}

typedef int gemv_float_work(int64_t blocks, const float *A, uint64_t rows, uint64_t columns, uint64_t leading, const float *x, float *y);
// The work alone, in a configuration that was compiled; else NULL.
gemv_float_work *gemv_05fcaa5b_float_work(const gemv_configuration *c) {
  if (c->threads && c->threads != threads) return NULL;
  if (c->blocks < 0 || c->blocks > 2147483647) return NULL;
  return JOIN(alone, float);
}

#define TYPE double
#define E double
#define T double
#define LOAD_ROWS LOAD_ROWS_ANY
#include "05fcaa5b.c"
#undef TYPE
#undef E
#undef T
#undef LOAD_ROWS

int gemv_05fcaa5b_double(const gemv_configuration *c, void *workspace, size_t *workspace_bytes, const double *A, uint64_t rows, uint64_t columns, uint64_t leading, const double *x, double *y) {
  return configured_double(c, workspace, workspace_bytes, A, (Index)rows, (Index)columns, (Index)leading, x, y);
}

typedef int gemv_double_work(int64_t blocks, const double *A, uint64_t rows, uint64_t columns, uint64_t leading, const double *x, double *y);
// The work alone, in a configuration that was compiled; else NULL.
gemv_double_work *gemv_05fcaa5b_double_work(const gemv_configuration *c) {
  if (c->threads && c->threads != threads) return NULL;
  if (c->blocks < 0 || c->blocks > 2147483647) return NULL;
  return JOIN(alone, double);
}

#define TYPE half
#define E tgc_half
#define T float
#define LOAD_ROWS LOAD_ROWS_4
#include "05fcaa5b.c"
#undef TYPE
#undef E
#undef T
#undef LOAD_ROWS

int gemv_05fcaa5b_half(const gemv_configuration *c, void *workspace, size_t *workspace_bytes, const tgc_half *A, uint64_t rows, uint64_t columns, uint64_t leading, const tgc_half *x, float *y) {
  return configured_half(c, workspace, workspace_bytes, A, (Index)rows, (Index)columns, (Index)leading, x, y);
}

typedef int gemv_half_work(int64_t blocks, const tgc_half *A, uint64_t rows, uint64_t columns, uint64_t leading, const tgc_half *x, float *y);
// The work alone, in a configuration that was compiled; else NULL.
gemv_half_work *gemv_05fcaa5b_half_work(const gemv_configuration *c) {
  if (c->threads && c->threads != threads) return NULL;
  if (c->blocks < 0 || c->blocks > 2147483647) return NULL;
  return JOIN(alone, half);
}

#define ROW(THREADS) {THREADS, 0, 1024},
// Those that were compiled; zeros end them.
extern const gemv_configuration gemv_05fcaa5b_configurations[];
const gemv_configuration gemv_05fcaa5b_configurations[] = {GEMV_05FCAA5B_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

#else // one type

// Each thread processes its share of the parts.
static void OF(gemv_threads)(Index thread, Index share, Index rows, Index columns, const E *restrict A, Index leading, const E *restrict x, T *restrict y) {
  // process > lane: each (gemv.cdl:26), one part per lane
  const Index first = thread * share;
  const Index last = min_index(first + share, rows);
  Index turn = first;
  for (; turn + 8 <= last; turn += 8) {
    T accum[8];
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane) {
      // lane: serial (dot.cdl:21)
      accum[lane] = 0;
    }
    Index i = 0;
    for (; i + 8 <= columns; i += 8) {
      E row[8 * 8];
      LOAD_ROWS_ANY(row, &A[turn * leading + i], leading);
      for (int k2 = 0; k2 < 8; ++k2) {
        #pragma omp simd
        for (int lane = 0; lane < 8; ++lane)
          accum[lane] += (T)row[k2 * 8 + lane] * (T)x[i + k2];
      }
    }
    for (; i < columns; ++i) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        accum[lane] += (T)A[(turn + lane) * leading + i] * (T)x[i];
    }
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      y[turn + lane] = accum[lane];
  }
  if (turn < last) {
    for (int lane = 0; lane < 8; ++lane) {
      const Index k = turn + lane;
      if (k < rows) {
        // lane: serial (dot.cdl:21)
        T accum = 0;
        for (Index i = 0; i < columns; ++i)
          accum += (T)A[k * leading + i] * (T)x[i];
        y[k] = accum;
      }
    }
  }
}

static int OF(work)(Index blocks, const E *A, Index rows, Index columns, Index leading, const E *x, T *y) {
  // process > lane: each (gemv.cdl:26), one part per lane
  const Index p = min_index(max_index(min_index((rows + threads - 1) / threads, (rows * columns + threads * 1024 - 1) / (threads * 1024)), 1), blocks);
  const Index share = (rows + p * threads - 1) / (p * threads) * threads;
  {
    if (p == 1) // no thread is woken
      OF(gemv_threads)(0, share, rows, columns, A, leading, x, y);
    else {
      #pragma omp parallel for schedule(static) num_threads(at_once(p))
      for (Index thread = 0; thread < p; ++thread)
        OF(gemv_threads)(thread, share, rows, columns, A, leading, x, y);
    }
  }
  return 0;
}

// The same for who has checked what it is given.
static int OF(alone)(int64_t blocks, const E *A, uint64_t rows, uint64_t columns, uint64_t leading, const E *x, T *y) {
  return OF(work)(blocks ? (Index)blocks : processors(), A, (Index)rows, (Index)columns, (Index)leading, x, y);
}

// With no workspace: says how many bytes one needs. With one: does the work.
static int OF(run)(Index blocks, void *workspace, size_t *workspace_bytes, const E *A, Index rows, Index columns, Index leading, const E *x, T *y) {
  static_assert(threads >= 8 && threads <= 8 && threads % 8 == 0, "threads: lanes per vector, 8");
  if (rows < 0 || rows > PTRDIFF_MAX / 2 || columns < 0 || columns > PTRDIFF_MAX / 2 || leading < 0 || leading > PTRDIFF_MAX / 2 || workspace_bytes == NULL) return EINVAL;
  const size_t need = 1; // none, but never zero
  if (workspace == NULL) {
    *workspace_bytes = need;
    return 0;
  }
  if (*workspace_bytes < need) return EINVAL;
  return OF(work)(blocks, A, rows, columns, leading, x, y);
}

// The same in the configuration c; NULL: the variant's own.
static int JOIN(configured, TYPE)(const gemv_configuration *c, void *workspace, size_t *workspace_bytes, const E *A, Index rows, Index columns, Index leading, const E *x, T *y) {
  const gemv_configuration own = {0, 0, 0};
  if (c == NULL) c = &own;
  if (c->threads && c->threads != threads) return ENOTSUP;
  if (c->blocks < 0 || c->blocks > 2147483647) return ENOTSUP; // maximum number of threads, 1 to 2147483647
  const Index blocks = c->blocks ? c->blocks : processors();
  return OF(run)(blocks, workspace, workspace_bytes, A, rows, columns, leading, x, y);
}

#endif
