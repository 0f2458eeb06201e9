/* Scans whose parts are summed up first: what is composed, what it is called, and what comes out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "compiled.h"
#include "golden.h"

#define SUMS "block.strided/all(thread.strided(ilp.serial; thread.serial); block.tree+shuffle)"
#define ROWS \
  "block.sliding/loop(block.scan_scan_add(warp.sliding/loop(warp.scan_scan_add(thread.serial; " \
  "warp.kogge_stone+shuffle)); block>warp.kogge_stone+shuffle))"
#define OF_SUMS "grid.reduce_scan_scan(" SUMS "; grid>block.kogge_stone+shuffle; " ROWS ")"

static int count(const Compilation *c) {
  int n = 0;
  for (int i = 0; i < c->plans.list.n; i++) n += plan_scans_twice(c->plans.list.at[i]->root);
  return n;
}

static bool found(const Compilation *c, const char *text) {
  for (int i = 0; i < c->plans.list.n; i++)
    if (strcmp(c->plans.list.at[i]->text, text) == 0) return true;
  return false;
}

/* One plan is kept besides the others, of tiles that are read 16 bytes at a time. */
static void one_more_is_kept(void **state) {
  (void)state;
  static const struct { const char *file, *arch; int all; } rows[] = {
      {"codelets/scan.cdl", "sm_90", 55},
      {"codelets/exclusive_scan.cdl", "sm_90", 55},
      {"codelets/scan.cdl", "sm_60", 49}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Options o = {.file = rows[i].file, .arch = rows[i].arch, .types = "float"};
    Compilation c = COMPILED_PLAN(&o, "grid.whole=" OF_SUMS);
    const Plan *p = compiled_plan(&c, "grid.whole=" OF_SUMS)->plan;
    assert_int_equal(c.plans.list.n, rows[i].all);
    assert_int_equal(count(&c), 1);
    assert_int_equal(p->kernels, 3);
    assert_int_equal(p->root->kid[0]->nkids, 3);
    assert_int_equal(p->determinism, DETERMINISM_RUN_TO_RUN); /* of floats */
    arena_free(c.arena);
  }
}

/* All tile shapes that a block slides over, and two ways to sum up: whoever asks gets them. */
static void all_tiles_are_there(void **state) {
  (void)state;
  static const char *const tiles[] = {
      ROWS, "block.sliding/loop(block.kogge_stone+shuffle)", "block.sliding/loop(block.brent_kung)",
      "block.sliding/loop(block.scan_scan_add(warp.kogge_stone+shuffle; block>warp.kogge_stone+shuffle))"};
  Options o = {.file = "codelets/scan.cdl", .arch = "sm_90", .keep = "all", .types = "int"};
  Compilation c = COMPILED_PLAN(&o, "");
  for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
    char text[600];
    snprintf(text, sizeof text, "grid.whole=grid.reduce_scan_scan(" SUMS "; grid>block.kogge_stone+shuffle; %s)",
             tiles[i]);
    if (!found(&c, text)) fail_msg("no plan %s", text);
  }
  for (int i = 0; i < c.plans.list.n; i++) {
    const Plan *p = c.plans.list.at[i];
    if (!plan_scans_twice(p->root)) continue;
    assert_null(strstr(p->text, "grid>block>")); /* nor does one warp have a block's part */
    assert_null(strstr(p->text, "; block>warp.sliding"));
  }
  arena_free(c.arena);
}

/* Parts of segments are scanned tile by tile, and read once; scan, scan, add over a grid would write all twice. */
static void what_is_not_composed(void **state) {
  (void)state;
  static const char *const files[] = {"codelets/segmented_scan.cdl", "codelets/segmented_scan_offsets.cdl"};
  for (int i = 0; i < 2; i++) {
    Options o = {.file = files[i], .arch = "sm_90", .keep = "all", .types = "int"};
    Compilation c = COMPILED_PLAN(&o, "");
    assert_int_equal(count(&c), 0);
    arena_free(c.arena);
  }
  Options o = {.file = "codelets/scan.cdl", .arch = "sm_90", .keep = "all", .types = "int"};
  Compilation c = COMPILED_PLAN(&o, "");
  for (int i = 0; i < c.plans.list.n; i++)
    assert_null(strstr(c.plans.list.at[i]->text, "grid.scan_scan_add"));
  arena_free(c.arena);
}

/* A first guess never picks what reads everything twice, whatever else is left. */
static void it_is_never_guessed(void **state) {
  (void)state;
  Options o = {.file = "codelets/scan.cdl", .arch = "sm_60", .types = "float", .determinism = "run_to_run"};
  Compilation c = COMPILED_PLAN(&o, "grid.whole=" OF_SUMS);
  const char *id = compiled_plan(&c, "grid.whole=" OF_SUMS)->plan->id;
  for (int i = 0; i < c.output.table.rows.n; i++)
    assert_string_not_equal(c.output.table.rows.at[i].variant, id);
  arena_free(c.arena);
}

