/* flat.c: matrices that a text keeps in containers of one dimension,
 *
 *     for (i = 0; i < n; ++i)
 *       for (j = 0; j < m; ++j) b[i * m + j] = a[i * m + j] * w[j];
 *
 * as matrices:
 *
 *     Array<2, T> a2(n, m) in a, b2(n, m) in b;         containers that lie where the parameters do
 *     f_matrix(a2, b2, w);                              for (i ..) for (j ..) b2(i, j) = a2(i, j) * w[j];
 *
 * so that whatever divides loops over matrices divides these. A container is one where each of its elements is
 * i * m + j of one and the same m, a number or a size that nothing changes, and j is known to be from 0 on, below m:
 * then no element has two names. It has as many rows as the loops over i say, or as there are in the container. */
#include "front/flat.h"

#include <string.h>

#include "front/divide.h"
#include "front/loop_sums.h"
#include "front/loops.h"
#include "ir/build.h"

enum { MOST_AROUND = 16 };

/* A loop around what is looked at. */
typedef struct Around { const Symbol *index; const Tree *begin, *end; } Around;

/* Of a parameter: how long its rows are; how many there are, of a loop's end, where all say the same. It is strange
 * where it is stored by products that are no rows. */
typedef struct Matrix { bool is, seen, strange; Tree *columns, *rows; } Matrix;

typedef struct Flat {
  Arena *a;
  const Codelet *codelet;
  const Tree *body;
  Matrix of[MOST_OPERANDS];
  Around around[MOST_AROUND];
  int depth;
  Symbol *copies[MOST_OPERANDS];        /* the new spectrum's parameters, by the codelet's; NULL: it has none */
  Tree *extents[MOST_OPERANDS][MOST_RANK]; /* .. and their sizes, of the caller's numbers */
} Flat;

static Tree *as_type(Arena *a, Type type, Tree *t) { return t->type == type ? t : build_cast(a, type, t); }

/* ---- numbers that nothing changes ---- */

static const Tree *fixed(const Flat *x, const Tree *t);

/* How many elements the container has, by the first that is declared to have as many, or by a number. */
static const Tree *one_size(Arena *a, const Symbol *s) {
  int dim = 0;
  shape_first(&s, &dim);
  return s->rank ? divide_size(a, (Symbol *)s, 0) : tree_ref(a, (Symbol *)s);
}

/* Does the condition say that this number is 0? */
static bool says_none(const Flat *x, const Tree *test, const Tree *number) {
  int64_t with;
  if (test->op != OP_EQ && test->op != OP_LE && test->op != OP_LT) return false;
  return tree_constant(test->kid[1], &with) && with == (test->op == OP_LT) &&
         tree_equal(fixed(x, test->kid[0]), fixed(x, number));
}

/* `m == 0 ? 0 : a.Size() / m': rows, as many as there are. */
static const Tree *rows_guarded(const Flat *x, const Tree *t) {
  int64_t none;
  const Tree *rows = t->op == OP_COND && tree_constant(t->kid[1], &none) && none == 0 ? tree_uncast(t->kid[2]) : NULL;
  return rows && rows->op == OP_DIV && says_none(x, t->kid[0], rows->kid[1]) ? rows : NULL;
}

/* A number of the caller's, a size, or what a variable was declared to be of these. */
static const Tree *fixed(const Flat *x, const Tree *t) {
  t = tree_uncast(t);
  const Tree *rows = rows_guarded(x, t);
  if (rows) return rows;
  if (t->op == OP_SIZE && t->kid[0]->op == OP_REF && t->kid[0]->symbol->rank == 1)
    return one_size(x->a, t->kid[0]->symbol);
  if (t->op != OP_REF || t->symbol->kind != SYMBOL_LOCAL) return t;
  const Tree *is = tree_assigns(x->body, t->symbol) ? NULL : tree_declared(x->body, t->symbol);
  return is ? fixed(x, is) : t;
}

static bool is_number(const Flat *x, const Tree *t) {
  if (t->op == OP_DIV) {
    const Tree *size = fixed(x, t->kid[0]), *by = fixed(x, t->kid[1]);
    return size->op == OP_SIZE && is_number(x, size) && by->op != OP_DIV && is_number(x, by);
  }
  if (t->op == OP_SIZE) return t->kid[0]->op == OP_REF && divide_place(x->codelet, t->kid[0]->symbol) >= 0;
  const int p = t->op == OP_REF ? divide_place(x->codelet, t->symbol) : -1;
  int64_t number;
  if (tree_constant(t, &number)) return number > 1;
  return p >= 0 && !x->codelet->params[p]->rank && !x->codelet->params[p]->writable && type_is_whole(t->symbol->type);
}

