/* The front end: listings as trees, broken input as diagnostics, classes, operators, coverage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "front/front.h"
#include "golden.h"
#include "ir/operator.h"

static const char *types[] = {"int", "float", "double"};

typedef struct Parsed { Arena *a; Diagnostics *d; Unit *u; } Parsed;

/* What the first line asks for: `// operator: NAME'; NULL: nothing. */
static const char *operator_of_file(Arena *a, const SourceFile *f) {
  static const char asks[] = "// operator: ";
  if (strncmp(f->text, asks, sizeof asks - 1) != 0) return NULL;
  const char *name = f->text + sizeof asks - 1;
  return arena_strndup(a, name, strcspn(name, "\n"));
}

static Parsed parse_file(SourceFile *(*make)(Arena *, const char *), const char *what) {
  Parsed p = {.a = arena_new()};
  p.d = diagnostics_new(p.a);
  SourceFile *f = make(p.a, what);
  p.u = front_parse(p.a, f, types, 3, operator_of_file(p.a, f), p.d);
  return p;
}

static SourceFile *from_text(Arena *a, const char *text) {
  SourceFile *f = arena_one(a, SourceFile);
  *f = (SourceFile){.path = "test.cdl", .text = arena_strdup(a, text), .size = strlen(text)};
  return f;
}

static Parsed parse_text(const char *text) { return parse_file(from_text, text); }

static void end(Parsed *p) { arena_free(p->a); }

/* Does some diagnostic at that level say this? */
static bool says(const Parsed *p, DiagnosticLevel level, const char *what) {
  for (int i = 0; i < p->d->list.n; i++)
    if (p->d->list.at[i].level == level && strstr(p->d->list.at[i].message, what)) return true;
  return false;
}

static const char *trees(Parsed *p) {
  static const char *const kinds[] = {"autonomous", "cooperative", "compound"};
  Buffer b = buffer_new(p->a);
  for (int i = 0; i < p->u->nspectra; i++) {
    const Spectrum *s = p->u->spectra[i];
    buffer_printf(&b, "spectrum %s: %s\n", s->name, operator_name(s->op));
    for (int k = 0; k < s->ncodelets; k++) {
      buffer_printf(&b, "\n%c %s, %s\n", s->codelets[k]->letter, s->codelets[k]->tag, kinds[s->codelets[k]->kind]);
      tree_print(&b, s->codelets[k]->body, 0);
    }
  }
  return b.text;
}

static void listings_parse_as_printed(void **state) {
  (void)state;
  static const char *const names[] = {"micro-2", "cgo-1", "cgo-3"};
  for (int i = 0; i < 3; i++) {
    char in[64], out[64];
    snprintf(in, sizeof in, "tests/listings/%s.cdl", names[i]);
    snprintf(out, sizeof out, "tests/golden/front/%s.tree", names[i]);
    Parsed p = parse_file(golden_source, in);
    if (!p.u) fail_msg("%s", golden_diagnostics(p.a, p.d, 0));
    golden_compare(p.a, out, trees(&p));
    end(&p);
  }
}

static void shipped_codelets_parse(void **state) {
  (void)state;
  static const char *const names[] = {"codelets/sum.cdl", "examples/max.cdl"};
  for (int i = 0; i < 2; i++) {
    Parsed p = parse_file(golden_source, names[i]);
    if (!p.u) fail_msg("%s", golden_diagnostics(p.a, p.d, 0));
    const Spectrum *s = p.u->spectra[0];
    assert_int_equal(s->op, i == 0 ? OPERATOR_ADD : OPERATOR_MAX);
    assert_int_equal(s->result, TYPE_ELEM);
    for (int k = 0; k < s->ncodelets; k++) {
      assert_true(s->codelets[k]->generic);
      if (!tree_verify(s->codelets[k]->body, FORM_CODELET, s->codelets[k]->params, s->codelets[k]->nparams,
                       "front", p.d))
        fail_msg("%s", golden_diagnostics(p.a, p.d, 0));
    }
    end(&p);
  }
}

static void the_printed_strided_partition_is_reported(void **state) {
  (void)state;
  Parsed p = parse_file(golden_source, "tests/listings/micro-2d-printed.cdl");
  assert_null(p.u);
  golden_compare(p.a, "tests/golden/front/micro-2d-printed.txt", golden_diagnostics(p.a, p.d, 0));
  end(&p);
}

