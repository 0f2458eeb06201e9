/* abilities_test.c: what levels can do, and that plans follow from that alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "compose/choose.h"
#include "golden.h"
#include "machines.h"
#include "plans.h"

typedef struct Expected {
  const char *name;
  Lanes lanes;
  BindTime bind;
  const char *can; /* a letter an ability, in the order of the struct: Launched .. Copies */
} Expected;

/* The abilities that are either there or not, as letters. */
static const char *letters(Arena *a, const Abilities *c) {
  const struct { bool has; char letter; } all[] = {
      {c->launched, 'l'}, {c->reaches, 'r'}, {c->shares, 's'}, {c->exchanges, 'e'},
      {c->factor, 'f'},   {c->holds, 'h'},   {c->few, 'w'},    {c->copies, 'c'}};
  char *text = arena_alloc(a, sizeof all / sizeof *all + 1), *at = text;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].has) *at++ = all[i].letter;
  *at = '\0';
  return text;
}

static void check(Arena *a, const Arch *m, const Expected *expected, int n) {
  assert_int_equal(m->nlevels, n);
  for (int i = 0; i < n; i++) {
    const Level *l = &m->levels[i];
    assert_string_equal(l->name, expected[i].name);
    assert_int_equal(l->can.lanes, expected[i].lanes);
    assert_int_equal(l->can.bind, expected[i].bind);
    assert_string_equal(letters(a, &l->can), expected[i].can);
  }
}

static void test_of_a_gpu(void **state) {
  static const Expected levels[] = {
      {"grid", LANES_SEPARATE, BIND_LAUNCH, "l"},     {"cluster", LANES_SEPARATE, BIND_LAUNCH, "r"},
      {"block", LANES_TUNED, BIND_COMPILE, "s"},   {"warp", LANES_FIXED, BIND_CONSTANT, "e"},
      {"warp/8", LANES_FIXED, BIND_CONSTANT, "ef"}, {"warp/4", LANES_FIXED, BIND_CONSTANT, "ef"},
      {"thread", LANES_ONE, BIND_CONSTANT, ""},    {"ilp", LANES_NONE, BIND_COMPILE, "h"}};
  Fixture *f = *state;
  const Arch *m = machines_shipped(f, "sm_90");
  check(f->a, m, levels, 8);
  assert_string_equal(arch_sharing(m)->name, "block");
  assert_string_equal(arch_lane(m)->name, "thread");
  assert_true(m->loads_align && m->orders_zeros);
  assert_false(m->one_vector || m->lanes_in_order);
  for (int i = 0; i < m->nlevels; i++)
    assert_int_equal(m->levels[i].optional, m->levels[i].can.reaches || m->levels[i].can.factor);
}

static void test_of_a_cpu(void **state) {
  static const Expected levels[] = {{"process", LANES_SEPARATE, BIND_LAUNCH, "lw"},
                                    {"thread", LANES_TUNED, BIND_COMPILE, "sc"},
                                    {"lane", LANES_ONE, BIND_CONSTANT, ""}, {"ilp", LANES_NONE, BIND_COMPILE, "h"}};
  Fixture *f = *state;
  const Arch *m = machines_shipped(f, "avx512");
  check(f->a, m, levels, 4);
  assert_true(m->one_vector && m->lanes_in_order);
  assert_false(m->loads_align || m->orders_zeros);
}

/* A sub-warp and a cluster of sizes that no shipped machine has, and a machine without some of its levels. */
static void test_of_other_sizes(void **state) {
  Fixture *f = *state;
  const Arch *m = machines_load(f, "tests/specs/subwarps.yaml");
  const Level *sixteen = arch_level(m, "warp/16"), *warp = arch_level(m, "warp");
  assert_string_equal(letters(f->a, &sixteen->can), "ef");
  assert_int_equal(sixteen->can.lanes, LANES_FIXED);
  assert_int_equal(warp->width_usual, 32);
  const char *text = machines_edited(f, "sm_90", "{min: 1, max: 8, default: 8}", "{min: 1, max: 4, default: 4}");
  const Arch *four = machines_parse(f, text, strlen(text));
  const Level *cluster = arch_level(four, "cluster");
  assert_string_equal(letters(f->a, &cluster->can), "r");
  assert_int_equal(cluster->width_default, 4);
  assert_int_equal(cluster->width_usual, 8); /* what depends on it is not the same on all machines */
  const Arch *fewer = arch_with_levels(f->a, four, "grid,block,warp,thread", f->d);
  assert_string_equal(letters(f->a, &fewer->levels[1].can), "s");
  assert_true(arch_sharing(fewer) == &fewer->levels[1] && arch_lane(fewer) == &fewer->levels[3]);
}

/* The texts of all plans, in their order, and of what was refused. */
static const char *texts(const Found *f) {
  Buffer b = buffer_new(f->a);
  for (int i = 0; i < f->plans.list.n; i++) {
    const Plan *p = f->plans.list.at[i];
    buffer_printf(&b, "%s %s %s\n", p->id, p->text, determinism_name(p->determinism));
  }
  buffer_puts(&b, f->report.pruned.text);
  return b.text;
}

/* How levels are realised, and that a machine is a CPU, is for those that carry plans out: composition finds the same
 * plans when it cannot tell. */
