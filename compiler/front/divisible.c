/* divisible.c: loops that are divided among workers, in parts.
 *
 *     for (i ..) for (j ..) B(i, j) = max(A(2 * i, 2 * j), w[j]);
 *     for (i ..) for (j ..) G(i, j) += A(k, i) * A(k, j);
 *
 * A container is cut where each index is the same loop's variable, as B, w and G are, and its size is declared to be as
 * long as that loop; in other dimensions parts have all of it. Where the variable is used in any other way a part has
 * to know which of the whole's turns it has: what is cut then is a spectrum of its own, which gets positions, cut as
 * the loop is, and what is read:
 *
 *     void pool_at(i_at, j_at, A, w, B) { for (i ..) for (j ..) B(i, j) = max(A(2 * i_at[i], 2 * j_at[j]), w[j]); }
 *     void pool(A, w, B) { pool_at(iota(0, B.Size(0)), iota(0, B.Size(1)), A, w, B); }
 *
 * If nothing asks where a part lies, as in a transposition, the cuts are the spectrum's own codelets. A part's size is
 * not the whole's, which goes in as a number.
 *
 * Where a loop does not go through all of its dimension, `for (i = 1; i < n; i += 2) B[i] = ..', a part asks in each
 * turn whether the whole has it:
 *
 *     for (i = 0; i < B.Size(); ++i) if (i_at[i] >= 1 && i_at[i] < n && (i_at[i] - 1) % 2 == 0) B[i] = ..
 *
 * or, where no container has an element for each turn, positions are those that the loop counts through (turns.c):
 *
 *     for (i = 1; i + 1 < A.Size(); ++i) sum[0] += A[i + 1] - A[i];                     iota(1, A.Size() - 1 - 1)
 *
 * Which loops these are, who stores (stores.c) and who contributes (contributions.c) says. */
#include "front/divisible.h"

#include <string.h>

/* ---- indices ---- */

/* A variable, or one and a constant: which loop's, and the constant. */
int divisible_loop_shifted(const Divisible *x, const Tree *t, int64_t *shift) {
  *shift = 0;
  while (t->op == OP_CAST && t->type == TYPE_INDEX) t = t->kid[0];
  if ((t->op == OP_ADD || t->op == OP_SUB) && tree_constant(t->kid[1], shift)) {
    if (t->op == OP_SUB) *shift = -*shift;
    t = t->kid[0];
  }
  while (t->op == OP_CAST && t->type == TYPE_INDEX) t = t->kid[0];
  for (int i = 0; t->op == OP_REF && i < x->nloops; i++)
    if (x->loop[i].head.index == t->symbol) return i;
  return -1;
}

int divisible_loop(const Divisible *x, const Tree *index) {
  int64_t shift;
  const int i = divisible_loop_shifted(x, index, &shift);
  return i >= 0 && x->loop[i].shifted && x->loop[i].shift == shift ? i : -1;
}

/* Whose cut a dimension of a parameter gets; NO_DIMENSION: none. */
static int cut_of(const Divisible *x, int p, int d) {
  const int of = p >= 0 ? x->of[p][d] : NO_DIMENSION;
  return of >= 0 && x->dimension[of].cut ? of : NO_DIMENSION;
}

/* ---- the text of parts ---- */

typedef struct Text {
  Arena *a;
  const Divisible *whole;
  Symbol **params;             /* copies of the codelet's */
  Symbol *position[MOST_RANK]; /* by dimension: which of the whole's elements they are, .. */
  Symbol *size[MOST_RANK];     /* .. and how many the whole has; NULL: nothing asks */
} Text;

static const char *name_of(const Divisible *x, int dimension) {
  return x->loop[x->dimension[dimension].first].head.index->name;
}

