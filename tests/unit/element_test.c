/* Element types: the table, what may be accumulated in what, how --types is read, what follows for plans and
 * workspaces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "driver/options.h"
#include "ir/program.h"
#include "plans.h"

static void rows_agree_with_themselves(void **state) {
  (void)state;
  int n = 0;
  for (; element_at(n); n++) {
    const ElementType *e = element_at(n), *in = element_accumulator(e);
    assert_ptr_equal(element_by_name(e->name), e);
    assert_int_equal(in->own, e->type);
    assert_int_equal(in->type, in->own);
    assert_int_equal(element_is_lifted(e), e->own == TYPE_COUNT);
    assert_true(element_fits(e, in));
    assert_true(in->bytes >= 4 && in->bytes % 4 == 0);
    if (e->own != TYPE_COUNT) assert_ptr_equal(element_by_type(e->own), e);
  }
  assert_int_equal(n, 16);
  assert_null(element_by_type(TYPE_COUNT));
  assert_null(element_by_name("short"));
}

static bool fits(const char *e, const char *in) { return element_fits(element_by_name(e), element_by_name(in)); }

/* All values of the element, and not one fewer. */
static void nothing_is_lost(void **state) {
  (void)state;
  static const char *const good[][2] = {
      {"int8", "int64"}, {"int8", "float"}, {"uint16", "int"}, {"uint16", "float"}, {"uint8", "uint64"},
      {"int", "int64"}, {"int", "double"}, {"uint", "int64"}, {"uint", "double"}, {"half", "double"},
      {"bfloat16", "float"}, {"tf32", "double"}, {"half16", "double"}, {"float", "double"}, {"cfloat", "cdouble"}};
  static const char *const bad[][2] = {
      {"int8", "uint"}, {"int", "uint64"}, {"uint", "int"}, {"uint64", "int64"}, {"int", "float"}, {"int64", "double"},
      {"int64", "int"}, {"double", "float"}, {"float", "int64"}, {"float", "cfloat"}, {"uint8", "cdouble"},
      {"cfloat", "double"}, {"cdouble", "cfloat"}, {"int8", "int16"}, {"half", "half"}, {"half", "bfloat16"}};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    if (!fits(good[i][0], good[i][1])) fail_msg("%s is to fit %s", good[i][0], good[i][1]);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    if (fits(bad[i][0], bad[i][1])) fail_msg("%s is not to fit %s", bad[i][0], bad[i][1]);
}

