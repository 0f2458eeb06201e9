/* fold_test.c: what folding leaves of a kernel, as text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernel_text.h"
#include "passes/kernel_passes.h"

/* `text` folds to `expected`, and that folds to itself. */
static void folds(const char *text, const char *expected) {
  Arena *a = arena_new();
  Kernel *k = kernel_text_read(a, text), *e = kernel_text_read(a, expected);
  Tree *once = pass_fold(a, k, k->body), *twice = pass_fold(a, k, once);
  assert_string_equal(kernel_text_print(a, once), kernel_text_print(a, e->body));
  assert_string_equal(kernel_text_print(a, twice), kernel_text_print(a, once));
  Diagnostics *d = diagnostics_new(a);
  assert_true(tree_verify(once, FORM_KERNEL, k->params, k->nparams, "fold", d));
  arena_free(a);
}

static void stays(const char *text) { folds(text, text); }

static void constants(void **state) {
  (void)state;
  folds("out[0] = 2 + 3 * 4;", "out[0] = 14;");
  folds("out[n * 1 + 0] = a / 1 + 0 * b;", "out[n] = a;");
  folds("out[0] = (a + 3) - 1;", "out[0] = a + 2;");
  folds("out[0] = (a + 1) - 1;", "out[0] = a;");
  folds("out[0] = a - a;", "out[0] = 0;");
  stays("out[0] = a / b;");
  stays("out[0] = 1 / 0;");
  stays("out[0] = 2147483647 + 1;");
}

static void floats_stay_exact(void **state) {
  (void)state;
  stays("if (x + 0.0 < y) out[0] = 1;");
  stays("if (x - x < y) out[0] = 1;");
  stays("if (x * 0 < y) out[0] = 1;");
  folds("if (x * 1 < y) out[0] = 1;", "if (x < y) out[0] = 1;");
  stays("if (!(x < y)) out[0] = 1;"); /* a NaN */
  stays("T t = in[0]; out[0] = t + 0; out[1] = t;");
  stays("if (x == x) out[0] = 1;");
}

static void the_block(void **state) {
  (void)state;
  folds("if (thread < threads) out[thread] = 1;", "out[thread] = 1;");
  folds("if (threads / 32 > 0 && threads != 32) out[thread] = 1;", "out[thread] = 1;");
  folds("out[0] = thread / 32 + thread % 32;", "out[0] = warp + lane;");
  folds("out[warp * 32 + lane] = 1;", "out[thread] = 1;");
  folds("if (lane < 32) out[0] = 1;", "out[0] = 1;");
  folds("if (warp < threads / 32) out[0] = 1;", "out[0] = 1;");
  folds("if (thread >= threads || thread < 0) out[0] = 1;", "");
  folds("out[0] = lane + a < 32 ? 1 : 1;", "out[0] = 1;");
  stays("out[0] = (thread - 32) % 32;"); /* negative in the first warp: C rounds towards zero */
  stays("if (warp < threads / 64) out[0] = 1;");
  stays("if (thread < 64 && thread < a) out[thread] = 1;");
}

static void dominating_conditions(void **state) {
  (void)state;
  folds("if (warp == 0) { if (thread < 32) out[0] = 1; }", "if (warp == 0) { out[0] = 1; }");
  folds("if (thread < 32) { if (warp == 0) out[0] = 1; }", "if (thread < 32) { out[0] = 1; }");
  folds("if (thread == 0) { if (lane == 0) out[0] = 1; }", "if (thread == 0) { out[0] = 1; }");
  folds("if (a > 3) { if (a > 2) out[0] = 1; else out[0] = 2; }", "if (a > 3) { out[0] = 1; }");
  folds("if (a > 3) out[0] = 1; else { if (a < 4) out[1] = 1; }", "if (a > 3) out[0] = 1; else out[1] = 1;");
  stays("int v = a; if (v > 3) { v = in[0]; if (v > 3) out[0] = v; }");
  folds("out[0] = a > 3 ? a > 2 ? 1 : 2 : 3;", "out[0] = a > 3 ? 1 : 3;");
}

