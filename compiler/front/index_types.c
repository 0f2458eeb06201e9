/* index_types.c: a fixpoint over a codelet's integer variables. */
#include "front/index_types.h"

typedef struct Widen {
  const Tree *body;
  bool lanes; /* the codelet knows of lanes at all */
  bool longs; /* a long is not a position by its type alone (front_numbers) */
  bool changed;
} Widen;

static bool is_narrow(Type t) { return t == TYPE_INT || t == TYPE_UINT || t == TYPE_LONG || t == TYPE_ULONG; }

/* How many operands give a value its type: a shift's count does not. */
static int typing_kids(const Tree *t) { return t->op == OP_SHL || t->op == OP_SHR ? 1 : t->nkids; }

/* Is it, or does it contain outside of brackets and calls, a value of TYPE_INDEX? */
static bool holds_index(const Widen *w, const Tree *t) {
  if (t->op == OP_REF) return t->symbol->type == TYPE_INDEX;
  if (t->type == TYPE_INDEX && (!w->longs || tree_is_extent(t))) return true;
  if (t->op == OP_INDEX || t->op == OP_CALL || t->op == OP_CAST || (t->op >= OP_LT && t->op <= OP_LOR)) return false;
  for (int i = t->op == OP_COND ? 1 : 0; i < t->nkids; i++)
    if (holds_index(w, t->kid[i])) return true;
  return false;
}

/* Does the value depend on which lane computes it? Such numbers are small. */
static bool of_lanes(const Tree *t) {
  return tree_contains(t, OP_VECTOR_THREAD) || tree_contains(t, OP_VECTOR_LANE) || tree_contains(t, OP_VECTOR_ID) ||
         tree_contains(t, OP_VECTOR_SIZE) || tree_contains(t, OP_VECTOR_MAX) || tree_contains(t, OP_COOP_DIM);
}

/* A variable that lanes number things by, `int id = coopIdx()', stays as it is. */
typedef struct Lanes { const Symbol *s; bool yes; } Lanes;
static bool find_lanes(void *context, const Tree *t) {
  Lanes *l = context;
  if (t->op == OP_DECLARE && t->symbol == l->s && t->nkids && of_lanes(t->kid[0]) &&
      !tree_contains(t->kid[0], OP_SIZE))
    l->yes = true;
  if (t->op == OP_ASSIGN && t->kid[0]->op == OP_REF && t->kid[0]->symbol == l->s && of_lanes(t->kid[1])) l->yes = true;
  return !l->yes;
}

static bool numbers_lanes(const Widen *w, const Symbol *s) {
  Lanes l = {s, false};
  if (w->lanes) tree_visit(w->body, find_lanes, &l);
  return l.yes;
}

static void widen(Widen *w, Symbol *s) {
  if (s->rank || s->array || !is_narrow(s->type) || s->kind == SYMBOL_SHARED || numbers_lanes(w, s)) return;
  s->type = TYPE_INDEX;
  w->changed = true;
}

/* All variables that the expression's value is made of. */
static void widen_all(Widen *w, const Tree *t) {
  if (of_lanes(t)) return;
  if (t->op == OP_REF) { widen(w, t->symbol); return; }
  if (t->op == OP_INDEX || t->op == OP_CALL || t->op == OP_CAST) return;
  for (int i = t->op == OP_COND ? 1 : 0; i < t->nkids; i++) widen_all(w, t->kid[i]);
}

/* Numbers that a spectrum takes as sizes are sizes here. */
static void widen_arguments(Widen *w, const Tree *t) {
  const Codelet *of = t->spectrum->ncodelets ? t->spectrum->codelets[0] : NULL;
  if (!of || of->nparams != t->nkids) return;
  for (int i = 0; i < t->nkids; i++)
    if (!of->params[i]->rank && of->params[i]->type == TYPE_INDEX) widen_all(w, t->kid[i]);
}

