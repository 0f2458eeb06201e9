/* sums.c: loops over two dimensions, or three, that add up in a variable what they store,
 *
 *     for (i ..) for (j ..) {
 *       T sum = 0;
 *       for (k ..) sum += .. A(i, k) .. B(k, j) ..;
 *       C(i, j) = sqrt(sum);
 *     }
 *
 * as steps: C(i, j) = 0 of all elements; C(i, j) += .., which can be cut in tiles and in panels; and, if the sum is not
 * stored as it is, C(i, j) = sqrt(C(i, j)). So whoever writes pairwise distances, or a product, in the plainest way has
 * the placements that tiles of a product have. Each element's sum keeps its order. Maxima and minima are the same.
 *
 * Loops in any order that contribute to an __accum container, C(i, j) += .. A(i, k) .. B(k, j) .., are such a second
 * step as they stand: if they are their spectrum's only codelet, it gets the cuts in tiles and in panels.
 *
 * All containers are matrices, or batches of them, whose indices are the loops' variables, and whose sizes are declared
 * to be as long as the loops: so a cut of one is a cut of the others. */
#include "front/sums.h"

#include <string.h>

#include "front/divide.h"
#include "front/loops.h"
#include "front/twice.h"

enum { MOST_OWN = 3, LOOPS = MOST_OWN + 1, LEAST_RANK = 2 };

/* Over a dimension of a parameter. */
typedef struct SumLoop { const Symbol *index, *of; int dimension; } SumLoop;

typedef struct Sums {
  Arena *a;
  const Codelet *codelet;
  int own;                /* loops over the elements of what is stored; one more adds up */
  SumLoop loop[LOOPS];
  const Tree *at[LOOPS];
  const Symbol *sum, *to; /* the variable, the container where it is stored */
  const Tree *begin;      /* what the variable begins at */
  const Tree *end;        /* what is stored, of the variable and numbers; NULL: the variable as it is */
  const Tree *body;       /* of the last loop */
  const Tree *add;        /* the statement in it that accumulates */
  AtomicOp by;
  bool plain;             /* loops' heads are as its cuts expect them: `i < of.Size(d)' */
  int of[MOST_OPERANDS][MOST_OWN]; /* by parameter: which loop's variable is the index; -1: not known yet */
} Sums;

/* ---- what a codelet has ---- */

static const Tree *only(const Tree *t) {
  while (t->op == OP_SEQ && t->nkids == 1) t = t->kid[0];
  return t;
}

/* `for (i = 0; i < of.Size(dimension); ++i)' */
static bool find_loop(Sums *x, int which, const Tree *t) {
  SumLoop *loop = &x->loop[which];
  LoopHead head;
  int64_t begin;
  x->at[which] = t;
  if (!loops_head(x->a, t, &head) || head.step != 1 || !tree_constant(head.begin, &begin) || begin) return false;
  const Symbol *counts;
  const Tree *end = head.end, *as_is;
  while (end->op == OP_CAST) end = end->kid[0];
  x->plain &= tree_counts(t, &counts, &as_is) && as_is == head.end;
  if (end->op != OP_SIZE || end->kid[0]->op != OP_REF || end->kid[0]->symbol->kind != SYMBOL_PARAM) return false;
  *loop = (SumLoop){head.index, end->kid[0]->symbol, end->dimension};
  for (int i = 0; i < which; i++)
    if (strcmp(x->loop[i].index->name, loop->index->name) == 0) return false;
  return true;
}

/* `sum += v', `sum -= v', `sum = max(sum, v)'. */
static bool accumulates(Sums *x, const Tree *t) {
  if (t->op != OP_ASSIGN || t->kid[0]->op != OP_REF || t->kid[0]->symbol != x->sum) return false;
  const Tree *v = t->kid[1];
  if (t->compound == OP_ADD || t->compound == OP_SUB) {
    x->by = t->compound == OP_ADD ? ATOMIC_ADD : ATOMIC_SUB;
    return !tree_mentions(v, x->sum);
  }
  if (t->compound || (v->op != OP_MAX && v->op != OP_MIN)) return false;
  x->by = v->op == OP_MAX ? ATOMIC_MAX : ATOMIC_MIN;
  for (int i = 0; i < 2; i++)
    if (v->kid[i]->op == OP_REF && v->kid[i]->symbol == x->sum) return !tree_mentions(v->kid[1 - i], x->sum);
  return false;
}

