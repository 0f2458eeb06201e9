// reduce, variant dea8e9b0: process>thread.strided(lane.strided(ilp.serial; lane.serial); thread.tree+shuffle)
// Made by tgc from reduce.cdl for avx2; this text is yours.
//
// shuffle, 1 kernel, determinism run_to_run: no atomics, but the order depends on widths that follow from the machine's figures
// not batch-invariant: the result depends on the machine's figures
//
//   process: one thread acts for all (P1)
//     thread: regroups by `strided', over its lanes (T4)
//       each part: lane: regroups by `strided', over its register slots (L4)
//         each part: ilp: computes by `serial' (I2)
//         results: lane: computes by `serial' (L2)
//       results: thread: computes by `tree', exchanging registers (T5)
//
// codelets
//   strided      reduce.cdl:174
//   serial       reduce.cdl:152
//   tree         reduce.cdl:185
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

// Loops that copy stay loops: what GCC copies by itself goes by halves of a vector, and whoever reads the whole
// waits for them. Nobody asks for errno after a root.
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-tree-loop-distribute-patterns", "no-math-errno")
#endif

// The configurations that are compiled, C(threads, loads); the first is the variant's own.
//   threads: lanes per vector, 8
//   loads: vectors in flight, 1 to 16
#ifndef REDUCE_MIN_DEA8E9B0_CONFIGURATIONS
#define REDUCE_MIN_DEA8E9B0_CONFIGURATIONS(C) C(8, 2)
#endif

#ifndef REDUCE_MIN_CONFIGURATION
#define REDUCE_MIN_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct reduce_min_configuration {
  int threads, loads;
  int64_t blocks;
} reduce_min_configuration;
#endif

typedef long long Index; // sizes and positions
enum { threads = 8 }; // lanes per vector

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
#define E float
#define T float
#define EXCHANGE EXCHANGE_4
#define NONE(x) isnan(x)
#define LOWEST -INFINITY
#define HIGHEST INFINITY
#include "dea8e9b0.c"
#undef TYPE
#undef E
#undef T
#undef EXCHANGE
#undef NONE
#undef LOWEST
#undef HIGHEST

int reduce_min_dea8e9b0_float(const reduce_min_configuration *c, void *workspace, size_t *workspace_bytes, const float *in, uint64_t n, float *out) {
  return configured_float(c, workspace, workspace_bytes, in, (Index)n, out);
}

typedef int reduce_min_float_work(int64_t blocks, const float *in, uint64_t n, float *out);
// The work alone, in a configuration that was compiled; else NULL.
reduce_min_float_work *reduce_min_dea8e9b0_float_work(const reduce_min_configuration *c) {
  if (c->threads && c->threads != threads) return NULL;
#define WORK(THREADS, LOADS) if (c->loads == 0 || c->loads == LOADS) return JOIN3(alone, float, LOADS);
  REDUCE_MIN_DEA8E9B0_CONFIGURATIONS(WORK)
#undef WORK
  return NULL;
}

#define TYPE uint8
#define E unsigned char
#define T unsigned
#define EXCHANGE EXCHANGE_4
#define NONE(x) false
#define LOWEST 0u
#define HIGHEST UINT_MAX
#include "dea8e9b0.c"
#undef TYPE
#undef E
#undef T
#undef EXCHANGE
#undef NONE
#undef LOWEST
#undef HIGHEST

int reduce_min_dea8e9b0_uint8(const reduce_min_configuration *c, void *workspace, size_t *workspace_bytes, const unsigned char *in, uint64_t n, unsigned *out) {
  return configured_uint8(c, workspace, workspace_bytes, in, (Index)n, out);
}

typedef int reduce_min_uint8_work(int64_t blocks, const unsigned char *in, uint64_t n, unsigned *out);
// The work alone, in a configuration that was compiled; else NULL.
reduce_min_uint8_work *reduce_min_dea8e9b0_uint8_work(const reduce_min_configuration *c) {
  if (c->threads && c->threads != threads) return NULL;
#define WORK(THREADS, LOADS) if (c->loads == 0 || c->loads == LOADS) return JOIN3(alone, uint8, LOADS);
  REDUCE_MIN_DEA8E9B0_CONFIGURATIONS(WORK)
#undef WORK
  return NULL;
}

