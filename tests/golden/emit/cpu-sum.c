// sum, variant 7d25b644: process.tiled!atomic(thread.strided(lane.strided(ilp.serial; lane.serial); thread.tree+shuffle))
// Made by tgc from sum.cdl for avx2; this text is yours.
//
// shuffle, 1 kernel, determinism not_guaranteed: atomics accumulate in the order of arrival: floating-point results differ from run to run (integers do not)
// not batch-invariant: the result depends on the order of arrival
//
//   process: regroups by `tiled', over its threads (P3)
//     each part: thread: regroups by `strided', over its lanes (T4)
//       each part: lane: regroups by `strided', over its register slots (L4)
//         each part: ilp: computes by `serial' (I2)
//         results: lane: computes by `serial' (L2)
//       results: thread: computes by `tree', exchanging registers (T5)
//     results: accumulated atomically at the process
//
// codelets
//   tiled        sum.cdl:21
//   strided      sum.cdl:36
//   serial       sum.cdl:9
//   tree         sum.cdl:50
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
__extension__ typedef float _Complex tgc_cfloat;
__extension__ typedef double _Complex tgc_cdouble;

// Loops that copy stay loops: what GCC copies by itself goes by halves of a vector, and whoever reads the whole
// waits for them. Nobody asks for errno after a root.
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-tree-loop-distribute-patterns", "no-math-errno")
#endif

// The configurations that are compiled, C(threads, loads); the first is the variant's own.
//   threads: lanes per vector, 8
//   loads: vectors in flight, 1 to 16
#ifndef SUM_7D25B644_CONFIGURATIONS
#define SUM_7D25B644_CONFIGURATIONS(C) C(8, 2)
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
#define EXCHANGE EXCHANGE_4
#include "7d25b644.c"
#undef TYPE
#undef T
#undef EXCHANGE

int sum_7d25b644_float(const sum_configuration *c, void *workspace, size_t *workspace_bytes, const float *in, uint64_t n, float *out) {
  return configured_float(c, workspace, workspace_bytes, in, (Index)n, out);
}

typedef int sum_float_work(int64_t blocks, const float *in, uint64_t n, float *out);
// The work alone, in a configuration that was compiled; else NULL.
sum_float_work *sum_7d25b644_float_work(const sum_configuration *c) {
  if (c->threads && c->threads != threads) return NULL;
  if (c->blocks < 0 || c->blocks > 2147483647) return NULL;
#define WORK(THREADS, LOADS) if (c->loads == 0 || c->loads == LOADS) return JOIN3(alone, float, LOADS);
  SUM_7D25B644_CONFIGURATIONS(WORK)
#undef WORK
  return NULL;
}

#define TYPE cfloat
#define T tgc_cfloat
#define EXCHANGE EXCHANGE_ANY
#include "7d25b644.c"
#undef TYPE
#undef T
#undef EXCHANGE

int sum_7d25b644_cfloat(const sum_configuration *c, void *workspace, size_t *workspace_bytes, const tgc_cfloat *in, uint64_t n, tgc_cfloat *out) {
  return configured_cfloat(c, workspace, workspace_bytes, in, (Index)n, out);
}

typedef int sum_cfloat_work(int64_t blocks, const tgc_cfloat *in, uint64_t n, tgc_cfloat *out);
// The work alone, in a configuration that was compiled; else NULL.
sum_cfloat_work *sum_7d25b644_cfloat_work(const sum_configuration *c) {
  if (c->threads && c->threads != threads) return NULL;
  if (c->blocks < 0 || c->blocks > 2147483647) return NULL;
#define WORK(THREADS, LOADS) if (c->loads == 0 || c->loads == LOADS) return JOIN3(alone, cfloat, LOADS);
  SUM_7D25B644_CONFIGURATIONS(WORK)
#undef WORK
  return NULL;
}

