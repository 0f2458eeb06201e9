/* listing_test.c: the table that --list prints. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "example_output.h"

static const char *listed(Arena *a, const Output *o, int width) {
  Buffer b = buffer_new(a);
  emit_listing(&b, o, width);
  return b.text;
}

static void reads_well(void **state) {
  (void)state;
  static const char wanted[] =
    "sum of sum.cdl for sm_60, Pascal (Tesla P100)\n"
    "types int, double; operator add\n"
    "\n"
    "  id        letter  kernels  determinism     plan\n"
    "baseline\n"
    "  aa11bb22                2  gpu_to_gpu      grid.tiled(block.tree, block.tree)\n"
    "shuffle\n"
    "  aa33cc44  m             1  not_guaranteed  grid.tiled!atomic(\n"
    "                                             block.tree+shuffle)\n"
    "\n"
    "2 variants: 1 baseline, 1 shuffle\n"
    "\n"
    "1 gpu_to_gpu, batch-invariant: every width is a constant or follows from n\n"
    "1 not_guaranteed, not batch-invariant: atomics on floating elements come in any\n"
    "  order\n"
    "\n"
    "Dispatch by size: from a table that does not say where it was measured\n"
    "int:\n"
    "  aa11bb22 to 4096, aa33cc44\n"
    "double:\n"
    "  aa33cc44\n";
  Arena *a = arena_new();
  assert_string_equal(listed(a, example_output(a), 80), wanted);
  assert_non_null(strstr(listed(a, example_output(a), 0), "not_guaranteed  grid.tiled!atomic(block.tree+shuffle)\n"));
  arena_free(a);
}

/* So many of a text's characters that are neither blanks nor ends of lines; those of what it has less are left out. */
static const char *without_blanks(Arena *a, const char *s, size_t n) {
  Buffer b = buffer_new(a);
  for (; *s && b.length + 3 < n; s++) /* three blanks are in the plan */
    if (*s != ' ' && *s != '\n') buffer_putn(&b, s, 1);
  return b.text;
}

static void fits_its_width(void **state) {
  (void)state;
  Arena *a = arena_new();
  Output *o = example_output(a);
  Plan longer = *o->variants[1].plan;
  longer.text = "grid.tiled!atomic(block.strided(warp.strided(thread.serial; warp.tree+shuffle); block.tree+shuffle))";
  o->variants[1].plan = &longer;
  for (int width = 64; width <= 160; width++) {
    const char *text = listed(a, o, width);
    assert_string_equal(without_blanks(a, strstr(text, "grid.tiled!atomic("), strlen(longer.text)),
                        without_blanks(a, longer.text, strlen(longer.text)));
    for (const char *line = text; *line;) {
      size_t n = strcspn(line, "\n");
      assert_true(n <= (size_t)width);
      assert_true(n == 0 || line[n - 1] != ' ');
      line += n + 1;
    }
    assert_true((strstr(text, longer.text) != NULL) == (45 + strlen(longer.text) <= (size_t)width));
  }
  assert_non_null(strstr(listed(a, o, 20), "aa33cc44")); /* narrower than a table can be: still whole ids */
  arena_free(a);
}

/* Of many types and an operator with properties nothing is cut: each has a line. */
static void the_operator_has_a_line_of_its_own(void **state) {
  (void)state;
  Arena *a = arena_new();
  Output *o = example_output(a);
  Monoid m = {.name = "ReproducibleSum", .associative = true, .commutative = true, .rounded = true};
  Spectrum s = *o->spectrum;
  s.monoid = &m;
  s.op = OPERATOR_USER;
  o->spectrum = &s;
  static const char together[] = "\ntypes int, double; operator ReproducibleSum, associative, commutative, rounded\n",
                    apart[] = "\ntypes int, double\noperator ReproducibleSum, associative, commutative, rounded\n";
  assert_non_null(strstr(listed(a, o, sizeof together - 3), together));
  assert_non_null(strstr(listed(a, o, sizeof together - 4), apart));
  assert_non_null(strstr(listed(a, o, 64), apart));
  s.op = OPERATOR_NONE;
  s.monoid = NULL;
  assert_non_null(strstr(listed(a, o, 80), "\ntypes int, double\n\n"));
  arena_free(a);
}

static void breaks_between_characters(void **state) {
  (void)state;
  Arena *a = arena_new();
  Output *o = example_output(a);
  Plan odd = *o->variants[1].plan;
  odd.text = "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
             "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9";
  o->variants[1].plan = &odd;
  assert_non_null(strstr(listed(a, o, 40), "  \u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
                                           "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\n"));
  assert_non_null(strstr(listed(a, o, 40), "  \u00e9\u00e9\u00e9\u00e9\n"));
  arena_free(a);
}

static void leaves_out_a_column_without_letters(void **state) {
  (void)state;
  Arena *a = arena_new();
  Output *o = example_output(a);
  o->nvariants = 1;
  o->table.rows.n = 0;
  const char *text = listed(a, o, 80);
  assert_null(strstr(text, "letter"));
  assert_non_null(strstr(text, "1 variant: 1 baseline\n"));
  o->nvariants = 0;
  assert_non_null(strstr(listed(a, o, 80), "0 variants\n"));
  arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(reads_well),
    cmocka_unit_test(fits_its_width),
    cmocka_unit_test(the_operator_has_a_line_of_its_own),
    cmocka_unit_test(breaks_between_characters),
    cmocka_unit_test(leaves_out_a_column_without_letters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
