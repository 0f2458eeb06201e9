/* scan_items.c: what a lane holds of a scan's tile, and stages on it.
 *
 * Requires the axes that scan.c cuts a tile into. Keeps which element each item is. */
#include "lower/handed.h"
#include "lower/scan.h"

NestValue *scan_lives(Scan *s, NestNode *at, const char *name, NestSpace space) {
  NestValue *v = nest_value(s->l->a, name, space);
  vec_push(s->l->a, &at->home, v);
  return v;
}

/* A tile of memory, of that type; VOID: of memory's. */
NestValue *scan_tile(Scan *s, NestNode *to, const char *name, NestValue *memory, Type type) {
  NestValue *made = scan_lives(s, to, name, NEST_REGISTERS);
  made->of = memory;
  made->type = type;
  if (!s->in_row) nest_keep(s->l->a, made, s->row);
  nest_keep(s->l->a, made, s->item);
  return made;
}

/* The axis counts iterations, by a variable of its name. */
void scan_count(Scan *s, NestAxis *x, Type type, Tree *many) {
  x->many = many;
  x->number = tree_ref(s->l->a, symbol_new(s->l->a, SYMBOL_LOCAL, x->name, type));
  x->unroll = UNROLL_ALL;
}

NestNode *scan_by_workers(Scan *s, NestNode *inner) {
  inner = nest_over(s->l->a, s->lane, inner);
  return s->warp && !s->in_warp ? nest_over(s->l->a, s->warp, inner) : inner;
}

/* A stage on each lane's items: within rows on those of the one at hand. */
NestNode *scan_on_items(Scan *s, NestNode *stage) {
  Arena *a = s->l->a;
  NestNode *inner = nest_over(a, nest_again(a, s->item, "item", BINDING_CODELET, TAIL_NONE), stage);
  if (!s->in_row) inner = nest_over(a, nest_again(a, s->row, "row", BINDING_CODELET, TAIL_NONE), inner);
  return scan_by_workers(s, inner);
}

/* A copy of the items at hand: one by one, or, `wide', a row of a lane's at a time. */
NestNode *scan_copied(Scan *s, NestValue *to, NestValue *from, NestTail tail, bool wide) {
  Arena *a = s->l->a;
  NestNode *copy = open_copy(a, to, from);
  if (s->in_row) return scan_by_workers(s, nest_over(a, nest_again(a, s->item, "k", BINDING_UNROLL, tail), copy));
  NestAxis *item = nest_again(a, s->item, wide ? "wide" : "item", wide ? BINDING_WIDE : BINDING_CODELET, TAIL_NONE);
  NestAxis *row = nest_again(a, s->row, wide ? "row" : "k", BINDING_UNROLL, tail);
  return scan_by_workers(s, nest_over(a, row, nest_over(a, item, copy)));
}

/* A number as another, and, `before' that, one that stands before it; NULL: there is none. */
NestNode *scan_told(Scan *s, NestValue *to, NestValue *before, NestValue *from) {
  NestNode *stage = nest_operate(s->l->a, STAGE_NUMBER, s->spectrum->op, to, before ? before : from);
  if (before) nest_access(s->l->a, stage, from, USE_READ);
  return stage;
}

/* Do neighbouring elements lie side by side in memory? Those of a view are computed one by one. */
bool scan_is_run(const View *v) { return v->source.kind == VIEW_MEMORY && build_is(v->step, 1); }

NestValue *scan_memory_of(Scan *s, View *v) {
  const char *name = v->source.kind == VIEW_MEMORY ? v->source.base->name : handed_is(v) ? handed_name(v) : "view";
  NestValue *made = open_memory(s->l->a, name, v);
  made->begin = v->begin;
  return made;
}
