/* rules.c: from codelets to program composition rules (MICRO III-B, Fig. 4).
 *
 * The abstract rules of Fig. 3 are applied to each codelet until none applies deterministically any more:
 * Select and Compute give an atomic codelet's rule; Select, Cascade, Regroup and Distribute a compound one's;
 * Devolve needs no codelet. A spectrum's rules are followed by those of the spectra that its codelets apply. Nothing
 * here knows a machine. */
#include "compose/plan.h"
#include "ir/handed.h"
#include "ir/steps.h"
#include "ir/signature.h"

typedef struct Extraction {
  Arena *arena;
  const Codelet *codelet;
  VEC(Step) steps;
  bool maps, slides;
  const Tree *handed; /* a map that has the elements of what is composed: it is no step (ir/handed.h) */
} Extraction;

static void step(Extraction *x, StepKind kind, int below, const Spectrum *s) {
  Step made = {.kind = kind, .below = below, .spectrum = s};
  if (kind == STEP_REGROUP) made.codelet = x->codelet;
  vec_push(x->arena, &x->steps, made);
}

/* Cascade: what is called first comes first. A map is regroup and distribute, its spectrum one level down. */
static void cascade(Extraction *x, const Tree *t) {
  if (!t || t == x->handed) return;
  if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_MAP) {
    cascade(x, t->symbol->init);
    return;
  }
  if (t->op == OP_MAP || t->op == OP_SLIDE) {
    x->maps = true;
    x->slides |= t->op == OP_SLIDE;
    step(x, STEP_SYNC, 0, NULL);
    step(x, STEP_REGROUP, 0, NULL);
    step(x, STEP_DISTRIBUTE, 1, NULL);
    step(x, STEP_COMPOSE, 1, t->spectrum);
    return;
  }
  for (int i = 0; i < t->nkids; i++) cascade(x, t->kid[i]);
  if (t->op == OP_CALL) step(x, STEP_COMPOSE, 0, t->spectrum);
}

static Rule *rule(Arena *a, int number, const Spectrum *s, const Codelet *c, const Extraction *x) {
  Rule *r = arena_one(a, Rule);
  r->name = arena_printf(a, "%d", number);
  r->spectrum = s;
  r->codelet = c;
  r->steps = x->steps.at;
  r->nsteps = x->steps.n;
  r->map = x->maps ? STEP_DISTRIBUTE : STEP_COMPUTE;
  r->slides = x->slides;
  return r;
}

static Rule *devolve(Arena *a, int number, const Spectrum *s) {
  Extraction x = {.arena = a};
  step(&x, STEP_SYNC, 0, NULL);
  step(&x, STEP_DEVOLVE, 1, NULL);
  step(&x, STEP_COMPOSE, 1, s);
  return rule(a, number, s, NULL, &x);
}

static bool find_tunable(void *context, const Tree *t) {
  bool *found = context;
  if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_TUNABLE) *found = true;
  return !*found;
}

const Symbol *rules_private_container(const Codelet *c) {
  for (int i = 0; i < c->body->nkids; i++) {
    const Tree *t = c->body->kid[i];
    if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_LOCAL && t->symbol->rank) return t->symbol;
  }
  return NULL;
}

typedef struct FindStart { const Tree *inc; bool tiles; } FindStart;

static bool find_inc(void *context, const Tree *t) {
  FindStart *f = context;
  if (t->op == OP_PARTITION && !f->inc) f->inc = t->kid[3];
  if (t->op == OP_CUT && !f->inc && t->nkids == 4) f->inc = t->kid[2];
  f->tiles |= t->op == OP_CUT && t->nkids == 2;
  if (t->op == OP_DECLARE && t->symbol->init) tree_visit(t->symbol->init, find_inc, f);
  return !f->inc;
}

Tiling plan_tiling_of(const Codelet *c) {
  FindStart f = {NULL, false};
  tree_visit(c->body, find_inc, &f);
  const Tree *inc = f.inc;
  if (f.tiles) return TILING_ADJACENT;
  if (inc && inc->op == OP_REF && inc->symbol->init) inc = inc->symbol->init;
  int64_t one;
  return inc && inc->nkids == 1 && tree_constant(inc->kid[0], &one) && one == 1 ? TILING_ADJACENT : TILING_STRIDED;
}

Capability plan_capability(const Codelet *c) {
  return c->matrix ? CAP_MATRIX : c->kind == CLASS_AUTONOMOUS ? CAP_SCALAR : CAP_VECTOR;
}

static Rule *from_codelet(Arena *a, int number, const Codelet *c) {
  Extraction x = {.arena = a, .codelet = c};
  const Handed handed = handed_of(c);
  if (c->kind == CLASS_COMPOUND) {
    x.handed = handed.map;
    cascade(&x, c->body);
  } else {
    Step compute = {.kind = STEP_COMPUTE, .codelet = c,
                    .capability = plan_capability(c)};
    vec_push(a, &x.steps, compute);
  }
  Rule *made = rule(a, number, c->spectrum, c, &x);
  tree_visit(c->body, find_tunable, &made->tunable);
  made->explicit_count = x.maps && !made->tunable;
  made->in_steps = c->kind == CLASS_COMPOUND && steps_any(c);
  made->tiling = plan_tiling_of(c);
  const bool merges = !made->in_steps && !handed.container && !x.slides && !spectrum_is_scan(c->spectrum);
  made->privatises = merges && rules_private_container(c);
  return made;
}

/* The rules of one spectrum, behind those that there are. */
static void extract(Arena *a, const Spectrum *s, Rules *to) {
  const int before = to->list.n;
  vec_push(a, &to->list, devolve(a, before + 1, s));
  for (int i = 0; i < s->ncodelets; i++) vec_push(a, &to->list, from_codelet(a, before + i + 2, s->codelets[i]));
}

static bool find_total(void *context, const Tree *t) {
  const Spectrum **found = context;
  if (t->op == OP_SLIDE && t->kid[1]->op == OP_SPECTRUM) *found = t->kid[1]->spectrum;
  return !*found;
}

const Spectrum *rules_total(const Codelet *c) {
  const Spectrum *total = NULL;
  tree_visit(c->body, find_total, &total);
  return total;
}

typedef VEC(const Spectrum *) Spectra;

static void note(Arena *a, Spectra *all, const Spectrum *s) {
  bool known = !s;
  for (int k = 0; k < all->n; k++) known |= all->at[k] == s;
  if (!known) vec_push(a, all, s);
}

/* What nobody but a slide needs, for the totals of its parts, comes last. */
Rules rules_extract(Arena *a, const Spectrum *s) {
  Rules rules = {0};
  Spectra all = {0};
  note(a, &all, s);
  for (int done = 0, next = 0; done < all.n; done++) {
    extract(a, all.at[done], &rules);
    for (; next < rules.list.n; next++)
      for (int i = 0; i < rules.list.at[next]->nsteps; i++) note(a, &all, rules.list.at[next]->steps[i].spectrum);
    for (int i = 0; i < rules.list.n && done == all.n - 1; i++)
      if (rules.list.at[i]->codelet) note(a, &all, rules_total(rules.list.at[i]->codelet));
  }
  return rules;
}