/* The body of the last loop: variables, perhaps a condition, and one statement that accumulates. */
static bool find_add(Sums *x, const Tree *t) {
  if (t->op == OP_SEQ) {
    for (int i = 0; i < t->nkids - 1; i++)
      if (t->kid[i]->op != OP_DECLARE || t->kid[i]->symbol->array || t->kid[i]->symbol->kind != SYMBOL_LOCAL ||
          tree_mentions(t->kid[i], x->sum))
        return false;
    return t->nkids && find_add(x, t->kid[t->nkids - 1]);
  }
  if (t->op == OP_IF) return t->nkids == 2 && !tree_mentions(t->kid[0], x->sum) && find_add(x, t->kid[1]);
  x->add = t;
  return accumulates(x, t);
}

typedef struct Begins { bool other; } Begins;

/* Is it more than constants? */
static bool find_other(void *context, const Tree *t) {
  ((Begins *)context)->other |= t->op == OP_REF || t->op == OP_INDEX || t->op == OP_SIZE;
  return true;
}

typedef struct Ends { const Sums *sums; bool ok; } Ends;

/* Is it made of the variable, the caller's numbers and constants alone? */
static bool find_end(void *context, const Tree *t) {
  Ends *e = context;
  const bool number = t->op == OP_REF && t->symbol->kind == SYMBOL_PARAM && !t->symbol->rank;
  if (t->op == OP_REF) e->ok &= number || t->symbol == e->sums->sum;
  e->ok &= t->op != OP_INDEX && t->op != OP_SIZE && t->op != OP_CALL && t->op != OP_APART;
  return true;
}

static bool find_sum(Sums *x, const Tree *t) {
  enum { DECLARED, ADDED, STORED, STATEMENTS };
  if (t->op != OP_SEQ || t->nkids != STATEMENTS || t->kid[DECLARED]->op != OP_DECLARE) return false;
  const Tree *declared = t->kid[DECLARED], *stored = t->kid[STORED];
  x->sum = declared->symbol;
  Begins begins = {false};
  if (!declared->nkids || x->sum->kind != SYMBOL_LOCAL || x->sum->array) return false;
  x->begin = declared->kid[0];
  tree_visit(x->begin, find_other, &begins);
  if (begins.other || !find_loop(x, x->own, t->kid[ADDED])) return false;
  x->body = t->kid[ADDED]->kid[3];
  if (!find_add(x, x->body)) return false;
  const Tree *place = stored->op == OP_ASSIGN && !stored->compound ? stored->kid[0] : NULL;
  if (!place || place->op != OP_INDEX || place->nkids != 1 + x->own || place->kid[0]->op != OP_REF) return false;
  if (stored->kid[1]->op != OP_REF || stored->kid[1]->symbol != x->sum) {
    x->end = stored->kid[1];
    Ends ends = {x, true};
    tree_visit(x->end, find_end, &ends);
    if (!ends.ok || !tree_mentions(x->end, x->sum) || x->end->type != x->sum->type) return false;
  }
  x->to = place->kid[0]->symbol;
  return x->to->kind == SYMBOL_PARAM && x->to->writable && !x->to->atomic && x->to->type == x->sum->type;
}

static int loop_of(const Sums *x, const Tree *index) {
  while (index->op == OP_CAST) index = index->kid[0];
  for (int i = 0; index->op == OP_REF && i <= x->own; i++)
    if (x->loop[i].index == index->symbol) return i;
  return -1;
}

typedef struct Uses { Sums *sums; bool ok; } Uses;

/* Containers are used by elements alone, each dimension by the same loop's variable. */
static bool find_uses(void *context, const Tree *t) {
  Uses *u = context;
  Sums *x = u->sums;
  static const Op never[] = {OP_WHILE, OP_CALL, OP_MAP, OP_BREAK, OP_CONTINUE, OP_RETURN, OP_APART, OP_SHUFFLE};
  for (size_t i = 0; i < sizeof never / sizeof *never; i++) u->ok &= t->op != never[i];
  if (t->op == OP_SIZE) return false;
  if (t->op == OP_REF && t->symbol->rank) u->ok = false;
  const int p = t->op == OP_INDEX && t->kid[0]->op == OP_REF ? divide_place(x->codelet, t->kid[0]->symbol) : -1;
  if (t->op == OP_INDEX && (p < 0 || t->nkids <= LEAST_RANK || t->nkids > 1 + MOST_OWN)) u->ok = false;
  if (!u->ok || t->op != OP_INDEX) return u->ok;
  for (int d = 0; d < t->nkids - 1; d++) {
    const int loop = loop_of(x, t->kid[1 + d]);
    u->ok &= loop >= 0 && (x->of[p][d] < 0 || x->of[p][d] == loop);
    x->of[p][d] = loop;
  }
  return false;
}