static void loops(void **state) {
  (void)state;
  folds("for (int i = 5; i < 3; i += 1) out[i] = 1;", "");
  folds("for (int i = 0; i < 4; i += 1) if (i >= 0) out[i] = 1;", "for (int i = 0; i < 4; i += 1) out[i] = 1;");
  folds("for (int s = 16; s > 0; s /= 2) if (s <= 16) out[s] = 1;", "for (int s = 16; s > 0; s /= 2) out[s] = 1;");
  stays("for (int s = 16; s > 0; s /= 2) if (s < 16) out[s] = 1;");
  folds("for (int i = 0; i < n; i += 1) { }", "");
  stays("int v = 0; for (int i = 0; i < n; i += 1) { if (v > 0) out[i] = 1; v = in[i]; }");
  folds("for (int i = 0; i < n; i += 1) { break; out[0] = 1; }", "for (int i = 0; i < n; i += 1) { break; }");
}

/* Where they cannot wrap around, unsigned numbers are as good as others. */
static void unsigned_numbers(void **state) {
  (void)state;
  folds("for (unsigned s = 16; s > 0; s /= 2) if (s <= 16) out[s] = 1;",
        "for (unsigned s = 16; s > 0; s /= 2) out[s] = 1;");
  folds("for (unsigned s = 1; s < 32; s *= 2) if (s >= 1) out[s] = 1;",
        "for (unsigned s = 1; s < 32; s *= 2) out[s] = 1;");
  folds("for (unsigned s = 8; s > 0; s -= 1) if (s <= 8) out[s] = 1;",
        "for (unsigned s = 8; s > 0; s -= 1) out[s] = 1;");
  folds("for (unsigned s = 1; s < 32; s *= 2) if (lane + s < 64) out[s] = 1;",
        "for (unsigned s = 1; s < 32; s *= 2) out[s] = 1;");
  stays("for (unsigned s = 3; s != 0; s += 7) if (s >= 3) out[s] = 1;");
  stays("for (unsigned s = 3; s < 4294967290; s += 7) if (s >= 3) out[s] = 1;");
  stays("for (unsigned s = 8; s >= 1; s -= 2) if (s <= 8) out[s] = 1;"); /* of 1 it makes 4294967295 */
  stays("for (unsigned s = 1; s < 32; s *= 2) if (s - lane < 64) out[s] = 1;");
  stays("for (unsigned s = 1; s < n; s *= 2) if (s >= 1) out[s] = 1;");
  stays("unsigned v = a; out[0] = v / 2 < 2000000000 ? 1 : 2;");
}

static void branches(void **state) {
  (void)state;
  folds("if (true) out[0] = 1; else out[0] = 2;", "out[0] = 1;");
  folds("if (false) out[0] = 1; else out[0] = 2;", "out[0] = 2;");
  folds("if (a > 0) { } else { out[0] = 2; }", "if (a <= 0) { out[0] = 2; }");
  folds("if (a > 0) { }", "");
  folds("if (a > 0) out[0] = 1; else out[0] = 1;", "out[0] = 1;");
  folds("if (!(a < b)) out[0] = 1;", "if (a >= b) out[0] = 1;");
  folds("{ { out[0] = 1; } }", "out[0] = 1;");
  stays("{ int v = in[0]; v += 1; out[0] = v; } { int v = in[1]; v += 1; out[1] = v; }");
}

static void variables(void **state) {
  (void)state;
  folds("int v = in[0]; int w = 3; out[0] = v;", "int v = in[0]; out[0] = v;");
  folds("int v = 0; v = in[0]; v += 1; out[0] = v;", "int v = in[0]; v += 1; out[0] = v;");
  folds("int v = in[0]; v += 1; int w = v; out[0] = w;", "int v = in[0]; v += 1; out[0] = v;");
  stays("int v = in[0]; int w = v; v += 1; out[0] = w + v;");
  folds("shared int t[threads]; t[thread] = 1; out[0] = 2;", "out[0] = 2;");
  folds("int v = 0; v += 1; v = 2;", "");
  folds("int v = in[0]; v = v; out[0] = v; v += 0;", "int v = in[0]; out[0] = v;");
  stays("int v = 1; for (int i = 0; i < n; i += 1) { int w = v; out[i] = w; v = in[i]; out[i] = w; }");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(constants), cmocka_unit_test(floats_stay_exact), cmocka_unit_test(the_block),
      cmocka_unit_test(dominating_conditions), cmocka_unit_test(loops),
      cmocka_unit_test(unsigned_numbers), cmocka_unit_test(branches),
      cmocka_unit_test(variables)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
