// segmented_sum, variant 55022fce: process.each(thread.tiled/spread(thread.strided(lane.strided(ilp.serial; lane.serial); thread.tree+shuffle); lane.serial))
// Made by tgc from segmented_sum.cdl for avx2; this text is yours.
//
// shuffle, 2 kernels, determinism run_to_run: no atomics, but the order depends on widths that follow from the machine's figures
// not batch-invariant: the result depends on the machine's figures
//
//   process: regroups by `each', over its threads (P4)
//     each part: thread: regroups by `tiled', over its share of the grid (T8g)
//       each part: thread: regroups by `strided', over its lanes (T9)
//         each part: lane: regroups by `strided', over its register slots (L9)
//           each part: ilp: computes by `serial' (I7)
//           results: lane: computes by `serial' (L7)
//         results: thread: computes by `tree', exchanging registers (T10)
//       results: lane: computes by `serial' (L7)
//
// codelets
//   each         segmented_sum.cdl:44
//   tiled        sum_steps.cdl:18
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
//   loads: vectors in flight, 1 to 16
#ifndef SEGMENTED_SUM_55022FCE_CONFIGURATIONS
#define SEGMENTED_SUM_55022FCE_CONFIGURATIONS(C) C(8, 2)
#endif

#ifndef SEGMENTED_SUM_CONFIGURATION
#define SEGMENTED_SUM_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct segmented_sum_configuration {
  int threads, loads;
  int64_t blocks;
} segmented_sum_configuration;
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
#include "55022fce.c"
#undef TYPE
#undef T
#undef EXCHANGE

int segmented_sum_55022fce_float(const segmented_sum_configuration *c, void *workspace, size_t *workspace_bytes, const float *in, uint64_t n, uint64_t size, float *out, uint64_t out_n) {
  return configured_float(c, workspace, workspace_bytes, in, (Index)n, (Index)size, out, (Index)out_n);
}

#define ROW(THREADS, LOADS) {THREADS, LOADS, 16},
// Those that were compiled; zeros end them.
extern const segmented_sum_configuration segmented_sum_55022fce_configurations[];
const segmented_sum_configuration segmented_sum_55022fce_configurations[] = {SEGMENTED_SUM_55022FCE_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

#elif !defined loads // one type

#if 0 SEGMENTED_SUM_55022FCE_CONFIGURATIONS(HAS_1)
#define loads 1
#include "55022fce.c"
#undef loads
#endif
#if 0 SEGMENTED_SUM_55022FCE_CONFIGURATIONS(HAS_2)
#define loads 2
#include "55022fce.c"
#undef loads
#endif
#if 0 SEGMENTED_SUM_55022FCE_CONFIGURATIONS(HAS_4)
#define loads 4
#include "55022fce.c"
#undef loads
#endif
#if 0 SEGMENTED_SUM_55022FCE_CONFIGURATIONS(HAS_8)
#define loads 8
#include "55022fce.c"
#undef loads
#endif
#if 0 SEGMENTED_SUM_55022FCE_CONFIGURATIONS(HAS_16)
#define loads 16
#include "55022fce.c"
#undef loads
#endif

// The same in the configuration c; NULL: the variant's own.
static int JOIN(configured, TYPE)(const segmented_sum_configuration *c, void *workspace, size_t *workspace_bytes, const T *in, Index n, Index size, T *out, Index out_n) {
  const segmented_sum_configuration own = {0, 0, 0};
  if (c == NULL) c = &own;
  if (c->threads && c->threads != threads) return ENOTSUP;
  if (c->blocks < 0 || c->blocks > 2147483647) return ENOTSUP; // maximum number of threads, 1 to 2147483647
  const Index blocks = c->blocks ? c->blocks : processors();
#define RUN(THREADS, LOADS) if (c->loads == 0 || c->loads == LOADS) return JOIN3(run, TYPE, LOADS)(blocks, workspace, workspace_bytes, in, n, size, out, out_n);
  SEGMENTED_SUM_55022FCE_CONFIGURATIONS(RUN)
#undef RUN
  return ENOTSUP;
}

#else // one type, so many vectors in flight

// Each thread processes one piece of each of its parts.
static void OF(segmented_sum_threads)(Index thread, Index out_n, Index length, Index n, Index pieces, const T *restrict in, T *restrict partial) {
  // process > thread: each (segmented_sum.cdl:44), one part per thread
  for (Index turn = 0; turn < out_n; ++turn) {
    const Index part_begin = min_index(turn * length, n);
    const Index part_end = min_index(length + turn * length, n);
    // thread: tiled (sum_steps.cdl:18), one piece of many
    Index len = part_end - part_begin;
    Index tile = (len + pieces - 1) / pieces;
    const int grain = 8 * 16;
    const Index whole_tile = (tile + grain - 1) / grain * grain;
    const Index piece_begin = min_index(part_begin + thread * whole_tile, part_end);
    const Index piece_end = min_index(part_begin + (whole_tile + thread * whole_tile), part_end);
    // thread > lane: strided (sum_steps.cdl:33), one part per lane
    // lane > ilp: strided (sum_steps.cdl:33), each with its register slots; serial (sum_steps.cdl:6)
    T accum[loads * 8];
    for (int s = 0; s < loads; ++s) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        accum[s * 8 + lane] = 0;
    }
    Index i = piece_begin;
    for (; i + 8 * loads <= piece_end; i += 8 * loads) {
      for (int s = 0; s < loads; ++s) {
        #pragma omp simd
        for (int lane = 0; lane < 8; ++lane)
          accum[s * 8 + lane] += in[i + s * 8 + lane];
      }
    }
    for (; i + 8 <= piece_end; i += 8) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        accum[lane] += in[i + lane];
    }
    if (i < piece_end) {
      T some[8];
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        some[lane] = i + lane < piece_end ? in[i + lane] : -(T)0;
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        accum[lane] += some[lane];
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
    // thread: tree (sum_steps.cdl:47), exchanging registers
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
    partial[thread * out_n + turn] = val[0];
  }
}

