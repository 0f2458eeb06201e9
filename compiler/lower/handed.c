/* handed.c: what a scan writes, handed on to a map as it is written.
 *
 *   Array<1, long> place(x.Size());               out[i] = accum;      if (x[i] > bound) out[accum] = x[i];
 *   places(flags, 0, place);                                      ->
 *   map(put<T>, elements(x), elements(place), out);
 *
 * The element is neither written to memory nor read from there, and no kernel more is launched for the map.
 *
 * Requires a container that one scan writes and one map reads element by element (ir/handed.c). Keeps what the map
 * stores. Breaks: the container has no memory. */
#include "lower/handed.h"

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
} HandedTo;

static void put(Lowering *l, const View *v, Tree *index, Tree *value) {
  Arena *a = l->a;
  const HandedTo *x = v->source.handing->to;
  Tree *at = v->place ? v->place : build_add(a, v->begin, build_mul(a, index, v->step));
  Arguments in = {.n = x->n};
  Tree *own = tree_ref(a, lowering_fixed(l, x->container->name, x->container->type, value));
  for (int i = 0; i < x->n; i++)
    in.at[i] = x->at[i].own        ? (Argument){.number = own}
               : x->at[i].elements ? (Argument){.number = view_element(l, x->at[i].elements, at)}
                                   : x->at[i].same;
  const Place lane = lowering_place(l, arch_lane(l->plan->machine));
  inline_codelet(l, x->codelet, &x->codelet->plain, &lane, &in, NULL);
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
  *handing = (Handing){put, x};
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
