/* The search: what is found, what is kept, what a plan says of itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compose/choose.h"
#include "plans.h"

static int count(const Found *f, Category c) {
  int n = 0;
  for (int i = 0; i < f->plans.list.n; i++) n += f->plans.list.at[i]->category == c;
  return n;
}

static void the_cgo_space_holds_the_89(void **state) {
  (void)state;
  Found f = plans_search("codelets/sum.cdl", "sm_60", "grid,block,thread", (SearchOptions){.space = "cgo"});
  assert_true(f.ok);
  assert_true(f.plans.list.n >= 89);
  assert_true(count(&f, CATEGORY_BASELINE) >= 10);
  assert_true(count(&f, CATEGORY_GLOBAL_ATOMIC) >= 10);
  assert_true(count(&f, CATEGORY_SHARED_ATOMIC) >= 38);
  assert_true(count(&f, CATEGORY_SHUFFLE) >= 31);
  int single[CATEGORY_SHUFFLE + 1] = {0};
  for (int i = 0; i < f.plans.list.n; i++)
    if (f.plans.list.at[i]->kernels == 1) single[f.plans.list.at[i]->category]++;
  assert_int_equal(single[CATEGORY_BASELINE], 0);
  assert_int_equal(single[CATEGORY_GLOBAL_ATOMIC], 12);
  assert_int_equal(single[CATEGORY_SHARED_ATOMIC], 12);
  assert_int_equal(single[CATEGORY_SHUFFLE], 12);
  plans_end(&f);
}

static void letters_of_fig_6(void **state) {
  (void)state;
  static const struct { const char *letter, *text; } rows[] = {
      {"l", "grid.tiled!atomic(block.tree)"},      {"m", "grid.tiled!atomic(block.tree+shuffle)"},
      {"n", "grid.tiled!atomic(block.shared_V1)"}, {"o", "grid.tiled!atomic(block.shared_V2)"},
      {"p", "grid.tiled!atomic(block.shared_V2+shuffle)"}};
  Found f = plans_search("codelets/sum.cdl", "sm_60", "grid,block,thread", (SearchOptions){.space = "cgo"});
  int letters = 0;
  for (int i = 0; i < f.plans.list.n; i++) letters += f.plans.list.at[i]->letter != NULL;
  assert_int_equal(letters, 5);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const Plan *p = plans_named(&f, rows[i].text);
    assert_non_null(p);
    assert_string_equal(p->letter, rows[i].letter);
  }
  plans_end(&f);
}

static void the_cgo_space_needs_its_codelets(void **state) {
  (void)state;
  Found f = plans_search("tests/listings/cgo-3.cdl", "sm_60", "grid,block,thread", (SearchOptions){.space = "cgo"});
  assert_false(f.ok);
  assert_non_null(strstr(f.d->list.at[f.d->list.n - 1].message, "tiled, strided, tree"));
  plans_end(&f);
}

static const Plan *plan_of(const Found *f, const char *id) {
  for (int i = 0; i < f->plans.list.n; i++)
    if (strcmp(f->plans.list.at[i]->id, id) == 0) return f->plans.list.at[i];
  fail_msg("no plan %s", id);
  return NULL;
}

static const char *zeros_cannot(const void *context, const TableRow *r) {
  (void)context;
  return strcmp(r->variant, "00000000") == 0 ? "it is made of zeros" : NULL;
}

/* A measured table serves the types that it has, and those that are added alike, if all its rows can serve. */
static void measured_ranges(void **state) {
  (void)state;
  Found f = plans_search("codelets/sum.cdl", "sm_60", NULL, (SearchOptions){0});
  const ElementType *types[] = {element_by_name("uint"), element_by_name("float")};
  const char *first = f.plans.list.at[0]->id, *second = f.plans.list.at[1]->id;
  TableRow rows[] = {{.type = "int", .variant = first, .up_to = 64},
                     {.type = "int", .variant = second, .up_to = UINT64_MAX}};
  Table table = {.heading = "measured"};
  tunables_set(f.a, &rows[0].set, "threads", 32);
  for (int i = 0; i < 2; i++) vec_push(f.a, &table.rows, rows[i]);
  MeasuredTable measured = {&table, zeros_cannot, NULL};
  Table t = choose_by_size(f.a, &f.plans, types, 2, &measured, f.d);
  assert_int_equal(t.rows.n, 5);
  assert_string_equal(t.heading, "measured");
  assert_string_equal(t.rows.at[0].type, "uint");
  assert_string_equal(t.rows.at[0].variant, first);
  assert_int_equal(tunables_value(&t.rows.at[0].set, "threads"), 32);
  assert_string_equal(t.rows.at[2].type, "float"); /* a guess */
  table.rows.at[1].variant = "00000000";
  t = choose_by_size(f.a, &f.plans, types, 2, &measured, f.d);
  assert_int_equal(t.rows.n, 6);
  assert_int_equal(tunables_value(&t.rows.at[0].set, "threads"), 0);
  assert_string_equal(f.d->list.at[f.d->list.n - 1].message,
                      "the measured table is not used for `uint': it is made of zeros");
  plans_end(&f);
}

