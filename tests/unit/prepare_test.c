/* prepare_test.c: the witness's preparation: what becomes of codelets (golden/witness), and that any text ends with a
 * text or with an error that has a place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "../../witness/prepare.h"
#include "golden.h"
#include "support/arena.h"
#include "support/buffer.h"

static Prepared prepared_text(const char *text, size_t length) {
  const PrepareFile file = {"some.cdl", text, length};
  return prepare(&file, 1);
}

static void test_golden(void **state) {
  (void)state;
  static const char *const kinds[] = {"function", "autonomous", "compound", "cooperative"};
  Arena *a = arena_new();
  int n = 0;
  const char **files = golden_files(a, "tests/golden/witness", ".cdl", &n);
  assert_true(n >= 2);
  for (int i = 0; i < n; i++) {
    const SourceFile *f = golden_source(a, files[i]);
    const PrepareFile file = {f->path, f->text, f->size};
    Prepared p = prepare(&file, 1);
    if (p.error) fail_msg("%s", p.error);
    Buffer b = buffer_new(a);
    for (int k = 0; k < p.ncodelets; k++) {
      const PreparedCodelet *c = &p.codelets[k];
      buffer_printf(&b, "// %s:%d: %s, %s %s of %s%s\n", c->file, c->line, c->name,
                    c->operators ? "over operators," : c->generic ? "generic," : "plain,", kinds[c->kind], c->spectrum,
                    c->applied ? ", applied" : "");
    }
    buffer_printf(&b, "%s", p.text);
    golden_compare(a, arena_printf(a, "%.*s.expected", (int)(strlen(files[i]) - strlen(".cdl")), files[i]), b.text);
    prepared_free(&p);
  }
  arena_free(a);
}

static void expect_error(const char *text, const char *error) {
  Prepared p = prepared_text(text, strlen(text));
  const char *said = p.error ? p.error : "no error";
  if (strcmp(said, error) != 0) fail_msg("`%s': %s, not %s", text, said, error);
  assert_null(p.text);
  prepared_free(&p);
}

static void test_errors(void **state) {
  (void)state;
  expect_error("\n/* on and on", "some.cdl:2: a comment does not end");
  expect_error("\n\n\"on and on\n\"", "some.cdl:3: a text does not end");
  expect_error("__codelet int f(int a) {\n  return (a;\n}", "some.cdl:3: a bracket that was not opened");
  expect_error("__codelet int f(int a) {\n  return a;", "some.cdl:1: a bracket that is not closed");
  expect_error("int a;\n]", "some.cdl:2: a bracket that was not opened");
  expect_error("\n`", "some.cdl:2: a character that no codelet has");
  expect_error("\xef\xbb\xbf", "some.cdl:1: a character that no codelet has");
  expect_error("template typename", "some.cdl:1: a template without arguments");
  expect_error("template <typename T __codelet", "some.cdl:1: a template's arguments do not end");
  expect_error("__codelet", "some.cdl:1: a codelet without a body");
  expect_error("__codelet;", "some.cdl:1: a codelet without a result, a name or parameters");
  expect_error("__codelet int (int a) { }", "some.cdl:1: a codelet without a result, a name or parameters");
  const char *body = "__codelet __coop void f(const Array<1, int> x) {\n  %s\n}";
  static const char *const statements[][2] = {
      {"while (1) x[0];", "lanes know `if' and `for'"},
      {"for (int i = 0; i) x[0];", "a loop without a condition"},
      {"x[0]", "a statement does not end"},
      {"if (1)", "a statement is missing"},
      {"__shared;", "a shared variable without a type and a name"},
  };
  for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
    char text[200], error[200];
    snprintf(text, sizeof text, body, statements[i][0]);
    snprintf(error, sizeof error, "some.cdl:%d: %s", strcmp(statements[i][0], "if (1)") ? 2 : 3, statements[i][1]);
    expect_error(text, error);
  }
  expect_error("__codelet __tag(a) int f(Array<1, int> x) { }\n__codelet __tag(a) int f(Array<1, int> x) { }",
               "some.cdl:2: two codelets of one name");
  Prepared p = prepared_text("int a; \0 int b;", 15);
  assert_string_equal(p.error, "some.cdl:1: a character that no codelet has");
  prepared_free(&p);
  p = prepare(NULL, 0);
  assert_null(p.error);
  assert_int_equal(p.ncodelets, 0);
  prepared_free(&p);
}

/* Text with an error that has a place, or without: not both. */
static void ends(const char *text, size_t length) {
  char *exact = malloc(length ? length : 1); /* as long as it is, so that a sanitizer sees what reads behind it */
  assert_non_null(exact);
  memcpy(exact, text, length);
  Prepared p = prepared_text(exact, length);
  if (p.error) assert_true(strncmp(p.error, "some.cdl:", 9) == 0 && !p.text);
  else assert_int_equal(strlen(p.text), p.length);
  prepared_free(&p);
  free(exact);
}