/* Is each dimension declared to be as long as its loop? Then the loop is said to be as long as the first that it is the
 * index of: another is cut by another loop. */
static bool sizes_agree(Sums *x) {
  for (int p = 0; p < x->codelet->nparams; p++)
    for (int d = 0; d < x->codelet->params[p]->rank; d++) {
      const SumLoop *loop = &x->loop[x->of[p][d]];
      if (!shape_is_same(x->codelet->params[p], d, loop->of, loop->dimension)) return false;
    }
  for (int i = 0; i <= x->own; i++) {
    SumLoop *loop = &x->loop[i];
    if (x->of[divide_place(x->codelet, loop->of)][loop->dimension] == i) continue;
    const Symbol *first = NULL;
    for (int p = 0; p < x->codelet->nparams && !first; p++)
      for (int d = 0; d < x->codelet->params[p]->rank && !first; d++)
        if (x->of[p][d] == i) first = loop->of = x->codelet->params[p], loop->dimension = d;
    if (!first) return false;
  }
  return true;
}

/* Which loop's variable is the index of each dimension of each container; those of one dimension are none. */
static bool find_containers(Sums *x, const Tree *body) {
  const Codelet *c = x->codelet;
  Uses uses = {x, true};
  tree_visit(body, find_uses, &uses);
  for (int p = 0; p < c->nparams && uses.ok; p++) {
    const Symbol *s = c->params[p];
    if (!s->rank) continue;
    uses.ok &= s->rank >= LEAST_RANK && s->rank <= MOST_OWN && (s == x->to || (!s->writable && !s->atomic));
    for (int d = 0; d < s->rank && uses.ok; d++) {
      uses.ok &= x->of[p][d] >= 0;
      for (int k = 0; k < d; k++) uses.ok &= x->of[p][d] != x->of[p][k];
    }
  }
  for (int i = 0; i <= x->own; i++) uses.ok &= divide_place(c, x->loop[i].of) >= 0;
  return uses.ok;
}

/* What is stored has an element for each iteration of the own loops, and others' elements are added up. */
static bool stores_own(const Sums *x) {
  bool inner = false, own = true;
  for (int p = 0; p < x->codelet->nparams; p++)
    for (int d = 0; d < x->codelet->params[p]->rank; d++) {
      const bool adds = x->of[p][d] == x->own;
      own &= !adds || x->codelet->params[p] != x->to;
      inner |= adds;
    }
  return inner && own;
}

static bool find_sums(Arena *a, const Codelet *c, Sums *x) {
  *x = (Sums){.a = a, .codelet = c};
  memset(x->of, -1, sizeof x->of);
  if (c->nenv || c->matrix || c->nparams < 2 || c->tunables.n || !c->body) return false;
  const Tree *t = only(loops_sized(a, c));
  while (t->op == OP_FOR) {
    if (x->own == MOST_OWN || !find_loop(x, x->own++, t)) return false;
    t = only(t->kid[3]);
  }
  if (x->own < LEAST_RANK || !find_sum(x, t)) return false;
  return find_containers(x, t) && stores_own(x) && sizes_agree(x);
}

/* `C(i, j) += v', C being __accum: of what a codelet that has no variable contributes to. */
static bool contributes(Sums *x, const Tree *t) {
  const Tree *to = t->op == OP_ASSIGN || t->op == OP_ATOMIC ? t->kid[0] : NULL;
  x->to = to && to->op == OP_INDEX && to->kid[0]->op == OP_REF ? to->kid[0]->symbol : NULL;
  if (!x->to || x->to->kind != SYMBOL_PARAM || !x->to->atomic || atomic_stores(x->to->atomic)) return false;
  x->by = x->to->atomic;
  x->own = to->nkids - 1;
  return x->own >= LEAST_RANK && x->own <= MOST_OWN;
}

