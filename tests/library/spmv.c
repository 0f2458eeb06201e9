/* spmv.c: a program of a generated library of spmv, float and double, on a CPU: every variant and the function that picks
 * one, on matrices whose product is computed here by itself. Among them: no rows, empty rows, all elements in one row,
 * offsets beyond the end, rows that end before they begin, NaN and infinities. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spmv.h"

enum { MOST = 6000, COLUMNS = 97 };

static uint64_t state = 88172645463325252u;
static unsigned drawn(unsigned below) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (unsigned)(state >> 33) % below;
}

typedef struct Matrix {
  const char *name;
  int rows, n, ascends;
  int *offsets, *columns;
  double *values;
} Matrix;

/* n elements in rows that `length' draws; kind 'o': the last offset lies beyond the end, 'b': one row ends before it begins. */
static Matrix matrix(const char *name, int rows, int most, char kind) {
  Matrix m = {.name = name, .rows = rows, .ascends = kind != 'b'};
  m.offsets = malloc(((size_t)rows + 1) * sizeof *m.offsets);
  m.offsets[0] = kind == 'o' ? 3 : 0;
  for (int r = 0; r < rows; r++) {
    int length = kind == '1' ? (r == rows / 2 ? most : 0) : (int)drawn(3) == 0 ? 0 : (int)drawn((unsigned)most + 1);
    m.offsets[r + 1] = m.offsets[r] + length;
    if (m.offsets[r + 1] > MOST) m.offsets[r + 1] = MOST;
  }
  m.n = rows ? m.offsets[rows] : 0;
  if (kind == 'o' && rows) m.offsets[rows] += 1000;
  if (kind == 'b' && rows > 4) m.offsets[3] = m.offsets[2] / 2;
  m.columns = malloc(((size_t)m.n + 1) * sizeof *m.columns);
  m.values = malloc(((size_t)m.n + 1) * sizeof *m.values);
  for (int i = 0; i < m.n; i++) {
    m.columns[i] = (int)drawn(COLUMNS);
    m.values[i] = (double)drawn(2001) / 1000 - 1;
    if (kind == 'i' && drawn(300) == 0) m.values[i] = drawn(2) ? NAN : INFINITY;
  }
  return m;
}

static void done(Matrix *m) {
  free(m->offsets);
  free(m->columns);
  free(m->values);
}

/* Of a row, the sum of its products and of their sizes. */
static void row_of(const Matrix *m, const double *x, int row, double *sum, double *all) {
  const int end = m->offsets[row + 1] < m->n ? m->offsets[row + 1] : m->n;
  *sum = *all = 0;
  for (int i = m->offsets[row]; i < end; i++) {
    const double p = m->values[i] * x[m->columns[i]];
    *sum += p;
    *all += fabs(p);
  }
}

static int is_right(double got, double sum, double all, double epsilon, int n) {
  if (isnan(sum)) return isnan(got);
  return isinf(sum) ? got == sum : fabs(got - sum) <= epsilon * (n + 4) * all;
}

/* Everything in T, in blocks that are just as large, so that sanitizers see each access beyond them. */
#define IN_TYPE(T, EPSILON)                                                                                                \
  static int each_##T(const Matrix *m, const double *x) {                                                                  \
    T *values = malloc((size_t)m->n * sizeof(T) + !m->n), *in = malloc(COLUMNS * sizeof(T)), *y = NULL;                      \
    int *columns = malloc((size_t)m->n * sizeof(int) + !m->n), failed = 0;                                                  \
    double *ours = malloc((size_t)m->n * sizeof(double) + !m->n), own[COLUMNS];                                              \
    for (int i = 0; i < m->n; i++) ours[i] = values[i] = (T)m->values[i], columns[i] = m->columns[i];                        \
    for (int i = 0; i < COLUMNS; i++) own[i] = in[i] = (T)x[i];                                                             \
    Matrix as_stored = *m;                                                                                                 \
    as_stored.values = ours;                                                                                               \
    y = malloc((size_t)m->rows * sizeof(T) + !m->rows);                                                                     \
    for (int v = -1; v < spmv_variant_count && !failed; v++) {                                                             \
      size_t bytes = 0;                                                                                                    \
      void *workspace = NULL;                                                                                              \
      for (int turn = 0; turn < 2 && !failed; turn++) {                                                                    \
        for (int r = 0; r < m->rows; r++) y[r] = (T)-77;                                                                   \
        failed = v < 0 ? spmv_##T(workspace, &bytes, values, (uint64_t)m->n, columns, m->offsets, (uint64_t)m->rows + 1,   \
                                  in, COLUMNS, y, (uint64_t)m->rows)                                                       \
                       : spmv_variants[v].run_##T(NULL, workspace, &bytes, values, (uint64_t)m->n, columns, m->offsets,    \
                                                  (uint64_t)m->rows + 1, in, COLUMNS, y, (uint64_t)m->rows);               \
        if (turn == 0) workspace = aligned_alloc(64, bytes / 64 * 64 + 64);                                                \
        if (turn == 0) memset(workspace, 0, bytes);                                                                        \
      }                                                                                                                    \
      /* equal shares are cut where ends ascend; without, they touch nothing outside */                                    \
      const int known = m->ascends || v < 0 || !strstr(spmv_variants[v].plan, "/equal-");                                  \
      for (int r = 0; r < m->rows && !failed && known; r++) {                                                              \
        double sum, all;                                                                                                   \
        row_of(&as_stored, own, r, &sum, &all);                                                                            \
        failed = !is_right((double)y[r], sum, all, EPSILON, m->n);                                                         \
        if (failed) printf("%s, %s: y[%d] is %g, not %g\n", m->name, v < 0 ? "the function" : spmv_variants[v].plan, r,    \
                           (double)y[r], sum);                                                                             \
      }                                                                                                                    \
      free(workspace);                                                                                                     \
    }                                                                                                                      \
    free(values), free(in), free(y), free(columns), free(ours);                                                            \
    return failed != 0;                                                                                                    \
  }
IN_TYPE(float, 6e-8)
IN_TYPE(double, 1.2e-16)

int main(void) {
  double x[COLUMNS];
  for (int i = 0; i < COLUMNS; i++) x[i] = (double)drawn(2001) / 1000 - 1;
  Matrix all[] = {matrix("no rows", 0, 0, ' '),          matrix("one row", 1, 200, ' '),
                  matrix("short rows", 700, 5, ' '),     matrix("rows", 150, 60, ' '),
                  matrix("long rows", 9, 1500, ' '),     matrix("all in one row", 40, 5000, '1'),
                  matrix("empty rows", 50, 0, ' '),      matrix("beyond the end", 30, 40, 'o'),
                  matrix("ends before it begins", 30, 40, 'b'), matrix("no numbers", 60, 60, 'i')};
  int failed = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    failed += each_float(&all[i], x) + each_double(&all[i], x);
    done(&all[i]);
  }
  printf("%d failed\n", failed);
  return failed != 0;
}
