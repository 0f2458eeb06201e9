/* stored.c: results of parts of parts, stored before they are combined.
 *
 *   Map m(nearest<T>, centres, rows(points));        whose codelet is
 *   m.to(to);                                        return reduce<ArgMin, T>(map(distance<T>, rows(centres), point)).place;
 *
 *   Array<2, T> stored(points.Size(0), centres.Size(0));
 *   nearest_rows_each(points, centres, stored);      for (i ..) for (j ..) { T d = 0; for (k ..) d += ..; stored(i, j) = d; }
 *   Map m(nearest_stored<T>, rows(stored));          return reduce<ArgMin, T>(row).place;
 *   m.to(to);
 *
 * One lane that combines what it computes (alone.c) reads all centres for each point. The first of these steps is sums
 * over two dimensions, which are cut in tiles (sums.c): what a block has read is used for a tile of results. It is made
 * where that is so. The price is that all results are stored, and read again. */
#include "front/stored.h"

#include "front/alone.h"
#include "front/sums.h"
#include "ir/build.h"

typedef struct Stored {
  Arena *a;
  Unit *unit;
  const Codelet *from;      /* has the map .. */
  const Tree *map, *to;     /* .. and stores its results there */
  const Codelet *combining; /* what the map applies, */
  const Tree *inner;        /* .. whose own map's results it combines */
  int rank[2];              /* by dimension of what is stored: the parameter of `from' that has as many lines, .. */
  int dimension[2];         /* .. and its dimension */
} Stored;

/* ---- is it such a codelet? ---- */

typedef struct Mentions { const Stored *x; bool other; } Mentions;

/* Does it use a container of the codelet's other than by the map? */
static bool find_other(void *context, const Tree *t) {
  Mentions *m = context;
  const Tree *map = alone_map_of(t);
  if (map) {
    m->other |= !tree_equal(map, m->x->inner);
    return false;
  }
  if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_MAP) return find_other(context, t->symbol->init);
  m->other |= t->op == OP_REF && t->symbol->rank && t->symbol->kind == SYMBOL_PARAM;
  return !m->other;
}

static bool reads_codelet(Stored *x, const Codelet *c) {
  x->from = c;
  x->map = x->to = NULL;
  if (c->nenv || c->matrix || !c->body) return false;
  for (int i = 0; i < c->body->nkids; i++) {
    const Tree *t = c->body->kid[i];
    if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_MAP) continue;
    if (t->op != OP_MAP_TO || x->to) return false;
    x->map = alone_map_of(t->kid[0]);
    x->to = t->kid[1];
  }
  if (!x->map || x->to->op != OP_REF || x->to->symbol->kind != SYMBOL_PARAM || !x->map->spectrum) return false;
  x->combining = alone_combines(x->map->spectrum);
  if (!x->combining || x->combining->nenv || x->combining->nparams != x->map->nkids) return false;
  x->inner = alone_map(x->combining->body);
  Mentions m = {x, false};
  tree_visit(x->combining->body, find_other, &m);
  return !m.other && x->inner->spectrum->result != TYPE_VOID;
}

/* ---- the first step ---- */

typedef struct Meaning { const Symbol *name; Tree *is; } Meaning;

static Tree *as_meant(void *context, Arena *a, Tree *t) {
  const Meaning *m = context;
  (void)a;
  return t->op == OP_REF && t->symbol == m->name ? m->is : t;
}

/* Sizes that are declared are written where they are used, and so are numbers that are declared last, before the
 * result is stored. */
static Tree *without_names(Arena *a, Tree *seq) {
  for (int i = 0; i < seq->nkids; i++) {
    const Tree *t = seq->kid[i], *next = i + 1 < seq->nkids ? seq->kid[i + 1] : NULL;
    const bool known = t->op == OP_DECLARE && t->nkids && next;
    const bool last = known && i + 2 == seq->nkids, once = known && t->kid[0]->op == OP_REF;
    if (!known || (t->kid[0]->op != OP_SIZE && !(last && (once || next->kid[1]->op == OP_REF)))) continue;
    DivideStatements left = {0};
    for (int k = 0; k < seq->nkids; k++)
      if (k != i) vec_push(a, &left, seq->kid[k]);
    seq = tree_rewrite(a, tree_seq(a, left.at, left.n), as_meant, &(Meaning){t->symbol, t->kid[0]});
    i = -1;
  }
  return seq;
}

