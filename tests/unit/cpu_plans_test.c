/* cpu_plans_test.c: MICRO Figs. 5 and 10, and the same on a CPU with vectors: barrier/join, the one thread that goes on
 * alone, adjacent tiles for threads and strided ones for lanes come out of the rules that GPUs have. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compose/search.h"
#include "plans.h"

static const char micro[] = "tests/listings/micro-2.cdl", micro_cpu[] = "tests/specs/micro-cpu.yaml";

static Found search(const char *file, const char *machine, const char *levels, int keep) {
  Found f = plans_search(file, machine, levels, (SearchOptions){.keep = keep});
  assert_true(f.ok);
  return f;
}

static const Plan *with_text(const Found *f, const char *text) {
  const Plan *p = plans_named(f, text);
  if (!p) fail_msg("no plan %s", text);
  return p;
}

/* ---- as the figures print them ---- */

/* The heads of Figs. 5 and 6: "P := C_P = none, (l_P, S_P) = (T, barrier/join)". */
static void put_levels(Buffer *to, const Arch *m) {
  static const char *const tilings[] = {
      [TILING_ANY] = "any", [TILING_ADJACENT] = "adjacent", [TILING_STRIDED] = "strided"};
  for (int i = 0; i < m->nlevels; i++) {
    const Level *l = &m->levels[i];
    const char *can = l->capability & CAP_VECTOR ? "VE_" : l->capability & CAP_SCALAR ? "SE_" : "none";
    buffer_printf(to, "%s := C_%s = %s%s, (l_%s, S_%s) = ", l->letter, l->letter, can, l->capability ? l->letter : "",
                  l->letter, l->letter);
    if (l->sub) buffer_printf(to, "(%s, %s), prefers %s\n", l->sub->letter, l->sync[0].name, tilings[l->prefer]);
    else buffer_puts(to, "none\n");
  }
}

/* The head of Figs. 10 and 11: the steps of the plan's rules, each compose replaced by what it became. */
static void put_steps(Buffer *to, const PlanNode *n) {
  int kid = 0;
  for (int i = 0; i < n->rule->nsteps; i++) {
    const Step *s = &n->rule->steps[i];
    if (s->kind == STEP_COMPOSE) {
      put_steps(to, n->kid[kid++]);
      continue;
    }
    if (to->length && to->text[to->length - 1] != '\n') buffer_puts(to, ", ");
    step_print(to, s);
  }
}

static const char *printed(const Found *f, const Plan *p) {
  Buffer b = buffer_new(f->a);
  put_levels(&b, f->m);
  buffer_puts(&b, "\n");
  put_steps(&b, p->root);
  buffer_puts(&b, "\n\n");
  plan_print_tree(&b, p);
  return b.text;
}

/* ---- Fig. 5 ---- */

/* The plan on the right of Fig. 5, whose steps stand above Fig. 10: P4, T2, then P1 and T2. */
static void fig_5_plan(void **state) {
  (void)state;
  Found f = search(micro, micro_cpu, NULL, -1);
  const Plan *p = with_text(&f, "process.asso_tiled(thread.serial; process>thread.serial)");
  golden_compare(f.a, "tests/golden/plans/micro-5.txt", printed(&f, p));
  const PlanNode *devolved = p->root->kid[1];
  assert_string_equal(p->root->rule->name, "P4");
  assert_string_equal(p->root->kid[0]->rule->name, "T2");
  assert_string_equal(devolved->rule->name, "P1");
  assert_string_equal(devolved->kid[0]->rule->name, "T2");
  assert_int_equal(p->kernels, 2); /* all threads, then one */
  plans_end(&f);
}

