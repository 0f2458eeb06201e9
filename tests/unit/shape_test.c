/* shape_test.c: files, functions and parameter lists stay short; files of a folder do not use each other in circles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <ctype.h>
#include <string.h>

#include "golden.h"

enum { FILE_LINES = 600, FUNCTION_LINES = 70, PARAMETERS = 6, FIELDS = 10, FILES = 96, COLUMNS = 120 };

static const char *const folders[] = {"arch", "command", "compose", "driver", "emit",  "front",
                                      "ir",   "lower",   "lsp",     "passes",  "support", "table", "tune"};
enum { FOLDERS = sizeof folders / sizeof *folders };

/* A file's text, in which comments, strings and characters are blanks. */
static char *code_of(Arena *a, const char *path) {
  const SourceFile *f = source_read(a, golden_path(a, path));
  assert_non_null(f);
  char *text = arena_strdup(a, f->text);
  for (char *at = text; *at;) {
    char *end = at;
    if (strncmp(at, "/*", 2) == 0) end = strstr(at, "*/") + 2;
    else if (*at == '"' || *at == '\'') {
      for (end = at + 1; *end != *at; end++)
        if (*end == '\\') end++;
      end++;
    } else { at++; continue; }
    for (; at < end; at++)
      if (*at != '\n') *at = ' ';
  }
  return text;
}

typedef struct Function { const char *name; size_t length; bool is_static; int parameters, lines; } Function;

static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The function whose definition begins the line at *at, which moves behind it; false: none does. */
static bool function_at(const char **at, Function *f) {
  const char *line = *at, *open = line + strcspn(line, "(;{=\n");
  if (!in_name(*line) || *open != '(') return false;
  const char *name = open;
  while (name > line && in_name(name[-1])) name--;
  *f = (Function){.name = name, .length = (size_t)(open - name), .is_static = strncmp(line, "static ", 7) == 0};
  int depth = 0;
  const char *end = open;
  f->parameters = 1;
  do {
    depth += *end == '(' ? 1 : *end == ')' ? -1 : 0;
    f->parameters += *end == ',' && depth == 1;
  } while (*end++ && depth);
  end += strspn(end, " \n");
  if (*end != '{') return false;
  const char *close = strchr(end, '\n');
  if (memchr(end, '}', (size_t)(close - end))) close = end; /* on one line */
  else close = strstr(end, "\n}") + 1;
  f->lines = 1;
  for (const char *c = line; c < close; c++) f->lines += *c == '\n';
  *at = close;
  return true;
}

typedef void OnFunction(void *context, const Function *f);

static int each_function(const char *text, OnFunction *call, void *context) {
  int n = 0;
  for (const char *at = text; *at;) {
    Function f;
    if (function_at(&at, &f)) {
      call(context, &f);
      n++;
    }
    at += strcspn(at, "\n");
    at += *at == '\n';
  }
  return n;
}

/* ---- lengths ---- */

static void lines_are_short(const char *file, const char *text) {
  int line = 1;
  for (const char *at = text; *at; line++) {
    const size_t n = strcspn(at, "\n");
    if (n > COLUMNS) fail_msg("%s:%d has %zu columns", file, line, n);
    at += n + (at[n] == '\n');
  }
}

static void test_files_are_short(void **state) {
  (void)state;
  Arena *a = arena_new();
  static const char *const endings[] = {".c", ".h"};
  for (int i = 0; i < FOLDERS; i++)
    for (int k = 0; k < 2; k++) {
      int n, lines;
      const char **files = golden_files(a, arena_printf(a, "compiler/%s", folders[i]), endings[k], &n);
      for (int j = 0; j < n; j++) {
        const char *text = source_read(a, golden_path(a, files[j]))->text;
        lines_are_short(files[j], text);
        lines = 0;
        for (const char *c = text; *c; c++) lines += *c == '\n';
        if (lines > FILE_LINES) fail_msg("%s has %d lines", files[j], lines);
      }
    }
  arena_free(a);
}

static void is_short(void *context, const Function *f) {
  const char *file = context;
  if (f->lines > FUNCTION_LINES) fail_msg("%s: %.*s has %d lines", file, (int)f->length, f->name, f->lines);
  if (f->parameters > PARAMETERS)
    fail_msg("%s: %.*s has %d parameters", file, (int)f->length, f->name, f->parameters);
}

static void test_functions_are_short(void **state) {
  (void)state;
  static const char *const held[] = {"compiler/compose", "compiler/ir", "compiler/lower"};
  Arena *a = arena_new();
  int found = 0;
  for (int i = 0; i < 3; i++) {
    int n;
    const char **files = golden_files(a, held[i], ".c", &n);
    for (int j = 0; j < n; j++) found += each_function(code_of(a, files[j]), is_short, (void *)files[j]);
  }
  assert_true(found > 500);
  arena_free(a);
}

/* ---- circles ---- */

typedef struct Definition { const char *name; size_t length; int file; } Definition;
typedef struct Folder {
  Arena *a;
  VEC(Definition) definitions;
  int file; /* that is being read */
} Folder;