/* As wide and as quick to add; but integers' tables have variants that add in any order. */
static void measured_for_another_type(void **state) {
  (void)state;
  static const struct { const char *measured, *type; bool serves; } rows[] = {
      {"half", "bfloat16", true}, {"double", "cfloat", true}, {"uint8", "int8", true},    {"int16", "uint16", true},
      {"int64", "cfloat", false}, {"half", "int16", false},   {"double", "cdouble", false}, {"float", "int", false}};
  Found f = plans_search("codelets/sum.cdl", "sm_60", NULL, (SearchOptions){0});
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const ElementType *type = element_by_name(rows[i].type);
    Table table = {.heading = "measured"};
    TableRow row = {.type = rows[i].measured, .variant = f.plans.list.at[0]->id, .up_to = UINT64_MAX};
    tunables_set(f.a, &row.set, "threads", 32);
    vec_push(f.a, &table.rows, row);
    MeasuredTable measured = {&table, zeros_cannot, NULL};
    Table t = choose_by_size(f.a, &f.plans, &type, 1, &measured, f.d);
    assert_int_equal(tunables_value(&t.rows.at[0].set, "threads") == 32, rows[i].serves);
  }
  plans_end(&f);
}

static void the_default_set(void **state) {
  (void)state;
  Found f = plans_search("codelets/sum.cdl", "sm_60", NULL, (SearchOptions){0});
  assert_true(f.ok);
  assert_in_range(f.plans.list.n, 40, 64);
  for (int c = 0; c <= CATEGORY_SHUFFLE; c++) assert_true(count(&f, (Category)c) >= 4);
  bool one_block = false;
  for (int i = 0; i < f.plans.list.n; i++) one_block |= f.plans.list.at[i]->root->rule->codelet == NULL;
  assert_true(one_block);
  const ElementType *types[] = {element_by_name("float"), element_by_name("int")};
  Table t = choose_by_size(f.a, &f.plans, types, 2, NULL, f.d);
  assert_int_equal(t.rows.n, 6);
  assert_true(plan_is_one_vector(plan_of(&f, t.rows.at[0].variant)->root));
  assert_true(t.rows.at[0].up_to < t.rows.at[1].up_to);
  assert_true(t.rows.at[2].up_to == UINT64_MAX);
  assert_string_equal(t.rows.at[3].type, "int");
  plans_end(&f);
}

/* Which plan is guessed to serve so many elements each, of so many parts, on a CPU of 40 cores and 16 lanes. */
static void guessed(const char *file, uint64_t each, uint64_t parts, const char *begins) {
  Found f = plans_search(file, "avx512", NULL, (SearchOptions){0});
  const ElementType *type = element_by_name("float");
  Table t = choose_by_size(f.a, &f.plans, &type, 1, NULL, f.d);
  const TableRow *row = table_row(&t, "float", each, parts, 0);
  assert_non_null(row);
  const char *text = plan_of(&f, row->variant)->text;
  if (strncmp(text, begins, strlen(begins)) != 0) fail_msg("%s: not %s", text, begins);
  const bool many = strstr(file, "columns") && each * parts > 1 << 18; /* many vectors at a time */
  assert_int_equal(tunables_value(&row->set, "loads"), many ? 256 : 0);
  assert_true(t.rows.at[t.rows.n - 1].up_to == UINT64_MAX && t.rows.at[t.rows.n - 1].count == 0);
  plans_end(&f);
}

/* Rows whose elements lie apart go to lanes whatever their length; threads share what are too few of long ones. */
static void guesses_for_a_cpu(void **state) {
  (void)state;
  static const char columns[] = "codelets/gemv_columns.cdl", rows[] = "codelets/gemv.cdl";
  static const char lanes[] = "process.each/all-lanes(lane.products=lane.serial)";
  static const char lanes_share[] = "process.each/all-lanes(lane.products=lane.tiled/spread(";
  guessed(columns, 64, 64, lanes);
  guessed(columns, 128, 2048, lanes);
  guessed(columns, 128, 1 << 20, lanes);
  guessed(columns, 1 << 20, 1 << 20, lanes);
  guessed(columns, 1 << 19, 128, lanes_share);
  guessed(rows, 16, 1 << 20, "process.each/all-lanes!transposed(");
  guessed(rows, 2048, 128, "process.each(thread.products=thread.strided(");
  guessed(rows, 4096, 1 << 14, "process.each(thread.products=thread.strided(");
  guessed(rows, 8192, 8, "process.each!jammed(thread.products=thread.strided(");
  guessed(rows, 1 << 20, 1 << 10, "process.each!jammed(thread.products=thread.strided(");
  guessed(rows, 1 << 20, 8, "process.each(thread.products=thread.tiled/spread(");
  guessed("codelets/segmented_sum.cdl", 1 << 24, 1, "process.each(thread.tiled/spread(");
  guessed("codelets/segmented_scan.cdl", 1 << 24, 1, "process.each(thread.sliding/loop(");
}

