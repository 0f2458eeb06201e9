/* handed.c: what a scan writes, handed on to a map as it is written.
 *
 *   Array<1, long> place(x.Size());               out[i] = accum;      if (x[i] > bound) out[accum] = x[i];
 *   places(flags, 0, place);                                      ->
 *   map(put<T>, elements(x), elements(place), out);
 *
 * The element is neither written to memory nor read from there, and no kernel more is launched for the map.
 *
 * Where the elements are places, and the map's codelet stores to place number `accum' if and only if that flag is set,
 * the places that a tile stores to lie side by side: rescan.c has them stored together.
 *
 * Requires a container that one scan writes and one map reads element by element (ir/handed.c). Keeps what the map
 * stores. Breaks: the container has no memory. */
#include "lower/handed.h"

#include <string.h>

#include "lower/counts.h"
#include "lower/cuts.h"

/* What a map's arguments are: of each part an element of that container, at the same place; or the same for all. */
typedef struct HandedArgument {
  bool own;        /* an element of what is handed on */
  View *elements;  /* NULL: the same for all, or its own */
  Argument same;
} HandedArgument;

typedef struct HandedTo {
  const Codelet *codelet;
  const Symbol *container; /* the codelet's own */
  HandedArgument at[MOST_OPERANDS];
  int n;
  Form side_by_side, rest; /* the codelet's statements, once they are told apart */
} HandedTo;

/* What the map's codelet has of element number `index'. */
static Arguments arguments(Lowering *l, const View *v, Tree *index, Tree *own, const Handover *how) {
  Arena *a = l->a;
  const HandedTo *x = v->source.handing->to;
  Tree *at = v->place ? v->place : build_add(a, v->begin, build_mul(a, index, v->step));
  Arguments in = {.n = x->n};
  for (int i = 0; i < x->n; i++) {
    if (x->at[i].own) in.at[i].number = own;
    else if (!x->at[i].elements) in.at[i] = x->at[i].same;
    else in.at[i].number = view_element(l, x->at[i].elements, at);
    if (how && how->is && in.at[i].number) in.at[i].number = counts_of_held(l, in.at[i].number, how->flag, how->is);
    if (how && how->held && in.at[i].number)
      in.at[i].number = counts_of_held(l, in.at[i].number, how->element, how->held);
    if (!how || how->part != HANDED_SIDE_BY_SIDE || !how->beside[i]) continue;
    in.at[i].view = view_new(l, view_of_memory(l, how->beside[i], how->beside[i]->length));
  }
  return in;
}

static void put(Lowering *l, const View *v, Tree *index, Tree *value, const Handover *how) {
  const HandedTo *x = v->source.handing->to;
  const HandedPart part = how ? how->part : HANDED_ALL;
  const Type type = part == HANDED_SIDE_BY_SIDE ? value->type : x->container->type;
  Arguments in = arguments(l, v, index, tree_ref(l->a, lowering_fixed(l, x->container->name, type, value)), how);
  const Place lane = lowering_place(l, arch_lane(l->plan->machine));
  const Form *const forms[] = {&x->codelet->plain, &x->side_by_side, &x->rest};
  inline_codelet(l, x->codelet, forms[part], &lane, &in, NULL);
}

bool handed_open(Lowering *l, Environment *e, const Handed *h) {
  Arena *a = l->a;
  const Spectrum *s = h->map->spectrum;
  HandedTo *x = arena_one(a, HandedTo);
  Handing *handing = arena_one(a, Handing);
  View *made = view_new(l, view_of_memory(l, NULL, inline_expression(l, e, h->container->length)));
  *x = (HandedTo){.codelet = spectrum_reference(s), .container = h->container, .n = h->map->nkids};
  if (!x->codelet) return lowering_fail(l, h->map->where, "it has no codelet for one lane, which has each element");
  made->source.kind = VIEW_HANDED;
  *handing = (Handing){.put = put, .to = x};
  made->source.handing = handing;
  e->private = h->container;
  e->private_view = made;
  const Regroup parts = {.map = h->map, .parts = view_size(l, made)};
  contract_of_map(l, e, &parts);
  for (int i = 0; i < x->n; i++) {
    const Tree *t = h->map->kid[i];
    const bool element = t->op == OP_ELEMENTS;
    if (element && t->kid[0]->op == OP_REF && t->kid[0]->symbol == h->container) x->at[i].own = true;
    else if (!element) x->at[i].same = cuts_same(l, &parts, e, t);
    else if (!(x->at[i].elements = inline_view(l, e, t->kid[0])))
      return lowering_fail(l, t->where, "this is not a container here");
  }
  return !l->failed;
}

