/* interleaved.c: loops that store k elements in each turn, or in k turns of a loop in it,
 *
 *     for (i = 0; i < n; ++i) { x[2 * i] = low[i] + high[i]; x[2 * i + 1] = low[i] - high[i]; }
 *     for (i = 0; i < n; ++i) for (u = 0; u < 8; ++u) x[8 * i + u] = w[u] * y[i];
 *
 * as loops over the elements that are stored:
 *
 *     for (e = 0; e < x.Size(); ++e) {
 *       i = e / 2;
 *       if (i < n) { if (e % 2 == 0) x[e] = low[i] + high[i]; if (e % 2 == 1) x[e] = low[i] - high[i]; }
 *     }
 *
 * Each element is one turn's, by its variable: so stores.c divides them. They are a spectrum of their own,
 * NAME_elements, which the codelet's spectrum applies. */
#include "front/interleaved.h"

#include "front/divide.h"
#include "front/independent.h"
#include "front/loop_sums.h"
#include "ir/build.h"

/* A loop whose variable is times k in an index, and that of a loop in it which is added to that; NULL: constants
 * are. */
typedef struct Every {
  const Tree *at, *inner_at;
  LoopHead head;
  const Symbol *inner;
  int64_t k;
  const Symbol *of; /* the first container that is stored so, .. */
  int dim;          /* .. in this dimension */
  Symbol *element;
} Every;

typedef struct Interleaved {
  Arena *a;
  const Codelet *codelet;
  const Tree *body;
  Every every[MOST_RANK];
  int n;
  int of[MOST_OPERANDS][MOST_RANK]; /* by parameter that is stored: which of these; PLAIN, or NOT_SEEN */
  bool ok;
} Interleaved;

enum { NOT_SEEN = -2, PLAIN = -1 };

/* ---- what a codelet has ---- */

static const Tree *bare(const Tree *t) {
  while (t->op == OP_CAST && (t->type == TYPE_INDEX || type_is_whole(t->type))) t = t->kid[0];
  return t;
}

static const Symbol *variable(const Tree *t) {
  t = bare(t);
  return t->op == OP_REF && t->symbol->kind == SYMBOL_LOCAL && !t->symbol->array ? t->symbol : NULL;
}

/* k * i, i * k */
static bool is_times(const Tree *t, const Symbol **i, int64_t *k) {
  t = bare(t);
  if (t->op != OP_MUL) return false;
  for (int side = 0; side < 2; side++)
    if (tree_constant(bare(t->kid[side]), k) && (*i = variable(t->kid[1 - side]))) return *k > 1;
  return false;
}

/* k * i + c, k * i + u. `c' is -1 where a variable is added. */
static bool is_every(const Tree *t, const Symbol **i, const Symbol **u, int64_t *k, int64_t *c) {
  t = bare(t);
  *u = NULL;
  *c = 0;
  if (is_times(t, i, k)) return true;
  if (t->op != OP_ADD) return false;
  for (int side = 0; side < 2; side++) {
    if (!is_times(t->kid[side], i, k)) continue;
    const Tree *more = bare(t->kid[1 - side]);
    if (tree_constant(more, c)) return *c >= 0 && *c < *k;
    *c = -1;
    return (*u = variable(more)) != NULL;
  }
  return false;
}

typedef struct Loop { const Symbol *index; const Tree *at; Arena *a; } Loop;

static bool find_loop(void *context, const Tree *t) {
  Loop *l = context;
  LoopHead head;
  if (t->op == OP_FOR && loops_head(l->a, t, &head) && head.index == l->index) l->at = l->at ? l->at : t;
  return !l->at;
}

/* The loop of that variable, from 0 on, one by one. */
static const Tree *loop_from_zero(const Interleaved *x, const Tree *in, const Symbol *index, LoopHead *head) {
  Loop l = {index, NULL, x->a};
  int64_t begin;
  tree_visit(in, find_loop, &l);
  if (!l.at || !loops_head(x->a, l.at, head)) return NULL;
  return head->step == 1 && tree_constant(head->begin, &begin) && begin == 0 ? l.at : NULL;
}

/* Which of the loops it is; PLAIN: it is none, and cannot be one. */
static int note_every(Interleaved *x, const Symbol *i, const Symbol *u, int64_t k, const Symbol *of, int dim) {
  for (int n = 0; n < x->n; n++) {
    const Every *e = &x->every[n];
    if (e->head.index != i) continue;
    return e->inner == u && e->k == k && shape_is_same(of, dim, e->of, e->dim) ? n : PLAIN;
  }
  if (x->n == MOST_RANK) return PLAIN;
  Every *e = &x->every[x->n];
  LoopHead inner;
  int64_t turns;
  *e = (Every){.inner = u, .k = k, .of = of, .dim = dim};
  e->at = loop_from_zero(x, x->body, i, &e->head);
  if (!e->at) return PLAIN;
  if (u) e->inner_at = loop_from_zero(x, e->at->kid[3], u, &inner);
  if (u && (!e->inner_at || !tree_constant(inner.end, &turns) || turns != k)) return PLAIN;
  return x->n++;
}

