/* tile_operands.c: an operand of tiles (tiles.c) as the block, a lane and memory have it. */
#include "lower/tiles.h"

View *tiles_operand(const Tiles *t, int param) { return t->in->at[t->plan.of_block[param]].view; }

Tree *tiles_first(const Tiles *t, int param) {
  const View *v = tiles_operand(t, param);
  return build_element(t->l->a, v->source.base, v->plane.box ? v->plane.box : build_index(t->l->a, 0));
}

NestValue *tiles_memory(Tiles *t, int param) {
  return open_memory(t->l->a, tiles_operand(t, param)->source.base->name, tiles_operand(t, param));
}

bool tiles_writes(const Tiles *t, int param) { return param == t->plan.written || t->plan.also[param]; }

NestValue *tiles_held(const Tiles *t, int param) {
  if (param == t->plan.written) return t->held;
  return t->windows ? t->windows->also[param] : NULL;
}

const LaneTile *tiles_lane(const Tiles *t, int param, int dimension) {
  const Tree *lanes = t->plan.cut[param][dimension].lanes;
  for (int d = 0; lanes && d < MOST_DIMENSIONS; d++)
    if (t->of[d].cut == tree_cut(lanes)) return &t->of[d];
  return NULL;
}

int tiles_rank(const Tiles *t, int param) { return t->codelet->params[param]->rank; }

const Operand *tiles_array(const Tiles *t, int param) {
  const Symbol *base = tiles_operand(t, param)->source.base;
  const Signature *s = &t->l->program->signature;
  for (int i = 0; i < s->n; i++)
    if (s->at[i].kind == OPERAND_ARRAY && s->at[i].symbol == base) return &s->at[i];
  return NULL;
}

int tiles_unit(const Tiles *t, int param) { /* of what it stands for: a codelet's text may say another order */
  const View *v = tiles_operand(t, param);
  const int last = tiles_rank(t, param) - 1;
  if (last != 1) return last;
  return v ? !build_is(v->plane.row_step, 1) : !t->codelet->params[param]->by_columns;
}

Tree *tiles_size(const Tiles *t, int param, int dimension) {
  return view_extent(t->l, tiles_operand(t, param), dimension);
}

Tree *tiles_copied(const Tiles *t, int param) {
  if (t->staged[param].all) return t->staged[param].all;
  Tree *all = t->staged[param].extent[0];
  for (int d = 1; d < tiles_rank(t, param); d++) all = build_mul(t->l->a, all, t->staged[param].extent[d]);
  return all;
}

Tree *tiles_step(const Tiles *t, int param, int dimension) {
  return *view_step_of(tiles_operand(t, param), dimension);
}

bool tiles_add_in_the_end(const Tiles *t) { return t->plan.groups || (t->held && t->held->type == TYPE_SUM); }

/* Accumulators of a loop of products of doubles begin as a constant: where they are loaded ptxas 13.0 schedules the
 * loop as it does any other one, and the first products of a step wait for what was loaded just before. Of halves that
 * is no faster, and what is loaded in the end is waited for. */
bool tiles_add_what_was(const Tiles *t) {
  enum { DOUBLE = 8 };
  if (!t->plan.multiplies || t->codelet->spectrum->narrowest != DOUBLE) return false;
  return !tiles_add_in_the_end(t) && !t->plan.sum && tiles_begin_in_memory(t);
}

/* It begins as what is in memory there, where nobody else contributes to it, and there is something. So does a copy of
 * what may be contributed twice: no identity of a minimum is one for NaN, too. */
bool tiles_begin_in_memory(const Tiles *t) {
  const View *written = tiles_operand(t, t->plan.written);
  const AtomicOp by = t->codelet->params[t->plan.written]->atomic;
  if (written->plane.fresh) return false;
  return written->plane.alone && (!written->plane.copied || by == ATOMIC_MAX || by == ATOMIC_MIN);
}