#define ROW(THREADS, LOADS) {THREADS, LOADS, 16},
// Those that were compiled; zeros end them.
extern const sum_configuration sum_7d25b644_configurations[];
const sum_configuration sum_7d25b644_configurations[] = {SUM_7D25B644_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

#elif !defined loads // one type

#if 0 SUM_7D25B644_CONFIGURATIONS(HAS_1)
#define loads 1
#include "7d25b644.c"
#undef loads
#endif
#if 0 SUM_7D25B644_CONFIGURATIONS(HAS_2)
#define loads 2
#include "7d25b644.c"
#undef loads
#endif
#if 0 SUM_7D25B644_CONFIGURATIONS(HAS_4)
#define loads 4
#include "7d25b644.c"
#undef loads
#endif
#if 0 SUM_7D25B644_CONFIGURATIONS(HAS_8)
#define loads 8
#include "7d25b644.c"
#undef loads
#endif
#if 0 SUM_7D25B644_CONFIGURATIONS(HAS_16)
#define loads 16
#include "7d25b644.c"
#undef loads
#endif

// The same in the configuration c; NULL: the variant's own.
static int JOIN(configured, TYPE)(const sum_configuration *c, void *workspace, size_t *workspace_bytes, const T *in, Index n, T *out) {
  const sum_configuration own = {0, 0, 0};
  if (c == NULL) c = &own;
  if (c->threads && c->threads != threads) return ENOTSUP;
  if (c->blocks < 0 || c->blocks > 2147483647) return ENOTSUP; // maximum number of threads, 1 to 2147483647
  const Index blocks = c->blocks ? c->blocks : processors();
#define RUN(THREADS, LOADS) if (c->loads == 0 || c->loads == LOADS) return JOIN3(run, TYPE, LOADS)(blocks, workspace, workspace_bytes, in, n, out);
  SUM_7D25B644_CONFIGURATIONS(RUN)
#undef RUN
  return ENOTSUP;
}

#else // one type, so many vectors in flight

// Sets the accumulator to the operator's identity.
static void OF(sum_identity)(T *restrict out) {
  out[0] = 0;
}

// Each thread reduces its part and adds it to the accumulator.
static FOR_EACH_CALL void OF(sum_threads)(bool alone, Index thread, Index whole_tile, Index n, const T *restrict in, T *restrict out) {
  // process > thread: tiled (sum.cdl:21), one part per thread
  const Index thread_begin = min_index(thread * whole_tile, n);
  const Index thread_end = min_index(whole_tile + thread * whole_tile, n);
  // thread > lane: strided (sum.cdl:36), one part per lane
  // lane > ilp: strided (sum.cdl:36), each with its register slots; serial (sum.cdl:9)
  T accum[loads * 8];
  for (int s = 0; s < loads; ++s) {
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      accum[s * 8 + lane] = 0;
  }
  Index i = thread_begin;
  for (; i + 8 * loads <= thread_end; i += 8 * loads) {
    for (int s = 0; s < loads; ++s) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        accum[s * 8 + lane] += in[i + s * 8 + lane];
    }
  }
  for (; i + 8 <= thread_end; i += 8) {
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      accum[lane] += in[i + lane];
  }
  if (i < thread_end) {
    T some[8];
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      some[lane] = i + lane < thread_end ? in[i + lane] : -(T)0;
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      accum[lane] += some[lane];
  }
  // lane: serial (sum.cdl:9)
  T accum2[8];
  #pragma omp simd
  for (int lane = 0; lane < 8; ++lane)
    accum2[lane] = 0;
  for (Index i2 = 0; i2 < loads; ++i2) {
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      accum2[lane] += accum[i2 * 8 + lane];
  }
  // thread: tree (sum.cdl:50), exchanging registers
  T val[8];
  #pragma omp simd
  for (int lane = 0; lane < 8; ++lane)
    val[lane] = accum2[lane];
  {
    T other[8];
    EXCHANGE(other, val, (4, 5, 6, 7), (4, 5, 6, 7));
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      val[lane] += other[lane];
  }
  {
    T other[8];
    EXCHANGE(other, val, (2, 3, 4, 5), (6, 7, 6, 7));
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      val[lane] += other[lane];
  }
  {
    T other[8];
    EXCHANGE(other, val, (1, 2, 3, 4), (5, 6, 7, 7));
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      val[lane] += other[lane];
  }
  {
    if (alone) out[0] += val[0];
    else
      #pragma omp critical(sum_7d25b644)
      out[0] += val[0];
  }
}

static int OF(work)(Index blocks, const T *in, Index n, T *out) {
  // process > thread: tiled (sum.cdl:21), one part per thread
  const Index p = min_index(max_index((n + threads * 1024 - 1) / (threads * 1024), 1), blocks);
  Index tile = (n + p - 1) / p;
  const int grain = threads * 16;
  const Index whole_tile = (tile + grain - 1) / grain * grain;
  {
    OF(sum_identity)(out);
  }
  {
    if (at_once(p) == 1) // no thread is woken
      for (Index thread = 0; thread < p; ++thread)
        OF(sum_threads)(true, thread, whole_tile, n, in, out);
    else {
      #pragma omp parallel for schedule(static) num_threads(at_once(p))
      for (Index thread = 0; thread < p; ++thread)
        OF(sum_threads)(false, thread, whole_tile, n, in, out);
    }
  }
  return 0;
}

// The same for who has checked what it is given.
static int OF(alone)(int64_t blocks, const T *in, uint64_t n, T *out) {
  return OF(work)(blocks ? (Index)blocks : processors(), in, (Index)n, out);
}

// With no workspace: says how many bytes one needs. With one: does the work.
static int OF(run)(Index blocks, void *workspace, size_t *workspace_bytes, const T *in, Index n, T *out) {
  static_assert(threads >= 8 && threads <= 8 && threads % 8 == 0, "threads: lanes per vector, 8");
  static_assert(loads >= 1 && loads <= 16, "loads: vectors in flight, 1 to 16");
  if (n < 0 || n > PTRDIFF_MAX / 2 || workspace_bytes == NULL) return EINVAL;
  const size_t need = 1; // none, but never zero
  if (workspace == NULL) {
    *workspace_bytes = need;
    return 0;
  }
  if (*workspace_bytes < need) return EINVAL;
  return OF(work)(blocks, in, n, out);
}

#endif
