/* apply.c: what applies spectra: calls, maps and slides, and the views that they are applied to. */
#include <string.h>

#include "front/elements.h"
#include "ir/function.h"
#include "ir/operator.h"

enum { LARGEST_VALUE = 20000 }; /* nodes of an expression that functions are substituted in */

static Tree *argument(Converter *c, CXCursor call, int i) {
  return convert_expression(c, clang_Cursor_getArgument(call, (unsigned)i));
}

/* A call of the prelude's function of that name. */
static bool calls(Converter *c, CXCursor cursor, const char *name) {
  if (clang_getCursorKind(cursor) != CXCursor_CallExpr || !convert_from_prelude(clang_getCursorReferenced(cursor)))
    return false;
  return strcmp(convert_text(c->a, clang_getCursorSpelling(cursor)), name) == 0;
}

/* Template arguments of what names an operator: it, T, and the operator's struct (front/operations.c). */
enum { NAMED_TYPE = 1, NAMED_OPERATOR, NAMED_ARGUMENTS };

/* The type that a spectrum is applied for: of a template the element's. */
static Type type_for(Converter *c, CXCursor f) {
  const int n = clang_Cursor_getNumTemplateArguments(f);
  int rank;
  return convert_type(c, clang_Cursor_getTemplateArgumentType(f, (unsigned)(n == NAMED_ARGUMENTS ? NAMED_TYPE : n - 1)),
                      &rank);
}

/* Is the template argument, T or what a carrier stands for, the T of the codelet at hand? */
static bool is_own_type(Converter *c, CXCursor f) {
  return clang_Cursor_getNumTemplateArguments(f) <= 0 || !c->generic || type_for(c, f) == convert_element(c);
}

/* .. or a type that the text names, whatever T is? Of what is over operators these are named, too. */
static bool is_fixed_type(Converter *c, CXCursor f) {
  const int n = clang_Cursor_getNumTemplateArguments(f);
  const Type type = type_for(c, f);
  return (n == 1 || n == NAMED_ARGUMENTS) && !c->over && !c->unit->monoid && type != TYPE_COUNT &&
         !type_is_generic(type) && !type_is_state(type);
}

/* `reduce<ArgMin, T>': with that operator. NULL after an error. */
static Spectrum *named_instance(Converter *c, Spectrum *s, CXCursor f, CXCursor reference) {
  const CXType operation = clang_getCanonicalType(clang_Cursor_getTemplateArgumentType(f, NAMED_OPERATOR));
  const char *name = convert_text(c->a, clang_getCursorSpelling(clang_getTypeDeclaration(operation)));
  const Type type = type_for(c, f);
  if (type == TYPE_COUNT || !*name) {
    convert_refuse(c, reference, arena_printf(c->a, "%s<ArgMin, T>", s->name),
                   "`%s' takes an operator and a type of numbers", s->name);
    return NULL;
  }
  s = c->instantiate(c->front, s, type, name, convert_range(c, reference));
  c->failed |= !s;
  return s;
}

/* What a codelet that is not generic applies has the type that it is applied for, and what one over operators applies
 * the operator that it is read with. A user's operator has a state, which codelets that are not generic do not name. */
static Spectrum *instance_of(Converter *c, Spectrum *s, CXCursor f, CXCursor reference) {
  const int n = clang_Cursor_getNumTemplateArguments(f);
  if (n == NAMED_ARGUMENTS) return named_instance(c, s, f, reference);
  if ((c->generic && !c->instance) || n < 1 || c->unit->monoid) return s;
  const Type type = type_for(c, f);
  const char *over = n == 2 && c->over ? c->over->word : NULL;
  if (type == TYPE_COUNT || (!over && type == TYPE_ELEM)) return s;
  return c->instantiate(c->front, s, type, over, convert_range(c, reference));
}

