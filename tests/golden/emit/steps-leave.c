// leaving, variant a9da76af: process.steps=(process>thread.strided(lane.strided(ilp.serial)); process>thread.strided(lane.strided(ilp.serial)); process>thread.strided(lane.strided(ilp.serial; lane.serial); thread.tree); process>thread.strided(lane.strided(ilp.serial)); process>thread>lane.serial; process>thread.strided(lane.strided(ilp.serial; lane.serial); thread.tree); process>thread.strided(lane.strided(ilp.serial)); process>thread.strided(lane.strided(ilp.serial; lane.serial); thread.tree))
// Made by tgc from leaving.cdl for avx2; this text is yours.
//
// baseline, 8 kernels, determinism run_to_run: no atomics, but the order depends on widths that follow from the machine's figures
// not batch-invariant: the result depends on the machine's figures
//
//   process: `steps' takes 8 steps (P2)
//     step 1: process: one thread acts for all (P3)
//       thread: regroups by `strided', over its lanes (T5)
//         each part: lane: regroups by `strided', over its register slots (L5)
//           each part: ilp: computes by `serial' (I4)
//     step 2: process: one thread acts for all (P3)
//       thread: regroups by `strided', over its lanes (T5)
//         each part: lane: regroups by `strided', over its register slots (L5)
//           each part: ilp: computes by `serial' (I4)
//     step 3: process: one thread acts for all (P6)
//       thread: regroups by `strided', over its lanes (T9)
//         each part: lane: regroups by `strided', over its register slots (L9)
//           each part: ilp: computes by `serial' (I7)
//           results: lane: computes by `serial' (L7)
//         results: thread: computes by `tree' (T10)
//     step 4: process: one thread acts for all (P12)
//       thread: regroups by `strided', over its lanes (T14)
//         each part: lane: regroups by `strided', over its register slots (L14)
//           each part: ilp: computes by `serial' (I13)
//     step 5: process: one thread acts for all (P15)
//       thread: one lane acts for all (T15)
//         lane: computes by `serial' (L16)
//     step 6: process: one thread acts for all (P6)
//       thread: regroups by `strided', over its lanes (T9)
//         each part: lane: regroups by `strided', over its register slots (L9)
//           each part: ilp: computes by `serial' (I7)
//           results: lane: computes by `serial' (L7)
//         results: thread: computes by `tree' (T10)
//     step 7: process: one thread acts for all (P12)
//       thread: regroups by `strided', over its lanes (T14)
//         each part: lane: regroups by `strided', over its register slots (L14)
//           each part: ilp: computes by `serial' (I13)
//     step 8: process: one thread acts for all (P6)
//       thread: regroups by `strided', over its lanes (T9)
//         each part: lane: regroups by `strided', over its register slots (L9)
//           each part: ilp: computes by `serial' (I7)
//           results: lane: computes by `serial' (L7)
//         results: thread: computes by `tree' (T10)
//
// codelets
//   steps        leaving.cdl:47
//   strided      leaving.cdl:18
//   serial       leaving.cdl:11
//   strided      max_steps.cdl:28
//   serial       max_steps.cdl:6
//   tree         max_steps.cdl:38
//   strided      leaving.cdl:33
//   serial       leaving.cdl:26
//   serial       leaving.cdl:41
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
#ifndef LEAVING_A9DA76AF_CONFIGURATIONS
#define LEAVING_A9DA76AF_CONFIGURATIONS(C) C(8, 2)
#endif

#ifndef LEAVING_CONFIGURATION
#define LEAVING_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct leaving_configuration {
  int threads, loads;
  int64_t blocks;
} leaving_configuration;
#endif

typedef long long Index; // sizes and positions
enum { threads = 8 }; // lanes per vector

// A function that is compiled for each of its calls: their flag, true or false, decides what there is of it.
#ifdef __GNUC__
#define FOR_EACH_CALL inline __attribute__((always_inline))
#else
#define FOR_EACH_CALL inline
#endif

// A loop that goes on longer has no end: the call gives up.
#ifndef TGC_MOST_TURNS
#define TGC_MOST_TURNS 2147483648LL
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
#define NONE(x) isnan(x)
#define LOWEST -INFINITY
#define HIGHEST INFINITY
#include "a9da76af.c"
#undef TYPE
#undef T
#undef NONE
#undef LOWEST
#undef HIGHEST

