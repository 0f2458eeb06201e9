/* parts_test.c: what a search finds for many parts and for scans: who takes a part, who shares one, who goes through
 * it tile by tile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "compose/choose.h"
#include "compose/search.h"
#include "plans.h"

/* A cluster for each of many parts is one kernel, and a first guess does not take it: there may be many more parts. */
static void clusters_of_parts(void **state) {
  (void)state;
  static const char *const files[] = {"codelets/segmented_sum.cdl", "codelets/segmented_sum_offsets.cdl",
                                      "codelets/gemv.cdl"};
  for (int i = 0; i < 3; i++) {
    Found f = plans_search(files[i], "sm_90", NULL, (SearchOptions){0});
    Found g = plans_search(files[i], "sm_90", "grid,block,warp,warp/8,thread,ilp", (SearchOptions){0});
    assert_int_equal(plans_with(&g, "cluster"), 0);
    assert_in_range(plans_with(&f, "cluster"), 1, 8);
    const ElementType *types[] = {element_by_name("float")};
    Table t = choose_by_size(f.a, &f.plans, types, 1, NULL, f.d);
    for (int k = 0; k < f.plans.list.n; k++) {
      const Plan *p = f.plans.list.at[k];
      const bool mentions_cluster = strstr(p->text, "cluster") != NULL;
      const Level *worker = plan_worker_of_parts(p->root);
      assert_int_equal(worker && worker->can.reaches, mentions_cluster);
      if (!mentions_cluster) continue;
      assert_int_equal(p->kernels, 1);
      for (int r = 0; r < t.rows.n; r++) assert_string_not_equal(t.rows.at[r].variant, p->id);
    }
    plans_end(&f);
    plans_end(&g);
  }
}

static int count_slices(const Found *f) {
  int n = 0;
  for (int i = 0; i < f->plans.list.n; i++) n += plan_slices(f->plans.list.at[i]->root) != NULL;
  return n;
}

/* Rows whose elements stand beside those of the next row have slices, alone and spread over blocks; a first guess takes
 * these for parts that are few and long, and the order of additions follows from the sizes. */
static void slices_of_neighbouring_rows(void **state) {
  (void)state;
  Found f = plans_search("codelets/gemv_columns.cdl", "sm_60", NULL, (SearchOptions){0});
  assert_int_equal(count_slices(&f), 5);
  const ElementType *types[] = {element_by_name("float")};
  Table t = choose_by_size(f.a, &f.plans, types, 1, NULL, f.d);
  assert_int_equal(t.rows.n, 3);
  int guessed = 0;
  for (int i = 0; i < f.plans.list.n; i++) {
    const Plan *p = f.plans.list.at[i];
    if (!plan_slices(p->root) || plan_accumulates_pieces(p->root)) continue;
    assert_int_equal(p->determinism, DETERMINISM_GPU_TO_GPU);
    assert_int_equal(p->kernels, plan_spread(p->root) ? 2 : 1);
    for (int r = 0; r < t.rows.n; r++) {
      if (strcmp(t.rows.at[r].variant, p->id) != 0) continue;
      assert_int_equal(plan_spread(p->root) != NULL, r == 1);
      guessed++;
    }
  }
  assert_int_equal(guessed, 3);
  assert_non_null(plans_named(&f, "grid.each/all-threads(thread.products=thread.strided/slices(thread.serial; "
                                "thread.serial))"));
  plans_end(&f);
}

/* Neither rows that are contiguous, nor warps that there are not, nor a CPU's threads. */
static void slices_of_nothing_else(void **state) {
  (void)state;
  static const char *const rows[][3] = {{"codelets/gemv.cdl", "sm_90", NULL},
                                        {"codelets/segmented_sum.cdl", "sm_90", NULL},
                                        {"codelets/gemv_columns.cdl", "sm_90", "grid,block,thread"},
                                        {"codelets/gemv_columns.cdl", "avx2", NULL}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Found f = plans_search(rows[i][0], rows[i][1], rows[i][2], (SearchOptions){.trace = true});
    assert_int_equal(count_slices(&f), 0);
    assert_int_equal(strstr(f.report.pruned.text, "a block's warps only share") != NULL, i < 2);
    plans_end(&f);
  }
}