const char *handed_name(const View *v) { return v->source.handing->to->container->name; }

/* ---- what is stored side by side ---- */

typedef struct Stores {
  const Codelet *codelet;
  const Symbol *place;
  const View *const *views; /* by parameter; NULL: it is a number */
  const View *stored[MOST_OPERANDS];
  bool ok;
} Stores;

/* `out[place] = ..', which says nothing else of the place. */
static bool only_stores(void *context, const Tree *t) {
  Stores *x = context;
  if (t->op == OP_SEQ) return true;
  const Tree *to = t->op == OP_ASSIGN && !t->compound ? t->kid[0] : NULL;
  const bool place = to && to->op == OP_INDEX && to->nkids == 2 && to->kid[0]->op == OP_REF &&
                     to->kid[0]->symbol->atomic == ATOMIC_ONCE && to->kid[1]->op == OP_REF &&
                     to->kid[1]->symbol == x->place;
  int k = 0;
  while (place && k < x->codelet->nparams && x->codelet->params[k] != to->kid[0]->symbol) k++;
  const bool known = place && k < x->codelet->nparams && x->views[k] && x->views[k]->source.kind == VIEW_MEMORY &&
                     build_is(x->views[k]->step, 1);
  x->ok &= known && !tree_mentions(t->kid[1], x->place);
  if (x->ok) x->stored[k] = x->views[k];
  return false;
}

/* `if (flag != 0) ..', or `if (flag)'. */
static bool is_flag_set(const Tree *condition, const Tree *flag) {
  int64_t zero;
  if (condition->op == OP_NE && tree_constant(condition->kid[1], &zero) && zero == 0) condition = condition->kid[0];
  condition = tree_uncast(condition);
  flag = tree_uncast(flag);
  return tree_equal(condition, flag);
}

bool handed_has_rest(const View *v) { return v->source.handing->to->rest.body->nkids > 0; }

bool handed_is_side_by_side(Lowering *l, const View *v, const View *flags, const View *stored[MOST_OPERANDS]) {
  Arena *a = l->a;
  HandedTo *x = v->source.handing->to;
  const Codelet *c = x->codelet;
  const Tree *body = c->plain.body;
  Tree *index = tree_ref(a, symbol_new(a, SYMBOL_LOCAL, "i", TYPE_INDEX)), *own = tree_ref(a, (Symbol *)x->container);
  Arguments in = arguments(l, v, index, own, NULL);
  const Place lane = lowering_place(l, arch_lane(l->plan->machine));
  Environment e = inline_environment(l, c, &in, body, &lane);
  const View *views[MOST_OPERANDS] = {0};
  Stores s = {.codelet = c, .views = views};
  for (int i = 0; i < x->n; i++) {
    views[i] = in.at[i].view;
    if (x->at[i].own) s.place = c->params[i];
  }
  Tree *flag = view_element(l, flags, index);
  VEC(Tree *) beside = {0}, rest = {0};
  for (int i = 0; i < body->nkids; i++) {
    Tree *t = body->kid[i];
    memset(s.stored, 0, sizeof s.stored);
    s.ok = t->op == OP_IF && t->nkids == 2 && is_flag_set(inline_expression(l, &e, t->kid[0]), flag);
    if (s.ok) tree_visit(t->kid[1], only_stores, &s);
    for (int k = 0; s.ok && k < x->n; k++)
      if (s.stored[k]) stored[k] = s.stored[k];
    if (t->op == OP_DECLARE || s.ok) vec_push(a, &beside, t);
    if (t->op == OP_DECLARE || !s.ok) vec_push(a, &rest, t);
  }
  x->side_by_side = x->rest = c->plain;
  x->side_by_side.body = tree_seq(a, beside.at, beside.n);
  x->rest.body = tree_seq(a, rest.at, rest.n);
  for (int i = 0; i < x->n; i++)
    if (stored[i]) return true;
  return false;
}