int leaving_a9da76af_float(const leaving_configuration *c, void *workspace, size_t *workspace_bytes, const float *x, uint64_t n, int turns, float *y, float *out) {
  return configured_float(c, workspace, workspace_bytes, x, (Index)n, turns, y, out);
}

#define ROW(THREADS, LOADS) {THREADS, LOADS, 0},
// Those that were compiled; zeros end them.
extern const leaving_configuration leaving_a9da76af_configurations[];
const leaving_configuration leaving_a9da76af_configurations[] = {LEAVING_A9DA76AF_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

#elif !defined loads // one type

#if 0 LEAVING_A9DA76AF_CONFIGURATIONS(HAS_1)
#define loads 1
#include "a9da76af.c"
#undef loads
#endif
#if 0 LEAVING_A9DA76AF_CONFIGURATIONS(HAS_2)
#define loads 2
#include "a9da76af.c"
#undef loads
#endif
#if 0 LEAVING_A9DA76AF_CONFIGURATIONS(HAS_4)
#define loads 4
#include "a9da76af.c"
#undef loads
#endif
#if 0 LEAVING_A9DA76AF_CONFIGURATIONS(HAS_8)
#define loads 8
#include "a9da76af.c"
#undef loads
#endif
#if 0 LEAVING_A9DA76AF_CONFIGURATIONS(HAS_16)
#define loads 16
#include "a9da76af.c"
#undef loads
#endif

// The same in the configuration c; NULL: the variant's own.
static int JOIN(configured, TYPE)(const leaving_configuration *c, void *workspace, size_t *workspace_bytes, const T *x, Index n, int turns, T *y, T *out) {
  const leaving_configuration own = {0, 0, 0};
  if (c == NULL) c = &own;
  if (c->threads && c->threads != threads) return ENOTSUP;
#define RUN(THREADS, LOADS) if (c->loads == 0 || c->loads == LOADS) return JOIN3(run, TYPE, LOADS)(workspace, workspace_bytes, x, n, turns, y, out);
  LEAVING_A9DA76AF_CONFIGURATIONS(RUN)
#undef RUN
  return ENOTSUP;
}

#else // one type, so many vectors in flight

// What is no number is left out; where x is surely one, that takes no more than a comparison.
static inline T OF(greater)(T x, T y) { return y > x ? y : x; }
static inline T OF(max)(T x, T y) { return NONE(x) ? y : OF(greater)(x, y); }

// One thread works for the whole process.
static FOR_EACH_CALL void OF(leaving_one_thread)(bool whole, Index n, T *restrict y, const T *restrict x) {
  // thread > lane: strided (leaving.cdl:18), one part per lane
  // lane > ilp: strided (leaving.cdl:18), each with its register slots; serial (leaving.cdl:11)
  Index i2 = 0;
  for (; i2 + 8 * loads <= n; i2 += 8 * loads) {
    for (int s = 0; s < loads; ++s) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        y[i2 + s * 8 + lane] = x[i2 + s * 8 + lane];
    }
  }
  if (!whole) {
    for (; i2 + 8 <= n; i2 += 8) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        y[i2 + lane] = x[i2 + lane];
    }
    if (i2 < n) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane) {
        if (i2 + lane < n)
          y[i2 + lane] = x[i2 + lane];
      }
    }
  }
}

// One thread works for the whole process.
static FOR_EACH_CALL void OF(leaving_one_thread2)(bool whole, T *restrict found) {
  // thread > lane: strided (leaving.cdl:18), one part per lane
  // lane > ilp: strided (leaving.cdl:18), each with its register slots; serial (leaving.cdl:11)
  Index i2 = 0;
  if (!whole) {
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane) {
      if (i2 + lane < 1)
        found[i2 + lane] = 0;
    }
  }
}

// One thread notes that the loop has not ended.
static void OF(leaving_enter)(int *restrict left) {
  const int done = 0;
  left[0] = done;
}