/* An operand as a lane has it, in a container whose element (r, c) of the block's part is at begin + r * step[0] +
 * .. */
View *tiles_as_lane_has_it(Tiles *t, int param, Tree *begin, Tree *const *step, Tree *panel_begin) {
  Lowering *l = t->l;
  Arena *a = l->a;
  View *made = view_new(l, *tiles_operand(t, param));
  const int rank = tiles_rank(t, param);
  Tree *by[MOST_DIMENSIONS], *size[MOST_DIMENSIONS];
  for (int d = 0; d < rank; d++) {
    const TileCut *x = &t->plan.cut[param][d];
    const LaneTile *lane = tiles_lane(t, param, d);
    by[d] = step[d];
    size[d] = tiles_size(t, param, d);
    if (lane) {
      begin = build_add(a, begin, build_mul(a, lane->first, step[d]));
      if (lane->group && t->windows)
        begin = build_add(a, begin, build_mul(a, build_mul(a, t->windows->turn, lane->stride), step[d]));
      else if (lane->group || lane->unit) made->plane.at[d] = t->at[lane - t->of];
      by[d] = build_mul(a, lane->step, step[d]);
      Tree *many = build_ceil_div(a, build_max(a, lane->left, tree_int(a, TYPE_INT, 0)), lane->step), *more = NULL;
      size[d] = build_cast(a, TYPE_INDEX, build_min(a, lane->each, many));
      int64_t halo;
      for (int k = 1; x->lanes->op == OP_HALO && plan_tile_halo(x->lanes, &halo) && k <= 2; k++) {
        more = x->lanes->kid[k];
        size[d] = build_add(a, size[d], more);
      }
    } else if (x->panel) {
      if (panel_begin) begin = build_add(a, begin, build_mul(a, panel_begin, step[d]));
      size[d] = build_cast(a, TYPE_INDEX, t->panel_size);
    }
  }
  made->begin = begin;
  for (int d = 0; d < rank; d++) {
    *view_extent_of(made, d) = size[d];
    *view_step_of(made, d) = by[d];
  }
  return made;
}

/* They take twice the registers, and there are two copies of what steps load ahead (tile_steps.c). */
Tree *tiles_of_fragment(const Tiles *t, int many) {
  enum { DOUBLE = 8, CHUNK = 16 };
  Arena *a = t->l->a;
  const Spectrum *s = t->codelet->spectrum;
  Tree *all = tree_int(a, TYPE_INT, many), *half = tree_int(a, TYPE_INT, many / 2);
  if (t->plan.groups || t->quads || s->broadest < DOUBLE) return all;
  if (s->narrowest == DOUBLE) return half;
  int i = 0;
  while (i == t->plan.written) i++;
  Tree *width = build_width(a, tiles_operand(t, i)->source.base->type);
  return build_choice(a, build_compare(a, OP_GT, width, tree_int(a, TYPE_INT, CHUNK / DOUBLE)), all, half);
}

/* Which of its fragments a warp multiplies of an operand. */
static NestAxis *of_fragments(const Tiles *t, int param) {
  const bool rows = plan_tile_panelled(&t->plan, param) == tiles_rank(t, param) - 1;
  return t->axis[rows ? t->plan.row : t->plan.column];
}

void tiles_hold_part(Tiles *t, NestNode *home, int param, NestAxis *copies) {
  Arena *a = t->l->a;
  Staged *s = &t->staged[param];
  s->fragment = nest_value(a, arena_printf(a, "%s_part", tiles_operand(t, param)->source.base->name), NEST_REGISTERS);
  s->fragment->of = tiles_memory(t, param);
  if (copies) nest_keep(a, s->fragment, copies);
  if (t->plan.multiplies) {
    NestAxis *by = of_fragments(t, param);
    const int many = by == t->axis[t->plan.row] ? t->fragment.a : t->fragment.b;
    nest_keep(a, s->fragment, by);
    nest_keep(a, s->fragment, nest_unrolled(a, "r", tiles_of_fragment(t, many)));
  } else
    for (int d = 0; d < tiles_rank(t, param); d++)
      if (tiles_lane(t, param, d)) nest_keep(a, s->fragment, t->axis[t->plan.own[tiles_lane(t, param, d) - t->of]]);
  vec_push(a, &home->home, s->fragment);
}

