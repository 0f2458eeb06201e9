/* The texts that bodies are parsed from: files of many codelets in time, names that reach a body by a macro, directives
 * inside of declarations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "front/front.h"
#include "golden.h"

static const char *types[] = {"int", "float"};

/* NULL after an error, which the test does not expect. */
static Unit *parse(Arena *a, const char *text, Diagnostics *d) {
  SourceFile *f = arena_one(a, SourceFile);
  *f = (SourceFile){.path = "test.cdl", .text = arena_strdup(a, text), .size = strlen(text)};
  return front_parse(a, f, types, 2, NULL, d);
}

static const char *codelets(Arena *a, int n, bool one_spectrum) {
  Buffer b = buffer_new(a);
  for (int i = 0; i < n; i++)
    buffer_printf(&b, "__codelet __tag(c%d) int f%d(const Array<1, int> in) {\n  int a = 0;\n"
                      "  for (int i = 0; i < in.Size(); i++) a = in[i] - a / 2;\n  return a;\n}\n", i, one_spectrum ? 0 : i);
  return b.text;
}

static double seconds_for(int n, bool one_spectrum) {
  Arena *a = arena_new();
  struct timespec before, after;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
  Diagnostics *d = diagnostics_new(a);
  Unit *u = parse(a, codelets(a, n, one_spectrum), d);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
  if (!u) fail_msg("%s", golden_diagnostics(a, d, 0));
  assert_int_equal(u->spectra[0]->ncodelets, one_spectrum ? n : 1);
  assert_int_equal(u->nspectra, one_spectrum ? 1 : n);
  arena_free(a);
  return (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
}

/* Four times as many take four times as long, of one spectrum or of as many; not sixteen times. */
static void many_codelets_take_linear_time(void **state) {
  (void)state;
  for (int one = 0; one < 2; one++) {
    double few = seconds_for(32, one), again = seconds_for(32, one), many = seconds_for(128, one);
    if (again < few) few = again;
    if (many > 8 * few) fail_msg("32 codelets take %.3f s, 128 take %.3f s", few, many);
  }
}

static const char sum[] = "__codelet int sum(const Array<1, int> in) {\n  int a = 0;\n"
                          "  for (int i = 0; i < in.Size(); i++) a = in[i] - a / 2;\n  return a;\n}\n";

static void a_macro_may_name_a_spectrum(void **state) {
  (void)state;
  Arena *a = arena_new();
  Diagnostics *d = diagnostics_new(a);
  Unit *u = parse(a, arena_printf(a, "#define EACH sum\n"
                                     "__codelet int outer(const Array<1, int> in) {\n  __tunable int p;\n"
                                     "  long w = (in.Size() + p - 1) / p;\n"
                                     "  Map m(EACH, partition(in, p, sequence(0, w, in.Size()), sequence(1),"
                                     " sequence(w, w, in.Size())));\n  return EACH(m);\n}\n%s", sum), d);
  if (!u) fail_msg("%s", golden_diagnostics(a, d, 0));
  assert_int_equal(u->nspectra, 2);
  assert_string_equal(u->spectra[1]->name, "sum");
  arena_free(a);
}

/* It stays in the text of the others, as it is. */
static void a_directive_may_stand_in_a_declaration(void **state) {
  (void)state;
  Arena *a = arena_new();
  Diagnostics *d = diagnostics_new(a);
  Unit *u = parse(a, arena_printf(a, "__codelet __tag(first) int sum(const Array<1, int>\n#if 1\n in\n#endif\n) {\n"
                                     "  return in[0];\n}\n%s%s", sum, sum), d);
  if (!u) fail_msg("%s", golden_diagnostics(a, d, 0));
  assert_int_equal(u->spectra[0]->ncodelets, 3);
  assert_string_equal(u->spectra[0]->codelets[0]->tag, "first");
  assert_string_equal(u->spectra[0]->codelets[1]->tag, "serial");
  arena_free(a);
}

/* A name that is not quite another's is told, though the body does not name that one. */
static void a_misspelt_spectrum_is_suggested(void **state) {
  (void)state;
  Arena *a = arena_new();
  Diagnostics *d = diagnostics_new(a);
  Unit *u = parse(a, arena_printf(a, "%s__codelet int outer(const Array<1, int> in) { return summ(in); }\n", sum), d);
  assert_null(u);
  assert_non_null(strstr(golden_diagnostics(a, d, 0), "did you mean `sum'?"));
  arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(many_codelets_take_linear_time),
      cmocka_unit_test(a_macro_may_name_a_spectrum),
      cmocka_unit_test(a_directive_may_stand_in_a_declaration),
      cmocka_unit_test(a_misspelt_spectrum_is_suggested),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