/* The spectrum that a function argument or callee names. */
static Spectrum *spectrum_of(Converter *c, CXCursor reference) {
  reference = convert_bare(c, reference);
  CXCursor f = clang_getCursorReferenced(reference);
  if (clang_getCursorKind(f) == CXCursor_OverloadedDeclRef) f = clang_getOverloadedDecl(f, 0);
  enum CXCursorKind kind = clang_getCursorKind(f);
  if (kind != CXCursor_FunctionDecl && kind != CXCursor_FunctionTemplate) {
    convert_refuse(c, reference, NULL, "this is not a spectrum");
    return NULL;
  }
  const char *name = convert_text(c->a, clang_getCursorSpelling(f));
  if (!is_own_type(c, f) && is_fixed_type(c, f)) {
    Spectrum *of = convert_spectrum(c, name, f);
    if (clang_Cursor_getNumTemplateArguments(f) == NAMED_ARGUMENTS) return named_instance(c, of, f, reference);
    return c->instantiate(c->front, of, type_for(c, f), NULL, convert_range(c, reference));
  }
  if (!is_own_type(c, f)) {
    convert_refuse(c, reference, arena_printf(c->a, "%s<T>", name), "`%s' for a type other than T", name);
    return NULL;
  }
  return instance_of(c, convert_spectrum(c, name, f), f, reference);
}

/* ---- parts ---- */

/* `Cut i = tiles(p, n)', `Cut i = cut(p, start, inc, end)'. */
Tree *convert_cut(Converter *c, CXCursor init) {
  const char *how = "tiles(p, n), or cut(p, start, inc, end)";
  CXCursor call = convert_bare(c, init);
  const bool tiles = calls(c, call, "tiles");
  if (!tiles && !calls(c, call, "cut")) {
    convert_refuse(c, init, how, "a cut is declared with its value");
    return NULL;
  }
  const int n = clang_Cursor_getNumArguments(call);
  Tree *t = tree_new(c->a, OP_CUT, TYPE_INDEX, convert_range(c, call), n);
  for (int i = 0; i < n; i++) {
    CXCursor x = clang_Cursor_getArgument(call, (unsigned)i);
    if (!(t->kid[i] = !tiles && i >= 1 ? convert_sequence(c, x) : convert_expression(c, x))) return NULL;
  }
  return t;
}

/* What becomes of one dimension: `i', `halo(i, 1, 1)', `whole()'. */
static Tree *dimension(Converter *c, CXCursor cursor) {
  CXCursor call = convert_bare(c, cursor);
  if (calls(c, call, "whole")) return tree_new(c->a, OP_WHOLE, TYPE_INDEX, convert_range(c, call), 0);
  const bool halo = calls(c, call, "halo");
  CXCursor named = halo ? convert_bare(c, clang_Cursor_getArgument(call, 0)) : call;
  if (clang_getCursorKind(named) != CXCursor_DeclRefExpr) {
    convert_refuse(c, named, "Cut i = tiles(p, n);, and then i, or halo(i, before, after)",
                   "a cut has a name, by which a map knows it in other containers");
    return NULL;
  }
  Tree *of = convert_expression(c, named);
  if (!of || !halo) return of;
  Tree *t = tree_new(c->a, OP_HALO, TYPE_INDEX, convert_range(c, call), 3);
  t->kid[0] = of;
  for (int i = 1; i < 3; i++)
    if (!(t->kid[i] = argument(c, call, i))) return NULL;
  return t;
}

/* partition(A, i, whole()): a cut for each dimension. */
static Tree *parts_call(Converter *c, CXCursor call) {
  const int n = clang_Cursor_getNumArguments(call);
  Tree *of = argument(c, call, 0);
  if (!of) return NULL;
  const Symbol *s = of->op == OP_REF && of->symbol->kind == SYMBOL_PARAM ? of->symbol : NULL;
  if (!s || s->rank != n - 1) {
    static const char *const such[] = {"partition(x, i)", "partition(A, i, whole())", "partition(A, i, j, whole())",
                                       "partition(A, i, j, k, whole())"};
    convert_refuse(c, call, s && s->rank ? such[s->rank - 1] : "partition(A, i, whole()), of a parameter A",
                   s ? "`%s' has %d dimension%s, and there is a cut for each"
                     : "cuts are of containers that are parameters",
                   s ? s->name : "", s ? s->rank : 0, s && s->rank > 1 ? "s" : "");
    return NULL;
  }
  Tree *t = tree_new(c->a, OP_PARTS, TYPE_CONTAINER, convert_range(c, call), n);
  t->kid[0] = of;
  for (int i = 1; i < n; i++)
    if (!(t->kid[i] = dimension(c, clang_Cursor_getArgument(call, (unsigned)i)))) return NULL;
  return t;
}

