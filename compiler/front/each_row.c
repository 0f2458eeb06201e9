/* each_row.c: a loop over rows whose inner loops several lanes can go through together.
 *
 *   for (i ..) {                                        T loss_row(row, label) {
 *     T top = lowest<T>();                                T top = lowest<T>();
 *     for (j ..) top = max(top, A(i, j));                 for (j ..) top = max(top, row[j]);
 *     T total = 0;                                        T total = 0;
 *     for (j ..) total += exp(A(i, j) - top);             for (j ..) total += exp(row[j] - top);
 *     y[i] = top + log(total) - A(i, label[i]);           return top + log(total) - row[label];
 *   }                                                   }
 *                                                       Map m(loss_row<T>, rows(A), elements(label));
 *                                                       m.to(y);
 *
 * What is no line of a matrix, `A(b, i, i)', all rows have, and each its number: elements(iota(0, y.Size())).
 *
 * A lane that has a row of its own reads it element by element, and its neighbours read others: so few rows, or long
 * ones, are read at a tenth of the memory's rate. Where all loops of a row add up by an operator that commutes, or
 * store elements that know nothing of one another, lanes of a vector or of a block have a row between them
 * (together.c). A row whose loop goes on from element to element is scanned (recurrences.c). All other loops are
 * stores.c's. */
#include "front/each_row.h"

#include "front/divide.h"
#include "front/independent.h"
#include "front/recurrences.h"
#include "front/together.h"
#include "ir/build.h"

/* What a row has of a parameter: its line, its element, that as a container of one, which it stores, or the same as all
 * rows. */
typedef enum RowHas { HAS_LINE, HAS_ELEMENT, HAS_ONE, HAS_ALL } RowHas;

typedef struct EachRow {
  Arena *a;
  const Codelet *codelet;
  const Tree *loop;          /* over the rows */
  const Symbol *index;
  const Tree *rows;          /* how many there are */
  RowHas has[MOST_OPERANDS]; /* by parameter */
  const Tree *last;          /* stores the row's result; NULL: there is none */
  Symbol *params[MOST_OPERANDS]; /* of the row's codelet, by parameter; NULL: the result */
  Symbol *at;                /* its number, where rows have that; NULL: they need not */
  bool ok;
} EachRow;

/* ---- are they such loops? ---- */

static RowHas row_has(const Divisible *x, int p, bool *ok) {
  const Symbol *s = x->codelet->params[p];
  if (!s->rank || x->of[p][0] == NO_DIMENSION) {
    for (int d = 1; d < s->rank; d++) *ok &= x->of[p][d] == NO_DIMENSION;
    return HAS_ALL;
  }
  if (s->rank > 2 && !s->writable) return HAS_ALL;
  *ok &= s->rank <= 2 && !s->atomic;
  for (int d = 1; d < s->rank; d++) *ok &= x->of[p][d] == NO_DIMENSION;
  return s->rank == 2 ? HAS_LINE : HAS_ELEMENT;
}

typedef struct Last { const Symbol *index; bool found, any; } Last;

static bool find_last(void *context, const Tree *t) {
  Last *l = context;
  if (t->op != OP_INDEX || t->nkids < 3) return true;
  l->any = true;
  l->found |= tree_mentions(t->kid[t->nkids - 1], l->index);
  return !l->found;
}

/* Rows that read none of a matrix's lines have their numbers; not where neighbours read side by side, as lanes do. */
static bool has_numbers(EachRow *x) {
  Last l = {x->index, false, false};
  const Tree *end = x->rows;
  tree_visit(x->loop->kid[3], find_last, &l);
  if (l.found || !l.any || x->codelet->nparams == MOST_OPERANDS) return false;
  if (end->op != OP_SIZE || end->kid[0]->op != OP_REF) return false;
  if (divide_place(x->codelet, end->kid[0]->symbol) < 0) return false;
  x->at = symbol_new(x->a, SYMBOL_PARAM, arena_printf(x->a, "%s_at", x->index->name), TYPE_INDEX);
  x->at->declared = TYPE_LONG;
  return true;
}

