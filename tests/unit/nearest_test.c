/* nearest_test.c: the name that was meant. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "support/nearest.h"

static const char *names[] = {"grid", "block", "warp", "thread", "shared_atomic_native"};

static const char *near(const char *wanted) { return nearest_name(wanted, names, 5); }

static void test_near(void **state) {
  (void)state;
  static const char *const pairs[][2] = {
      {"grid", "grid"},    {"gird", "grid"},
      {"blok", "block"},   {"blocks", "block"},
      {"wrap", "warp"},    {"thread", "thread"},
      {"tread", "thread"}, {"shared_atomics_native", "shared_atomic_native"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    const char *found = near(pairs[i][0]);
    assert_non_null(found);
    assert_string_equal(found, pairs[i][1]);
  }
}

static void test_far(void **state) {
  (void)state;
  static const char *const far[] = {"elephant", "", "x", "process-of-the-host"};
  for (size_t i = 0; i < sizeof far / sizeof *far; i++) assert_null(near(far[i]));
  assert_null(nearest_name("grid", NULL, 0));
  char long_name[5001];
  memset(long_name, 'a', 5000);
  long_name[5000] = '\0';
  assert_null(near(long_name));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_near), cmocka_unit_test(test_far)};
  return cmocka_run_group_tests_name("nearest", tests, NULL, NULL);
}