/* A GPU's block holds a row between steps; longer rows are read once, by states; several blocks have each of few. */
static void guesses_for_long_rows(void **state) {
  (void)state;
  static const struct { const char *file; uint64_t each, parts; const char *begins; } rows[] = {
      {"codelets/logsumexp.cdl", 1024, 1 << 16, "grid.each/all-warps(warp.steps="},
      {"codelets/logsumexp.cdl", 4096, 4096, "grid.each(block.steps="},
      {"codelets/logsumexp.cdl", 1 << 16, 1024, "grid.each(block.pairs=block.states=(block.strided/all("},
      {"codelets/logsumexp.cdl", 1 << 20, 16, "grid.each(block.pairs=block.states=(block.tiled/spread(block.strided/all("},
      {"codelets/row_arg_max.cdl", 5000000, 1, "grid.each(block.place=(block.states=block.tiled/spread(block.strided/all("},
      {"codelets/row_max.cdl", 1 << 20, 16, "grid.each(block.tiled/spread"},
      {"codelets/softmax.cdl", 1 << 16, 1024, "grid.each(block.steps="},
      {"codelets/softmax.cdl", 1 << 20, 16, "grid.apart=(grid.each(block.tiled/spread("}};
  const ElementType *type = element_by_name("float");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Found f = plans_search(rows[i].file, "sm_90", NULL, (SearchOptions){0});
    Table t = choose_by_size(f.a, &f.plans, &type, 1, NULL, f.d);
    const TableRow *row = table_row(&t, "float", rows[i].each, rows[i].parts, 0);
    assert_non_null(row);
    const char *text = plan_of(&f, row->variant)->text;
    if (strncmp(text, rows[i].begins, strlen(rows[i].begins)) != 0) fail_msg("%s: not %s", text, rows[i].begins);
    plans_end(&f);
  }
}

/* A table's text is one that can be read. */
static void is_a_table(const Found *f, const Table *t) {
  Buffer text = buffer_new(f->a);
  Table again;
  table_print(&text, t);
  SourceFile *file = arena_one(f->a, SourceFile);
  *file = (SourceFile){.path = "guess.table", .text = text.text, .size = text.length};
  if (!table_read(f->a, file, &again, f->d)) fail_msg("%s: %s", text.text, f->d->list.at[0].message);
  assert_int_equal(again.rows.n, t->rows.n);
}

/* However few plans are kept, there is one that serves, and the guess is a table as others are. */
static void the_only_plan_serves_all(void **state) {
  (void)state;
  static const struct { const char *file, *machine; } rows[] = {
      {"codelets/gemv.cdl", "avx2"}, {"codelets/gemv.cdl", "sm_90"}, {"codelets/gemv_columns.cdl", "avx2"},
      {"codelets/gemv_columns.cdl", "sm_90"}, {"codelets/segmented_sum.cdl", "sm_90"}, {"codelets/scan.cdl", "avx2"},
      {"codelets/sum.cdl", "sm_60"}, {"codelets/gemm.cdl", "avx2"}, {"codelets/gemm.cdl", "sm_90"}};
  const ElementType *type = element_by_name("float");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (int keep = 1; keep <= 12; keep += 1 + keep / 4) {
      Found f = plans_search(rows[i].file, rows[i].machine, NULL, (SearchOptions){.keep = keep});
      Table t = choose_by_size(f.a, &f.plans, &type, 1, NULL, f.d);
      if (!table_row(&t, "float", 1, 1, 0) || !table_row(&t, "float", 1 << 20, 1 << 20, 0))
        fail_msg("%s for %s: of %d plans none serves", rows[i].file, rows[i].machine, f.plans.list.n);
      is_a_table(&f, &t);
      plans_end(&f);
    }
}

static int count_subwarps(const Found *f) {
  int n = 0;
  for (int i = 0; i < f->plans.list.n; i++) n += plan_uses_factor(f->plans.list.at[i]->root);
  return n;
}

