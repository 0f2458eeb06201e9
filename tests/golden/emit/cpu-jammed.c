// gemv, variant 364291ae: process.each!jammed(thread.products=thread.strided(lane.strided(ilp.serial; lane.serial); thread.butterfly+shuffle))
// Made by tgc from gemv.cdl for avx2; this text is yours.
//
// shuffle, 1 kernel, determinism run_to_run: no atomics, but the order depends on widths that follow from the machine's figures
// not batch-invariant: the result depends on the machine's figures
//
//   process: regroups by `each', over its threads (P3)
//     each part, beside others: thread: `products' applies (T6)
//       thread: regroups by `strided', over its lanes (T10)
//         each part: lane: regroups by `strided', over its register slots (L10)
//           each part: ilp: computes by `serial' (I8)
//           results: lane: computes by `serial' (L8)
//         results: thread: computes by `butterfly', exchanging registers (T12)
//
// codelets
//   each         gemv.cdl:26
//   products     dot.cdl:32
//   strided      sum_steps.cdl:33
//   serial       sum_steps.cdl:6
//   butterfly    sum_steps.cdl:75
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
//   loads: vectors in flight, 1 to 4
#ifndef GEMV_364291AE_CONFIGURATIONS
#define GEMV_364291AE_CONFIGURATIONS(C) C(8, 1)
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

// A function that is compiled for each of its calls: their flag, true or false, decides what there is of it.
#ifdef __GNUC__
#define FOR_EACH_CALL inline __attribute__((always_inline))
#else
#define FOR_EACH_CALL inline
#endif

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

#define TYPE float
#define T float
#define EXCHANGE EXCHANGE_4
#define FUSED FUSED_FLOAT
#include "364291ae.c"
#undef TYPE
#undef T
#undef EXCHANGE
#undef FUSED

int gemv_364291ae_float(const gemv_configuration *c, void *workspace, size_t *workspace_bytes, const float *A, uint64_t rows, uint64_t columns, uint64_t leading, const float *x, float *y) {
  return configured_float(c, workspace, workspace_bytes, A, (Index)rows, (Index)columns, (Index)leading, x, y);
}

typedef int gemv_float_work(int64_t blocks, const float *A, uint64_t rows, uint64_t columns, uint64_t leading, const float *x, float *y);
// The work alone, in a configuration that was compiled; else NULL.
gemv_float_work *gemv_364291ae_float_work(const gemv_configuration *c) {
  if (c->threads && c->threads != threads) return NULL;
  if (c->blocks < 0 || c->blocks > 2147483647) return NULL;
#define WORK(THREADS, LOADS) if (c->loads == 0 || c->loads == LOADS) return JOIN3(alone, float, LOADS);
  GEMV_364291AE_CONFIGURATIONS(WORK)
#undef WORK
  return NULL;
}

#define ROW(THREADS, LOADS) {THREADS, LOADS, 16},
// Those that were compiled; zeros end them.
extern const gemv_configuration gemv_364291ae_configurations[];
const gemv_configuration gemv_364291ae_configurations[] = {GEMV_364291AE_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

#elif !defined loads // one type

#if 0 GEMV_364291AE_CONFIGURATIONS(HAS_1)
#define loads 1
#include "364291ae.c"
#undef loads
#endif
#if 0 GEMV_364291AE_CONFIGURATIONS(HAS_2)
#define loads 2
#include "364291ae.c"
#undef loads
#endif
#if 0 GEMV_364291AE_CONFIGURATIONS(HAS_4)
#define loads 4
#include "364291ae.c"
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
  GEMV_364291AE_CONFIGURATIONS(RUN)
#undef RUN
  return ENOTSUP;
}

#else // one type, so many vectors in flight

