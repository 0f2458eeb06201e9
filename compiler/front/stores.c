/* stores.c: loops that store each element of a container, of whatever they read,
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
 * Which loops are cut, independent.c says; all others, that carry values perhaps, stay loops of a part. Where a loop
 * does not go through all of its dimension, `for (i = 1; i < n; i += 2) B[i] = ..', a part asks in each turn whether
 * the whole has it:
 *
 *     for (i = 0; i < B.Size(); ++i) if (i_at[i] >= 1 && i_at[i] < n && (i_at[i] - 1) % 2 == 0) B[i] = .. */
#include "front/stores.h"

#include <string.h>

#include "front/divide.h"
#include "front/independent.h"

/* ---- the text of parts ---- */

typedef struct Text {
  Arena *a;
  const Independent *loops;
  Symbol **params;             /* copies of the codelet's */
  Symbol *position[MOST_RANK]; /* by dimension: which of the whole's elements they are, .. */
  Symbol *size[MOST_RANK];     /* .. and how many the whole has; NULL: nothing asks */
} Text;

static const char *name_of(const Independent *x, int dimension) {
  return x->loop[x->dimension[dimension].first].head.index->name;
}

/* A name that neither the codelet's parameters have, nor what is given to its parts. */
static const char *new_name(const Text *t, int dimension, const char *what) {
  const Codelet *c = t->loops->codelet;
  const char *name = arena_printf(t->a, "%s_%s", name_of(t->loops, dimension), what);
  for (bool taken = true; taken;) {
    taken = false;
    for (int i = 0; i < c->nparams; i++) taken |= strcmp(c->params[i]->name, name) == 0;
    for (int i = 0; i < MOST_RANK; i++) {
      taken |= t->position[i] && strcmp(t->position[i]->name, name) == 0;
      taken |= t->size[i] && strcmp(t->size[i]->name, name) == 0;
    }
    if (taken) name = arena_printf(t->a, "%s_", name);
  }
  return name;
}

static Symbol *given(Text *t, int dimension, const char *what, int rank) {
  Symbol *s = symbol_new(t->a, SYMBOL_PARAM, new_name(t, dimension, what), TYPE_INDEX);
  s->declared = TYPE_LONG;
  s->rank = rank;
  return s;
}

/* What the loop's variable is in the whole. */
static Tree *position(Text *t, const Counting *l) {
  const int d = l->dimension;
  if (!t->position[d]) t->position[d] = given(t, d, "at", 1);
  Tree *at = tree_binary(t->a, OP_INDEX, TYPE_INDEX, tree_ref(t->a, t->position[d]),
                         tree_ref(t->a, (Symbol *)l->head.index));
  return l->shift ? tree_binary(t->a, OP_SUB, TYPE_INDEX, at, tree_int(t->a, TYPE_INDEX, l->shift)) : at;
}

static Tree *whole_size(Text *t, int dimension) {
  if (!t->size[dimension]) t->size[dimension] = given(t, dimension, "size", 0);
  return tree_ref(t->a, t->size[dimension]);
}

static Tree *of_part(Text *t, Tree *x);

static Tree *kids_of_part(Text *t, const Tree *x) {
  Tree **kids = arena_many(t->a, Tree *, x->nkids);
  for (int i = 0; i < x->nkids; i++) kids[i] = x->kid[i] ? of_part(t, x->kid[i]) : NULL;
  return tree_with_kids(t->a, x, kids, x->nkids);
}

static Tree *both(Arena *a, Tree *x, Tree *y) { return x ? tree_binary(a, OP_LAND, TYPE_BOOL, x, y) : y; }

/* Does the whole's loop have that turn? NULL: it has all. */
static Tree *has_turn(Text *t, const Counting *l) {
  Arena *a = t->a;
  const LoopHead *h = &l->head;
  const bool up = h->step > 0;
  int64_t from;
  if (l->all) return NULL;
  Tree *has = NULL;
  if (l->shift || !up || !tree_constant(h->begin, &from) || from > 0)
    has = tree_binary(a, up ? OP_GE : OP_LE, TYPE_BOOL, position(t, l), of_part(t, h->begin));
  has = both(a, has, tree_binary(a, up ? OP_LT : OP_GT, TYPE_BOOL, position(t, l), of_part(t, h->end)));
  if (h->step == 1 || h->step == -1) return has;
  Tree *far = up ? tree_binary(a, OP_SUB, TYPE_INDEX, position(t, l), of_part(t, h->begin))
                 : tree_binary(a, OP_SUB, TYPE_INDEX, of_part(t, h->begin), position(t, l));
  Tree *rest = tree_binary(a, OP_REM, TYPE_INDEX, far, tree_int(a, TYPE_INDEX, up ? h->step : -h->step));
  return both(a, has, tree_binary(a, OP_EQ, TYPE_BOOL, rest, tree_int(a, TYPE_INDEX, 0)));
}

