/* ship_test.c: what is taken out of a library's dispatch, and what stays byte for byte. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "driver/ship.h"

static void cuts(const char *from, const char *const *dropped, int n, int kept, const char *wanted) {
  Arena *a = arena_new();
  assert_string_equal(ship_dispatch(a, from, dropped, n, kept).text, wanted);
  arena_free(a);
}

static const char *const two[] = {"bb22", "aa11"};

static void takes_out_lines(void **state) {
  (void)state;
  cuts("head\nint sum_aa11_float(void);\nint sum_cc33_float(void);\n  {\"bb22\", sum_bb22_float},\n  {\"cc33\", "
       "sum_cc33_float},\n"
       "};\nextern const int sum_variant_count = 3;\ntail",
       two, 2, 1,
       "head\nint sum_cc33_float(void);\n  {\"cc33\", sum_cc33_float},\n};\nextern const int sum_variant_count = "
       "1;\ntail");
  cuts("nothing to do\n", two, 0, 5, "nothing to do\n");
  cuts("an id is a word: xaa11, aa11x, 0aa110\n_aa11_\n", two, 2, 0, "an id is a word: xaa11, aa11x, 0aa110\n");
}

static void rewrites_places(void **state) {
  (void)state;
  cuts("enum { V_aa11, V_cc33, V_bb22, V_dd44 };\nrest\n", two, 2, 2, "enum { V_cc33, V_dd44 };\nrest\n");
  cuts("enum { V_aa11, V_1,\n       V_2, V_3, V_4, V_5, V_6, V_7, V_8,\n       V_9 };\n", two, 2, 9,
       "enum { V_1, V_2, V_3, V_4, V_5, V_6, V_7, V_8,\n       V_9 };\n");
  cuts("enum { V_aa11, never closed\n", two, 2, 1, "");
}

/* C has no empty initializer. */
static void fills_an_array_that_lost_all(void **state) {
  (void)state;
  cuts("x = {\n  [V_aa11] = f,\n};\n", two, 2, 1, "x = {\n  0\n};\n");
  cuts("x = {\n  [V_cc33] = f,\n};\n", two, 2, 1, "x = {\n  [V_cc33] = f,\n};\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(takes_out_lines),
      cmocka_unit_test(rewrites_places),
      cmocka_unit_test(fills_an_array_that_lost_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