static void define(void *context, const Function *f) {
  Folder *d = context;
  Definition made = {f->name, f->length, d->file};
  if (!f->is_static) vec_push(d->a, &d->definitions, made);
}

/* Which files does this one use? */
static void find_uses(const Folder *d, const char *text, int file, bool *uses) {
  for (const char *at = text; *at;) {
    if (!in_name(*at)) { at++; continue; }
    size_t n = 0;
    while (in_name(at[n])) n++;
    for (int i = 0; i < d->definitions.n; i++) {
      const Definition *x = &d->definitions.at[i];
      if (x->file != file && x->length == n && strncmp(x->name, at, n) == 0) uses[x->file] = true;
    }
    at += n;
  }
}

/* Two files that use each other, directly or not; false: there are none. */
static bool find_circle(const char *const *texts, int n, int *one, int *other) {
  bool uses[FILES][FILES] = {{false}};
  Arena *a = arena_new();
  Folder d = {.a = a};
  assert_in_range(n, 1, FILES);
  for (d.file = 0; d.file < n; d.file++) each_function(texts[d.file], define, &d);
  for (int i = 0; i < n; i++) find_uses(&d, texts[i], i, uses[i]);
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; uses[i][k] && j < n; j++) uses[i][j] |= uses[k][j];
  arena_free(a);
  for (*one = 0; *one < n; ++*one)
    for (*other = *one + 1; *other < n; ++*other)
      if (uses[*one][*other] && uses[*other][*one]) return true;
  return false;
}

static void test_no_circles(void **state) {
  (void)state;
  static const char *const held[] = {"compiler/compose", "compiler/emit", "compiler/ir", "compiler/lower"};
  Arena *a = arena_new();
  for (int i = 0; i < 4; i++) {
    int n, one, other;
    const char **files = golden_files(a, held[i], ".c", &n), *texts[FILES];
    assert_in_range(n, 1, FILES);
    for (int j = 0; j < n; j++) texts[j] = code_of(a, files[j]);
    if (find_circle(texts, n, &one, &other)) fail_msg("%s and %s use each other", files[one], files[other]);
  }
  arena_free(a);
}

/* ---- does it see what it looks for? ---- */

static void take(void *context, const Function *f) { *(Function *)context = *f; }

/* Declarations in the body of `struct name', those of structs in it aside, with several names on a line counted. */
static int fields_of(const char *code, const char *name) {
  const char *at = strstr(code, name);
  if (!at) return 0;
  int depth = 0, fields = 0;
  at = strchr(at, '{');
  do {
    depth += *at == '{' ? 1 : *at == '}' ? -1 : 0;
    fields += depth == 1 && (*at == ';' || *at == ',');
  } while (*at++ && depth);
  return fields;
}

/* What all of lower/ passes on says in few words what there is. */
static void test_what_is_passed_on_is_small(void **state) {
  (void)state;
  assert_int_equal(fields_of("struct S { int a, b; struct { int x, y; } c; void *d; };", "struct S "), 4);
  Arena *a = arena_new();
  const char *code = code_of(a, "compiler/lower/lowering.h");
  static const char *const names[] = {"struct View {", "struct Lowering {", "struct Source {", "struct Writing {"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const int fields = fields_of(code, names[i]);
    if (fields < 2 || fields > FIELDS) fail_msg("%s has %d fields", names[i], fields);
  }
  arena_free(a);
}

static void test_what_is_seen(void **state) {
  (void)state;
  Function f = {0};
  const char *text = "int x = g(1);\nstatic int name(int a, void (*b)(int, int),\n  int c) {\n  return 1;\n}\n";
  assert_int_equal(each_function(text, take, &f), 1);
  assert_int_equal(f.length, 4);
  assert_int_equal(strncmp(f.name, "name", 4), 0);
  assert_int_equal(f.parameters, 3);
  assert_int_equal(f.lines, 4);
  assert_true(f.is_static);
  assert_int_equal(each_function("int one(void) { return 1; }\nint declared(int x);\n", take, &f), 1);
  assert_int_equal(f.lines, 1);
}

static void test_a_circle_is_seen(void **state) {
  (void)state;
  const char *texts[] = {"int a(void) { return b(); }\n", "int b(void) { return c(); }\n",
                         "static int own(void) { return 0; }\nint c(void) { return a(); }\n"};
  int one, other;
  assert_true(find_circle(texts, 3, &one, &other));
  texts[2] = "static int own(void) { return 0; }\nint c(void) { return own(); }\n";
  assert_false(find_circle(texts, 3, &one, &other));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_files_are_short),
                                     cmocka_unit_test(test_functions_are_short),
                                     cmocka_unit_test(test_no_circles),
                                     cmocka_unit_test(test_what_is_passed_on_is_small),
                                     cmocka_unit_test(test_what_is_seen),
                                     cmocka_unit_test(test_a_circle_is_seen)};
  return cmocka_run_group_tests_name("shape", tests, NULL, NULL);
}