static void test_plans_follow_from_abilities(void **state) {
  static const char *const files[] = {"codelets/sum.cdl", "codelets/scan.cdl", "codelets/gemv.cdl",
                                      "codelets/segmented_sum_offsets.cdl", "codelets/histogram.cdl"};
  static const char *const names[] = {"sm_90", "avx512"};
  Fixture *fixture = *state;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
      Arch *m = machines_shipped(fixture, names[k]), *blank = machines_shipped(fixture, names[k]);
      blank->is_cpu = !m->is_cpu;
      for (int l = 0; l < blank->nlevels; l++) blank->levels[l].real = REAL_HOST;
      const Spectrum *s = spectra_parse(fixture->a, files[i])->spectra[0];
      const Found told = plans_of(fixture->a, s, m, (SearchOptions){0});
      const Found untold = plans_of(fixture->a, s, blank, (SearchOptions){0});
      assert_true(told.ok && told.plans.list.n > 0);
      assert_string_equal(texts(&told), texts(&untold));
    }
}

/* So are a cluster of another size, and a level of another name. */
static void test_plans_of_other_sizes(void **state) {
  Fixture *f = *state;
  const char *text = machines_edited(f, "sm_90", "{min: 1, max: 8, default: 8}", "{min: 1, max: 4, default: 4}");
  Arch *four = machines_parse(f, text, strlen(text));
  const Spectrum *s = spectra_parse(f->a, "codelets/sum.cdl")->spectra[0];
  const Found eight = plans_of(f->a, s, machines_shipped(f, "sm_90"), (SearchOptions){0});
  assert_true(plans_with(&eight, "cluster") > 0);
  const Found smaller = plans_of(f->a, s, four, (SearchOptions){0});
  assert_int_equal(plans_with(&smaller, "cluster"), plans_with(&eight, "cluster"));
  ((Level *)arch_level(four, "cluster"))->name = "quartet";
  const Found renamed = plans_of(f->a, s, four, (SearchOptions){0});
  assert_int_equal(plans_with(&renamed, "quartet"), plans_with(&eight, "cluster"));
  assert_int_equal(renamed.plans.list.n, eight.plans.list.n);
}

/* ---- figures that were measured ---- */

/* What a file leaves out is what was measured on those that say it. */
static void test_usual_figures(void **state) {
  static const char *const names[] = {"sm_90", "avx512", "sm_60", "avx2"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const Arch *m = machines_shipped(*state, names[i]);
    Figures figures = m->measured;
    figures.tile_rows = m->usual->tile_rows; /* which follow from how many registers there are */
    assert_memory_equal(&figures, m->usual, sizeof figures);
  }
}

static const Plan *shortest(const Found *f, const char *part) {
  const Plan *found = NULL;
  for (int i = 0; i < f->plans.list.n; i++) {
    const Plan *p = f->plans.list.at[i];
    if (strstr(p->text, part) && (!found || strlen(p->text) < strlen(found->text))) found = p;
  }
  assert_non_null(found);
  return found;
}

/* A machine's own figures are what its plans begin with, and which of them serves which sizes; and what depends on a
 * figure that is not the usual one is not promised for all machines. */
static void test_figures_of_ones_own(void **state) {
  static const char own[] = "measured:\n  one_warp: 100\n  one_block: 5000\n  threads_wide: 128\n  loads: 4\nlimits:";
  Fixture *fixture = *state;
  const char *text = machines_edited(fixture, "sm_60", "limits:", own);
  const Arch *m = machines_parse(fixture, text, strlen(text)), *usual = machines_shipped(fixture, "sm_60");
  const Spectrum *s = spectra_parse(fixture->a, "codelets/sum.cdl")->spectra[0];
  const Found mine = plans_of(fixture->a, s, m, (SearchOptions){0});
  const Found theirs = plans_of(fixture->a, s, usual, (SearchOptions){0});
  const ElementType *types[] = {element_by_name("float")};
  const Table t = choose_by_size(mine.a, &mine.plans, types, 1, NULL, mine.d);
  assert_true(t.rows.n >= 3);
  assert_int_equal(t.rows.at[0].up_to, 100);
  assert_int_equal(t.rows.at[1].up_to, 5000);
  const Plan *p = shortest(&mine, "grid>block"), *q = plans_named(&theirs, p->text);
  assert_int_equal(p->sizes.at[0].tunable.value, 128);
  assert_int_equal(p->sizes.at[0].source, SOURCE_MACHINE);
  assert_non_null(q);
  assert_int_equal(q->sizes.at[0].tunable.value, 512);
  assert_int_equal(q->sizes.at[0].source, SOURCE_CONSTANT);
  const int slots = 1 + arch_lane(m)->depth;
  assert_int_equal(p->sizes.at[slots].tunable.value, 4);
  assert_int_equal(p->sizes.at[slots].source, SOURCE_MACHINE);
  assert_int_equal(q->sizes.at[slots].tunable.value, 2);
  assert_int_equal(q->sizes.at[slots].source, SOURCE_CONSTANT);
}

int main(void) {
  const struct CMUnitTest tests[] = {MACHINE_TEST(test_of_a_gpu),
                                     MACHINE_TEST(test_of_a_cpu),
                                     MACHINE_TEST(test_of_other_sizes),
                                     MACHINE_TEST(test_plans_follow_from_abilities),
                                     MACHINE_TEST(test_plans_of_other_sizes),
                                     MACHINE_TEST(test_usual_figures),
                                     MACHINE_TEST(test_figures_of_ones_own)};
  return cmocka_run_group_tests_name("abilities", tests, NULL, NULL);
}