/* The body of the innermost loop: variables, perhaps a condition, and one statement that contributes. */
static bool find_contribution(Sums *x, const Tree *t) {
  for (; t->op == OP_SEQ && t->nkids; t = t->kid[t->nkids - 1])
    for (int i = 0; i < t->nkids - 1; i++)
      if (t->kid[i]->op != OP_DECLARE || t->kid[i]->symbol->array || t->kid[i]->symbol->kind != SYMBOL_LOCAL)
        return false;
  if (t->op == OP_IF) return t->nkids == 2 && find_contribution(x, t->kid[1]);
  return contributes(x, t);
}

/* Loops in any order, one of which adds up: it becomes the last of `loop'. */
static bool find_contributions(Arena *a, const Codelet *c, Sums *x) {
  *x = (Sums){.a = a, .codelet = c};
  memset(x->of, -1, sizeof x->of);
  if (c->nenv || c->matrix || c->nparams < 2 || c->tunables.n || !c->body) return false;
  const Tree *whole = loops_sized(a, c), *t = only(whole);
  x->plain = tree_equal(whole, c->body);
  int n = 0;
  for (; t->op == OP_FOR; t = only(t->kid[3]))
    if (n == LOOPS || !find_loop(x, n++, t)) return false;
  if (!find_contribution(x, t) || n != x->own + 1 || !find_containers(x, t)) return false;
  int adds = 0;
  for (int p = divide_place(c, x->to), i = 0; i < n; i++) {
    bool own = false;
    for (int d = 0; d < x->own; d++) own |= x->of[p][d] == i;
    if (!own) adds = i;
  }
  const SumLoop last = x->loop[adds];
  for (int i = adds; i < x->own; i++) x->loop[i] = x->loop[i + 1];
  x->loop[x->own] = last;
  x->body = t;
  memset(x->of, -1, sizeof x->of);
  return find_containers(x, t) && stores_own(x) && sizes_agree(x);
}

/* ---- trees ---- */

/* The codelet's text with other parameters, and the variable a place. */
typedef struct Renaming { const Sums *sums; Symbol *const *params; } Renaming;

static Tree *place(const Renaming *r, Arena *a) {
  const Sums *x = r->sums;
  const int to = divide_place(x->codelet, x->to);
  Tree *t = tree_new(a, OP_INDEX, x->to->type, (SourceRange){0}, 1 + x->own);
  t->kid[0] = tree_ref(a, r->params[to]);
  for (int d = 0; d < x->own; d++) t->kid[1 + d] = tree_ref(a, (Symbol *)x->loop[x->of[to][d]].index);
  return t;
}

static Tree *renamed(void *context, Arena *a, Tree *t) {
  const Renaming *r = context;
  if (t->op != OP_REF) return t;
  if (t->symbol == r->sums->sum) return place(r, a);
  const int p = divide_place(r->sums->codelet, t->symbol);
  return p >= 0 ? tree_ref(a, r->params[p]) : t;
}

/* for (i = 0; i < size; i += 1), around that body. */
static Tree *looped(const Renaming *r, Arena *a, int which, Tree *size, Tree *body) {
  Tree *t = divide_loop(a, (Symbol *)r->sums->loop[which].index, size, body);
  t->where = r->sums->at[which]->where;
  return t;
}

static Tree *loops(const Renaming *r, Arena *a, int n, Tree *body) {
  for (int i = n - 1; i >= 0; i--) {
    const SumLoop *loop = &r->sums->loop[i];
    Symbol *of = r->params[divide_place(r->sums->codelet, loop->of)];
    body = looped(r, a, i, divide_size(a, of, loop->dimension), body);
  }
  return tree_seq(a, &body, 1);
}

/* ---- spectra ---- */

/* C(i, j) = 0 */
static Spectrum *beginning(Arena *a, Unit *u, const Sums *x) {
  Spectrum *s = divide_spectrum(a, u, x->codelet->spectrum, "begin");
  Codelet *k = divide_codelet(a, x->codelet, s, "whole");
  Symbol **params = k->params;
  Symbol *to = params[divide_place(x->codelet, x->to)];
  memset(to->shape, 0, sizeof to->shape);
  for (int i = 0; i < k->nparams; i++) params[i] = to;
  const Renaming r = {x, params};
  Tree *body = tree_binary(a, OP_ASSIGN, TYPE_VOID, place(&r, a), tree_clone(a, x->begin));
  const int at = divide_place(x->codelet, x->to);
  for (int d = x->own - 1; d >= 0; d--) body = looped(&r, a, x->of[at][d], divide_size(a, to, d), body);
  k->params = arena_many(a, Symbol *, 1);
  k->params[0] = to;
  k->nparams = 1;
  k->body = tree_seq(a, &body, 1);
  k->elements = true; /* in any order: elements.c divides it */
  divide_add(a, s, k);
  return s;
}

