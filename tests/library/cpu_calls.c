/* cpu_calls.c: calls every function of a CPU's library of sums of int and float, in what C and C++ have in common.
 *
 *   calls TABLE    all of it; TABLE is one that the library takes
 *   calls one      one sum
 *   calls together sums of several threads at a time
 */
#include "sum.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 100003 };
static float in[MOST + 1];
static int counts[MOST];
static int failed;

static void expect(int ok, const char *what, int error) {
  if (ok) return;
  printf("%s: %s\n", what, sum_error_text(error));
  failed++;
}

static void refused(int error, int with, const char *part) {
  if (error == with && strstr(sum_error_text(error), part)) return;
  printf("%d, not %d: `%s', not `%s'\n", error, with, sum_error_text(error), part);
  failed++;
}

/* v NULL: the one that the library picks. */
static int sum_of(const sum_variant *v, void *workspace, size_t *bytes, uint64_t n, float *out) {
  return v ? v->run_float(NULL, workspace, bytes, in, n, out) : sum_float(workspace, bytes, in, n, out);
}

static void sums(const sum_variant *v, uint64_t n) {
  double want = 0;
  unsigned count = 0;
  for (uint64_t i = 0; i < n; i++) want += in[i], count += (unsigned)counts[i];
  size_t bytes = 0;
  float out = -1;
  int error = sum_of(v, NULL, &bytes, n, &out);
  expect(!error && bytes > 0 && out == -1, "a size", error);
  if (error) return;
  void *workspace = malloc(bytes);
  error = sum_workspace_init(workspace, bytes);
  expect(!error, "a workspace", error);
  for (int again = 0; again < 2; again++) {
    error = sum_of(v, workspace, &bytes, n, &out);
    expect(!error && fabs(out - want) <= 1e-5 * (1 + fabs(want)), v ? v->plan : "sum_float", error);
  }
  free(workspace);
  int total = -1;
  error = sum_int(NULL, &bytes, counts, n, &total);
  workspace = calloc(1, bytes);
  if (!error) error = sum_int(workspace, &bytes, counts, n, &total);
  expect(!error && (unsigned)total == count, "sum_int", error);
  free(workspace);
}

/* A call that goes well leaves no words of one that failed before it. */
static void forgotten(void) {
  float out;
  size_t bytes = 0;
  int error = sum_float(NULL, &bytes, in, 64, &out);
  void *workspace = calloc(1, bytes + !bytes);
  for (int again = 0; again < 2 && !error; again++) {
    refused(sum_float(workspace, &bytes, NULL, 64, &out), EINVAL, "in is NULL");
    error = sum_float(workspace, &bytes, in, 64, &out);
    expect(!error && !strcmp(sum_error_text(EINVAL), strerror(EINVAL)), "words of a call that failed before", error);
  }
  expect(!error, "64 elements", error);
  free(workspace);
}

static void arguments(void) {
  size_t bytes = 0, small;
  float out;
  int error = sum_float(NULL, &bytes, in, 5000, &out);
  char *workspace = (char *)calloc(1, bytes + 16);
  expect(!error && bytes > 0, "a size", error);
  small = bytes - 1;
  refused(sum_float(workspace, NULL, in, 5, &out), EINVAL, "sum_float: workspace_bytes is NULL");
  refused(sum_float(workspace, &small, in, 5000, &out), EINVAL, " bytes, and n = 5000 needs ");
  refused(sum_float(workspace + 1, &bytes, in, 5, &out), EINVAL, "workspace is not aligned to 16 bytes");
  refused(sum_float(workspace, &bytes, in, 5, NULL), EINVAL, "out is NULL");
  refused(sum_float(workspace, &bytes, NULL, 5, &out), EINVAL, "in is NULL, and n = 5");
  refused(sum_float(workspace, &bytes, (float *)((char *)in + 2), 5, &out), EINVAL, "in is not aligned to 4 bytes");
  refused(sum_float(NULL, &bytes, in, UINT64_MAX, &out), EINVAL, "is more than any memory holds");
  refused(sum_workspace_init(NULL, 16), EINVAL, "there is no workspace");
  error = sum_float(workspace, &bytes, NULL, 0, &out);
  expect(!error && out == 0, "nothing", error);
  expect(!strcmp(sum_error_text(0), strerror(0)), "no error", 0);
  expect(!strcmp(sum_error_text(ENOMEM), strerror(ENOMEM)), "another's error", 0);
  sum_configuration c = {3, 0, 0};
  error = sum_variants[0].run_float(&c, NULL, &bytes, in, 5, &out);
  expect(error == ENOTSUP, "a vector of 3 lanes", error);
  free(workspace);
}

