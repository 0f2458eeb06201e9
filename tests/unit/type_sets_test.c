/* type_sets_test.c: types that a matrix unit multiplies have the plans of a folder of their own, whatever other types
 * stand beside them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "arch/arch.h"
#include "compiled.h"

static bool multiplies(const Variant *v) { return strstr(v->plan->text, "warp.unit") != NULL; }

/* The variant of that plan for the type; NULL: there is none. */
static const Variant *of_plan(const Compilation *c, const char *text, const char *type) {
  for (int i = 0; i < c->output.nvariants; i++) {
    const Variant *v = &c->output.variants[i];
    if (strcmp(v->plan->text, text) == 0 && variant_is_for(v, type)) return v;
  }
  return NULL;
}

/* Each variant once; what a row of the table names is for its type. */
static void is_sound(const Compilation *c) {
  for (int i = 0; i < c->output.nvariants; i++) {
    const Variant *v = &c->output.variants[i];
    assert_true(v->ntypes > 0);
    assert_ptr_equal(output_variant(&c->output, v->plan->id), v);
  }
  for (int i = 0; i < c->output.table.rows.n; i++) {
    const TableRow *r = &c->output.table.rows.at[i];
    const Variant *v = output_variant(&c->output, r->variant);
    if (!v || !variant_is_for(v, r->type)) fail_msg("%s has no variant %s", r->type, r->variant);
  }
}

/* How many of the type's rows name a variant that multiplies by a matrix unit. */
static int rows_of_units(const Compilation *c, const char *type) {
  int n = 0;
  for (int i = 0; i < c->output.table.rows.n; i++) {
    const TableRow *r = &c->output.table.rows.at[i];
    n += strcmp(r->type, type) == 0 && multiplies(output_variant(&c->output, r->variant));
  }
  return n;
}

static void has_what_it_has_alone(const Compilation *c, const char *file, Options o, const ElementType *e) {
  o.file = file;
  o.types = e->name;
  Compilation alone = compiled(&o);
  for (int i = 0; i < alone.output.nvariants; i++) {
    const Variant *v = &alone.output.variants[i];
    if (multiplies(v) && !of_plan(c, v->plan->text, e->name)) fail_msg("%s lacks %s", e->name, v->plan->text);
  }
  const int own = rows_of_units(&alone, e->name), here = rows_of_units(c, e->name);
  if (own != here) fail_msg("%s of %s: %d rows of units alone, %d here", e->name, file, own, here);
  arena_free(alone.arena);
}

static void types_have_what_they_have_alone(void **state) {
  (void)state;
  static const struct { const char *file, *arch, *types, *by_columns; } rows[] = {
      {"codelets/gemm.cdl", "sm_90", "float,double,half", NULL},
      {"codelets/gemm.cdl", "sm_90", "half,tf32,int8,int", "B"},
      {"codelets/gemm.cdl", "sm_80", "int,float,double,bfloat16", NULL},
      {"codelets/gemm.cdl", "sm_70", "half,int8", NULL},
      {"codelets/gemm_batched.cdl", "sm_90", "half,float", NULL},
      {"codelets/segmented_sum.cdl", "sm_90", "float,half,double", NULL},
      {"codelets/segmented_scan.cdl", "sm_70", "int,half", NULL}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Options o = {.file = rows[i].file, .arch = rows[i].arch, .types = rows[i].types, .by_columns = rows[i].by_columns};
    Compilation c = compiled(&o);
    assert_true(output_is_partial(&c.output));
    is_sound(&c);
    for (int k = 0; k < c.output.ntypes; k++) {
      const ElementType *e = c.output.types[k];
      if (arch_matrix(c.output.machine, e->name)) has_what_it_has_alone(&c, rows[i].file, o, e);
      else assert_int_equal(rows_of_units(&c, e->name), 0);
    }
    arena_free(c.arena);
  }
}

/* Of halves and of words groups of warps have a text each, and each an id. */
static void one_plan_has_two_texts(void **state) {
  (void)state;
  const char *plan = "grid.tiled(block.tiled!bulk(warp.panels/loop(warp.unit)))";
  Options o = {.file = "codelets/gemm.cdl", .arch = "sm_90", .types = "half,bfloat16,tf32"};
  Compilation c = compiled(&o);
  const Variant *halves = of_plan(&c, plan, "half"), *words = of_plan(&c, plan, "tf32");
  assert_non_null(halves);
  assert_non_null(words);
  assert_ptr_equal(of_plan(&c, plan, "bfloat16"), halves);
  assert_string_not_equal(halves->plan->id, words->plan->id);
  assert_non_null(strstr(halves->text.text, "_half("));
  assert_null(strstr(halves->text.text, "_tf32("));
  assert_null(strstr(words->text.text, "_half("));
  arena_free(c.arena);
}

/* .. however few plans are kept: each set has room for its own. */
static void few_plans_of_many_sets(void **state) {
  (void)state;
  static const char *const files[] = {"codelets/gemm.cdl", "codelets/segmented_sum.cdl", "codelets/segmented_scan.cdl"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    for (int keep = 1; keep <= 20; keep += 19) {
      Options o = {.file = files[i], .arch = "sm_90", .types = "float,half,int8,double"};
      Arena *a = arena_new();
      o.keep = arena_printf(a, "%d", keep);
      Compilation c = compiled(&o);
      is_sound(&c);
      assert_true(output_members(a, &c.output).n > 0);
      arena_free(c.arena);
      arena_free(a);
    }
}

/* Where all types are alike, or nothing multiplies, there is one set. */
static void one_set_where_types_are_alike(void **state) {
  (void)state;
  static const struct { const char *file, *arch, *types; } rows[] = {{"codelets/gemm.cdl", "sm_90", "half,bfloat16"},
                                                                     {"codelets/gemm.cdl", "sm_60", "half,double"},
                                                                     {"codelets/sum.cdl", "sm_90", "half,float"},
                                                                     {"codelets/gemm.cdl", "avx2", "float,double"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Options o = {.file = rows[i].file, .arch = rows[i].arch, .types = rows[i].types};
    Compilation c = compiled(&o);
    assert_int_equal(c.sets.n, 1);
    assert_false(output_is_partial(&c.output));
    arena_free(c.arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(types_have_what_they_have_alone),
                                     cmocka_unit_test(one_plan_has_two_texts),
                                     cmocka_unit_test(few_plans_of_many_sets),
                                     cmocka_unit_test(one_set_where_types_are_alike)};
  return cmocka_run_group_tests_name("type_sets", tests, NULL, NULL);
}
