/* turn_values.c: what a turn of a loop computes, written where it is used. */
#include "front/turn_values.h"

#include "front/divide.h"
#include "front/loop_sums.h"
#include "ir/build.h"

Tree *turn_by_elements(Arena *a, const Tree *body, Tree *t) {
  for (int i = body->nkids - 2; i >= 0; i--) {
    const Tree *d = body->kid[i];
    if (d->op == OP_DECLARE && d->nkids && !d->symbol->array && !tree_assigns(body, d->symbol) &&
        tree_mentions(t, d->symbol))
      t = build_with(a, t, d->symbol, build_cast(a, d->symbol->type, tree_clone(a, d->kid[0])));
  }
  return t;
}

typedef struct Depends { const Tree *loop; const Symbol *index; bool ok; } Depends;

static bool find_other(void *context, const Tree *t) {
  Depends *d = context;
  d->ok &= !divide_never(t) && t->op != OP_ASSIGN;
  if (t->op == OP_REF && t->symbol != d->index && t->symbol->kind == SYMBOL_LOCAL)
    d->ok &= !loop_declares(d->loop, t->symbol) && !tree_assigns(d->loop, t->symbol);
  if (t->op == OP_INDEX) d->ok &= t->kid[0]->op == OP_REF && !t->kid[0]->symbol->writable;
  return d->ok;
}

bool turn_is_own(const Tree *loop, const Symbol *index, const Tree *t) {
  Depends d = {loop, index, true};
  tree_visit(t, find_other, &d);
  return d.ok;
}

bool turn_is_exact(const Tree *t) {
  static const Op same[] = {OP_CAST, OP_NEG, OP_FABS, OP_COND, OP_MAX, OP_MIN};
  if (t->op == OP_REF || t->op == OP_INDEX || !t->nkids) return true;
  bool ok = type_is_whole(t->type) || t->type == TYPE_BOOL;
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) ok |= t->op == same[i];
  for (int i = 0; i < t->nkids && ok; i++) ok = turn_is_exact(t->kid[i]);
  return ok;
}
