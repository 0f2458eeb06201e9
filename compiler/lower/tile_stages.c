/* tile_stages.c: the stages of tiles (tiles.c): copies of operands to shared memory, the codelet's body on an element,
 * what is held from and to memory.
 *
 * Requires that realise.c says which iterations those are. Keeps the nest as it is. */
#include "lower/tiles.h"

#include "ir/operator.h"

static Tree *number_of(const Realising *r, const NestAxis *axis) {
  for (int i = r->above.n - 1; i >= 0; i--)
    if (r->above.at[i].axis == axis) return r->above.at[i].number;
  return tree_int(r->l->a, TYPE_INT, 0);
}

static Tree *steps(const View *v, int dimension) { return dimension == 0 ? v->plane.row_step : v->plane.column_step; }

/* ---- copies ---- */

/* Where element number e of a panel is in its copy, and in memory: of the panel at hand, of the first one or the next. */
typedef struct Places { Tree *copy, *memory; } Places;

static Places places(Tiles *t, const Staged *s, int param, Tree *e, Tree *begin) {
  Arena *a = t->l->a;
  const View *from = tiles_operand(t, param);
  const int unit = t->codelet->params[param]->by_columns ? 0 : 1;
  Tree *index[MOST_DIMENSIONS];
  Places p = {NULL, from->begin};
  index[unit] = tree_binary(a, OP_REM, TYPE_INT, e, s->extent[unit]);
  index[1 - unit] = build_div(a, e, s->extent[unit]);
  for (int d = 0; d < MOST_DIMENSIONS; d++) {
    Tree *part = build_mul(a, index[d], s->step[d]), *here = index[d];
    p.copy = p.copy ? build_add(a, p.copy, part) : part;
    if (s->last[d]) here = build_cast(a, TYPE_INDEX, build_min(a, here, s->last[d]));
    else here = build_min(a, build_add(a, begin, here), build_sub(a, t->panelled, build_index(a, 1)));
    p.memory = build_add(a, p.memory, build_mul(a, here, steps(from, d)));
  }
  return p;
}

/* Element number e, in the order of memory, of what is staged: to shared memory, to a register, from there. */
static void copy(Realising *r, Tiles *t, const NestStage *stage, int param) {
  Lowering *l = r->l;
  Arena *a = l->a;
  const Staged *s = &t->staged[param];
  const NestValue *to = stage->at.at[0].value, *from = stage->at.at[1].value;
  Block b;
  block_open(l, &b);
  Tree *all = s->rounds->dim->end, *threads = s->lane->extent, *round = number_of(r, s->rounds);
  Tree *e = tree_ref(a, lowering_fixed(l, "e", TYPE_INT, build_add(a, build_mul(a, round, threads), s->lane->number)));
  Tree *begin = from == s->first ? build_index(a, 0) : t->panel_begin;
  if (from == s->next) begin = build_add(a, begin, t->panel);
  const Places p = places(t, s, param, e, begin);
  Tree *own = s->ahead ? build_element(a, s->ahead->symbol, round) : NULL;
  Tree *place = to == s->ahead ? own : build_element(a, s->value->symbol, p.copy);
  Tree *value = from == s->ahead ? own : build_element(a, tiles_operand(t, param)->source.base, p.memory);
  lowering_add(l, build_assign(a, place, value));
  block_close(l, &b);
  Tree *even = build_compare(a, OP_EQ, tree_binary(a, OP_REM, TYPE_INT, all, threads), tree_int(a, TYPE_INT, 0));
  Tree *exists = tree_binary(a, OP_LOR, TYPE_BOOL, even, build_compare(a, OP_LT, e, all));
  for (int i = 0; i < b.inner.n; i++)
    lowering_add(l, b.inner.at[i]->op == OP_DECLARE ? b.inner.at[i] : build_if(a, exists, b.inner.at[i]));
}

/* ---- a lane's elements ---- */

/* An operand as a lane has it, in a container whose element (r, c) of the block's part is at begin + r * step[0] + .. */
static View *as_lane_has_it(Tiles *t, int param, Tree *begin, Tree *const *step, Tree *panel_begin) {
  Lowering *l = t->l;
  Arena *a = l->a;
  View *made = view_new(l, *tiles_operand(t, param));
  Tree *by[MOST_DIMENSIONS], *size[MOST_DIMENSIONS];
  for (int d = 0; d < MOST_DIMENSIONS; d++) {
    const TileCut *x = &t->plan.cut[param][d];
    const LaneTile *lane = tiles_lane(t, param, d);
    by[d] = step[d];
    size[d] = tiles_size(t, param, d);
    if (lane) {
      begin = build_add(a, begin, build_mul(a, lane->first, step[d]));
      by[d] = build_mul(a, lane->step, step[d]);
      Tree *many = build_ceil_div(a, build_max(a, lane->left, tree_int(a, TYPE_INT, 0)), lane->step), *more = NULL;
      size[d] = build_cast(a, TYPE_INDEX, build_min(a, lane->each, many));
      for (int k = 1; x->lanes->op == OP_HALO && k <= 2; k++) {
        more = x->lanes->kid[k];
        size[d] = build_add(a, size[d], more);
      }
    } else if (x->panel) {
      if (panel_begin) begin = build_add(a, begin, build_mul(a, panel_begin, step[d]));
      size[d] = build_cast(a, TYPE_INDEX, t->panel_size);
    }
  }
  made->begin = begin;
  made->size = size[0];
  made->plane.columns = size[1];
  made->plane.row_step = by[0];
  made->plane.column_step = by[1];
  return made;
}

