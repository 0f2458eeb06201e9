/* selects.c: loops that keep the greatest or the least of what their turns compute, and what goes with it:
 *
 *     for (j ..) { T v = A(i, j) * w[j]; if (v > best) { best = v; place = j; label = kind[j]; } }
 *
 * Each turn knows of the others only what the best so far is. So turns may be taken in any order, by several lanes, if
 * of equal values the one of the first turn wins; of `>=' that of the last. A NaN is never chosen, whoever compares. */
#include "front/selects.h"

#include "front/loop_sums.h"

typedef struct Changes { const Tree *body, *chosen; bool ok; } Changes;

/* Beside the choice, a turn changes nothing but its own variables. */
static bool find_changes(void *context, const Tree *t) {
  static const Op never[] = {OP_RETURN, OP_CALL, OP_BREAK, OP_CONTINUE, OP_WHILE, OP_MAP, OP_NATIVE, OP_ATOMIC};
  Changes *c = context;
  for (size_t i = 0; i < sizeof never / sizeof *never; i++) c->ok &= t->op != never[i] && !op_view(t->op);
  if (t == c->chosen) return false;
  if (t->op == OP_ASSIGN) c->ok &= t->kid[0]->op == OP_REF && loop_declares(c->body, t->kid[0]->symbol);
  return c->ok;
}

/* Has the variable that it is stored in room for all of it? Else a turn's value may be more than itself, rounded. */
static bool is_exact(const Tree *t) {
  switch (t->op) {
    case OP_REF:
    case OP_INDEX: return true;
    case OP_NEG:
    case OP_CAST: return is_exact(t->kid[0]) && t->type == t->kid[0]->type;
    default: return false;
  }
}

/* The comparison: which side is the best so far? */
static bool reads_test(const Tree *body, const Tree *test, Selects *x) {
  const bool above = test->op == OP_GT || test->op == OP_GE, below = test->op == OP_LT || test->op == OP_LE;
  if (!above && !below) return false;
  for (int side = 0; side < 2; side++) {
    const Tree *best = test->kid[side];
    if (best->op != OP_REF || !loop_is_number(best->symbol) || loop_declares(body, best->symbol)) continue;
    x->best = best->symbol;
    x->value = test->kid[1 - side];
    x->greatest = above == (side == 1);
    x->last = test->op == OP_GE || test->op == OP_LE;
    if (!tree_mentions(x->value, x->best) && x->value->type == x->best->type && is_exact(x->value)) return true;
  }
  return false;
}

/* `best = value', once; and other variables, of what does not depend on the turns before. */
static bool reads_choice(const Tree *body, const Tree *chosen, const Selects *x) {
  int times = 0;
  for (int i = 0; i < chosen->nkids; i++) {
    const Tree *t = chosen->kid[i];
    if (t->op != OP_ASSIGN || t->compound || t->kid[0]->op != OP_REF) return false;
    const Symbol *to = t->kid[0]->symbol;
    if (!loop_is_number(to) || loop_declares(body, to)) return false;
    times += to == x->best;
    if (to == x->best && !tree_equal(tree_uncast(t->kid[1]), tree_uncast(x->value))) return false;
    for (int k = 0; k < chosen->nkids; k++)
      if (tree_mentions(chosen->kid[k]->kid[1], to)) return false;
    for (int k = 0; k < body->nkids - 1; k++)
      if (tree_mentions(body->kid[k], to)) return false;
    if (to != x->best && tree_mentions(x->value, to)) return false;
  }
  return times == 1;
}

bool selects_find(const Tree *loop, Selects *x) {
  const Tree *body = loop->kid[3];
  const Tree *last = body->op == OP_SEQ && body->nkids ? body->kid[body->nkids - 1] : NULL;
  *x = (Selects){.chosen = last};
  if (!last || last->op != OP_IF || last->nkids != 2 || !reads_test(body, last->kid[0], x)) return false;
  const Tree *then = last->kid[1];
  if (then->op != OP_SEQ) return false;
  Changes c = {body, last, true};
  tree_visit(body, find_changes, &c);
  return c.ok && reads_choice(body, then, x);
}
