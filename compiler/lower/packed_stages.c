/* packed_stages.c: the stages of packed tiles (packed.c): copies of panels, the codelet's body on an element, what is
 * held from and to memory.
 *
 * Requires that realise.c says which iterations those are. Keeps the nest as it is. */
#include "lower/packed.h"

static Tree *steps(const View *v, int dimension) { return dimension == 0 ? v->plane.row_step : v->plane.column_step; }

static Tree *as_index(const Realising *r, Tree *x) { return build_cast(r->l->a, TYPE_INDEX, x); }

/* Which of a rectangle's elements a side's is at hand: lanes have neighbours. */
static Tree *in_rectangle(const Realising *r, const Tiles *t, int side) {
  Arena *a = r->l->a;
  Tree *number = iterations_number(r, t->packed->side[side].element);
  if (side != t->packed->vector) return number;
  return build_add(a, build_mul(a, number, t->packed->lanes->extent), t->packed->lanes->number);
}

/* The element that there is instead of one beyond the part. */
static Tree *or_last(const Realising *r, const Tiles *t, int side, Tree *at) {
  Arena *a = r->l->a;
  return build_min(a, at, build_sub(a, t->packed->side[side].size, build_index(a, 1)));
}

/* ---- panels ---- */

/* Where a copy has element `e' of the rectangle that begins at `at', and `k' of the panel: a rectangle's lie side by
 * side. */
static Tree *in_panel(const Realising *r, const Tiles *t, const PackedPanel *p, Tree *at, Tree *e, Tree *k) {
  Arena *a = r->l->a;
  Tree *first = p->of == t->packed->vector ? build_index(a, 0) : build_mul(a, at, t->panel);
  return build_add(a, build_add(a, first, build_mul(a, k, t->packed->side[p->of].all)), e);
}

static void copy_panel(Realising *r, Tiles *t, int param) {
  Lowering *l = r->l;
  Arena *a = l->a;
  const PackedPanel *p = &t->packed->panels[param];
  const View *from = tiles_operand(t, param);
  Tree *at = p->rectangles->at, *k = p->inner->at;
  const bool own = iterations_have(r, p->element) && (p->of != t->packed->vector || !p->along);
  Tree *e = own ? iterations_number(r, p->element) : in_rectangle(r, t, p->of);
  Tree *place = build_element(a, p->value->symbol, in_panel(r, t, p, at, e, k));
  Tree *index = build_add(a, at, e);
  if (r->otherwise || !p->along) index = or_last(r, t, p->of, index);
  Tree *there = build_add(a, from->begin, build_mul(a, index, steps(from, p->side)));
  there = build_add(a, there, build_mul(a, build_add(a, t->panel_begin, k), steps(from, p->by)));
  lowering_add(l, build_assign(a, place, build_element(a, from->source.base, there)));
}

/* ---- a lane's elements ---- */

static View *in_registers(const Realising *r, const Tiles *t) {
  Arena *a = r->l->a;
  View *made = view_new(r->l, *tiles_operand(t, t->plan.written));
  Tree *one = tree_int(a, TYPE_INT, 1), *row = t->packed->side[t->packed->vector].each;
  made->source.base = t->held->symbol;
  made->begin = tree_int(a, TYPE_INT, 0);
  made->plane.row_step = t->packed->vector == 1 ? row : one;
  made->plane.column_step = t->packed->vector == 1 ? one : row;
  made->plane.alone = true;
  return made;
}

/* In a copy, or where it lies, an element that there is. */
static View *operand(const Realising *r, const Tiles *t, int param) {
  Arena *a = r->l->a;
  if (param == t->plan.written) return in_registers(r, t);
  View *made = view_new(r->l, *tiles_operand(t, param));
  const PackedPanel *p = &t->packed->panels[param];
  if (p->value) {
    made->source.base = p->value->symbol;
    made->begin = in_panel(r, t, p, t->packed->side[p->of].at, tree_int(a, TYPE_INT, 0), build_index(a, 0));
    made->plane.at[p->side] = in_rectangle(r, t, p->of);
    *(p->side == 0 ? &made->plane.row_step : &made->plane.column_step) = tree_int(a, TYPE_INT, 1);
    *(p->by == 0 ? &made->plane.row_step : &made->plane.column_step) = t->packed->side[p->of].all;
    return made;
  }
  for (int d = 0; d < PLANE; d++) {
    const int side = packed_side(t, param, d);
    if (side >= 0)
      made->plane.at[d] = or_last(r, t, side, build_add(a, t->packed->side[side].at, in_rectangle(r, t, side)));
    if (t->plan.cut[param][d].panel)
      made->begin = build_add(a, made->begin, build_mul(a, t->panel_begin, steps(made, d)));
  }
  return made;
}

static void codelet(Realising *r, Tiles *t) {
  Lowering *l = r->l;
  Arguments in = {.n = t->codelet->nparams};
  for (int i = 0; i < in.n; i++)
    if (tiles_operand(t, i)) in.at[i].view = operand(r, t, i);
    else in.at[i].number = t->in->at[t->plan.of_block[i]].number;
  Environment e = inline_environment(l, t->codelet, &in, t->codelet->body, &t->lane);
  for (int i = 0; i < t->plan.nloops; i++) {
    const NestAxis *axis = t->axis[i];
    Tree *number = axis->binding == BINDING_UNROLL ? iterations_number(r, axis) : axis->at;
    inline_bind(l, &e, t->plan.loops[i].index, number, NULL);
  }
  inline_statements(l, &e, t->plan.body, NULL);
}

/* ---- what is held ---- */

/* Between registers and memory; of a rectangle that goes beyond the part, what there is. */
static void copy_held(Realising *r, Tiles *t, bool load) {
  Lowering *l = r->l;
  Arena *a = l->a;
  Tree *at[PLANE], *exists = NULL;
  for (int d = 0; d < PLANE; d++) {
    at[d] = build_add(a, t->packed->side[d].at, as_index(r, in_rectangle(r, t, d)));
    Tree *one = build_compare(a, OP_LT, at[d], t->packed->side[d].size);
    exists = exists ? build_both(a, exists, one) : one;
  }
  const View *v = tiles_operand(t, t->plan.written);
  Tree *memory = view_element_of_plane(l, v, at[0], at[1]);
  Tree *held = view_element_of_plane(l, in_registers(r, t), iterations_number(r, t->packed->side[0].element),
                                     iterations_number(r, t->packed->side[1].element));
  Tree *zero = build_cast(a, held->type, tree_int(a, TYPE_INT, 0));
  if (load && r->otherwise) memory = build_choice(a, exists, memory, zero);
  Tree *copy = load ? build_assign(a, held, memory) : build_assign(a, memory, held);
  lowering_add(l, !load && r->otherwise ? build_if(a, exists, copy) : copy);
}

void packed_stages_write(Realising *r, const NestNode *n) {
  Tiles *t = r->o->tiles;
  const NestStage *s = n->stage;
  if (s->kind == STAGE_CODELET) {
    codelet(r, t);
    return;
  }
  const NestValue *to = s->at.at[0].value;
  if (to == t->held || to == t->memory) copy_held(r, t, to == t->held);
  for (int i = 0; i < t->codelet->nparams; i++)
    if (t->packed->panels[i].value && t->packed->panels[i].value == to) copy_panel(r, t, i);
}