// One thread works for the whole process.
static FOR_EACH_CALL void OF(leaving_one_thread3)(bool whole, Index n, T *restrict y, T *restrict greatest_found) {
  T tmp[8];
  // thread > lane: strided (max_steps.cdl:28), one part per lane
  // lane > ilp: strided (max_steps.cdl:28), each with its register slots; serial (max_steps.cdl:6)
  T best[loads * 8];
  for (int s = 0; s < loads; ++s) {
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      best[s * 8 + lane] = LOWEST;
  }
  Index i2 = 0;
  for (; i2 + 8 * loads <= n; i2 += 8 * loads) {
    for (int s = 0; s < loads; ++s) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        best[s * 8 + lane] = OF(greater)(best[s * 8 + lane], y[i2 + s * 8 + lane]);
    }
  }
  if (!whole) {
    for (; i2 + 8 <= n; i2 += 8) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        best[lane] = OF(greater)(best[lane], y[i2 + lane]);
    }
    if (i2 < n) {
      T some[8];
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        some[lane] = i2 + lane < n ? y[i2 + lane] : best[lane];
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        best[lane] = OF(greater)(best[lane], some[lane]);
    }
  }
  // lane: serial (max_steps.cdl:6)
  T best2[8];
  #pragma omp simd
  for (int lane = 0; lane < 8; ++lane)
    best2[lane] = LOWEST;
  for (Index i3 = 0; i3 < loads; ++i3) {
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      best2[lane] = OF(greater)(best2[lane], best[i3 * 8 + lane]);
  }
  // thread: tree (max_steps.cdl:38)
  T best3[8];
  #pragma omp simd
  for (int lane = 0; lane < 8; ++lane) {
    best3[lane] = best2[lane];
    tmp[lane] = best3[lane];
  }
  for (int offset = 4; offset > 0; offset /= 2) {
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      best3[lane] = OF(max)(best3[lane], lane + offset < 8 ? tmp[lane + offset] : LOWEST);
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      tmp[lane] = best3[lane];
  }
  greatest_found[0] = best3[0];
}

// One thread decides whether the loop ends.
static void OF(leaving_leave)(int *restrict left, T *restrict greatest_found) {
  const T greatest = greatest_found[0];
  const int done = (int)!(greatest > (T)8);
  left[0] = done;
}

// One thread works for the whole process.
static FOR_EACH_CALL void OF(leaving_one_thread4)(bool whole, Index n, T *restrict y) {
  // thread > lane: strided (leaving.cdl:33), one part per lane
  // lane > ilp: strided (leaving.cdl:33), each with its register slots; serial (leaving.cdl:26)
  Index i2 = 0;
  for (; i2 + 8 * loads <= n; i2 += 8 * loads) {
    for (int s = 0; s < loads; ++s) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        y[i2 + s * 8 + lane] = y[i2 + s * 8 + lane] / (T)2;
    }
  }
  if (!whole) {
    for (; i2 + 8 <= n; i2 += 8) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        y[i2 + lane] = y[i2 + lane] / (T)2;
    }
    if (i2 < n) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane) {
        if (i2 + lane < n)
          y[i2 + lane] = y[i2 + lane] / (T)2;
      }
    }
  }
}

// One thread notes that the loop has not ended.
static void OF(leaving_enter2)(int *restrict left2) {
  const int done = 0;
  left2[0] = done;
}

// One thread decides whether the loop ends.
static void OF(leaving_leave2)(T *restrict found, int *restrict left2) {
  const int done = (int)!(found[0] < (T)1000);
  left2[0] = done;
}

// One thread works for the whole process.
static void OF(leaving_one_thread5)(T *restrict found, int i) {
  const T number = (T)(i + 1);
  // thread > lane: one lane acts for all
  // lane: serial (leaving.cdl:41)
  found[0] += number;
}

