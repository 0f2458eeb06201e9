/* sums.c: loops over two dimensions, or three, that add up in a variable what they store (sums_loops.c),
 *
 *     for (i ..) for (j ..) {
 *       T sum = 0;
 *       for (k ..) sum += .. A(i, k) .. B(k, j) ..;
 *       C(i, j) = sqrt(sum);
 *     }
 *
 * as steps: C(i, j) = 0 of all elements; C(i, j) += .., which can be cut in tiles and in panels; and, if the sum is not
 * stored as it is, C(i, j) = sqrt(C(i, j)). So whoever writes pairwise distances, or a product, in the plainest way has
 * the placements that tiles of a product have. Each element's sum keeps its order. Maxima, minima and bits are the
 * same. A sum may begin as any element, and be stored with others, `sum + bias[j]'; what is stored with what was there,
 * `alpha * sum + beta * C(i, j)', has its sums in a container of its own.
 *
 * Loops in any order that contribute to an __accum container, C(i, j) += .. A(i, k) .. B(k, j) .., are such a second
 * step as they stand: if they are their spectrum's only codelet, it gets the cuts in tiles and in panels. */
#include "front/sums.h"

#include <string.h>

#include "front/divide.h"
#include "front/sums_loops.h"
#include "front/together.h"
#include "front/twice.h"
#include "ir/build.h"

/* ---- trees ---- */

/* The codelet's text with other parameters, and the variable a place: where it is stored, or in `apart'. */
typedef struct Renaming { const Sums *sums; Symbol *const *params; Symbol *apart; } Renaming;

static Tree *place(const Renaming *r, Arena *a, Symbol *of) {
  const Sums *x = r->sums;
  const int to = divide_place(x->codelet, x->to);
  Tree *t = tree_new(a, OP_INDEX, x->to->type, (SourceRange){0}, 1 + x->own);
  t->kid[0] = tree_ref(a, of ? of : r->params[to]);
  for (int d = 0; d < x->own; d++) t->kid[1 + d] = tree_ref(a, (Symbol *)x->loop[x->of[to][d]].index);
  return t;
}

/* `C(i, j) = C(i, j) | v' is `C(i, j) |= v', as contributions are written. */
static Tree *as_contribution(Arena *a, Tree *t) {
  const Tree *value = t->kid[1];
  if (t->compound || value->op == OP_MAX || value->op == OP_MIN) return t;
  const int other = tree_equal(value->kid[0], t->kid[0]) ? 1 : 0;
  Tree *made = tree_binary(a, OP_ASSIGN, t->type, t->kid[0], value->kid[other]);
  made->compound = value->op;
  made->where = t->where;
  return made;
}

