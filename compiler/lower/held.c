/* held.c: rows that steps go through one after another, and hold in registers meanwhile (MICRO V).
 *
 * Where a row is no longer than a round of loads, lanes have the same elements in every step: the first step that reads
 * it loads it, all others find it in registers. The kernel's flag `even' says that all rows are whole rounds, at
 * multiples of 16 bytes; else each worker looks how long its row is, and lanes load element by element.
 *
 *     T A_held[loads * per];
 *     if (even) ..load A_held.. step 1 of A_held .. else if (columns <= round) ..the same.. else ..
 *     if (even) .. step 2 of A_held .. else if (columns <= round) .. else ..
 *
 * Requires steps of a part's own worker, whose rows begin at their own position 0 (steps.c). Nothing is held that a
 * step writes. */
#include "ir/monoid.h"
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

bool held_has(const Held *h, const Run *x) { return row_of(h, x) >= 0; }

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

/* What an element is held as: as codelets compute with it, so that it is converted once. One that a monoid lifts stays
 * as it is stored. */
static Type held_type(const Lowering *l, const Symbol *base) {
  const bool lifts = l->program->monoid && l->program->monoid->lifts;
  return base->type == TYPE_STORED && !lifts ? TYPE_ELEM : base->type;
}

/* The array that holds a row; NULL: none does, since no later step reads it, or this one does not read all of it. */
static const HeldRow *array_of(const Opened *o, Held *h, const Run *x) {
  Lowering *l = o->l;
  const int row = row_of(h, x);
  if (row < 0 || x->written || h->steps->rule->codelet->params[row]->writable) return NULL;
  if (find(h, row)) return find(h, row);
  if (!is_read_again(h, row) || lowering_apart(l)) return NULL; /* workers without a part would not have it */
  const Symbol *base = x->value->view->source.base;
  Tree *length = build_mul(l->a, nest_extent(l->a, o->load), nest_extent(l->a, o->wide));
  Symbol *array = lowering_array(l, arena_printf(l->a, "%s_held", base->name), held_type(l, base), length);
  vec_push(l->a, &h->rows, ((HeldRow){row, h->step, array}));
  return find(h, row);
}

NestValue *held_tile(const Opened *o, Held *h, int run, NestAxis *load, NestAxis *wide) {
  const Run *x = &o->runs.at[run];
  const HeldRow *row = array_of(o, h, x);
  if (!row) return NULL;
  NestValue *tile = nest_value(o->l->a, row->array->name, NEST_MEMORY); /* it lives as long as the steps do */
  tile->of = x->value;
  tile->view = x->value->view;
  tile->symbol = row->array;
  nest_keep(o->l->a, tile, load);
  if (wide) nest_keep(o->l->a, tile, wide);
  return tile;
}

bool held_is_loaded(const Held *h, const NestValue *tile) {
  for (int i = 0; i < h->rows.n; i++)
    if (h->rows.at[i].array == tile->symbol) return h->rows.at[i].step == h->step;
  return false;
}