/* They come on top: what a machine has without them, it has with them. */
static void cluster_plans_come_on_top(void **state) {
  (void)state;
  Found f = plans_search("codelets/sum.cdl", "sm_90", NULL, (SearchOptions){0});
  Found g = plans_search("codelets/sum.cdl", "sm_90", "grid,block,warp,warp/8,thread,ilp", (SearchOptions){0});
  assert_int_equal(plans_with(&g, "cluster"), 0);
  assert_in_range(plans_with(&f, "cluster"), 1, 8);
  assert_int_equal(f.plans.list.n, g.plans.list.n + plans_with(&f, "cluster"));
  for (int i = 0; i < g.plans.list.n; i++) assert_non_null(plans_named(&f, g.plans.list.at[i]->text));
  for (int i = 0; i < f.plans.list.n; i++) {
    const Plan *p = f.plans.list.at[i];
    const bool mentions_cluster = strstr(p->text, "cluster") != NULL;
    assert_int_equal(plan_is_one_cluster(p->root), mentions_cluster);
    if (mentions_cluster) assert_int_equal(p->kernels, 1);
  }
  plans_end(&f);
  plans_end(&g);
}

static void machines_without_clusters_have_no_such_plans(void **state) {
  (void)state;
  static const char *const machines[] = {"sm_35", "sm_52", "sm_60", "sm_70", "sm_75", "sm_80", "sm_86", "sm_89"};
  Found without = plans_search("codelets/sum.cdl", "sm_90", "grid,block,warp,thread,ilp", (SearchOptions){0});
  for (size_t m = 0; m < sizeof machines / sizeof *machines; m++) {
    Found f = plans_search("codelets/sum.cdl", machines[m], NULL, (SearchOptions){0});
    assert_int_equal(f.plans.list.n - count_subwarps(&f), without.plans.list.n);
    assert_int_equal(plans_with(&f, "cluster"), 0);
    plans_end(&f);
  }
  plans_end(&without);
}

/* A text names every level that acts, and no two plans have one text: it stands for its plan. */
static void a_cluster_in_a_plans_text(void **state) {
  (void)state;
  Found f = plans_search("codelets/sum.cdl", "sm_90", NULL, (SearchOptions){0});
  const Plan *p = plans_named(&f, "grid>cluster.tiled(block.strided/all!atomic(thread.strided(ilp.serial; "
                                "thread.serial)); cluster>block.tree)");
  assert_non_null(p);
  assert_string_equal(p->root->rule->name, "G1C");
  const PlanNode *cluster = p->root->kid[0];
  assert_string_equal(cluster->rule->level->name, "cluster");
  assert_string_equal(cluster->rule->name, "C3");
  assert_string_equal(cluster->kid[1]->rule->name, "C1");
  assert_int_equal(p->category, CATEGORY_GLOBAL_ATOMIC); /* a map that is accumulated atomically */
  plans_end(&f);
}

static void a_search_says_why_a_cluster_does_not_fit(void **state) {
  (void)state;
  Found f = plans_search("codelets/sum.cdl", "sm_90", NULL, (SearchOptions){.trace = true});
  assert_non_null(strstr(f.report.pruned.text, "a grid of several clusters is not composed yet"));
  assert_non_null(strstr(f.report.pruned.text, "one block of a cluster does what one block of the grid does"));
  plans_end(&f);
}

static const char eight_warps[] = "grid>block.tiled(warp.strided(thread.strided(ilp.serial; thread.serial); "
                                  "warp.tree+shuffle); block>warp>warp/8.tree+shuffle)";

/* They come on top, few of them. */
static void subwarp_plans_come_on_top(void **state) {
  (void)state;
  static const char *const machines[] = {"sm_80", "sm_90", "tests/specs/subwarps.yaml"};
  for (int m = 0; m < 3; m++) {
    Found f = plans_search("codelets/sum.cdl", machines[m], NULL, (SearchOptions){0});
    const char *levels = m == 1 ? "grid,cluster,block,warp,thread,ilp" : "grid,block,warp,thread,ilp";
    Found g = plans_search("codelets/sum.cdl", machines[m], levels, (SearchOptions){0});
    assert_int_equal(count_subwarps(&g), 0);
    assert_in_range(count_subwarps(&f), 1, 2);
    assert_int_equal(f.plans.list.n, g.plans.list.n + count_subwarps(&f));
    for (int i = 0; i < g.plans.list.n; i++) assert_non_null(plans_named(&f, g.plans.list.at[i]->text));
    plans_end(&f);
    plans_end(&g);
  }
}

static void a_subwarp_in_a_plans_text(void **state) {
  (void)state;
  Found f = plans_search("codelets/sum.cdl", "sm_80", NULL, (SearchOptions){0});
  const Plan *p = plans_named(&f, eight_warps);
  assert_non_null(p);
  assert_string_equal(p->id, "55b3a74a");
  const PlanNode *warp = p->root->kid[0]->kid[1]->kid[0];
  assert_string_equal(warp->rule->name, "W1V");
  assert_string_equal(warp->kid[0]->rule->name, "V5");
  assert_int_equal(warp->kid[0]->rule->level->width_max, 8);
  assert_int_equal(p->sizes.at[0].tunable.max, 8 * 32); /* as many warps as the sub-warp has lanes */
  assert_int_equal(p->sizes.at[0].tunable.value, 8 * 32);
  assert_int_equal(p->category, CATEGORY_SHUFFLE);
  assert_int_equal(p->determinism, DETERMINISM_RUN_TO_RUN);
  plans_end(&f);
}