static bool find_rows(EachRow *x, const Divisible *of) {
  const Codelet *c = x->codelet = of->codelet;
  const Tree *body = of->body;
  if (of->ndimensions != 1 || body->nkids != 1 || body->kid[0]->op != OP_FOR) return false;
  const Counting *rows = NULL;
  for (int i = 0; i < of->nloops; i++) {
    if (of->loop[i].dimension < 0) continue;
    if (rows || of->loop[i].at != body->kid[0]) return false;
    rows = &of->loop[i];
  }
  if (!rows || !rows->all || rows->shift || rows->head.step != 1) return false;
  x->loop = rows->at;
  x->index = rows->head.index;
  x->rows = rows->head.end;
  bool lines = false;
  x->ok = c->nparams <= MOST_OPERANDS;
  for (int p = 0; p < c->nparams && x->ok; p++) {
    x->has[p] = row_has(of, p, &x->ok);
    lines |= x->has[p] == HAS_LINE;
    x->ok &= x->has[p] == HAS_LINE || !c->params[p]->writable || x->has[p] == HAS_ELEMENT;
  }
  const Tree *inner = x->loop->kid[3], *last = inner->nkids ? inner->kid[inner->nkids - 1] : NULL;
  const bool stores = last && last->op == OP_ASSIGN && !last->compound && last->kid[0]->op == OP_INDEX;
  const int to = stores ? divide_place(c, last->kid[0]->kid[0]->symbol) : -1;
  for (int p = 0; p < c->nparams; p++)
    if (c->params[p]->writable && x->has[p] == HAS_ELEMENT) x->has[p] = HAS_ONE;
  bool other = false;
  for (int p = 0; p < c->nparams; p++) other |= p != to && x->has[p] == HAS_ONE;
  x->last = to >= 0 && x->has[to] == HAS_ONE && !other ? last : NULL;
  if (x->last) x->has[to] = HAS_ELEMENT;
  return x->ok && (lines || has_numbers(x));
}

/* ---- a row's text ---- */

/* What is said of sizes, of those that a row has. */
static ShapeRule said(const EachRow *x, const ShapeRule *of) {
  const Symbol *same = shape_same(of);
  const int p = same ? divide_place(x->codelet, same) : -1;
  if (p < 0 || !x->params[p]) return (ShapeRule){.said = false};
  const int dim = x->has[p] == HAS_LINE ? of->dim[0] - 1 : of->dim[0];
  if (dim < 0 || x->has[p] == HAS_ELEMENT) return (ShapeRule){.said = false};
  return (ShapeRule){.said = true, .times = 1, .of = {x->params[p]}, .dim = {dim}};
}

static void make_parameters(EachRow *x, Codelet *k) {
  const Codelet *c = x->codelet;
  const int to = x->last ? divide_place(c, x->last->kid[0]->kid[0]->symbol) : -1;
  k->params = arena_many(x->a, Symbol *, c->nparams + 1);
  k->nparams = 0;
  for (int p = 0; p < c->nparams; p++) {
    if (p == to) continue;
    const Symbol *s = c->params[p];
    Symbol *made = x->params[p] = arena_one(x->a, Symbol);
    *made = *s;
    const int less = x->has[p] == HAS_LINE;
    made->rank = x->has[p] == HAS_ELEMENT ? 0 : s->rank - less;
    made->by_columns = s->by_columns && !less;
    for (int d = 0; d < MOST_RANK; d++)
      made->shape[d] = d < made->rank ? said(x, &s->shape[d + less]) : (ShapeRule){.said = false};
    k->params[k->nparams++] = made;
  }
  if (x->at) k->params[k->nparams++] = x->at;
}

