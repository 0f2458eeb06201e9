/* stores.c: loops that store each element of a container once, of whatever they read,
 *
 *     for (i ..) for (j ..) B(i, j) = max(A(2 * i, 2 * j), w[j]);
 *
 * in parts. Each part has to know which of the whole's elements it has; so what is cut is a spectrum of its own, which
 * gets positions, cut as B is, and what is read:
 *
 *     void pool_at(i_at, j_at, A, w, B) { for (i ..) for (j ..) B(i, j) = max(A(2 * i_at[i], 2 * j_at[j]), w[j]); }
 *     void pool(A, w, B) { pool_at(iota(0, B.Size(0)), iota(0, B.Size(1)), A, w, B); }
 *
 * A container is cut where each index is the same loop's variable, as w is, and its size is declared to be as long as
 * that loop; in other dimensions parts read all of it. If nothing asks where a part lies, as in a transposition, the
 * cuts are the spectrum's own codelets. A part's size is not the whole's, which goes in as a number.
 *
 * No turn of these loops may know of another: what they write is the container's own element, and variables that they
 * declare inside. */
#include "front/stores.h"

#include <string.h>

#include "front/divide.h"

enum { UNKNOWN = -1, WHOLE = -2 };

typedef struct Stores {
  const Codelet *codelet;
  const Symbol *to;
  int own; /* loops over its elements */
  DivideLoop loop[MOST_RANK];
  const Tree *at[MOST_RANK];
  const Tree *inner;                /* body of the last loop */
  int depth;                        /* loops inside it, around what is looked at */
  int of[MOST_OPERANDS][MOST_RANK]; /* by parameter: which loop's variable is the index; or WHOLE */
  bool ok;
} Stores;

/* ---- what a codelet has ---- */

/* The only container that is written, of no more dimensions than loops can have. */
static const Symbol *stored(const Codelet *c) {
  const Symbol *to = NULL;
  for (int i = 0; i < c->nparams; i++) {
    const Symbol *s = c->params[i];
    if (s->atomic || s->counter || (s->writable && to)) return NULL;
    if (s->writable) to = s;
  }
  return to && to->rank ? to : NULL;
}

/* Loops in one another, with variables between them. */
static bool find_loops(Stores *x) {
  const Tree *t = x->codelet->body;
  while (x->own < x->to->rank) {
    for (; t->op == OP_SEQ && t->nkids; t = t->kid[t->nkids - 1])
      for (int i = 0; i < t->nkids - 1; i++)
        if (t->kid[i]->op != OP_DECLARE || t->kid[i]->symbol->array || t->kid[i]->symbol->kind != SYMBOL_LOCAL)
          return false;
    DivideLoop *loop = &x->loop[x->own];
    if (!divide_counts(t, loop) || loop->index->type != TYPE_INDEX) return false;
    x->at[x->own++] = t;
    t = t->kid[3];
  }
  x->inner = t;
  return true;
}

static int loop_of(const Stores *x, const Tree *index) {
  while (index->op == OP_CAST && index->type == TYPE_INDEX) index = index->kid[0];
  for (int i = 0; index->op == OP_REF && i < x->own; i++)
    if (x->loop[i].index == index->symbol) return i;
  return WHOLE;
}

typedef struct Declares { const Symbol *symbol; bool found; } Declares;

static bool find_declared(void *context, const Tree *t) {
  Declares *d = context;
  d->found |= t->op == OP_DECLARE && t->symbol == d->symbol;
  return !d->found;
}

/* Is it written in the turn that it belongs to? */
static bool keeps_to_turn(const Stores *x, const Tree *place) {
  const Tree *of = place->op == OP_INDEX ? place->kid[0] : place;
  if (of->op != OP_REF) return false;
  if (of->symbol == x->to) return place->op == OP_INDEX;
  Declares d = {of->symbol, false};
  tree_visit(x->inner, find_declared, &d);
  return d.found && of->symbol->kind == SYMBOL_LOCAL;
}

static bool find_uses(void *context, const Tree *t) {
  Stores *x = context;
  x->ok &= !divide_never(t) && (t->op != OP_ASSIGN || keeps_to_turn(x, t->kid[0])) && (t->op != OP_BREAK || x->depth);
  if (t->op == OP_FOR || t->op == OP_WHILE) {
    x->depth++;
    for (int i = 0; i < t->nkids; i++)
      if (t->kid[i]) tree_visit(t->kid[i], find_uses, x);
    x->depth--;
    return false;
  }
  if (!x->ok || t->op == OP_SIZE || t->op == OP_STRIDE) return false;
  if (t->op == OP_REF && t->symbol->rank) x->ok = false;
  const int p = t->op == OP_INDEX && t->kid[0]->op == OP_REF ? divide_place(x->codelet, t->kid[0]->symbol) : -1;
  if (p < 0) return x->ok;
  for (int d = 0; d < t->nkids - 1; d++) {
    const int loop = loop_of(x, t->kid[1 + d]);
    x->of[p][d] = x->of[p][d] == UNKNOWN || x->of[p][d] == loop ? loop : WHOLE;
    tree_visit(t->kid[1 + d], find_uses, x);
  }
  return false;
}