/* for (i = 0; i < size; i += 1), of what the part has of the dimension. */
static Tree *part_of_loop(Text *t, const Tree *x, const Counting *l) {
  Arena *a = t->a;
  const Dimension *d = &t->loops->dimension[l->dimension];
  Symbol *index = (Symbol *)l->head.index, *to = t->params[divide_place(t->loops->codelet, d->of)];
  Tree *begin = tree_unary(a, OP_DECLARE, TYPE_VOID, tree_int(a, TYPE_INDEX, 0));
  begin->symbol = index;
  begin->where = x->kid[0]->where;
  Tree *below = tree_binary(a, OP_LT, TYPE_BOOL, tree_ref(a, index), divide_size(a, to, d->dim));
  Tree *step = tree_binary(a, OP_ASSIGN, TYPE_VOID, tree_ref(a, index), tree_int(a, TYPE_INDEX, 1));
  step->compound = OP_ADD;
  Tree *has = has_turn(t, l), *body = of_part(t, x->kid[3]);
  if (has) {
    Tree *one = tree_binary(a, OP_IF, TYPE_VOID, has, body);
    one->where = x->where;
    body = tree_seq(a, &one, 1);
  }
  Tree *kids[] = {begin, below, step, body};
  return tree_with_kids(a, x, kids, 4);
}

static Tree *of_part(Text *t, Tree *x) {
  const Independent *s = t->loops;
  for (int i = 0; i < s->nloops; i++) {
    const Counting *l = &s->loop[i];
    if (l->dimension < 0) continue;
    if (x == l->at) return part_of_loop(t, x, l);
    if (x->op == OP_REF && x->symbol == l->head.index) return position(t, l);
  }
  const Tree *of = x->op == OP_REF ? x : x->op == OP_SIZE || x->op == OP_INDEX ? x->kid[0] : NULL;
  const int p = of && of->op == OP_REF ? divide_place(s->codelet, of->symbol) : -1;
  if (p < 0) return kids_of_part(t, x);
  if (x->op == OP_REF) return tree_ref(t->a, t->params[p]);
  if (x->op == OP_SIZE && s->of[p][x->dimension] >= 0) return whole_size(t, s->of[p][x->dimension]);
  if (x->op == OP_SIZE) return kids_of_part(t, x);
  Tree **kids = arena_many(t->a, Tree *, x->nkids);
  kids[0] = tree_ref(t->a, t->params[p]);
  for (int i = 1; i < x->nkids; i++)
    kids[i] = s->of[p][i - 1] >= 0
                ? tree_ref(t->a, (Symbol *)s->loop[independent_loop(s, x->kid[i])].head.index)
                : of_part(t, x->kid[i]);
  return tree_with_kids(t->a, x, kids, x->nkids);
}

/* ---- codelets ---- */

/* A codelet to be divided, and which dimension's cut each of its parameters gets; or
 * NO_DIMENSION. */
typedef struct Divided { Codelet *codelet; int of[MOST_OPERANDS][MOST_RANK]; } Divided;

/* The text of a part: positions, then what the codelet has, then numbers, as sizes are said by earlier parameters. */
static bool find_part(Text *t, Spectrum *s, Divided *part) {
  const Independent *x = t->loops;
  const Codelet *c = x->codelet;
  Codelet *k = part->codelet = divide_codelet(t->a, c, s, "serial");
  t->params = k->params;
  k->body = tree_clone(t->a, of_part(t, (Tree *)x->body));
  k->params = arena_many(t->a, Symbol *, c->nparams + 2 * MOST_RANK);
  k->nparams = 0;
  int all = c->nparams;
  for (int i = 0; i < x->ndimensions; i++) all += (t->position[i] != NULL) + (t->size[i] != NULL);
  if (all > MOST_OPERANDS) return false;
  memset(part->of, NO_DIMENSION, sizeof part->of);
  for (int i = 0; i < x->ndimensions; i++)
    if (t->position[i]) part->of[k->nparams][0] = i, k->params[k->nparams++] = t->position[i];
  for (int i = 0; i < c->nparams; i++) {
    memcpy(part->of[k->nparams], x->of[i], sizeof x->of[i]);
    k->params[k->nparams++] = t->params[i];
  }
  for (int i = 0; i < x->ndimensions; i++)
    if (t->size[i]) k->params[k->nparams++] = t->size[i];
  divide_say_sizes(k, part->of);
  return true;
}