/* ---- how far an index goes ---- */

/* of + plus, where `of' may be NULL. */
typedef struct Bound { bool known; const Tree *of; int64_t plus; } Bound;

static Bound sum(Bound x, Bound y, int sign) {
  if (!x.known || !y.known || (x.of && y.of) || (y.of && sign < 0)) return (Bound){.known = false};
  return (Bound){true, x.of ? x.of : y.of, x.plus + sign * y.plus};
}

/* The expression's greatest value, or its least. */
static Bound bound(const Flat *x, const Tree *t, bool greatest) {
  int64_t number;
  t = tree_uncast(t);
  if (tree_constant(t, &number)) return (Bound){true, NULL, number};
  if (t->op == OP_ADD || t->op == OP_SUB) {
    const bool less = t->op == OP_SUB;
    return sum(bound(x, t->kid[0], greatest), bound(x, t->kid[1], greatest != less), less ? -1 : 1);
  }
  for (int i = x->depth - 1; i >= 0 && t->op == OP_REF; i--) {
    if (x->around[i].index != t->symbol) continue;
    Bound b = bound(x, greatest ? x->around[i].end : x->around[i].begin, greatest);
    b.plus -= greatest;
    return b;
  }
  const Tree *is = fixed(x, t);
  if (!tree_equal(is, t)) return bound(x, is, greatest);
  return (Bound){is_number(x, is), is, 0};
}

static bool is_within(const Flat *x, const Tree *column, const Tree *columns) {
  const Bound least = bound(x, column, false), most = bound(x, column, true), all = bound(x, columns, true);
  if (!least.known || least.of || least.plus < 0 || !most.known || !all.known) return false;
  return most.plus < all.plus && (most.of ? all.of && tree_equal(most.of, all.of) : !all.of);
}

/* ---- i * m + j ---- */

/* The terms of a sum, but for that product. */
static Tree *rest(Arena *a, const Tree *t, const Tree *product) {
  t = tree_uncast(t);
  if (t == product) return NULL;
  if ((t->op != OP_ADD && t->op != OP_SUB) || !tree_holds(t, product)) return tree_clone(a, t);
  Tree *left = rest(a, t->kid[0], product), *right = rest(a, t->kid[1], product);
  if (!right) return left;
  if (!left) left = build_index(a, 0);
  return t->op == OP_ADD ? build_add(a, as_type(a, TYPE_INDEX, left), as_type(a, TYPE_INDEX, right))
                         : build_sub(a, as_type(a, TYPE_INDEX, left), as_type(a, TYPE_INDEX, right));
}

/* The first product by a number, in a sum, not behind a minus. */
static const Tree *product_in(const Flat *x, const Tree *t, int *side) {
  t = tree_uncast(t);
  if (t->op == OP_MUL)
    for (int k = 1; k >= 0; k--)
      if (is_number(x, fixed(x, t->kid[k]))) return *side = k, t;
  if (t->op != OP_ADD && t->op != OP_SUB) return NULL;
  const Tree *left = product_in(x, t->kid[0], side);
  return left || t->op == OP_SUB ? left : product_in(x, t->kid[1], side);
}

typedef struct Place { Tree *row, *column; const Tree *columns; } Place;

static bool is_place(const Flat *x, const Tree *index, Place *to) {
  int side = 0;
  const Tree *product = product_in(x, index, &side);
  if (!product) return false;
  Tree *column = rest(x->a, index, product);
  *to = (Place){tree_clone(x->a, product->kid[1 - side]), column ? column : build_index(x->a, 0),
                fixed(x, product->kid[side])};
  int64_t number;
  /* every so many elements: interleaved.c */
  const bool interleaved = tree_constant(to->columns, &number) && tree_constant(to->column, &number);
  return !interleaved && is_within(x, to->column, to->columns);
}

/* As many rows as the loop over them says: n where it goes up to n. */
static const Tree *rows_of(const Flat *x, const Tree *row) {
  row = tree_uncast(row);
  for (int i = x->depth - 1; i >= 0 && row->op == OP_REF; i--)
    if (x->around[i].index == row->symbol) {
      const Tree *end = fixed(x, x->around[i].end);
      return is_number(x, end) ? end : NULL;
    }
  return NULL;
}