static bool same_size(const Symbol *s, int d, const Symbol *other, int of_other) {
  shape_first(&s, &d);
  shape_first(&other, &of_other);
  return s == other && d == of_other;
}

/* What is stored has an element for each turn of the loops; others are cut where they have one, too. */
static bool find_cuts(Stores *x) {
  const Codelet *c = x->codelet;
  const int *own = x->of[divide_place(c, x->to)];
  for (int d = 0; d < x->to->rank; d++) {
    if (own[d] < 0 || !same_size(x->loop[own[d]].of, x->loop[own[d]].dimension, x->to, d)) return false;
    for (int k = 0; k < d; k++)
      if (own[k] == own[d]) return false;
  }
  for (int p = 0; p < c->nparams; p++)
    for (int d = 0; d < c->params[p]->rank; d++) {
      const DivideLoop *loop = x->of[p][d] >= 0 ? &x->loop[x->of[p][d]] : NULL;
      bool twice = false; /* a diagonal */
      for (int k = 0; k < c->params[p]->rank; k++) twice |= k != d && x->of[p][k] == x->of[p][d];
      if (!loop || twice || !same_size(c->params[p], d, loop->of, loop->dimension)) x->of[p][d] = WHOLE;
    }
  return true;
}

static bool find_stores(const Codelet *c, Stores *x) {
  *x = (Stores){.codelet = c, .to = stored(c), .ok = true};
  memset(x->of, UNKNOWN, sizeof x->of);
  if (!x->to || !c->body || c->nenv || c->matrix || c->native || c->elements || c->coop_declared || c->tunables.n ||
      c->spectrum->result != TYPE_VOID || !find_loops(x))
    return false;
  for (int i = 0; i < x->own; i++) {
    const Tree *body = i + 1 < x->own ? x->at[i]->kid[3] : x->inner;
    if (i + 1 == x->own) tree_visit(body, find_uses, x);
    else
      for (int k = 0; body->op == OP_SEQ && k < body->nkids - 1; k++) tree_visit(body->kid[k], find_uses, x);
  }
  for (int k = 0; c->body->op == OP_SEQ && k < c->body->nkids - 1; k++) tree_visit(c->body->kid[k], find_uses, x);
  return x->ok && find_cuts(x);
}

/* ---- the text of parts ---- */

typedef struct Text {
  Arena *a;
  const Stores *stores;
  Symbol **params;             /* copies of the codelet's */
  Symbol *position[MOST_RANK]; /* by loop: which of the whole's elements they are, .. */
  Symbol *size[MOST_RANK];     /* .. and how many the whole has; NULL: nothing asks */
} Text;

static Symbol *given(Text *t, int loop, const char *what, int rank) {
  Symbol *s = symbol_new(t->a, SYMBOL_PARAM, arena_printf(t->a, "%s_%s", t->stores->loop[loop].index->name, what),
                         TYPE_INDEX);
  s->declared = TYPE_LONG;
  s->rank = rank;
  return s;
}

static Tree *position(Text *t, int loop) {
  if (!t->position[loop]) t->position[loop] = given(t, loop, "at", 1);
  return tree_binary(t->a, OP_INDEX, TYPE_INDEX, tree_ref(t->a, t->position[loop]),
                     tree_ref(t->a, (Symbol *)t->stores->loop[loop].index));
}

static Tree *whole_size(Text *t, int loop) {
  if (!t->size[loop]) t->size[loop] = given(t, loop, "size", 0);
  return tree_ref(t->a, t->size[loop]);
}

static Tree *of_part(Text *t, Tree *x);

static Tree *kids_of_part(Text *t, const Tree *x) {
  Tree **kids = arena_many(t->a, Tree *, x->nkids);
  for (int i = 0; i < x->nkids; i++) kids[i] = x->kid[i] ? of_part(t, x->kid[i]) : NULL;
  return tree_with_kids(t->a, x, kids, x->nkids);
}