/* Is a part the same codelet? */
static bool is_plain(const Text *t) {
  for (int i = 0; i < t->loops->ndimensions; i++)
    if (t->position[i] || t->size[i]) return false;
  return divide_sizes_fit(t->loops->codelet, t->loops->of);
}

/* The name of a dimension's cut: a loop's variable, that no dimension before it has. */
static const char *cut_name(Arena *a, const Independent *x, int dimension) {
  const char *name = name_of(x, dimension);
  for (int i = 0; i < dimension; i++)
    if (strcmp(cut_name(a, x, i), name) == 0) name = arena_printf(a, "%s_", name), i = -1;
  return name;
}

/* A map over parts. */
static void add_cut(Arena *a, const Independent *x, const Divided *part, Spectrum *s, bool strided) {
  static const char *const names[] = {"p", "q", "r", "s"};
  Codelet *k = divide_codelet(a, part->codelet, s, divide_tag(a, s, strided ? "strided" : "tiled"));
  Symbol *of_dimension[MOST_RANK], *cut[MOST_RANK];
  Tree *arguments[MOST_OPERANDS];
  DivideStatements all = {0};
  int at = 0;
  while (!k->params[at]->writable) at++; /* has all dimensions */
  for (int i = 0; i < x->ndimensions; i++) {
    int d = 0;
    while (part->of[at][d] != i) d++;
    const char *const both[] = {names[i], cut_name(a, x, i)};
    of_dimension[i] = divide_cut(a, &all, both, divide_size(a, k->params[at], d), strided);
  }
  for (int p = 0; p < k->nparams; p++) {
    const int *of = part->of[p];
    for (int d = 0; d < k->params[p]->rank; d++) cut[d] = of[d] >= 0 ? of_dimension[of[d]] : NULL;
    arguments[p] = k->params[p]->rank ? divide_container(a, k->params[p], cut) : tree_ref(a, k->params[p]);
  }
  divide_map(a, &all, s, arguments, k->nparams);
  k->body = tree_seq(a, all.at, all.n);
  k->body->where = x->codelet->body->where;
  divide_add(a, s, k);
}

/* The spectrum of parts, applied to all of it. */
static void add_whole(const Text *t, Spectrum *s, Spectrum *parts) {
  const Independent *x = t->loops;
  Arena *a = t->a;
  Codelet *k = divide_codelet(a, x->codelet, s, divide_tag(a, s, "parts"));
  Tree *call = tree_new(a, OP_CALL, TYPE_VOID, k->where, parts->codelets[0]->nparams), *size[MOST_RANK];
  call->spectrum = parts;
  for (int i = 0; i < x->ndimensions; i++)
    size[i] = divide_size(a, k->params[divide_place(x->codelet, x->dimension[i].of)], x->dimension[i].dim);
  int n = 0;
  for (int i = 0; i < x->ndimensions; i++)
    if (t->position[i])
      call->kid[n++] = tree_binary(a, OP_IOTA, TYPE_INDEX, tree_int(a, TYPE_INDEX, 0), tree_clone(a, size[i]));
  for (int i = 0; i < k->nparams; i++) call->kid[n++] = tree_ref(a, k->params[i]);
  for (int i = 0; i < x->ndimensions; i++)
    if (t->size[i]) call->kid[n++] = size[i];
  Tree *run = tree_unary(a, OP_RUN, TYPE_VOID, call);
  run->where = k->where;
  k->body = tree_seq(a, &run, 1);
  k->body->where = x->codelet->body->where;
  divide_add(a, s, k);
}

static void divide(Arena *a, Unit *u, Spectrum *s, const Independent *x) {
  Text text = {.a = a, .loops = x};
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

void stores_divide(Arena *a, Unit *u, Diagnostics *d) {
  const int n = u->nspectra;
  for (int i = 0; i < n; i++) {
    Spectrum *s = u->spectra[i];
    Independent x;
    if (s->ncodelets != 1 || divide_is_shared_out(u, s)) continue;
    if (independent_find(a, s->codelets[0], &x)) divide(a, u, s, &x);
    else if (x.why && !divide_is_applied(u, s))
      diagnostics_remark(d, REMARK_MISSED, "loops", x.where->where.file ? x.where->where : s->codelets[0]->where,
                         "one lane does all of it: %s", x.why);
  }
}
