// kmeans, variant d0a5b52e: process.steps=(process.each/all-lanes(lane.serial); process.strided(thread.strided(lane.serial)); process.tiled(thread.own_tiles(lane.serial; thread.strided(lane.serial); thread.strided(lane.serial))); process.strided(thread.strided(lane.serial)))
// Made by tgc from kmeans.cdl for avx2; this text is yours.
//
// lane-accumulated, 4 kernels, determinism not_guaranteed: atomics accumulate in the order of arrival: floating-point results differ from run to run (integers do not)
// not batch-invariant: the result depends on the order of arrival
//
//   process: `steps' takes 4 steps (P2)
//     step 1: process: regroups by `each', over its lanes (P6x)
//       each part: lane: computes by `serial' (L26)
//     step 2: process: regroups by `strided', over its threads (P9)
//       each part: thread: regroups by `strided', over its lanes (T9)
//         each part: lane: computes by `serial' (L8)
//     step 3: process: regroups by `tiled', over its threads (P13)
//       each part: thread: regroups by `own_tiles', over its lanes (T15)
//         each part: lane: computes by `serial' (L34)
//         results: thread: regroups by `strided', over its lanes (T29)
//           each part: lane: computes by `serial' (L28)
//         results: thread: regroups by `strided', over its lanes (T32)
//           each part: lane: computes by `serial' (L31)
//     step 4: process: regroups by `strided', over its threads (P18)
//       each part: thread: regroups by `strided', over its lanes (T18)
//         each part: lane: computes by `serial' (L17)
//
// codelets
//   steps        kmeans.cdl:66
//   each         kmeans_assign.cdl:59
//   serial       kmeans_assign.cdl:20
//   strided      kmeans.cdl:36
//   serial       kmeans.cdl:25
//   tiled        kmeans_update.cdl:49
//   own_tiles    kmeans_update.cdl:75
//   serial       kmeans_update.cdl:90
//   strided      kmeans_steps.cdl:15
//   serial       kmeans_steps.cdl:7
//   strided      kmeans_steps.cdl:30
//   serial       kmeans_steps.cdl:23
//   strided      kmeans.cdl:55
//   serial       kmeans.cdl:45
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
#ifndef KMEANS_D0A5B52E_CONFIGURATIONS
#define KMEANS_D0A5B52E_CONFIGURATIONS(C) C(8)
#endif

#ifndef KMEANS_CONFIGURATION
#define KMEANS_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct kmeans_configuration {
  int threads, loads;
  int64_t blocks;
} kmeans_configuration;
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

// What follows is included for each type:
// OF(name) is a function's name there.
#define JOIN_(x, y) x##_##y
#define JOIN(x, y) JOIN_(x, y)
#define OF(name) JOIN(name, TYPE)

#define TYPE float
#define T float
#define FUSED FUSED_FLOAT
#define LOWEST -INFINITY
#define HIGHEST INFINITY
#include "d0a5b52e.c"
#undef TYPE
#undef T
#undef FUSED
#undef LOWEST
#undef HIGHEST

int kmeans_d0a5b52e_float(const kmeans_configuration *c, void *workspace, size_t *workspace_bytes, const float *points, uint64_t rows, uint64_t columns, uint64_t leading, int turns, int *labels, float *sums, uint64_t sums_rows, uint64_t sums_leading, float *centres, uint64_t centres_leading) {
  return configured_float(c, workspace, workspace_bytes, points, (Index)rows, (Index)columns, (Index)leading, turns, labels, sums, (Index)sums_rows, (Index)sums_leading, centres, (Index)centres_leading);
}

