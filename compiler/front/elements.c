/* elements.c: `map(f, x, ..)' of a function f: f of each element of a container, side by side with those of others, and
 * with numbers that are the same for all.
 *
 *   sum(map(f, x, y))           a view, as transform(f, zip(x, y)) is
 *   Map m(f, A); m.to(B);       of containers of any rank: the loops that go through all of B's elements
 *
 * The loops are what one lane does. A codelet that does nothing else may be divided in any way: if it is alone in its
 * spectrum, it gets the codelets that cut each dimension in tiles, and in strides. */
#include "front/elements.h"

#include "front/writes.h"
#include "ir/function.h"

static const char store_form[] = "`Map m(f<T>, A, ..); m.to(B);', of parameters, B with `__like(A)'";

/* ---- the map ---- */

/* What is the same for all elements. */
static Tree *repeated(Converter *c, Tree *number, const Tree *first) {
  Tree *t = tree_binary(c->a, OP_REPEAT, number->type, number, tree_unary(c->a, OP_SIZE, TYPE_INDEX, (Tree *)first));
  t->where = number->where;
  return t;
}

static int rank_of(const Tree *t) { return t->op == OP_REF ? t->symbol->rank : tree_is_container(t); }

static bool check_rank(Converter *c, CXCursor at, const Tree *first, const Tree *x) {
  if (rank_of(first) == rank_of(x)) return true;
  convert_refuse(c, at, "f of elements that stand in the same place: containers of one rank",
                 "a map over the elements of a container of %s, and of one of %s",
                 convert_dimensions(c->a, rank_of(first)), convert_dimensions(c->a, rank_of(x)));
  return false;
}

Tree *convert_elements(Converter *c, CXCursor call, Spectrum *f) {
  const int n = clang_Cursor_getNumArguments(call) - 1;
  const Tree *first = NULL;
  Tree *t = tree_new(c->a, OP_TRANSFORM, TYPE_COUNT, convert_range(c, call), n);
  t->spectrum = f;
  for (int i = 0; i < n; i++) {
    CXCursor at = clang_Cursor_getArgument(call, (unsigned)(1 + i));
    Tree *x = t->kid[i] = convert_map_argument(c, at);
    if (x && x->op == OP_ELEMENTS) x = t->kid[i] = x->kid[0];
    if (x && !tree_is_container(x))
      x = t->kid[i] = convert_value(c, convert_given(c, at), f->codelets[0]->params[i]->type);
    if (!x) return NULL;
    if (!tree_is_container(x)) continue;
    if (!first) first = x;
    if (!check_rank(c, at, first, x)) return NULL;
  }
  if (!first) {
    convert_refuse(c, call, "`f(a)', a call", "a map over no container: `%s' is given numbers alone", f->name);
    return NULL;
  }
  for (int i = 0; i < n && rank_of(first) == 1; i++)
    if (!tree_is_container(t->kid[i])) t->kid[i] = repeated(c, t->kid[i], first);
  t->type = f->result;
  return t;
}

static int elements_rank(const Tree *map) {
  for (int i = 0; i < map->nkids; i++)
    if (tree_is_container(map->kid[i])) return rank_of(map->kid[i]);
  return 1;
}

static ElementMap *element_map(Converter *c, const Symbol *s) {
  for (int i = 0; i < c->maps.n; i++)
    if (c->maps.at[i].symbol == s) return &c->maps.at[i];
  return NULL;
}

void convert_elements_named(Converter *c, Symbol *s) {
  ElementMap m = {s, false};
  vec_push(c->a, &c->maps, m);
}

bool convert_elements_used(Converter *c) {
  for (int i = 0; i < c->maps.n; i++)
    if (!c->maps.at[i].used) {
      diagnostics_add(c->d, DIAG_ERROR, c->maps.at[i].symbol->where,
                      "`f(m)', `m.to(y)', or `map(f, ..)' without a name", "the results of `%s' are not used",
                      c->maps.at[i].symbol->name);
      return false;
    }
  return true;
}

Tree *convert_elements_view(Converter *c, CXCursor at, Tree *map) {
  if (elements_rank(map) == 1) return map;
  convert_refuse(c, at, store_form, "the results of a map over the elements of %s can be stored, and are no view",
                 convert_dimensions(c->a, elements_rank(map)));
  return NULL;
}

Tree *convert_elements_reference(Converter *c, CXCursor at, const Symbol *s) {
  ElementMap *m = element_map(c, s);
  if (!m) return NULL;
  m->used = true;
  return convert_elements_view(c, at, s->init);
}