static Tree *part_of_loop(Text *t, const Tree *x, int loop) {
  const Stores *s = t->stores;
  const int to = divide_place(s->codelet, s->to);
  int d = 0;
  while (s->of[to][d] != loop) d++;
  Tree *below = tree_binary(t->a, OP_LT, TYPE_BOOL, x->kid[1]->kid[0], divide_size(t->a, t->params[to], d));
  Tree *kids[] = {x->kid[0], below, x->kid[2], of_part(t, x->kid[3])};
  return tree_with_kids(t->a, x, kids, 4);
}

static Tree *of_part(Text *t, Tree *x) {
  const Stores *s = t->stores;
  for (int i = 0; i < s->own; i++) {
    if (x == s->at[i]) return part_of_loop(t, x, i);
    if (x->op == OP_REF && x->symbol == s->loop[i].index) return position(t, i);
  }
  const Tree *of = x->op == OP_REF ? x : x->op == OP_SIZE || x->op == OP_INDEX ? x->kid[0] : NULL;
  const int p = of && of->op == OP_REF ? divide_place(s->codelet, of->symbol) : -1;
  if (p < 0) return kids_of_part(t, x);
  if (x->op == OP_REF) return tree_ref(t->a, t->params[p]);
  if (x->op == OP_SIZE && s->of[p][x->dimension] >= 0) return whole_size(t, s->of[p][x->dimension]);
  if (x->op == OP_SIZE) return kids_of_part(t, x);
  Tree **kids = arena_many(t->a, Tree *, x->nkids);
  kids[0] = tree_ref(t->a, t->params[p]);
  for (int i = 1; i < x->nkids; i++) {
    const int loop = s->of[p][i - 1];
    kids[i] = loop >= 0 ? tree_ref(t->a, (Symbol *)s->loop[loop].index) : of_part(t, x->kid[i]);
  }
  return tree_with_kids(t->a, x, kids, x->nkids);
}

/* ---- codelets ---- */

/* A codelet to be divided, and which loop's cut each dimension of its parameters gets; or WHOLE. */
typedef struct Divided { Codelet *codelet; int of[MOST_OPERANDS][MOST_RANK]; } Divided;

/* Sizes are those of the first parameter that is cut so, and what was said of those that are not cut. */
static void say_sizes(const Divided *x) {
  const Codelet *k = x->codelet;
  for (int p = 0; p < k->nparams; p++)
    for (int d = 0; d < k->params[p]->rank; d++) {
      ShapeRule *r = &k->params[p]->shape[d], like = {.said = false};
      bool keeps = x->of[p][d] < 0;
      for (int n = 0; n < SHAPE_SIZES && r->of[n]; n++) keeps &= x->of[divide_place(k, r->of[n])][r->dim[n]] < 0;
      for (int other = 0; other < p && x->of[p][d] >= 0 && !like.said; other++)
        for (int e = 0; e < k->params[other]->rank && !like.said; e++)
          if (x->of[other][e] == x->of[p][d])
            like = (ShapeRule){.said = true, .times = 1, .of = {k->params[other]}, .dim = {e}};
      if (!keeps) *r = like;
    }
}

/* The text of a part: positions, then what the codelet has, then numbers, as sizes are said by earlier parameters. */
static bool find_part(Text *t, Spectrum *s, Divided *part) {
  const Stores *x = t->stores;
  const Codelet *c = x->codelet;
  Codelet *k = part->codelet = divide_codelet(t->a, c, s, "serial");
  t->params = k->params;
  k->body = tree_clone(t->a, of_part(t, c->body));
  k->params = arena_many(t->a, Symbol *, c->nparams + 2 * MOST_RANK);
  k->nparams = 0;
  int all = c->nparams;
  for (int i = 0; i < x->own; i++) all += (t->position[i] != NULL) + (t->size[i] != NULL);
  if (all > MOST_OPERANDS) return false;
  memset(part->of, WHOLE, sizeof part->of);
  for (int i = 0; i < x->own; i++)
    if (t->position[i]) part->of[k->nparams][0] = i, k->params[k->nparams++] = t->position[i];
  for (int i = 0; i < c->nparams; i++) {
    memcpy(part->of[k->nparams], x->of[i], sizeof x->of[i]);
    k->params[k->nparams++] = t->params[i];
  }
  for (int i = 0; i < x->own; i++)
    if (t->size[i]) k->params[k->nparams++] = t->size[i];
  say_sizes(part);
  return true;
}