// Each thread processes its share of the parts.
static FOR_EACH_CALL void OF(gemv_threads)(bool whole, Index thread, Index share, Index rows, Index columns, const T *restrict A, Index leading, const T *restrict x, T *restrict y) {
  // process > thread: each (gemv.cdl:26), one part per thread
  const Index first = thread * share;
  const Index last = min_index(first + share, rows);
  Index turn = first;
  for (; turn + 4 <= last; turn += 4) {
    T accum[4 * loads * 8];
    for (int row = 0; row < 4; ++row) {
      // thread > lane: strided (sum_steps.cdl:33), one part per lane
      // lane > ilp: strided (sum_steps.cdl:33), each with its register slots; serial (sum_steps.cdl:6)
      for (int s = 0; s < loads; ++s) {
        #pragma omp simd
        for (int lane = 0; lane < 8; ++lane)
          accum[(row * loads + s) * 8 + lane] = 0;
      }
    }
    Index i = 0;
    for (; i + 8 * loads <= columns; i += 8 * loads) {
      for (int s = 0; s < loads; ++s) {
        for (int row = 0; row < 4; ++row) {
          #pragma omp simd
          for (int lane = 0; lane < 8; ++lane)
            accum[(row * loads + s) * 8 + lane] = FUSED(A[(turn + row) * leading + (i + s * 8 + lane)], x[i + s * 8 + lane], accum[(row * loads + s) * 8 + lane]);
        }
      }
    }
    if (!whole) {
      for (; i + 8 <= columns; i += 8) {
        for (int row = 0; row < 4; ++row) {
          #pragma omp simd
          for (int lane = 0; lane < 8; ++lane)
            accum[row * loads * 8 + lane] = FUSED(A[(turn + row) * leading + (i + lane)], x[i + lane], accum[row * loads * 8 + lane]);
        }
      }
      if (i < columns) {
        for (int row = 0; row < 4; ++row) {
          T some[8];
          #pragma omp simd
          for (int lane = 0; lane < 8; ++lane)
            some[lane] = i + lane < columns ? A[(turn + row) * leading + (i + lane)] * x[i + lane] : -(T)0;
          #pragma omp simd
          for (int lane = 0; lane < 8; ++lane)
            accum[row * loads * 8 + lane] += some[lane];
        }
      }
    }
    for (int row = 0; row < 4; ++row) {
      // lane: serial (sum_steps.cdl:6)
      T accum2[8];
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        accum2[lane] = 0;
      for (Index i2 = 0; i2 < loads; ++i2) {
        #pragma omp simd
        for (int lane = 0; lane < 8; ++lane)
          accum2[lane] += accum[(row * loads + i2) * 8 + lane];
      }
      // thread: butterfly (sum_steps.cdl:75), exchanging registers
      T val[8];
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        val[lane] = accum2[lane];
      {
        T other[8];
        EXCHANGE(other, val, (4, 5, 6, 7), (0, 1, 2, 3));
        #pragma omp simd
        for (int lane = 0; lane < 8; ++lane)
          val[lane] += other[lane];
      }
      {
        T other[8];
        EXCHANGE(other, val, (2, 3, 0, 1), (6, 7, 4, 5));
        #pragma omp simd
        for (int lane = 0; lane < 8; ++lane)
          val[lane] += other[lane];
      }
      {
        T other[8];
        EXCHANGE(other, val, (1, 0, 3, 2), (5, 4, 7, 6));
        #pragma omp simd
        for (int lane = 0; lane < 8; ++lane)
          val[lane] += other[lane];
      }
      y[turn + row] = val[0];
    }
  }
  for (; turn < last; ++turn) {
    // thread > lane: strided (sum_steps.cdl:33), one part per lane
    // lane > ilp: strided (sum_steps.cdl:33), each with its register slots; serial (sum_steps.cdl:6)
    T accum[loads * 8];
    for (int s = 0; s < loads; ++s) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        accum[s * 8 + lane] = 0;
    }
    Index i = 0;
    for (; i + 8 * loads <= columns; i += 8 * loads) {
      for (int s = 0; s < loads; ++s) {
        #pragma omp simd
        for (int lane = 0; lane < 8; ++lane)
          accum[s * 8 + lane] = FUSED(A[turn * leading + (i + s * 8 + lane)], x[i + s * 8 + lane], accum[s * 8 + lane]);
      }
    }
    if (!whole) {
      for (; i + 8 <= columns; i += 8) {
        #pragma omp simd
        for (int lane = 0; lane < 8; ++lane)
          accum[lane] = FUSED(A[turn * leading + (i + lane)], x[i + lane], accum[lane]);
      }
      if (i < columns) {
        T some2[8];
        #pragma omp simd
        for (int lane = 0; lane < 8; ++lane)
          some2[lane] = i + lane < columns ? A[turn * leading + (i + lane)] * x[i + lane] : -(T)0;
        #pragma omp simd
        for (int lane = 0; lane < 8; ++lane)
          accum[lane] += some2[lane];
      }
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
    // thread: butterfly (sum_steps.cdl:75), exchanging registers
    T val[8];
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      val[lane] = accum2[lane];
    {
      T other[8];
      EXCHANGE(other, val, (4, 5, 6, 7), (0, 1, 2, 3));
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        val[lane] += other[lane];
    }
    {
      T other[8];
      EXCHANGE(other, val, (2, 3, 0, 1), (6, 7, 4, 5));
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        val[lane] += other[lane];
    }
    {
      T other[8];
      EXCHANGE(other, val, (1, 0, 3, 2), (5, 4, 7, 6));
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        val[lane] += other[lane];
    }
    y[turn] = val[0];
  }
}

