// loops.cc: what tgc's text is compared with: loops as OpenMP's pragmas have them, for one element type. Compiled
// twice: with OpenMP, and without it, where pragmas count for nothing, as serial loops that may be reordered
// (-ffast-math).
//
// -DTYPE=float, -DSUITE=openmp or serial, -DLOOPS_<workload> pick what is in here; -DOPERATION_add what reduces.
#include "loops.h"

#include <cstdint>

#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_num_threads() { return 1; }
static int omp_get_thread_num() { return 0; }
#endif

#if defined OPERATION_user
#include "check/operator.h" // the folder's

#include <vector>
typedef OPERATOR Operator;
#endif
typedef TYPE T;
typedef int64_t Index;

static const T *in(const Slot &s) { return (const T *)s.pointer; }
static T *out(const Slot &s) { return (T *)s.pointer; }
static Index size(const Slot &s) { return (Index)s.size; }

#if defined LOOPS_reduce
// in, n, out

#if defined OPERATION_user
// An operator of the user's: threads reduce adjacent tiles, whose states are combined in order.
static void reduce(const Slot *o) {
  const T *x = in(o[0]);
  const Index n = size(o[1]);
  std::vector<Operator::State> states;
#pragma omp parallel
  {
    const Index threads = omp_get_num_threads(), thread = omp_get_thread_num(), tile = (n + threads - 1) / threads;
    const Index begin = thread * tile < n ? thread * tile : n, end = begin + tile < n ? begin + tile : n;
#pragma omp single
    states.assign((size_t)threads, Operator::id());
    Operator::State s = Operator::id();
    for (Index i = begin; i < end; i++) s = Operator::op(s, Operator::lift(x[i], i));
    states[(size_t)thread] = s;
  }
  Operator::State all = Operator::id();
  for (const Operator::State &s : states) all = Operator::op(all, s);
  *(Operator::Result *)o[2].pointer = Operator::finish(all);
}
#else
static void reduce(const Slot *o) {
  const T *x = in(o[0]);
  const Index n = size(o[1]);
#if defined OPERATION_add
  T s = 0;
#pragma omp parallel for simd reduction(+ : s)
  for (Index i = 0; i < n; i++) s += x[i];
#elif defined OPERATION_mul
  T s = 1;
#pragma omp parallel for simd reduction(* : s)
  for (Index i = 0; i < n; i++) s *= x[i];
#elif defined OPERATION_max
  T s = x[0];
#pragma omp parallel for simd reduction(max : s)
  for (Index i = 0; i < n; i++) s = x[i] > s ? x[i] : s;
#elif defined OPERATION_min
  T s = x[0];
#pragma omp parallel for simd reduction(min : s)
  for (Index i = 0; i < n; i++) s = x[i] < s ? x[i] : s;
#elif defined OPERATION_and
  T s = (T)~(T)0;
#pragma omp parallel for simd reduction(& : s)
  for (Index i = 0; i < n; i++) s &= x[i];
#elif defined OPERATION_or
  T s = 0;
#pragma omp parallel for simd reduction(| : s)
  for (Index i = 0; i < n; i++) s |= x[i];
#elif defined OPERATION_xor
  T s = 0;
#pragma omp parallel for simd reduction(^ : s)
  for (Index i = 0; i < n; i++) s ^= x[i];
#endif
  *out(o[2]) = s;
}
#endif
#define LOOPS {SUITE_NAME, reduce},

#elif defined LOOPS_inclusive_scan || defined LOOPS_exclusive_scan
// in, n, out

static void scan(const Slot *o) {
  const T *__restrict x = in(o[0]);
  T *__restrict y = out(o[2]);
  const Index n = size(o[1]);
  T s = 0;
#if defined LOOPS_inclusive_scan
#pragma omp parallel for simd reduction(inscan, + : s)
  for (Index i = 0; i < n; i++) {
    s += x[i];
#pragma omp scan inclusive(s)
    y[i] = s;
  }
#else
#pragma omp parallel for simd reduction(inscan, + : s)
  for (Index i = 0; i < n; i++) {
    y[i] = s;
#pragma omp scan exclusive(s)
    s += x[i];
  }
#endif
}
#define LOOPS {SUITE_NAME, scan},