static View *in_memory(Tiles *t, int param) {
  const View *v = tiles_operand(t, param);
  Tree *const step[] = {v->plane.row_step, v->plane.column_step};
  return as_lane_has_it(t, param, v->begin, step, t->panel_begin);
}

static View *operand(Tiles *t, int param) {
  Arena *a = t->l->a;
  View *made;
  if (param == t->plan.written && t->held) {
    made = in_memory(t, param);
    made->source.base = t->held->symbol;
    made->begin = tree_int(a, TYPE_INT, 0);
    made->plane.row_step = t->of[1].each;
    made->plane.column_step = tree_int(a, TYPE_INT, 1);
    made->plane.alone = true;
    return made;
  }
  const Staged *s = &t->staged[param];
  if (!s->value) return in_memory(t, param);
  made = as_lane_has_it(t, param, tree_int(a, TYPE_INT, 0), s->step, NULL);
  made->source.base = s->value->symbol;
  return made;
}

/* Has the block's part the element of this row and column? */
static Tree *exists(const Realising *r, const Tiles *t) {
  Arena *a = r->l->a;
  Tree *all = NULL;
  for (int d = 0; d < MOST_DIMENSIONS; d++) {
    const NestAxis *axis = t->axis[d == 0 ? t->plan.row : t->plan.column];
    Tree *one = build_compare(a, OP_LT, build_mul(a, number_of(r, axis), t->of[d].step), t->of[d].left);
    all = all ? build_both(a, all, one) : one;
  }
  return all;
}

static Tree *element(const Realising *r, const Tiles *t, const View *v) {
  Arena *a = r->l->a;
  Tree *at = v->begin;
  for (int d = 0; d < MOST_DIMENSIONS; d++)
    at = build_add(a, at, build_mul(a, number_of(r, t->axis[d == 0 ? t->plan.row : t->plan.column]), steps(v, d)));
  return build_element(a, v->source.base, at);
}

/* Is an operand read where it lies, and has no element for what a lane computes beyond the part? */
static bool reads_beyond(const Tiles *t) {
  bool beyond = false;
  for (int i = 0; i < t->codelet->nparams; i++)
    for (int d = 0; i != t->plan.written && !t->staged[i].value && d < MOST_DIMENSIONS; d++)
      beyond |= tiles_lane(t, i, d) != NULL;
  return beyond;
}

static void codelet(Realising *r, Tiles *t) {
  Lowering *l = r->l;
  Block b;
  Arguments in = {.n = t->codelet->nparams};
  for (int i = 0; i < in.n; i++)
    if (tiles_operand(t, i)) in.at[i].view = operand(t, i);
    else in.at[i].number = t->in->at[t->plan.of_block[i]].number;
  Environment e = inline_environment(l, t->codelet, &in, t->codelet->body, &t->lane);
  for (int i = 0; i < t->plan.nloops; i++) {
    const NestAxis *axis = t->axis[i];
    Tree *at = axis->at ? axis->at : t->whole ? t->whole->at : NULL; /* of whichever of both is being written */
    Tree *number = axis->binding == BINDING_UNROLL ? number_of(r, axis) : at;
    inline_bind(l, &e, t->plan.loops[i].index, number, NULL);
  }
  const bool guarded = !t->held || reads_beyond(t);
  if (guarded) block_open(l, &b);
  inline_statements(l, &e, t->plan.body, NULL);
  if (guarded) block_close_guarded(l, &b, exists(r, t));
}

/* ---- what is held ---- */

static Tree *identity(const Tiles *t) {
  const Symbol *s = t->codelet->params[t->plan.written];
  if (s->atomic) return operator_identity(t->l->a, operator_of_atomic(s->atomic), s->type);
  return build_cast(t->l->a, s->type, tree_int(t->l->a, TYPE_INT, 0));
}

static void fill(Realising *r, Tiles *t) {
  lowering_add(r->l, build_assign(r->l->a, element(r, t, operand(t, t->plan.written)), identity(t)));
}

static void load(Realising *r, Tiles *t) {
  Arena *a = r->l->a;
  Tree *memory = element(r, t, in_memory(t, t->plan.written));
  Tree *value = build_choice(a, exists(r, t), memory, identity(t));
  lowering_add(r->l, build_assign(a, element(r, t, operand(t, t->plan.written)), value));
}

static void store(Realising *r, Tiles *t) {
  Arena *a = r->l->a;
  View *to = in_memory(t, t->plan.written);
  Tree *place = element(r, t, to), *value = element(r, t, operand(t, t->plan.written)), *made;
  if (to->plane.alone) made = build_assign(a, place, value);
  else {
    made = tree_binary(a, OP_ATOMIC, TYPE_VOID, place, value);
    made->atomic = t->codelet->params[t->plan.written]->atomic;
    made->scope = SCOPE_DEVICE;
  }
  lowering_add(r->l, build_if(a, exists(r, t), made));
}

void tile_stages_write(Realising *r, const NestNode *n) {
  Tiles *t = r->o->tiles;
  const NestStage *s = n->stage;
  if (s->kind == STAGE_CODELET) codelet(r, t);
  else if (s->kind == STAGE_FILL) fill(r, t);
  else if (s->at.at[0].value == t->held) load(r, t);
  else if (s->at.at[0].value == t->memory) store(r, t);
  else
    for (int i = 0; i < t->codelet->nparams; i++)
      if (t->staged[i].value && (t->staged[i].value == s->at.at[0].value || t->staged[i].ahead == s->at.at[0].value))
        copy(r, t, s, i);
}
