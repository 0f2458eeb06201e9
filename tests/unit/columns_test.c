/* columns_test.c: lines of a variant's text that are too long. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "emit/emit.h"

static const char *folded(Arena *a, const char *text, int columns) {
  Buffer b = buffer_new(a);
  buffer_puts(&b, text);
  emit_in_columns(&b, columns);
  return b.text;
}

static void becomes(const char *text, int columns, const char *wanted) {
  Arena *a = arena_new();
  assert_string_equal(folded(a, text, columns), wanted);
  arena_free(a);
}

static void parts(void **state) {
  (void)state;
  becomes("  f(first, second, third);\n", 26, "  f(first, second, third);\n");
  becomes("  f(first, second, third);\n", 25, "  f(first, second,\n      third);\n");
  becomes("  x = f(first, second) + g(third, fourth);\n", 30, "  x = f(first, second) +\n      g(third, fourth);\n");
  becomes("a(b * c + d, e * f + g, h * i + j);\n", 15, "a(b * c + d,\n    e * f + g,\n    h * i + j);\n");
  becomes("if (one && other || third)\n  x();\n", 20, "if (one && other ||\n    third)\n  x();\n");
  becomes("last(one, two, three)", 12, "last(one,\n    two,\n    three)");
}

static void stays(void **state) {
  (void)state;
  becomes("call(\"one, two, three, four\");\n", 10, "call(\"one, two, three, four\");\n");
  becomes("call(\"one \\\" two\", ' ', x);\n", 12, "call(\"one \\\" two\",\n    ' ', x);\n");
  becomes("// a comment that is too long\n", 10, "// a comment that is too long\n");
  becomes("short(x); // a comment that is too long\n", 10, "short(x); // a comment that is too long\n");
  becomes("#define RUN(A, B, C, D) run(A, B, C, D)\n", 10, "#define RUN(A, B, C, D) run(A, B, C, D)\n");
  becomes("#define RUN(A) \\\n  run(A, A, A, A)\nf(a, b, c);\n", 10,
          "#define RUN(A) \\\n  run(A, A, A, A)\nf(a, b,\n    c);\n");
  becomes("aVeryLongNameWithoutAnyBlank;\n", 10, "aVeryLongNameWithoutAnyBlank;\n");
  becomes("/* What it says,\n * and goes on to say. */\n", 10, "/* What it says,\n * and goes on to say. */\n");
  becomes("", 10, "");
}

/* Texts of words, operators, brackets and strings: they are what they were, but for where lines end, and no line that
 * has a blank to part it at is too long. */
static void random_texts(void **state) {
  (void)state;
  static const char *const pieces[] = {"x", "name_of(", ") ", ", ", " + ", " * ", " ? ", " : ", "[i] ", "\"a, b\" ",
                                       "' ' ", " && ", "(y / 2) ", "f(a, b) "};
  const unsigned seed = (unsigned)time(NULL);
  srand(seed);
  for (int round = 0; round < 2000; round++) {
    Arena *a = arena_new();
    Buffer b = buffer_new(a);
    const int columns = 20 + rand() % 100, indent = rand() % 10;
    buffer_printf(&b, "%*sx", indent, "");
    for (int n = rand() % 60; n >= 0; n--) buffer_puts(&b, pieces[(size_t)rand() % (sizeof pieces / sizeof *pieces)]);
    buffer_puts(&b, ";\n");
    const char *made = folded(a, b.text, columns);
    Buffer back = buffer_new(a);
    for (const char *at = made; *at;) {
      const size_t length = strcspn(at, "\n");
      const char *next = at + length + (at[length] == '\n');
      buffer_putn(&back, at, length);
      buffer_puts(&back, *next ? " " : "\n");
      const size_t before = strspn(at, " ");
      if (length > (size_t)columns && memchr(at + before, ' ', (size_t)columns - before))
        assert_true(memchr(at, '"', length) || memchr(at, '\'', length)); /* a blank of a string */
      at = next + (*next ? strspn(next, " ") : 0);
    }
    const char *was = b.text + strspn(b.text, " "), *is = back.text + strspn(back.text, " ");
    for (; *was && *is; was++, is++) { /* several blanks are as good as one */
      while (was[0] == ' ' && was[1] == ' ') was++;
      while (is[0] == ' ' && is[1] == ' ') is++;
      if (*was != *is) fail_msg("seed %u, %d columns: %s became %s", seed, columns, b.text, made);
    }
    assert_int_equal(*was, *is);
    arena_free(a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(parts), cmocka_unit_test(stays), cmocka_unit_test(random_texts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
