/* @NAME@_test.c: calls the library that tgc makes of @NAME@.cdl for this CPU, and compares it with a plain loop.
 *
 *   tgc compile @NAME@.cdl --arch cpu --types float
 *   cc -O2 -fopenmp -I out @NAME@_test.c $(find out -name "*.c") -lm -o @NAME@_test && ./@NAME@_test
 *
 * or with CMake: see CMakeLists.txt. `tgc check' compares every variant with the codelet `serial', at many sizes. */
#include "@NAME@.h"

#include <stdio.h>
#include <stdlib.h>

/* What the library is compared with: keep it apart from the codelets. */
static double expected(const float *in, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += in[i];
  return sum;
}

/* 0: right; 1: wrong, or a call failed. */
static int test(size_t n) {
  float *in = malloc((n + 1) * sizeof *in), out = -1;
  for (size_t i = 0; i < n; i++) in[i] = (float)(i % 7) - 3; /* small whole numbers: their sums are exact */
  size_t bytes = 0;
  int error = @NAME@_float(NULL, &bytes, in, n, &out); /* how much workspace? */
  void *workspace = malloc(bytes);
  if (!error) error = @NAME@_workspace_init(workspace, bytes);
  if (!error) error = @NAME@_float(workspace, &bytes, in, n, &out);
  const double wanted = expected(in, n);
  const int wrong = error || out != wanted;
  if (error) printf("n = %zu: %s\n", n, @NAME@_error_text(error));
  else if (wrong) printf("n = %zu: got %g, want %g\n", n, out, wanted);
  free(workspace);
  free(in);
  return wrong;
}

int main(void) {
  static const size_t sizes[] = {0, 1, 2, 31, 1000, 65537, 1000003};
  int failed = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) failed += test(sizes[i]);
  printf("%s\n", failed ? "failed" : "passed");
  return failed != 0;
}