// Each thread combines the partial results of its share of the parts, one lane for each part.
static void OF(segmented_sum_combine)(Index thread, Index combined, Index out_n, Index pieces, T *restrict partial, T *restrict out) {
  const Index first = thread * combined;
  const Index last = min_index(first + combined, out_n);
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
        accum[lane] += partial[turn + lane + i * out_n];
    }
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      out[turn + lane] = accum[lane];
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
        accum[lane] += turn + lane < out_n ? partial[turn + lane + i * out_n] : -(T)0;
    }
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane) {
      if (turn + lane < out_n)
        out[turn + lane] = accum[lane];
    }
  }
}

// With no workspace: says how many bytes one needs. With one: does the work.
static int OF(run)(Index blocks, void *workspace, size_t *workspace_bytes, const T *in, Index n, Index size, T *out, Index out_n) {
  static_assert(threads >= 8 && threads <= 8 && threads % 8 == 0, "threads: lanes per vector, 8");
  static_assert(loads >= 1 && loads <= 16, "loads: vectors in flight, 1 to 16");
  if (n < 0 || n > PTRDIFF_MAX / 2 || size < 0 || size > PTRDIFF_MAX / 2 || out_n < 0 || out_n > PTRDIFF_MAX / 2 || workspace_bytes == NULL) return EINVAL;
  // process > thread: each (segmented_sum.cdl:44), one part per thread
  Index length = min_index(size, n);
  // each part is shared: tiled (sum_steps.cdl:18)
  const Index pieces = min_index(max_index((n + threads * 1024 - 1) / (threads * 1024), 1), blocks);
  const Index combining = max_index(min_index((out_n * pieces + threads * 1024 - 1) / (threads * 1024), blocks), 1);
  const Index combined = (out_n + combining * threads - 1) / (combining * threads) * threads;
  const size_t need = 16 + (size_t)out_n * pieces * sizeof(T);
  if (workspace == NULL) {
    *workspace_bytes = need;
    return 0;
  }
  if (*workspace_bytes < need) return EINVAL;
  T *partial = (T *)((char *)workspace + 16);
  {
    if (pieces == 1) // no thread is woken
      OF(segmented_sum_threads)(0, out_n, length, n, pieces, in, partial);
    else {
      #pragma omp parallel for schedule(static) num_threads(at_once(pieces))
      for (Index thread = 0; thread < pieces; ++thread)
        OF(segmented_sum_threads)(thread, out_n, length, n, pieces, in, partial);
    }
  }
  {
    if (combining == 1) // no thread is woken
      OF(segmented_sum_combine)(0, combined, out_n, pieces, partial, out);
    else {
      #pragma omp parallel for schedule(static) num_threads(at_once(combining))
      for (Index thread = 0; thread < combining; ++thread)
        OF(segmented_sum_combine)(thread, combined, out_n, pieces, partial, out);
    }
  }
  return 0;
}

#endif
