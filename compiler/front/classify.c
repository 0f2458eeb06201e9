/* classify.c: what kind each codelet is, and whether the spectra hang together (MICRO II, design section 3).
 *
 *   compound     applies a spectrum, by a map or directly
 *   cooperative  its lanes know of each other: shared variables, a Vector, coopIdx()
 *   autonomous   everything else; among them functions, whose parameters are numbers */
#include <string.h>

#include "front/front.h"
#include "front/writes.h"
#include "ir/function.h"
#include "ir/steps.h"

typedef struct Classify {
  Arena *a;
  Diagnostics *d;
  const Codelet *codelet;
  bool maps, lanes, returns, writes; /* writes: something that is seen from outside */
  const Tree *early; /* a return that is not the last statement */
  const Tree *first_map, *first_lane, *first_container, *first_tunable;
  bool ok;
} Classify;

static void refuse(Classify *c, SourceRange where, const char *hint, const char *message) {
  diagnostics_add(c->d, DIAG_ERROR, where, hint, "%s", message);
  c->ok = false;
}

static void read_only(Classify *c, const Tree *write) {
  const Tree *place = write->kid[0];
  const Symbol *s = place->op == OP_INDEX ? place->kid[0]->op == OP_REF ? place->kid[0]->symbol : NULL
                    : place->op == OP_REF ? place->symbol : NULL;
  if (!s) { refuse(c, place->where, NULL, "this cannot be assigned to"); return; }
  if (s->kind == SYMBOL_PARAM && s->rank) c->writes = true;
  if (s->kind == SYMBOL_PARAM && !s->writable)
    refuse(c, place->where, "declare the parameter `__mutable'", arena_printf(c->a, "`%s' is read-only here", s->name));
  else if (s->kind == SYMBOL_MAP || s->kind == SYMBOL_SEQUENCE || s->kind == SYMBOL_CUT ||
           s->kind == SYMBOL_TUNABLE)
    refuse(c, place->where, NULL, arena_printf(c->a, "`%s' cannot be assigned to", s->name));
}

static bool visit(void *context, const Tree *t) {
  Classify *c = context;
  switch (t->op) {
    case OP_MAP_TO: case OP_MAP_RUN: case OP_RUN: c->writes = true; break;
    case OP_MAP: case OP_CALL: case OP_SLIDE:
      c->maps = true;
      if (!c->first_map) c->first_map = t;
      break;
    case OP_VECTOR_SIZE: case OP_VECTOR_MAX: case OP_VECTOR_THREAD: case OP_VECTOR_LANE: case OP_VECTOR_ID:
    case OP_COOP_DIM: case OP_ALIKE:
      c->lanes = true;
      if (!c->first_lane) c->first_lane = t;
      break;
    case OP_DECLARE:
      if (t->symbol->kind == SYMBOL_SHARED) {
        c->lanes = true;
        if (!c->first_lane) c->first_lane = t;
      }
      if (t->symbol->rank && t->symbol->kind == SYMBOL_LOCAL && !c->first_container) c->first_container = t;
      if (t->symbol->kind == SYMBOL_TUNABLE && !c->first_tunable) c->first_tunable = t;
      if (t->symbol->length) tree_visit(t->symbol->length, visit, c);
      if (t->symbol->init) tree_visit(t->symbol->init, visit, c);
      break;
    case OP_ASSIGN: read_only(c, t); break;
    case OP_ATOMIC: c->writes = true; break; /* an append */
    case OP_ADDRESS: c->writes |= t->kid[0]->kid[0]->symbol->writable; break;
    default: break;
  }
  return true;
}

static bool find_return(void *context, const Tree *t) {
  Classify *c = context;
  if (t->op == OP_RETURN && !c->early) c->early = t;
  return true;
}