/* A block's warps can be fewer; a warp's lanes cannot. */
static void a_subwarp_is_never_given_more_than_its_lanes(void **state) {
  (void)state;
  static const int widths[] = {16, 8, 4};
  for (int k = 0; k < 3; k++) {
    Arena *a = arena_new();
    const char *levels = arena_printf(a, "grid,block,warp,warp/%d,thread,ilp", widths[k]);
    Found f = plans_search("codelets/sum.cdl", "tests/specs/subwarps.yaml", levels, (SearchOptions){.keep = 200});
    assert_true(count_subwarps(&f) > 0);
    for (int i = 0; i < f.plans.list.n; i++) {
      const Plan *p = f.plans.list.at[i];
      if (!plan_uses_factor(p->root)) continue;
      assert_null(strstr(p->text, "; warp>warp/"));
      assert_int_equal(p->sizes.at[0].tunable.max, widths[k] * 32);
      assert_true(p->sizes.at[0].tunable.value <= p->sizes.at[0].tunable.max);
    }
    plans_end(&f);
    arena_free(a);
  }
}

static void a_search_says_why_a_subwarp_does_not_fit(void **state) {
  (void)state;
  Found f = plans_search("codelets/sum.cdl", "sm_80", NULL, (SearchOptions){.trace = true});
  assert_non_null(strstr(f.report.pruned.text, "a sub-warp processes at most as many elements as it has lanes"));
  assert_non_null(strstr(f.report.pruned.text, "the lanes of a sub-warp exchange registers, and the codelet does not"));
  assert_non_null(strstr(f.report.pruned.text, "a sub-warp's lanes take every element in turn"));
  plans_end(&f);
  Found g = plans_search("tests/simt/codelets/widths.cdl", "sm_80", NULL, (SearchOptions){0});
  assert_non_null(strstr(g.report.pruned.text, "a codelet that may depend on the width of a vector, on a sub-warp"));
  assert_int_equal(count_subwarps(&g), 0);
  plans_end(&g);
}

static void every_search_finds_the_same(void **state) {
  (void)state;
  Found f = plans_search("codelets/sum.cdl", "sm_60", NULL, (SearchOptions){0});
  Found g = plans_search("codelets/sum.cdl", "sm_60", NULL, (SearchOptions){0});
  assert_int_equal(f.plans.list.n, g.plans.list.n);
  for (int i = 0; i < f.plans.list.n; i++) {
    assert_string_equal(f.plans.list.at[i]->text, g.plans.list.at[i]->text);
    assert_string_equal(f.plans.list.at[i]->id, g.plans.list.at[i]->id);
  }
  plans_end(&f);
  plans_end(&g);
}

static void ids_and_texts_are_unique(void **state) {
  (void)state;
  Found f = plans_search("codelets/sum.cdl", "sm_60", NULL, (SearchOptions){.keep = 600});
  assert_int_equal(f.plans.list.n, 600);
  for (int i = 0; i < f.plans.list.n; i++)
    for (int k = 0; k < i; k++) {
      assert_string_not_equal(f.plans.list.at[i]->id, f.plans.list.at[k]->id);
      assert_string_not_equal(f.plans.list.at[i]->text, f.plans.list.at[k]->text);
    }
  plans_end(&f);
}

static void keep_keeps_each_category(void **state) {
  (void)state;
  Found f = plans_search("codelets/sum.cdl", "sm_60", NULL, (SearchOptions){.keep = 4});
  assert_int_equal(f.plans.list.n, 4);
  for (int c = 0; c <= CATEGORY_SHUFFLE; c++) assert_true(count(&f, (Category)c) >= 0);
  Found all = plans_search("codelets/sum.cdl", "sm_60", "grid,block,thread", (SearchOptions){.keep = -1});
  Found one = plans_search("codelets/sum.cdl", "sm_60", "grid,block,thread", (SearchOptions){.keep = 1});
  assert_int_equal(all.plans.list.n, all.report.complete);
  assert_int_equal(one.plans.list.n, 1);
  plans_end(&f);
  plans_end(&all);
  plans_end(&one);
}

static void too_few_iterations_complete_nothing(void **state) {
  (void)state;
  static const char file[] = "tests/listings/micro-2.cdl", machine[] = "tests/specs/micro-gpu.yaml";
  Found f = plans_search(file, machine, NULL, (SearchOptions){.iterations = 1});
  assert_false(f.ok);
  assert_int_equal(f.d->errors, 1);
  Found g = plans_search(file, machine, NULL, (SearchOptions){.iterations = 3});
  assert_true(g.ok);
  assert_non_null(plans_named(&g, "grid>block>thread.serial"));
  plans_end(&f);
  plans_end(&g);
}