/* ---- what the text does with its containers ---- */

static void note_element(Flat *x, const Tree *t, int p) {
  Matrix *m = &x->of[p];
  Place at;
  const bool is = t->nkids == 2 && is_place(x, t->kid[1], &at) &&
                  (!m->seen || (m->is && tree_equal(m->columns, at.columns)));
  const Tree *rows = is ? rows_of(x, at.row) : NULL;
  if (is && m->seen && (!rows || !m->rows || !tree_equal(rows, m->rows))) rows = NULL;
  m->rows = (Tree *)rows;
  m->columns = is ? (Tree *)at.columns : NULL;
  m->is = is;
  m->seen = true;
  m->strange |= !is && x->codelet->params[p]->writable && t->nkids == 2 && tree_contains(t->kid[1], OP_MUL);
}

static bool find_elements(void *context, const Tree *t) {
  Flat *x = context;
  LoopHead head;
  if (t->op == OP_FOR && loops_head(x->a, t, &head) && x->depth < MOST_AROUND) {
    const bool up = head.step > 0;
    Tree *one = build_index(x->a, 1), *first = (Tree *)head.begin, *end = (Tree *)head.end;
    if (!up) first = build_add(x->a, (Tree *)head.end, one), end = build_add(x->a, (Tree *)head.begin, one);
    x->around[x->depth++] = (Around){head.index, first, end};
    tree_visit(t->kid[3], find_elements, x);
    x->depth--;
    return false;
  }
  if (t->op == OP_INDEX && t->kid[0]->op == OP_REF) {
    const int p = divide_place(x->codelet, t->kid[0]->symbol);
    if (p >= 0) note_element(x, t, p);
    for (int i = 1; i < t->nkids; i++) tree_visit(t->kid[i], find_elements, x);
    return false;
  }
  return t->op != OP_SIZE;
}

/* a.Size(), in a loop's end or elsewhere: but for a.Size() / m, the rows, it has no other name. */
typedef struct Sizes { Flat *flat; } Sizes;

static Tree *rows_by_size(void *context, Arena *a, Tree *t) {
  const Flat *x = ((Sizes *)context)->flat;
  const Tree *guarded = t->op == OP_COND ? tree_uncast(t->kid[2]) : NULL;
  if (guarded && guarded->op == OP_SIZE && guarded->kid[0]->op == OP_REF)
    for (int p = 0; p < x->codelet->nparams; p++)
      if (guarded->kid[0]->symbol == x->copies[p] && x->of[p].is && says_none(x, t->kid[0], x->of[p].columns))
        return as_type(a, t->type, divide_size(a, x->copies[p], 0));
  const Tree *size = t->op == OP_DIV ? fixed(x, t->kid[0]) : NULL;
  if (!size || size->op != OP_SIZE || size->kid[0]->op != OP_REF) return t;
  const int p = divide_place(x->codelet, size->kid[0]->symbol);
  if (p < 0 || !x->of[p].is || !x->copies[p] || !tree_equal(fixed(x, t->kid[1]), x->of[p].columns)) return t;
  return as_type(a, t->type, divide_size(a, x->copies[p], 0));
}

/* ---- the spectrum over matrices ---- */

/* As many rows of that length; none, where they have no element. */
static Tree *divided(Arena *a, Tree *size, const Tree *by) {
  int64_t number;
  Tree *many = as_type(a, TYPE_INDEX, tree_clone(a, by)), *none = build_index(a, 0);
  Tree *rows = tree_binary(a, OP_DIV, TYPE_INDEX, as_type(a, TYPE_INDEX, size), many);
  if (tree_constant(by, &number)) return rows;
  return build_choice(a, build_compare(a, OP_GT, tree_clone(a, many), none), rows, none);
}

/* A size by the caller's numbers. */
static Tree *extent(const Flat *x, const Tree *t) {
  if (t->op == OP_DIV) return divided(x->a, tree_clone(x->a, fixed(x, t->kid[0])), fixed(x, t->kid[1]));
  return as_type(x->a, TYPE_INDEX, tree_clone(x->a, t));
}

static void find_extents(Flat *x) {
  const Codelet *c = x->codelet;
  Arena *a = x->a;
  for (int p = 0; p < c->nparams; p++) {
    const Symbol *s = c->params[p];
    const Matrix *m = &x->of[p];
    if (!s->rank) continue;
    Tree *all = tree_clone(a, one_size(a, s));
    x->extents[p][0] = !m->is ? all : m->rows ? extent(x, m->rows) : divided(a, all, m->columns);
    if (!m->is) continue;
    x->extents[p][1] = extent(x, m->columns);
  }
}

