/* contract.c: what the arguments of a map, or of a spectrum that is applied, must have in common. A codelet's text
 * takes it for granted, and elements are read and written by it; where it does not follow from how parameters are
 * declared, the host function looks at its sizes, and refuses a call that breaks it.
 *
 *   all that a map takes part by part has as many parts: rows, columns, elements, and where results are stored
 *   a parameter whose sizes are declared, by __like or __shape, gets what has them
 *   what a zip has side by side is as long
 *
 * Requires sizes that the host has. Keeps every call whose sizes fit. */
#include "front/writes.h"
#include "lower/lowering.h"

/* Refuses calls where they differ, unless they cannot. */
static void demand_equal(Lowering *l, Tree *x, Tree *y) {
  if (!x || !y || tree_equal(x, y)) return;
  lowering_refuse_where(l, build_compare(l->a, OP_NE, x, y));
  l->program->compares = true;
}

/* How many parts an argument of a map has; NULL: it is the same for all. */
static Tree *parts_of(Lowering *l, Environment *e, const Tree *t) {
  if (t->op == OP_PARTITION) return inline_expression(l, e, t->kid[1]);
  if (t->op != OP_ROWS && t->op != OP_COLUMNS && t->op != OP_ELEMENTS) return NULL;
  View *v = inline_view(l, e, t->kid[0]);
  return !v ? NULL : t->op == OP_COLUMNS ? v->plane.columns : view_size(l, v);
}

/* ---- __like, __shape ---- */

/* The elements of a part that is a whole line, or of what is the same for all; NULL: it is cut, or no container. */
static Tree *length_of(Lowering *l, Environment *e, const Tree *t, int dimension) {
  const bool line = t->op == OP_ROWS || t->op == OP_COLUMNS;
  if (t->op == OP_PARTITION || t->op == OP_ELEMENTS) return NULL;
  if (t->op == OP_PARTS && t->kid[1 + dimension]->op != OP_WHOLE) return NULL;
  View *v = inline_view(l, e, line || t->op == OP_PARTS ? t->kid[0] : t);
  if (!v) return NULL;
  if (line) return t->op == OP_ROWS ? v->plane.columns : v->size;
  return view_extent(l, v, dimension);
}

/* Both are cut by the same sequences: so far into their containers do parts reach. */
static Tree *reach_of(Lowering *l, Environment *e, const Tree *t) {
  View *v = inline_view(l, e, t->kid[0]);
  const Tree *end = tree_sequence(t->kid[4]);
  if (!v) return NULL;
  Tree *size = view_size(l, v);
  if (end->nkids == 4) return size;
  return build_min(l->a, inline_expression(l, e, end->kid[end->nkids - 1]), size);
}

static int argument_for(const Tree *applied, const Symbol *param) {
  for (int i = 0; i < applied->nkids; i++)
    if (writes_parameter_for(applied, i) == param) return i;
  return -1;
}

/* What an argument has in a dimension; NULL: it is cut. */
static Tree *size_for(Lowering *l, Environment *e, const Tree *applied, const Symbol *param, int dimension) {
  const int i = argument_for(applied, param);
  if (i >= 0 && !param->rank) return inline_expression(l, e, applied->kid[i]);
  return i < 0 ? NULL : length_of(l, e, applied->kid[i], dimension);
}

/* n + 2 - 2 is n. */
static Tree *plus(Lowering *l, Tree *size, int64_t more) {
  int64_t number;
  if (size->op == OP_ADD && tree_constant(size->kid[1], &number) && number == -more) return size->kid[0];
  return build_add(l->a, size, build_index(l->a, more));
}

/* times * of[0] * of[1] + more * of[2] + plus; NULL: it is not known here. */
static Tree *said_size(Lowering *l, Environment *e, const Tree *applied, const ShapeRule *r) {
  Tree *size = build_index(l->a, r->times);
  for (int k = 0; k < 2 && r->of[k]; k++) {
    Tree *factor = size_for(l, e, applied, r->of[k], r->dim[k]);
    if (!factor) return NULL;
    size = build_mul(l->a, size, factor);
  }
  if (!r->of[SHAPE_ADDEND]) return plus(l, size, r->plus);
  Tree *addend = size_for(l, e, applied, r->of[SHAPE_ADDEND], r->dim[SHAPE_ADDEND]);
  if (!addend) return NULL;
  size = build_add(l->a, size, build_mul(l->a, build_index(l->a, r->more), addend));
  return plus(l, size, r->plus);
}

static void demand_shape(Lowering *l, Environment *e, const Tree *applied) {
  for (int i = applied->op == OP_SLIDE ? 2 : 0; i < applied->nkids; i++) {
    const Symbol *param = writes_parameter_for(applied, i);
    const Tree *y = applied->kid[i];
    for (int dim = 0; param && dim < param->rank && dim < MOST_RANK; dim++) {
      const ShapeRule *r = &param->shape[dim];
      const Symbol *same = shape_same(r);
      const int other = same ? argument_for(applied, same) : -1;
      const Tree *x = other >= 0 ? applied->kid[other] : NULL;
      if (!r->said) continue;
      if (!x || x->op != OP_PARTITION || y->op != OP_PARTITION)
        demand_equal(l, said_size(l, e, applied, r), length_of(l, e, y, dim));
      else if (view_cut_alike(x, y)) demand_equal(l, reach_of(l, e, x), reach_of(l, e, y));
    }
  }
}

/* ---- what is side by side ---- */

typedef struct Zips { Lowering *l; Environment *e; } Zips;

static bool demand_zip(void *context, const Tree *t) {
  Zips *z = context;
  View *first = t->op == OP_TRANSFORM && t->nkids > 1 ? inline_view(z->l, z->e, t->kid[0]) : NULL;
  for (int i = 1; first && i < t->nkids; i++) {
    View *v = inline_view(z->l, z->e, t->kid[i]);
    if (v) demand_equal(z->l, view_size(z->l, first), view_size(z->l, v));
  }
  return true;
}

/* ---- a codelet ---- */

void contract_of_call(Lowering *l, Environment *e, const Tree *call) {
  if (l->now.kernel || !l->plan) return;
  Zips z = {l, e};
  tree_visit(call, demand_zip, &z);
  demand_shape(l, e, call);
}

/* Where the results of the map are stored. */
static const Tree *stored(const Codelet *c) {
  for (int i = 0; i < c->body->nkids; i++)
    if (c->body->kid[i]->op == OP_MAP_TO) return c->body->kid[i]->kid[1];
  return NULL;
}

void contract_of_map(Lowering *l, Environment *e, const Regroup *r) {
  if (l->now.kernel || !l->plan) return;
  for (int i = r->map->op == OP_SLIDE ? 2 : 0; i < r->map->nkids; i++)
    demand_equal(l, r->parts, parts_of(l, e, r->map->kid[i]));
  const Tree *to = stored(e->codelet);
  View *out = to ? inline_view(l, e, to) : NULL;
  if (out) demand_equal(l, r->parts, view_size(l, out));
  Zips z = {l, e};
  for (int i = 0; i < r->map->nkids; i++) tree_visit(r->map->kid[i], demand_zip, &z);
  demand_shape(l, e, r->map);
}
