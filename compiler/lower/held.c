/* held.c: rows that steps go through one after another, and hold in registers meanwhile (MICRO V).
 *
 * Where the kernel's flag `even' says that each row is one whole round of loads, at multiples of 16 bytes, lanes have
 * the same elements in every step: the first step that reads a row loads it, all others find it in registers.
 *
 *     T A_held[loads * per];
 *     if (even) ..load A_held.. step 1 of A_held .. else ..
 *     if (even) .. step 2 of A_held .. else ..
 *
 * Requires steps of a part's own worker, whose rows begin at their own position 0 (steps.c). Nothing is held that a
 * step writes. */
#include "ir/steps.h"
#include "lower/realise.h"

Held *held_by(const Opened *o) {
  Held *h = o->l->held;
  const PlanNode *root = lowering_work(o->l);
  const Level *worker = h ? plan_worker_of_parts(root) : NULL;
  if (!worker || worker->can.lanes < LANES_FIXED || !root->nkids || plan_work(root->kid[0]) != h->steps) return NULL;
  const PlanNode *map = plan_work(h->steps->kid[h->step]);
  return map->rule->codelet && map->nkids > 0 && map->kid[0] == o->plan ? h : NULL;
}

bool held_is_row(const View *v) {
  return v && v->source.kind == VIEW_MEMORY && v->source.base && v->source.base->pointer && !v->plane.columns &&
         build_is(v->begin, 0) && build_is(v->step, 1);
}

/* The container of the steps' that a run is all of; -1: it is of none, or of a part. */
static int row_of(const Held *h, const Run *x) {
  for (int i = 0; i < h->in->n; i++) {
    const View *v = h->in->at[i].view;
    if (held_is_row(v) && v->source.base == x->value->view->source.base &&
        tree_equal(v->source.origin, x->value->begin))
      return i;
  }
  return -1;
}

static bool is_read_again(const Held *h, int row) {
  const Codelet *c = h->steps->rule->codelet;
  const Steps steps = steps_of(c);
  for (int i = h->step + 1; i < steps.n; i++)
    if (steps_accesses(steps.call[i], c->params[row])) return true;
  return false;
}

static const HeldRow *find(const Held *h, int row) {
  for (int i = 0; i < h->rows.n; i++)
    if (h->rows.at[i].row == row) return &h->rows.at[i];
  return NULL;
}

/* The array that holds it, as this step has it. */
static NestValue *tile_of(const Opened *o, const Run *x, Symbol *array) {
  NestValue *tile = nest_value(o->l->a, array->name, NEST_MEMORY); /* it lives as long as the steps do */
  tile->of = x->value;
  tile->view = x->value->view;
  tile->symbol = array;
  nest_keep(o->l->a, tile, o->load);
  nest_keep(o->l->a, tile, o->wide);
  return tile;
}

bool held_tile(Opened *o, Held *h, int run, NestValue **tile) {
  Lowering *l = o->l;
  Run *x = &o->runs.at[run];
  const int row = row_of(h, x);
  if (row < 0) return false;
  NestValue *aligned = arena_one(l->a, NestValue);
  *aligned = *x->value;
  aligned->aligned = true;
  x->value = aligned;
  if (*tile || x->written || h->steps->rule->codelet->params[row]->writable) return false;
  const HeldRow *known = find(h, row);
  if (!known && !is_read_again(h, row)) return false;
  Symbol *array = known ? known->array : NULL;
  if (!known) {
    const Symbol *base = x->value->view->source.base;
    Tree *length = build_mul(l->a, nest_extent(l->a, o->load), nest_extent(l->a, o->wide));
    array = lowering_array(l, arena_printf(l->a, "%s_held", base->name), base->type, length);
    vec_push(l->a, &h->rows, ((HeldRow){row, array}));
  }
  *tile = tile_of(o, x, array);
  return !known;
}