/* A map over parts: by cuts of the elements' loops, of the one that adds up. */
static void add_cut(Arena *a, const Sums *x, Spectrum *s, const char *tag, const bool *by, bool strided) {
  static const char *const parts[] = {"p", "q", "r", "s"};
  Codelet *k = divide_codelet(a, x->codelet, s, tag);
  Symbol *of_loop[LOOPS] = {NULL}, *cut[MOST_OWN];
  DivideStatements all = {0};
  k->params[divide_place(x->codelet, x->to)]->atomic = x->by;
  for (int i = 0; i <= x->own; i++) {
    if (!by[i == x->own]) continue;
    const bool share = i == x->own && by[0];
    const char *name = x->loop[i].index->name, *names[] = {parts[i], share ? arena_printf(a, "%s_share", name) : name};
    Symbol *of = k->params[divide_place(x->codelet, x->loop[i].of)];
    of_loop[i] = divide_cut(a, &all, names, divide_size(a, of, x->loop[i].dimension), strided);
  }
  Tree *arguments[MOST_OPERANDS];
  for (int p = 0; p < k->nparams; p++) {
    for (int d = 0; d < k->params[p]->rank; d++) cut[d] = of_loop[x->of[p][d]];
    arguments[p] = k->params[p]->rank ? divide_container(a, k->params[p], cut) : tree_ref(a, k->params[p]);
  }
  divide_map(a, &all, s, arguments, k->nparams);
  k->body = tree_seq(a, all.at, all.n);
  k->body->where = x->codelet->body->where;
  divide_add(a, s, k);
}

static void add_cuts(Arena *a, const Sums *x, Spectrum *s) {
  static const bool tiles[] = {true, false}, panels[] = {false, true}, both[] = {true, true};
  add_cut(a, x, s, "tiled", tiles, false);
  add_cut(a, x, s, "strided", tiles, true);
  add_cut(a, x, s, "panels", panels, false);
  add_cut(a, x, s, "split", both, false);
}

/* C(i, j) += .. */
static Spectrum *contributing(Arena *a, Unit *u, const Sums *x) {
  Spectrum *s = divide_spectrum(a, u, x->codelet->spectrum, "sums");
  Codelet *k = divide_codelet(a, x->codelet, s, "serial");
  k->params[divide_place(x->codelet, x->to)]->atomic = x->by;
  const Renaming r = {x, k->params};
  k->body = loops(&r, a, x->own + 1, tree_rewrite(a, tree_clone(a, x->body), renamed, (void *)&r));
  k->body->where = x->codelet->body->where;
  divide_add(a, s, k);
  add_cuts(a, x, s);
  return s;
}

/* C(i, j) = sqrt(C(i, j)): of all elements, and the numbers. */
static Spectrum *ending(Arena *a, Unit *u, const Sums *x) {
  Spectrum *s = divide_spectrum(a, u, x->codelet->spectrum, "end");
  Codelet *k = divide_codelet(a, x->codelet, s, "whole");
  Symbol **params = k->params;
  const int at = divide_place(x->codelet, x->to);
  Symbol *to = params[at];
  memset(to->shape, 0, sizeof to->shape);
  const Renaming r = {x, params};
  Tree *value = tree_rewrite(a, tree_clone(a, x->end), renamed, (void *)&r);
  Tree *body = tree_binary(a, OP_ASSIGN, TYPE_VOID, place(&r, a), value);
  for (int d = x->own - 1; d >= 0; d--) body = looped(&r, a, x->of[at][d], divide_size(a, to, d), body);
  k->params = arena_many(a, Symbol *, k->nparams);
  k->nparams = 0;
  for (int i = 0; i < x->codelet->nparams; i++)
    if (i == at || !params[i]->rank) k->params[k->nparams++] = params[i];
  k->body = tree_seq(a, &body, 1);
  k->elements = true;
  divide_add(a, s, k);
  return s;
}

/* A call with those of the codelet's parameters that the spectrum has: the container that is stored to; or the numbers,
 * too; or all. */
typedef enum Given { GIVEN_STORED, GIVEN_NUMBERS, GIVEN_ALL } Given;