/* The composition that MICRO derives below Fig. 6: G4, B5 and G1, T2, B3, B5, T2, B3. */
static void the_example_of_fig_6_is_found(void **state) {
  (void)state;
  Found f = plans_search("tests/listings/micro-2.cdl", "tests/specs/micro-gpu.yaml", NULL, (SearchOptions){.keep = -1});
  assert_true(f.ok);
  assert_non_null(plans_named(&f, "grid.asso_tiled(block.stride_tiled(thread.serial; block.kog); "
                                "grid>block.stride_tiled(thread.serial; block.kog))"));
  plans_end(&f);
}

static void determinism_is_derived(void **state) {
  (void)state;
  Found f = plans_search("codelets/sum.cdl", "sm_60", "grid,block,thread", (SearchOptions){.keep = -1});
  assert_int_equal(plans_named(&f, "grid.tiled!atomic(block.tree)")->determinism, DETERMINISM_NOT_GUARANTEED);
  const Plan *p = plans_named(&f, "grid.tiled(block.tree; grid>block.strided(thread.serial; block.tree))");
  assert_int_equal(p->determinism, DETERMINISM_GPU_TO_GPU);
  assert_true(p->batch_invariant);
  p = plans_named(&f, "grid>block>thread.serial");
  assert_int_equal(p->determinism, DETERMINISM_SEQUENTIAL);
  assert_true(p->batch_invariant);
  assert_false(plans_named(&f, "grid.tiled!atomic(block.tree)")->batch_invariant);
  plans_end(&f);
}

/* Eight elements of an array of its own are too few for a warp, and enough for a CPU's vector. */
static void arrays_of_few_elements(void **state) {
  (void)state;
  static const char text[] =
      "__codelet __tag(serial) int f(const Array<1, int> in) {\n  int m = lowest<int>();\n"
      "  for (unsigned i = 0; i < in.Size(); ++i) m = max(m, in[i]);\n  return m;\n}\n"
      "__codelet __coop __tag(eight) int f(const Array<1, int> in) {\n  Vector v();\n  __shared int t[8];\n"
      "  t[v.ThreadId()] = v.ThreadId() < in.Size() ? in[v.ThreadId()] : lowest<int>();\n"
      "  for (int s = 4; s > 0; s /= 2)\n    t[v.ThreadId()] = max(t[v.ThreadId()], t[v.ThreadId() ^ s]);\n  return "
      "t[0];\n}\n"
      "__codelet __tag(tiled) int f(const Array<1, int> in) {\n  __tunable unsigned p;\n"
      "  unsigned tile = (in.Size() + p - 1) / p;\n"
      "  return f(map(f, partition(in, p, sequence(0, tile, in.Size()), sequence(1), sequence(tile, tile, "
      "in.Size()))));\n}\n";
  static const char *const machines[] = {"sm_60", "avx2"};
  for (int i = 0; i < 2; i++) {
    Arena *a = arena_new();
    Spectrum *s = spectra_parse_text(a, text, NULL, diagnostics_new(a))->spectra[0];
    Found f = plans_of(a, s, spectra_machine(a, machines[i], NULL), (SearchOptions){.keep = -1});
    assert_true(f.ok);
    if (i) assert_true(plans_with(&f, "eight") > 0);
    else assert_int_equal(plans_with(&f, "eight"), 0);
    plans_end(&f);
  }
}

/* A second autonomous codelet may round otherwise than the one that its bits would be compared with. */
static void another_codelet_is_not_the_sequential_one(void **state) {
  (void)state;
  for (int real = 0; real < 2; real++) {
    Arena *a = arena_new();
    Spectrum *s = spectra_parse(a, "tests/strangers/rows_bias.cdl")->spectra[0];
    s->real = real != 0;
    Found f = plans_of(a, s, spectra_machine(a, "sm_60", NULL), (SearchOptions){.keep = -1});
    const Plan *p = plans_named(&f, "grid>block>warp>thread.back");
    assert_int_equal(p->determinism, real ? DETERMINISM_GPU_TO_GPU : DETERMINISM_SEQUENTIAL);
    assert_true(p->batch_invariant);
    assert_int_equal(plans_named(&f, "grid>block>warp>thread.onward")->determinism, DETERMINISM_SEQUENTIAL);
    plans_end(&f);
  }
}

/* Where the operator is exact for all types asked for every plan has the sequential loop's bits. */
static void an_exact_operator_frees_the_order(void **state) {
  (void)state;
  Arena *a = arena_new();
  Spectrum *s = spectra_parse(a, "codelets/sum.cdl")->spectra[0];
  s->exact = true;
  Found f = plans_of(a, s, spectra_machine(a, "sm_90", NULL), (SearchOptions){.determinism = DETERMINISM_SEQUENTIAL});
  assert_true(f.ok);
  assert_int_equal(f.plans.list.n, 54);
  for (int i = 0; i < f.plans.list.n; i++) {
    assert_int_equal(f.plans.list.at[i]->determinism, DETERMINISM_SEQUENTIAL);
    assert_true(f.plans.list.at[i]->batch_invariant);
  }
  plans_end(&f);
}

