/* elements.c: `map(f, x, ..)' of a function f: f of each element of a container, side by side with those of others, and
 * with numbers that are the same for all.
 *
 *   sum(map(f, x, y))           a view, as transform(f, zip(x, y)) is
 *   Map m(f, A); m.to(B);       of containers of any rank: the loops that go through all of B's elements
 *
 * The loops are what one lane does. A codelet that does nothing else may be divided in any way: if it is alone in its
 * spectrum, it gets the codelets that cut each dimension in tiles, and in strides. Beside steps, into a container
 * between them, and of views, it is a step: the loops are a spectrum's of its own. */
#include "front/elements.h"

#include <string.h>

#include "front/borders.h"
#include "front/contributions.h"
#include "front/divide.h"
#include "front/each_row.h"
#include "front/flat.h"
#include "front/interleaved.h"
#include "front/loop_steps.h"
#include "front/stencils.h"
#include "front/stores.h"
#include "front/sums.h"
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
  for (int d = 0; d < x->rank; d++)
    if (!shape_is_same(x, d, to, d)) return false;
  return true;
}

static void refuse(Converter *c, SourceRange where, const char *hint, const char *message) {
  diagnostics_add(c->d, DIAG_ERROR, where, hint, "%s", message);
  c->failed = true;
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
  if (to->op != OP_REF || !to->symbol->rank) {
    convert_refuse(c, into, store_form, "results are stored in a parameter, or in a container between steps");
    return NULL;
  }
  if (elements_rank(map) != to->symbol->rank) {
    convert_refuse(c, call, store_form, "results of the elements of a container of %s are stored in `%s', of %s",
                   convert_dimensions(c->a, elements_rank(map)), to->symbol->name,
                   convert_dimensions(c->a, to->symbol->rank));
    return NULL;
  }
  c->stores++;
  return convert_at(c, tree_binary(c->a, OP_MAP_TO, TYPE_VOID, (Tree *)map, to), call); /* until the codelet's end */
}

/* The loops over all elements of `to': f of what the map is given, or of what stands for it. */
static Tree *loops(Converter *c, const Tree *map, Tree *const *given, Tree *to) {
  Symbol *index[MOST_RANK];
  for (int d = 0; d < to->symbol->rank; d++) index[d] = convert_index_named(c, indices[d]);
  Tree **of = arena_many(c->a, Tree *, map->nkids);
  for (int i = 0; i < map->nkids; i++) of[i] = tree_is_container(given[i]) ? element_at(c, given[i], index) : given[i];
  Tree *all = tree_binary(c->a, OP_ASSIGN, TYPE_VOID, element_at(c, to, index),
                          function_apply(c->a, map->spectrum, of, map->nkids));
  for (int d = to->symbol->rank - 1; d >= 0; d--) all = convert_loop(c, index[d], to, d, all);
  return all;
}

/* ---- .. by the codelet's own loops, or as a step ---- */

/* What is found of a codelet that stores results of elements: is it made of steps? */
typedef struct Stores { int n; bool steps; } Stores;

static bool is_store(const Tree *t) { return t->op == OP_MAP_TO && t->kid[0]->op == OP_TRANSFORM; }

static Tree *map_given(const Tree *map, int i) {
  return map->kid[i]->op == OP_REPEAT ? map->kid[i]->kid[0] : map->kid[i];
}

static bool find_stores(void *context, const Tree *t) {
  Stores *x = context;
  if (is_store(t)) {
    x->n++;
    x->steps |= t->kid[1]->symbol->kind != SYMBOL_PARAM;
    for (int i = 0; i < t->kid[0]->nkids; i++) {
      const Tree *of = map_given(t->kid[0], i);
      x->steps |= tree_contains(of, OP_CALL) ||
                  (tree_is_container(of) && (of->op != OP_REF || of->symbol->kind != SYMBOL_PARAM));
    }
    return false;
  }
  x->steps |= t->op == OP_CALL || t->op == OP_MAP;
  return true;
}

static bool has_steps(const Tree *body) {
  Stores x = {0};
  tree_visit(body, find_stores, &x);
  return x.steps || (x.n > 1 && x.n == body->nkids);
}

static Tree *placed(Tree *t, SourceRange where) {
  t->where = where;
  return t;
}

/* The step's spectrum: its codelet, and what that is given for each of its parameters. */
typedef struct Step { Codelet *codelet; Tree **passed; } Step;

static Symbol *parameter(Arena *a, Step *x, const Symbol *like, Type type, const char *name, Tree *passed) {
  Codelet *k = x->codelet;
  Symbol *s = symbol_new(a, SYMBOL_PARAM, name, type);
  s->declared = like->declared;
  s->number = !like->rank && like->number;
  s->by_columns = like->rank > 1 && like->by_columns;
  x->passed[k->nparams] = passed;
  k->params[k->nparams++] = s;
  return s;
}

/* .. as large as the first of these that has elements. */
static Symbol *container(Arena *a, Step *x, const Symbol *like, Type type, const char *name, Tree *passed) {
  Symbol *s = parameter(a, x, like, type, name, passed);
  s->rank = rank_of(passed);
  const Symbol *first = NULL;
  for (int i = 0; i < x->codelet->nparams - 1 && !first; i++)
    if (x->codelet->params[i]->rank) first = x->codelet->params[i];
  for (int d = 0; first && d < s->rank; d++)
    s->shape[d] = (ShapeRule){.said = true, .times = 1, .of = {first}, .dim = {d}};
  return s;
}

