/* parts.c: what a compound codelet's map hands to each worker.
 *
 * Its arguments are partitions, rows or columns, of which every worker has a part, and what is the same for all. Parts
 * of containers that are cut alike begin and end at the same positions, which are computed once. */
#include "front/cuts.h"
#include "lower/cuts.h"
#include "lower/handed.h"
#include "lower/realise.h"

/* The map of a compound codelet, wherever its text wrote it, and the first partition of that. */
typedef struct FindMap { const Tree *map, *partition; int before; } FindMap; /* `before': maps to be passed over */

static bool find_map(void *context, const Tree *t) {
  FindMap *f = context;
  if (t->op == OP_MAP || t->op == OP_SLIDE) {
    if (f->map || f->before-- > 0) return false;
    f->map = t;
  }
  if (t->op == OP_PARTITION && !f->partition) f->partition = t;
  if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_MAP) tree_visit(t->symbol->init, find_map, f);
  return !f->partition;
}

static FindMap map_of(const Codelet *c, int before) {
  FindMap f = {NULL, NULL, before};
  tree_visit(c->body, find_map, &f);
  return f;
}

const Tree *lowering_map(const Codelet *c) { return map_of(c, 0).map; }

const Tree *lowering_second_map(const Codelet *c) { return map_of(c, 1).map; }

static const Tree *sequence(Lowering *l, Environment *e, const Tree *t) {
  return inline_expression(l, e, (Tree *)tree_sequence(t));
}

/* How many rows, columns or elements the first argument of that kind has. */
static Tree *lines_of(Lowering *l, Environment *e, const Tree *map) {
  for (int i = 0; i < map->nkids; i++) {
    const Tree *t = map->kid[i];
    const bool lines = t->op == OP_ROWS || t->op == OP_COLUMNS || t->op == OP_ELEMENTS;
    View *v = lines ? inline_view(l, e, t->kid[0]) : NULL;
    if (v) return t->op == OP_COLUMNS ? v->plane.columns : view_size(l, v);
  }
  lowering_fail(l, map->where, "the map has no parts");
  return build_index(l->a, 1);
}

/* A map with the sequences of its first partition. */
static Regroup regroup_of(Lowering *l, Environment *e, const FindMap *f) {
  if (!f->partition) return (Regroup){.map = f->map, .parts = lines_of(l, e, f->map)};
  return (Regroup){.map = f->map, .first = f->partition, .start = sequence(l, e, f->partition->kid[2]),
                   .inc = sequence(l, e, f->partition->kid[3]), .end = sequence(l, e, f->partition->kid[4]),
                   .parts = inline_expression(l, e, f->partition->kid[1])};
}

/* Is it a local that the host computes: neither a container, nor what another spectrum gives? */
static bool is_size(const Tree *declare) {
  return declare->symbol->kind == SYMBOL_LOCAL && !declare->symbol->rank &&
         !(declare->nkids && tree_contains(declare->kid[0], OP_CALL));
}

Regroup lowering_regroup(Lowering *l, const PlanNode *n, Environment *e, Tree *parts) {
  const Codelet *c = n->rule->codelet;
  const FindMap f = map_of(c, 0);
  if (!f.map) { lowering_fail(l, c->where, "the codelet has no map"); return (Regroup){0}; }
  const Tree *map = c->by_cuts && n->rule->level->can.launched && plan_has_tiles(n) ? c->by_cuts : f.map;
  if (cuts_any(map)) {
    Regroup cut = {.map = map, .sequential = n->rule->map == STEP_SERIALIZE};
    cuts_regroup(l, n, e, &cut, parts);
    contract_of_map(l, e, &cut);
    return cut;
  }
  for (int i = 0; i < c->body->nkids; i++) {
    const Tree *t = c->body->kid[i];
    if (t->op != OP_DECLARE) continue;
    if (t->symbol->kind == SYMBOL_TUNABLE && parts) inline_bind(l, e, t->symbol, parts, NULL);
    else if (is_size(t)) inline_declaration(l, e, t);
  }
  Regroup r = regroup_of(l, e, &f);
  r.explicit_count = n->rule->explicit_count;
  r.sequential = n->rule->map == STEP_SERIALIZE;
  contract_of_map(l, e, &r);
  return r;
}