static bool some_promises_any_order(const char *machine) {
  Arena *a = arena_new();
  Unit *u = spectra_parse(a, "codelets/dot.cdl");
  for (int i = 0; i < u->nspectra; i++) {
    u->spectra[i]->exact = u->spectra[i]->real = true;
    if (i) u->spectra[i]->op = OPERATOR_MAX;
  }
  u->spectra[0]->exact = false;
  Found f = plans_of(a, u->spectra[0], spectra_machine(a, machine, NULL), (SearchOptions){.keep = -1});
  assert_true(f.ok);
  bool any = false;
  for (int i = 0; i < f.plans.list.n && !any; i++)
    any = strstr(f.plans.list.at[i]->determinism_why, "the same bits in any order") != NULL;
  plans_end(&f);
  return any;
}

/* .. and of those that a view's codelet leaves the combining to: a CPU keeps the first of -0 and 0, a GPU the greater.
 */
static void a_cpus_greatest_depends_on_the_order(void **state) {
  (void)state;
  assert_true(some_promises_any_order("sm_90"));
  assert_false(some_promises_any_order("avx2"));
}

/* Where a plan is the same on every GPU, so are its sizes for every machine that composes it. */
static void the_same_on_every_machine(void **state) {
  (void)state;
  static const char *const machines[] = {"sm_35", "sm_60", "sm_75", "sm_80", "sm_86", "sm_100", "sm_120"};
  SearchOptions o = {.keep = -1, .determinism = DETERMINISM_GPU_TO_GPU};
  Found f = plans_search("codelets/sum.cdl", "sm_90", NULL, o);
  for (size_t k = 0; k < sizeof machines / sizeof *machines; k++) {
    Found g = plans_search("codelets/sum.cdl", machines[k], NULL, o);
    int same = 0;
    for (int i = 0; i < g.plans.list.n; i++) {
      const Plan *q = g.plans.list.at[i], *p = plans_named(&f, q->text);
      if (!p) continue;
      same++;
      assert_string_equal(p->id, q->id);
      assert_int_equal(p->sizes.at[0].tunable.value, q->sizes.at[0].tunable.value);
      for (int j = 1, l = 1; j < p->sizes.n && l < q->sizes.n; j++) { /* there may be a cluster more, or a sub-warp */
        if (strcmp(p->sizes.at[j].tunable.name, q->sizes.at[l].tunable.name) != 0) continue;
        assert_int_equal(p->sizes.at[j].tunable.value, q->sizes.at[l++].tunable.value);
      }
    }
    assert_true(same >= 8);
    plans_end(&g);
  }
  plans_end(&f);
}

/* A machine whose clusters begin with another number of blocks adds up in another order. */
static void an_odd_width_is_no_promise_for_others(void **state) {
  (void)state;
  Arena *a = arena_new();
  Spectrum *s = spectra_parse(a, "tests/listings/micro-2.cdl")->spectra[0];
  Arch *m = spectra_machine(a, "tests/specs/cluster.yaml", NULL);
  for (int width = 4; width <= 8; width += 4) {
    m->levels[1].width_default = width;
    Found f = plans_of(a, s, m, (SearchOptions){.keep = -1});
    assert_true(f.ok);
    const Plan *p = NULL;
    for (int i = 0; i < f.plans.list.n && !p; i++) {
      const Plan *q = f.plans.list.at[i];
      if (strncmp(q->text, "grid>cluster.", 13) == 0 && !plan_is_vectorised(q->root) && !strchr(q->text, '!')) p = q;
    }
    assert_non_null(p);
    assert_int_equal(p->determinism, width == 8 ? DETERMINISM_GPU_TO_GPU : DETERMINISM_RUN_TO_RUN);
    assert_int_equal(p->batch_invariant, width == 8);
  }
  arena_free(a);
}

static void a_cooperative_codelet_is_never_given_more_than_its_lanes(void **state) {
  (void)state;
  Found f = plans_search("codelets/sum.cdl", "sm_60", "grid,block,thread", (SearchOptions){.keep = -1});
  assert_null(plans_named(&f, "grid>block.tree")); /* any n, 256 lanes */
  assert_null(plans_named(&f, "grid.tiled(block.tree; grid>block.tree)"));
  plans_end(&f);
}

