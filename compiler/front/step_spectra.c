/* step_spectra.c: steps that loops were read as, as spectra of their own, and the codelet that runs them. A step's
 * codelet has the parameters that its text needs, a container for each number that it adds up or reads, and the
 * counters of the loops around it as numbers. */
#include "front/step_spectra.h"

#include "front/divide.h"
#include "ir/build.h"
#include "ir/steps.h"

const Counter *step_counter(const LoopSteps *x, const Symbol *s) {
  for (int i = 0; i < x->counters.n; i++)
    if (x->counters.at[i].of == s) return &x->counters.at[i];
  return NULL;
}

Tree *step_renamed(void *context, Arena *a, Tree *t) {
  const Renaming *r = context;
  if (t->op != OP_REF) return t;
  const int p = divide_place(r->steps->codelet, t->symbol);
  if (p >= 0) return tree_ref(a, r->params[p]);
  for (int i = 0; i < r->steps->sums.n; i++)
    if (r->sums && r->steps->sums.at[i].container == t->symbol) return tree_ref(a, r->sums[i]);
  const Counter *counter = step_counter(r->steps, t->symbol);
  if (counter) return tree_ref(a, r->counters ? r->counters[counter - r->steps->counters.at] : counter->is);
  return t;
}

typedef struct Stored { const Symbol *symbol; bool found; } Stored;

static bool find_stored(void *context, const Tree *t) {
  Stored *s = context;
  s->found |= t->op == OP_ASSIGN && t->kid[0]->op == OP_INDEX && t->kid[0]->kid[0]->symbol == s->symbol;
  return true;
}

bool step_stores(const Tree *body, const Symbol *s) {
  Stored x = {s, false};
  tree_visit(body, find_stored, &x);
  return x.found;
}

/* Which of the codelet's parameters does the step need: its text mentions them, or what is said of others' sizes? */
static void find_needed(const Codelet *c, const Tree *body, bool *needed) {
  for (int i = c->nparams - 1; i >= 0; i--) {
    needed[i] |= tree_mentions(body, c->params[i]);
    for (int d = 0; d < c->params[i]->rank && needed[i]; d++)
      for (int n = 0; n < SHAPE_SIZES; n++)
        if (c->params[i]->shape[d].of[n]) needed[divide_place(c, c->params[i]->shape[d].of[n])] = true;
  }
}

/* A container of one number, as a step's parameter: it begins it, adds to it, or reads it. */
static Symbol *sum_parameter(Arena *a, const LoopSteps *x, const Step *step, int i) {
  const bool own = i >= step->first && i < step->first + step->nsums;
  Symbol *s = symbol_new(a, SYMBOL_PARAM, x->sums.at[i].container->name, x->sums.at[i].container->type);
  s->declared = x->sums.at[i].container->declared;
  s->rank = 1;
  s->writable = own;
  s->where = x->sums.at[i].container->where;
  if (own && !step->begins) s->atomic = x->sums.at[i].by;
  if (!x->size && !x->sums.at[i].rows) s->shape[0] = (ShapeRule){.said = true, .plus = 1};
  return s;
}

/* A counter's number, as a step's parameter. */
static Symbol *counter_parameter(Arena *a, const Counter *c) {
  Symbol *s = symbol_new(a, SYMBOL_PARAM, c->of->name, c->of->type);
  s->declared = c->of->declared;
  s->where = c->of->where;
  return s;
}