static Tree *partition_call(Converter *c, CXCursor call) {
  if (convert_is_class(clang_getCursorType(clang_Cursor_getArgument(call, 1)), "Cut")) return parts_call(c, call);
  Tree *t = tree_new(c->a, OP_PARTITION, TYPE_CONTAINER, convert_range(c, call), 5);
  for (int i = 0; i < 5; i++) {
    CXCursor x = clang_Cursor_getArgument(call, (unsigned)i);
    t->kid[i] = i >= 2 ? convert_sequence(c, x) : convert_expression(c, x);
    if (!t->kid[i]) return NULL;
  }
  if (t->kid[0]->op != OP_REF || t->kid[0]->symbol->rank == 1) return t;
  const int rank = t->kid[0]->symbol->rank;
  convert_refuse(c, call, rank == 2 ? "rows(A), columns(A)" : "partition(A, i, j, k), of cuts", "`%s' has %s",
                 t->kid[0]->symbol->name, convert_dimensions(c->a, rank));
  return NULL;
}

Tree *convert_sequence(Converter *c, CXCursor cursor) {
  CXCursor call = convert_bare(c, cursor);
  if (clang_getCursorKind(call) == CXCursor_DeclRefExpr) return convert_expression(c, call);
  if (clang_getCursorKind(call) != CXCursor_CallExpr) { /* Sequence from a number */
    Tree *t = tree_new(c->a, OP_SEQUENCE, TYPE_INDEX, convert_range(c, call), 1);
    t->kid[0] = convert_expression(c, call);
    return t->kid[0] ? t : NULL;
  }
  int n = clang_Cursor_getNumArguments(call);
  if (n != 1 && n != 3 && n != 4) {
    convert_refuse(c, cursor, "sequence(a) or sequence(start, inc, end)", "this is not a sequence");
    return NULL;
  }
  if (n == 1 && !convert_is_class(clang_getCursorType(call), "Sequence")) {
    convert_refuse(c, cursor, "sequence(a) or sequence(start, inc, end)", "this is not a sequence");
    return NULL;
  }
  Tree *t = tree_new(c->a, OP_SEQUENCE, TYPE_INDEX, convert_range(c, call), n);
  for (int i = 0; i < n; i++)
    if (!(t->kid[i] = argument(c, call, i))) return NULL;
  return t;
}

CXCursor convert_given(Converter *c, CXCursor cursor) {
  CXCursor inner;
  while (convert_is_class(clang_getCursorType(cursor), "Given")) {
    if (clang_getCursorKind(cursor) == CXCursor_CallExpr && clang_Cursor_getNumArguments(cursor) == 1)
      cursor = clang_Cursor_getArgument(cursor, 0);
    else if (convert_last_expression(c, cursor, &inner)) cursor = inner;
    else break;
  }
  return cursor;
}

static const struct { const char *name; Op op; } lines[] = {
    {"rows", OP_ROWS}, {"columns", OP_COLUMNS}, {"elements", OP_ELEMENTS}};

bool convert_belongs_to_map(const char *name) {
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    if (strcmp(name, lines[i].name) == 0) return true;
  static const char *const others[] = {"partition", "sequence", "tiles", "cut", "halo", "whole"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strcmp(name, others[i]) == 0) return true;
  return false;
}

Tree *convert_map_argument(Converter *c, CXCursor cursor) {
  cursor = convert_given(c, cursor);
  CXCursor call = convert_bare(c, cursor);
  if (calls(c, call, "partition")) return partition_call(c, call);
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    if (calls(c, call, lines[i].name)) {
      Tree *x = argument(c, call, 0);
      if (!x) return NULL;
      int rank;
      Type element = convert_type(c, clang_getCursorType(clang_Cursor_getArgument(call, 0)), &rank);
      return convert_at(c, tree_unary(c->a, lines[i].op, lines[i].op == OP_ELEMENTS ? element : TYPE_CONTAINER, x),
                        call);
    }
  return convert_expression(c, cursor);
}

static bool is_of_parts(const Tree *t) {
  return t->op == OP_PARTITION || t->op == OP_PARTS || t->op == OP_ROWS || t->op == OP_COLUMNS || t->op == OP_ELEMENTS;
}