static Symbol *parameter_of(const Step *x, const Tree *of) {
  for (int i = 0; of->op == OP_REF && of->symbol->rank && i < x->codelet->nparams; i++)
    if (x->passed[i]->op == OP_REF && x->passed[i]->symbol == of->symbol) return x->codelet->params[i];
  return NULL;
}

static const char *free_name(Arena *a, const Codelet *k, const char *name) {
  const char *made = name;
  for (int i = 0, n = 2; i < k->nparams; i++)
    if (strcmp(k->params[i]->name, made) == 0) {
      made = arena_printf(a, "%s%d", name, n++);
      i = -1;
    }
  return made;
}

/* The loops, of parameters that are named as the function's are. */
static void write_step(Converter *c, Step *x, const Tree *store) {
  const Tree *map = store->kid[0];
  Tree *to = store->kid[1], **given = arena_many(c->a, Tree *, map->nkids);
  for (int i = 0; i < map->nkids; i++) {
    Tree *of = map_given(map, i);
    const Symbol *p = map->spectrum->codelets[0]->params[i], *like = of->op == OP_REF ? of->symbol : p;
    Symbol *s = parameter_of(x, of);
    const Type type = of->op == OP_REF ? like->type : of->type;
    if (!s && tree_is_container(of)) s = container(c->a, x, like, type, p->name, of);
    else if (!s) s = parameter(c->a, x, p, p->type, p->name, of);
    given[i] = tree_ref(c->a, s);
  }
  Symbol *written = parameter_of(x, to);
  if (!written)
    written = container(c->a, x, to->symbol, to->symbol->type, free_name(c->a, x->codelet, to->symbol->name), to);
  written->writable = true;
  Tree *all = loops(c, map, given, tree_ref(c->a, written));
  x->codelet->body = tree_seq(c->a, &all, 1);
  x->codelet->body->where = store->where;
}

/* NAME_f(x, .., to), of a spectrum whose codelet is the loops. */
static Tree *step(Converter *c, const Codelet *from, const Tree *store) {
  Arena *a = c->a;
  Spectrum *s = divide_spectrum(a, c->unit, from->spectrum, store->kid[0]->spectrum->name);
  s->operators = from->spectrum->operators;
  s->monoid = from->spectrum->monoid;
  Step x = {arena_one(a, Codelet), arena_many(a, Tree *, store->kid[0]->nkids + 1)};
  *x.codelet = (Codelet){.spectrum = s, .tag = "whole", .generic = from->generic, .env = from->env,
                         .nenv = from->nenv, .where = store->where, .extent = store->where, .elements = true};
  x.codelet->params = arena_many(a, Symbol *, store->kid[0]->nkids + 1);
  write_step(c, &x, store);
  divide_add(a, s, x.codelet);
  Tree *call = tree_new(a, OP_CALL, TYPE_VOID, store->where, x.codelet->nparams);
  call->spectrum = s;
  for (int i = 0; i < call->nkids; i++) call->kid[i] = x.passed[i];
  return placed(tree_unary(a, OP_RUN, TYPE_VOID, call), store->where);
}

static bool fits(Converter *c, const Tree *store) {
  const Symbol *to = store->kid[1]->symbol;
  for (int i = 0; i < store->kid[0]->nkids; i++) {
    const Tree *x = map_given(store->kid[0], i);
    const bool parameter = x->op == OP_REF && x->symbol->rank && x->symbol->kind == SYMBOL_PARAM;
    if (!parameter || to->kind != SYMBOL_PARAM || same_sizes(x->symbol, to)) continue;
    refuse(c, store->where, "__like(A), on the parameter that the results are stored in",
           arena_printf(c->a, "it does not follow that `%s' has as many elements as `%s'", to->name, x->symbol->name));
    return false;
  }
  return true;
}

typedef struct Storing { Converter *c; const Codelet *codelet; bool steps; } Storing;

static Tree *stored(void *context, Arena *a, Tree *t) {
  Storing *x = context;
  if (!is_store(t)) return t;
  if (!fits(x->c, t)) return t;
  if (x->steps) return step(x->c, x->codelet, t);
  Tree **given = arena_many(a, Tree *, t->kid[0]->nkids);
  for (int i = 0; i < t->kid[0]->nkids; i++) given[i] = map_given(t->kid[0], i);
  return placed(loops(x->c, t->kid[0], given, t->kid[1]), t->where);
}

bool convert_elements_stored(Converter *c, Codelet *k) {
  if (!c->stores) return true;
  Storing x = {c, k, has_steps(k->body)};
  k->elements = !x.steps && k->body->nkids == 1 && is_store(k->body->kid[0]);
  k->body = tree_rewrite(c->a, k->body, stored, &x);
  return !c->failed;
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

/* Loops of sums, of contributions, and of rows that several lanes have between them. */
static void divide_sums(Arena *a, Unit *u, const ScanText *text) {
  interleaved_divide(a, u);
  sums_divide(a, u); /* some of whose steps are such maps */
  contributions_divide(a, u);
  recurrences_add(a, u, text);
  each_row_add(a, u, text);
}

void elements_divide(Arena *a, Unit *u, const ScanText *text, Diagnostics *d) {
  flat_divide(a, u);
  recurrences_add_totals(a, u, text);
  loop_steps_divide(a, u, text->real);
  divide_sums(a, u, text);
  if (loop_steps_divide_rows(a, u)) divide_sums(a, u, text);
  stencils_divide(a, u);
  stores_divide(a, u, d);
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
