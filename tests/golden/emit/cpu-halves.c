// dot, variant 8dc1575b: process.products=process>thread.strided!halves(lane.strided(ilp.serial; lane.serial); thread.tree+shuffle)
// Made by tgc from dot.cdl for avx512; this text is yours.
//
// shuffle, 1 kernel, determinism run_to_run: no atomics, but the order depends on widths that follow from the machine's figures
// not batch-invariant: the result depends on the machine's figures
//
//   process: `products' applies (P3)
//     process: one thread acts for all (P4)
//       thread: regroups by `strided', over its lanes (T7)
//         each part, by half vectors: lane: regroups by `strided', over its register slots (L7)
//           each part: ilp: computes by `serial' (I5)
//           results: lane: computes by `serial' (L5)
//         results: thread: computes by `tree', exchanging registers (T8)
//
// codelets
//   products     dot.cdl:32
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
// With a pointer for each array GCC 12 reads their lines out of order, which costs a twentieth of what an L2 gives.
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-ivopts")
#endif

// The configurations that are compiled, C(threads, loads); the first is the variant's own.
//   threads: lanes per vector, 16
//   loads: vectors in flight, 1 to 16
#ifndef DOT_8DC1575B_CONFIGURATIONS
#define DOT_8DC1575B_CONFIGURATIONS(C) C(16, 2)
#endif

#ifndef DOT_CONFIGURATION
#define DOT_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct dot_configuration {
  int threads, loads;
  int64_t blocks;
} dot_configuration;
#endif

typedef long long Index; // sizes and positions
enum { threads = 16 }; // lanes per vector

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
#define HAS_8(THREADS, LOADS) || LOADS == 8
#define HAS_16(THREADS, LOADS) || LOADS == 16

#define TYPE float
#define T float
#define EXCHANGE EXCHANGE_4
#define FUSED FUSED_FLOAT
#include "8dc1575b.c"
#undef TYPE
#undef T
#undef EXCHANGE
#undef FUSED

int dot_8dc1575b_float(const dot_configuration *c, void *workspace, size_t *workspace_bytes, const float *x, uint64_t n, const float *y, float *out) {
  return configured_float(c, workspace, workspace_bytes, x, (Index)n, y, out);
}

typedef int dot_float_work(int64_t blocks, const float *x, uint64_t n, const float *y, float *out);
// The work alone, in a configuration that was compiled; else NULL.
dot_float_work *dot_8dc1575b_float_work(const dot_configuration *c) {
  if (c->threads && c->threads != threads) return NULL;
#define WORK(THREADS, LOADS) if (c->loads == 0 || c->loads == LOADS) return JOIN3(alone, float, LOADS);
  DOT_8DC1575B_CONFIGURATIONS(WORK)
#undef WORK
  return NULL;
}

#define TYPE cdouble
#define T tgc_cdouble
#define EXCHANGE EXCHANGE_ANY
#define FUSED FUSED_NOT
#include "8dc1575b.c"
#undef TYPE
#undef T
#undef EXCHANGE
#undef FUSED

int dot_8dc1575b_cdouble(const dot_configuration *c, void *workspace, size_t *workspace_bytes, const tgc_cdouble *x, uint64_t n, const tgc_cdouble *y, tgc_cdouble *out) {
  return configured_cdouble(c, workspace, workspace_bytes, x, (Index)n, y, out);
}

typedef int dot_cdouble_work(int64_t blocks, const tgc_cdouble *x, uint64_t n, const tgc_cdouble *y, tgc_cdouble *out);
// The work alone, in a configuration that was compiled; else NULL.
dot_cdouble_work *dot_8dc1575b_cdouble_work(const dot_configuration *c) {
  if (c->threads && c->threads != threads) return NULL;
#define WORK(THREADS, LOADS) if (c->loads == 0 || c->loads == LOADS) return JOIN3(alone, cdouble, LOADS);
  DOT_8DC1575B_CONFIGURATIONS(WORK)
#undef WORK
  return NULL;
}