/* The pieces of a part that is shared may be added up where its result is stored: one kernel, in any order. By columns
 * a plan has slices besides. Nothing is, where results are read as well, by a process, or by an operator that keeps
 * order. */
static void pieces_accumulated(void **state) {
  (void)state;
  static const struct { const char *file, *machine; int plans; const char *why; } rows[] = {
      {"codelets/segmented_sum.cdl", "sm_60", 2, NULL}, {"codelets/gemv.cdl", "sm_90", 2, NULL},
      {"codelets/gemv_columns.cdl", "sm_90", 3, NULL},
      {"tests/listings/rows-into.cdl", "sm_90", 0, "atomics for parts' results that are not stored as they are"},
      {"codelets/gemv.cdl", "avx2", 0, "atomics for the few threads of a process that share a part"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Found f = plans_search(rows[i].file, rows[i].machine, NULL, (SearchOptions){0});
    int found = 0;
    for (int k = 0; k < f.plans.list.n; k++) {
      const Plan *p = f.plans.list.at[k];
      assert_int_equal(plan_accumulates_pieces(p->root), strstr(p->text, "/spread!atomic(") != NULL);
      if (!plan_accumulates_pieces(p->root)) continue;
      assert_int_equal(p->kernels, 1);
      assert_int_equal(p->determinism, DETERMINISM_NOT_GUARANTEED);
      assert_int_not_equal(p->category, CATEGORY_BASELINE);
      found++;
    }
    assert_int_equal(found, rows[i].plans);
    assert_true(!rows[i].why || strstr(f.report.pruned.text, rows[i].why));
    plans_end(&f);
  }
}

/* Register slots take all of a run: a partition that leaves elements out is not theirs. */
static void slots_of_all_elements(void **state) {
  (void)state;
  static const char *const machines[] = {"sm_90", "avx2"};
  for (int i = 0; i < 2; i++) {
    Found f = plans_search("tests/listings/gaps.cdl", machines[i], NULL, (SearchOptions){.trace = true});
    assert_true(f.plans.list.n > 0);
    assert_int_equal(plans_with(&f, "each(ilp.serial)"), 0);
    assert_non_null(strstr(f.report.pruned.text, "register slots take adjacent elements without gaps"));
    plans_end(&f);
  }
}

/* A grid's tiles look back, or are told by one block; one block or one warp slides: one kernel, whichever it is. Or
 * parts are summed up first. */
static void scans(void **state) {
  (void)state;
  Found f = plans_search("codelets/scan.cdl", "sm_90", NULL, (SearchOptions){0});
  assert_true(f.ok);
  assert_true(plans_with(&f, "grid.whole=grid.sliding!scanner("));
  assert_true(plans_with(&f, "grid.whole=grid.sliding!look_back("));
  assert_true(plans_with(&f, "grid.whole=grid>block.sliding/loop("));
  assert_true(plans_with(&f, "grid.whole=grid>block>warp.sliding/loop("));
  assert_true(plans_with(&f, "warp.scan_scan_add(thread.serial; warp.kogge_stone+shuffle)"));
  assert_true(plans_with(&f, "grid.whole=grid.reduce_scan_scan("));
  assert_false(plans_with(&f, "cluster"));
  for (int i = 0; i < f.plans.list.n; i++) {
    const Plan *p = f.plans.list.at[i];
    bool looks_back = strstr(p->text, "!look_back(") != NULL;
    assert_int_equal(p->kernels, strstr(p->text, "reduce_scan_scan") ? 3 : 1);
    assert_int_equal(p->determinism, looks_back ? DETERMINISM_NOT_GUARANTEED : DETERMINISM_RUN_TO_RUN);
  }
  plans_end(&f);
}

static void a_search_says_why_a_scan_does_not_fit(void **state) {
  (void)state;
  static const char *const reasons[] = {
      "blocks of a cluster do not scan",
      "sub-warps only scan segments",
      "a container of any size is scanned tile by tile",
      "parts of a tile go to warps, and theirs to lanes",
      "in registers scanning is as cheap as summing: scan, scan, add",
      "a vector scans the totals of parts"};
  Found f = plans_search("codelets/scan.cdl", "sm_90", NULL, (SearchOptions){.trace = true});
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
    if (!strstr(f.report.pruned.text, reasons[i])) fail_msg("not said: %s\n%s", reasons[i], f.report.pruned.text);
  plans_end(&f);
}

/* Segments of a few elements go to vectors of a few lanes, which hold whole rows of them; on top of what others do. */
static void subwarps_scan_segments(void **state) {
  (void)state;
  static const char *const files[] = {"codelets/segmented_scan.cdl", "codelets/segmented_scan_offsets.cdl"};
  for (int i = 0; i < 2; i++) {
    Found f = plans_search(files[i], "sm_90", NULL, (SearchOptions){0});
    Found g = plans_search(files[i], "sm_90", "grid,cluster,block,warp,thread,ilp", (SearchOptions){0});
    int with = 0;
    for (int lanes = 4; lanes <= 8; lanes *= 2) {
      char text[200];
      snprintf(text, sizeof text,
               "grid.each/all-warp/%ds(warp/%d.sliding/loop(warp/%d.sliding/loop(warp/%d.scan_scan_add("
               "thread.serial; warp/%d.kogge_stone+shuffle))))", lanes, lanes, lanes, lanes, lanes);
      assert_non_null(plans_named(&f, text));
    }
    for (int k = 0; k < f.plans.list.n; k++) {
      const Plan *p = f.plans.list.at[k];
      const Level *worker = plan_worker_of_parts(p->root);
      if (!worker || !worker->can.factor) continue;
      with++;
      assert_null(strstr(p->text, "brent_kung")); /* its lanes exchange through memory */
      assert_int_equal(p->kernels, 1);
    }
    assert_int_equal(with, 2 * KEEP_PARTS_OF_A_FACTOR);
    for (int k = 0; k < g.plans.list.n; k++) assert_non_null(plans_named(&f, g.plans.list.at[k]->text));
    plans_end(&f);
    plans_end(&g);
  }
}

/* As many parts as there are segments: to blocks, to the whole grid's warps, sub-warps and lanes. */
static void segments(void **state) {
  (void)state;
  static const char *const files[] = {"codelets/segmented_sum.cdl", "codelets/segmented_sum_offsets.cdl"};
  for (int i = 0; i < 2; i++) {
    Found f = plans_search(files[i], "sm_90", NULL, (SearchOptions){.trace = true});
    assert_true(f.ok);
    assert_true(plans_with(&f, "grid.each(block."));
    assert_true(plans_with(&f, "grid.each/all-warps("));
    assert_true(plans_with(&f, "grid.each/all-warp/8s("));
    assert_true(plans_with(&f, "grid.each/all-threads(thread.serial)"));
    assert_true(plans_with(&f, "grid.each(block.tiled/spread(block."));
    assert_true(plans_with(&f, "grid.each/all-threads(thread.tiled/spread(thread."));
    assert_false(plans_with(&f, ".strided/spread("));
    assert_non_null(strstr(f.report.pruned.text, "workers that share a part take adjacent elements"));
    assert_non_null(strstr(f.report.pruned.text, "the grid's workers only share one of its many parts"));
    assert_true(plans_with(&f, "grid.each(cluster.tiled(block."));
    assert_false(plans_with(&f, "grid>cluster"));
    assert_non_null(strstr(f.report.pruned.text, "many parts for a few lanes"));
    plans_end(&f);
  }
}

static int count_equal(const Found *f) {
  int n = 0;
  for (int i = 0; i < f->plans.list.n; i++) n += plan_is_equal(f->plans.list.at[i]->root);
  return n;
}

/* Parts that follow one another: equal shares of their elements, and of each a part's pieces to lanes, sub-warps and
 * warps. Pieces are combined in their order, but where a part is cut depends on those before it. No first guess takes
 * them: how long parts are on average does not tell how much they differ. */
static void equal_shares(void **state) {
  (void)state;
  static const struct { const char *file, *machine; int plans; } rows[] = {
      {"codelets/segmented_sum_offsets.cdl", "sm_60", 2}, {"codelets/segmented_sum_offsets.cdl", "sm_90", 4},
      {"codelets/spmv.cdl", "sm_35", 2}, {"codelets/spmv.cdl", "sm_90", 4}, {"codelets/spmv.cdl", "avx512", 2}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Found f = plans_search(rows[i].file, rows[i].machine, NULL, (SearchOptions){0});
    const ElementType *types[] = {element_by_name("float")};
    Table t = choose_by_size(f.a, &f.plans, types, 1, NULL, f.d);
    assert_int_equal(count_equal(&f), rows[i].plans);
    for (int k = 0; k < f.plans.list.n; k++) {
      const Plan *p = f.plans.list.at[k];
      const bool cpu = p->machine->is_cpu;
      assert_int_equal(plan_is_equal(p->root), strstr(p->text, ".each/equal-") != NULL);
      if (!plan_is_equal(p->root)) continue;
      assert_int_equal(p->kernels, cpu ? 2 : 3);
      assert_int_equal(p->determinism, cpu ? DETERMINISM_RUN_TO_RUN : DETERMINISM_GPU_TO_GPU);
      assert_false(p->batch_invariant);
      assert_true(cpu || strstr(p->text, "; warp.strided(thread.serial; warp.tree+shuffle))"));
      for (int r = 0; r < t.rows.n; r++) assert_string_not_equal(t.rows.at[r].variant, p->id);
    }
    plans_end(&f);
  }
}

/* The same parts, of bounded lengths, on GPUs: to each level below the block. A first guess prefers them, since none of
 * their parts holds up the others; of longer ones pieces are combined in their order, whatever other parts there are. Or
 * all of a block does a longer one: one kernel, which no guess takes. */
static void bounded_parts(void **state) {
  (void)state;
  static const struct { const char *file, *machine; int plans; } rows[] = {
      {"codelets/segmented_sum_offsets.cdl", "sm_60", 2}, {"codelets/segmented_sum_offsets.cdl", "sm_90", 4},
      {"codelets/spmv.cdl", "sm_35", 2},                  {"codelets/spmv.cdl", "sm_90", 4},
      {"codelets/spmv.cdl", "avx512", 0},
      {"codelets/segmented_sum.cdl", "sm_90", 0}, {"codelets/gemv.cdl", "sm_90", 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Found f = plans_search(rows[i].file, rows[i].machine, NULL, (SearchOptions){0});
    const ElementType *types[] = {element_by_name("float")};
    Table t = choose_by_size(f.a, &f.plans, types, 1, NULL, f.d);
    int plans = 0, guessed = 0, in_block = 0;
    for (int k = 0; k < f.plans.list.n; k++) {
      const Plan *p = f.plans.list.at[k];
      const bool bounded = plan_is_bounded(p->root), one = plan_is_bounded_in_block(p->root);
      assert_int_equal(bounded, strstr(p->text, ".each/bounded-") != NULL);
      if (!bounded) continue;
      plans += !one;
      in_block += one;
      assert_int_equal(one, strstr(p->text, "!in_block(") != NULL);
      assert_int_equal(p->kernels, one ? 1 : 2);
      assert_int_equal(p->determinism, DETERMINISM_GPU_TO_GPU);
      assert_true(p->batch_invariant);
      assert_null(strstr(p->text, "ilp"));
      for (int r = 0; r < t.rows.n && !one; r++) guessed += strcmp(t.rows.at[r].variant, p->id) == 0;
      for (int r = 0; r < t.rows.n && one; r++) assert_string_not_equal(t.rows.at[r].variant, p->id);
    }
    assert_int_equal(plans, rows[i].plans);
    assert_int_equal(in_block, rows[i].plans);
    assert_int_equal(guessed > 0, plans > 0);
    plans_end(&f);
  }
}

/* Neither parts of one length, nor rows; nor scans; nor where a part has a number of its own, or its result is no
 * operator's. */
static void equal_shares_of_nothing_else(void **state) {
  (void)state;
  static const char *const files[][2] = {
      {"codelets/segmented_sum.cdl", "sm_90"}, {"codelets/gemv.cdl", "sm_90"},
      {"codelets/segmented_scan_offsets.cdl", "sm_90"}, {"tests/strangers/weighted_segments.cdl", "sm_90"},
      {"tests/strangers/segment_means.cdl", "sm_90"}, {"codelets/segmented_sum.cdl", "avx2"}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    Found f = plans_search(files[i][0], files[i][1], NULL, (SearchOptions){.keep = -1, .limit = 300});
    assert_int_equal(count_equal(&f), 0);
    plans_end(&f);
  }
}

/* Scans of few long segments: tiles of all of them over the grid's blocks, read 16 bytes a lane. Segments by offsets
 * are as long as only the device knows. */
static void tiles_of_parts(void **state) {
  (void)state;
  Found f = plans_search("codelets/segmented_scan.cdl", "sm_90", NULL, (SearchOptions){.trace = true});
  assert_true(plans_with(&f, "grid.each(block.sliding/spread!scanner(block.scan_scan_add(warp.sliding/loop("
                             "warp.scan_scan_add(thread.serial; warp.kogge_stone+shuffle))"));
  assert_true(plans_with(&f, "grid.each(block.sliding/spread!look_back("));
  assert_false(plans_with(&f, "spread!scanner(block.kogge_stone"));
  for (int i = 0; i < f.plans.list.n; i++) {
    const Plan *p = f.plans.list.at[i];
    if (!plan_spread(p->root)) continue;
    assert_int_equal(p->kernels, 1);
    assert_int_equal(p->determinism,
                     strstr(p->text, "!look_back(") ? DETERMINISM_NOT_GUARANTEED : DETERMINISM_RUN_TO_RUN);
  }
  plans_end(&f);
  SearchOptions all = {.keep = -1, .trace = true};
  Found g = plans_search("codelets/segmented_scan_offsets.cdl", "sm_90", NULL, all);
  assert_false(plans_with(&g, "/spread"));
  assert_non_null(strstr(g.report.pruned.text, "one of its many parts, all as long"));
  plans_end(&g);
}

/* Only where there are many parts; scans of parts are not shared by a CPU's threads. */
static void spread_is_for_many_parts(void **state) {
  (void)state;
  static const char *const files[][2] = {{"codelets/sum.cdl", "sm_90"},
                                         {"codelets/scan.cdl", "sm_90"},
                                         {"codelets/sum.cdl", "avx2"},
                                         {"codelets/segmented_scan.cdl", "avx2"}};
  for (int i = 0; i < 4; i++) {
    Found f = plans_search(files[i][0], files[i][1], NULL, (SearchOptions){.keep = -1});
    assert_true(f.ok);
    assert_false(plans_with(&f, "/spread("));
    plans_end(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(clusters_of_parts),
      cmocka_unit_test(slices_of_neighbouring_rows),
      cmocka_unit_test(slices_of_nothing_else),
      cmocka_unit_test(pieces_accumulated),
      cmocka_unit_test(slots_of_all_elements),
      cmocka_unit_test(scans),
      cmocka_unit_test(a_search_says_why_a_scan_does_not_fit),
      cmocka_unit_test(subwarps_scan_segments),
      cmocka_unit_test(segments),
      cmocka_unit_test(tiles_of_parts),
      cmocka_unit_test(equal_shares),
      cmocka_unit_test(bounded_parts),
      cmocka_unit_test(equal_shares_of_nothing_else),
      cmocka_unit_test(spread_is_for_many_parts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