#elif defined LOOPS_vadd
// x, n, y, z

static void vadd(const Slot *o) {
  const T *__restrict x = in(o[0]), *__restrict y = in(o[2]);
  T *__restrict z = out(o[3]);
  const Index n = size(o[1]);
#pragma omp parallel for simd
  for (Index i = 0; i < n; i++) z[i] = x[i] + y[i];
}
#define LOOPS {SUITE_NAME, vadd},

#elif defined LOOPS_axpy
// a, x, n, y

static void axpy(const Slot *o) {
  const T a = *(const T *)o[0].number;
  const T *__restrict x = in(o[1]);
  T *__restrict y = out(o[3]);
  const Index n = size(o[2]);
#pragma omp parallel for simd
  for (Index i = 0; i < n; i++) y[i] += a * x[i];
}
#define LOOPS {SUITE_NAME, axpy},

#elif defined LOOPS_dot
// x, n, y, out

static void dot(const Slot *o) {
  const T *x = in(o[0]), *y = in(o[2]);
  const Index n = size(o[1]);
  T s = 0;
#pragma omp parallel for simd reduction(+ : s)
  for (Index i = 0; i < n; i++) s += x[i] * y[i];
  *out(o[3]) = s;
}
#define LOOPS {SUITE_NAME, dot},

#elif defined LOOPS_gemv
// A, rows, columns, leading, x, y: A row by row

// Rows in parallel.
static void by_rows(const Slot *o) {
  const T *A = in(o[0]), *x = in(o[4]);
  T *y = out(o[5]);
  const Index rows = size(o[1]), columns = size(o[2]), leading = size(o[3]);
#pragma omp parallel for
  for (Index r = 0; r < rows; r++) {
    T s = 0;
#pragma omp simd reduction(+ : s)
    for (Index c = 0; c < columns; c++) s += A[r * leading + c] * x[c];
    y[r] = s;
  }
}
#define LOOPS {SUITE_NAME, by_rows},

#elif defined LOOPS_gemv_columns
// A, rows, columns, leading, x, y: A column by column

// Each thread has rows of its own, a piece of every column.
static void by_rows(const Slot *o) {
  const T *__restrict A = in(o[0]), *__restrict x = in(o[4]);
  T *__restrict y = out(o[5]);
  const Index rows = size(o[1]), columns = size(o[2]), leading = size(o[3]);
#pragma omp parallel
  {
    const Index all = omp_get_num_threads(), mine = omp_get_thread_num();
    const Index begin = rows * mine / all, end = rows * (mine + 1) / all;
    for (Index r = begin; r < end; r++) y[r] = 0;
    for (Index c = 0; c < columns; c++) {
#pragma omp simd
      for (Index r = begin; r < end; r++) y[r] += A[c * leading + r] * x[c];
    }
  }
}

// Each thread has columns of its own, and a copy of y.
static void by_columns(const Slot *o) {
  const T *__restrict A = in(o[0]), *__restrict x = in(o[4]);
  T *__restrict y = out(o[5]);
  const Index rows = size(o[1]), columns = size(o[2]), leading = size(o[3]);
  for (Index r = 0; r < rows; r++) y[r] = 0;
#pragma omp parallel for reduction(+ : y[:rows])
  for (Index c = 0; c < columns; c++) {
#pragma omp simd
    for (Index r = 0; r < rows; r++) y[r] += A[c * leading + r] * x[c];
  }
}
#define MOST_ROWS (1 << 16) /* whose copies fit on a thread's stack */
static void by_columns_of_few(const Slot *o) {
  if (o[1].size <= MOST_ROWS) by_columns(o);
  else by_rows(o);
}
#define LOOPS {SUITE_NAME, by_rows}, {SUITE_NAME "-columns", by_columns_of_few},

#elif defined LOOPS_segmented_sum || defined LOOPS_segmented_sum_offsets
// in, n, size, out, out_n; or in, n, offsets, offsets_n, out, out_n

