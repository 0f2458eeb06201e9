// segmented_sum, variant e3931d6e: process.each/equal-threads(thread>lane.serial; thread.strided(lane.serial; thread.tree+shuffle))
// Made by tgc from segmented_sum_offsets.cdl for avx2; this text is yours.
//
// shuffle, 2 kernels, determinism run_to_run: no atomics, but the order depends on widths that follow from the machine's figures
// not batch-invariant: the result depends on the machine's figures
//
//   process: regroups by `each', over its equal shares of the elements (P3eT)
//     each part: thread: one lane acts for all (T4)
//       lane: computes by `serial' (L5)
//     results: thread: regroups by `strided', over its lanes (T7)
//       each part: lane: computes by `serial' (L5)
//       results: thread: computes by `tree', exchanging registers (T8)
//
// codelets
//   each         segmented_sum_offsets.cdl:26
//   serial       sum_steps.cdl:6
//   strided      sum_steps.cdl:33
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

// The configurations that are compiled, C(threads); the first is the variant's own.
//   threads: lanes per vector, 8
#ifndef SEGMENTED_SUM_E3931D6E_CONFIGURATIONS
#define SEGMENTED_SUM_E3931D6E_CONFIGURATIONS(C) C(8)
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

// What follows is included for each type:
// OF(name) is a function's name there.
#define JOIN_(x, y) x##_##y
#define JOIN(x, y) JOIN_(x, y)
#define OF(name) JOIN(name, TYPE)

#define TYPE float
#define T float
#define EXCHANGE EXCHANGE_4
#include "e3931d6e.c"
#undef TYPE
#undef T
#undef EXCHANGE

int segmented_sum_e3931d6e_float(const segmented_sum_configuration *c, void *workspace, size_t *workspace_bytes, const float *in, uint64_t n, const long long *offsets, uint64_t offsets_n, float *out, uint64_t out_n) {
  return configured_float(c, workspace, workspace_bytes, in, (Index)n, offsets, (Index)offsets_n, out, (Index)out_n);
}

