/* facts_test.c: what is remembered of sums holds as long as what they are made of, and no longer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ir/build.h"
#include "passes/facts.h"

typedef struct Case { Arena *a; Kernel kernel; Facts facts; } Case;

static Case *begin(void **state) {
  Case *c = *state;
  c->facts = facts_begin(c->a, &c->kernel);
  return c;
}

static int open_case(void **state) {
  Arena *a = arena_new();
  Case *c = arena_one(a, Case);
  c->a = a;
  c->kernel.vector = 32;
  *state = c;
  return 0;
}

static int close_case(void **state) {
  arena_free(((Case *)*state)->a);
  return 0;
}

static Symbol *local(Case *c, const char *name) { return symbol_new(c->a, SYMBOL_LOCAL, name, TYPE_INT); }

static Tree *plus(Case *c, Tree *x, Tree *y) { return tree_binary(c->a, OP_ADD, TYPE_INT, x, y); }

static void sets(Case *c, Symbol *s, int64_t value) { facts_assign(&c->facts, s, tree_int(c->a, TYPE_INT, value)); }

static void is(Case *c, const Tree *t, int64_t value) {
  const Range r = facts_value(&c->facts, t);
  assert_int_equal(r.lo, value);
  assert_int_equal(r.hi, value);
}

/* A sum is made anew when one of its variables changes, also one that another stands for; not for others. */
static void changes(void **state) {
  Case *c = begin(state);
  Symbol *x = local(c, "x"), *y = local(c, "y"), *z = local(c, "z");
  Tree *twice = plus(c, tree_ref(c->a, x), tree_ref(c->a, x)), *sum = plus(c, tree_ref(c->a, y), tree_ref(c->a, x));
  sets(c, x, 1);
  facts_assign(&c->facts, y, twice);
  is(c, sum, 3);
  sets(c, z, 7);
  is(c, sum, 3);
  sets(c, x, 10); /* y is what it was */
  is(c, twice, 20);
  is(c, sum, 12);
  facts_assign(&c->facts, y, twice);
  is(c, sum, 30);
}

/* .. and when one of a part's does, whether that was made on the way or before. */
static void parts(void **state) {
  Case *c = begin(state);
  Symbol *x = local(c, "x"), *y = local(c, "y");
  Tree *part = plus(c, tree_ref(c->a, x), tree_int(c->a, TYPE_INT, 1)), *whole = plus(c, tree_ref(c->a, y), part);
  for (int before = 0; before < 2; before++) {
    sets(c, x, 1);
    sets(c, y, 10);
    if (before) is(c, part, 2);
    is(c, whole, 12);
    sets(c, y, 20);
    is(c, whole, 22);
    sets(c, x, 2);
    is(c, whole, 23);
  }
}

/* Variables are what they were where one goes back to, whatever was asked in between. */
static void returns(void **state) {
  Case *c = begin(state);
  Symbol *x = local(c, "x");
  Tree *sum = plus(c, tree_ref(c->a, x), tree_int(c->a, TYPE_INT, 5));
  sets(c, x, 1);
  is(c, sum, 6);
  const Facts before = facts_copy(&c->facts);
  for (int64_t i = 2; i < 5; i++) {
    sets(c, x, i);
    is(c, sum, i + 5);
    facts_return(&c->facts, &before);
    is(c, sum, 6);
  }
}

/* What is known holds in its part of the text, for sums that were asked for before it, too. */
static void conditions(void **state) {
  Case *c = begin(state);
  Symbol *x = symbol_new(c->a, SYMBOL_PARAM, "x", TYPE_INT);
  Tree *sum = plus(c, tree_ref(c->a, x), tree_int(c->a, TYPE_INT, 1));
  Tree *small = build_compare(c->a, OP_LT, tree_ref(c->a, x), tree_int(c->a, TYPE_INT, 8));
  Tree *at_most = build_compare(c->a, OP_LE, sum, tree_int(c->a, TYPE_INT, 8));
  Tree *not_less = build_compare(c->a, OP_GE, tree_ref(c->a, x), tree_int(c->a, TYPE_INT, 0));
  Tree *rest = tree_binary(c->a, OP_REM, TYPE_INT, tree_ref(c->a, x), tree_int(c->a, TYPE_INT, 8));
  assert_int_equal(facts_decide(&c->facts, at_most), -1);
  assert_int_equal(facts_linear(&c->facts, rest).term[0].atom.kind, ATOM_TREE);
  const int mark = facts_mark(&c->facts);
  facts_assume(&c->facts, small, true);
  facts_assume(&c->facts, not_less, true);
  assert_int_equal(facts_decide(&c->facts, at_most), 1);
  assert_ptr_equal(facts_linear(&c->facts, rest).term[0].atom.symbol, x); /* it is x */
  facts_release(&c->facts, mark);
  assert_int_equal(facts_decide(&c->facts, at_most), -1);
  assert_int_equal(facts_linear(&c->facts, rest).term[0].atom.kind, ATOM_TREE);
}

/* v0, v1 = v0 + 1, v2 = v1 + 1, ..: more of them than are looked into, so that a sum ends at another variable from
 * wherever it is asked. */
enum { CHAIN = 24 };
typedef struct Chain { Symbol *of[CHAIN]; Tree *next[CHAIN]; } Chain;

static void declare(Case *c, const Chain *all) {
  for (int i = 1; i < CHAIN; i++) facts_assign(&c->facts, all->of[i], all->next[i - 1]);
}

static Linear asked(Case *c, const Chain *all, int i) { return facts_linear(&c->facts, all->next[i]); }

static void depth(void **state) {
  Case *c = begin(state);
  Chain all;
  Linear alone[CHAIN];
  for (int i = 0; i < CHAIN; i++) {
    all.of[i] = local(c, arena_printf(c->a, "v%d", i));
    all.next[i] = plus(c, tree_ref(c->a, all.of[i]), tree_int(c->a, TYPE_INT, 1));
  }
  Tree *other = build_compare(c->a, OP_LT, tree_ref(c->a, local(c, "other")), tree_int(c->a, TYPE_INT, 8));
  for (int i = 0; i < CHAIN;
       i++) { /* each by itself: what was found before it was known that `other' is small is not used */
    begin(state);
    declare(c, &all);
    facts_assume(&c->facts, other, true);
    alone[i] = asked(c, &all, i);
    assert_int_equal(alone[i].n, 1);
  }
  assert_int_equal(alone[3].constant, 4); /* v0 and 4 */
  assert_true(alone[CHAIN - 1].constant > 4 && alone[CHAIN - 1].constant < CHAIN);
  for (int upwards = 0; upwards < 2; upwards++) {
    begin(state);
    declare(c, &all);
    for (int turn = 0; turn < 2; turn++)
      for (int k = 0; k < CHAIN; k++) {
        const int i = upwards ? k : CHAIN - 1 - k;
        const Linear x = asked(c, &all, i);
        assert_int_equal(x.constant, alone[i].constant);
        assert_true(x.n == 1 && atom_equal(&x.term[0].atom, &alone[i].term[0].atom));
      }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(changes, open_case, close_case),
      cmocka_unit_test_setup_teardown(parts, open_case, close_case),
      cmocka_unit_test_setup_teardown(returns, open_case, close_case),
      cmocka_unit_test_setup_teardown(conditions, open_case, close_case),
      cmocka_unit_test_setup_teardown(depth, open_case, close_case),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