/* A name that neither the codelet's parameters have, nor what is given to its parts. */
static const char *new_name(const Text *t, int dimension, const char *what) {
  const Codelet *c = t->whole->codelet;
  const char *name = arena_printf(t->a, "%s_%s", name_of(t->whole, dimension), what);
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

static Tree *of_part(Text *t, Tree *x);

/* What the loop's variable is in the whole. */
static Tree *position(Text *t, const Counting *l) {
  const int d = l->dimension;
  if (!t->position[d]) t->position[d] = given(t, d, "at", 1);
  Tree *at = tree_binary(t->a, OP_INDEX, TYPE_INDEX, tree_ref(t->a, t->position[d]),
                         tree_ref(t->a, (Symbol *)l->head.index));
  const Dimension *of = &t->whole->dimension[d];
  if (!of->of && !of->from) {
    at = tree_binary(t->a, OP_MUL, TYPE_INDEX, at, tree_int(t->a, TYPE_INDEX, l->head.step));
    return tree_binary(t->a, OP_ADD, TYPE_INDEX, of_part(t, l->head.begin), at);
  }
  return l->shift ? tree_binary(t->a, OP_SUB, TYPE_INDEX, at, tree_int(t->a, TYPE_INDEX, l->shift)) : at;
}

static Tree *whole_size(Text *t, int dimension) {
  if (!t->size[dimension]) t->size[dimension] = given(t, dimension, "size", 0);
  return tree_ref(t->a, t->size[dimension]);
}

/* As many turns as a part has of the dimension's container, or of another that is cut so; else as there are
 * positions. */
static Tree *length(Text *t, const Counting *l) {
  const Divisible *x = t->whole;
  const Codelet *c = x->codelet;
  const Dimension *d = &x->dimension[l->dimension];
  const int own = divide_place(c, d->of);
  if (d->of && cut_of(x, own, d->dim) == l->dimension) return divide_size(t->a, t->params[own], d->dim);
  for (int p = 0; p < c->nparams; p++)
    for (int k = 0; k < c->params[p]->rank; k++)
      if (cut_of(x, p, k) == l->dimension) return divide_size(t->a, t->params[p], k);
  position(t, l);
  return divide_size(t->a, t->position[l->dimension], 0);
}

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
  Symbol *index = (Symbol *)l->head.index;
  Tree *begin = tree_unary(a, OP_DECLARE, TYPE_VOID, tree_int(a, TYPE_INDEX, 0));
  begin->symbol = index;
  begin->where = x->kid[0]->where;
  Tree *below = tree_binary(a, OP_LT, TYPE_BOOL, tree_ref(a, index), length(t, l));
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
  const Divisible *s = t->whole;
  for (int i = 0; i < s->nloops; i++) {
    const Counting *l = &s->loop[i];
    if (l->dimension < 0 || !s->dimension[l->dimension].cut) continue;
    if (x == l->at) return part_of_loop(t, x, l);
    if (x->op == OP_REF && x->symbol == l->head.index) return position(t, l);
  }
  const Tree *of = x->op == OP_REF ? x : x->op == OP_SIZE || x->op == OP_INDEX ? x->kid[0] : NULL;
  const int p = of && of->op == OP_REF ? divide_place(s->codelet, of->symbol) : -1;
  if (p < 0) return kids_of_part(t, x);
  if (x->op == OP_REF) return tree_ref(t->a, t->params[p]);
  if (x->op == OP_SIZE && cut_of(s, p, x->dimension) >= 0) return whole_size(t, cut_of(s, p, x->dimension));
  if (x->op == OP_SIZE) return kids_of_part(t, x);
  Tree **kids = arena_many(t->a, Tree *, x->nkids);
  kids[0] = tree_ref(t->a, t->params[p]);
  for (int i = 1; i < x->nkids; i++)
    kids[i] = cut_of(s, p, i - 1) >= 0 ? tree_ref(t->a, (Symbol *)s->loop[divisible_loop(s, x->kid[i])].head.index)
                                       : of_part(t, x->kid[i]);
  return tree_with_kids(t->a, x, kids, x->nkids);
}

/* ---- the spectrum of parts ---- */

/* Positions, then what the codelet has, then numbers, as sizes are said by earlier parameters. */
static bool find_part(Text *t, Spectrum *s, DivisiblePart *part) {
  const Divisible *x = t->whole;
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
  part->before = k->nparams;
  for (int p = 0; p < c->nparams; p++) {
    for (int d = 0; d < c->params[p]->rank; d++) part->of[k->nparams][d] = cut_of(x, p, d);
    k->params[k->nparams++] = t->params[p];
  }
  for (int i = 0; i < x->ndimensions; i++)
    if (t->size[i]) k->params[k->nparams++] = t->size[i];
  divide_say_sizes(k, part->of);
  return true;
}

/* Is a part the same codelet? */
static bool is_plain(const Text *t, const int (*of)[MOST_RANK]) {
  for (int i = 0; i < t->whole->ndimensions; i++)
    if (t->position[i] || t->size[i]) return false;
  return divide_sizes_fit(t->whole->codelet, of);
}

static void end_codelet(Arena *a, const Codelet *whole, Codelet *k, Tree **statements, int n) {
  k->body = tree_seq(a, statements, n);
  k->body->where = whole->body->where;
  divide_add(a, k->spectrum, k);
}

typedef struct Renaming { const Codelet *from; Symbol **params; } Renaming;

static Tree *renamed(void *context, Arena *a, Tree *t) {
  const Renaming *r = context;
  const int p = t->op == OP_REF ? divide_place(r->from, t->symbol) : -1;
  return p >= 0 ? tree_ref(a, r->params[p]) : t;
}

/* How many elements the dimension has, or turns; and the first one's position. */
static Tree *size_of(Arena *a, const Dimension *d, Renaming *r) {
  if (d->of) return divide_size(a, r->params[divide_place(r->from, d->of)], d->dim);
  return tree_rewrite(a, tree_clone(a, d->turns), renamed, r);
}

static Tree *first_of(Arena *a, const Dimension *d, Renaming *r) {
  return d->from ? tree_rewrite(a, tree_clone(a, d->from), renamed, r) : tree_int(a, TYPE_INDEX, 0);
}

