/* packed_stages.c: the stages of packed tiles (packed.c): copies of panels, the codelet's body on an element, what is
 * held from and to memory.
 *
 * Requires that realise.c says which iterations those are. Keeps the nest as it is. */
#include "lower/packed.h"

static Tree *steps(const View *v, int dimension) { return *view_step_of((View *)v, dimension); }

static Tree *as_index(const Realising *r, Tree *x) { return build_cast(r->l->a, TYPE_INDEX, x); }

/* Which of a rectangle's elements a side's is at hand: lanes have neighbours. */
static Tree *in_rectangle(const Realising *r, const PackedSide *x) {
  Arena *a = r->l->a;
  Tree *number = iterations_number(r, x->element);
  return x->lanes ? build_add(a, build_mul(a, number, x->lanes->extent), x->lanes->number) : number;
}

static Tree *last_of(const Realising *r, const PackedSide *x) {
  return build_sub(r->l->a, x->size, build_index(r->l->a, 1));
}

/* The element that there is instead of one beyond the part. */
static Tree *or_last(const Realising *r, const PackedSide *x, Tree *at) {
  return x->within ? at : build_min(r->l->a, at, last_of(r, x));
}

/* ---- panels ---- */

/* Where a copy has element `e' of the rectangle that begins at `at', and `k' of the panel: a rectangle's lie side by
 * side. */
static Tree *in_panel(const Realising *r, const Tiles *t, const PackedPanel *p, Tree *at, Tree *e, Tree *k) {
  Arena *a = r->l->a;
  Tree *first = p->side->lanes ? build_index(a, 0) : build_mul(a, at, t->panel);
  return build_add(a, build_add(a, first, build_mul(a, k, p->side->all)), e);
}

static void copy_panel(Realising *r, Tiles *t, int param) {
  Lowering *l = r->l;
  Arena *a = l->a;
  const PackedPanel *p = &t->packed->panels[param];
  const View *from = tiles_operand(t, param);
  Tree *at = p->rectangles->at, *k = p->inner->at;
  const bool own = iterations_have(r, p->element) && (!p->side->lanes || !p->along);
  Tree *e = own ? iterations_number(r, p->element) : in_rectangle(r, p->side);
  Tree *place = build_element(a, p->value->symbol, in_panel(r, t, p, at, e, k));
  Tree *begin = from->begin, *step = steps(from, p->dimension), *index = build_add(a, at, e);
  begin = build_add(a, begin, build_mul(a, build_add(a, t->panel_begin, k), steps(from, p->by)));
  const bool beyond = r->otherwise && p->along;
  if (!beyond && !p->along) index = or_last(r, p->side, index);
  Tree *value = build_element(a, from->source.base, build_add(a, begin, build_mul(a, index, step)));
  if (beyond) { /* lanes load at once what there is: with a position of its own each would load alone */
    Tree *last = build_element(a, from->source.base, build_add(a, begin, build_mul(a, last_of(r, p->side), step)));
    Symbol *s = lowering_fixed(l, "last", from->source.base->type, last);
    value = build_choice(a, build_compare(a, OP_LT, index, p->side->size), value, tree_ref(a, s));
  }
  lowering_add(l, build_assign(a, place, value));
}

/* ---- a lane's elements ---- */

static View *in_registers(const Realising *r, const Tiles *t, const PackedShape *s) {
  Arena *a = r->l->a;
  View *made = view_new(r->l, *tiles_operand(t, t->plan.written));
  Tree *one = tree_int(a, TYPE_INT, 1), *row = s->side[t->packed->vector]->each;
  made->source.base = s->held->symbol;
  made->begin = tree_int(a, TYPE_INT, 0);
  const int above = packed_above(t, t->plan.written);
  for (int d = 0; d < above; d++) *view_step_of(made, d) = tree_int(a, TYPE_INT, 0);
  *view_step_of(made, above) = t->packed->vector == 1 ? row : one;
  *view_step_of(made, above + 1) = t->packed->vector == 1 ? one : row;
  made->plane.alone = true;
  return made;
}