#define ROW(THREADS) {THREADS, 0, 16},
// Those that were compiled; zeros end them.
extern const kmeans_configuration kmeans_d0a5b52e_configurations[];
const kmeans_configuration kmeans_d0a5b52e_configurations[] = {KMEANS_D0A5B52E_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

#else // one type

// Each thread processes its share of the parts.
static void OF(kmeans_threads)(Index thread, Index share, Index rows, Index sums_rows, Index columns, const T *restrict points, Index leading, T *restrict centres, Index centres_leading, int *restrict labels) {
  // process > lane: each (kmeans_assign.cdl:59), one part per lane
  const Index first = thread * share;
  const Index last = min_index(first + share, rows);
  Index turn = first;
  for (; turn + 8 <= last; turn += 8) {
    T least[8];
    Index best[8];
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane) {
      // lane: serial (kmeans_assign.cdl:20)
      least[lane] = HIGHEST;
      best[lane] = -1;
    }
    for (Index k3 = 0; k3 < sums_rows; ++k3) {
      T distance[8];
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        distance[lane] = 0;
      for (Index j = 0; j < columns; ++j) {
        #pragma omp simd
        for (int lane = 0; lane < 8; ++lane)
          distance[lane] = FUSED(points[(turn + lane) * leading + j] - centres[k3 * centres_leading + j], points[(turn + lane) * leading + j] - centres[k3 * centres_leading + j], distance[lane]);
      }
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane) {
        const T least2 = distance[lane] < least[lane] || best[lane] < 0 && (distance[lane] == least[lane]) ? distance[lane] : least[lane];
        const Index best2 = distance[lane] < least[lane] || best[lane] < 0 && (distance[lane] == least[lane]) ? k3 : best[lane];
        least[lane] = least2;
        best[lane] = best2;
      }
    }
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      labels[turn + lane] = best[lane];
  }
  if (turn < last) {
    for (int lane = 0; lane < 8; ++lane) {
      const Index k2 = turn + lane;
      if (k2 < rows) {
        // lane: serial (kmeans_assign.cdl:20)
        T least = HIGHEST;
        Index best = -1;
        for (Index k3 = 0; k3 < sums_rows; ++k3) {
          T distance = 0;
          for (Index j = 0; j < columns; ++j)
            distance = FUSED(points[k2 * leading + j] - centres[k3 * centres_leading + j], points[k2 * leading + j] - centres[k3 * centres_leading + j], distance);
          if (distance < least || best < 0 && (distance == least)) {
            least = distance;
            best = k3;
          }
        }
        labels[k2] = best;
      }
    }
  }
}

// Each thread processes its part.
static void OF(kmeans_threads2)(Index thread, Index sums_rows, Index p2, Index sums_leading, int *restrict counts, Index columns, T *restrict sums) {
  // process > thread: strided (kmeans.cdl:36), one part per thread
  const Index k_begin = thread;
  const Index k_size = k_begin < sums_rows ? (sums_rows - k_begin + p2 - 1) / p2 : 0;
  const Index sums_begin = k_begin * sums_leading;
  // thread > lane: strided (kmeans.cdl:36), one part per lane
  for (int lane = 0; lane < 8; ++lane) {
    const Index k_begin2 = lane;
    const Index k_size2 = k_begin2 < k_size ? (k_size - k_begin2 + 8 - 1) / 8 : 0;
    const Index sums_begin2 = sums_begin + k_begin2 * (sums_leading * p2);
    const Index counts_begin = k_begin + k_begin2 * p2;
    // lane: serial (kmeans.cdl:25)
    for (Index k2 = 0; k2 < k_size2; ++k2) {
      counts[counts_begin + k2 * (p2 * 8)] = 0;
      for (Index j = 0; j < columns; ++j)
        sums[sums_begin2 + (k2 * (sums_leading * p2 * 8) + j)] = 0;
    }
  }
}

