/* contributions.c: loops that contribute to __accum containers, write them by place, or append to queues,
 *
 *     for (i ..) for (j ..) bins[image(i, j) % 64] += 1;
 *
 * in parts (divisible.c). No turn knows of another, and several workers may contribute to one place: so each of the
 * outer loops may be divided: over all of a container's dimension, or over what it counts through (turns.c).
 *
 * They may store elements, too, labels[i] = best; sums[best] += x[i]: then a loop is divided if its variable is an
 * index of each access of each container that is stored, in one dimension. What is asked before the loops, if (n > 0)
 * for .., each part asks again.
 *
 * Where some of them say which place it is, C(i, r) += X(i, j, k) * .., a part by these alone has its places to
 * itself. Such parts are made, and those that divide the other loops, too.
 *
 * Where that is not so, as for bins, or where what is read lies side by side in the other loops' order, there is a
 * codelet whose workers have containers of their own, which are merged into the common ones:
 *
 *     Array<1, unsigned> own_bins(bins.Size());
 *     map(count<T>, partition(image, i, j), own_bins);
 *     count_merge(own_bins, bins); */
#include "front/contributions.h"

#include <string.h>

#include "front/divisible.h"
#include "front/turns.h"

typedef struct Gives {
  Divisible parts;
  const Tree *inner;             /* body of the last loop */
  Turns turns[MOST_RANK];        /* by loop */
  int depth;                     /* loops inside the outer ones, around what is looked at */
  bool seen[MOST_OPERANDS][MOST_RANK]; /* by parameter: is anything known of its index? */
  bool asked[MOST_RANK];         /* by loop: is its variable more than an index? */
  bool last[MOST_RANK];          /* .. is it the index of the last dimension of a matrix that is read? */
  bool ok;
} Gives;

/* ---- what a codelet has ---- */

static bool is_contributed(const Symbol *s) { return s->rank && s->atomic; }
static bool is_stored(const Symbol *s) { return s->rank && s->writable && !s->atomic; }

/* At least one that is contributed to, written by place or appended to; others are read, or stored. */
static bool find_parameters(const Codelet *c) {
  bool any = false;
  for (int i = 0; i < c->nparams; i++) {
    const Symbol *s = c->params[i];
    if ((s->writable && !s->rank) || s->atomic == ATOMIC_USER) return false;
    any |= is_contributed(s);
  }
  return any;
}

/* Has each an identity, and an operator that merges two? */
static bool can_be_own(const Codelet *c) {
  for (int i = 0; i < c->nparams; i++)
    if (is_contributed(c->params[i]) && atomic_stores(c->params[i]->atomic)) return false;
  return true;
}

static bool is_variable(const Tree *t) {
  return t->op == OP_DECLARE && t->symbol->kind == SYMBOL_LOCAL && !t->symbol->rank;
}

/* One more loop, and what it goes through: all of a parameter's dimension; else the numbers that it counts. */
static bool add_loop(Arena *a, Gives *g, const Tree *t) {
  Divisible *x = &g->parts;
  LoopHead head;
  int64_t begin, number;
  const int n = x->nloops;
  Turns *turns = &g->turns[n];
  if (!loops_head(a, t, &head) || !turns_find(a, x->codelet, &head, g->turns, n, turns)) return false;
  const bool whole = head.step == 1 && tree_constant(head.begin, &begin) && !begin && turns->end->op == OP_SIZE;
  const bool counts = head.step == 1 || head.step == -1;
  Dimension *d = &x->dimension[n];
  *d = (Dimension){.first = n, .cut = true};
  if (whole && !turns->depends) {
    d->of = turns->end->kid[0]->symbol;
    d->dim = turns->end->dimension;
  } else {
    d->turns = turns_number(a, turns, head.step);
    d->from = counts ? turns->least : NULL;
    if ((turns->depends && !counts) || (tree_constant(turns->least, &begin) && tree_constant(turns->end, &number)))
      return false;
  }
  x->loop[n] = (Counting){.at = t, .head = head, .within = n - 1, .dimension = n, .shifted = true,
                          .all = !turns->depends};
  x->ndimensions = ++x->nloops;
  return true;
}

