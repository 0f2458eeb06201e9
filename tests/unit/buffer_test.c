/* buffer_test.c: text under construction. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "support/buffer.h"

static void test_parts(void **state) {
  (void)state;
  Arena *a = arena_new();
  Buffer b = buffer_new(a);
  assert_string_equal(b.text, "");
  assert_int_equal(b.length, 0);
  buffer_puts(&b, "a");
  buffer_putn(&b, "bcdef", 2);
  buffer_printf(&b, "-%d-%s", 7, "x");
  buffer_fill(&b, '=', 3);
  buffer_fill(&b, '!', 0);
  buffer_fill(&b, '!', -2);
  buffer_puts(&b, "");
  assert_string_equal(b.text, "abc-7-x===");
  assert_int_equal(b.length, strlen(b.text));
  arena_free(a);
}

static void test_growth(void **state) {
  (void)state;
  Arena *a = arena_new();
  Buffer b = buffer_new(a), other = buffer_new(a);
  for (int i = 0; i < 20000; i++) {
    buffer_printf(&b, "%05d", i);
    buffer_puts(&other, "z"); /* growing beside it in the same arena */
  }
  assert_int_equal(b.length, 100000);
  assert_int_equal(strlen(b.text), 100000);
  assert_memory_equal(b.text + 5 * 12345, "12345", 5);
  assert_int_equal(strspn(other.text, "z"), 20000);
  buffer_printf(&b, "%70000s|", "");
  assert_int_equal(b.length, 170001);
  assert_int_equal(b.text[170000], '|');
  assert_true(arena_used(a) < 4000000);
  arena_free(a);
}

static void test_nul_bytes(void **state) {
  (void)state;
  Arena *a = arena_new();
  Buffer b = buffer_new(a);
  buffer_putn(&b, "a\0b", 3);
  assert_int_equal(b.length, 3);
  assert_memory_equal(b.text, "a\0b", 4);
  arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_parts), cmocka_unit_test(test_growth),
                                     cmocka_unit_test(test_nul_bytes)};
  return cmocka_run_group_tests_name("buffer", tests, NULL, NULL);
}
