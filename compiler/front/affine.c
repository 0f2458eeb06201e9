/* affine.c: what a turn of a loop makes of a number that it goes on with,
 *
 *     run = a[i] * run + x[i];                      run * by + add
 *     here = max(here + x[i], 0);                   max(here + by, add)
 *
 * in one of three algebras: sums of products, the greatest of sums, the least of sums. One turn after another is such a
 * turn again, so turns can be combined in any grouping, and loops of them scanned or reduced (recurrences.c). */
#include "front/affine.h"

#include "ir/build.h"
#include "ir/operator.h"

/* What makes the sum, or the greatest, of two. */
static Op joining(const Affines *l) {
  return l->kind == AFFINE_SUMS ? OP_ADD : l->kind == AFFINE_GREATEST ? OP_MAX : OP_MIN;
}

static Tree *nothing(const Affines *l) { return operator_identity(l->a, operator_of(joining(l)), l->y->type); }

Affine affine_same(const Affines *l) { return (Affine){tree_int(l->a, l->y->type, l->kind == AFFINE_SUMS), NULL}; }

const char *affine_operator(AffineKind kind) {
  static const char *const words[] = {"LinearTurn", "GreatestTurn", "LeastTurn"};
  return words[kind];
}

static Tree *joined(const Affines *l, Op op, Tree *x, Tree *z) {
  if (!z) return x;
  if (!x) return op == OP_SUB ? tree_unary(l->a, OP_NEG, z->type, z) : z;
  return tree_binary(l->a, op, x->type, x, z);
}

/* x times a number, or with it added: `first' says where the number stands. */
static Tree *moved(const Affines *l, Op op, Tree *x, const Tree *number, bool first) {
  if (!x) return NULL;
  Tree *n = tree_clone(l->a, (Tree *)number);
  if ((op == OP_MUL && build_is(x, 1)) || (op == OP_ADD && build_is(x, 0))) return n;
  return first ? tree_binary(l->a, op, x->type, n, x) : tree_binary(l->a, op, x->type, x, n);
}

/* By which of two operands y may be moved: by a factor, or, where the greatest is looked for, by what is added to it.
 * Quotients of whole numbers are cut off. */
static bool moves(const Affines *l, Op op, bool second) {
  if (l->kind != AFFINE_SUMS) return op == OP_ADD || (op == OP_SUB && !second);
  const bool real = l->y->type == TYPE_ELEM ? l->real : !type_is_whole(l->y->type);
  return op == OP_MUL || (op == OP_DIV && !second && real);
}

static bool of_two(const Affines *l, const Tree *t, Affine now, Affine *out) {
  const bool first = tree_mentions(t->kid[0], l->y), second = tree_mentions(t->kid[1], l->y);
  Affine x, z;
  if (first != second && moves(l, t->op, second)) {
    if (!affine_of(l, t->kid[second], now, &x)) return false;
    const Tree *by = t->kid[!second];
    *out = (Affine){moved(l, t->op, x.by, by, second), moved(l, t->op, x.add, by, second)};
    return true;
  }
  if (t->op != joining(l) && !(l->kind == AFFINE_SUMS && t->op == OP_SUB)) return false;
  if (!affine_of(l, t->kid[0], now, &x) || !affine_of(l, t->kid[1], now, &z)) return false;
  *out = (Affine){joined(l, t->op, x.by, z.by), joined(l, t->op, x.add, z.add)};
  return true;
}

Affine affine_choice(const Affines *l, Tree *condition, Affine x, Affine z) {
  x = affine_whole(l, x);
  z = affine_whole(l, z);
  Tree *other = tree_clone(l->a, condition);
  return (Affine){tree_equal(x.by, z.by) ? x.by : build_choice(l->a, condition, x.by, z.by),
                  tree_equal(x.add, z.add) ? x.add : build_choice(l->a, other, x.add, z.add)};
}

static bool of_choice(const Affines *l, const Tree *t, Affine now, Affine *out) {
  Affine x, z;
  if (tree_mentions(t->kid[0], l->y)) return false;
  if (!affine_of(l, t->kid[1], now, &x) || !affine_of(l, t->kid[2], now, &z)) return false;
  *out = affine_choice(l, tree_clone(l->a, t->kid[0]), x, z);
  return true;
}

bool affine_of(const Affines *l, const Tree *t, Affine now, Affine *out) {
  if (!tree_mentions(t, l->y)) {
    *out = (Affine){NULL, tree_clone(l->a, (Tree *)t)};
    return true;
  }
  if (t->type != l->y->type) return false;
  switch (t->op) {
    case OP_REF: *out = now; return true;
    case OP_CAST: return affine_of(l, t->kid[0], now, out);
    case OP_COND: return of_choice(l, t, now, out);
    case OP_NEG:
      if (l->kind != AFFINE_SUMS || !affine_of(l, t->kid[0], now, out)) return false;
      *out = (Affine){joined(l, OP_SUB, NULL, out->by), joined(l, OP_SUB, NULL, out->add)};
      return true;
    default: return t->nkids == 2 && of_two(l, t, now, out);
  }
}

Affine affine_whole(const Affines *l, Affine x) {
  return (Affine){x.by ? x.by : nothing(l), x.add ? x.add : nothing(l)};
}

Tree *affine_apply(const Affines *l, Affine x, Tree *number) {
  Tree *at = x.by ? moved(l, l->kind == AFFINE_SUMS ? OP_MUL : OP_ADD, number, x.by, true) : NULL;
  return joined(l, joining(l), at, x.add);
}