/* Each element of what is stored is by a plain variable, or by such a loop's, always the same one. */
static bool find_accesses(void *context, const Tree *t) {
  Interleaved *x = context;
  if (t->op == OP_CALL || t->op == OP_RETURN || t->op == OP_BREAK || op_view(t->op)) x->ok = false;
  const int p = t->op == OP_INDEX && t->kid[0]->op == OP_REF ? divide_place(x->codelet, t->kid[0]->symbol) : -1;
  if (p < 0 || !x->codelet->params[p]->writable) return x->ok;
  for (int d = 0; d < t->nkids - 1; d++) {
    const Symbol *i, *u;
    int64_t k, c;
    int of = PLAIN;
    if (is_every(t->kid[1 + d], &i, &u, &k, &c)) {
      of = note_every(x, i, u, k, x->codelet->params[p], d);
      x->ok &= of != PLAIN;
    }
    x->ok &= x->of[p][d] == NOT_SEEN || x->of[p][d] == of;
    x->of[p][d] = of;
  }
  return x->ok;
}

typedef struct Loads { const Interleaved *interleaved; bool ok; } Loads;

/* What a turn stores by constants it does not read: another element's turn stores it. */
static bool find_loads(void *context, const Tree *t) {
  Loads *l = context;
  const Interleaved *x = l->interleaved;
  if (t->op == OP_ASSIGN && t->kid[0]->op == OP_INDEX && !t->compound) {
    tree_visit(t->kid[1], find_loads, l);
    return false;
  }
  const int p = t->op == OP_INDEX && t->kid[0]->op == OP_REF ? divide_place(x->codelet, t->kid[0]->symbol) : -1;
  for (int d = 0; p >= 0 && d < x->codelet->params[p]->rank; d++)
    l->ok &= x->of[p][d] < 0 || x->every[x->of[p][d]].inner;
  return l->ok;
}

static bool find_interleaved(Arena *a, const Codelet *c, Interleaved *x) {
  *x = (Interleaved){.a = a, .codelet = c, .body = loops_sized(a, c), .ok = true};
  for (int p = 0; p < MOST_OPERANDS; p++)
    for (int d = 0; d < MOST_RANK; d++) x->of[p][d] = NOT_SEEN;
  tree_visit(x->body, find_accesses, x);
  Loads loads = {x, x->ok};
  if (x->ok) tree_visit(x->body, find_loads, &loads);
  for (int n = 0; n < x->n; n++)
    for (int p = 0; p < c->nparams; p++) {
      int has = 0;
      for (int d = 0; d < c->params[p]->rank; d++) has += x->of[p][d] == n;
      x->ok &= !c->params[p]->writable || has == 1;
    }
  return x->ok && loads.ok && x->n > 0;
}

/* ---- the text by elements ---- */

static const Every *every_at(const Interleaved *x, const Tree *t, bool inner) {
  for (int n = 0; n < x->n; n++)
    if ((inner ? x->every[n].inner_at : x->every[n].at) == t) return &x->every[n];
  return NULL;
}

static Tree *quotient(const Interleaved *x, const Every *e, Op op) {
  return tree_binary(x->a, op, TYPE_INDEX, tree_ref(x->a, e->element), tree_int(x->a, TYPE_INDEX, e->k));
}

static Tree *declared(const Interleaved *x, const Symbol *s, Tree *value) {
  return build_declare(x->a, (Symbol *)s, s->type == TYPE_INDEX ? value : build_cast(x->a, s->type, value));
}

static Tree *by_elements(Interleaved *x, const Tree *t, Symbol *const *params);

static Tree *loop_by_elements(Interleaved *x, Every *e, Symbol *const *params) {
  Arena *a = x->a;
  e->element = symbol_new(a, SYMBOL_LOCAL, arena_printf(a, "%s_element", e->head.index->name), TYPE_INDEX);
  e->element->declared = TYPE_LONG;
  e->element->writable = true;
  Tree *end = by_elements(x, e->head.end, params);
  Tree *below = tree_binary(a, OP_LT, TYPE_BOOL, tree_ref(a, (Symbol *)e->head.index), end);
  Tree *const all[] = {declared(x, e->head.index, quotient(x, e, OP_DIV)),
                       build_if(a, below, by_elements(x, e->at->kid[3], params))};
  Tree *body = tree_seq(a, (Tree **)all, 2);
  Tree *loop = divide_loop(a, e->element, divide_size(a, params[divide_place(x->codelet, e->of)], e->dim), body);
  loop->kid[3] = body;
  loop->where = e->at->where;
  return loop;
}