static void check_returns(Classify *c, const Codelet *k) {
  const Tree *body = k->body;
  for (int i = 0; i < body->nkids; i++) {
    const Tree *t = body->kid[i];
    bool last = i == body->nkids - 1;
    if (last && t->op == OP_RETURN) { c->returns = true; continue; }
    tree_visit(t, find_return, c);
  }
  if (c->early)
    refuse(c, c->early->where, "keep the result in a variable, return it at the end",
           "only the last statement may return, beside `if (..) return ..;' and returns in loops");
  bool atomic = tree_contains(body, OP_MAP_ATOMIC); /* CGO Fig. 1(b): the accumulated value is the result */
  if (k->spectrum->result == TYPE_VOID && !c->writes)
    refuse(c, k->where, "declare what it writes `__mutable', or return a result",
           "the codelet returns nothing and writes nothing");
  if (k->spectrum->result != TYPE_VOID && !c->returns && !c->early && !atomic)
    refuse(c, k->where, NULL, "the codelet returns nothing");
}

static void classify(Classify *c, Codelet *k) {
  c->codelet = k;
  tree_visit(k->body, visit, c);
  check_returns(c, k);
  k->kind = c->maps ? CLASS_COMPOUND : c->lanes ? CLASS_COOPERATIVE : CLASS_AUTONOMOUS;
  if (k->kind == CLASS_COMPOUND) k->body = steps_plain(c->a, k->body);
  if (c->maps && c->lanes) {
    refuse(c, c->first_map->where, "let a cooperative codelet and a compound one share the work",
           "a codelet either applies spectra or exchanges data between its lanes");
    return;
  }
  if (tree_contains(k->body, OP_ADDRESS) && k->kind != CLASS_AUTONOMOUS)
    refuse(c, k->where, "put it into a codelet for one lane", "only an autonomous codelet hands on addresses");
  if (c->first_container && k->kind != CLASS_COMPOUND)
    refuse(c, c->first_container->where, "T c[n] is an array of one lane's",
           "only a compound codelet can declare a container");
  if (c->first_tunable && k->kind != CLASS_COMPOUND)
    refuse(c, c->first_tunable->where, "__tunable unsigned tile = 8;",
           arena_printf(c->a, "`%s' has no value, and is no number of parts: there are none",
                        c->first_tunable->symbol->name));
  if (function_is(k->spectrum) && k->kind == CLASS_COOPERATIVE)
    refuse(c, c->first_lane->where, NULL, "a function cannot use lanes");
  if (k->coop_declared && k->kind != CLASS_COOPERATIVE)
    refuse(c, k->where, k->kind == CLASS_COMPOUND ? "leave out __coop" : "its lanes exchange data by shared variables",
           "marked __coop, but its lanes do not cooperate");
}

/* Do two codelets of a spectrum say the same of a parameter's sizes, each in its own names? */
static bool same_shape(const Codelet *first, const Symbol *x, const Codelet *other, const Symbol *y) {
  for (int dim = 0; dim < MOST_RANK; dim++) {
    const ShapeRule *r = &x->shape[dim], *q = &y->shape[dim];
    if (r->said != q->said || r->times != q->times || r->more != q->more || r->plus != q->plus) return false;
    for (int k = 0; k < SHAPE_SIZES; k++) {
      if (!r->of[k] != !q->of[k]) return false;
      if (r->of[k] &&
          (writes_parameter(first, r->of[k]) != writes_parameter(other, q->of[k]) || r->dim[k] != q->dim[k]))
        return false;
    }
  }
  return true;
}

/* Codelets of one spectrum say the same of their parameters. */
static void check_parameters(Classify *c, const Spectrum *s) {
  const Codelet *first = s->codelets[0];
  for (int i = 1; i < s->ncodelets; i++)
    for (int p = 0; p < first->nparams && p < s->codelets[i]->nparams; p++) {
      const Symbol *x = first->params[p], *y = s->codelets[i]->params[p];
      if (x->writable == y->writable && x->atomic == y->atomic && x->by_columns == y->by_columns &&
          same_shape(first, x, s->codelets[i], y))
        continue;
      refuse(c, y->where, "codelets of one spectrum share one signature, with __mutable, __like, ..",
             arena_printf(c->a, "`%s' is declared differently on %s", x->name,
                          source_line(c->a, x->where.file, x->where.begin, y->where.begin)));
    }
  if (function_is(s) && s->ncodelets > 1)
    refuse(c, s->codelets[1]->where, "a spectrum of numbers is a function, substituted where it is called",
           "a function has one codelet");
}

/* ---- tags ---- */