// One thread works for the whole process.
static FOR_EACH_CALL void OF(leaving_one_thread6)(bool whole, Index n, T *restrict y, T *restrict top_found) {
  T tmp[8];
  // thread > lane: strided (max_steps.cdl:28), one part per lane
  // lane > ilp: strided (max_steps.cdl:28), each with its register slots; serial (max_steps.cdl:6)
  T best[loads * 8];
  for (int s = 0; s < loads; ++s) {
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      best[s * 8 + lane] = LOWEST;
  }
  Index i2 = 0;
  for (; i2 + 8 * loads <= n; i2 += 8 * loads) {
    for (int s = 0; s < loads; ++s) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        best[s * 8 + lane] = OF(greater)(best[s * 8 + lane], y[i2 + s * 8 + lane]);
    }
  }
  if (!whole) {
    for (; i2 + 8 <= n; i2 += 8) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        best[lane] = OF(greater)(best[lane], y[i2 + lane]);
    }
    if (i2 < n) {
      T some[8];
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        some[lane] = i2 + lane < n ? y[i2 + lane] : best[lane];
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        best[lane] = OF(greater)(best[lane], some[lane]);
    }
  }
  // lane: serial (max_steps.cdl:6)
  T best2[8];
  #pragma omp simd
  for (int lane = 0; lane < 8; ++lane)
    best2[lane] = LOWEST;
  for (Index i3 = 0; i3 < loads; ++i3) {
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      best2[lane] = OF(greater)(best2[lane], best[i3 * 8 + lane]);
  }
  // thread: tree (max_steps.cdl:38)
  T best3[8];
  #pragma omp simd
  for (int lane = 0; lane < 8; ++lane) {
    best3[lane] = best2[lane];
    tmp[lane] = best3[lane];
  }
  for (int offset = 4; offset > 0; offset /= 2) {
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      best3[lane] = OF(max)(best3[lane], lane + offset < 8 ? tmp[lane + offset] : LOWEST);
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      tmp[lane] = best3[lane];
  }
  top_found[0] = best3[0];
}

// One thread decides whether the loop ends.
static void OF(leaving_leave3)(int i, int k, int *restrict left2, T *restrict top_found) {
  const T top = top_found[0];
  const int done = (int)(top - (T)i < (T)k);
  left2[0] = done;
}

// One thread works for the whole process.
static FOR_EACH_CALL void OF(leaving_one_thread7)(bool whole, Index n, T *restrict y) {
  // thread > lane: strided (leaving.cdl:33), one part per lane
  // lane > ilp: strided (leaving.cdl:33), each with its register slots; serial (leaving.cdl:26)
  Index i2 = 0;
  for (; i2 + 8 * loads <= n; i2 += 8 * loads) {
    for (int s = 0; s < loads; ++s) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        y[i2 + s * 8 + lane] = y[i2 + s * 8 + lane] / (T)2;
    }
  }
  if (!whole) {
    for (; i2 + 8 <= n; i2 += 8) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane)
        y[i2 + lane] = y[i2 + lane] / (T)2;
    }
    if (i2 < n) {
      #pragma omp simd
      for (int lane = 0; lane < 8; ++lane) {
        if (i2 + lane < n)
          y[i2 + lane] = y[i2 + lane] / (T)2;
      }
    }
  }
}

// One thread works for the whole process.
static FOR_EACH_CALL void OF(leaving_one_thread8)(bool whole, T *restrict found, T *restrict out) {
  T tmp[8];
  // thread > lane: strided (max_steps.cdl:28), one part per lane
  // lane > ilp: strided (max_steps.cdl:28), each with its register slots; serial (max_steps.cdl:6)
  T best[loads * 8];
  for (int s = 0; s < loads; ++s) {
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      best[s * 8 + lane] = LOWEST;
  }
  Index i2 = 0;
  if (!whole) {
    T some[8];
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      some[lane] = i2 + lane < 1 ? found[i2 + lane] : best[lane];
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      best[lane] = OF(greater)(best[lane], some[lane]);
  }
  // lane: serial (max_steps.cdl:6)
  T best2[8];
  #pragma omp simd
  for (int lane = 0; lane < 8; ++lane)
    best2[lane] = LOWEST;
  for (Index i3 = 0; i3 < loads; ++i3) {
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      best2[lane] = OF(greater)(best2[lane], best[i3 * 8 + lane]);
  }
  // thread: tree (max_steps.cdl:38)
  T best3[8];
  #pragma omp simd
  for (int lane = 0; lane < 8; ++lane) {
    best3[lane] = best2[lane];
    tmp[lane] = best3[lane];
  }
  for (int offset = 4; offset > 0; offset /= 2) {
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      best3[lane] = OF(max)(best3[lane], lane + offset < 8 ? tmp[lane + offset] : LOWEST);
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      tmp[lane] = best3[lane];
  }
  out[0] = best3[0];
}