static void table(const char *text, int wanted) {
  FILE *f = fopen("some.table", "w");
  if (!f) exit(2);
  fprintf(f, text, sum_variants[0].id, sum_variants[sum_variant_count - 1].id);
  fclose(f);
  int error = sum_load_table("some.table");
  expect(error == wanted, text, error);
  sums(NULL, 1000);
}

/* A range with an end, whoever serves it: what it cannot do it says in the library's words. */
static void ranges(void) {
  const int last = sum_variant_count - 1;
  char *space = (char *)calloc(1, 1 << 12);
  float out;
  for (int v = 0; v <= last; v++) {
    FILE *f = fopen("some.table", "w");
    if (!f) exit(2);
    fprintf(f, "float 1000 %s 0 0 0\nfloat inf %s 0 0 0\n", sum_variants[v].id, sum_variants[last].id);
    fclose(f);
    int error = sum_load_table("some.table");
    expect(!error, sum_variants[v].id, error);
    sums(NULL, 64);
    forgotten();
    size_t none = 0, one = 1, need = 0;
    refused(sum_float(space, &none, in, 64, &out), EINVAL, "the workspace has 0 bytes, and n = 64 needs ");
    error = sum_float(NULL, &need, in, 64, &out);
    expect(!error && need > 0, "a size", error);
    if (need > 1) refused(sum_float(space, &one, in, 64, &out), EINVAL, "the workspace has 1 bytes, and n = 64 needs ");
    else expect(!sum_float(space, &one, in, 64, &out), "no workspace", 0);
  }
  free(space);
}

static void tables(const char *good) {
  refused(sum_load_table(NULL), EINVAL, "cannot read the table");
  refused(sum_load_table("/nowhere"), EINVAL, "cannot read the table `/nowhere'");
  table("float inf nosuch 0 0 0\n", ENOTSUP);
  table("float 10 %s 0 0 0\n", ENOTSUP);
  table("float 10 %s 0 0 0\nfloat 5 %s 0 0 0\n", ENOTSUP);
  table("float inf %s 0 0\n", ENOTSUP);
  table("float inf %s 3 0 0\n", ENOTSUP);
  table("float inf %s 0 0 -4\n", ENOTSUP);
  table("float x %s 0 0 0\n", ENOTSUP);
  table("# a comment\nfloat 100 %s 0 0 0\nfloat inf %s 0 0 2 # two threads\n", 0);
  ranges();
  int error = sum_load_table(good);
  expect(!error, good, error);
}

int main(int argc, char **argv) {
  static const uint64_t sizes[] = {0, 1, 7, 8, 9, 63, 1000, 4097, MOST};
  const char *what = argc > 1 ? argv[1] : "one";
  for (int i = 0; i < MOST; i++) in[i] = (float)(i % 7) - 2, counts[i] = i;
  if (!strcmp(what, "one")) sums(NULL, 1000);
  else if (!strcmp(what, "together")) {
#pragma omp parallel for
    for (int i = 0; i < 64; i++) sums(i % 2 ? &sum_variants[i % sum_variant_count] : NULL, 1000 + (uint64_t)i);
  } else {
    for (int v = -1; v < sum_variant_count; v++)
      for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) sums(v < 0 ? NULL : &sum_variants[v], sizes[k]);
    arguments();
    tables(what);
  }
  printf("%d failed\n", failed);
  return failed != 0;
}
