/* online_threads.c: several threads call a CPU's library of spmv while it selects, another forgets and saves: for
 * ThreadSanitizer. It does not know the locks of GCC's OpenMP, so `#pragma omp critical' takes one of its own here; what
 * a thread calls has one thread (OMP_NUM_THREADS=1). */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spmv.h"

enum { ROWS = 700, MOST = 12 * ROWS, THREADS = 4, CALLS = 600, FORGET_AT = 150, SAVE_EVERY = 200 };
static int offsets[ROWS + 1], columns[MOST];
static float values[MOST], x[ROWS];
static double want[ROWS];
static size_t bytes;

static pthread_mutex_t critical = PTHREAD_MUTEX_INITIALIZER;
void GOMP_critical_name_start(void **name) {
  (void)name;
  pthread_mutex_lock(&critical);
}
void GOMP_critical_name_end(void **name) {
  (void)name;
  pthread_mutex_unlock(&critical);
}

typedef struct Caller {
  pthread_t thread;
  int number, wrong;
} Caller;

static void *call(void *of) {
  Caller *me = of;
  float *y = malloc(sizeof *y * ROWS);
  void *workspace = malloc(bytes);
  spmv_workspace_init(workspace, bytes);
  for (int i = 0; i < CALLS; i++) {
    size_t room = bytes;
    memset(y, 255, sizeof *y * ROWS);
    me->wrong += spmv_float(workspace, &room, values, (uint64_t)offsets[ROWS], columns, offsets, ROWS + 1, x, ROWS, y, ROWS) != 0;
    for (int row = 0; row < ROWS; row++) me->wrong += !(fabs((double)y[row] - want[row]) <= 1e-4);
    if (me->number == 0 && i == FORGET_AT) me->wrong += spmv_select_forget() != 0;
    if (me->number == 1 && i % SAVE_EVERY == SAVE_EVERY - 1) me->wrong += spmv_select_save("saved.table") != 0;
  }
  free(y);
  free(workspace);
  return NULL;
}

int main(void) {
  for (int row = 0; row < ROWS; row++) {
    offsets[row + 1] = offsets[row] + row * 7 % 12;
    x[row] = (float)(row % 5) - 2;
    for (int i = offsets[row]; i < offsets[row + 1]; i++) {
      columns[i] = i * 31 % ROWS;
      values[i] = (float)(i % 7) / 8;
      want[row] += (double)values[i] * (columns[i] % 5 - 2);
    }
  }
  static Caller callers[THREADS + 1];
  Caller *last = &callers[THREADS];
  int wrong = spmv_select_online(8, "not_guaranteed") != 0;
  wrong += spmv_float(NULL, &bytes, values, (uint64_t)offsets[ROWS], columns, offsets, ROWS + 1, x, ROWS, x, ROWS) != 0;
  for (int i = 0; i < THREADS; i++) {
    callers[i].number = i;
    pthread_create(&callers[i].thread, NULL, call, &callers[i]);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(callers[i].thread, NULL);
  wrong += spmv_select_save("saved.table") != 0;
  wrong += spmv_load_table("saved.table") != 0;
  last->number = THREADS;
  call(last); /* by the table that was read back */
  for (int i = 0; i <= THREADS; i++) wrong += callers[i].wrong;
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