/* Statements, the last of which is a loop; or a condition of it. */
static bool is_around(const Tree *t) { return (t->op == OP_SEQ && t->nkids) || (t->op == OP_IF && t->nkids == 2); }

/* Loops in one another from the codelet's body on, with variables and conditions between them, as many as there are. */
static bool find_loops(Arena *a, const Codelet *c, Gives *g) {
  Divisible *x = &g->parts;
  *x = (Divisible){.codelet = c, .body = loops_sized(a, c)};
  memset(x->of, NO_DIMENSION, sizeof x->of);
  for (const Tree *t = g->inner = x->body; x->nloops < MOST_RANK; t = g->inner = t->kid[3]) {
    for (; is_around(t); t = t->kid[t->nkids - 1])
      for (int i = 0; i < t->nkids - 1; i++)
        if (t->op == OP_SEQ && !is_variable(t->kid[i])) return x->nloops > 0;
    if (!add_loop(a, g, t)) break;
  }
  return x->nloops > 0;
}

/* Of a container nothing but elements. Which loop's variable is each index? The last that is found, if all are one. */
static bool find_indices(void *context, const Tree *t) {
  Gives *g = context;
  Divisible *x = &g->parts;
  if (t->op == OP_SIZE || t->op == OP_STRIDE) return false;
  if (t->op == OP_REF && t->symbol->rank) g->ok = false;
  const int p = t->op == OP_INDEX && t->kid[0]->op == OP_REF ? divide_place(x->codelet, t->kid[0]->symbol) : -1;
  if (p < 0) return g->ok;
  for (int d = 0; d < t->nkids - 1; d++) {
    const int loop = divisible_loop(x, t->kid[1 + d]);
    x->of[p][d] = !g->seen[p][d] || x->of[p][d] == loop ? loop : NO_DIMENSION;
    g->seen[p][d] = true;
    tree_visit(t->kid[1 + d], find_indices, g);
  }
  return false;
}

/* A loop that goes through some elements of what it stores: parts of all of them, which ask for each turn. */
static void find_stored(Gives *x) {
  Divisible *of = &x->parts;
  const Codelet *c = of->codelet;
  for (int p = 0; p < c->nparams; p++)
    for (int d = 0; d < c->params[p]->rank && is_stored(c->params[p]); d++) {
      Dimension *to = of->of[p][d] >= 0 ? &of->dimension[of->of[p][d]] : NULL;
      if (!to || to->of) continue;
      *to = (Dimension){.of = c->params[p], .dim = d, .first = to->first, .cut = true};
      of->loop[of->of[p][d]].all = false;
    }
}

/* A dimension that is not as long as its loop, or has it twice, is not cut; nor is what is written by place. */
static void keep_lengths(Divisible *x) {
  const Codelet *c = x->codelet;
  for (int p = 0; p < c->nparams; p++) {
    int of[MOST_RANK];
    memcpy(of, x->of[p], sizeof of);
    for (int d = 0; d < c->params[p]->rank; d++) {
      bool fits = of[d] >= 0 && x->dimension[of[d]].of && !atomic_stores(c->params[p]->atomic) &&
                  shape_is_same(c->params[p], d, x->dimension[of[d]].of, x->dimension[of[d]].dim);
      for (int k = 0; k < c->params[p]->rank; k++) fits &= k == d || of[k] != of[d]; /* a diagonal */
      if (!fits) x->of[p][d] = NO_DIMENSION;
    }
  }
}

static bool is_read_by_place(const Tree *t) {
  return t->op == OP_INDEX && t->kid[0]->op == OP_REF && t->kid[0]->symbol->atomic == ATOMIC_ANY;
}

/* Is it all that one lane does to its own, and to what is contributed to or stored? What it reads of places that other
 * turns may write depends on their order. */
