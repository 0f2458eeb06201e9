/* Rules: MICRO Figs. 4 to 6 as golden text; Serialize, Split, __env; the order of Fig. 8. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compose/search.h"
#include "spectra.h"

static const char *printed(Arena *a, const Rules *r) {
  Buffer b = buffer_new(a);
  rules_print(&b, r);
  return b.text;
}

static Rules rules_of(Arena *a, const char *file, const char *machine, const char *levels) {
  Rules program = rules_extract(a, spectra_parse(a, file)->spectra[0]);
  return machine ? rules_specialise(a, &program, spectra_machine(a, machine, levels)) : program;
}

static void fig_4_extraction(void **state) {
  (void)state;
  Arena *a = arena_new();
  Rules r = rules_of(a, "tests/listings/micro-2.cdl", NULL, NULL);
  golden_compare(a, "tests/golden/rules/micro-4.txt", printed(a, &r));
  arena_free(a);
}

static void fig_5_cpu(void **state) {
  (void)state;
  Arena *a = arena_new();
  Rules r = rules_of(a, "tests/listings/micro-2.cdl", "tests/specs/micro-cpu.yaml", NULL);
  golden_compare(a, "tests/golden/rules/micro-5.txt", printed(a, &r));
  arena_free(a);
}

static void fig_6_gpu(void **state) {
  (void)state;
  Arena *a = arena_new();
  Rules r = rules_of(a, "tests/listings/micro-2.cdl", "tests/specs/micro-gpu.yaml", NULL);
  golden_compare(a, "tests/golden/rules/micro-6.txt", printed(a, &r));
  arena_free(a);
}

static void five_levels(void **state) {
  (void)state;
  Arena *a = arena_new();
  Rules r = rules_of(a, "codelets/sum.cdl", "sm_60", NULL);
  golden_compare(a, "tests/golden/rules/sum-sm_60.txt", printed(a, &r));
  arena_free(a);
}

/* The spectra that are applied follow the one that is compiled; their rules are numbered through. */
static void several_spectra(void **state) {
  (void)state;
  Arena *a = arena_new();
  Rules r = rules_of(a, "codelets/dot.cdl", NULL, NULL);
  golden_compare(a, "tests/golden/rules/dot.txt", printed(a, &r));
  r = rules_of(a, "codelets/dot.cdl", "sm_60", "grid,block,thread");
  golden_compare(a, "tests/golden/rules/dot-sm_60.txt", printed(a, &r));
  arena_free(a);
}

static const Rule *named(const Rules *r, const char *name) {
  for (int i = 0; i < r->list.n; i++)
    if (strcmp(r->list.at[i]->name, name) == 0) return r->list.at[i];
  return NULL;
}

static const Step *step(const Rule *r, StepKind kind, int which) {
  for (int i = 0; i < r->nsteps; i++)
    if (r->steps[i].kind == kind && which-- == 0) return &r->steps[i];
  return NULL;
}

static void serialize_stays_at_its_level(void **state) {
  (void)state;
  Arena *a = arena_new();
  Rules r = rules_of(a, "tests/listings/micro-2.cdl", "tests/specs/micro-gpu.yaml", NULL);
  const Rule *t4s = named(&r, "T4s");
  assert_non_null(t4s);
  assert_int_equal(t4s->map, STEP_SERIALIZE);
  assert_null(step(t4s, STEP_SYNC, 0)); /* a thread has no subordinates to wait for */
  assert_string_equal(step(t4s, STEP_SERIALIZE, 0)->level->name, "thread");
  assert_string_equal(step(t4s, STEP_COMPOSE, 0)->level->name, "thread");
  assert_string_equal(step(t4s, STEP_COMPOSE, 1)->level->name, "thread");
  assert_null(named(&r, "G4s")); /* the grid has no capability: nothing would run its loop */
  arena_free(a);
}