static Tree *step(Arena *a, const Sums *x, const Codelet *k, Spectrum *s, Given given) {
  Tree *call = tree_new(a, OP_CALL, TYPE_VOID, k->where, s->codelets[0]->nparams);
  call->spectrum = s;
  int n = 0;
  for (int i = 0; i < k->nparams; i++)
    if (i == divide_place(x->codelet, x->to) || given == GIVEN_ALL || (given == GIVEN_NUMBERS && !k->params[i]->rank))
      call->kid[n++] = tree_ref(a, k->params[i]);
  Tree *run = tree_unary(a, OP_RUN, TYPE_VOID, call);
  run->where = k->where;
  return run;
}

static void divide(Arena *a, Unit *u, Spectrum *s, const Sums *x) {
  Spectrum *begin = beginning(a, u, x), *sums = contributing(a, u, x), *end = x->end ? ending(a, u, x) : NULL;
  Codelet *k = divide_codelet(a, x->codelet, s, "steps");
  Tree *steps[] = {step(a, x, k, begin, GIVEN_STORED), step(a, x, k, sums, GIVEN_ALL),
                   end ? step(a, x, k, end, GIVEN_NUMBERS) : NULL};
  k->body = tree_seq(a, steps, end ? 3 : 2);
  k->body->where = x->codelet->body->where;
  for (int i = 0; i < s->ncodelets; i++)
    if (s->codelets[i]->tag && strcmp(s->codelets[i]->tag, k->tag) == 0) k->tag = "tiles_of_sums";
  divide_add(a, s, k);
}

/* ---- what is read twice ---- */

/* Does each part of a container have the size that is said of it? */
static bool says_parts(const Sums *x) {
  const Codelet *c = x->codelet;
  for (int p = 0; p < c->nparams; p++)
    for (int d = 0; d < c->params[p]->rank; d++) {
      const ShapeRule *r = &c->params[p]->shape[d];
      const Symbol *same = shape_same(r);
      if (same && x->of[divide_place(c, same)][r->dim[0]] != x->of[p][d]) return false;
    }
  return true;
}

/* Sizes are those of the first parameter that has the same loop's variable there. */
static void say_parts(const Sums *x) {
  const Codelet *c = x->codelet;
  for (int p = 0; p < c->nparams; p++)
    for (int d = 0; d < c->params[p]->rank; d++) {
      ShapeRule like = {.said = false};
      for (int k = 0; k < p && !like.said; k++)
        for (int e = 0; e < c->params[k]->rank && !like.said; e++)
          if (x->of[k][e] == x->of[p][d])
            like = (ShapeRule){.said = true, .times = 1, .of = {c->params[k]}, .dim = {e}};
      c->params[p]->shape[d] = like;
    }
}

/* The spectrum's only codelet, which reads a container by two lists of variables, or whose sizes are said by another's
 * that is cut otherwise. */
static bool divide_apart(Arena *a, Unit *u, Spectrum *s) {
  const Codelet *c = s->codelets[0];
  int from[MOST_OPERANDS];
  Sums x;
  Codelet *k = c->body ? twice_apart(a, c, c->body, from) : NULL;
  const bool adds = k && find_contributions(a, k, &x);
  if (!k || (!adds && !find_sums(a, k, &x))) return false;
  say_parts(&x);
  Spectrum *apart = k->spectrum = divide_spectrum(a, u, s, "apart");
  divide_add(a, apart, k);
  const Renaming same = {&x, k->params};
  if (adds) k->body = loops(&same, a, x.own + 1, tree_rewrite(a, tree_clone(a, x.body), renamed, (void *)&same));
  if (adds) add_cuts(a, &x, apart);
  else divide(a, u, apart, &x);
  twice_apply(a, s, c, apart, from);
  return true;
}

bool sums_fit(Arena *a, const Codelet *c) {
  Sums x;
  return find_sums(a, c, &x) && says_parts(&x);
}

void sums_divide(Arena *a, Unit *u) {
  const int n = u->nspectra;
  for (int i = 0; i < n; i++) {
    Spectrum *s = u->spectra[i];
    Sums x;
    bool found = false;
    if (s->ncodelets == 1 && find_contributions(a, s->codelets[0], &x) && x.plain && says_parts(&x)) {
      add_cuts(a, &x, s);
      continue;
    }
    for (int k = 0; k < s->ncodelets && !found; k++) found = find_sums(a, s->codelets[k], &x) && says_parts(&x);
    if (found) divide(a, u, s, &x);
    else if (s->ncodelets == 1) divide_apart(a, u, s);
  }
}