/* Nobody but a thread computes: whatever the plan, the process's results are one thread's work. */
static void the_process_leaves_its_results_to_one_thread(void **state) {
  (void)state;
  static const struct { const char *file, *machine; } all[] = {
      {micro, micro_cpu}, {micro, "avx2"}, {"codelets/sum.cdl", "avx2"}, {"codelets/sum.cdl", "neon"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    Found f = search(all[i].file, all[i].machine, NULL, 0);
    int devolved = 0;
    for (int k = 0; k < f.plans.list.n; k++) {
      const PlanNode *root = f.plans.list.at[k]->root;
      if (root->combine != COMBINE_SPECTRUM) continue;
      assert_null(root->kid[1]->rule->codelet);
      assert_string_equal(root->kid[1]->rule->name, "P1");
      assert_string_equal(root->rule->level->sync[root->sync].name, "barrier/join");
      devolved++;
    }
    assert_true(devolved > 0);
    plans_end(&f);
  }
}

/* ---- with vectors ---- */

/* Fig. 10 with lanes: neighbouring elements for a thread, of which its lanes take every eighth. */
static void fig_10_with_lanes(void **state) {
  (void)state;
  Found f = search(micro, "avx2", "process,thread,lane", -1);
  const Plan *p = with_text(&f, "process.asso_tiled(thread.stride_tiled(lane.serial; thread.kog); "
                                "process>thread.stride_tiled(lane.serial; thread.kog))");
  golden_compare(f.a, "tests/golden/plans/micro-10-lanes.txt", printed(&f, p));
  plans_end(&f);
}

/* The best plans cut the container as each level prefers it, though all codelets are there to choose from. */
static void adjacent_for_threads_strided_for_lanes(void **state) {
  (void)state;
  static const char *const machines[] = {"avx2", "avx512", "neon"};
  for (int i = 0; i < 3; i++) {
    Found f = search("codelets/sum.cdl", machines[i], NULL, 0);
    assert_true(f.plans.list.n >= 24);
    int both = 0;
    for (int k = 0; k < f.plans.list.n; k++) {
      const char *text = f.plans.list.at[k]->text;
      assert_null(strstr(text, "process.strided"));
      assert_null(strstr(text, "thread.tiled"));
      both += strstr(text, "process.tiled(thread.strided(") || strstr(text, "process.tiled!atomic(thread.strided(");
    }
    assert_true(both >= 12);
    plans_end(&f);
  }
}

/* Wide vectors and narrow ones make the same plans: they are sizes, no rules. */
static void plans_know_no_widths(void **state) {
  (void)state;
  Found f = search("codelets/sum.cdl", "avx2", NULL, 0);
  static const char *const others[] = {"avx512", "neon"};
  for (int i = 0; i < 2; i++) {
    Found g = search("codelets/sum.cdl", others[i], NULL, 0);
    for (int k = 0; k < f.plans.list.n; k++) {
      const Plan *p = f.plans.list.at[k], *q = with_text(&g, p->text);
      assert_string_equal(p->id, q->id);
      assert_int_equal(q->sizes.at[0].tunable.min, g.m->vector_width); /* a thread's lanes */
      assert_int_equal(q->sizes.at[0].tunable.max, g.m->vector_width);
      assert_int_equal(q->sizes.at[0].tunable.value, g.m->vector_width);
    }
    plans_end(&g);
  }
  plans_end(&f);
}

/* ---- one set of rules ---- */

static const char *rules_text(Arena *a, const char *machine, const char *levels) {
  Rules program = rules_extract(a, spectra_parse(a, micro)->spectra[0]);
  Rules special = rules_specialise(a, &program, spectra_machine(a, machine, levels));
  Buffer b = buffer_new(a);
  rules_print(&b, &special);
  return b.text;
}

/* With other letters for its levels, a CPU with vectors has the rules of Fig. 6, to the last step. */
static void the_rules_are_those_of_a_gpu(void **state) {
  (void)state;
  static const char from[] = "GBT", to[] = "PTL";
  Arena *a = arena_new();
  char *gpu = arena_strdup(a, rules_text(a, "tests/specs/micro-gpu.yaml", NULL));
  for (char *s = gpu; *s; s++) {
    const char *level = strchr(from, *s);
    if (level) *s = to[level - from];
  }
  assert_string_equal(rules_text(a, "avx2", "process,thread,lane"), gpu);
  arena_free(a);
}

static const Rule *named(const Rules *r, const char *name) {
  for (int i = 0; i < r->list.n; i++)
    if (strcmp(r->list.at[i]->name, name) == 0) return r->list.at[i];
  fail_msg("no rule %s", name);
  return NULL;
}

/* Fig. 8: what is tried first is what the level prefers. */
static void fig_8_order(void **state) {
  (void)state;
  Arena *a = arena_new();
  Rules program = rules_extract(a, spectra_parse(a, "codelets/sum.cdl")->spectra[0]);
  Rules r = rules_specialise(a, &program, spectra_machine(a, "avx2", "process,thread,lane"));
  const Rule *tiles = named(&r, "P3"), *strides = named(&r, "P4"), *join = named(&r, "P1");
  const Level *process = tiles->level;
  assert_true(prune_compare(tiles, strides, process, false) < 0);
  assert_true(prune_compare(strides, join, process, false) < 0); /* distributes */
  tiles = named(&r, "T3"), strides = named(&r, "T4");
  assert_true(prune_compare(strides, tiles, tiles->level, false) < 0);
  const Rule *tree = named(&r, "T5");
  assert_true(prune_compare(strides, tree, tree->level, false) < 0); /* distributes */
  assert_true(prune_compare(tree, strides, tree->level, true) < 0);  /* in the last iteration: computes */
  arena_free(a);
}

static void all_rules_of_a_cpu(void **state) {
  (void)state;
  Arena *a = arena_new();
  Rules program = rules_extract(a, spectra_parse(a, "codelets/sum.cdl")->spectra[0]);
  Rules r = rules_specialise(a, &program, spectra_machine(a, "avx2", NULL));
  Buffer b = buffer_new(a);
  rules_print(&b, &r);
  golden_compare(a, "tests/golden/rules/sum-avx2.txt", b.text);
  arena_free(a);
}

/* ---- where a thread's part is read ---- */

static const char views[] = "tests/native/codelets/view_scans.cdl";

static const Plan *copying(const Found *f, int *many) {
  const Plan *found = NULL;
  *many = 0;
  for (int i = 0; i < f->plans.list.n; i++) {
    const Plan *p = f->plans.list.at[i];
    bool copies = strstr(p->text, "!chained!copy(") != NULL;
    assert_int_equal(plan_placed(p->root)->traversal, copies ? TRAVERSE_COPYING : TRAVERSE_PLAIN);
    if (copies) found = p, ++*many;
  }
  return found;
}

/* One copies, as the best of those that do not; its text says so, and so does the tree. */
static void what_is_computed_is_copied(void **state) {
  (void)state;
  Found f = search(views, "avx2", NULL, 0);
  int many;
  const Plan *p = copying(&f, &many);
  assert_int_equal(many, 1);
  assert_string_equal(traversal_labels[plan_placed(p->root)->traversal].placement, "copying");
  Buffer tree = buffer_new(f.a);
  plan_print_tree(&tree, p);
  assert_non_null(strstr(tree.text, "each part, from a copy: thread: regroups by `sliding'"));
  plans_end(&f);
}

static void what_lies_in_memory_is_not(void **state) {
  (void)state;
  int many;
  Found f = search("codelets/scan.cdl", "avx2", NULL, 0);
  copying(&f, &many);
  assert_int_equal(many, 0);
  plans_end(&f);
  f = search("codelets/scan.cdl", "avx2", NULL, -1); /* all are asked for */
  copying(&f, &many);
  assert_int_equal(many, 1);
  plans_end(&f);
}

static Spectrum *spectrum_named(Arena *a, const char *file, const char *name) {
  const Unit *unit = spectra_parse(a, file);
  for (int i = 0; i < unit->nspectra; i++)
    if (strcmp(unit->spectra[i]->name, name) == 0) return unit->spectra[i];
  fail_msg("no spectrum %s", name);
  return NULL;
}

/* Copying costs more than computing anew, and less than gathering anew. */
static void what_copying_costs(void **state) {
  (void)state;
  for (int gathers = 0; gathers < 2; gathers++) {
    Arena *a = arena_new();
    const Spectrum *s = spectrum_named(a, views, gathers ? "gathered_scan" : "product_scan");
    Found f = plans_of(a, s, spectra_machine(a, "avx2", NULL), (SearchOptions){0});
    assert_true(f.ok);
    int many, least = INT_MAX;
    const Plan *p = copying(&f, &many);
    for (int i = 0; i < f.plans.list.n; i++) {
      const Plan *q = f.plans.list.at[i];
      if (q != p && strstr(q->text, "!chained") && prune_cost(q->root) < least) least = prune_cost(q->root);
    }
    assert_true(gathers ? prune_cost(p->root) < least : prune_cost(p->root) > least);
    plans_end(&f);
  }
}

/* A thread's stack has room for so much. */
static void a_copy_is_limited(void **state) {
  (void)state;
  static const struct { int bytes, plans; } rows[] = {{8, 1}, {32, 1}, {33, 0}, {64, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *a = arena_new();
    Spectrum *s = spectra_parse(a, views)->spectra[0];
    s->widest = rows[i].bytes;
    Found f = plans_of(a, s, spectra_machine(a, "avx2", NULL), (SearchOptions){0});
    assert_true(f.ok);
    int many;
    copying(&f, &many);
    assert_int_equal(many, rows[i].plans);
    assert_int_equal(strstr(f.report.pruned.text, "a copy of more than 256 KB") != NULL, !rows[i].plans);
    plans_end(&f);
  }
}

/* Lanes that go through rows of their own copy them, transposed, where a row's elements lie side by side. */
static void rows_are_transposed(void **state) {
  (void)state;
  static const struct { const char *file, *machine; int plans; } rows[] = {
      {"codelets/gemv.cdl", "avx2", 1}, {"codelets/gemv.cdl", "neon", 1}, {"codelets/gemv_columns.cdl", "avx2", 0},
      {"codelets/segmented_sum.cdl", "avx2", 0}, {"codelets/gemv.cdl", "sm_90", 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Found f = search(rows[i].file, rows[i].machine, NULL, -1);
    const Plan *last = NULL;
    int many = 0;
    for (int k = 0; k < f.plans.list.n; k++) {
      const Plan *p = f.plans.list.at[k];
      bool transposed = strstr(p->text, "!transposed(") != NULL;
      assert_int_equal(plan_placed(p->root)->traversal == TRAVERSE_TRANSPOSED, transposed);
      many += transposed;
      if (transposed) last = p;
    }
    assert_int_equal(many, rows[i].plans);
    if (last) {
      assert_string_equal(last->text, "process.each/all-lanes!transposed(lane.serial)");
      assert_string_equal(traversal_labels[plan_placed(last->root)->traversal].placement, "copying, transposed");
      const Plan *caching = with_text(&f, "process.each/all-lanes(lane.serial)");
      assert_true(prune_cost(last->root) < prune_cost(caching->root));
      assert_int_equal(last->determinism, caching->determinism);
    }
    plans_end(&f);
  }
}

/* A thread takes several rows at once where these lie in memory one behind the other, and all are multiplied by the
 * same: each of the cheapest plans for a row, which holds vectors in registers. */
static void rows_are_jammed(void **state) {
  (void)state;
  static const struct { const char *file, *machine; int plans; } rows[] = {
      {"codelets/gemv.cdl", "avx2", 2}, {"codelets/gemv.cdl", "neon", 2}, {"codelets/gemv_columns.cdl", "avx2", 0},
      {"codelets/segmented_sum.cdl", "avx2", 0}, {"codelets/gemv.cdl", "sm_90", 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Found f = search(rows[i].file, rows[i].machine, NULL, -1);
    int many = 0;
    for (int k = 0; k < f.plans.list.n; k++) {
      const Plan *p = f.plans.list.at[k];
      const char *jammed = strstr(p->text, "process.each!jammed(");
      assert_int_equal(plan_work(p->root)->traversal == TRAVERSE_JAMMED, jammed != NULL);
      many += jammed != NULL;
      if (!jammed) continue;
      const Plan *apart = with_text(&f, arena_printf(f.a, "process.each(%s", jammed + strlen("process.each!jammed(")));
      assert_true(prune_cost(p->root) < prune_cost(apart->root));
      assert_int_equal(p->determinism, apart->determinism);
      assert_non_null(strstr(p->text, "lane.strided(ilp.serial; lane.serial)"));
    }
    assert_int_equal(many, rows[i].plans);
    plans_end(&f);
  }
}

/* Vectors of more than 32 bytes go by halves too, where an element is computed of several arrays: beside the plan with
 * whole ones, which the search expects to be the better one, and with the same bits. */
static void views_go_by_halves(void **state) {
  (void)state;
  static const struct { const char *file, *machine; bool some; } rows[] = {
      {"codelets/dot.cdl", "avx512", true}, {"codelets/dot.cdl", "avx2", false}, {"codelets/dot.cdl", "neon", false},
      {"codelets/sum.cdl", "avx512", false}, {"codelets/dot.cdl", "sm_90", false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Found f = search(rows[i].file, rows[i].machine, NULL, 0);
    int many = 0;
    for (int k = 0; k < f.plans.list.n; k++) {
      const Plan *p = f.plans.list.at[k];
      const char *halves = strstr(p->text, "!halves(");
      many += halves != NULL;
      if (!halves) continue;
      const int before = (int)(halves - p->text);
      const Plan *whole = with_text(&f, arena_printf(f.a, "%.*s(%s", before, p->text, halves + strlen("!halves(")));
      assert_true(prune_cost(p->root) > prune_cost(whole->root));
      assert_int_equal(p->determinism, whole->determinism);
    }
    assert_int_equal(many > 0, rows[i].some);
    plans_end(&f);
  }
}

/* Rows, one behind the other in memory, come first, and then the whole of another container. */
static void maps_whose_rows_share(void **state) {
  (void)state;
  static const struct { const char *parameters, *of; bool share;
  } rows[] = {{"x, const Array<1, T> y", "rows(A), v", true},
              {"x, const Array<1, T> y", "v, rows(A)", false},
              {"x", "rows(A)", false},
              {"x, T y", "rows(A), T(2)", false},
              {"x, const Array<1, T> y", "rows(A), rows(A)", false},
              {"x, const Array<1, T> y", "columns(A), v", false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Arena *a = arena_new();
    const char *text = arena_printf(
        a, "template <typename T> __codelet __tag(serial)\n"
           "T one(const Array<1, T> %s) { T a = 0; for (unsigned i = 0; i < x.Size(); ++i) a += x[i]; return a; }\n"
           "template <typename T> __codelet __tag(each)\n"
           "void all(const Array<2, T> A, const Array<1, T> v, __mutable Array<1, T> out) {\n"
           "  Map m(one<T>, %s);\n  m.to(out);\n}\n", rows[i].parameters, rows[i].of);
    const Unit *unit = spectra_parse_text(a, text, NULL, diagnostics_new(a));
    const PlanLines lines = plan_lines(unit->spectra[1]->codelets[0]);
    if ((lines.contiguous && lines.whole) != rows[i].share) fail_msg("%s", rows[i].of);
    arena_free(a);
  }
}

/* Which codelets take a row in order: what stands in the loop, and beside it, decides. */
static void loops_that_take_rows_in_order(void **state) {
  (void)state;
  static const struct { const char *body; bool fits; } rows[] = {
      {"for (unsigned i = 0; i < x.Size(); ++i) a += x[i] * y[i];", true},
      {"for (unsigned i = 0; i < x.Size(); ++i) { if (x[i] > 0) a += x[i]; }", true},
      {"for (unsigned i = 0; i < x.Size(); ++i) a += x[x.Size() - 1 - i];", false},
      {"for (unsigned i = 0; i < x.Size(); ++i) { if (x[i] > 9) break; a += x[i]; }", false},
      {"for (unsigned i = 1; i < x.Size(); ++i) a += x[i];", false},
      {"for (unsigned i = 0; i < x.Size(); i += 2) a += x[i];", false},
      {"for (unsigned i = 0; i < x.Size(); ++i) a += x[i]; for (unsigned i = 0; i < x.Size(); ++i) a += x[i];", false},
      {"for (unsigned i = 0; i < x.Size(); ++i) a += x[i]; if (x.Size() > 0) a += x[0];", false},
      {"for (unsigned i = 0; i < y.Size(); ++i) a += y[i];", false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (int first = 0; first < 2; first++) { /* only the map's first container is copied */
      Arena *a = arena_new();
      const char *text = arena_printf(
          a, "template <typename T> __codelet __tag(serial)\n"
             "T one(const Array<1, T> x, const Array<1, T> y) { T a = 0; %s return a; }\n"
             "template <typename T> __codelet __tag(each)\n"
             "void all(const Array<2, T> A, const Array<1, T> v, __like(A, 0) __mutable Array<1, T> out) {\n"
             "  Map m(one<T>, %s);\n  m.to(out);\n}\n",
          rows[i].body, first ? "rows(A), v" : "v, rows(A)");
      const Unit *unit = spectra_parse_text(a, text, NULL, diagnostics_new(a));
      const Codelet *by = unit->spectra[0]->codelets[0], *map = unit->spectra[1]->codelets[0];
      if (plan_rows_transpose(map, by) != (rows[i].fits && first)) fail_msg("%s, %d", rows[i].body, first);
      arena_free(a);
    }
}

/* Nobody copies on a GPU. */
static void a_gpu_has_no_copies(void **state) {
  (void)state;
  Found f = search(views, "sm_90", NULL, -1);
  for (int i = 0; i < f.plans.list.n; i++) assert_null(strstr(f.plans.list.at[i]->text, "copy"));
  plans_end(&f);
}

/* What lies side by side goes through a vector: a part's own elements, whose piece is then a thread's, or those of
 * neighbouring parts, whose pieces are its lanes'. One lane combines what threads have found, and of rows whose
 * elements lie apart none has vectors in flight. */
static void threads_share_parts(void **state) {
  (void)state;
  static const struct { const char *file, *has, *has_not; } rows[] = {
      {"codelets/gemv.cdl", "process.each(thread.products=thread.tiled/spread(thread.",
       "/all-lanes(lane.products=lane.tiled/spread("},
      {"codelets/segmented_sum.cdl", "process.each(thread.tiled/spread(thread.", "/all-lanes(lane.tiled/spread("},
      {"codelets/segmented_sum_offsets.cdl", "process.each(thread.tiled/spread(thread.",
       "/all-lanes(lane.tiled/spread("},
      {"codelets/gemv_columns.cdl", "process.each/all-lanes(lane.products=lane.tiled/spread(lane.",
       "(thread.products=thread.tiled/spread("}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Found f = search(rows[i].file, "avx512", NULL, 0);
    int shared = 0;
    for (int k = 0; k < f.plans.list.n; k++) {
      const Plan *p = f.plans.list.at[k];
      assert_null(strstr(p->text, rows[i].has_not));
      if (strstr(rows[i].file, "columns")) assert_null(strstr(p->text, "(lane.strided(ilp"));
      if (!plan_spread(p->root)) continue;
      shared++;
      assert_ptr_equal(strstr(p->text, rows[i].has), p->text);
      assert_non_null(strstr(p->text, "; lane.serial))"));
      assert_int_equal(p->kernels, 2);
      assert_int_equal(p->determinism, DETERMINISM_RUN_TO_RUN);
    }
    assert_int_equal(shared, strstr(rows[i].file, "columns") ? 1 : 3);
    plans_end(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fig_5_plan),
      cmocka_unit_test(the_process_leaves_its_results_to_one_thread),
      cmocka_unit_test(fig_10_with_lanes),
      cmocka_unit_test(adjacent_for_threads_strided_for_lanes),
      cmocka_unit_test(plans_know_no_widths),
      cmocka_unit_test(the_rules_are_those_of_a_gpu),
      cmocka_unit_test(fig_8_order),
      cmocka_unit_test(all_rules_of_a_cpu),
      cmocka_unit_test(what_is_computed_is_copied),
      cmocka_unit_test(what_lies_in_memory_is_not),
      cmocka_unit_test(what_copying_costs),
      cmocka_unit_test(a_copy_is_limited),
      cmocka_unit_test(rows_are_transposed),
      cmocka_unit_test(rows_are_jammed),
      cmocka_unit_test(views_go_by_halves),
      cmocka_unit_test(maps_whose_rows_share),
      cmocka_unit_test(loops_that_take_rows_in_order),
      cmocka_unit_test(a_gpu_has_no_copies),
      cmocka_unit_test(threads_share_parts),
  };
  return cmocka_run_group_tests_name("cpu plans", tests, NULL, NULL);
}
