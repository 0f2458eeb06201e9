/* Trees: constants worked out as C would, copies, equality. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ir/operator.h"

static void constants_of_each_type(void **state) {
  (void)state;
  Arena *a = arena_new();
  int64_t v = 0;
  Tree *zero = tree_int(a, TYPE_UINT, 0), *one = tree_int(a, TYPE_UINT, 1), *five = tree_int(a, TYPE_UINT, 5);
  Tree *less = tree_int(a, TYPE_INT, -1), *most = tree_int(a, TYPE_INT, INT32_MAX);
  assert_true(tree_constant(tree_binary(a, OP_ADD, TYPE_UINT, one, five), &v));
  assert_int_equal(v, 6);
  assert_false(tree_constant(tree_binary(a, OP_SUB, TYPE_UINT, zero, one), &v)); /* wraps */
  assert_false(tree_constant(tree_binary(a, OP_GT, TYPE_BOOL, tree_binary(a, OP_SUB, TYPE_UINT, zero, one), five), &v));
  assert_false(tree_constant(tree_binary(a, OP_LT, TYPE_BOOL, less, one), &v)); /* C compares 4294967295 with 1 */
  assert_false(tree_constant(tree_binary(a, OP_ADD, TYPE_INT, most, tree_int(a, TYPE_INT, 1)), &v));
  assert_true(tree_constant(tree_binary(a, OP_ADD, TYPE_INDEX, most, tree_int(a, TYPE_INDEX, 1)), &v));
  assert_int_equal(v, (int64_t)INT32_MAX + 1);
  assert_false(tree_constant(tree_binary(a, OP_DIV, TYPE_INT, most, tree_int(a, TYPE_INT, 0)), &v));
  Tree *three = tree_int(a, TYPE_FLOAT, 3), *two = tree_int(a, TYPE_FLOAT, 2);
  assert_false(tree_constant(tree_binary(a, OP_DIV, TYPE_FLOAT, three, two), &v)); /* 1.5 */
  assert_false(tree_constant(tree_binary(a, OP_DIV, TYPE_ELEM, three, two), &v));
  assert_true(tree_constant(tree_binary(a, OP_DIV, TYPE_FLOAT, tree_int(a, TYPE_FLOAT, 6), two), &v));
  assert_int_equal(v, 3);
  assert_false(tree_constant(tree_unary(a, OP_NEG, TYPE_FLOAT, tree_int(a, TYPE_FLOAT, 0)), &v)); /* -0 */
  assert_false(tree_constant(tree_int(a, TYPE_FLOAT, (1 << 24) + 1), &v)); /* rounded */
  arena_free(a);
}

static void long_chains_take_no_longer_than_they_are(void **state) {
  (void)state;
  Arena *a = arena_new();
  Tree *t = tree_int(a, TYPE_INT, 1);
  for (int i = 0; i < 300; i++) t = tree_binary(a, OP_ADD, TYPE_INT, t, tree_int(a, TYPE_INT, 1));
  int64_t v = 0;
  assert_true(tree_constant(t, &v));
  assert_int_equal(v, 301);
  arena_free(a);
}

static void a_clone_shares_nothing_it_declares(void **state) {
  (void)state;
  Arena *a = arena_new(), *b = arena_new();
  Symbol *outside = symbol_new(a, SYMBOL_PARAM, "n", TYPE_INDEX), *local = symbol_new(b, SYMBOL_LOCAL, "x", TYPE_INT);
  Tree *declare = tree_new(b, OP_DECLARE, TYPE_VOID, (SourceRange){0}, 1), *use = tree_ref(b, local);
  declare->symbol = local;
  declare->kid[0] = tree_ref(b, outside);
  Tree *statements[] = {declare, use};
  Tree *seq = tree_seq(b, statements, 2), *copy = tree_clone(a, seq);
  arena_free(b);
  assert_ptr_not_equal(copy->kid[0]->symbol, local);
  assert_ptr_equal(copy->kid[0]->symbol, copy->kid[1]->symbol);
  assert_string_equal(copy->kid[0]->symbol->name, "x");
  assert_ptr_equal(copy->kid[0]->kid[0]->symbol, outside);
  arena_free(a);
}

/* What rounds is exact on integers alone; what is no monoid, nowhere. */
static void operators_and_order(void **state) {
  (void)state;
  for (int op = OPERATOR_ADD; op <= OPERATOR_XOR; op++) {
    bool rounds = op == OPERATOR_ADD || op == OPERATOR_MUL;
    assert_true(operator_is_exact((OperatorKind)op, false));
    assert_int_equal(operator_is_exact((OperatorKind)op, true), !rounds);
    AtomicOp atomic = operator_atomic((OperatorKind)op);
    if (atomic != ATOMIC_NONE) assert_int_equal(operator_of_atomic(atomic), op);
  }
  assert_false(operator_is_exact(OPERATOR_NONE, false));
  assert_int_equal(operator_of_atomic(ATOMIC_SUB), OPERATOR_NONE);
  assert_int_equal(operator_of_atomic(ATOMIC_NONE), OPERATOR_NONE);
  assert_int_equal(operator_of(OP_SUB), OPERATOR_NONE);
}

/* All bits of a narrow unsigned type are not all bits of a wider one. */
static void identities_behind_casts(void **state) {
  (void)state;
  Arena *a = arena_new();
  Tree *minus = tree_int(a, TYPE_INT, -1), *bits = tree_int(a, TYPE_UINT, -1);
  assert_true(operator_is_identity(OPERATOR_AND, minus));
  assert_true(operator_is_identity(OPERATOR_AND, bits));
  assert_true(operator_is_identity(OPERATOR_AND, tree_unary(a, OP_CAST, TYPE_ULONG, minus)));
  assert_true(operator_is_identity(OPERATOR_AND, tree_unary(a, OP_CAST, TYPE_UINT, minus)));
  assert_false(operator_is_identity(OPERATOR_AND, tree_unary(a, OP_CAST, TYPE_ULONG, bits)));
  assert_false(operator_is_identity(OPERATOR_AND, tree_unary(a, OP_CAST, TYPE_ELEM, bits)));
  Tree *narrow = tree_unary(a, OP_CAST, TYPE_UINT, minus);
  assert_false(operator_is_identity(OPERATOR_AND, tree_unary(a, OP_CAST, TYPE_INDEX, narrow)));
  assert_true(operator_is_identity(OPERATOR_ADD, tree_unary(a, OP_CAST, TYPE_ELEM, tree_int(a, TYPE_UINT, 0))));
  Tree *lowest = operator_identity(a, OPERATOR_MAX, TYPE_INT);
  assert_true(operator_is_identity(OPERATOR_MAX, lowest));
  assert_false(operator_is_identity(OPERATOR_MAX, tree_unary(a, OP_CAST, TYPE_ELEM, lowest)));
  arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(constants_of_each_type),
                                     cmocka_unit_test(long_chains_take_no_longer_than_they_are),
                                     cmocka_unit_test(a_clone_shares_nothing_it_declares),
                                     cmocka_unit_test(operators_and_order), cmocka_unit_test(identities_behind_casts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
