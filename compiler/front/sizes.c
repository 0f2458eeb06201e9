/* sizes.c: sizes that follow from what parameters are declared to have. */
#include "front/sizes.h"

Size size_constant(int64_t n) { return (Size){.known = true, .plus = n}; }

Size size_once(const Symbol *of, int dim) { return (Size){true, {{of, dim, 1}}, 1, 0}; }

Size size_sum(Size x, const Size *y, int64_t times) {
  x.known &= y->known;
  x.plus += times * y->plus;
  for (int i = 0; i < y->n; i++) {
    const SizeTerm *t = &y->at[i];
    int k = 0;
    while (k < x.n && (x.at[k].of != t->of || x.at[k].dim != t->dim)) k++;
    if (k == MOST_TERMS) return (Size){0};
    if (k == x.n) x.at[x.n++] = (SizeTerm){t->of, t->dim, 0};
    x.at[k].times += times * t->times;
    if (!x.at[k].times) x.at[k] = x.at[--x.n];
  }
  return x;
}

Size size_by_rule(const ShapeRule *r, const Size *first, const Size *addend) {
  Size size = size_sum(size_constant(r->plus), first, r->of[0] ? r->times : 0);
  return r->of[SHAPE_ADDEND] ? size_sum(size, addend, r->more) : size;
}

Size size_of_parameter(const Symbol *s, int dim) {
  const ShapeRule *r = dim < MOST_RANK ? &s->shape[dim] : NULL;
  if (!r || !r->said || r->of[1]) return size_once(s, dim);
  Size first = size_constant(0), addend = first;
  if (r->of[0]) first = size_of_parameter(r->of[0], r->dim[0]);
  if (r->of[SHAPE_ADDEND]) addend = size_of_parameter(r->of[SHAPE_ADDEND], r->dim[SHAPE_ADDEND]);
  return size_by_rule(r, &first, &addend);
}

static const Tree *declared(const Tree *body, const Symbol *s) {
  for (int i = 0; i < body->nkids; i++)
    if (body->kid[i]->op == OP_DECLARE && body->kid[i]->symbol == s && body->kid[i]->nkids) return body->kid[i]->kid[0];
  return NULL;
}

Size size_of(const Tree *body, const Tree *t) {
  int64_t number;
  if (tree_constant(t, &number)) return size_constant(number);
  if (t->op == OP_CAST) return size_of(body, t->kid[0]);
  const bool parameter = t->op == OP_SIZE && t->kid[0]->op == OP_REF && t->kid[0]->symbol->kind == SYMBOL_PARAM;
  if (parameter) return size_of_parameter(t->kid[0]->symbol, t->dimension);
  if (t->op == OP_REF && t->symbol->kind == SYMBOL_LOCAL) {
    const Tree *value = declared(body, t->symbol);
    return value ? size_of(body, value) : (Size){0};
  }
  if (t->op != OP_ADD && t->op != OP_SUB) return (Size){0};
  const Size right = size_of(body, t->kid[1]);
  return size_sum(size_of(body, t->kid[0]), &right, t->op == OP_ADD ? 1 : -1);
}

Size size_difference(const Size *x, const Size *y) { return size_sum(*x, y, -1); }

bool size_is_number(const Size *x) { return x->known && !x->n; }

bool size_is_same(const Size *x, const Size *y) {
  const Size rest = size_difference(x, y);
  return size_is_number(&rest) && rest.plus == 0;
}