static int OF(work)(Index blocks, const T *A, Index rows, Index columns, Index leading, const T *x, T *y) {
  // process > thread: each (gemv.cdl:26), one part per thread
  const Index p = min_index(max_index(min_index(rows, (rows * columns + threads * 1024 - 1) / (threads * 1024)), 1), blocks);
  const Index share = (rows + p - 1) / p;
  {
    const bool whole = columns >= (threads * loads) && (columns % (threads * loads) == 0);
    if (p == 1) // no thread is woken
      whole ? OF(gemv_threads)(true, 0, share, rows, columns, A, leading, x, y) : OF(gemv_threads)(false, 0, share, rows, columns, A, leading, x, y);
    else {
      #pragma omp parallel for schedule(static) num_threads(at_once(p))
      for (Index thread = 0; thread < p; ++thread)
        whole ? OF(gemv_threads)(true, thread, share, rows, columns, A, leading, x, y) : OF(gemv_threads)(false, thread, share, rows, columns, A, leading, x, y);
    }
  }
  return 0;
}

// The same for who has checked what it is given.
static int OF(alone)(int64_t blocks, const T *A, uint64_t rows, uint64_t columns, uint64_t leading, const T *x, T *y) {
  return OF(work)(blocks ? (Index)blocks : processors(), A, (Index)rows, (Index)columns, (Index)leading, x, y);
}

// With no workspace: says how many bytes one needs. With one: does the work.
static int OF(run)(Index blocks, void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, const T *x, T *y) {
  static_assert(threads >= 8 && threads <= 8 && threads % 8 == 0, "threads: lanes per vector, 8");
  static_assert(loads >= 1 && loads <= 4, "loads: vectors in flight, 1 to 4");
  if (rows < 0 || rows > PTRDIFF_MAX / 2 || columns < 0 || columns > PTRDIFF_MAX / 2 || leading < 0 || leading > PTRDIFF_MAX / 2 || workspace_bytes == NULL) return EINVAL;
  const size_t need = 1; // none, but never zero
  if (workspace == NULL) {
    *workspace_bytes = need;
    return 0;
  }
  if (*workspace_bytes < need) return EINVAL;
  return OF(work)(blocks, A, rows, columns, leading, x, y);
}

#endif