static bool find_uses(void *context, const Tree *t) {
  Gives *x = context;
  const bool appends = t->op == OP_ATOMIC && t->atomic == ATOMIC_APPEND;
  x->ok &= (appends || !divide_never(t)) && (t->op != OP_BREAK || x->depth) && !is_read_by_place(t);
  if (x->ok && t->op == OP_ASSIGN) x->ok = divide_keeps_to_turn(x->inner, t->kid[0]);
  if (x->ok && t->op == OP_ASSIGN && is_read_by_place(t->kid[0])) {
    for (int i = 1; i < t->kid[0]->nkids; i++) tree_visit(t->kid[0]->kid[i], find_uses, x);
    tree_visit(t->kid[1], find_uses, x);
    return false;
  }
  if (!x->ok || (t->op != OP_FOR && t->op != OP_WHILE)) return x->ok;
  x->depth++;
  for (int i = 0; i < t->nkids; i++)
    if (t->kid[i]) tree_visit(t->kid[i], find_uses, x);
  x->depth--;
  return false;
}

/* What loops' variables are used for; after it is known which dimensions are as long as loops. */
static bool find_asked(void *context, const Tree *t) {
  Gives *x = context;
  const Divisible *parts = &x->parts;
  const bool index = t->op == OP_INDEX && t->kid[0]->op == OP_REF, size = t->op == OP_SIZE && t->kid[0]->op == OP_REF;
  const int p = index || size ? divide_place(parts->codelet, t->kid[0]->symbol) : -1;
  if (p >= 0 && size) return false; /* of the whole: a number that parts are given */
  for (int i = 0; i < parts->ndimensions && t->op == OP_REF; i++) x->asked[i] |= t->symbol == parts->loop[i].head.index;
  if (p < 0) return true;
  const Symbol *s = parts->codelet->params[p];
  for (int d = 0; d < s->rank; d++) {
    const int loop = divisible_loop(parts, t->kid[1 + d]);
    if (loop >= 0 && !s->atomic && s->rank > 1 && d == s->rank - 1) x->last[loop] = true;
    if (parts->of[p][d] < 0) tree_visit(t->kid[1 + d], find_asked, x);
  }
  return false;
}

/* All that is inside the outer loops, but for them. */
static void visit_inside(const Gives *x, TreeVisit visit, void *context) {
  const Tree *t = x->parts.body;
  for (int i = 0; i <= x->parts.nloops; i++) {
    for (; is_around(t) && t != x->inner; t = t->kid[t->nkids - 1])
      for (int k = 0; k < t->nkids - 1; k++) tree_visit(t->kid[k], visit, context);
    if (t == x->inner) tree_visit(t, visit, context);
    else t = t->kid[3];
  }
}

/* Loops whose turns may meet in what is stored are not divided. False: none is left. */
static bool keep_stored(Gives *x) {
  Divisible *of = &x->parts;
  const Codelet *c = of->codelet;
  bool any = false;
  for (int i = 0; i < of->ndimensions; i++) {
    for (int p = 0; p < c->nparams; p++) {
      bool has = !is_stored(c->params[p]);
      for (int d = 0; d < c->params[p]->rank; d++) has |= of->of[p][d] == i;
      of->dimension[i].cut &= has;
    }
    any |= of->dimension[i].cut;
  }
  return any;
}

static bool find_gives(Arena *a, const Codelet *c, Gives *x) {
  *x = (Gives){.ok = true};
  if (!c->body || c->nenv || c->matrix || c->native || c->elements || c->coop_declared || c->tunables.n ||
      c->spectrum->result != TYPE_VOID || !find_parameters(c) || !find_loops(a, c, x))
    return false;
  visit_inside(x, find_uses, x);
  if (x->ok) tree_visit(x->parts.body, find_indices, x);
  if (!x->ok) return false;
  find_stored(x);
  keep_lengths(&x->parts);
  if (!keep_stored(x)) return false;
  visit_inside(x, find_asked, x);
  for (int i = 0; i < x->parts.nloops; i++) {
    const LoopHead *head = &x->parts.loop[i].head;
    tree_visit(head->begin, find_asked, x);
    tree_visit(head->end, find_asked, x);
    x->asked[i] |= !x->parts.dimension[i].of || !x->parts.loop[i].all;
  }
  return true;
}