// Each thread processes its part.
static FOR_EACH_CALL void OF(kmeans_threads3)(bool alone, Index thread, Index i_tile, Index rows, Index leading, Index sums_rows, Index columns, int *restrict labels, const T *restrict points, T *restrict sums, Index sums_leading, int *restrict counts) {
  T own_sums[1706 * (Index)(16 / (int)sizeof(T))];
  int own_counts[3412];
  // process > thread: tiled (kmeans_update.cdl:49), one part per thread
  const Index i_begin = min_index(thread * i_tile, rows);
  const Index i_size = min_index(i_tile, rows - i_begin);
  const Index points_begin = i_begin * leading;
  // thread: own_tiles (kmeans_update.cdl:75), in arrays of its own
  const Index i_tile2 = (i_size + 8 - 1) / 8;
  const Index own_sums_size = sums_rows * columns;
  if (own_sums_size <= (1706 * (Index)(16 / (int)sizeof(T))) && (sums_rows <= 3412)) {
    {
      {
        Index i = 0;
        for (; i + 8 <= own_sums_size; i += 8) {
          #pragma omp simd
          for (int lane = 0; lane < 8; ++lane)
            own_sums[i + lane] = 0;
        }
        if (i < own_sums_size) {
          #pragma omp simd
          for (int lane = 0; lane < 8; ++lane) {
            if (i + lane < own_sums_size)
              own_sums[i + lane] = 0;
          }
        }
      }
      {
        Index i = 0;
        for (; i + 8 <= sums_rows; i += 8) {
          #pragma omp simd
          for (int lane = 0; lane < 8; ++lane)
            own_counts[i + lane] = 0;
        }
        if (i < sums_rows) {
          #pragma omp simd
          for (int lane = 0; lane < 8; ++lane) {
            if (i + lane < sums_rows)
              own_counts[i + lane] = 0;
          }
        }
      }
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane) {
        // lane: serial (kmeans_update.cdl:90)
      }
    }
    for (int lane = 0; lane < 8; ++lane) {
      for (Index i = 0; i < min_index(i_tile2, i_size - min_index(lane * i_tile2, i_size)); ++i) {
        if (labels[i_begin + min_index(lane * i_tile2, i_size) + i] >= 0) {
          ++own_counts[labels[i_begin + min_index(lane * i_tile2, i_size) + i]];
          for (Index j = 0; j < columns; ++j)
            own_sums[labels[i_begin + min_index(lane * i_tile2, i_size) + i] * columns + j] += points[points_begin + min_index(lane * i_tile2, i_size) * leading + (i * leading + j)];
        }
      }
      // thread > lane: strided (kmeans_steps.cdl:15), one part per lane
      // lane: serial (kmeans_steps.cdl:7)
    }
    for (Index k2 = 0; k2 < sums_rows; ++k2) {
      for (int lane = 0; lane < 8; ++lane) {
        for (Index j = 0; j < (lane < columns ? (columns - lane + 8 - 1) / 8 : 0); ++j)
          {
            if (alone) sums[lane + (k2 * sums_leading + j * 8)] += own_sums[lane + (k2 * columns + j * 8)];
            else
              #pragma omp atomic
              sums[lane + (k2 * sums_leading + j * 8)] += own_sums[lane + (k2 * columns + j * 8)];
          }
      }
    }
    // thread > lane: strided (kmeans_steps.cdl:30), one part per lane
    // lane: serial (kmeans_steps.cdl:23)
    Index k2 = 0;
    for (; k2 + 8 <= sums_rows; k2 += 8) {
      for (int lane = 0; lane < 8; ++lane)
        {
          if (alone) counts[k2 + lane] += own_counts[k2 + lane];
          else
            #pragma omp atomic
            counts[k2 + lane] += own_counts[k2 + lane];
        }
    }
    for (int lane = 0; lane < 8; ++lane) {
      if (k2 + lane < sums_rows)
        {
          if (alone) counts[k2 + lane] += own_counts[k2 + lane];
          else
            #pragma omp atomic
            counts[k2 + lane] += own_counts[k2 + lane];
        }
    }
  }
  else {
    for (int lane = 0; lane < 8; ++lane) {
      const Index i_begin2 = min_index(lane * i_tile2, i_size);
      const Index i_size2 = min_index(i_tile2, i_size - i_begin2);
      const Index points_begin2 = points_begin + i_begin2 * leading;
      const Index labels_begin = i_begin + i_begin2;
      // lane: serial (kmeans_update.cdl:90)
      for (Index i = 0; i < i_size2; ++i) {
        if (labels[labels_begin + i] >= 0) {
          {
            if (alone) ++counts[labels[labels_begin + i]];
            else
              #pragma omp atomic
              ++counts[labels[labels_begin + i]];
          }
          for (Index j = 0; j < columns; ++j)
            {
              if (alone) sums[labels[labels_begin + i] * sums_leading + j] += points[points_begin2 + (i * leading + j)];
              else
                #pragma omp atomic
                sums[labels[labels_begin + i] * sums_leading + j] += points[points_begin2 + (i * leading + j)];
            }
        }
      }
    }
  }
}