static void broken_input_is_located(void **state) {
  (void)state;
  Arena *a = arena_new();
  int n;
  const char **files = golden_files(a, "tests/errors", ".cdl", &n);
  assert_true(n >= 20);
  for (int i = 0; i < n; i++) {
    Parsed p = parse_file(golden_source, files[i]);
    if (p.u) fail_msg("%s parses", files[i]);
    assert_true(p.d->errors > 0);
    for (int k = 0; k < p.d->list.n; k++) assert_non_null(p.d->list.at[k].where.file);
    const char *expected = arena_printf(a, "%.*s.expected", (int)(strlen(files[i]) - 4), files[i]);
    golden_compare(p.a, expected, golden_diagnostics(p.a, p.d, 0));
    end(&p);
  }
  arena_free(a);
}

static void deep_nesting_is_refused(void **state) {
  (void)state;
  Arena *a = arena_new();
  Buffer b = buffer_new(a);
  buffer_puts(&b, "__codelet int f(const Array<1,int> in) { return ");
  buffer_fill(&b, '(', 100000);
  Parsed p = parse_text(b.text);
  assert_null(p.u);
  assert_true(says(&p, DIAG_ERROR, "nested too deep"));
  end(&p);
  arena_free(a);
}

static void a_megabyte_parses(void **state) {
  (void)state;
  Arena *a = arena_new();
  Buffer b = buffer_new(a);
  buffer_puts(&b, "__codelet int f(const Array<1,int> in) {\n  int s = 0;\n");
  while (b.length < 1000000) buffer_puts(&b, "  // a long comment that says nothing at all about the codelet\n");
  for (int i = 0; i < 2000; i++) buffer_puts(&b, "  s = 0;\n");
  buffer_puts(&b, "  for (int i = 0; i < in.Size(); i++) s += in[i];\n  return s;\n}\n");
  Parsed p = parse_text(b.text);
  assert_non_null(p.u);
  assert_int_equal(p.u->spectra[0]->op, OPERATOR_ADD);
  end(&p);
  arena_free(a);
}

static const char loop[] =
    "__codelet %s f(const Array<1,%s> in) { %s a%s; for (int i = 0; i < in.Size(); i++) %s; return a; }";

static OperatorKind operator_from(const char *start, const char *statement) {
  char text[512];
  snprintf(text, sizeof text, loop, "int", "int", "int", start, statement);
  Parsed p = parse_text(text);
  if (!p.u) fail_msg("%s", golden_diagnostics(p.a, p.d, 0));
  OperatorKind op = p.u->spectra[0]->op;
  end(&p);
  return op;
}

static OperatorKind operator_found(const char *statement) { return operator_from(" = 0", statement); }

static void operators_are_told_from_accumulations(void **state) {
  (void)state;
  assert_int_equal(operator_found("a += in[i]"), OPERATOR_ADD);
  assert_int_equal(operator_found("a = in[i] + a"), OPERATOR_ADD);
  assert_int_equal(operator_from(" = 1", "a *= in[i]"), OPERATOR_MUL);
  assert_int_equal(operator_found("a ^= in[i]"), OPERATOR_XOR);
  assert_int_equal(operator_found("a = max(a, in[i])"), OPERATOR_MAX);
  assert_int_equal(operator_found("a = in[i] > a ? in[i] : a"), OPERATOR_MAX);
  assert_int_equal(operator_found("a = in[i] > a ? a : in[i]"), OPERATOR_MIN);
  assert_int_equal(operator_found("if (in[i] < a) a = in[i]"), OPERATOR_MIN);
}

static void what_is_no_reduction_has_no_operator(void **state) {
  (void)state;
  assert_int_equal(operator_found("a += in[i] * in[i]"), OPERATOR_NONE);
  assert_int_equal(operator_found("a -= in[i]"), OPERATOR_NONE);
  assert_int_equal(operator_found("a += in[i] + 1"), OPERATOR_NONE);
  assert_int_equal(operator_found("a = in[i]"), OPERATOR_NONE);
  assert_int_equal(operator_found("if (in[i] > 3) a += in[i]"), OPERATOR_NONE);
  assert_int_equal(operator_found("{ a += in[i]; a *= in[i]; }"), OPERATOR_NONE);
  assert_int_equal(operator_found("a = in[i] > a ? in[i] : 0"), OPERATOR_NONE);
}

/* Every part starts so, an empty one too: a sum from 5 would add 5 a lane. The greatest of any constant is it again. */
static void accumulators_start_at_the_identity(void **state) {
  (void)state;
  assert_int_equal(operator_from(" = 5", "a += in[i]"), OPERATOR_NONE);
  assert_int_equal(operator_from("", "a += in[i]"), OPERATOR_NONE);
  assert_int_equal(operator_from("; a = 0", "a += in[i]"), OPERATOR_ADD);
  assert_int_equal(operator_from("; a = 1", "a += in[i]"), OPERATOR_NONE);
  assert_int_equal(operator_from(" = 0", "a *= in[i]"), OPERATOR_NONE);
  assert_int_equal(operator_from(" = 1", "a ^= in[i]"), OPERATOR_NONE);
  assert_int_equal(operator_from(" = in.Size()", "a += in[i]"), OPERATOR_NONE);
  assert_int_equal(operator_from(" = in[0]", "a = max(a, in[i])"), OPERATOR_NONE);
  assert_int_equal(operator_from(" = -7", "a = max(a, in[i])"), OPERATOR_MAX);
}

