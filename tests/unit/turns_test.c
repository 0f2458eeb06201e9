/* turns_test.c: candidates that take turns on a machine whose speed changes are compared within each turn. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tune/tune.h"

enum { CANDIDATES = 5, TURNS = 9 };

static Turns taking(const double *us, int n) {
  Turns t = {.n = n};
  for (int k = 0; k < n; k++) t.of[k].mode[MODE_GRAPH] = (Timing){us[k], 0.9 * us[k], 1.1 * us[k]};
  return t;
}

static double middle(const Turns *t) { return turns_by_time(t, MODE_GRAPH, t->n / 2)->median; }

/* Two speeds of the machine, four turns of one and five of the other, and one candidate that had luck in one of them:
 * by itself that one looks as if it took half. */
static void moments_even_out(void **state) {
  (void)state;
  const double moments[TURNS] = {1, 2, 1, 2, 1, 2, 1, 2, 2}, takes[CANDIDATES] = {100, 104, 110, 130, 102};
  Turns all[CANDIDATES], *these[CANDIDATES];
  for (int i = 0; i < CANDIDATES; i++) {
    double us[TURNS];
    for (int k = 0; k < TURNS; k++) us[k] = takes[i] * moments[k];
    if (i == 3) us[8] = takes[i];
    all[i] = taking(us, TURNS);
    these[i] = &all[i];
  }
  assert_true(middle(&all[3]) < middle(&all[0]));
  Arena *a = arena_new();
  turns_even_out(a, these, CANDIDATES);
  for (int i = 0; i < CANDIDATES; i++) {
    assert_true(fabs(middle(&all[i]) - middle(&all[0]) * takes[i] / takes[0]) < 1e-9 * takes[i] || i == 3);
    const Timing t = all[i].of[1].mode[MODE_GRAPH];
    assert_true(fabs(t.low / t.median - 0.9) < 1e-9 && fabs(t.high / t.median - 1.1) < 1e-9);
  }
  assert_true(middle(&all[3]) > middle(&all[2]));
  arena_free(a);
}

/* Who was left out after two turns is held to those, and says nothing of the others' moments. */
static void who_left(void **state) {
  (void)state;
  const double steady[] = {10, 20, 10, 20, 10}, left[] = {30, 60, 0, 0, 0};
  Turns all[] = {taking(steady, 5), taking(steady, 5), taking(steady, 5), taking(left, 2)};
  Turns *const these[] = {&all[0], &all[1], &all[2], &all[3]};
  Arena *a = arena_new();
  turns_even_out(a, these, 4);
  for (int k = 0; k < 5; k++) assert_true(fabs(all[0].of[k].mode[MODE_GRAPH].median - 10) < 1e-9);
  for (int k = 0; k < 2; k++) assert_true(fabs(all[3].of[k].mode[MODE_GRAPH].median - 30) < 1e-9);
  arena_free(a);
}

/* Those that were left out had the quick moments of the machine, and the others slow ones besides: who was behind stays
 * behind, be there one that had all turns or several. */
static void who_left_early(void **state) {
  (void)state;
  enum { ALL = 9, EARLY = 3 };
  const double takes[] = {100, 104, 106, 108, 110};
  for (int stay = 1; stay <= 4; stay++) {
    Turns all[CANDIDATES], *these[CANDIDATES];
    for (int i = 0; i < CANDIDATES; i++) {
      double us[ALL];
      for (int k = 0; k < ALL; k++) us[k] = takes[i] * (k < EARLY ? 1 : 1.2);
      all[i] = taking(us, i < stay ? ALL : EARLY);
      these[i] = &all[i];
    }
    assert_true(middle(&all[stay]) < middle(&all[0]));
    Arena *a = arena_new();
    turns_even_out(a, these, CANDIDATES);
    for (int i = 0; i < CANDIDATES; i++)
      assert_true(fabs(middle(&all[i]) - 1.2 * takes[i]) < 1e-9 * takes[i]);
    arena_free(a);
  }
}

/* Two do not tell whether it was the machine or one of them; nor does anybody of a way to call that was not measured.
 */
static void too_few(void **state) {
  (void)state;
  const double x[] = {10, 20, 30}, y[] = {30, 10, 20};
  Turns all[] = {taking(x, 3), taking(y, 3)}, before[2];
  Turns *const these[] = {&all[0], &all[1]};
  memcpy(before, all, sizeof all);
  Arena *a = arena_new();
  turns_even_out(a, these, 2);
  assert_memory_equal(all, before, sizeof all);
  turns_even_out(a, these, 0);
  arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(moments_even_out), cmocka_unit_test(who_left),
                                     cmocka_unit_test(who_left_early), cmocka_unit_test(too_few)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