/* A store by constants: of the elements that are its own. */
static Tree *own_store(Interleaved *x, const Tree *t, Tree *made) {
  const int p = divide_place(x->codelet, t->kid[0]->kid[0]->symbol);
  for (int d = 0; d < t->kid[0]->nkids - 1; d++) {
    const Every *e = x->of[p][d] >= 0 ? &x->every[x->of[p][d]] : NULL;
    const Symbol *i, *u;
    int64_t k, c;
    if (!e || e->inner || !is_every(t->kid[0]->kid[1 + d], &i, &u, &k, &c)) continue;
    Tree *own = tree_binary(x->a, OP_EQ, TYPE_BOOL, quotient(x, e, OP_REM), tree_int(x->a, TYPE_INDEX, c));
    made = build_if(x->a, own, tree_seq(x->a, &made, 1));
    made->where = t->where;
  }
  return made;
}

static Tree *by_elements(Interleaved *x, const Tree *t, Symbol *const *params) {
  Arena *a = x->a;
  Every *outer = (Every *)every_at(x, t, false);
  if (outer) return loop_by_elements(x, outer, params);
  const Every *inner = every_at(x, t, true);
  if (inner) {
    Tree *const all[] = {declared(x, inner->inner, quotient(x, inner, OP_REM)), by_elements(x, t->kid[3], params)};
    return tree_seq(a, (Tree **)all, 2);
  }
  const Tree *of = t->op == OP_INDEX || t->op == OP_SIZE ? t->kid[0] : t;
  const int p = of->op == OP_REF ? divide_place(x->codelet, of->symbol) : -1;
  if (p >= 0 && t->op == OP_REF) return tree_ref(a, params[p]);
  Tree **kids = arena_many(a, Tree *, t->nkids);
  for (int i = 0; i < t->nkids; i++) {
    const int n = p >= 0 && t->op == OP_INDEX && i && x->codelet->params[p]->writable ? x->of[p][i - 1] : PLAIN;
    kids[i] = n >= 0 ? tree_ref(a, x->every[n].element) : t->kid[i] ? by_elements(x, t->kid[i], params) : NULL;
  }
  Tree *made = tree_with_kids(a, t, kids, t->nkids);
  const bool stores = t->op == OP_ASSIGN && t->kid[0]->op == OP_INDEX && t->kid[0]->kid[0]->op == OP_REF &&
                      divide_place(x->codelet, t->kid[0]->kid[0]->symbol) >= 0;
  return stores ? own_store(x, t, made) : made;
}

static void divide(Unit *u, Spectrum *s, Interleaved *x) {
  Arena *a = x->a;
  Spectrum *elements = divide_spectrum(a, u, s, "elements");
  Codelet *k = divide_codelet(a, x->codelet, elements, "serial"), *whole;
  k->body = tree_clone(a, by_elements(x, x->body, k->params));
  k->body->where = x->codelet->body->where;
  divide_add(a, elements, k);
  whole = divide_codelet(a, x->codelet, s, divide_tag(a, s, "elements"));
  Tree *call = tree_new(a, OP_CALL, TYPE_VOID, whole->where, whole->nparams);
  call->spectrum = elements;
  for (int i = 0; i < whole->nparams; i++) call->kid[i] = tree_ref(a, whole->params[i]);
  Tree *run = tree_unary(a, OP_RUN, TYPE_VOID, call);
  run->where = whole->where;
  whole->body = tree_seq(a, &run, 1);
  whole->body->where = x->codelet->body->where;
  divide_add(a, s, whole);
}

void interleaved_divide(Arena *a, Unit *u) {
  const int n = u->nspectra;
  for (int i = 0; i < n; i++) {
    Spectrum *s = u->spectra[i];
    const Codelet *c = s->ncodelets == 1 ? s->codelets[0] : NULL;
    Independent whole;
    Interleaved x;
    bool accumulates = false;
    if (!c || !c->body || c->nenv || c->matrix || c->native || c->elements || c->coop_declared || c->tunables.n ||
        s->operators || s->result != TYPE_VOID)
      continue;
    for (int p = 0; p < c->nparams; p++) accumulates |= c->params[p]->atomic || c->params[p]->counter;
    if (accumulates || independent_find(a, c, &whole) || !find_interleaved(a, c, &x) || divide_is_shared_out(u, s))
      continue;
    divide(u, s, &x);
  }
}