static void lists_are_read(void **state) {
  (void)state;
  Arena *a = arena_new();
  const ElementType **types;
  const char *why = NULL;
  int n;
  assert_true(options_types(a, "half:double,half,int8:int,float:double,cfloat:cdouble", &types, &n, &why));
  assert_int_equal(n, 5);
  assert_string_equal(types[0]->name, "half_double");
  assert_string_equal(types[0]->c_type, "__half");
  assert_int_equal(types[0]->type, TYPE_DOUBLE);
  assert_true(element_is_lifted(types[0]));
  assert_string_equal(types[1]->name, "half");
  assert_ptr_equal(types[2], element_by_name("int8")); /* it is accumulated so anyway */
  assert_string_equal(types[3]->name, "float_double");
  assert_true(element_is_lifted(types[3]));
  assert_string_equal(element_accumulator(types[4])->name, "cdouble");
  static const struct { const char *list, *says; } wrong[] = {
      {"float:double,float:double", "`float:double' is given twice"}, {"float,float:float", "given twice"},
      {"half,half:float", "`half:float' is given twice: `half' is accumulated in float anyway"},
      {"float:int", "`float' cannot be accumulated in `int'; it can be in float, double"},
      {"uint8:half", "it can be in int, uint, int64, uint64, float, double"},
      {"cdouble:cfloat", "it can be in cdouble"}, {"float:", "in `'"}, {":float", "unknown element type `'"},
      {"floot:float", "did you mean `float'"}, {"float:double:double", "in `double:double'"}, {"int,,int8", "empty"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    assert_false(options_types(a, wrong[i].list, &types, &n, &why));
    if (!strstr(why, wrong[i].says)) fail_msg("%s: %s", wrong[i].list, why);
  }
  arena_free(a);
}

static Spectrum noted(OperatorKind op, const char *e, const char *in) {
  Arena *a = arena_new();
  Spectrum s = {.op = op};
  const ElementType *type = element_by_name(e);
  if (in) type = element_accumulated_in(a, type, element_by_name(in));
  element_note(a, &s, &type, 1);
  arena_free(a);
  return s;
}

static void what_spectra_are_told(void **state) {
  (void)state;
  Spectrum s = noted(OPERATOR_ADD, "float", NULL);
  assert_true(!s.lifted && !s.lacks_identity && s.widest == 4 && s.atom == 4);
  s = noted(OPERATOR_ADD, "cdouble", NULL);
  assert_true(!s.lifted && s.widest == 16 && s.atom == 8); /* part by part */
  s = noted(OPERATOR_MUL, "cdouble", NULL);
  assert_int_equal(s.atom, 16);
  s = noted(OPERATOR_ADD, "int8", NULL);
  assert_true(s.lifted && !s.lacks_identity && s.widest == 4);
  assert_true(noted(OPERATOR_MAX, "int8", NULL).lacks_identity);
  assert_true(noted(OPERATOR_MAX, "int", "int64").lacks_identity);
  assert_false(noted(OPERATOR_MAX, "uint8", NULL).lacks_identity);
  assert_true(noted(OPERATOR_MIN, "uint8", NULL).lacks_identity);
  assert_true(noted(OPERATOR_MAX, "uint8", "int").lacks_identity);
  assert_true(noted(OPERATOR_AND, "uint16", NULL).lacks_identity);
  assert_false(noted(OPERATOR_MAX, "half", "double").lacks_identity); /* an infinity */
}

/* What is there today stays; wider results take more words, and no more shared memory than a block has. */
static void places_for_wide_results(void **state) {
  (void)state;
  for (int bytes = 0; bytes <= 8; bytes++) {
    assert_int_equal(posting_blocks(bytes), POSTING_BLOCKS);
    assert_int_equal(posting_bytes(bytes), POSTING_BLOCKS * 2 * 8);
  }
  assert_int_equal(posting_bytes(16), posting_blocks(16) * 4 * 8);
  assert_int_equal(posting_bytes(32), posting_blocks(32) * 8 * 8);
  for (int bytes = 1; bytes <= 64; bytes++) {
    assert_true(posting_blocks(bytes) * bytes <= POSTED_BYTES);
    assert_int_equal(posting_bytes(bytes) % 16, 0);
  }
}

static bool has_atomics(const char *text) { return strstr(text, "!atomic") || strstr(text, "shared_V"); }

/* No atomic changes sixteen bytes at once: no plan has one then, and the report says why. */
static void no_atomics_on_what_is_too_wide(void **state) {
  (void)state;
  for (int atom = 8; atom <= 16; atom += 8) {
    Arena *a = arena_new();
    Spectrum *s = spectra_parse(a, "codelets/sum.cdl")->spectra[0];
    s->atom = atom;
    Found f = plans_of(a, s, spectra_machine(a, "sm_90", NULL), (SearchOptions){0});
    assert_true(f.ok);
    int with = 0;
    for (int i = 0; i < f.plans.list.n; i++) with += has_atomics(f.plans.list.at[i]->text);
    assert_int_equal(with > 0, atom == 8);
    assert_int_equal(strstr(f.report.pruned.text, "no atomic is as wide") != NULL, atom == 16);
    f = plans_of(a, s, spectra_machine(a, "sm_60", "grid,block,thread"), (SearchOptions){.space = "cgo"});
    assert_int_equal(f.ok, atom == 8);
    arena_free(a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_agree_with_themselves),
      cmocka_unit_test(nothing_is_lost),
      cmocka_unit_test(lists_are_read),
      cmocka_unit_test(what_spectra_are_told),
      cmocka_unit_test(places_for_wide_results),
      cmocka_unit_test(no_atomics_on_what_is_too_wide),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