/* Is what the codelet says of sizes true of parts? */
static bool parts_fit(const Codelet *c, const int (*of)[MOST_RANK]) {
  for (int p = 0; p < c->nparams; p++)
    for (int d = 0; d < c->params[p]->rank; d++) {
      const ShapeRule *r = &c->params[p]->shape[d];
      const Symbol *same = shape_same(r);
      if (of[p][d] >= 0 && r->said && (!same || of[divide_place(c, same)][r->dim[0]] != of[p][d])) return false;
      for (int n = 0; n < SHAPE_SIZES && of[p][d] < 0; n++)
        if (r->of[n] && of[divide_place(c, r->of[n])][r->dim[n]] >= 0) return false;
    }
  return true;
}

/* Is a part the same codelet? */
static bool is_plain(const Text *t) {
  for (int i = 0; i < t->stores->own; i++)
    if (t->position[i] || t->size[i]) return false;
  return parts_fit(t->stores->codelet, t->stores->of);
}

/* A map over parts. */
static void add_cut(Arena *a, const Stores *x, const Divided *part, Spectrum *s, bool strided) {
  static const char *const names[] = {"p", "q", "r", "s"};
  Codelet *k = divide_codelet(a, part->codelet, s, divide_tag(a, s, strided ? "strided" : "tiled"));
  Symbol *of_loop[MOST_RANK], *cut[MOST_RANK], *to = NULL;
  Tree *arguments[MOST_OPERANDS];
  DivideStatements all = {0};
  int at = 0;
  for (int p = 0; p < k->nparams; p++)
    if (k->params[p]->writable) to = k->params[at = p];
  for (int i = 0; i < x->own; i++) {
    int d = 0;
    while (part->of[at][d] != i) d++;
    const char *const both[] = {names[i], x->loop[i].index->name};
    of_loop[i] = divide_cut(a, &all, both, divide_size(a, to, d), strided);
  }
  for (int p = 0; p < k->nparams; p++) {
    const int *of = part->of[p];
    for (int d = 0; d < k->params[p]->rank; d++) cut[d] = of[d] >= 0 ? of_loop[of[d]] : NULL;
    arguments[p] = k->params[p]->rank ? divide_container(a, k->params[p], cut) : tree_ref(a, k->params[p]);
  }
  divide_map(a, &all, s, arguments, k->nparams);
  k->body = tree_seq(a, all.at, all.n);
  k->body->where = x->codelet->body->where;
  divide_add(a, s, k);
}

/* The spectrum of parts, applied to all of it. */
static void add_whole(const Text *t, Spectrum *s, Spectrum *parts) {
  const Stores *x = t->stores;
  Arena *a = t->a;
  Codelet *k = divide_codelet(a, x->codelet, s, divide_tag(a, s, "parts"));
  const int at = divide_place(x->codelet, x->to);
  Tree *call = tree_new(a, OP_CALL, TYPE_VOID, k->where, parts->codelets[0]->nparams), *size[MOST_RANK] = {NULL};
  call->spectrum = parts;
  for (int d = 0; d < x->to->rank; d++) size[x->of[at][d]] = divide_size(a, k->params[at], d);
  int n = 0;
  for (int i = 0; i < x->own; i++)
    if (t->position[i])
      call->kid[n++] = tree_binary(a, OP_IOTA, TYPE_INDEX, tree_int(a, TYPE_INDEX, 0), tree_clone(a, size[i]));
  for (int i = 0; i < k->nparams; i++) call->kid[n++] = tree_ref(a, k->params[i]);
  for (int i = 0; i < x->own; i++)
    if (t->size[i]) call->kid[n++] = size[i];
  Tree *run = tree_unary(a, OP_RUN, TYPE_VOID, call);
  run->where = k->where;
  k->body = tree_seq(a, &run, 1);
  k->body->where = x->codelet->body->where;
  divide_add(a, s, k);
}

static void divide(Arena *a, Unit *u, Spectrum *s, const Stores *x) {
  Text text = {.a = a, .stores = x};
  Divided part = {NULL};
  Spectrum of = *s;
  if (!find_part(&text, &of, &part)) return;
  Spectrum *parts = s;
  if (is_plain(&text)) {
    part.codelet = s->codelets[0];
    memcpy(part.of, x->of, sizeof part.of);
  } else {
    parts = part.codelet->spectrum = divide_spectrum(a, u, s, "at");
    divide_add(a, parts, part.codelet);
  }
  for (int strided = 0; strided < 2; strided++) add_cut(a, x, &part, parts, strided);
  if (parts != s) add_whole(&text, s, parts);
}

/* ---- spectra ---- */

void stores_divide(Arena *a, Unit *u) {
  const int n = u->nspectra;
  for (int i = 0; i < n; i++) {
    Spectrum *s = u->spectra[i];
    Stores x;
    if (s->ncodelets == 1 && find_stores(s->codelets[0], &x) && !divide_is_mapped(u, s)) divide(a, u, s, &x);
  }
}
