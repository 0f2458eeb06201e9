/* diagnostics_test.c: what is printed, to the byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/buffer.h"
#include "support/diagnostics.h"

static int set_up(void **state) {
  *state = arena_new();
  return 0;
}

static int tear_down(void **state) {
  arena_free(*state);
  return 0;
}

static const char *printed(Arena *a, const Diagnostics *d, unsigned remarks) {
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  diagnostics_print(d, f, remarks, false);
  fclose(f);
  char *copy = arena_alloc(a, size + 1);
  memcpy(copy, text, size);
  free(text);
  assert_int_equal(strlen(copy), size); /* no NUL is printed */
  return copy;
}

static SourceFile file_of(const char *text, size_t size) {
  return (SourceFile){.path = "sum.cdl", .text = text, .size = size};
}

static void test_form(void **state) {
  Arena *a = *state;
  Diagnostics *d = diagnostics_new(a);
  const char *text = "int f() {\n  in[0] = 3;\n}\n";
  SourceFile f = file_of(text, strlen(text));
  diagnostics_add(d, DIAG_ERROR, (SourceRange){&f, 12, 17}, "declare it `__mutable'",
                  "`%s' is read-only here", "in");
  diagnostics_add(d, DIAG_WARNING, (SourceRange){&f, 12, 99}, NULL, "clipped");
  diagnostics_add(d, DIAG_NOTE, (SourceRange){0}, NULL, "no place");
  assert_string_equal(printed(a, d, 0),
                      "sum.cdl:2:3: error: `in' is read-only here\n"
                      "    2 |   in[0] = 3;\n"
                      "      |   ^~~~~\n"
                      "hint: declare it `__mutable'\n"
                      "sum.cdl:2:3: warning: clipped\n"
                      "    2 |   in[0] = 3;\n"
                      "      |   ^~~~~~~~~~\n"
                      "tgc: note: no place\n");
  assert_int_equal(d->errors, 1);
}

static void test_odd_bytes(void **state) {
  Arena *a = *state;
  Diagnostics *d = diagnostics_new(a);
  SourceFile f = file_of("\ta\0\x1b[31m b", 10);
  diagnostics_add(d, DIAG_ERROR, (SourceRange){&f, 2, 3}, NULL, "a NUL\nbyte \x1b[1m");
  const char *text = printed(a, d, 0);
  assert_null(strchr(text, '\x1b'));
  assert_non_null(strstr(text, "sum.cdl:1:3: error: a NUL byte ?[1m\n"));
  assert_non_null(strstr(text, " | \ta??[31m b\n"));
  assert_non_null(strstr(text, " | \t ^\n")); /* the tab keeps the mark in its place */
}

static void test_long_line(void **state) {
  Arena *a = *state;
  Diagnostics *d = diagnostics_new(a);
  char *text = arena_alloc(a, 100001);
  memset(text, 'x', 100000);
  memcpy(text + 50000, "here", 4);
  SourceFile f = file_of(text, 100000);
  diagnostics_add(d, DIAG_ERROR, (SourceRange){&f, 50000, 50004}, NULL, "m");
  const char *out = printed(a, d, 0), *line = strchr(out, '\n') + 1, *mark = strchr(line, '\n') + 1;
  assert_true(strlen(out) < 400);
  const char *here = strstr(line, "here"), *caret = strchr(mark, '^');
  assert_non_null(here);
  assert_int_equal(here - line, caret - mark);
  assert_memory_equal(caret, "^~~~\n", 5);
}

/* A line that fits is not cut, however late in it the mistake is. */
static void test_late_in_a_line(void **state) {
  Arena *a = *state;
  Diagnostics *d = diagnostics_new(a);
  char text[100];
  memset(text, 'x', sizeof text);
  SourceFile f = file_of(text, sizeof text);
  diagnostics_add(d, DIAG_ERROR, (SourceRange){&f, 99, 100}, NULL, "late");
  assert_non_null(strstr(printed(a, d, 0), "    1 | xxx"));
  assert_null(strstr(printed(a, d, 0), ".."));
}

static void test_repeats_and_cap(void **state) {
  Arena *a = *state;
  Diagnostics *d = diagnostics_new(a);
  for (int i = 0; i < 60; i++) {
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, NULL, "error %d", i);
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, NULL, "error %d", i);
  }
  assert_int_equal(d->errors, 60);
  const char *text = printed(a, d, 0);
  assert_non_null(strstr(text, "error 49\n"));
  assert_null(strstr(text, "error 50\n"));
  assert_non_null(strstr(text, "10 more errors"));
}

static void test_remarks(void **state) {
  Arena *a = *state;
  Diagnostics *d = diagnostics_new(a);
  diagnostics_remark(d, REMARK_PASSED, "shuffle", (SourceRange){0}, "made");
  diagnostics_remark(d, REMARK_MISSED, "shuffle", (SourceRange){0}, "not made");
  assert_string_equal(printed(a, d, 0), "");
  assert_string_equal(printed(a, d, REMARK_MISSED), "tgc: remark: not made [shuffle]\n");
  assert_non_null(strstr(printed(a, d, REMARK_PASSED | REMARK_MISSED),
                         "made [shuffle]\ntgc: remark: not made"));
  assert_int_equal(d->errors, 0);
}

static void test_places(void **state) {
  (void)state;
  SourceFile f = file_of("ab\n\ncd", 6);
  static const int at[][3] = {{0, 1, 1}, {2, 1, 3}, {3, 2, 1},  {4, 3, 1},
                              {5, 3, 2}, {6, 3, 3}, {600, 3, 3}};
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
    int line, column;
    source_position(&f, (unsigned)at[i][0], &line, &column);
    assert_int_equal(line, at[i][1]);
    assert_int_equal(column, at[i][2]);
  }
}

static void test_reading(void **state) {
  Arena *a = *state;
  assert_null(source_read(a, "/no/such/file"));
  assert_int_equal(errno, ENOENT);
  assert_null(source_read(a, "/"));
  assert_int_equal(errno, EISDIR);
  const char *root = getenv("TGC_SOURCE_DIR");
  SourceFile *f = source_read(a, arena_printf(a, "%s/LICENSE", root ? root : "."));
  assert_non_null(f);
  assert_int_equal(strlen(f->text), f->size);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_form),    TEST(test_odd_bytes), TEST(test_long_line), TEST(test_late_in_a_line),
      TEST(test_repeats_and_cap),
      TEST(test_remarks), TEST(test_places),    TEST(test_reading)};
  return cmocka_run_group_tests_name("diagnostics", tests, NULL, NULL);
}