static Tree *renamed(void *context, Arena *a, Tree *t) {
  const Renaming *r = context;
  const Symbol *to = r->params[divide_place(r->sums->codelet, r->sums->to)];
  if (t->op == OP_ASSIGN && t->kid[0]->op == OP_INDEX && t->kid[0]->kid[0]->symbol == to) return as_contribution(a, t);
  if (t->op != OP_REF) return t;
  if (t->symbol == r->sums->sum) return place(r, a, r->apart);
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

/* Which of the codelet's parameters a step has. */
typedef struct Has { const Codelet *codelet; bool *of; } Has;

static bool note_mentioned(void *context, const Tree *t) {
  const Has *h = context;
  const int p = t->op == OP_REF ? divide_place(h->codelet, t->symbol) : -1;
  if (p >= 0) h->of[p] = true;
  return true;
}

/* Of these, sizes are those of the first that has the same loop's variable there. */
static void say_own_sizes(const Sums *x, const Codelet *k, const bool *has) {
  const int n = x->codelet->nparams;
  for (int p = 0, at = 0; p < n; at += has[p++])
    for (int d = 0; has[p] && d < x->codelet->params[p]->rank; d++) {
      ShapeRule like = {.said = false};
      for (int q = 0, of = 0; q < p; of += has[q++])
        for (int e = 0; has[q] && e < x->codelet->params[q]->rank && !like.said; e++)
          if (x->of[q][e] == x->of[p][d])
            like = (ShapeRule){.said = true, .times = 1, .of = {k->params[of]}, .dim = {e}};
      k->params[at]->shape[d] = like;
    }
}

/* Sums that are not where they are to be stored: a container as large as that. */
static Symbol *parameter_of_sums(Arena *a, Symbol *to) {
  Symbol *s = arena_one(a, Symbol);
  *s = *to;
  s->name = arena_printf(a, "%s_sums", to->name);
  s->writable = false;
  for (int d = 0; d < s->rank; d++) s->shape[d] = (ShapeRule){.said = true, .times = 1, .of = {to}, .dim = {d}};
  return s;
}

/* C(i, j) = value, of the parameters that it has. In any order: elements.c divides it, if there is no other
 * container. */
static Spectrum *storing(Arena *a, Unit *u, const Sums *x, const char *what, const Tree *value, bool *has,
                         bool apart) {
  Spectrum *s = divide_spectrum(a, u, x->codelet->spectrum, what);
  Codelet *k = divide_codelet(a, x->codelet, s, "whole");
  Symbol **params = k->params;
  const int at = divide_place(x->codelet, x->to);
  Has mentions = {x->codelet, has};
  memset(has, 0, sizeof *has * (size_t)k->nparams);
  tree_visit(value, note_mentioned, &mentions);
  has[at] = true;
  k->params = arena_many(a, Symbol *, k->nparams + 1);
  k->nparams = 0;
  k->elements = !apart;
  for (int i = 0; i < x->codelet->nparams; i++) {
    if (has[i]) k->params[k->nparams++] = params[i];
    k->elements &= !has[i] || i == at || !params[i]->rank;
  }
  say_own_sizes(x, k, has);
  Symbol *sums = apart ? parameter_of_sums(a, params[at]) : NULL;
  if (sums) k->params[k->nparams++] = sums;
  const Renaming r = {x, params, sums};
  Tree *body = tree_binary(a, OP_ASSIGN, TYPE_VOID, place(&r, a, NULL),
                           tree_rewrite(a, tree_clone(a, (Tree *)value), renamed, (void *)&r));
  for (int d = x->own - 1; d >= 0; d--) body = looped(&r, a, x->of[at][d], divide_size(a, params[at], d), body);
  k->body = tree_seq(a, &body, 1);
  k->body->where = x->codelet->body->where;
  divide_add(a, s, k);
  return s;
}

/* A map over parts: by cuts of the elements' loops, of the one that adds up. `to': how what is stored is written. */
static void add_cut(Arena *a, const Sums *x, Spectrum *s, const char *tag, const bool *by, bool strided,
                    AtomicOp to) {
  static const char *const parts[] = {"p", "q", "r", "s"};
  Codelet *k = divide_codelet(a, x->codelet, s, tag);
  Symbol *of_loop[LOOPS] = {NULL}, *cut[MOST_OWN];
  DivideStatements all = {0};
  k->params[divide_place(x->codelet, x->to)]->atomic = to;
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
  add_cut(a, x, s, "tiled", tiles, false, x->by);
  add_cut(a, x, s, "strided", tiles, true, x->by);
  add_cut(a, x, s, "panels", panels, false, x->by);
  add_cut(a, x, s, "split", both, false, x->by);
}

/* Leaves out parameters that its codelets have no use for, in their maps too. */
static void keep(const Sums *x, Spectrum *s, const bool *has) {
  const int n = x->codelet->nparams;
  for (int i = 0; i < s->ncodelets; i++) {
    Codelet *k = s->codelets[i];
    Tree *last = k->body->kid[k->body->nkids - 1], *map = last->op == OP_MAP_RUN ? last->kid[0] : NULL;
    int kept = 0;
    for (int p = 0; p < n; p++) {
      if (!has[p]) continue;
      if (map) map->kid[kept] = map->kid[p];
      k->params[kept++] = k->params[p];
    }
    k->nparams = kept;
    if (map) map->nkids = kept;
    say_own_sizes(x, k, has);
  }
}

/* C(i, j) += .., of the parameters that it has. */
static Spectrum *contributing(Arena *a, Unit *u, const Sums *x, bool *has) {
  Has mentions = {x->codelet, has};
  memset(has, 0, sizeof *has * (size_t)x->codelet->nparams);
  tree_visit(x->body, note_mentioned, &mentions);
  has[divide_place(x->codelet, x->to)] = true;
  for (int i = 0; i <= x->own; i++) has[divide_place(x->codelet, x->loop[i].of)] = true;
  Spectrum *s = divide_spectrum(a, u, x->codelet->spectrum, "sums");
  Codelet *k = divide_codelet(a, x->codelet, s, "serial");
  k->params[divide_place(x->codelet, x->to)]->atomic = x->by;
  const Renaming r = {x, k->params, NULL};
  k->body = loops(&r, a, x->own + 1, tree_rewrite(a, tree_clone(a, x->body), renamed, (void *)&r));
  k->body->where = x->codelet->body->where;
  divide_add(a, s, k);
  add_cuts(a, x, s);
  bool all = true;
  for (int p = 0; p < x->codelet->nparams; p++) all &= has[p];
  if (!all) keep(x, s, has);
  return s;
}

/* A call with those of the codelet's parameters that the step has, `to' being where it stores; with `apart' last. */
static Tree *step(Arena *a, const Sums *x, const Codelet *k, Spectrum *s, const bool *has, Symbol *to, Symbol *apart) {
  Tree *call = tree_new(a, OP_CALL, TYPE_VOID, k->where, s->codelets[0]->nparams);
  call->spectrum = s;
  int n = 0;
  for (int i = 0; i < k->nparams; i++)
    if (has[i]) call->kid[n++] = tree_ref(a, i == divide_place(x->codelet, x->to) ? to : k->params[i]);
  if (apart) call->kid[n++] = tree_ref(a, apart);
  Tree *run = tree_unary(a, OP_RUN, TYPE_VOID, call);
  run->where = k->where;
  return run;
}

static void divide(Arena *a, Unit *u, Spectrum *s, const Sums *x) {
  bool first[MOST_OPERANDS], all[MOST_OPERANDS], last[MOST_OPERANDS];
  Spectrum *begin = storing(a, u, x, "begin", x->begin, first, false), *sums = contributing(a, u, x, all);
  Spectrum *end = x->end ? storing(a, u, x, "end", x->end, last, x->again) : NULL;
  Codelet *k = divide_codelet(a, x->codelet, s, "steps");
  DivideStatements steps = {0};
  Symbol *to = k->params[divide_place(x->codelet, x->to)], *apart = NULL;
  if (x->again) apart = divide_own(a, &steps, to, arena_printf(a, "%s_sums", to->name));
  vec_push(a, &steps, step(a, x, k, begin, first, apart ? apart : to, NULL));
  vec_push(a, &steps, step(a, x, k, sums, all, apart ? apart : to, NULL));
  if (end) vec_push(a, &steps, step(a, x, k, end, last, to, apart));
  k->body = tree_seq(a, steps.at, steps.n);
  k->body->where = x->codelet->body->where;
  for (int i = 0; i < s->ncodelets; i++)
    if (s->codelets[i]->tag && strcmp(s->codelets[i]->tag, k->tag) == 0) k->tag = "tiles_of_sums";
  divide_add(a, s, k);
}

/* ---- lanes together ---- */

static Tree *of_params(void *context, Arena *a, Tree *t) {
  const Renaming *r = context;
  const int p = t->op == OP_REF ? divide_place(r->sums->codelet, t->symbol) : -1;
  return p >= 0 ? tree_ref(a, r->params[p]) : t;
}

/* for (i ..) for (j ..) { T sum = 0; for (k = coopIdx(); ..) sum += ..; lanes exchange; the first: C(i, j) = sum; }
 * Where no element is read again there is nothing for tiles to hold: lanes that have a result between them read side by
 * side. */
static void add_together(Arena *a, Unit *u, const Sums *x, Spectrum *s) {
  static const bool tiles[] = {true, false};
  Codelet *k = divide_codelet(a, x->codelet, s, divide_tag(a, s, "together"));
  const Renaming r = {x, k->params, NULL};
  Tree *one = tree_rewrite(a, tree_clone(a, (Tree *)x->one), of_params, (void *)&r), *store = one->kid[one->nkids - 1];
  Tree *lane = tree_new(a, OP_VECTOR_THREAD, TYPE_INT, (SourceRange){0}, 0);
  Tree *first = tree_binary(a, OP_EQ, TYPE_BOOL, lane, tree_int(a, TYPE_INT, 0));
  one->kid[one->nkids - 1] = build_if(a, first, tree_seq(a, &store, 1));
  k->body = one;
  const char *tag = k->tag;
  Codelet *made = together_made(a, u, k);
  if (!made) return;
  DivideStatements ahead = {0}, each = {0};
  for (int i = 0; i < made->body->nkids; i++) {
    Tree *t = made->body->kid[i];
    const bool shared = t->op == OP_DECLARE && t->symbol->kind == SYMBOL_SHARED;
    if (shared) vec_push(a, &ahead, t);
    else vec_push(a, &each, t);
  }
  vec_push(a, &ahead, loops(&r, a, x->own, tree_seq(a, each.at, each.n))->kid[0]);
  made->tag = tag;
  made->body = tree_seq(a, ahead.at, ahead.n);
  made->body->where = x->codelet->body->where;
  divide_add(a, s, made);
  add_cut(a, x, s, divide_tag(a, s, "tiled"), tiles, false, ATOMIC_NONE);
}

/* ---- what is read twice ---- */

/* The spectrum's only codelet, which reads a container by two lists of variables, or whose sizes are said by another's
 * that is cut otherwise. */
static bool divide_apart(Arena *a, Unit *u, Spectrum *s) {
  const Codelet *c = s->codelets[0];
  int from[MOST_OPERANDS];
  Sums x;
  Codelet *k = c->body ? twice_apart(a, c, c->body, from) : NULL;
  const bool adds = k && sums_find_contributions(a, k, &x);
  if (!k || (!adds && !sums_find(a, k, &x))) return false;
  sums_say_parts(&x);
  Spectrum *apart = k->spectrum = divide_spectrum(a, u, s, "apart");
  divide_add(a, apart, k);
  const Renaming same = {&x, k->params, NULL};
  if (adds) k->body = loops(&same, a, x.own + 1, tree_rewrite(a, tree_clone(a, x.body), renamed, (void *)&same));
  if (adds) add_cuts(a, &x, apart);
  else divide(a, u, apart, &x);
  twice_apply(a, s, c, apart, from);
  return true;
}

bool sums_fit(Arena *a, const Codelet *c) {
  Sums x;
  return sums_find(a, c, &x) && sums_says_parts(&x);
}

void sums_divide(Arena *a, Unit *u) {
  const int n = u->nspectra;
  for (int i = 0; i < n; i++) {
    Spectrum *s = u->spectra[i];
    Sums x;
    bool found = false;
    if (s->ncodelets == 1 && sums_find_contributions(a, s->codelets[0], &x) && x.plain && sums_says_parts(&x)) {
      add_cuts(a, &x, s);
      continue;
    }
    for (int k = 0; k < s->ncodelets && !found; k++) found = sums_find(a, s->codelets[k], &x) && sums_says_parts(&x);
    if (found && sums_have_each(&x)) add_together(a, u, &x, s);
    if (found) divide(a, u, s, &x);
    else if (s->ncodelets == 1) divide_apart(a, u, s);
  }
}
