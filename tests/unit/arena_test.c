/* arena_test.c: memory that is zeroed, aligned, kept apart, and grown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "support/arena.h"

static void test_blocks(void **state) {
  (void)state;
  Arena *a = arena_new();
  unsigned char *blocks[200];
  for (int i = 0; i < 200; i++) {
    size_t size = (size_t)(i * i * 7 % 5000); /* 0 among them */
    blocks[i] = arena_alloc(a, size);
    assert_non_null(blocks[i]);
    assert_int_equal((uintptr_t)blocks[i] % 16, 0);
    for (size_t k = 0; k < size; k++) assert_int_equal(blocks[i][k], 0);
    memset(blocks[i], i + 1, size);
  }
  for (int i = 0; i < 200; i++) /* nobody wrote into another's block */
    for (size_t k = 0; k < (size_t)(i * i * 7 % 5000); k++)
      assert_int_equal(blocks[i][k], (i + 1) & 255);
  arena_free(a);
}

static void test_large_and_used(void **state) {
  (void)state;
  Arena *a = arena_new();
  assert_int_equal(arena_used(a), 0);
  char *big = arena_alloc(a, 10u << 20);
  big[(10u << 20) - 1] = 1;
  assert_true(arena_used(a) >= 10u << 20);
  size_t before = arena_used(a);
  arena_alloc(a, 100);
  assert_in_range(arena_used(a) - before, 100, 200);
  arena_free(a);
}

static void test_text(void **state) {
  (void)state;
  Arena *a = arena_new();
  char source[] = "grid";
  char *copy = arena_strdup(a, source);
  source[0] = 'x';
  assert_string_equal(copy, "grid");
  assert_string_equal(arena_strdup(a, ""), "");
  assert_string_equal(arena_strndup(a, "block", 3), "blo");
  assert_string_equal(arena_printf(a, "%s%d", "T", 4), "T4");
  char *long_text = arena_printf(a, "%5000d", 7);
  assert_int_equal(strlen(long_text), 5000);
  assert_int_equal(long_text[4999], '7');
  arena_free(a);
}

static void test_vec(void **state) {
  (void)state;
  Arena *a = arena_new();
  VEC(int) v = {0};
  for (int i = 0; i < 10000; i++) vec_push(a, &v, i * 3);
  assert_int_equal(v.n, 10000);
  assert_true(v.capacity >= v.n);
  for (int i = 0; i < 10000; i++) assert_int_equal(v.at[i], i * 3);
  assert_true(arena_used(a) < 10000 * sizeof(int) * 6); /* grows by factors, not by one */
  arena_free(a);
}

/* Memory comes back zeroed, whatever sizes come in what order. */
static void test_reset(void **state) {
  (void)state;
  Arena *a = arena_new();
  for (int round = 0; round < 5; round++) {
    for (int i = 0; i < 2000; i++) {
      size_t n = (size_t)(1 + (i * 7919 + round * 104729) % 3000);
      unsigned char *p = arena_alloc(a, n);
      for (size_t k = 0; k < n; k++) assert_int_equal(p[k], 0);
      memset(p, 0xff, n);
    }
    memset(arena_alloc(a, 3 << 20), 0xff, 3 << 20);
    assert_true(arena_used(a) > 3 << 20);
    arena_reset(a);
    assert_int_equal(arena_used(a), 0);
  }
  arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_blocks),
                                     cmocka_unit_test(test_large_and_used),
                                     cmocka_unit_test(test_text), cmocka_unit_test(test_vec),
                                     cmocka_unit_test(test_reset)};
  return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