#define ROW(THREADS) {THREADS, 0, 1024},
// Those that were compiled; zeros end them.
extern const segmented_sum_configuration segmented_sum_e3931d6e_configurations[];
const segmented_sum_configuration segmented_sum_e3931d6e_configurations[] = {SEGMENTED_SUM_E3931D6E_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

#else // one type

// Each thread processes an equal share of the elements, one thread per part of it.
static void OF(segmented_sum_threads)(Index thread, Index share, Index n, Index out_n, const Index *restrict offsets, const T *restrict in, T *restrict out, T *restrict partial, Index shares) {
  // process > thread: each (segmented_sum_offsets.cdl:26), equal shares of the elements
  const Index step = min_index(thread * share, n + out_n);
  Index first = 0;
  Index high = out_n;
  while (first < high) {
    const Index part = (high - first) / 8 + 1;
    Index before = 0;
    for (int k = 1; k < 8; ++k) {
      const Index at = min_index(first + ((Index)k * part - 1), high - 1);
      before = before + (max_index(min_index(offsets[min_index(1 + at, out_n)], n), 0) + at < step ? 1 : 0);
    }
    high = min_index(first + (before + 1) * part - 1, high);
    first = min_index(first + before * part, high);
  }
  const Index step2 = min_index((thread + 1) * share, n + out_n);
  Index last = 0;
  Index high2 = out_n;
  while (last < high2) {
    const Index part2 = (high2 - last) / 8 + 1;
    Index before2 = 0;
    for (int k2 = 1; k2 < 8; ++k2) {
      const Index at2 = min_index(last + ((Index)k2 * part2 - 1), high2 - 1);
      before2 = before2 + (max_index(min_index(offsets[min_index(1 + at2, out_n)], n), 0) + at2 < step2 ? 1 : 0);
    }
    high2 = min_index(last + (before2 + 1) * part2 - 1, high2);
    last = min_index(last + before2 * part2, high2);
  }
  const Index share_begin = min_index(min_index(thread * share, n + out_n) - first, n);
  const Index share_end = min_index(min_index((thread + 1) * share, n + out_n) - last, n);
  const Index behind = min_index(last + 1, out_n);
  for (Index turn = first; turn < behind; ++turn) {
    const Index offset = max_index(offsets[1 + turn], 0);
    const Index offset2 = max_index(offsets[turn], 0);
    const Index part_begin = min_index(offset2, n);
    const Index part_end = min_index(offset, n);
    const Index from = max_index(part_begin, share_begin);
    const Index to = max_index(min_index(part_end, share_end), from);
    T found[8];
    // thread > lane: one lane acts for all
    {
      // lane: serial (sum_steps.cdl:6)
      T accum = 0;
      for (Index i = from; i < to; ++i)
        accum += in[i];
      found[0] = accum;
    }
    if (from == part_begin && (to == part_end) && (from < to || turn < last))
      out[turn] = found[0];
    else {
      if (from < to)
        partial[(part_begin < share_begin ? 0 : shares) + thread] = found[0];
    }
  }
}

// Each thread combines the pieces of a part that several blocks have.
static void OF(segmented_sum_pieces)(Index thread, Index shares, Index share, Index n, Index out_n, const Index *restrict offsets, T *restrict partial, T *restrict out) {
  for (Index border = thread; border < shares; ++border) {
    const Index step = min_index((border + 1) * share, n + out_n);
    Index k = 0;
    Index high = out_n;
    while (k < high) {
      const Index part = (high - k) / 8 + 1;
      Index before = 0;
      for (int k2 = 1; k2 < 8; ++k2) {
        const Index at = min_index(k + ((Index)k2 * part - 1), high - 1);
        before = before + (max_index(min_index(offsets[min_index(1 + at, out_n)], n), 0) + at < step ? 1 : 0);
      }
      high = min_index(k + (before + 1) * part - 1, high);
      k = min_index(k + before * part, high);
    }
    if (k < out_n) {
      const Index step2 = min_index(border * share, n + out_n);
      Index before2 = 0;
      Index high2 = out_n;
      while (before2 < high2) {
        const Index part2 = (high2 - before2) / 8 + 1;
        Index before3 = 0;
        for (int k3 = 1; k3 < 8; ++k3) {
          const Index at2 = min_index(before2 + ((Index)k3 * part2 - 1), high2 - 1);
          before3 = before3 + (max_index(min_index(offsets[min_index(1 + at2, out_n)], n), 0) + at2 < step2 ? 1 : 0);
        }
        high2 = min_index(before2 + (before3 + 1) * part2 - 1, high2);
        before2 = min_index(before2 + before3 * part2, high2);
      }
      const Index from = min_index(border * share, n + out_n) - before2;
      const Index to = min_index((border + 1) * share, n + out_n) - k;
      const Index begin = max_index(min_index(offsets[k], n), 0);
      const Index end = max_index(min_index(offsets[1 + k], n), 0);
      if (from <= begin && (begin < to) && (to < end)) {
        const Index many = (end - 1 + k) / share - border;
        const T piece = partial[shares + border];
        // thread > lane: strided (sum_steps.cdl:33), one part per lane
        // lane: serial (sum_steps.cdl:6)
        T accum[8];
        #pragma omp simd
        for (int lane = 0; lane < 8; ++lane)
          accum[lane] = 0;
        Index i = border + 1;
        for (; i + 8 <= (border + 1 + many); i += 8) {
          #pragma omp simd
          for (int lane = 0; lane < 8; ++lane)
            accum[lane] += partial[i + lane];
        }
        T val[8];
        #pragma omp simd
        for (int lane = 0; lane < 8; ++lane) {
          if (i + lane < (border + 1 + many))
            accum[lane] += partial[i + lane];
          // thread: tree (sum_steps.cdl:47), exchanging registers
          val[lane] = accum[lane];
        }
        {
          T other[8];
          EXCHANGE(other, val, (4, 5, 6, 7), (4, 5, 6, 7));
          #pragma omp simd
          for (int lane = 0; lane < 8; ++lane)
            val[lane] += lane + 4 < 8 ? other[lane] : (T)0;
        }
        {
          T other[8];
          EXCHANGE(other, val, (2, 3, 4, 5), (6, 7, 6, 7));
          #pragma omp simd
          for (int lane = 0; lane < 8; ++lane)
            val[lane] += lane + 2 < 8 ? other[lane] : (T)0;
        }
        {
          T other[8];
          EXCHANGE(other, val, (1, 2, 3, 4), (5, 6, 7, 7));
          #pragma omp simd
          for (int lane = 0; lane < 8; ++lane)
            val[lane] += lane + 1 < 8 ? other[lane] : (T)0;
        }
        T total[8];
        #pragma omp simd
        for (int lane = 0; lane < 8; ++lane)
          total[lane] = piece + val[lane];
        out[k] = total[0];
      }
    }
  }
}

// With no workspace: says how many bytes one needs. With one: does the work.
static int OF(run)(Index blocks, void *workspace, size_t *workspace_bytes, const T *in, Index n, const Index *offsets, Index offsets_n, T *out, Index out_n) {
  static_assert(threads >= 8 && threads <= 8 && threads % 8 == 0, "threads: lanes per vector, 8");
  if (n < 0 || n > PTRDIFF_MAX / 2 || offsets_n < 0 || offsets_n > PTRDIFF_MAX / 2 || out_n < 0 || out_n > PTRDIFF_MAX / 2 || workspace_bytes == NULL) return EINVAL;
  // process > thread: each (segmented_sum_offsets.cdl:26), equal shares of the elements
  const Index shares = max_index(min_index((n + out_n + threads * 1024 - 1) / (threads * 1024), blocks), 1);
  const Index share = max_index((n + out_n + shares - 1) / shares, 1);
  const size_t need = 16 + (size_t)shares * 2 * sizeof(T);
  if (workspace == NULL) {
    *workspace_bytes = need;
    return 0;
  }
  if (*workspace_bytes < need) return EINVAL;
  T *partial = (T *)((char *)workspace + 16);
  {
    if (shares == 1) // no thread is woken
      OF(segmented_sum_threads)(0, share, n, out_n, offsets, in, out, partial, shares);
    else {
      #pragma omp parallel for schedule(static) num_threads(at_once(shares))
      for (Index thread = 0; thread < shares; ++thread)
        OF(segmented_sum_threads)(thread, share, n, out_n, offsets, in, out, partial, shares);
    }
  }
  {
    OF(segmented_sum_pieces)(0, shares, share, n, out_n, offsets, partial, out);
  }
  return 0;
}

// The same in the configuration c; NULL: the variant's own.
static int JOIN(configured, TYPE)(const segmented_sum_configuration *c, void *workspace, size_t *workspace_bytes, const T *in, Index n, const Index *offsets, Index offsets_n, T *out, Index out_n) {
  const segmented_sum_configuration own = {0, 0, 0};
  if (c == NULL) c = &own;
  if (c->threads && c->threads != threads) return ENOTSUP;
  if (c->blocks < 0 || c->blocks > 2147483647) return ENOTSUP; // maximum number of threads, 1 to 2147483647
  const Index blocks = c->blocks ? c->blocks : processors();
  return OF(run)(blocks, workspace, workspace_bytes, in, n, offsets, offsets_n, out, out_n);
}

#endif