static bool visit(void *context, const Tree *t) {
  Widen *w = context;
  switch (t->op) {
    case OP_CALL: case OP_MAP: widen_arguments(w, t); break;
    case OP_DECLARE:
      if (t->nkids && holds_index(w, t->kid[0])) widen(w, t->symbol);
      if (t->nkids && t->symbol->type == TYPE_INDEX) widen_all(w, t->kid[0]); /* what sizes are made of */
      if (t->symbol->rank && t->symbol->length) widen_all(w, t->symbol->length);
      if (t->symbol->init) tree_visit(t->symbol->init, visit, w);
      break;
    case OP_ASSIGN:
      if (t->kid[0]->op == OP_REF && t->compound != OP_SHR && holds_index(w, t->kid[1])) widen(w, t->kid[0]->symbol);
      break;
    case OP_LT: case OP_LE: case OP_GT: case OP_GE: case OP_EQ: case OP_NE:
      if (holds_index(w, t->kid[0])) widen_all(w, t->kid[1]);
      if (holds_index(w, t->kid[1])) widen_all(w, t->kid[0]);
      break;
    case OP_INDEX:
      if (t->kid[0]->op != OP_REF || !t->kid[0]->symbol->rank || t->kid[0]->symbol->kind != SYMBOL_PARAM) break;
      for (int i = 1; i < t->nkids; i++)
        if (t->kid[i]->op != OP_REF || !holds_index(w, t->kid[i])) widen_all(w, t->kid[i]);
      break;
    case OP_PARTITION:
      widen_all(w, t->kid[1]);
      break;
    case OP_CUT: /* its sequences are seen to themselves */
      for (int i = 0; i < (t->nkids == 2 ? 2 : 1); i++) widen_all(w, t->kid[i]);
      break;
    case OP_HALO:
      for (int i = 1; i < t->nkids; i++) widen_all(w, t->kid[i]);
      break;
    case OP_SEQUENCE:
      for (int i = 0; i < t->nkids; i++) widen_all(w, t->kid[i]);
      break;
    default: {
      const ViewRow *view = op_view(t->op);
      if (view && view->count >= 0) widen_all(w, t->kid[view->count]);
    }
  }
  return true;
}

static Tree *retype(void *context, Arena *a, Tree *t) {
  (void)context;
  Type wanted = t->type;
  if (t->op == OP_REF) wanted = t->symbol->rank || t->symbol->array ? t->type : t->symbol->type;
  else if (is_narrow(t->type) && ((t->op >= OP_ADD && t->op <= OP_XOR) || t->op == OP_NEG ||
                                  t->op == OP_COND || t->op == OP_MIN || t->op == OP_MAX)) {
    for (int i = t->op == OP_COND ? 1 : 0; i < typing_kids(t); i++)
      if (t->kid[i]->type == TYPE_INDEX) wanted = TYPE_INDEX;
  } else if (t->op == OP_DECLARE && t->nkids && t->kid[0]->op == OP_INT &&
             t->kid[0]->type != t->symbol->type && t->symbol->type == TYPE_INDEX) {
    t->kid[0]->type = TYPE_INDEX;
  } else if (t->op == OP_ASSIGN && t->kid[1]->op == OP_INT && t->kid[0]->type == TYPE_INDEX) {
    t->kid[1]->type = TYPE_INDEX;
  }
  if (wanted == TYPE_INDEX && t->op != OP_REF)
    for (int i = t->op == OP_COND ? 1 : 0; i < t->nkids; i++)
      if (t->kid[i]->op == OP_INT && is_narrow(t->kid[i]->type)) t->kid[i]->type = TYPE_INDEX;
  if (wanted == t->type) return t;
  Tree *copy = tree_with_kids(a, t, t->kid, t->nkids);
  copy->type = wanted;
  return copy;
}

/* A conversion that came to nothing: the value stayed as narrow. */
static Tree *drop_cast(void *context, Arena *a, Tree *t) {
  (void)context, (void)a;
  return t->op == OP_CAST && t->kid[0]->type == t->type ? t->kid[0] : t;
}

typedef struct Rewriting { Arena *a; TreeRewrite how; } Rewriting;

/* Maps and sequences keep their trees in their symbols. */
static bool rewrite_inits(void *context, const Tree *t) {
  const Rewriting *r = context;
  if (t->op != OP_DECLARE) return true;
  if (t->symbol->init) t->symbol->init = tree_rewrite(r->a, t->symbol->init, r->how, NULL);
  if (t->symbol->rank && t->symbol->length) t->symbol->length = tree_rewrite(r->a, t->symbol->length, r->how, NULL);
  return true;
}

static void rewrite(Arena *a, Codelet *c, TreeRewrite how) {
  Rewriting r = {a, how};
  c->body = tree_rewrite(a, c->body, how, NULL);
  tree_visit(c->body, rewrite_inits, &r);
}