// With no workspace: says how many bytes one needs. With one: does the work.
static int OF(run)(void *workspace, size_t *workspace_bytes, const T *x, Index n, int turns, T *y, T *out) {
  static_assert(threads >= 8 && threads <= 8 && threads % 8 == 0, "threads: lanes per vector, 8");
  static_assert(loads >= 1 && loads <= 16, "loads: vectors in flight, 1 to 16");
  if (n < 0 || n > PTRDIFF_MAX / 2 || workspace_bytes == NULL) return EINVAL;
  // process: steps (leaving.cdl:47)
  if (1 < 0)
    return EINVAL;
  const size_t need = 16 + ((size_t)1 * sizeof(int) + 15) / 16 * 16 + ((size_t)1 * sizeof(int) + 15) / 16 * 16 + ((size_t)1 * sizeof(T) + 15) / 16 * 16 + ((size_t)1 * sizeof(T) + 15) / 16 * 16 + (size_t)1 * sizeof(T);
  if (workspace == NULL) {
    *workspace_bytes = need;
    return 0;
  }
  if (*workspace_bytes < need) return EINVAL;
  int *left = (int *)((char *)workspace + 16);
  int *left2 = (int *)((char *)left + ((size_t)1 * sizeof(int) + 15) / 16 * 16);
  T *found = (T *)((char *)left2 + ((size_t)1 * sizeof(int) + 15) / 16 * 16);
  T *greatest_found = (T *)((char *)found + ((size_t)1 * sizeof(T) + 15) / 16 * 16);
  T *top_found = (T *)((char *)greatest_found + ((size_t)1 * sizeof(T) + 15) / 16 * 16);
  {
    const bool whole = n >= (threads * loads) && (n % (threads * loads) == 0);
    whole ? OF(leaving_one_thread)(true, n, y, x) : OF(leaving_one_thread)(false, n, y, x);
  }
  {
    const bool whole = 1 >= (threads * loads) && (1 % (threads * loads) == 0);
    whole ? OF(leaving_one_thread2)(true, found) : OF(leaving_one_thread2)(false, found);
  }
  {
    OF(leaving_enter)(left);
  }
  for (Index turn = 0; turn < TGC_MOST_TURNS; ++turn) {
    {
      const bool whole = n >= (threads * loads) && (n % (threads * loads) == 0);
      whole ? OF(leaving_one_thread3)(true, n, y, greatest_found) : OF(leaving_one_thread3)(false, n, y, greatest_found);
    }
    {
      OF(leaving_leave)(left, greatest_found);
    }
    if (left[0] != 0)
      break;
    {
      const bool whole = n >= (threads * loads) && (n % (threads * loads) == 0);
      whole ? OF(leaving_one_thread4)(true, n, y) : OF(leaving_one_thread4)(false, n, y);
    }
    if (turn + 1 == TGC_MOST_TURNS)
      return ETIMEDOUT;
  }
  for (int k = 0; k < 2; ++k) {
    {
      OF(leaving_enter2)(left2);
    }
    for (int i = 0; i < turns; ++i) {
      {
        OF(leaving_leave2)(found, left2);
      }
      if (left2[0] != 0)
        break;
      {
        OF(leaving_one_thread5)(found, i);
      }
      {
        const bool whole = n >= (threads * loads) && (n % (threads * loads) == 0);
        whole ? OF(leaving_one_thread6)(true, n, y, top_found) : OF(leaving_one_thread6)(false, n, y, top_found);
      }
      {
        OF(leaving_leave3)(i, k, left2, top_found);
      }
      if (left2[0] != 0)
        break;
      {
        const bool whole = n >= (threads * loads) && (n % (threads * loads) == 0);
        whole ? OF(leaving_one_thread7)(true, n, y) : OF(leaving_one_thread7)(false, n, y);
      }
    }
  }
  {
    const bool whole = 1 >= (threads * loads) && (1 % (threads * loads) == 0);
    whole ? OF(leaving_one_thread8)(true, found, out) : OF(leaving_one_thread8)(false, found, out);
  }
  return 0;
}

#endif