static void test_truncated(void **state) {
  (void)state;
  Arena *a = arena_new();
  int n = 0;
  const char **files = golden_files(a, "tests/golden/witness", ".cdl", &n);
  for (int i = 0; i < n; i++) {
    const SourceFile *f = golden_source(a, files[i]);
    for (size_t length = 0; length <= f->size; length++) ends(f->text, length);
    char *changed = arena_strndup(a, f->text, f->size); /* a byte changed to each bracket and sign in turn */
    for (size_t k = 0; k < f->size; k++) {
      changed[k] = "(){}[];,<>=\"/*#"[k % 15];
      ends(changed, f->size);
      changed[k] = f->text[k];
    }
  }
  arena_free(a);
}

static char *repeated(const char *before, const char *one, int times, const char *after) {
  const size_t n = strlen(one);
  char *text = malloc(strlen(before) + n * (size_t)times + strlen(after) + 1), *at = text;
  assert_non_null(text);
  at = stpcpy(at, before);
  for (int i = 0; i < times; i++, at += n) memcpy(at, one, n);
  strcpy(at, after);
  return text;
}

static void test_huge(void **state) {
  (void)state;
  static const char *const texts[][3] = {
      {"__codelet int f(int a) { return a", "(", ";"},
      {"__codelet int f(int a) { return a", " + a", "; }"}, /* one long line */
      {"__codelet __coop int f(Array<1, int> a) { ", "{", ""},
      {"__codelet __coop int f(Array<1, int> a) { ", "if (a[0]) ", "; }"},
      {"__codelet __coop int f(Array<1, int> a) { ", "a[0] = 1; ", "}"},
      {"__codelet int f(Array<1, int> a) { int ", "n", " = 0; for (int i = 0; i < a.Size(); ++i) n += i; }"},
      {"__codelet __coop ", "long ", "f(Array<1, int> a) { __shared float x; return x; }"},
      {"template ", "<", ""},
      {"template <typename ", "<T", ">"},
      {"", "__codelet ", ""},
      {"", "__codelet int f(", ""},
      {"__codelet int f(", "__like(", ""},
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    char *text = repeated(texts[i][0], texts[i][1], 30000, texts[i][2]);
    ends(text, strlen(text));
    free(text);
  }
  char *balanced = repeated("__codelet int f(int a) { return ", "(", 200, "");
  char *text = repeated(balanced, ")", 200, "; }");
  Prepared p = prepared_text(text, strlen(text));
  assert_null(p.error);
  prepared_free(&p);
  free(text);
  free(balanced);
}

/* Nothing long is cut: names, and types of what is shared. */
static void test_long_names(void **state) {
  (void)state;
  char *type = repeated("", "very_", 200, "long");
  char *text = repeated("__codelet __coop __tag(t) ", type, 1, " f(Array<1, int> a) { __shared T x; return x; }");
  const char *head = "__codelet __coop __tag(t) int f(Array<1, int> a) { __shared ";
  char *declaration = repeated(head, type, 1, " x; return x; }");
  const char *const both[] = {text, declaration};
  for (int i = 0; i < 2; i++) {
    Prepared p = prepared_text(both[i], strlen(both[i]));
    assert_null(p.error);
    const char *wanted = strstr(p.text, i ? "shared_variable<very_" : "together<very_");
    assert_non_null(wanted);
    assert_non_null(strstr(wanted, "_long>"));
    assert_int_equal(strstr(wanted, "_long>") - strstr(wanted, "very_"), 199 * 5 + 4);
    prepared_free(&p);
  }
  free(type);
  free(text);
  free(declaration);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_golden), cmocka_unit_test(test_errors), cmocka_unit_test(test_truncated),
      cmocka_unit_test(test_huge),   cmocka_unit_test(test_long_names),
  };
  return cmocka_run_group_tests_name("prepare", tests, NULL, NULL);
}