struct Segments {
  const T *x;
  const int64_t *offsets; // NULL: all of one size
  Index each, n, count;
  T *y;
  Index begin(Index s) const { return offsets ? offsets[s] : s * each; }
  Index end(Index s) const { return offsets ? offsets[s + 1] : s * each + each < n ? s * each + each : n; }
};
static Segments segments(const Slot *o) {
#if defined LOOPS_segmented_sum
  return {in(o[0]), nullptr, size(o[2]), size(o[1]), size(o[4]), out(o[3])};
#else
  return {in(o[0]), (const int64_t *)o[2].pointer, 0, size(o[1]), size(o[5]), out(o[4])};
#endif
}

static void by_segments(const Slot *o) {
  const Segments g = segments(o);
#pragma omp parallel for
  for (Index i = 0; i < g.count; i++) {
    const Index begin = g.begin(i), end = g.end(i);
    T s = 0;
#pragma omp simd reduction(+ : s)
    for (Index k = begin; k < end; k++) s += g.x[k];
    g.y[i] = s;
  }
}

// All threads share each segment: for few that are large.
static void within_segments(const Slot *o) {
  const Segments g = segments(o);
  for (Index i = 0; i < g.count; i++) {
    const Index begin = g.begin(i), end = g.end(i);
    T s = 0;
#pragma omp parallel for simd reduction(+ : s)
    for (Index k = begin; k < end; k++) s += g.x[k];
    g.y[i] = s;
  }
}
#define FEW_SEGMENTS 1024
static void within_few_segments(const Slot *o) {
  if (segments(o).count <= FEW_SEGMENTS) within_segments(o);
  else by_segments(o);
}
#define LOOPS {SUITE_NAME, by_segments}, {SUITE_NAME "-within", within_few_segments},

#elif defined LOOPS_segmented_scan || defined LOOPS_segmented_scan_offsets
// in, n, size, out; or in, n, offsets, offsets_n, out

static void by_segments(const Slot *o) {
  const T *__restrict x = in(o[0]);
  const Index n = size(o[1]);
#if defined LOOPS_segmented_scan
  T *__restrict y = out(o[3]);
  const Index each = size(o[2]), count = (n + each - 1) / each;
#else
  T *__restrict y = out(o[4]);
  const Index *offsets = (const Index *)o[2].pointer;
  const Index count = size(o[3]) - 1;
#endif
#pragma omp parallel for
  for (Index i = 0; i < count; i++) {
#if defined LOOPS_segmented_scan
    const Index begin = i * each, end = begin + each < n ? begin + each : n;
#else
    const Index begin = offsets[i], end = offsets[i + 1] < n ? offsets[i + 1] : n;
#endif
    T s = 0;
#pragma omp simd reduction(inscan, + : s)
    for (Index k = begin; k < end; k++) {
      s += x[k];
#pragma omp scan inclusive(s)
      y[k] = s;
    }
  }
}
#define LOOPS {SUITE_NAME, by_segments},

#elif defined LOOPS_histogram
// in, n, bins, bins_n

static void histogram(const Slot *o) {
  const T *x = in(o[0]);
  unsigned *bins = (unsigned *)o[2].pointer;
  const Index n = size(o[1]), count = size(o[3]);
  (void)count;
#pragma omp parallel for reduction(+ : bins[:count])
  for (Index i = 0; i < n; i++) bins[(Index)x[i]]++;
}
#define LOOPS {SUITE_NAME, histogram},

#elif defined LOOPS_none
#define LOOPS
#else
#error "there is no loop for this workload"
#endif

#define JOIN_(x, y) x##_##y
#define JOIN(x, y) JOIN_(x, y)
#define QUOTE_(x) #x
#define QUOTE(x) QUOTE_(x)
#define SUITE_NAME QUOTE(SUITE)
extern const Loop JOIN(SUITE, TYPE_NAME)[];
const Loop JOIN(SUITE, TYPE_NAME)[] = {LOOPS {nullptr, nullptr}};