static void split_reaches_two_levels_down(void **state) {
  (void)state;
  Arena *a = arena_new();
  Rules r = rules_of(a, "codelets/sum.cdl", "sm_60", "grid,block,warp,thread");
  const Rule *b4x = named(&r, "B4x");
  assert_non_null(b4x);
  assert_int_equal(b4x->map, STEP_SPLIT);
  assert_string_equal(step(b4x, STEP_SPLIT, 0)->level->name, "warp");
  assert_string_equal(step(b4x, STEP_COMPOSE, 0)->level->name, "thread");
  assert_string_equal(step(b4x, STEP_COMPOSE, 1)->level->name, "block");
  assert_null(named(&r, "W4x")); /* below the thread there is nothing here */
  arena_free(a);
}

/* Blocks need not be in clusters: the grid has its rules twice. A cluster computes by its blocks only. */
static void a_level_that_may_be_passed_over(void **state) {
  (void)state;
  Arena *a = arena_new();
  Rules r = rules_of(a, "codelets/sum.cdl", "sm_90", NULL);
  assert_string_equal(step(named(&r, "G1"), STEP_DEVOLVE, 0)->level->name, "block");
  assert_string_equal(step(named(&r, "G1C"), STEP_DEVOLVE, 0)->level->name, "cluster");
  const Rule *c3 = named(&r, "C3");
  assert_non_null(c3);
  assert_string_equal(c3->level->name, "cluster");
  assert_string_equal(step(c3, STEP_DISTRIBUTE, 0)->level->name, "block");
  assert_string_equal(step(c3, STEP_COMPOSE, 1)->level->name, "cluster");
  assert_null(named(&r, "C5"));  /* the tree's lanes are one block's */
  assert_null(named(&r, "C3s")); /* nothing would run the loop */
  assert_non_null(strstr(printed(a, &r), "\nC rules: C1:"));
  Rules older = rules_of(a, "codelets/sum.cdl", "sm_89", NULL);
  assert_null(named(&older, "G1C"));
  assert_null(named(&older, "C1"));
  arena_free(a);
}

static void environments_limit_machines(void **state) {
  (void)state;
  Arena *a = arena_new();
  Unit *u = spectra_parse(a, "codelets/sum.cdl");
  static const char *only[] = {"sm_90"};
  Codelet *tree = u->spectra[0]->codelets[3];
  tree->env = only;
  tree->nenv = 1;
  Rules program = rules_extract(a, u->spectra[0]);
  Rules on60 = rules_specialise(a, &program, spectra_machine(a, "sm_60", NULL));
  Rules on90 = rules_specialise(a, &program, spectra_machine(a, "sm_90", "grid,block,warp,thread,ilp"));
  assert_null(named(&on60, "B5"));
  assert_non_null(named(&on90, "B5"));
  assert_non_null(named(&on60, "B6"));
  arena_free(a);
}

static void fig_8_order(void **state) {
  (void)state;
  Arena *a = arena_new();
  Rules r = rules_of(a, "codelets/sum.cdl", "sm_60", "grid,block,thread");
  const Rule *tiled = named(&r, "B3"), *strided = named(&r, "B4"), *devolve = named(&r, "B1"), *tree = named(&r, "B5");
  const Level *block = tiled->level;
  assert_true(prune_compare(strided, tiled, block, false) < 0);  /* partitioning matches the block's */
  assert_true(prune_compare(tiled, tree, block, false) < 0);     /* distributes */
  assert_true(prune_compare(tree, devolve, block, false) < 0);   /* vectorizes */
  assert_true(prune_compare(tree, strided, block, true) < 0);    /* in the last iteration: computes */
  assert_true(prune_compare(strided, devolve, block, true) < 0); /* tunable */
  const Rule *gt = named(&r, "G3"), *gs = named(&r, "G4");
  assert_true(prune_compare(gt, gs, gt->level, false) < 0); /* the grid prefers adjacent tiles */
  assert_int_equal(prune_compare(tree, named(&r, "B6"), block, false), 0);
  arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fig_4_extraction),
      cmocka_unit_test(fig_5_cpu),
      cmocka_unit_test(fig_6_gpu),
      cmocka_unit_test(five_levels),
      cmocka_unit_test(several_spectra),
      cmocka_unit_test(serialize_stays_at_its_level),
      cmocka_unit_test(split_reaches_two_levels_down),
      cmocka_unit_test(a_level_that_may_be_passed_over),
      cmocka_unit_test(environments_limit_machines),
      cmocka_unit_test(fig_8_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