/* The spectrum of parts, applied to all of it. */
static void add_whole(const Text *t, Spectrum *s, Spectrum *parts) {
  const Divisible *x = t->whole;
  Arena *a = t->a;
  Codelet *k = divide_codelet(a, x->codelet, s, divide_tag(a, s, "parts"));
  Tree *call = tree_new(a, OP_CALL, TYPE_VOID, k->where, parts->codelets[0]->nparams);
  Renaming r = {x->codelet, k->params};
  call->spectrum = parts;
  int n = 0;
  for (int i = 0; i < x->ndimensions; i++)
    if (t->position[i])
      call->kid[n++] = tree_binary(a, OP_IOTA, TYPE_INDEX, first_of(a, &x->dimension[i], &r),
                                   size_of(a, &x->dimension[i], &r));
  for (int i = 0; i < k->nparams; i++) call->kid[n++] = tree_ref(a, k->params[i]);
  for (int i = 0; i < x->ndimensions; i++)
    if (t->size[i]) call->kid[n++] = size_of(a, &x->dimension[i], &r);
  Tree *run = tree_unary(a, OP_RUN, TYPE_VOID, call);
  run->where = k->where;
  end_codelet(a, x->codelet, k, &run, 1);
}

DivisiblePart divisible_part(Arena *a, Unit *u, const Divisible *x, const char *what) {
  Spectrum *s = x->codelet->spectrum, of = *s;
  Text text = {.a = a, .whole = x};
  DivisiblePart part = {x, NULL, {{0}}, 0}, plain = {x, s->codelets[0], {{0}}, 0};
  if (!find_part(&text, &of, &part)) return (DivisiblePart){x, NULL, {{0}}, 0};
  for (int p = 0; p < MOST_OPERANDS; p++)
    for (int d = 0; d < MOST_RANK; d++) {
      const bool has = p < x->codelet->nparams && d < x->codelet->params[p]->rank;
      plain.of[p][d] = has ? cut_of(x, p, d) : NO_DIMENSION;
    }
  if (is_plain(&text, (const int(*)[MOST_RANK])plain.of)) return plain;
  Spectrum *parts = part.codelet->spectrum = divide_spectrum(a, u, s, what);
  divide_add(a, parts, part.codelet);
  add_whole(&text, s, parts);
  return part;
}

/* ---- cuts ---- */

/* The name of a dimension's cut: a loop's variable, that no dimension before it has. */
static const char *cut_name(Arena *a, const Divisible *x, int dimension) {
  const char *name = name_of(x, dimension);
  for (int i = 0; i < dimension; i++)
    if (strcmp(cut_name(a, x, i), name) == 0) name = arena_printf(a, "%s_", name), i = -1;
  return name;
}

/* What has an element for each turn: the dimension's container, or another parameter that is cut so; NULL: none is. */
static Tree *size_of_cut(Arena *a, const DivisiblePart *x, const Codelet *k, int dimension) {
  const Dimension *d = &x->whole->dimension[dimension];
  const int own = x->before + divide_place(x->whole->codelet, d->of);
  if (d->of && x->of[own][d->dim] == dimension) return divide_size(a, k->params[own], d->dim);
  for (int p = 0; p < k->nparams; p++)
    for (int e = 0; e < k->params[p]->rank; e++)
      if (x->of[p][e] == dimension) return divide_size(a, k->params[p], e);
  return NULL;
}

void divisible_cut(Arena *a, const DivisiblePart *x, const Codelet *k, const bool *dimensions, bool strided,
                   DivideStatements *to, Tree **arguments) {
  static const char *const names[] = {"p", "q", "r", "s"};
  Symbol *of_dimension[MOST_RANK] = {NULL}, *cut[MOST_RANK];
  for (int i = 0; i < x->whole->ndimensions; i++) {
    const char *const both[] = {names[i], cut_name(a, x->whole, i)};
    Tree *size = dimensions && !dimensions[i] ? NULL : size_of_cut(a, x, k, i);
    if (size) of_dimension[i] = divide_cut(a, to, both, size, strided);
  }
  for (int p = 0; p < k->nparams; p++) {
    for (int d = 0; d < k->params[p]->rank; d++) cut[d] = x->of[p][d] >= 0 ? of_dimension[x->of[p][d]] : NULL;
    arguments[p] = k->params[p]->rank ? divide_container(a, k->params[p], cut) : tree_ref(a, k->params[p]);
  }
}

void divisible_add_cut(Arena *a, const DivisiblePart *x, const char *tag, const bool *dimensions, bool strided) {
  Spectrum *s = x->codelet->spectrum;
  Codelet *k = divide_codelet(a, x->codelet, s, divide_tag(a, s, tag));
  DivideStatements all = {0};
  Tree *arguments[MOST_OPERANDS];
  divisible_cut(a, x, k, dimensions, strided, &all, arguments);
  divide_map(a, &all, s, arguments, k->nparams);
  end_codelet(a, x->whole->codelet, k, all.at, all.n);
}