/* Is what a map is given for a parameter that is a number? */
static bool wants_number(CXCursor given) {
  const CXType type = clang_getCanonicalType(clang_getCursorType(given));
  return convert_is_class(type, "Given") &&
         !convert_is_class(clang_getCanonicalType(clang_Type_getTemplateArgumentAsType(type, 0)), "Array");
}

Tree *convert_map(Converter *c, CXCursor cursor) {
  CXCursor call = convert_bare(c, cursor);
  int n = clang_Cursor_getNumArguments(call);
  if (n < 2) {
    convert_refuse(c, cursor, "map(f, partition(..))", "a map has a spectrum and a partition");
    return NULL;
  }
  Tree *t = tree_new(c->a, OP_MAP, TYPE_CONTAINER, convert_range(c, call), n - 1);
  t->spectrum = spectrum_of(c, clang_Cursor_getArgument(call, 0));
  if (!t->spectrum) return NULL;
  if (function_is(t->spectrum)) return convert_elements(c, call, t->spectrum);
  bool parts = false;
  for (int i = 1; i < n; i++) {
    Tree *x = t->kid[i - 1] = convert_map_argument(c, clang_Cursor_getArgument(call, (unsigned)i));
    if (!x) return NULL;
    parts |= is_of_parts(x);
    if (!is_of_parts(x) && tree_is_container(x) && wants_number(clang_Cursor_getArgument(call, (unsigned)i))) {
      convert_refuse(c, clang_Cursor_getArgument(call, (unsigned)i),
                     "elements(x): an element for each part; a function is defined before it is mapped",
                     "`%s' takes a number, and is given a container", t->spectrum->name);
      return NULL;
    }
  }
  if (parts) return t;
  convert_refuse(c, cursor, "map(f, partition(container, n, start, inc, end))", "a map is over a partition");
  return NULL;
}

/* slide(carry, sum, scan, partition(in, ..), partition(out, ..)) */
static Tree *slide_call(Converter *c, CXCursor call) {
  int n = clang_Cursor_getNumArguments(call);
  Tree *t = tree_new(c->a, OP_SLIDE, convert_type_of(c, call), convert_range(c, call), n - 1);
  CXCursor sum = clang_Cursor_getArgument(call, 1);
  t->kid[0] = argument(c, call, 0);
  t->kid[1] = convert_at(c, tree_new(c->a, OP_SPECTRUM, TYPE_CONTAINER, (SourceRange){0}, 0), sum);
  t->kid[1]->spectrum = spectrum_of(c, sum);
  t->spectrum = spectrum_of(c, clang_Cursor_getArgument(call, 2));
  if (!t->kid[0] || !t->kid[1]->spectrum || !t->spectrum) return NULL;
  for (int i = 3; i < n; i++)
    if (!(t->kid[i - 1] = convert_map_argument(c, clang_Cursor_getArgument(call, (unsigned)i)))) return NULL;
  return t;
}

/* ---- views ---- */

/* What counts a view's elements is a whole number, 0 or more. */
static bool is_count(Converter *c, CXCursor cursor, const Tree *t, const ViewRow *view) {
  const Type type = convert_type_of(c, convert_bare(c, cursor)); /* before C++ converts it */
  int64_t value;
  const char *why = !type_is_whole(type) && type != TYPE_BOOL                      ? "is not an integer"
                    : tree_constant(t->kid[view->count], &value) && value < 0 ? "is negative"
                                                                              : NULL;
  if (why) convert_refuse(c, cursor, view->call, "the argument of `%s' %s", view->name, why);
  return !why;
}

