/* states.c: a spectrum over a user's operator, as codelets see it that name the operator.
 *
 *   reduce<ArgMin, T>(x)
 *
 * Codelets over operators compute with states. So what is applied is a spectrum of elements, with one codelet that
 * applies the one of states to a view: each element becomes a state where it is read.
 *
 *   return finish(reduce_arg_min_states(transform(lift, zip(x, iota(0, x.Size())))));
 *
 * Views serve at all levels, so nothing behind this knows of it. */
#include "front/front_parts.h"

#include <string.h>

typedef struct Wrap {
  Front *f;
  const Operation *over;
  Type element, state;
  SourceRange where;
} Wrap;

static Symbol *number(Arena *a, const char *name, Type type) {
  Symbol *s = symbol_new(a, SYMBOL_PARAM, name, type);
  s->declared = type;
  return s;
}

static Spectrum *spectrum_with(const Wrap *w, const char *name, Type result, Codelet k) {
  Arena *a = w->f->a;
  Spectrum *s = unit_add(a, w->f->unit, name, w->where);
  s->result = result;
  s->codelets = arena_one(a, Codelet *);
  s->codelets[0] = arena_one(a, Codelet);
  k.spectrum = s;
  k.generic = type_is_generic(w->element);
  k.where = k.extent = k.body->where = w->where;
  *s->codelets[0] = k;
  s->ncodelets = 1;
  return s;
}

/* The function of an element, and of its place if the operator has a use for it, that gives a state. */
static Spectrum *lift(const Wrap *w) {
  Arena *a = w->f->a;
  const Monoid *m = w->over->monoid;
  Codelet k = {.tag = "lift", .nparams = m->lifts && m->lifts_place ? 2 : 1, .params = arena_many(a, Symbol *, 2)};
  k.params[0] = number(a, "x", w->element);
  k.params[1] = number(a, "place", TYPE_INDEX);
  Tree *state = tree_new(a, m->lifts ? OP_LIFT : OP_CAST, w->state, w->where, k.nparams);
  for (int i = 0; i < k.nparams; i++) state->kid[i] = tree_ref(a, k.params[i]);
  Tree *all = tree_unary(a, OP_RETURN, TYPE_VOID, state);
  k.body = tree_seq(a, &all, 1);
  return spectrum_with(w, arena_printf(a, "%s_state", m->name), w->state, k);
}

/* The container's elements as states. */
static Tree *view_of(const Wrap *w, Symbol *of, Spectrum *function) {
  Arena *a = w->f->a;
  Tree *t = tree_new(a, OP_TRANSFORM, w->state, w->where, function->codelets[0]->nparams);
  t->spectrum = function;
  t->kid[0] = tree_ref(a, of);
  if (t->nkids < 2) return t;
  Tree *size = tree_unary(a, OP_SIZE, TYPE_INDEX, tree_ref(a, of));
  t->kid[1] = tree_binary(a, OP_IOTA, TYPE_INDEX, tree_int(a, TYPE_INDEX, 0), size);
  t->kid[1]->where = w->where;
  return t;
}

static bool refuse(const Wrap *w, const char *hint, const char *message) {
  diagnostics_add(w->f->d, DIAG_ERROR, w->where, hint, "%s", message);
  return false;
}

/* Is there something in between for all that the spectrum takes, and returns? */
static bool fits(const Wrap *w, const Spectrum *inner, const Codelet *of) {
  Arena *a = w->f->a;
  const char *name = inner->instance_of->name, *word = w->over->word;
  for (int i = 0; i < of->nparams; i++) {
    const Symbol *p = of->params[i];
    if (p->type == w->state && (!p->rank || p->writable))
      return refuse(w, "an operator whose elements are its states: Sum, Max, ..",
                    arena_printf(a, "`%s' %s states of `%s', which are none of the codelet's numbers", name,
                                 p->rank ? "stores" : "takes", word));
  }
  if (w->over->holds && !w->over->monoid->lifts)
    return refuse(w, "static State lift(T x) { .. }",
                  arena_printf(a, "`%s' has no `lift' that makes a state of an element", word));
  if (w->over->result == TYPE_COUNT && w->over->monoid->finishes)
    return refuse(w, "a number, or without `finish' the state",
                  arena_printf(a, "what `%s' finishes its state to is no number", word));
  return true;
}

Spectrum *states_wrap(Front *f, const Spectrum *inner, const Operation *over, Type element, const char *name,
                      SourceRange where) {
  Arena *a = f->a;
  const Wrap w = {f, over, element, inner->instance_type, where};
  if (!inner->ncodelets) return NULL; /* its errors are reported */
  const Codelet *of = inner->codelets[0];
  if (!fits(&w, inner, of)) return NULL;
  Spectrum *function = lift(&w);
  Codelet k = {.tag = "states", .nparams = of->nparams, .params = arena_many(a, Symbol *, of->nparams)};
  Tree *call = tree_new(a, OP_CALL, inner->result, where, of->nparams);
  call->spectrum = (Spectrum *)inner;
  for (int i = 0; i < of->nparams; i++) {
    Symbol *p = k.params[i] = arena_one(a, Symbol);
    *p = *of->params[i];
    const bool states = p->rank && p->type == w.state;
    if (states) p->type = p->declared = element;
    call->kid[i] = states ? view_of(&w, p, function) : tree_ref(a, p);
  }
  for (int i = 0; i < k.nparams; i++) /* sizes are those of its own parameters */
    for (int d = 0; d < MOST_RANK; d++)
      for (int n = 0; n < SHAPE_SIZES; n++)
        for (int o = 0; o < i; o++)
          if (k.params[i]->shape[d].of[n] == of->params[o]) k.params[i]->shape[d].of[n] = k.params[o];
  Type result = inner->result;
  Tree *value = call;
  if (result == w.state && (over->monoid->finishes || !over->holds)) {
    result = over->result == TYPE_ELEM ? element : over->result;
    value = tree_unary(a, over->monoid->finishes ? OP_FINISH : OP_CAST, result, call);
    value->where = where;
  }
  Tree *all = tree_unary(a, inner->result == TYPE_VOID ? OP_RUN : OP_RETURN, TYPE_VOID, value);
  k.body = tree_seq(a, &all, 1);
  return spectrum_with(&w, name, result, k);
}