static void sizes_are_64_bits_wide(void **state) {
  (void)state;
  Parsed p = parse_text("__codelet int f(const Array<1,int> in) { unsigned len = in.Size(); int half = len / 2;"
                        " int a = 0; int n = 3; for (unsigned i = 0; i < half; i++) a += in[i];"
                        " for (int k = half; k < len; k++) a += in[k]; return a; }");
  if (!p.u) fail_msg("%s", golden_diagnostics(p.a, p.d, 0));
  Buffer b = buffer_new(p.a);
  tree_print(&b, p.u->spectra[0]->codelets[0]->body, 0);
  assert_non_null(strstr(b.text, "Index len"));
  assert_non_null(strstr(b.text, "Index half"));
  assert_non_null(strstr(b.text, "Index i"));
  assert_non_null(strstr(b.text, "Index k"));
  assert_non_null(strstr(b.text, "int a"));
  assert_non_null(strstr(b.text, "int n"));
  end(&p);
}

static void generic_code_keeps_its_type_apart(void **state) {
  (void)state;
  Parsed p = parse_text("template <typename E> __codelet E f(const Array<1, E> in) { E a = 0; float x = 2; "
                        "double y = x; for (int i = 0; i < in.Size(); i++) a += in[i]; return a; }");
  if (!p.u) fail_msg("%s", golden_diagnostics(p.a, p.d, 0));
  Buffer b = buffer_new(p.a);
  tree_print(&b, p.u->spectra[0]->codelets[0]->body, 0);
  assert_non_null(strstr(b.text, "T a = 0"));
  assert_non_null(strstr(b.text, "float x"));
  assert_non_null(strstr(b.text, "double y"));
  end(&p);
}

static void environments_and_tags(void **state) {
  (void)state;
  Parsed p = parse_text("__codelet __env(sm_60, sm_90) __tag(fast) int f(const Array<1,int> in) { return in[0]; }\n"
                        "__codelet int f(const Array<1,int> in) { return in[0]; }\n"
                        "__codelet int f(const Array<1,int> in) { return in[1]; }\n");
  if (!p.u) fail_msg("%s", golden_diagnostics(p.a, p.d, 0));
  const Spectrum *s = p.u->spectra[0];
  assert_int_equal(s->codelets[0]->nenv, 2);
  assert_string_equal(s->codelets[0]->env[1], "sm_90");
  assert_string_equal(s->codelets[0]->tag, "fast");
  assert_string_equal(s->codelets[1]->tag, "serial");
  assert_string_equal(s->codelets[2]->tag, "serial2");
  end(&p);
}

static void data_dependent_partitions_are_not_judged(void **state) {
  (void)state;
  Parsed p = parse_text("__codelet int f(const Array<1,int> in) { int a = 0;"
                        " for (int i = 0; i < in.Size(); i++) a += in[i]; return a; }\n"
                        "__codelet __tag(odd) int f(const Array<1,int> in) { __tunable int p; int w = in[0]; "
                        "return f(map(f, partition(in, p, sequence(0, w, in.Size()), sequence(1),"
                        " sequence(w, w, in.Size())))); }\n");
  if (!p.u) fail_msg("%s", golden_diagnostics(p.a, p.d, 0));
  assert_true(says(&p, DIAG_REMARK, "cannot tell whether the parts cover"));
  end(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(listings_parse_as_printed),
      cmocka_unit_test(shipped_codelets_parse),
      cmocka_unit_test(the_printed_strided_partition_is_reported),
      cmocka_unit_test(broken_input_is_located),
      cmocka_unit_test(deep_nesting_is_refused),
      cmocka_unit_test(a_megabyte_parses),
      cmocka_unit_test(operators_are_told_from_accumulations),
      cmocka_unit_test(what_is_no_reduction_has_no_operator),
      cmocka_unit_test(accumulators_start_at_the_identity),
      cmocka_unit_test(sizes_are_64_bits_wide),
      cmocka_unit_test(generic_code_keeps_its_type_apart),
      cmocka_unit_test(environments_and_tags),
      cmocka_unit_test(data_dependent_partitions_are_not_judged),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