Tree *convert_applied(Converter *c, CXCursor call, const char *name) {
  if (strcmp(name, "slide") == 0) return slide_call(c, call);
  if (strcmp(name, "zip") == 0) {
    convert_refuse(c, call, "transform(f<T>, zip(x, y))", "`zip' belongs inside a transform");
    return NULL;
  }
  int nviews;
  const ViewRow *view = op_views(&nviews), *last = view + nviews;
  while (view < last && strcmp(name, view->name) != 0) view++;
  if (view == last) return NULL;
  Spectrum *function = NULL;
  int first = view->applies;
  if (first && !(function = spectrum_of(c, clang_Cursor_getArgument(call, 0)))) return NULL;
  CXCursor of = call;
  if (view->op == OP_TRANSFORM) { /* of containers side by side, or of one */
    CXCursor zip = convert_bare(c, clang_Cursor_getArgument(call, 1));
    if (calls(c, zip, "zip")) {
      of = zip;
      first = 0;
    }
  }
  int n = clang_Cursor_getNumArguments(of) - first, rank;
  Tree *t = tree_new(c->a, view->op, convert_type(c, clang_getCursorType(call), &rank), convert_range(c, call), n);
  if (function) t->spectrum = function;
  for (int i = 0; i < n; i++)
    if (!(t->kid[i] = argument(c, of, first + i))) return NULL;
  const bool counted = view->count < 0 ||
                       is_count(c, clang_Cursor_getArgument(of, (unsigned)(first + view->count)), t, view);
  return counted ? t : NULL;
}

/* ---- calls ---- */

static bool count_nodes(void *context, const Tree *t) {
  (void)t;
  return ++*(int *)context <= LARGEST_VALUE;
}

/* As a parameter of 32 bits takes it, which the value may come to exceed: index_types.c drops what converts nothing. */
static Tree *narrowed(Converter *c, Tree *t) {
  if (t->op == OP_INT || (t->type != TYPE_INT && t->type != TYPE_UINT)) return t;
  Tree *cast = tree_unary(c->a, OP_CAST, t->type, t);
  cast->where = t->where;
  return cast;
}

/* A function's value for the call's arguments. */
static Tree *function_call(Converter *c, CXCursor call, const Spectrum *f) {
  int n = clang_Cursor_getNumArguments(call);
  if (!f->ncodelets) {
    if (f->refused) return NULL;
    convert_refuse(c, call, "define it before the codelet that calls it", "the function `%s' is not defined yet",
                   f->name);
    return NULL;
  }
  Tree **arguments = arena_many(c->a, Tree *, n);
  for (int i = 0; i < n; i++) {
    CXCursor x = clang_Cursor_getArgument(call, (unsigned)i);
    const Type type = f->codelets[0]->params[i]->type;
    if (!(arguments[i] = convert_value(c, x, type))) return NULL;
    if (arguments[i]->type == type) arguments[i] = narrowed(c, arguments[i]);
  }
  int nodes = 0;
  for (int i = 0; i < n; i++) tree_visit(arguments[i], count_nodes, &nodes);
  Tree *t = function_apply(c->a, f, arguments, n);
  nodes = 0;
  tree_visit(t, count_nodes, &nodes);
  if (nodes <= LARGEST_VALUE) return convert_at(c, t, call);
  convert_refuse(c, call, "keep a part of it in a variable",
                 "this expression is too large once its functions are inlined");
  return NULL;
}

/* Are all of its parameters numbers? */
static bool is_of_numbers(Converter *c, CXCursor f) {
  int n = clang_Cursor_getNumArguments(f), rank;
  for (int i = 0; i < n; i++) {
    convert_type(c, clang_getCursorType(clang_Cursor_getArgument(f, (unsigned)i)), &rank);
    if (rank) return false;
  }
  return n > 0;
}

Tree *convert_call(Converter *c, CXCursor call) {
  int n = clang_Cursor_getNumArguments(call);
  Cursors k = convert_children(c->a, call);
  Spectrum *s = k.n ? spectrum_of(c, k.at[0]) : NULL;
  if (!s) return NULL;
  if (convert_is_class(clang_getCursorType(call), "Array")) { /* its T is a container */
    convert_refuse(c, call, "a view of what it makes of each element: `transform(f<T>, x)'",
                   "`%s' is a function of numbers, and is given a container", s->name);
    return NULL;
  }
  if (is_of_numbers(c, clang_getCursorReferenced(call))) return function_call(c, call, s);
  Tree *t = tree_new(c->a, OP_CALL, type_is_state(s->result) ? s->result : convert_type_of(c, call),
                     convert_range(c, call), n);
  t->spectrum = s;
  for (int i = 0; i < n; i++)
    if (!(t->kid[i] = argument(c, call, i))) return NULL;
  return t;
}

/* ---- statements ---- */

