/* elements.c: `map(f, x, ..)' of a function f: f of each element of a container, side by side with those of others, and
 * with numbers that are the same for all.
 *
 *   sum(map(f, x, y))           a view, as transform(f, zip(x, y)) is
 *   Map m(f, A); m.to(B);       of containers of any rank: the loops that go through all of B's elements
 *
 * The loops are what one lane does. A codelet that does nothing else may be divided in any way: if it is alone in its
 * spectrum, it gets the codelets that cut each dimension in tiles, and in strides. */
#include "front/elements.h"

#include "front/divide.h"
#include "front/borders.h"
#include "front/stencils.h"
#include "front/stores.h"
#include "front/sums.h"
#include "ir/function.h"

static const char store_form[] = "`Map m(f<T>, A, ..); m.to(B);', of parameters, B with `__like(A)'";
static const char own_store_form[] =
  "a spectrum of its own, of parameters, which is applied here: `Map m(f<T>, A, ..); m.to(B);', B with `__like(A)'";

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
    convert_refuse(c, call, own_store_form,
                   "the results of a map over the elements of a view are a view, and not stored");
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
    convert_refuse(c, into, to->op == OP_REF && to->symbol->rank ? own_store_form : store_form,
                   "results are stored in a parameter");
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

/* A map of the codelet's own spectrum over parts of all its containers, which are of one rank. */
static Codelet *divided(Arena *a, const Codelet *whole, int rank, bool strided) {
  static const char *const names[MOST_RANK][2] = {{"p", "i"}, {"q", "j"}, {"r", "k"}, {"s", "l"}};
  Codelet *k = arena_one(a, Codelet);
  *k = *whole;
  k->elements = false;
  k->tag = strided ? "strided" : "tiled";
  k->params = arena_many(a, Symbol *, whole->nparams);
  Symbol *written = NULL, *cut[MOST_RANK];
  for (int i = 0; i < whole->nparams; i++) {
    k->params[i] = divide_parameter(a, whole, k->params, whole->params[i]);
    if (k->params[i]->writable) written = k->params[i];
  }
  DivideStatements all = {0};
  for (int d = 0; d < rank; d++) cut[d] = divide_cut(a, &all, names[d], divide_size(a, written, d), strided);
  Tree *arguments[MOST_OPERANDS];
  for (int i = 0; i < k->nparams; i++)
    arguments[i] = k->params[i]->rank ? divide_container(a, k->params[i], cut) : tree_ref(a, k->params[i]);
  divide_map(a, &all, whole->spectrum, arguments, k->nparams);
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
  sums_divide(a, u); /* some of whose steps are such maps */
  stencils_divide(a, u);
  stores_divide(a, u);
  borders_divide(a, u);
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