static Tree *of_row(EachRow *x, Tree *t) {
  if (!t || !x->ok) return t;
  const Tree *of = t->op == OP_INDEX || t->op == OP_SIZE ? t->kid[0] : t;
  const int p = of->op == OP_REF ? divide_place(x->codelet, of->symbol) : -1;
  if (t->op == OP_REF && t->symbol == x->index && x->at) return tree_ref(x->a, x->at);
  if (t->op == OP_REF && t->symbol == x->index) x->ok = false;
  if (p < 0 || x->has[p] == HAS_ALL) {
    if (t->op == OP_REF) return p < 0 ? t : tree_ref(x->a, x->params[p]);
    Tree **kids = arena_many(x->a, Tree *, t->nkids);
    for (int i = 0; i < t->nkids; i++) kids[i] = of_row(x, t->kid[i]);
    return tree_with_kids(x->a, t, kids, t->nkids);
  }
  const bool other_size = t->op == OP_SIZE && (x->has[p] != HAS_LINE || t->dimension != 1);
  if (!x->params[p] || x->has[p] == HAS_ONE || t->op == OP_REF || other_size) {
    x->ok = false;
    return t;
  }
  if (t->op == OP_SIZE) return divide_size(x->a, x->params[p], 0);
  const Tree *at = tree_uncast(t->kid[1]);
  if (at->op != OP_REF || at->symbol != x->index) x->ok = false; /* another row's */
  if (x->has[p] == HAS_ELEMENT) return tree_ref(x->a, x->params[p]);
  Tree *kids[] = {tree_ref(x->a, x->params[p]), of_row(x, t->kid[2])};
  return tree_with_kids(x->a, t, kids, 2);
}

/* `scale[i] = s' is the only element of what the row has of it: as a loop, which a worker without a row does not do. */
static Tree *stored(EachRow *x, const Tree *t) {
  Arena *a = x->a;
  const Tree *place = t->op == OP_ASSIGN && !t->compound && t->kid[0]->op == OP_INDEX ? t->kid[0] : NULL;
  const int p = place && place->kid[0]->op == OP_REF ? divide_place(x->codelet, place->kid[0]->symbol) : -1;
  if (p < 0 || x->has[p] != HAS_ONE) return NULL;
  const Tree *at = tree_uncast(place->kid[1]);
  if (at->op != OP_REF || at->symbol != x->index) x->ok = false; /* another row's */
  Symbol *one = symbol_new(a, SYMBOL_LOCAL, "one", TYPE_INDEX);
  one->declared = TYPE_UINT;
  one->writable = true;
  Tree *store = build_assign(a, build_element(a, x->params[p], tree_ref(a, one)), of_row(x, t->kid[1]));
  store->where = t->where;
  Tree *loop = divide_loop(a, one, divide_size(a, x->params[p], 0), store);
  loop->where = t->where;
  return loop;
}

static Codelet *of_one_row(EachRow *x) {
  Arena *a = x->a;
  const Tree *inner = x->loop->kid[3];
  Codelet *k = divide_codelet(a, x->codelet, NULL, "serial");
  DivideStatements all = {0};
  make_parameters(x, k);
  for (int i = 0; i < inner->nkids; i++) {
    Tree *t = inner->kid[i];
    Tree *one = t == x->last ? NULL : stored(x, t);
    Tree *made = one ? one : t == x->last ? tree_unary(a, OP_RETURN, TYPE_VOID, of_row(x, t->kid[1])) : of_row(x, t);
    if (t == x->last) made->where = t->where;
    vec_push(a, &all, made);
  }
  if (!x->ok) return NULL;
  k->body = tree_clone(a, tree_seq(a, all.at, all.n));
  k->body->where = x->codelet->body->where;
  return k;
}

/* ---- spectra ---- */