Regroup lowering_regroup_again(Lowering *l, const PlanNode *n, Environment *e) {
  const Codelet *c = n->rule->codelet;
  const FindMap f = map_of(c, 1);
  if (f.map) return regroup_of(l, e, &f);
  lowering_fail(l, c->where, "the codelet has no second map");
  return (Regroup){0};
}

/* Is it cut as the first one is: by the same sequences, and as long? */
static bool cut_alike(const Regroup *r, const Tree *t, const View *v, const View *first) {
  return view_aligned(v, first) && tree_equal(v->end, first->end) && view_cut_alike(t, r->first);
}

bool lowering_cut_once(const Regroup *r) {
  for (int i = 0; i < r->map->nkids; i++) {
    const Tree *t = r->map->kid[i];
    if (t->op == OP_ROWS || t->op == OP_COLUMNS || t->op == OP_ELEMENTS) return false;
    if (t->op == OP_PARTITION && !view_cut_alike(t, r->first)) return false;
  }
  return true;
}

/* Row or column number `worker' of a container of two dimensions; where it may be beyond the last one, an empty
 * container there. */
static View line_of(Lowering *l, const Regroup *r, const View *v, Tree *worker, bool row) {
  Arena *a = l->a;
  View made = {.source.base = v->source.base, .step = row ? v->plane.column_step : v->plane.row_step};
  Tree *lines = row ? v->size : v->plane.columns;
  made.size = row ? v->plane.columns : v->size;
  if (!r->within) made.size = tails_length(l, row ? "columns" : "rows", worker, lines, made.size);
  made.begin = build_add(a, v->begin, build_mul(a, worker, row ? v->plane.row_step : v->plane.column_step));
  made.end = build_add(a, made.begin, build_mul(a, made.size, made.step));
  made.source.interleaved = build_is(row ? v->plane.row_step : v->plane.column_step, 1);
  made.line.counted = l->plan->machine->is_cpu && !build_is(made.step, 1);
  if (!r->copied || !build_is(made.step, 1)) return made;
  made.line.step = row ? v->plane.row_step : v->plane.column_step;
  made.line.first = build_add(a, v->begin, build_mul(a, r->copied, made.line.step));
  return made;
}

/* Data may say that a part begins or ends before its container: that is where it begins then. In the data's own type,
 * which is narrower than positions are. */
static Tree *from_zero(Lowering *l, Tree *x) {
  if (x->type != TYPE_INT && x->type != TYPE_LONG && x->type != TYPE_INDEX) return x;
  return tree_binary(l->a, OP_MAX, x->type, x, tree_int(l->a, x->type, 0));
}

/* sequence(offsets, start, inc, end), the elements offsets[start], offsets[start + inc] .. below end: as this worker's
 * alone. Other sequences as they are. */
static const Tree *own_value(Lowering *l, Environment *e, const Tree *t, Tree *worker, bool position) {
  Arena *a = l->a;
  if (t->nkids != 4) return t;
  View *of = inline_view(l, e, t->kid[0]);
  if (!of) { lowering_fail(l, t->where, "this is not a container here"); return t; }
  Tree *at = build_add(a, t->kid[1], build_mul(a, worker, t->kid[2]));
  Tree *last = build_sub(a, t->kid[3], build_index(a, 1));
  Tree *element = view_element(l, of, build_min(a, at, last));
  Tree *value = lowering_size(l, "offset", position ? from_zero(l, element) : element);
  return tree_with_kids(a, t, &value, 1);
}

/* The sequences as one worker's; offsets are declared from the end on. */
static Cut own_cut(Lowering *l, Environment *e, const Cut *all, Tree *worker) {
  Cut own = *all;
  own.end = own_value(l, e, all->end, worker, true);
  own.inc = own_value(l, e, all->inc, worker, false);
  own.start = own_value(l, e, all->start, worker, true);
  return own;
}

/* A partition that is not cut as the map's first one is. */
static Cut cut_of(Lowering *l, Environment *e, const Tree *t, Tree *worker) {
  Cut own = {.end = own_value(l, e, sequence(l, e, t->kid[4]), worker, true)};
  own.inc = own_value(l, e, sequence(l, e, t->kid[3]), worker, false);
  own.start = own_value(l, e, sequence(l, e, t->kid[2]), worker, true);
  own.parts = inline_expression(l, e, t->kid[1]);
  return own;
}

