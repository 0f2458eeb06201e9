/* shifted.c: loops that store from some place on, as loops over what they store to. */
#include "front/shifted.h"

#include "front/divide.h"
#include "ir/build.h"

/* out(i, first + j): the place as it stands, and the container. */
typedef struct Shifted {
  const Symbol *index;
  const Tree *place, *of;
  Symbol *at;
  bool ok;
} Shifted;

static bool find_shifted(void *context, const Tree *t) {
  Shifted *f = context;
  if (t->op != OP_ASSIGN || t->kid[0]->op != OP_INDEX) return f->ok;
  const Tree *last = tree_uncast(t->kid[0]->kid[t->kid[0]->nkids - 1]);
  int sides = 0;
  for (int k = 0; last->op == OP_ADD && k < 2; k++)
    sides += tree_is_symbol(last->kid[k], f->index) &&
             !tree_mentions(last->kid[1 - k], f->index);
  f->ok &= sides == 1 && t->kid[0]->kid[0]->op == OP_REF && t->kid[0]->kid[0]->symbol->rank > 1;
  if (f->ok && f->place) f->ok = tree_equal(f->place, last) && f->of->symbol == t->kid[0]->kid[0]->symbol;
  f->place = last;
  f->of = t->kid[0]->kid[0];
  return f->ok;
}

static Tree *at_place(void *context, Arena *a, Tree *t) {
  const Shifted *f = context;
  return t->op == OP_ADD && tree_equal(t, f->place) ? tree_ref(a, f->at) : t;
}

const Tree *shifted_by_places(Arena *a, const Tree *t) {
  Shifted f = {.ok = true};
  const Tree *end;
  if (t->op != OP_FOR || !tree_counts(t, &f.index, &end)) return t;
  tree_visit(t->kid[3], find_shifted, &f);
  if (!f.ok || !f.place || f.of->symbol->by_columns) return t;
  const bool left = tree_is_symbol(f.place->kid[0], f.index);
  Tree *first = f.place->kid[left ? 1 : 0];
  f.at = symbol_new(a, SYMBOL_LOCAL, f.index->name, TYPE_INDEX);
  f.at->declared = TYPE_UINT;
  f.at->writable = true;
  Tree *at = tree_ref(a, f.at), *body = tree_rewrite(a, tree_clone(a, t->kid[3]), at_place, &f);
  body = build_with(a, body, f.index, build_sub(a, at, build_cast(a, TYPE_INDEX, tree_clone(a, first))));
  Tree *begin = build_cast(a, TYPE_INDEX, tree_clone(a, first));
  Tree *until = build_add(a, begin, build_cast(a, TYPE_INDEX, tree_clone(a, end)));
  Tree *within = build_both(a, build_compare(a, OP_GE, at, begin), build_compare(a, OP_LT, at, until));
  if (body->op != OP_SEQ) body = tree_seq(a, &body, 1);
  Tree *made = divide_loop(a, f.at, divide_size(a, (Symbol *)f.of->symbol, f.of->symbol->rank - 1),
                           build_if(a, within, body));
  made->where = t->where;
  return made;
}