// Each thread processes its part.
static void OF(kmeans_threads4)(Index thread, Index q, Index sums_rows, Index p4, Index columns, Index sums_leading, Index centres_leading, T *restrict centres, int *restrict counts, T *restrict sums) {
  // process > thread: strided (kmeans.cdl:55), one part per thread
  const Index k_begin = thread / q;
  const Index k_size = k_begin < sums_rows ? (sums_rows - k_begin + p4 - 1) / p4 : 0;
  const Index j_begin = thread % q;
  const Index j_size = j_begin < columns ? (columns - j_begin + q - 1) / q : 0;
  const Index sums_begin = k_begin * sums_leading + j_begin;
  const Index centres_begin = k_begin * centres_leading + j_begin;
  // thread > lane: strided (kmeans.cdl:55), one part per lane
  // lane: serial (kmeans.cdl:45)
  for (Index k2 = 0; k2 < k_size; ++k2) {
    for (int lane = 0; lane < 8; ++lane) {
      for (Index j = 0; j < (lane < j_size ? (j_size - lane + 7) / 8 : 0); ++j)
        centres[centres_begin + lane * q + (k2 * (centres_leading * p4) + j * (q * 8))] = counts[k_begin + k2 * p4] > 0 ? sums[sums_begin + lane * q + (k2 * (sums_leading * p4) + j * (q * 8))] / (T)counts[k_begin + k2 * p4] : centres[centres_begin + lane * q + (k2 * (centres_leading * p4) + j * (q * 8))];
    }
  }
}