/* Which loops say what place is contributed to: they are indices of all containers that are. True: they alone do. */
static bool find_owners(const Gives *x, bool *owns) {
  const Divisible *parts = &x->parts;
  const Codelet *c = parts->codelet;
  bool alone = true;
  for (int i = 0; i < parts->ndimensions; i++) {
    owns[i] = parts->dimension[i].cut;
    for (int p = 0; p < c->nparams; p++) {
      bool is = !is_contributed(c->params[p]);
      for (int d = 0; d < c->params[p]->rank; d++) is |= parts->of[p][d] == i;
      owns[i] &= is;
    }
  }
  for (int p = 0; p < c->nparams; p++)
    for (int d = 0; d < c->params[p]->rank && is_contributed(c->params[p]); d++)
      alone &= parts->of[p][d] >= 0 && owns[parts->of[p][d]];
  return alone;
}

/* ---- containers of one's own ---- */

/* for (i ..) for (j ..) bins(i, j) += own(i, j); */
static void divide(Arena *a, Unit *u, Spectrum *s);

static Spectrum *merging(Arena *a, Unit *u, const Codelet *of, const Symbol *to) {
  static const char *const names[MOST_RANK] = {"i", "j", "k", "l"};
  enum { OWN, COMMON, BOTH };
  Spectrum *s = divide_spectrum(a, u, of->spectrum, "merge");
  Codelet *k = divide_codelet(a, of, s, "serial");
  k->params = arena_many(a, Symbol *, k->nparams = BOTH);
  Tree *at[BOTH];
  Symbol *index[MOST_RANK];
  for (int i = 0; i < BOTH; i++) {
    Symbol *p = k->params[i] = arena_one(a, Symbol);
    *p = *to;
    memset(p->shape, 0, sizeof p->shape);
    if (i == OWN) p->name = arena_printf(a, "own_%s", to->name), p->atomic = ATOMIC_NONE, p->writable = false;
    at[i] = tree_new(a, OP_INDEX, to->type, (SourceRange){0}, 1 + to->rank);
    at[i]->kid[0] = tree_ref(a, p);
    for (int d = 0; d < to->rank; d++) {
      if (i == OWN) index[d] = symbol_new(a, SYMBOL_LOCAL, names[d], TYPE_INDEX), index[d]->declared = TYPE_UINT;
      else p->shape[d] = (ShapeRule){.said = true, .times = 1, .of = {k->params[OWN]}, .dim = {d}};
      index[d]->writable = true;
      at[i]->kid[1 + d] = tree_ref(a, index[d]);
    }
  }
  static const Op compound[ATOMIC_COUNT] = {[ATOMIC_ADD] = OP_ADD, [ATOMIC_SUB] = OP_SUB, [ATOMIC_AND] = OP_AND,
                                            [ATOMIC_OR] = OP_OR, [ATOMIC_XOR] = OP_XOR};
  Tree *give = tree_binary(a, OP_ASSIGN, TYPE_VOID, at[COMMON], at[OWN]);
  give->compound = compound[to->atomic];
  if (to->atomic == ATOMIC_SUB) /* own ones begin at 0, too; -0 less 0 stays what it is */
    give->kid[1] = tree_binary(a, OP_SUB, to->type, tree_int(a, to->type, 0), at[OWN]);
  if (!give->compound)
    give->kid[1] = tree_binary(a, to->atomic == ATOMIC_MAX ? OP_MAX : OP_MIN, to->type, tree_clone(a, at[COMMON]),
                               at[OWN]);
  for (int d = to->rank - 1; d >= 0; d--) give = divide_loop(a, index[d], divide_size(a, k->params[OWN], d), give);
  k->body = tree_seq(a, &give, 1);
  k->body->where = of->body->where;
  divide_add(a, s, k);
  divide(a, u, s);
  return s;
}