/* Numbers by which containers say how large they are. */
static void widen_said(Widen *w, const Codelet *c) {
  for (int i = 0; i < c->nparams; i++)
    for (int d = 0; d < c->params[i]->rank; d++)
      for (int k = 0; k < SHAPE_SIZES; k++) {
        const Symbol *of = c->params[i]->shape[d].of[k];
        if (of && !of->rank) widen(w, (Symbol *)of);
      }
}

void front_index_types(Arena *a, Codelet *c) {
  Widen w = {c->body, of_lanes(c->body), false, true};
  widen_said(&w, c);
  w.changed = true;
  for (int round = 0; w.changed && round < 64; round++) {
    w.changed = false;
    tree_visit(c->body, visit, &w);
  }
  rewrite(a, c, retype);
}

/* ---- across codelets ---- */

/* A number that is a size in one codelet is one in all of the spectrum's. */
static void share(const Spectrum *s) {
  for (int k = 0; k < s->ncodelets; k++)
    for (int other = 0; other < s->ncodelets; other++)
      for (int i = 0; i < s->codelets[k]->nparams && i < s->codelets[other]->nparams; i++) {
        Symbol *to = s->codelets[other]->params[i];
        if (!to->rank && is_narrow(to->type) && s->codelets[k]->params[i]->type == TYPE_INDEX) to->type = TYPE_INDEX;
      }
}

static int sizes_of(const Unit *u) {
  int n = 0;
  for (int i = 0; i < u->nspectra; i++)
    for (int k = 0; k < u->spectra[i]->ncodelets; k++)
      for (int p = 0; p < u->spectra[i]->codelets[k]->nparams; p++)
        n += u->spectra[i]->codelets[k]->params[p]->type == TYPE_INDEX;
  return n;
}

static bool longs_as(void *context, const Tree *t) {
  if (t->op == OP_DECLARE && t->symbol->number) t->symbol->type = *(const Type *)context;
  return true;
}

/* All that is declared `long' and not known to be a size becomes that type. */
static void retype_longs(const Unit *u, Type type) {
  for (int i = 0; i < u->nspectra; i++)
    for (int k = 0; k < u->spectra[i]->ncodelets; k++) {
      const Codelet *c = u->spectra[i]->codelets[k];
      for (int p = 0; p < c->nparams; p++)
        if (c->params[p]->number) c->params[p]->type = type;
      tree_visit(c->body, longs_as, &type);
    }
}

static bool settle_long(void *context, const Tree *t) {
  (void)context;
  if (t->op == OP_DECLARE) t->symbol->number &= t->symbol->type == TYPE_LONG;
  return true;
}

/* Of the parameters that are declared `long', which are numbers like any other? Those that would not have become
 * positions, had they been declared int. */
static void find_numbers(const Unit *u) {
  retype_longs(u, TYPE_LONG);
  for (int before = -1; before != sizes_of(u);) {
    before = sizes_of(u);
    for (int i = 0; i < u->nspectra; i++) share(u->spectra[i]);
    for (int i = 0; i < u->nspectra; i++)
      for (int k = 0; k < u->spectra[i]->ncodelets; k++) {
        const Codelet *c = u->spectra[i]->codelets[k];
        Widen w = {c->body, of_lanes(c->body), true, true};
        widen_said(&w, c);
        w.changed = true;
        for (int round = 0; w.changed && round < 64; round++) {
          w.changed = false;
          tree_visit(c->body, visit, &w);
        }
      }
  }
  for (int i = 0; i < u->nspectra; i++)
    for (int k = 0; k < u->spectra[i]->ncodelets; k++) {
      const Codelet *c = u->spectra[i]->codelets[k];
      for (int p = 0; p < c->nparams; p++) c->params[p]->number &= c->params[p]->type == TYPE_LONG;
      tree_visit(c->body, settle_long, NULL);
    }
  retype_longs(u, TYPE_INDEX);
}

void front_index_parameters(Arena *a, const Unit *u) {
  for (int before = -1; before != sizes_of(u) && sizes_of(u) > 0;) {
    before = sizes_of(u);
    for (int i = 0; i < u->nspectra; i++) share(u->spectra[i]);
    for (int i = 0; i < u->nspectra; i++)
      for (int k = 0; k < u->spectra[i]->ncodelets; k++) front_index_types(a, u->spectra[i]->codelets[k]);
  }
  find_numbers(u);
  for (int i = 0; i < u->nspectra; i++)
    for (int k = 0; k < u->spectra[i]->ncodelets; k++) rewrite(a, u->spectra[i]->codelets[k], drop_cast);
}