/* In a copy, or where it lies, an element that there is. */
static View *operand(const Realising *r, const Tiles *t, const PackedShape *s, int param) {
  Arena *a = r->l->a;
  if (param == t->plan.written) return in_registers(r, t, s);
  View *made = view_new(r->l, *tiles_operand(t, param));
  const PackedPanel *p = &t->packed->panels[param];
  const int above = packed_above(t, param);
  if (p->value && (s->copied || !p->side->lanes)) {
    const PackedSide *x = s->side[p->side->of];
    made->source.base = p->value->symbol;
    made->begin = in_panel(r, t, p, x->at, tree_int(a, TYPE_INT, 0), build_index(a, 0));
    for (int d = 0; d < above; d++) *view_step_of(made, d) = tree_int(a, TYPE_INT, 0);
    made->plane.at[p->dimension] = in_rectangle(r, x);
    *view_step_of(made, p->dimension) = tree_int(a, TYPE_INT, 1);
    *view_step_of(made, p->by) = p->side->all;
    return made;
  }
  for (int d = 0; d < above + PLANE; d++) {
    const int of = packed_side(t, param, d);
    const PackedSide *x = of >= 0 ? s->side[of] : NULL;
    if (x) made->plane.at[d] = or_last(r, x, build_add(a, x->at, in_rectangle(r, x)));
    if (t->plan.cut[param][d].panel)
      made->begin = build_add(a, made->begin, build_mul(a, t->panel_begin, steps(made, d)));
  }
  return made;
}

static void codelet(Realising *r, Tiles *t, const PackedShape *s) {
  Lowering *l = r->l;
  Arguments in = {.n = t->codelet->nparams};
  for (int i = 0; i < in.n; i++)
    if (tiles_operand(t, i)) in.at[i].view = operand(r, t, s, i);
    else in.at[i].number = t->in->at[t->plan.of_block[i]].number;
  Environment e = inline_environment(l, t->codelet, &in, t->codelet->body, &t->lane);
  for (int i = 0; i < t->plan.nloops; i++) {
    const NestAxis *axis = s->axis[i];
    Tree *number = axis->binding == BINDING_UNROLL ? iterations_number(r, axis) : axis->at;
    inline_bind(l, &e, t->plan.loops[i].index, number, NULL);
  }
  inline_statements(l, &e, t->plan.body, NULL);
}

/* ---- what is held ---- */

/* Between registers and memory; of a rectangle that goes beyond the part, what there is. */
static void copy_held(Realising *r, Tiles *t, const PackedShape *s, bool load) {
  Lowering *l = r->l;
  Arena *a = l->a;
  const int above = packed_above(t, t->plan.written);
  Tree *at[MOST_DIMENSIONS], *of[MOST_DIMENSIONS], *exists = NULL;
  for (int d = 0; d < above; d++) at[d] = of[d] = build_index(a, 0); /* a part's one */
  for (int d = 0; d < PLANE; d++) {
    const PackedSide *x = s->side[d];
    at[above + d] = build_add(a, x->at, as_index(r, in_rectangle(r, x)));
    of[above + d] = iterations_number(r, x->element);
    if (x->within) continue;
    Tree *one = build_compare(a, OP_LT, at[above + d], x->size);
    exists = exists ? build_both(a, exists, one) : one;
  }
  Tree *memory = view_element_at(l, tiles_operand(t, t->plan.written), at, above + PLANE);
  Tree *held = view_element_at(l, in_registers(r, t, s), of, above + PLANE);
  Tree *zero = build_cast(a, held->type, tree_int(a, TYPE_INT, 0));
  if (load && r->otherwise) memory = build_choice(a, exists, memory, zero);
  Tree *copy = load ? build_assign(a, held, memory) : build_assign(a, memory, held);
  lowering_add(l, !load && r->otherwise ? build_if(a, exists, copy) : copy);
}

/* Whose rectangles' a stage is. */
static const PackedShape *shape_of(const Tiles *t, const NestStage *s) {
  for (int i = 0; i < t->packed->nshapes; i++)
    for (int k = 0; k < s->at.n; k++)
      if (s->at.at[k].value == t->packed->shape[i].held) return &t->packed->shape[i];
  return NULL;
}

void packed_stages_write(Realising *r, const NestNode *n) {
  Tiles *t = r->o->tiles;
  const PackedShape *s = shape_of(t, n->stage);
  const NestValue *to = n->stage->at.at[0].value;
  if (n->stage->kind == STAGE_CODELET) codelet(r, t, s);
  else if (s) copy_held(r, t, s, to == s->held);
  else
    for (int i = 0; i < t->codelet->nparams; i++)
      if (t->packed->panels[i].value && t->packed->panels[i].value == to) copy_panel(r, t, i);
}