static void a_tree_and_a_diagram(void **state) {
  (void)state;
  static const char *const lines[] = {
      "  grid: regroups by `reduce_scan_scan', over its blocks (G8)\n",
      "    each part: block: regroups by `strided', over its lanes (B21x)\n",
      "    results: grid: one block acts for all (G11)\n",
      "      block: computes by `kogge_stone', exchanging registers (B13)\n",
      "    each part, from there: block: regroups by `sliding', over its iterations of a loop (B9s)\n"};
  Options o = {.file = "codelets/scan.cdl", .arch = "sm_90", .types = "int"};
  Compilation c = COMPILED_PLAN(&o, "grid.whole=" OF_SUMS);
  Buffer tree = buffer_new(c.arena), dot = buffer_new(c.arena);
  const Plan *p = compiled_plan(&c, "grid.whole=" OF_SUMS)->plan;
  plan_print_tree(&tree, p);
  plan_print_dot(&dot, p);
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    if (!strstr(tree.text, lines[i])) fail_msg("no `%s' in\n%s", lines[i], tree.text);
  assert_non_null(strstr(dot.text, "[label=\"from there\"]"));
  arena_free(c.arena);
}

/* What the three kernels say. */
static void a_text(void **state) {
  (void)state;
  Options o = {.file = "codelets/scan.cdl", .arch = "sm_90", .types = "int,half"};
  Compilation c = COMPILED_PLAN(&o, "grid.whole=" OF_SUMS);
  Buffer b = buffer_new(c.arena);
  emit_variant(&b, &c.output, compiled_plan(&c, "grid.whole=" OF_SUMS));
  golden_compare(c.arena, "tests/golden/emit/reduce-scan-scan.cu", b.text);
  arena_free(c.arena);
}

/* What lies beyond a part's end is the identity of what sums it up: the spectrum that is compiled has no operator. */
static void beyond_the_end(void **state) {
  (void)state;
  Options o = {.file = "tests/simt/codelets/max_scan.cdl", .arch = "sm_60", .types = "int"};
  const char *const plan = "grid.whole=grid.reduce_scan_scan(block.strided/all!atomic(thread.strided("
                           "ilp.serial; thread.serial)); grid>block.kogge_stone; "
                           "block.sliding/loop(block.kogge_stone))";
  Compilation c = COMPILED_PLAN(&o, plan);
  Buffer b = buffer_new(c.arena);
  emit_variant(&b, &c.output,
               compiled_plan(&c, plan));
  assert_non_null(strstr(b.text, "wide[s] = lowest<T>();"));
  arena_free(c.arena);
}

/* A process's threads do the same, and one lane scans their sums, however many there are. */
static void threads_of_a_process(void **state) {
  (void)state;
  Options o = {.file = "codelets/scan.cdl", .arch = "avx2", .types = "int"};
  const char *const plan = "process.whole=process.reduce_scan_scan("
                           "thread.strided(lane.strided(ilp.serial; lane.serial); thread.tree+shuffle); "
                           "process>thread>lane.serial; "
                           "thread.sliding/loop(thread.kogge_stone+shuffle))";
  Compilation c = COMPILED_PLAN(&o, plan);
  const Variant *v = compiled_plan(&c, plan);
  Buffer b = buffer_new(c.arena);
  emit_variant(&b, &c.output, v);
  static const char *const in_order[] = {"// Each thread computes the total of its part.\n",
                                         "partial[thread] = ",
                                         "// One thread works for the whole process.\n",
                                         "partial[p + i] = accum;\n",
                                         "// Each thread scans its part, starting from its prefix.\n",
                                         "T sum = partial[p + thread];\n",
                                         "OF(inclusive_scan_sums)(thread, ",
                                         "OF(inclusive_scan_one_thread)(p, partial)",
                                         "OF(inclusive_scan_parts)(thread, "};
  const char *at = b.text;
  for (size_t i = 0; i < sizeof in_order / sizeof *in_order; i++) {
    at = strstr(at, in_order[i]);
    if (!at) fail_msg("no `%s' behind what stands before it in\n%s", in_order[i], b.text);
  }
  assert_int_equal(count(&c), 1);
  arena_free(c.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_more_is_kept),     cmocka_unit_test(all_tiles_are_there),
      cmocka_unit_test(what_is_not_composed), cmocka_unit_test(it_is_never_guessed),
      cmocka_unit_test(a_tree_and_a_diagram), cmocka_unit_test(a_text),
      cmocka_unit_test(beyond_the_end),       cmocka_unit_test(threads_of_a_process)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