/* ---- stored ---- */

/* Has `to' the sizes of `x', by what is declared? */
static bool same_sizes(const Symbol *x, const Symbol *to) {
  for (int d = 0; d < x->rank; d++) {
    const Symbol *of[] = {x, to};
    int dimension[] = {d, d};
    for (int i = 0; i < 2; i++) shape_first(&of[i], &dimension[i]);
    if (of[0] != of[1] || dimension[0] != dimension[1]) return false;
  }
  return true;
}

static bool fits(Converter *c, CXCursor call, const Tree *x, const Tree *to) {
  const bool parameter = x->op == OP_REF && x->symbol->kind == SYMBOL_PARAM;
  if (parameter && x->symbol->rank != to->symbol->rank)
    convert_refuse(c, call, store_form, "results of the elements of %s are stored in `%s', of %s",
                   convert_dimensions(c->a, x->symbol->rank), to->symbol->name,
                   convert_dimensions(c->a, to->symbol->rank));
  else if (parameter && !same_sizes(x->symbol, to->symbol))
    convert_refuse(c, call, "__like(A), on the parameter that the results are stored in",
                   "it does not follow that `%s' has as many elements as `%s'", to->symbol->name, x->symbol->name);
  else if (!parameter)
    convert_refuse(c, call, store_form, "the results of a map over the elements of a view are a view, and not stored");
  else return true;
  return false;
}

static Tree *element_at(Converter *c, Tree *of, Symbol *const *index) {
  const int rank = of->symbol->rank;
  Tree *t = tree_new(c->a, OP_INDEX, of->symbol->type, of->where, 1 + rank);
  t->kid[0] = of;
  for (int d = 0; d < rank; d++) t->kid[1 + d] = tree_ref(c->a, index[d]);
  return t;
}

static const char *const indices[MOST_RANK] = {"i", "j", "k", "l"};

Tree *convert_elements_store(Converter *c, CXCursor call, const Symbol *s, CXCursor into) {
  ElementMap *m = element_map(c, s);
  Tree *to = convert_expression(c, into);
  if (!to) return NULL;
  m->used = true;
  const Tree *map = s->init;
  if (to->op != OP_REF || to->symbol->kind != SYMBOL_PARAM || !to->symbol->rank) {
    convert_refuse(c, into, store_form, "results are stored in a parameter");
    return NULL;
  }
  Symbol *index[MOST_RANK];
  for (int d = 0; d < to->symbol->rank; d++) index[d] = convert_index_named(c, indices[d]);
  Tree **of = arena_many(c->a, Tree *, map->nkids);
  for (int i = 0; i < map->nkids; i++) {
    of[i] = map->kid[i]->op == OP_REPEAT ? map->kid[i]->kid[0] : map->kid[i];
    if (!tree_is_container(of[i])) continue;
    if (!fits(c, call, of[i], to)) return NULL;
    of[i] = element_at(c, of[i], index);
  }
  Tree *all = tree_binary(c->a, OP_ASSIGN, TYPE_VOID, element_at(c, to, index),
                          function_apply(c->a, map->spectrum, of, map->nkids));
  for (int d = to->symbol->rank - 1; d >= 0; d--) all = convert_loop(c, index[d], to, d, all);
  return c->elements = convert_at(c, all, call);
}

/* ---- divided ---- */

static Symbol *copied(Arena *a, const Codelet *from, Symbol *const *to, const Symbol *s) {
  Symbol *copy = arena_one(a, Symbol);
  *copy = *s;
  for (int d = 0; d < MOST_RANK; d++)
    for (int k = 0; k < SHAPE_SIZES; k++)
      for (int p = 0; p < from->nparams && s->shape[d].of[k]; p++)
        if (from->params[p] == s->shape[d].of[k]) copy->shape[d].of[k] = to[p];
  return copy;
}

static Tree *declared(Arena *a, Symbol *s) {
  Tree *t = tree_new(a, OP_DECLARE, TYPE_VOID, s->where, 0);
  t->symbol = s;
  return t;
}

static Tree *sequence(Arena *a, Tree *start, Tree *inc, Tree *end) {
  Tree *t = tree_new(a, OP_SEQUENCE, TYPE_INDEX, (SourceRange){0}, end ? 3 : 1);
  t->kid[0] = start;
  if (end) t->kid[1] = inc, t->kid[2] = end;
  return t;
}

