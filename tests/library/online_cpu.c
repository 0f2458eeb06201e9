/* online_cpu.c: online selection of a CPU's library of spmv and of one of sums: results of every call, several threads, what
 * is refused, a table that is saved and read again.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spmv.h"

enum { ROWS = 700, MOST = 12 * ROWS, THREADS = 4 };
static int offsets[ROWS + 1], columns[MOST], wrong;
static float values[MOST], x[ROWS];
static double want[ROWS];

static void expect(int holds, const char *what) {
  if (holds) return;
  printf("%s: %s\n", what, spmv_error_text(22));
#pragma omp atomic
  wrong++;
}

/* So many products of the matrix: rows that are wrong. */
static int products(int many, void *workspace, size_t bytes) {
  float *y = malloc(sizeof *y * ROWS);
  int bad = 0;
  for (int i = 0; i < many; i++) {
    size_t room = bytes;
    memset(y, 255, sizeof *y * ROWS);
    bad += spmv_float(workspace, &room, values, (uint64_t)offsets[ROWS], columns, offsets, ROWS + 1, x, ROWS, y, ROWS) != 0;
    for (int row = 0; row < ROWS; row++) bad += !(fabs((double)y[row] - want[row]) <= 1e-4);
  }
  free(y);
  return bad;
}

int main(int argc, char **argv) {
  for (int row = 0; row < ROWS; row++) {
    offsets[row + 1] = offsets[row] + row * 7 % 12;
    x[row] = (float)(row % 5) - 2;
    for (int i = offsets[row]; i < offsets[row + 1]; i++) {
      columns[i] = i * 31 % ROWS;
      values[i] = (float)(i % 7) / 8;
    }
  }
  for (int row = 0; row < ROWS; row++)
    for (int i = offsets[row]; i < offsets[row + 1]; i++) want[row] += (double)values[i] * (columns[i] % 5 - 2);
  expect(spmv_select_online(-1, "run_to_run") != 0 && strstr(spmv_error_text(22), "candidates = -1"), "candidates");
  expect(spmv_select_online(4, NULL) != 0 && strstr(spmv_error_text(22), "NULL"), "no determinism");
  expect(spmv_select_save("x.table") != 0 && strstr(spmv_error_text(22), "off"), "off");
  expect(spmv_select_online(8, argc > 1 ? argv[1] : "not_guaranteed") == 0, "on");
  expect(spmv_select_save("no/such/x.table") != 0 && strstr(spmv_error_text(22), "cannot write"), "a path");
  size_t bytes = 0;
  expect(spmv_float(NULL, &bytes, values, (uint64_t)offsets[ROWS], columns, offsets, ROWS + 1, x, ROWS, x, ROWS) == 0 && bytes > 0,
         "a workspace");
  void *workspace = malloc(bytes);
  spmv_workspace_init(workspace, bytes);
  expect(products(60, workspace, bytes) == 0, "one thread");
#pragma omp parallel num_threads(THREADS)
  {
    void *own = malloc(bytes);
    spmv_workspace_init(own, bytes);
    expect(products(40, own, bytes) == 0, "threads");
#pragma omp master
    expect(spmv_select_forget() == 0, "forget");
    expect(products(40, own, bytes) == 0, "threads");
    free(own);
  }
  expect(products(1500, workspace, bytes) == 0, "until it is decided");
  expect(spmv_select_save("saved.table") == 0, "save");
  float none = 0;
  size_t room = bytes;
  expect(spmv_float(workspace, &room, NULL, 0, NULL, offsets, 1, x, ROWS, &none, 0) == 0, "no rows");
  expect(spmv_load_table("saved.table") == 0, "load");
  expect(products(3, workspace, bytes) == 0, "loaded");
  free(workspace);
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