/* What has a size as long as that: a parameter, by its place. */
static bool finds_size(Stored *x, const Codelet *k, int which, const Tree *size) {
  if (size->op != OP_SIZE || size->kid[0]->op != OP_REF) return false;
  x->rank[which] = divide_place(k, size->kid[0]->symbol);
  x->dimension[which] = size->dimension;
  return x->rank[which] >= 0;
}

/* Loops have other names than those of the two dimensions: tiles have tunables by them. */
static bool name_loops(void *context, const Tree *t) {
  if (t->op == OP_FOR && t->kid[0] && t->kid[0]->op == OP_DECLARE) t->kid[0]->symbol->name = context;
  return true;
}

static Symbol *line_index(Arena *a, const char *name) {
  Symbol *s = symbol_new(a, SYMBOL_LOCAL, name, TYPE_INDEX);
  s->declared = TYPE_UINT;
  s->writable = true;
  return s;
}

/* All parameters but the one that is stored to, and what is stored: as they are, the last one's sizes said. */
static void take_parameters(Stored *x, Codelet *k) {
  Symbol **params = arena_many(x->a, Symbol *, k->nparams);
  const int last = k->nparams - 1, out = divide_place(x->from, x->to->symbol);
  Symbol *s = symbol_new(x->a, SYMBOL_PARAM, "stored", x->inner->spectrum->result);
  int n = 0;
  s->declared = s->type;
  s->rank = 2;
  s->writable = true;
  s->where = x->to->symbol->where;
  for (int d = 0; d < s->rank; d++)
    s->shape[d] = (ShapeRule){.said = true, .times = 1, .of = {k->params[x->rank[d]]}, .dim = {x->dimension[d]}};
  for (int i = 0; i <= last; i++)
    if (i != out) params[n++] = k->params[i];
  params[last] = s;
  k->params = params;
}

/* Its only codelet, if that can be cut in tiles; NULL: it cannot. */
static Codelet *first_step(Stored *x) {
  static const char *const names[] = {"i", "j"};
  Arena *a = x->a;
  Codelet *k = divide_codelet(a, x->from, NULL, "serial");
  Symbol *at[2];
  Tree *sizes[2];
  DivideStatements all = {0};
  for (int d = 0; d < 2; d++) at[d] = line_index(a, names[d]);
  const AlonePart part = {x->map, x->inner, tree_ref(a, at[0]), tree_ref(a, at[1]), &sizes[0], &sizes[1]};
  Tree *result = alone_result(a, x->from, k->params, &part, &all);
  if (!result || !finds_size(x, k, 0, sizes[0]) || !finds_size(x, k, 1, sizes[1])) return NULL;
  take_parameters(x, k);
  Tree *place = tree_new(a, OP_INDEX, x->inner->spectrum->result, x->inner->where, 3);
  place->kid[0] = tree_ref(a, k->params[k->nparams - 1]);
  for (int d = 0; d < 2; d++) place->kid[1 + d] = tree_ref(a, at[d]);
  vec_push(a, &all, build_assign(a, place, result));
  Tree *body = without_names(a, tree_seq(a, all.at, all.n));
  tree_visit(body, name_loops, (void *)"k");
  for (int d = 1; d >= 0; d--) {
    body = divide_loop(a, at[d], sizes[d], body);
    body->where = x->inner->where;
  }
  k->body = tree_seq(a, &body, 1);
  k->body->where = x->from->body->where;
  return sums_fit(a, k) ? k : NULL;
}

/* ---- the second step ---- */

typedef struct Row { const Tree *inner; Symbol *row; } Row;

static Tree *of_row(void *context, Arena *a, Tree *t) {
  const Row *r = context;
  const Tree *map = alone_map_of(t);
  return map && tree_equal(map, r->inner) ? tree_ref(a, r->row) : t;
}