static Tree *map_member(Converter *c, CXCursor cursor, CXCursor object) {
  static const struct { const char *name; AtomicOp op; } rows[] = {
      {"atomicAdd", ATOMIC_ADD}, {"atomicSub", ATOMIC_SUB}, {"atomicMax", ATOMIC_MAX}, {"atomicMin", ATOMIC_MIN},
      {"atomic", ATOMIC_NONE}};
  if (!convert_is_class(clang_getCursorType(object), "Map")) return NULL;
  const char *name = convert_text(c->a, clang_getCursorSpelling(cursor));
  const Symbol *named = convert_symbol(c, object);
  if (named && named->init && named->init->op == OP_TRANSFORM) {
    if (strcmp(name, "to") == 0) return convert_elements_store(c, cursor, named, clang_Cursor_getArgument(cursor, 0));
    convert_refuse(c, cursor, "`sum(m)': a spectrum of the elements' results",
                   "`%s' is of the results of parts, and these are of elements", name);
    return NULL;
  }
  Tree *map = convert_expression(c, object);
  if (!map) return NULL;
  if (strcmp(name, "to") == 0) {
    Tree *to = argument(c, cursor, 0);
    return to ? convert_at(c, tree_binary(c->a, OP_MAP_TO, TYPE_VOID, map, to), cursor) : NULL;
  }
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].name, name) == 0) {
      Tree *t = convert_at(c, tree_unary(c->a, OP_MAP_ATOMIC, TYPE_VOID, map), cursor);
      t->atomic = rows[i].op ? rows[i].op : c->over ? operator_atomic(c->over->kind) : ATOMIC_NONE;
      return t;
    }
  return NULL;
}

/* `next.append(v)': kid 0 counts, then v, the queue's first element, and how many it has room for. */
static Tree *append(Converter *c, CXCursor cursor, CXCursor object) {
  Tree *to = convert_expression(c, object);
  if (!to) return NULL;
  Symbol *s = to->op == OP_REF ? to->symbol : NULL;
  if (!s || !s->counter) {
    convert_refuse(c, object, "__append(count) Array<1, T> next", "only a parameter that is `__append' is appended to");
    return NULL;
  }
  Tree *value = convert_value(c, clang_Cursor_getArgument(cursor, 0), s->type);
  if (!value) return NULL;
  Tree *first = tree_int(c->a, TYPE_INDEX, 0), *all = tree_new(c->a, OP_SIZE, TYPE_INDEX, to->where, 1);
  all->kid[0] = to;
  Tree *t = tree_new(c->a, OP_ATOMIC, TYPE_VOID, convert_range(c, cursor), 4);
  t->atomic = ATOMIC_APPEND;
  t->scope = SCOPE_DEVICE;
  t->kid[0] = tree_binary(c->a, OP_INDEX, s->counter->type, tree_ref(c->a, (Symbol *)s->counter), first);
  t->kid[1] = value;
  t->kid[2] = tree_binary(c->a, OP_INDEX, s->type, to, first);
  t->kid[3] = all;
  return t;
}

Tree *convert_run(Converter *c, CXCursor cursor) {
  CXCursor object;
  if (clang_getCursorKind(cursor) != CXCursor_CallExpr) return NULL;
  if (convert_object(c, cursor, &object) && convert_is_class(clang_getCursorType(object), "Array") &&
      strcmp(convert_text(c->a, clang_getCursorSpelling(cursor)), "append") == 0)
    return append(c, cursor, object);
  if (convert_object(c, cursor, &object)) return map_member(c, cursor, object);
  bool map = calls(c, cursor, "map"), slide = calls(c, cursor, "slide");
  CXCursor f = clang_getCursorReferenced(cursor);
  bool call = clang_getCursorKind(f) == CXCursor_FunctionDecl && !convert_from_prelude(f) && !is_of_numbers(c, f);
  if (!map && !slide && !call) return NULL;
  Tree *t = map ? convert_map(c, cursor) : slide ? slide_call(c, cursor) : convert_call(c, cursor);
  if (t && t->op == OP_TRANSFORM) {
    convert_refuse(c, cursor, "Map m(f<T>, x); m.to(y);", "the results of the elements are not used");
    return NULL;
  }
  return t ? convert_at(c, tree_unary(c->a, map ? OP_MAP_RUN : OP_RUN, TYPE_VOID, t), cursor) : NULL;
}