// With no workspace: says how many bytes one needs. With one: does the work.
static int OF(run)(Index blocks, void *workspace, size_t *workspace_bytes, const T *points, Index rows, Index columns, Index leading, int turns, int *labels, T *sums, Index sums_rows, Index sums_leading, T *centres, Index centres_leading) {
  static_assert(threads >= 8 && threads <= 8 && threads % 8 == 0, "threads: lanes per vector, 8");
  if (rows < 0 || rows > PTRDIFF_MAX / 2 || columns < 0 || columns > PTRDIFF_MAX / 2 || leading < 0 || leading > PTRDIFF_MAX / 2 || sums_rows < 0 || sums_rows > PTRDIFF_MAX / 2 || sums_leading < 0 || sums_leading > PTRDIFF_MAX / 2 || centres_leading < 0 || centres_leading > PTRDIFF_MAX / 2 || workspace_bytes == NULL) return EINVAL;
  // process: steps (kmeans.cdl:66)
  // process > lane: each (kmeans_assign.cdl:59), one part per lane
  const Index p = min_index(max_index(min_index((rows + threads - 1) / threads, (rows * columns + threads * 1024 - 1) / (threads * 1024)), 1), blocks);
  const Index share = (rows + p * threads - 1) / (p * threads) * threads;
  // process > thread: strided (kmeans.cdl:36), one part per thread
  const Index p2 = max_index(min_index((sums_rows + 16 - 1) / 16, blocks), 1);
  const Index tiles = p2;
  // process > thread: tiled (kmeans_update.cdl:49), one part per thread
  const Index p3 = max_index(min_index((rows + 16 - 1) / 16, blocks), 1);
  const Index i_tile = (rows + p3 - 1) / p3;
  const Index tiles2 = p3;
  // process > thread: strided (kmeans.cdl:55), one part per thread
  const Index p4 = max_index(min_index((sums_rows + 16 - 1) / 16, blocks), 1);
  const Index left = max_index(blocks / p4, 1);
  const Index q = max_index(min_index((columns + 16 - 1) / 16, left), 1);
  const Index tiles3 = p4 * q;
  const size_t need = 16 + (size_t)sums_rows * sizeof(int);
  if (workspace == NULL) {
    *workspace_bytes = need;
    return 0;
  }
  if (*workspace_bytes < need) return EINVAL;
  int *counts = (int *)((char *)workspace + 16);
  for (int k = 0; k < turns; ++k) {
    {
      if (p == 1) // no thread is woken
        OF(kmeans_threads)(0, share, rows, sums_rows, columns, points, leading, centres, centres_leading, labels);
      else {
        #pragma omp parallel for schedule(static) num_threads(at_once(p))
        for (Index thread = 0; thread < p; ++thread)
          OF(kmeans_threads)(thread, share, rows, sums_rows, columns, points, leading, centres, centres_leading, labels);
      }
    }
    {
      if (tiles == 1) // no thread is woken
        OF(kmeans_threads2)(0, sums_rows, p2, sums_leading, counts, columns, sums);
      else {
        #pragma omp parallel for schedule(static) num_threads(at_once(tiles))
        for (Index thread = 0; thread < tiles; ++thread)
          OF(kmeans_threads2)(thread, sums_rows, p2, sums_leading, counts, columns, sums);
      }
    }
    {
      if (at_once(tiles2) == 1) // no thread is woken
        for (Index thread = 0; thread < tiles2; ++thread)
          OF(kmeans_threads3)(true, thread, i_tile, rows, leading, sums_rows, columns, labels, points, sums, sums_leading, counts);
      else {
        #pragma omp parallel for schedule(static) num_threads(at_once(tiles2))
        for (Index thread = 0; thread < tiles2; ++thread)
          OF(kmeans_threads3)(false, thread, i_tile, rows, leading, sums_rows, columns, labels, points, sums, sums_leading, counts);
      }
    }
    {
      if (tiles3 == 1) // no thread is woken
        OF(kmeans_threads4)(0, q, sums_rows, p4, columns, sums_leading, centres_leading, centres, counts, sums);
      else {
        #pragma omp parallel for schedule(static) num_threads(at_once(tiles3))
        for (Index thread = 0; thread < tiles3; ++thread)
          OF(kmeans_threads4)(thread, q, sums_rows, p4, columns, sums_leading, centres_leading, centres, counts, sums);
      }
    }
  }
  return 0;
}

// The same in the configuration c; NULL: the variant's own.
static int JOIN(configured, TYPE)(const kmeans_configuration *c, void *workspace, size_t *workspace_bytes, const T *points, Index rows, Index columns, Index leading, int turns, int *labels, T *sums, Index sums_rows, Index sums_leading, T *centres, Index centres_leading) {
  const kmeans_configuration own = {0, 0, 0};
  if (c == NULL) c = &own;
  if (c->threads && c->threads != threads) return ENOTSUP;
  if (c->blocks < 0 || c->blocks > 2147483647) return ENOTSUP; // maximum number of threads, 1 to 2147483647
  const Index blocks = c->blocks ? c->blocks : processors();
  return OF(run)(blocks, workspace, workspace_bytes, points, rows, columns, leading, turns, labels, sums, sums_rows, sums_leading, centres, centres_leading);
}

#endif