/* Workers with containers of their own, which all have the whole of: no cut is one of theirs. */
static void add_own(Arena *a, Unit *u, const DivisiblePart *x) {
  Spectrum *s = x->codelet->spectrum;
  bool loops[MOST_RANK], any = false;
  for (int i = 0; i < x->whole->ndimensions; i++) loops[i] = x->whole->dimension[i].cut;
  for (int p = 0; p < x->codelet->nparams; p++)
    for (int d = 0; d < x->codelet->params[p]->rank && is_contributed(x->codelet->params[p]); d++)
      if (x->of[p][d] >= 0) loops[x->of[p][d]] = false;
  for (int i = 0; i < x->whole->ndimensions; i++) any |= loops[i];
  if (!any) return;
  Codelet *k = divide_codelet(a, x->codelet, s, "own");
  DivideStatements all = {0};
  Tree *arguments[MOST_OPERANDS], *merges[MOST_OPERANDS];
  int n = 0;
  for (int p = 0; p < k->nparams; p++) {
    if (!is_contributed(k->params[p])) continue;
    Symbol *of = k->params[p];
    Tree *call = merges[n++] = tree_new(a, OP_CALL, TYPE_VOID, k->where, 2);
    call->spectrum = merging(a, u, x->codelet, k->params[p]);
    call->kid[0] = tree_ref(a, divide_own(a, &all, of, arena_printf(a, "own_%s", of->name)));
    call->kid[1] = tree_ref(a, k->params[p]);
  }
  divisible_cut(a, x, k, loops, true, &all, arguments);
  for (int p = 0, i = 0; p < k->nparams; p++)
    if (is_contributed(k->params[p])) arguments[p] = tree_clone(a, merges[i++]->kid[0]);
  divide_map(a, &all, s, arguments, k->nparams);
  for (int i = 0; i < n; i++) {
    Tree *run = tree_unary(a, OP_RUN, TYPE_VOID, merges[i]);
    run->where = k->where;
    vec_push(a, &all, run);
  }
  k->body = tree_seq(a, all.at, all.n);
  k->body->where = x->whole->codelet->body->where;
  divide_add(a, s, k);
}

static void divide(Arena *a, Unit *u, Spectrum *s) {
  Gives x;
  if (s->ncodelets != 1 || !find_gives(a, s->codelets[0], &x)) return;
  bool owns[MOST_RANK], beside = false, any = false, others = false;
  bool alone = find_owners(&x, owns);
  for (int i = 0; i < x.parts.ndimensions; i++) beside |= owns[i] && x.last[i];
  for (int i = 0; i < x.parts.ndimensions && alone && beside; i++) x.parts.dimension[i].cut &= owns[i] || !x.asked[i];
  DivisiblePart part = divisible_part(a, u, &x.parts, "parts");
  for (int i = x.parts.ndimensions - 1; i > 0 && !part.codelet; i--) { /* positions are parameters, too */
    x.parts.dimension[i].cut = owns[i] = false;
    part = divisible_part(a, u, &x.parts, "parts");
  }
  if (!part.codelet) return;
  bool cut[MOST_RANK] = {false};
  for (int i = 0; i < x.parts.ndimensions; i++) {
    cut[i] = x.parts.dimension[i].cut;
    any |= owns[i];
    others |= cut[i] && !owns[i];
  }
  alone &= any;
  for (int strided = 0; strided < 2 && alone; strided++)
    divisible_add_cut(a, &part, strided ? "strided" : "tiled", owns, strided);
  if (alone && !others) return;
  static const char *const tags[2][2] = {{"tiled", "strided"}, {"split", "spread"}};
  for (int strided = 0; strided < 2; strided++) divisible_add_cut(a, &part, tags[alone][strided], cut, strided);
  if ((!alone || !beside) && can_be_own(s->codelets[0])) add_own(a, u, &part);
}

void contributions_divide(Arena *a, Unit *u) {
  const int n = u->nspectra;
  for (int i = 0; i < n; i++)
    if (!divide_is_shared_out(u, u->spectra[i])) divide(a, u, u->spectra[i]);
}