#define ROW(THREADS, LOADS) {THREADS, LOADS, 0},
// Those that were compiled; zeros end them.
extern const dot_configuration dot_8dc1575b_configurations[];
const dot_configuration dot_8dc1575b_configurations[] = {DOT_8DC1575B_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

#elif !defined loads // one type

#if 0 DOT_8DC1575B_CONFIGURATIONS(HAS_1)
#define loads 1
#include "8dc1575b.c"
#undef loads
#endif
#if 0 DOT_8DC1575B_CONFIGURATIONS(HAS_2)
#define loads 2
#include "8dc1575b.c"
#undef loads
#endif
#if 0 DOT_8DC1575B_CONFIGURATIONS(HAS_4)
#define loads 4
#include "8dc1575b.c"
#undef loads
#endif
#if 0 DOT_8DC1575B_CONFIGURATIONS(HAS_8)
#define loads 8
#include "8dc1575b.c"
#undef loads
#endif
#if 0 DOT_8DC1575B_CONFIGURATIONS(HAS_16)
#define loads 16
#include "8dc1575b.c"
#undef loads
#endif

// The same in the configuration c; NULL: the variant's own.
static int JOIN(configured, TYPE)(const dot_configuration *c, void *workspace, size_t *workspace_bytes, const T *x, Index n, const T *y, T *out) {
  const dot_configuration own = {0, 0, 0};
  if (c == NULL) c = &own;
  if (c->threads && c->threads != threads) return ENOTSUP;
#define RUN(THREADS, LOADS) if (c->loads == 0 || c->loads == LOADS) return JOIN3(run, TYPE, LOADS)(workspace, workspace_bytes, x, n, y, out);
  DOT_8DC1575B_CONFIGURATIONS(RUN)
#undef RUN
  return ENOTSUP;
}

#else // one type, so many vectors in flight

// One thread works for the whole process.
static FOR_EACH_CALL void OF(dot_one_thread)(bool whole, Index n, const T *restrict x, const T *restrict y, T *restrict out) {
  // thread > lane: strided (sum_steps.cdl:33), one part per lane
  // lane > ilp: strided (sum_steps.cdl:33), each with its register slots; serial (sum_steps.cdl:6)
  T accum[loads * 16];
  for (int s = 0; s < loads; ++s) {
    #pragma omp simd simdlen(32 / sizeof(T))
    for (int lane = 0; lane < 16; ++lane)
      accum[s * 16 + lane] = 0;
  }
  Index i = 0;
  for (; i + 16 * loads <= n; i += 16 * loads) {
    for (int s = 0; s < loads; ++s) {
      #pragma omp simd simdlen(32 / sizeof(T))
      for (int lane = 0; lane < 16; ++lane)
        accum[s * 16 + lane] = FUSED(x[i + s * 16 + lane], y[i + s * 16 + lane], accum[s * 16 + lane]);
    }
  }
  if (!whole) {
    for (; i + 16 <= n; i += 16) {
      #pragma omp simd simdlen(32 / sizeof(T))
      for (int lane = 0; lane < 16; ++lane)
        accum[lane] = FUSED(x[i + lane], y[i + lane], accum[lane]);
    }
    if (i < n) {
      T some[16];
      #pragma omp simd simdlen(32 / sizeof(T))
      for (int lane = 0; lane < 16; ++lane)
        some[lane] = i + lane < n ? x[i + lane] * y[i + lane] : -(T)0;
      #pragma omp simd simdlen(32 / sizeof(T))
      for (int lane = 0; lane < 16; ++lane)
        accum[lane] += some[lane];
    }
  }
  // lane: serial (sum_steps.cdl:6)
  T accum2[16];
  #pragma omp simd simdlen(32 / sizeof(T))
  for (int lane = 0; lane < 16; ++lane)
    accum2[lane] = 0;
  for (Index i2 = 0; i2 < loads; ++i2) {
    #pragma omp simd simdlen(32 / sizeof(T))
    for (int lane = 0; lane < 16; ++lane)
      accum2[lane] += accum[i2 * 16 + lane];
  }
  // thread: tree (sum_steps.cdl:47), exchanging registers
  T val[16];
  #pragma omp simd simdlen(32 / sizeof(T))
  for (int lane = 0; lane < 16; ++lane)
    val[lane] = accum2[lane];
  {
    T other[16];
    EXCHANGE(other, val, (8, 9, 10, 11, 12, 13, 14, 15), (8, 9, 10, 11, 12, 13, 14, 15));
    #pragma omp simd simdlen(32 / sizeof(T))
    for (int lane = 0; lane < 16; ++lane)
      val[lane] += other[lane];
  }
  {
    T other[16];
    EXCHANGE(other, val, (4, 5, 6, 7, 8, 9, 10, 11), (12, 13, 14, 15, 12, 13, 14, 15));
    #pragma omp simd simdlen(32 / sizeof(T))
    for (int lane = 0; lane < 16; ++lane)
      val[lane] += other[lane];
  }
  {
    T other[16];
    EXCHANGE(other, val, (2, 3, 4, 5, 6, 7, 8, 9), (10, 11, 12, 13, 14, 15, 14, 15));
    #pragma omp simd simdlen(32 / sizeof(T))
    for (int lane = 0; lane < 16; ++lane)
      val[lane] += other[lane];
  }
  {
    T other[16];
    EXCHANGE(other, val, (1, 2, 3, 4, 5, 6, 7, 8), (9, 10, 11, 12, 13, 14, 15, 15));
    #pragma omp simd simdlen(32 / sizeof(T))
    for (int lane = 0; lane < 16; ++lane)
      val[lane] += other[lane];
  }
  out[0] = val[0];
}

static int OF(work)(const T *x, Index n, const T *y, T *out) {
  {
    const bool whole = n >= (threads * loads) && (n % (threads * loads) == 0);
    whole ? OF(dot_one_thread)(true, n, x, y, out) : OF(dot_one_thread)(false, n, x, y, out);
  }
  return 0;
}

// The same for who has checked what it is given.
static int OF(alone)(int64_t blocks, const T *x, uint64_t n, const T *y, T *out) {
  (void)blocks;
  return OF(work)(x, (Index)n, y, out);
}

// With no workspace: says how many bytes one needs. With one: does the work.
static int OF(run)(void *workspace, size_t *workspace_bytes, const T *x, Index n, const T *y, T *out) {
  static_assert(threads >= 16 && threads <= 16 && threads % 16 == 0, "threads: lanes per vector, 16");
  static_assert(loads >= 1 && loads <= 16, "loads: vectors in flight, 1 to 16");
  if (n < 0 || n > PTRDIFF_MAX / 2 || workspace_bytes == NULL) return EINVAL;
  const size_t need = 1; // none, but never zero
  if (workspace == NULL) {
    *workspace_bytes = need;
    return 0;
  }
  if (*workspace_bytes < need) return EINVAL;
  return OF(work)(x, n, y, out);
}

#endif
