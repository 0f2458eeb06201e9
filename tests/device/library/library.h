/* library.h: what the tests of tables.h and calls.h have around them: the library `example' of two variants, of which the first
 * has the configuration {8, 1}, and the second any and more workspace. Each stores who ran. */
#ifndef TGC_TESTS_DEVICE_LIBRARY_H
#define TGC_TESTS_DEVICE_LIBRARY_H

#include "cpu_test.h"

static int refuse_above = 1 << 30;
#ifndef PASSES
#define PASSES(thousand) /* time, in nanoseconds, where a test has a clock of its own */
#endif

static int first(const example_configuration *c, void *workspace, size_t *bytes, const float *in, uint64_t n, float *out) {
  (void)in, (void)n;
  if (c->threads != 8) return ENOTSUP;
  PASSES(workspace ? 10 : 0);
  if (workspace) *out = 1;
  else *bytes = 1;
  return 0;
}

static int second(const example_configuration *c, void *workspace, size_t *bytes, const float *in, uint64_t n, float *out) {
  (void)in;
  if (n > (uint64_t)refuse_above) return EINVAL;
  PASSES(workspace ? second_takes : 0);
  if (workspace) *out = (float)(2 + c->loads);
  else *bytes = 3;
  return 0;
}

const example_variant example_variants[2] = {{"a", first, "not_guaranteed"}, {"b", second, "sequential"}};
const int example_variant_count = 2;

ERROR NAME(arguments)(const char *who, const void *workspace, const size_t *workspace_bytes, uint64_t n, const void *in,
                      size_t in_aligned, const void *out, size_t out_aligned) {
  (void)workspace, (void)n, (void)in_aligned, (void)out_aligned;
  return workspace_bytes && lies_at(in, 4) && lies_at(out, 4) ? 0 : NAME(failed)(EINVAL, "%s: wrong", who);
}

static bool table_is(const char *text) {
  FILE *file = fopen("table", "w");
  return file && fputs(text, file) >= 0 && fclose(file) == 0;
}

#endif