/* The step's spectrum; and its call, in the codelet of the steps. */
static Tree *add_step(const LoopSteps *x, const Step *step, const Codelet *steps) {
  Arena *a = x->a;
  const Codelet *c = x->codelet;
  Spectrum *s = divide_spectrum(a, x->unit, c->spectrum, step->what);
  Codelet *k = divide_codelet(a, c, s, "serial");
  Symbol **copies = k->params, **sums = arena_many(a, Symbol *, x->sums.n + 1);
  bool needed[MOST_OPERANDS] = {false};
  if (x->size && !step->begins) needed[divide_place(c, x->size->kid[0]->symbol)] = true;
  find_needed(c, step->body, needed);
  Tree *call = tree_new(a, OP_CALL, TYPE_VOID, step->body->where, MOST_OPERANDS);
  call->spectrum = s;
  k->params = arena_many(a, Symbol *, MOST_OPERANDS);
  k->nparams = 0;
  for (int i = 0; i < c->nparams; i++) {
    if (!needed[i]) continue;
    copies[i]->writable &= c->params[i]->atomic || step_stores(step->body, c->params[i]);
    call->kid[k->nparams] = tree_ref(a, steps->params[i]);
    k->params[k->nparams++] = copies[i];
  }
  for (int i = 0; i < x->sums.n; i++) {
    if (!tree_mentions(step->body, x->sums.at[i].container)) continue;
    call->kid[k->nparams] = tree_ref(a, x->sums.at[i].container);
    k->params[k->nparams++] = sums[i] = sum_parameter(a, x, step, i);
    const Tree *rows = x->sums.at[i].rows, *size = rows ? rows : step->begins ? NULL : x->size;
    const int of = size ? divide_place(c, size->kid[0]->symbol) : -1;
    if (of >= 0 && needed[of])
      sums[i]->shape[0] = (ShapeRule){.said = true, .times = 1, .of = {copies[of]}, .dim = {size->dimension}};
  }
  Symbol **counters = arena_many(a, Symbol *, x->counters.n + 1);
  for (int i = 0; i < x->counters.n; i++) {
    if (!tree_mentions(step->body, x->counters.at[i].of)) continue;
    call->kid[k->nparams] = tree_ref(a, x->counters.at[i].is);
    k->params[k->nparams++] = counters[i] = counter_parameter(a, &x->counters.at[i]);
  }
  call->nkids = k->nparams;
  for (int i = 1; i < k->nparams && step->begins; i++) /* all of one length: one loop stores them */
    if (k->params[i]->rank && k->params[i - 1]->rank && k->params[i - 1]->writable)
      k->params[i]->shape[0] = (ShapeRule){.said = true, .times = 1, .of = {k->params[i - 1]}};
  Renaming r = {x, copies, sums, counters};
  k->body = tree_rewrite(a, tree_clone(a, step->body), step_renamed, &r);
  k->body->where = step->body->where.file ? step->body->where : c->body->where;
  divide_add(a, s, k);
  Tree *run = tree_unary(a, OP_RUN, TYPE_VOID, call);
  run->where = c->where;
  return run;
}

bool step_spectra_fit(const LoopSteps *x) {
  int steps = 0;
  for (int i = 0; i < x->steps.n; i++) {
    bool needed[MOST_OPERANDS] = {false};
    int n = 0;
    if (!x->steps.at[i].body) continue;
    steps++;
    if (x->size) needed[divide_place(x->codelet, x->size->kid[0]->symbol)] = true;
    find_needed(x->codelet, x->steps.at[i].body, needed);
    for (int p = 0; p < MOST_OPERANDS; p++) n += needed[p];
    for (int k = 0; k < x->sums.n; k++) n += tree_mentions(x->steps.at[i].body, x->sums.at[k].container);
    for (int k = 0; k < x->counters.n; k++) n += tree_mentions(x->steps.at[i].body, x->counters.at[k].of);
    if (n > MOST_OPERANDS) return false;
  }
  return steps <= MOST_STEPS;
}

/* The steps from the i-th on, to the end of the loop that they stand in, or of all. Gives the one behind these. */
static int add_steps(const LoopSteps *x, const Codelet *k, Renaming *r, int i, DivideStatements *to) {
  Arena *a = x->a;
  for (; i < x->steps.n && (x->steps.at[i].body || x->steps.at[i].turns); i++) {
    const Tree *turns = x->steps.at[i].turns;
    if (!turns) {
      vec_push(a, to, add_step(x, &x->steps.at[i], k));
      continue;
    }
    Tree *head[3];
    DivideStatements body = {0};
    for (int n = 0; n < 3; n++) head[n] = tree_rewrite(a, tree_clone(a, turns->kid[n]), step_renamed, r);
    head[0] = build_declare(a, head[2]->kid[0]->symbol, head[0]);
    i = add_steps(x, k, r, i + 1, &body);
    Tree *seq = tree_seq(a, body.at, body.n);
    vec_push(a, to, tree_with_kids(a, turns, (Tree *[]){head[0], head[1], head[2], seq}, 4));
  }
  return i;
}

void step_spectra_add(LoopSteps *x, Spectrum *s) {
  Arena *a = x->a;
  Codelet *k = divide_codelet(a, x->codelet, s, divide_tag(a, s, "steps"));
  DivideStatements all = {0};
  Symbol **sums = arena_many(a, Symbol *, x->sums.n + 1);
  for (int i = 0; i < x->sums.n; i++) sums[i] = x->sums.at[i].container;
  Renaming r = {x, k->params, sums, NULL};
  for (int i = 0; i < x->sums.n; i++) {
    sums[i]->writable = true;
    sums[i]->length = tree_rewrite(a, sums[i]->length, step_renamed, &r);
    vec_push(a, &all, build_declare(a, sums[i], NULL));
  }
  add_steps(x, k, &r, 0, &all);
  if (x->result) {
    Tree *last = tree_unary(a, OP_RETURN, TYPE_VOID, tree_rewrite(a, x->result, step_renamed, &r));
    last->where = x->codelet->where;
    vec_push(a, &all, last);
  }
  k->body = tree_seq(a, all.at, all.n);
  k->body->where = x->codelet->body->where;
  divide_add(a, s, k);
}