/* tiles(p, n); cut(p, sequence(0, 1, p), sequence(p), sequence(n)). */
static Tree *cut_of(Arena *a, Symbol *parts, Tree *size, bool strided) {
  Tree *t = tree_new(a, OP_CUT, TYPE_INDEX, (SourceRange){0}, strided ? 4 : 2);
  t->kid[0] = tree_ref(a, parts);
  t->kid[1] = size;
  if (!strided) return t;
  t->kid[1] = sequence(a, tree_int(a, TYPE_INDEX, 0), tree_int(a, TYPE_INDEX, 1), tree_ref(a, parts));
  t->kid[2] = sequence(a, tree_ref(a, parts), NULL, NULL);
  t->kid[3] = sequence(a, size, NULL, NULL);
  return t;
}

static Symbol *local(Arena *a, SymbolKind kind, const char *name, SourceRange where) {
  Symbol *s = symbol_new(a, kind, name, TYPE_INDEX);
  s->declared = TYPE_UINT;
  s->where = where;
  return s;
}

/* A map of the codelet's own spectrum over parts of all its containers, which are of one rank. */
static Codelet *divided(Arena *a, const Codelet *whole, int rank, bool strided) {
  static const char *const parts[MOST_RANK] = {"p", "q", "r", "s"};
  Codelet *k = arena_one(a, Codelet);
  *k = *whole;
  k->elements = false;
  k->tag = strided ? "strided" : "tiled";
  k->params = arena_many(a, Symbol *, whole->nparams);
  const Symbol *written = NULL;
  for (int i = 0; i < whole->nparams; i++) {
    k->params[i] = copied(a, whole, k->params, whole->params[i]);
    if (k->params[i]->writable) written = k->params[i];
  }
  Symbol *cut[MOST_RANK];
  VEC(Tree *) all = {0};
  for (int d = 0; d < rank; d++) {
    Symbol *many = local(a, SYMBOL_TUNABLE, parts[d], whole->where);
    Tree *size = tree_unary(a, OP_SIZE, TYPE_INDEX, tree_ref(a, (Symbol *)written));
    size->dimension = d;
    cut[d] = local(a, SYMBOL_CUT, indices[d], whole->where);
    cut[d]->init = cut_of(a, many, size, strided);
    vec_push(a, &all, declared(a, many));
    vec_push(a, &all, declared(a, cut[d]));
  }
  Tree *map = tree_new(a, OP_MAP, TYPE_CONTAINER, whole->where, k->nparams);
  map->spectrum = whole->spectrum;
  for (int i = 0; i < k->nparams; i++) {
    Tree *x = map->kid[i] = tree_ref(a, k->params[i]);
    if (!k->params[i]->rank) continue;
    map->kid[i] = tree_new(a, OP_PARTS, TYPE_CONTAINER, whole->where, 1 + rank);
    map->kid[i]->kid[0] = x;
    for (int d = 0; d < rank; d++) map->kid[i]->kid[1 + d] = tree_ref(a, cut[d]);
  }
  Tree *run = tree_unary(a, OP_MAP_RUN, TYPE_VOID, map);
  run->where = whole->where;
  vec_push(a, &all, run);
  k->body = tree_seq(a, all.at, all.n);
  k->body->where = whole->body->where;
  return k;
}

/* Has each of the codelet's containers elements of the map, of this rank? */
static bool all_mapped(const Codelet *k, int rank) {
  const Symbol *written = NULL;
  for (int i = 0; i < k->nparams; i++)
    if (k->params[i]->writable) {
      if (written) return false;
      written = k->params[i];
    }
  for (int i = 0; i < k->nparams; i++) {
    const Symbol *s = k->params[i];
    if (s->rank && (s->rank != rank || s->atomic || !same_sizes(s, written))) return false;
  }
  return written != NULL;
}

void elements_divide(Arena *a, Unit *u) {
  for (int i = 0; i < u->nspectra; i++) {
    Spectrum *s = u->spectra[i];
    Codelet *whole = s->ncodelets == 1 && s->codelets[0]->elements ? s->codelets[0] : NULL;
    int rank = 0;
    for (const Tree *t = whole ? whole->body->kid[0] : NULL; t && t->op == OP_FOR; t = t->kid[3]->kid[0]) rank++;
    if (!whole || !all_mapped(whole, rank)) continue;
    s->codelets = arena_many(a, Codelet *, 3);
    s->codelets[s->ncodelets - 1] = whole;
    for (int strided = 0; strided < 2; strided++) s->codelets[s->ncodelets++] = divided(a, whole, rank, strided);
  }
}