static const Codelet *with_tag(const Spectrum *s, const char *tag, const Codelet *but) {
  for (int i = 0; i < s->ncodelets; i++)
    if (s->codelets[i] != but && s->codelets[i]->tag && strcmp(s->codelets[i]->tag, tag) == 0) return s->codelets[i];
  return NULL;
}

static bool valid_tag(const char *tag) {
  return tag[0] && strspn(tag, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(tag);
}

static void name_codelets(Classify *c, Spectrum *s) {
  static const char *const names[] = {"serial", "coop", "compound"};
  for (int i = 0; i < s->ncodelets; i++) {
    Codelet *k = s->codelets[i];
    k->letter = (char)(i < 26 ? 'a' + i : i < 52 ? 'A' + i - 26 : '?');
    if (!k->tag) continue;
    if (!valid_tag(k->tag)) refuse(c, k->where, "letters, digits and _", "this tag is not a name");
    const Codelet *other = with_tag(s, k->tag, k);
    if (other && other->where.begin < k->where.begin) {
      refuse(c, k->where, "each codelet of a spectrum has its own: `__tag(name)'",
             arena_printf(c->a, "the codelet on %s already has the tag `%s'",
                          source_line(c->a, other->where.file, other->where.begin, k->where.begin), k->tag));
    }
  }
  for (int i = 0; i < s->ncodelets; i++) {
    Codelet *k = s->codelets[i];
    if (k->tag) continue;
    const char *tag = names[k->kind];
    for (int n = 2; with_tag(s, tag, k); n++) tag = arena_printf(c->a, "%s%d", names[k->kind], n);
    k->tag = tag;
  }
}

/* ---- does anything compute? ---- */

typedef struct Called { const Unit *u; const bool *computes; bool all; } Called;

static bool called_computes(void *context, const Tree *t) {
  Called *c = context;
  if (t->op == OP_MAP || t->op == OP_CALL || t->op == OP_SLIDE || t->op == OP_SPECTRUM || t->op == OP_TRANSFORM ||
      t->op == OP_GENERATE)
    for (int i = 0; i < c->u->nspectra; i++)
      if (c->u->spectra[i] == t->spectrum && !c->computes[i]) c->all = false;
  if (t->op == OP_DECLARE && t->symbol->init) tree_visit(t->symbol->init, called_computes, c);
  return true;
}

/* A spectrum computes when one of its codelets is atomic, or applies only spectra that compute. */
static void check_recursion(Classify *c, const Unit *u) {
  bool *computes = arena_many(c->a, bool, u->nspectra);
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < u->nspectra; i++) {
      for (int k = 0; k < u->spectra[i]->ncodelets && !computes[i]; k++) {
        const Codelet *x = u->spectra[i]->codelets[k];
        Called called = {u, computes, true};
        if (x->kind == CLASS_COMPOUND) tree_visit(x->body, called_computes, &called);
        if (called.all) computes[i] = changed = true;
      }
    }
  }
  for (int i = 0; i < u->nspectra; i++) {
    const Spectrum *s = u->spectra[i];
    if (computes[i]) continue;
    if (s->ncodelets == 0)
      refuse(c, s->where, "define one: a function of that name with a body",
             arena_printf(c->a, "the spectrum `%s' has no codelet", s->name));
    else
      refuse(c, s->codelets[0]->where, "add an atomic codelet: one without a map",
             arena_printf(c->a, "every codelet of `%s' calls another one: the recursion never ends", s->name));
  }
}

bool front_classify(Arena *a, Unit *u, Diagnostics *d) {
  bool ok = true;
  for (int i = 0; i < u->nspectra; i++) {
    Spectrum *s = u->spectra[i];
    for (int k = 0; k < s->ncodelets; k++) {
      Classify c = {.a = a, .d = d, .ok = true};
      classify(&c, s->codelets[k]);
      ok = ok && c.ok;
    }
    Classify c = {.a = a, .d = d, .ok = true};
    name_codelets(&c, s);
    if (s->ncodelets) check_parameters(&c, s);
    ok = ok && c.ok;
  }
  Classify c = {.a = a, .d = d, .ok = true};
  check_recursion(&c, u);
  for (int i = 0; i < u->nspectra; i++)
    for (int k = 0; k < u->spectra[i]->ncodelets; k++)
      if (!front_writes(u->spectra[i]->codelets[k], d)) ok = false;
  return ok && c.ok;
}