/* The container that an argument is a part of; NULL: it is none here, which is said. */
static View *container_of(Lowering *l, Environment *e, const Tree *t) {
  View *whole = inline_view(l, e, t->kid[0]);
  if (!whole)
    lowering_fail(l, t->where,
                  t->op == OP_ELEMENTS ? "this container has no elements yet here" : "this is not a container here");
  return whole;
}

Arguments lowering_parts(Lowering *l, const Regroup *r, Environment *e, Tree *worker, const char *who) {
  if (r->cuts) return cuts_parts(l, r, e, worker);
  Arguments made = {.n = 0};
  View *first = NULL, *first_whole = NULL;
  for (int i = r->map->op == OP_SLIDE ? 2 : 0; i < r->map->nkids; i++) {
    const Tree *t = r->map->kid[i];
    const bool lines = t->op == OP_ROWS || t->op == OP_COLUMNS, parts = t->op == OP_PARTITION;
    View *whole = lines || parts || t->op == OP_ELEMENTS ? container_of(l, e, t) : NULL;
    Argument x = {0};
    if (l->failed) return made;
    if (parts) {
      if (first && cut_alike(r, t, whole, first_whole)) x.view = view_new(l, view_like(first, whole));
      else {
        const Cut as_map = {r->parts, r->start, r->inc, r->end}; /* of whole grains, which the text's are not */
        const bool own = first && (!view_cut_alike(t, r->first) || r->start->nkids == 4);
        const Cut cut = own ? cut_of(l, e, t, worker) : own_cut(l, e, &as_map, worker);
        x.view = view_new(l, view_part(l, whole, worker, &cut, who));
        if (!first) {
          first = x.view;
          first_whole = whole;
        }
      }
      if (r->explicit_count) x.view->spread = NULL; /* nobody else may take its elements, however they lie */
    } else if (r->together && r->together[i]) x.view = view_new(l, *r->together[i]);
    else if (lines) x.view = view_new(l, line_of(l, r, whole, worker, t->op == OP_ROWS));
    else if (whole) x.number = view_element(l, whole, worker);
    else x = cuts_same(l, r, e, t);
    made.at[made.n++] = x;
  }
  return made;
}

static bool find_call(void *context, const Tree *t) {
  const Tree **found = context;
  if (t->op == OP_CALL && !*found) *found = t;
  return !*found;
}

const Tree *lowering_call(const Codelet *c) {
  const Tree *call = NULL;
  tree_visit(c->body, find_call, &call);
  return call;
}

Arguments lowering_called(Lowering *l, Environment *e, const Tree *call, View *results) {
  Arguments made = {.n = 0};
  if (!call) { lowering_fail(l, e->codelet->where, "the codelet applies nothing"); return made; }
  for (int i = 0; i < call->nkids; i++) {
    Tree *t = call->kid[i];
    const bool of_map = t->op == OP_REF && t->symbol->kind == SYMBOL_MAP;
    Argument x = {.view = of_map ? results : inline_view(l, e, t)};
    if (!x.view) x.number = inline_expression(l, e, t);
    made.at[made.n++] = x;
  }
  return made;
}

Arguments lowering_applied(Lowering *l, const Codelet *c, const Place *p, Arguments *in) {
  Environment e = inline_environment(l, c, in, NULL, p);
  const Handed handed = handed_of(c);
  for (int i = 0; i < c->body->nkids; i++) {
    const Tree *t = c->body->kid[i];
    const bool of_scan = t == handed.declare || (t->nkids && t->kid[0] == handed.call);
    if (t->op == OP_DECLARE && !(handed.container && of_scan)) inline_declaration(l, &e, t);
  }
  if (handed.container && !handed_open(l, &e, &handed)) return (Arguments){.n = 0};
  const Tree *call = lowering_call(c);
  if (call) contract_of_call(l, &e, call);
  return lowering_called(l, &e, call, NULL);
}

View *lowering_stored(Lowering *l, Environment *e) {
  const Tree *body = e->codelet->body;
  for (int i = 0; i < body->nkids; i++) {
    if (body->kid[i]->op != OP_MAP_TO) continue;
    View *out = inline_view(l, e, body->kid[i]->kid[1]);
    if (!out) lowering_fail(l, body->kid[i]->where, "this is not a container here");
    return out;
  }
  return NULL;
}

Destination lowering_place_of(Lowering *l, Environment *e, Tree *worker) {
  const View *out = lowering_stored(l, e);
  return (Destination){.kind = out ? TO_PLACE : TO_NOWHERE, .place = out ? view_element(l, out, worker) : NULL};
}