/* What combines a row: the same text, of what is stored. */
static Spectrum *second_step(Stored *x, Tree *const **numbers, int *n) {
  Arena *a = x->a;
  const Codelet *c = x->combining;
  Spectrum *s = divide_spectrum(a, x->unit, x->map->spectrum, "stored");
  Codelet *k = divide_codelet(a, c, s, c->tag);
  Symbol *row = symbol_new(a, SYMBOL_PARAM, "row", x->inner->spectrum->result);
  Symbol **params = arena_many(a, Symbol *, c->nparams + 1);
  Tree **given = arena_many(a, Tree *, c->nparams);
  row->declared = row->type;
  row->rank = 1;
  row->where = c->where;
  params[0] = row;
  *n = 0;
  DivideStatements all = {0};
  const Row of = {x->inner, row};
  for (int i = 0; i < c->body->nkids; i++) {
    Tree *t = c->body->kid[i];
    if (t->op != OP_DECLARE || t->symbol->kind != SYMBOL_MAP)
      vec_push(a, &all, tree_rewrite(a, tree_clone(a, t), of_row, (void *)&of));
  }
  k->body = tree_seq(a, all.at, all.n);
  k->body->where = c->body->where;
  for (int i = 0; i < c->nparams; i++) {
    if (c->params[i]->rank || !tree_mentions(k->body, c->params[i])) continue;
    params[1 + *n] = c->params[i];
    given[(*n)++] = x->map->kid[i];
  }
  k->params = params;
  k->nparams = 1 + *n;
  s->result = x->map->spectrum->result;
  divide_add(a, s, k);
  *numbers = given;
  return s;
}

/* ---- both ---- */

static Symbol *container(Stored *x, const Codelet *k) {
  Symbol *s = symbol_new(x->a, SYMBOL_LOCAL, "stored", x->inner->spectrum->result);
  s->declared = s->type;
  s->rank = 2;
  s->writable = true;
  s->where = k->where;
  s->length = tree_new(x->a, OP_EXTENTS, TYPE_INDEX, k->where, s->rank);
  for (int d = 0; d < s->rank; d++)
    s->length->kid[d] = divide_size(x->a, k->params[x->rank[d]], x->dimension[d]);
  return s;
}

typedef struct Copies { const Codelet *of; Symbol *const *params; } Copies;

static Tree *of_copies(void *context, Arena *a, Tree *t) {
  const Copies *c = context;
  const int p = t->op == OP_REF ? divide_place(c->of, t->symbol) : -1;
  return p >= 0 ? tree_ref(a, c->params[p]) : t;
}

static void add_steps(Stored *x, Spectrum *s, Codelet *first) {
  Arena *a = x->a;
  Tree *const *numbers;
  int n, out = divide_place(x->from, x->to->symbol), given = 0;
  Spectrum *each = divide_spectrum(a, x->unit, s, "each");
  first->spectrum = each;
  divide_add(a, each, first);
  Spectrum *combines = second_step(x, &numbers, &n);
  Codelet *k = divide_codelet(a, x->from, s, divide_tag(a, s, "stored"));
  Symbol *of = container(x, k);
  Tree *call = tree_new(a, OP_CALL, TYPE_VOID, k->where, first->nparams);
  call->spectrum = each;
  for (int i = 0; i < k->nparams; i++)
    if (i != out) call->kid[given++] = tree_ref(a, k->params[i]);
  call->kid[given] = tree_ref(a, of);
  Tree *map = tree_new(a, OP_MAP, TYPE_CONTAINER, x->map->where, 1 + n);
  map->spectrum = combines;
  map->kid[0] = tree_unary(a, OP_ROWS, TYPE_CONTAINER, tree_ref(a, of));
  const Copies copies = {x->from, k->params};
  for (int i = 0; i < n; i++)
    map->kid[1 + i] = tree_rewrite(a, tree_clone(a, numbers[i]), of_copies, (void *)&copies);
  Tree *all[] = {build_declare(a, of, NULL), tree_unary(a, OP_RUN, TYPE_VOID, call),
                 tree_binary(a, OP_MAP_TO, TYPE_VOID, map, tree_ref(a, k->params[out]))};
  for (int i = 0; i < 3; i++) all[i]->where = x->from->body->where;
  k->body = tree_seq(a, all, 3);
  k->body->where = x->from->body->where;
  divide_add(a, s, k);
}

void stored_add(Arena *a, Unit *u) {
  for (int i = 0, n = u->nspectra; i < n; i++) {
    Spectrum *s = u->spectra[i];
    Stored x = {.a = a, .unit = u};
    Codelet *first = NULL;
    for (int k = 0; k < s->ncodelets && !first; k++)
      if (reads_codelet(&x, s->codelets[k])) first = first_step(&x);
    if (first) add_steps(&x, s, first);
  }
}