#define ROW(THREADS, LOADS) {THREADS, LOADS, 0},
// Those that were compiled; zeros end them.
extern const reduce_min_configuration reduce_min_dea8e9b0_configurations[];
const reduce_min_configuration reduce_min_dea8e9b0_configurations[] = {REDUCE_MIN_DEA8E9B0_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

#elif !defined loads // one type

#if 0 REDUCE_MIN_DEA8E9B0_CONFIGURATIONS(HAS_1)
#define loads 1
#include "dea8e9b0.c"
#undef loads
#endif
#if 0 REDUCE_MIN_DEA8E9B0_CONFIGURATIONS(HAS_2)
#define loads 2
#include "dea8e9b0.c"
#undef loads
#endif
#if 0 REDUCE_MIN_DEA8E9B0_CONFIGURATIONS(HAS_4)
#define loads 4
#include "dea8e9b0.c"
#undef loads
#endif
#if 0 REDUCE_MIN_DEA8E9B0_CONFIGURATIONS(HAS_8)
#define loads 8
#include "dea8e9b0.c"
#undef loads
#endif
#if 0 REDUCE_MIN_DEA8E9B0_CONFIGURATIONS(HAS_16)
#define loads 16
#include "dea8e9b0.c"
#undef loads
#endif

// The same in the configuration c; NULL: the variant's own.
static int JOIN(configured, TYPE)(const reduce_min_configuration *c, void *workspace, size_t *workspace_bytes, const E *in, Index n, T *out) {
  const reduce_min_configuration own = {0, 0, 0};
  if (c == NULL) c = &own;
  if (c->threads && c->threads != threads) return ENOTSUP;
#define RUN(THREADS, LOADS) if (c->loads == 0 || c->loads == LOADS) return JOIN3(run, TYPE, LOADS)(workspace, workspace_bytes, in, n, out);
  REDUCE_MIN_DEA8E9B0_CONFIGURATIONS(RUN)
#undef RUN
  return ENOTSUP;
}

#else // one type, so many vectors in flight

// What is no number is left out; where x is surely one, that takes no more than a comparison.
static inline T OF(lesser)(T x, T y) { return y < x ? y : x; }
static inline T OF(min)(T x, T y) { return NONE(x) ? y : OF(lesser)(x, y); }

// One thread works for the whole process.
static FOR_EACH_CALL void OF(reduce_min_one_thread)(bool whole, Index n, const E *restrict in, T *restrict out) {
  // thread > lane: strided (reduce.cdl:174), one part per lane
  // lane > ilp: strided (reduce.cdl:174), each with its register slots; serial (reduce.cdl:152)
  T accum[loads * 8];
  for (int s = 0; s < loads; ++s) {
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      accum[s * 8 + lane] = HIGHEST;
  }
  Index i = 0;
  for (; i + 8 * loads <= n; i += 8 * loads) {
    for (int s = 0; s < loads; ++s) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        accum[s * 8 + lane] = OF(lesser)(accum[s * 8 + lane], (T)in[i + s * 8 + lane]);
    }
  }
  if (!whole) {
    for (; i + 8 <= n; i += 8) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        accum[lane] = OF(lesser)(accum[lane], (T)in[i + lane]);
    }
    if (i < n) {
      T some[8];
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        some[lane] = i + lane < n ? (T)in[i + lane] : accum[lane];
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        accum[lane] = OF(lesser)(accum[lane], some[lane]);
    }
  }
  // lane: serial (reduce.cdl:152)
  T accum2[8];
  #pragma omp simd
  for (int lane = 0; lane < 8; ++lane)
    accum2[lane] = HIGHEST;
  for (Index i2 = 0; i2 < loads; ++i2) {
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      accum2[lane] = OF(lesser)(accum2[lane], accum[i2 * 8 + lane]);
  }
  // thread: tree (reduce.cdl:185), exchanging registers
  T val[8];
  #pragma omp simd
  for (int lane = 0; lane < 8; ++lane)
    val[lane] = accum2[lane];
  {
    T other[8];
    EXCHANGE(other, val, (4, 5, 6, 7), (4, 5, 6, 7));
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      val[lane] = OF(min)(val[lane], other[lane]);
  }
  {
    T other[8];
    EXCHANGE(other, val, (2, 3, 4, 5), (6, 7, 6, 7));
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      val[lane] = OF(min)(val[lane], other[lane]);
  }
  {
    T other[8];
    EXCHANGE(other, val, (1, 2, 3, 4), (5, 6, 7, 7));
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      val[lane] = OF(min)(val[lane], other[lane]);
  }
  out[0] = val[0];
}

static int OF(work)(const E *in, Index n, T *out) {
  {
    const bool whole = n >= (threads * loads) && (n % (threads * loads) == 0);
    whole ? OF(reduce_min_one_thread)(true, n, in, out) : OF(reduce_min_one_thread)(false, n, in, out);
  }
  return 0;
}

// The same for who has checked what it is given.
static int OF(alone)(int64_t blocks, const E *in, uint64_t n, T *out) {
  (void)blocks;
  return OF(work)(in, (Index)n, out);
}

// With no workspace: says how many bytes one needs. With one: does the work.
static int OF(run)(void *workspace, size_t *workspace_bytes, const E *in, Index n, T *out) {
  static_assert(threads >= 8 && threads <= 8 && threads % 8 == 0, "threads: lanes per vector, 8");
  static_assert(loads >= 1 && loads <= 16, "loads: vectors in flight, 1 to 16");
  if (n < 0 || n > PTRDIFF_MAX / 2 || workspace_bytes == NULL) return EINVAL;
  const size_t need = 1; // none, but never zero
  if (workspace == NULL) {
    *workspace_bytes = need;
    return 0;
  }
  if (*workspace_bytes < need) return EINVAL;
  return OF(work)(in, n, out);
}

#endif