/* A size is declared to be the first one that is the same. */
static ShapeRule same_as(const Flat *x, int p, int d) {
  for (int q = 0; q <= p; q++)
    for (int e = 0; e < x->codelet->params[q]->rank + x->of[q].is && (q < p || e < d); e++)
      if (x->copies[q] && tree_equal(tree_uncast(x->extents[q][e]), tree_uncast(x->extents[p][d])))
        return (ShapeRule){.said = true, .times = 1, .of = {x->copies[q]}, .dim = {e}};
  return (ShapeRule){.said = false};
}

static void add_parameters(Flat *x, Codelet *k) {
  const Codelet *c = x->codelet;
  k->params = arena_many(x->a, Symbol *, MOST_OPERANDS);
  k->nparams = 0;
  for (int p = 0; p < c->nparams; p++) {
    Symbol *s = arena_one(x->a, Symbol);
    *s = *c->params[p];
    memset(s->shape, 0, sizeof s->shape);
    if (x->of[p].is) s->rank = 2;
    x->copies[p] = k->params[k->nparams++] = s;
  }
  for (int p = 0; p < c->nparams; p++)
    for (int d = 0; d < x->copies[p]->rank; d++) {
      ShapeRule r = same_as(x, p, d);
      if (r.said && r.of[0] == x->copies[p]) r.said = false; /* a square says nothing */
      x->copies[p]->shape[d] = r;
    }
}

/* An element of a matrix, by its row and its column. */
static Tree *by_rows(void *context, Arena *a, Tree *t) {
  const Flat *x = context;
  const int p = t->op == OP_INDEX && t->kid[0]->op == OP_REF ? divide_place(x->codelet, t->kid[0]->symbol) : -1;
  int side = 0;
  const Tree *product = p >= 0 && x->of[p].is ? product_in(x, t->kid[1], &side) : NULL;
  if (!product) return t;
  Tree *column = rest(a, t->kid[1], product), *made = tree_new(a, OP_INDEX, t->type, t->where, 3);
  made->kid[0] = t->kid[0];
  made->kid[1] = as_type(a, TYPE_INDEX, product->kid[1 - side]);
  made->kid[2] = column ? as_type(a, TYPE_INDEX, column) : build_index(a, 0);
  return made;
}

static Tree *renamed(void *context, Arena *a, Tree *t) {
  const Flat *x = context;
  const int p = t->op == OP_REF ? divide_place(x->codelet, t->symbol) : -1;
  return p >= 0 && x->codelet->params[p]->rank ? tree_ref(a, x->copies[p]) : t;
}

/* What is a size of a matrix is said so, `n' and `w.Size()' alike. */
static Tree *by_sizes(void *context, Arena *a, Tree *t) {
  const Flat *x = context;
  const Codelet *c = x->codelet;
  if (t->op == OP_CAST && t->kid[0]->type == t->type) return t->kid[0];
  const int number = t->op == OP_REF ? divide_place(c, t->symbol) : -1;
  if (number < 0 || c->params[number]->rank) return t;
  for (int p = 0; p < c->nparams; p++)
    for (int d = 0; d < 2 && x->of[p].is; d++)
      if (tree_equal(tree_uncast(x->extents[p][d]), t))
        return as_type(a, t->type, divide_size(a, x->copies[p], d));
  return tree_ref(a, x->copies[number]);
}

typedef struct Uses { const Flat *flat; bool size; } Uses;

static bool find_size(void *context, const Tree *t) {
  Uses *u = context;
  const bool extent = (t->op == OP_SIZE || t->op == OP_STRIDE) && t->kid[0]->op == OP_REF;
  const int p = extent ? divide_place(u->flat->codelet, t->kid[0]->symbol) : -1;
  u->size |= p >= 0 && u->flat->of[p].is;
  return !u->size;
}