/* partition(scale, n, sequence(0, 1, n), sequence(1), sequence(1, 1, n)), where n is the size of the first of such. */
static Tree *one_each(Arena *a, Symbol *of, Symbol *first) {
  Tree *t = tree_new(a, OP_PARTITION, TYPE_CONTAINER, of->where, 5);
  t->kid[0] = tree_ref(a, of);
  t->kid[1] = divide_size(a, first, 0);
  for (int i = 0; i < 3; i++) {
    const bool inc = i == 1; /* between a part's elements */
    Tree *s = t->kid[2 + i] = tree_new(a, OP_SEQUENCE, TYPE_INDEX, of->where, inc ? 1 : 3);
    s->kid[0] = tree_int(a, TYPE_INDEX, i > 0);
    if (inc) continue;
    s->kid[1] = tree_int(a, TYPE_INDEX, 1);
    s->kid[2] = divide_size(a, first, 0);
  }
  return t;
}

static void add_map(EachRow *x, Spectrum *s, Spectrum *row) {
  Arena *a = x->a;
  Codelet *k = divide_codelet(a, x->codelet, s, divide_tag(a, s, "each"));
  Tree *map = tree_new(a, OP_MAP, TYPE_CONTAINER, x->loop->where, row->codelets[0]->nparams);
  map->spectrum = row;
  int n = 0;
  Symbol *one = NULL;
  for (int p = 0; p < k->nparams; p++) {
    if (!x->params[p]) continue;
    Tree *of = tree_ref(a, k->params[p]);
    if (x->has[p] == HAS_ONE && !one) one = k->params[p];
    if (x->has[p] == HAS_ONE) of = one_each(a, k->params[p], one);
    else if (x->has[p] != HAS_ALL)
      of = tree_unary(a, x->has[p] == HAS_LINE ? OP_ROWS : OP_ELEMENTS, TYPE_CONTAINER, of);
    of->where = x->loop->where;
    map->kid[n++] = of;
  }
  if (x->at) {
    Tree *many = divide_size(a, k->params[divide_place(x->codelet, x->rows->kid[0]->symbol)], x->rows->dimension);
    Tree *numbers = tree_binary(a, OP_IOTA, TYPE_INDEX, tree_int(a, TYPE_INDEX, 0), many);
    map->kid[n++] = tree_unary(a, OP_ELEMENTS, TYPE_CONTAINER, numbers);
  }
  Tree *to = x->last ? tree_ref(a, k->params[divide_place(x->codelet, x->last->kid[0]->kid[0]->symbol)]) : NULL;
  Tree *run = to ? tree_binary(a, OP_MAP_TO, TYPE_VOID, map, to) : tree_unary(a, OP_MAP_RUN, TYPE_VOID, map);
  run->where = x->loop->where;
  k->body = tree_seq(a, &run, 1);
  k->body->where = x->codelet->body->where;
  divide_add(a, s, k);
}

/* The row's codelet of one lane, and that of several; NULL: there is none. */
static Codelet *of_lanes(EachRow *x, const Unit *u, const Codelet *c, Codelet **serial) {
  Independent of;
  if (!independent_find(x->a, c, &of)) return NULL;
  *serial = find_rows(x, &of.loops) ? of_one_row(x) : NULL;
  return *serial ? together_made(x->a, u, *serial) : NULL;
}

bool each_row_goes_together(Arena *a, const Unit *u, const Codelet *c) {
  EachRow x = {.a = a};
  Codelet *serial;
  return of_lanes(&x, u, c, &serial) != NULL;
}

void each_row_add(Arena *a, Unit *u, const ScanText *text) {
  for (int i = 0, n = u->nspectra; i < n; i++) {
    Spectrum *s = u->spectra[i];
    EachRow x = {.a = a};
    Codelet *serial = NULL, *together;
    if (s->ncodelets != 1 || divide_is_shared_out(u, s)) continue;
    together = of_lanes(&x, u, s->codelets[0], &serial);
    if (serial && !together && !x.last) together = recurrences_made(a, u, text, s, serial);
    if (!together) continue;
    Spectrum *row = divide_spectrum(a, u, s, "row");
    if (x.last) row->result = x.last->kid[0]->type;
    serial->spectrum = together->spectrum = row;
    divide_add(a, row, serial);
    divide_add(a, row, together);
    add_map(&x, s, row);
  }
}