/* One lane goes through it, as of what is no scan. */
static void a_scan_without_a_cooperative_codelet_is_one_lanes(void **state) {
  (void)state;
  static const char text[] =
      "template <typename T> __codelet __tag(serial)\n"
      "T scan(const Array<1, T> in, T carry, __like(in) __mutable Array<1, T> out) {\n"
      "  T all = carry;\n"
      "  for (unsigned i = 0; i < in.Size(); ++i) {\n    all += in[i];\n    out[i] = -(-all);\n  }\n"
      "  return all;\n}\n"
      "template <typename T> __codelet __tag(whole)\n"
      "void whole(const Array<1, T> in, __like(in) __mutable Array<1, T> out) { scan<T>(in, 0, out); }\n";
  static const char *const plans[] = {"grid>block>warp>thread.serial", "grid.whole=grid>block>warp>thread.serial"};
  Arena *a = arena_new();
  const Unit *u = spectra_parse_text(a, text, NULL, diagnostics_new(a));
  for (int i = 0; i < 2; i++) {
    Found f = plans_of(a, u->spectra[i], spectra_machine(a, "sm_60", NULL), (SearchOptions){0});
    assert_true(f.ok);
    assert_int_equal(f.plans.list.n, 1);
    assert_string_equal(f.plans.list.at[0]->text, plans[i]);
  }
  arena_free(a);
}

static void the_search_says_what_it_pruned(void **state) {
  (void)state;
  Found f = plans_search("codelets/sum.cdl", "sm_60", NULL, (SearchOptions){.trace = true});
  assert_non_null(strstr(f.report.pruned.text, "partial results are not distributed over the grid once more"));
  assert_non_null(strstr(f.report.trace.text, "iteration 1\n  compose(sum, G): G3 G4 G1"));
  assert_true(f.report.considered >= f.report.complete && f.report.complete >= f.report.kept);
  plans_end(&f);
}

/* Tiles that a block has no room for, however small, are no plans; why is told with the bytes. */
static void tiles_without_room_are_no_plans(void **state) {
  (void)state;
  Found all = plans_search("codelets/gemm.cdl", "sm_60", NULL, (SearchOptions){.keep = -1});
  assert_true(plans_with(&all, "!staged") > 0 && plans_with(&all, "!prefetched") > 0);
  Arch small = *all.m;
  small.shared_bytes_block = small.shared_bytes_most = 2 * 16 * 8; /* two panels of bytes, not by turns */
  const Found few = plans_of(all.a, all.plans.list.at[0]->spectrum, &small, (SearchOptions){.keep = -1, .trace = true});
  assert_true(few.ok && plans_with(&few, "!staged") > 0);
  assert_int_equal(plans_with(&few, "!prefetched"), 0);
  assert_non_null(strstr(few.report.pruned.text, "the smallest tiles are more than a block's shared memory"));
  plans_end(&all);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_cgo_space_holds_the_89),
      cmocka_unit_test(letters_of_fig_6),
      cmocka_unit_test(the_cgo_space_needs_its_codelets),
      cmocka_unit_test(measured_ranges),
      cmocka_unit_test(measured_for_another_type),
      cmocka_unit_test(the_default_set),
      cmocka_unit_test(the_only_plan_serves_all), cmocka_unit_test(guesses_for_a_cpu),
      cmocka_unit_test(guesses_for_long_rows),
      cmocka_unit_test(cluster_plans_come_on_top),
      cmocka_unit_test(machines_without_clusters_have_no_such_plans),
      cmocka_unit_test(a_cluster_in_a_plans_text),
      cmocka_unit_test(a_search_says_why_a_cluster_does_not_fit),
      cmocka_unit_test(subwarp_plans_come_on_top),
      cmocka_unit_test(a_subwarp_in_a_plans_text),
      cmocka_unit_test(a_subwarp_is_never_given_more_than_its_lanes),
      cmocka_unit_test(a_search_says_why_a_subwarp_does_not_fit),
      cmocka_unit_test(every_search_finds_the_same),
      cmocka_unit_test(ids_and_texts_are_unique),
      cmocka_unit_test(keep_keeps_each_category),
      cmocka_unit_test(too_few_iterations_complete_nothing),
      cmocka_unit_test(the_example_of_fig_6_is_found),
      cmocka_unit_test(determinism_is_derived),
      cmocka_unit_test(arrays_of_few_elements),
      cmocka_unit_test(another_codelet_is_not_the_sequential_one),
      cmocka_unit_test(an_exact_operator_frees_the_order),
      cmocka_unit_test(a_cpus_greatest_depends_on_the_order),
      cmocka_unit_test(the_same_on_every_machine),
      cmocka_unit_test(an_odd_width_is_no_promise_for_others),
      cmocka_unit_test(a_cooperative_codelet_is_never_given_more_than_its_lanes),
      cmocka_unit_test(a_scan_without_a_cooperative_codelet_is_one_lanes),
      cmocka_unit_test(tiles_without_room_are_no_plans),
      cmocka_unit_test(the_search_says_what_it_pruned),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