/* The codelet's loops over matrices; NULL: their text says how many elements a container has. */
static Codelet *matrices(Flat *x, Unit *u) {
  Arena *a = x->a;
  const Codelet *c = x->codelet;
  Spectrum made = *c->spectrum;
  Codelet *k = divide_codelet(a, c, &made, "serial");
  add_parameters(x, k);
  Sizes sizes = {x};
  Tree *body = tree_rewrite(a, tree_rewrite(a, (Tree *)x->body, by_rows, x), rows_by_size, &sizes);
  Uses uses = {x, false};
  tree_visit(body, find_size, &uses);
  if (uses.size) return NULL;
  k->body = tree_clone(a, tree_rewrite(a, tree_rewrite(a, body, renamed, x), by_sizes, x));
  int n = 0;
  for (int i = 0; i < k->nparams; i++)
    if (k->params[i]->rank || tree_mentions(k->body, k->params[i])) k->params[n++] = k->params[i];
    else x->copies[i] = NULL;
  k->nparams = n;
  k->spectrum = divide_spectrum(a, u, c->spectrum, "matrix");
  k->spectrum->result = c->spectrum->result;
  divide_add(a, k->spectrum, k);
  return k;
}

/* ---- the codelet that applies it ---- */

static Tree *argument(Flat *x, const Codelet *k, int p, DivideStatements *to) {
  Arena *a = x->a;
  Symbol *of = k->params[p];
  if (!x->of[p].is) return tree_ref(a, of);
  Symbol *s = symbol_new(a, SYMBOL_LOCAL, arena_printf(a, "%s_rows", of->name), of->type);
  s->declared = of->declared;
  s->rank = 2;
  s->writable = of->writable;
  s->where = of->where;
  s->within = of;
  s->length = tree_new(a, OP_EXTENTS, TYPE_INDEX, of->where, 2);
  for (int d = 0; d < 2; d++) {
    Tree *t = tree_clone(a, x->extents[p][d]);
    for (int q = 0; q < k->nparams; q++) t = build_with(a, t, x->codelet->params[q], tree_ref(a, k->params[q]));
    s->length->kid[d] = t;
  }
  vec_push(a, to, build_declare(a, s, NULL));
  return tree_ref(a, s);
}

static void add_codelet(Flat *x, Spectrum *s, const Spectrum *matrix) {
  Arena *a = x->a;
  Codelet *k = divide_codelet(a, x->codelet, s, divide_tag(a, s, "matrices"));
  DivideStatements all = {0};
  Tree *call = tree_new(a, OP_CALL, s->result, x->body->where, MOST_OPERANDS);
  call->spectrum = (Spectrum *)matrix;
  call->nkids = 0;
  for (int p = 0; p < k->nparams; p++)
    if (x->copies[p]) call->kid[call->nkids++] = argument(x, k, p, &all);
  Tree *last = tree_unary(a, s->result == TYPE_VOID ? OP_RUN : OP_RETURN, TYPE_VOID, call);
  last->where = x->codelet->where;
  vec_push(a, &all, last);
  k->body = tree_seq(a, all.at, all.n);
  k->body->where = x->codelet->body->where;
  divide_add(a, s, k);
}

static bool can_be(const Codelet *c) {
  bool any = false;
  for (int i = 0; i < c->nparams; i++) {
    const Symbol *s = c->params[i];
    if (s->atomic || s->counter || s->rank > 1) return false;
    any |= s->rank == 1;
  }
  return any && c->body && c->body->op == OP_SEQ && !c->nenv && !c->matrix && !c->native && !c->elements &&
         !c->coop_declared && !c->tunables.n && !c->spectrum->operators && !c->spectrum->monoid &&
         c->spectrum->result < TYPE_STRUCT;
}

static bool find_lanes(void *context, const Tree *t) {
  bool *any = context;
  *any |= t->op != OP_RETURN && divide_never(t);
  return !*any;
}

void flat_divide(Arena *a, Unit *u) {
  const int n = u->nspectra;
  for (int i = 0; i < n; i++) {
    Spectrum *s = u->spectra[i];
    bool lanes = false, any = false;
    if (s->ncodelets != 1 || !can_be(s->codelets[0]) || divide_is_left(u, s)) continue;
    tree_visit(s->codelets[0]->body, find_lanes, &lanes);
    if (lanes) continue;
    Flat *x = arena_one(a, Flat);
    *x = (Flat){.a = a, .codelet = s->codelets[0], .body = loops_sized(a, s->codelets[0])};
    tree_visit(x->body, find_elements, x);
    bool strange = false;
    for (int p = 0; p < x->codelet->nparams; p++) any |= x->of[p].is, strange |= x->of[p].strange;
    if (!any || strange) continue;
    find_extents(x);
    const Codelet *k = matrices(x, u);
    if (k) add_codelet(x, s, k->spectrum);
  }
}