NestNode *tiles_load_part(Tiles *t, NestNode *load, int param) {
  Arena *a = t->l->a;
  if (t->plan.multiplies) return nest_over(a, of_fragments(t, param), load);
  for (int d = tiles_rank(t, param) - 1; d >= 0; d--)
    if (tiles_lane(t, param, d)) load = nest_over(a, t->axis[t->plan.own[tiles_lane(t, param, d) - t->of]], load);
  return load;
}

typedef struct Ahead { const Tiles *t; int param, dimension, loops; } Ahead;

static int loops_in(const PlanTiles *p, const Tree *index, int loops) {
  index = tree_uncast(index);
  if (index->op == OP_ADD) return loops_in(p, index->kid[1], loops_in(p, index->kid[0], loops));
  for (int i = 0; i < p->nloops; i++)
    if (index->op == OP_REF && index->symbol == p->loops[i].index && plan_tile_dimension(p, i) >= 0) return loops;
  for (int i = 0; i < p->nloops && loops >= 0; i++)
    if (index->op == OP_REF && index->symbol == p->loops[i].index && !(loops >> i & 1)) return loops | 1 << i;
  return -1;
}

static bool find_ahead(void *context, const Tree *x) {
  enum { NONE_YET = -2 };
  Ahead *f = context;
  if (x->op != OP_INDEX || x->kid[0]->op != OP_REF || x->kid[0]->symbol != f->t->codelet->params[f->param]) return true;
  const int here = loops_in(&f->t->plan, x->kid[1 + f->dimension], 0);
  f->loops = f->loops == NONE_YET || f->loops == here ? here : -1;
  return f->loops != -1;
}

int tiles_loops(const Tiles *t, int param, int dimension) {
  Ahead f = {t, param, dimension, -2};
  tree_visit(t->plan.body, find_ahead, &f);
  return f.loops;
}

Tree *tiles_at_once(const Tiles *t, int dimension) {
  const LaneTile *x = &t->of[dimension];
  return t->windows && x->group ? x->group : x->each;
}

View *tiles_in_memory(Tiles *t, int param) {
  const View *v = tiles_operand(t, param);
  Tree *step[MOST_DIMENSIONS];
  for (int d = 0; d < tiles_rank(t, param); d++) step[d] = *view_step_of((View *)v, d);
  return tiles_as_lane_has_it(t, param, v->begin, step, t->panel_begin);
}

Tree *tiles_halo(Tiles *t, const TileCut *x) {
  int64_t more;
  const char *name = plan_tile_halo_name(t->l->a, x);
  if (name) return lowering_tunable(t->l, name);
  plan_tile_halo(x->lanes ? x->lanes : x->grid, &more);
  return tree_int(t->l->a, TYPE_INT, more);
}

Tree *tiles_have_room(Tiles *t) {
  Arena *a = t->l->a;
  Tree *all = NULL;
  for (int i = 0; i < t->codelet->nparams; i++)
    for (int d = 0; t->staged[i].value && d < tiles_rank(t, i); d++) {
      const char *name = plan_tile_halo_name(a, &t->plan.cut[i][d]);
      if (!name) continue;
      Tree *own = tiles_size(t, t->plan.written, (int)(tiles_lane(t, i, d) - t->of));
      Tree *size = tiles_size(t, i, d), *room = build_add(a, own, lowering_tunable(t->l, name));
      Tree *one = build_both(a, build_compare(a, OP_LE, own, size), build_compare(a, OP_LE, size, room));
      all = all ? build_both(a, all, one) : one;
    }
  return all;
}
