/* row_product.c: the rows of a container, seen as a matrix, times a constant one:
 *
 *     mma(matrix(in, columns), ones<T>(), matrix(out, 1))              the sum of each row
 *     mma(matrix(in, columns), triangle<T>(), matrix(out, columns))    of each element and those before it in its row
 *
 *     return mma(ones<T>(), matrix(in), ones<T>())                      of all elements
 *     return mma(carry, matrix(in), triangle<T>(), matrix(out))         of each element, all before it, and `carry'
 *
 * In a codelet's tree it is the loops that it stands for: for all elements, or for each element `at' of `out'
 *
 *     sum = 0;
 *     for (k = begin of its row; k < end of it, or of those up to its own; ++k) sum += in[k];
 *     out[at] = sum;
 *
 * so that all that looks at loops and uses sees ordinary sums; who may compute it, and what is multiplied,
 * Codelet.rows says. */
#include <string.h>

#include "front/convert.h"
#include "ir/build.h"

static const char form[] = "mma(matrix(in, columns), ones<T>(), matrix(out, 1)), or with triangle<T>() and "
                           "matrix(out, columns)";

/* A call of the prelude's function of that name, whose cursor is left without what stands around it. */
static bool calls(Converter *c, CXCursor *cursor, const char *name) {
  *cursor = convert_bare(c, *cursor);
  return clang_getCursorKind(*cursor) == CXCursor_CallExpr &&
         strcmp(convert_text(c->a, clang_getCursorSpelling(*cursor)), name) == 0 &&
         convert_from_prelude(clang_getCursorReferenced(*cursor));
}

bool convert_belongs_to_product(const char *name) {
  return strcmp(name, "matrix") == 0 || strcmp(name, "ones") == 0 || strcmp(name, "triangle") == 0;
}

bool convert_is_row_product(Converter *c, CXCursor call) {
  CXCursor first = clang_Cursor_getArgument(call, 0), second = clang_Cursor_getArgument(call, 1),
           third = clang_Cursor_getArgument(call, 2);
  return calls(c, &first, "matrix") || calls(c, &third, "matrix") || calls(c, &second, "ones") ||
         calls(c, &second, "triangle");
}

/* `matrix(c, columns)' of a parameter. */
static Symbol *seen_as_matrix(Converter *c, CXCursor at, Tree **columns) {
  CXCursor call = at;
  if (!calls(c, &call, "matrix")) {
    convert_refuse(c, at, form, "the other factor, and what becomes of both, are containers seen as matrices");
    return NULL;
  }
  if (clang_Cursor_getNumArguments(call) != 2) {
    convert_refuse(c, call, "matrix(in, 16)", "of how many columns this is decides what is summed up");
    return NULL;
  }
  Tree *of = convert_expression(c, clang_Cursor_getArgument(call, 0));
  if (!of || !(*columns = convert_expression(c, clang_Cursor_getArgument(call, 1)))) return NULL;
  if (of->op == OP_REF && of->symbol->kind == SYMBOL_PARAM && of->symbol->rank == 1) return of->symbol;
  convert_refuse(c, call, form, "a matrix unit multiplies a codelet's parameters");
  return NULL;
}

static bool constant_of(Converter *c, CXCursor at, ConstantMatrix *by) {
  CXCursor call = at;
  *by = CONSTANT_ONES;
  if (calls(c, &call, "ones")) return true;
  *by = CONSTANT_TRIANGLE;
  if (calls(c, &call, "triangle")) return true;
  convert_refuse(c, at, form, "rows are multiplied by a constant matrix");
  return false;
}

/* Are there as many columns as the constant makes of a row's? */
static bool columns_fit(Converter *c, CXCursor at, const RowProduct *p, const Tree *from, const Tree *to) {
  int64_t columns;
  if (p->by == CONSTANT_ONES && !(tree_constant(to, &columns) && columns == 1))
    convert_refuse(c, at, "matrix(out, 1)", "by ones each row has one sum");
  else if (p->by == CONSTANT_TRIANGLE && !tree_equal(from, to))
    convert_refuse(c, at, "the same number of columns for both",
                   "a triangle makes as many sums of a row as it has elements");
  else if (tree_constant(from, &columns) && columns < 1)
    convert_refuse(c, at, "matrix(in, 16)", "a row of %lld elements", (long long)columns);
  return !c->failed;
}

/* ---- the loops ---- */

static Symbol *number_named(Converter *c, const char *name, bool assigned) {
  Symbol *s = symbol_new(c->a, SYMBOL_LOCAL, name, TYPE_INDEX);
  s->declared = TYPE_UINT;
  s->writable = assigned;
  s->constant = !assigned;
  return s;
}

static Tree *size_of(Converter *c, const Symbol *s) {
  return tree_unary(c->a, OP_SIZE, TYPE_INDEX, tree_ref(c->a, (Symbol *)s));
}

static Tree *loop(Converter *c, Symbol *i, Tree *from, Tree *end, Tree **body, int n) {
  return build_for(c->a, i, from, end, build_index(c->a, 1), tree_seq(c->a, body, n));
}

static Tree *element(Converter *c, const Symbol *of, Symbol *at) {
  Tree *t = tree_new(c->a, OP_INDEX, of->type, (SourceRange){0}, 2);
  t->kid[0] = tree_ref(c->a, (Symbol *)of);
  t->kid[1] = tree_ref(c->a, at);
  return t;
}

static Tree *loops(Converter *c, const RowProduct *p) {
  Arena *a = c->a;
  Symbol *at = number_named(c, "at", true), *k = number_named(c, "k", true);
  Symbol *begin = number_named(c, "begin", false), *sum = symbol_new(a, SYMBOL_LOCAL, "sum", p->from->type);
  sum->writable = true;
  Tree *columns = tree_ref(a, (Symbol *)p->columns), *own = tree_ref(a, at), *first, *end;
  if (p->by == CONSTANT_ONES) {
    first = tree_binary(a, OP_MUL, TYPE_INDEX, own, columns);
    end = build_add(a, tree_ref(a, begin), columns);
  } else {
    first = build_sub(a, own, tree_binary(a, OP_REM, TYPE_INDEX, own, columns));
    end = build_add(a, own, build_index(a, 1));
  }
  Tree *add = build_assign(a, tree_ref(a, sum), element(c, p->from, k));
  add->compound = OP_ADD;
  end = tree_binary(a, OP_MIN, TYPE_INDEX, end, size_of(c, p->from));
  Tree *body[] = {build_declare(a, begin, first), build_declare(a, sum, tree_int(a, sum->type, 0)),
                  loop(c, k, tree_ref(a, begin), end, &add, 1),
                  build_assign(a, element(c, p->to, at), tree_ref(a, sum))};
  return loop(c, at, build_index(a, 0), size_of(c, p->to), body, 4);
}

bool convert_is_total_product(Converter *c, CXCursor returned) {
  CXCursor call = returned, first;
  if (!calls(c, &call, "mma") || clang_Cursor_getNumArguments(call) != 3) return false;
  first = clang_Cursor_getArgument(call, 0);
  return calls(c, &first, "ones");
}

/* `matrix(c)' of a parameter, of any number of columns. */
static Symbol *seen_as_any_matrix(Converter *c, CXCursor at, CXCursor call, const char *how, const char *why) {
  CXCursor of = at;
  if (!calls(c, &of, "matrix") || clang_Cursor_getNumArguments(of) != 1) {
    convert_refuse(c, call, how, "%s", why);
    return NULL;
  }
  Tree *from = convert_expression(c, clang_Cursor_getArgument(of, 0));
  if (!from) return NULL;
  if (from->op == OP_REF && from->symbol->kind == SYMBOL_PARAM && from->symbol->rank == 1) return from->symbol;
  convert_refuse(c, of, how, "a matrix unit multiplies a codelet's parameters");
  return NULL;
}

Tree *convert_total_product(Converter *c, CXCursor returned) {
  enum { FROM = 1 };
  Arena *a = c->a;
  CXCursor call = convert_bare(c, returned);
  RowProduct *p = arena_one(a, RowProduct);
  p->from = seen_as_any_matrix(c, clang_Cursor_getArgument(call, FROM), call,
                               "return mma(ones<T>(), matrix(in), ones<T>());",
                               "the sum of all elements is that of any matrix of them");
  if (!p->from) return NULL;
  Symbol *k = number_named(c, "k", true), *sum = symbol_new(a, SYMBOL_LOCAL, "sum", p->from->type);
  sum->writable = true;
  Tree *add = build_assign(a, tree_ref(a, sum), element(c, p->from, k));
  add->compound = OP_ADD;
  Tree *body[] = {build_declare(a, sum, tree_int(a, sum->type, 0)),
                  loop(c, k, build_index(a, 0), size_of(c, p->from), &add, 1),
                  tree_unary(a, OP_RETURN, TYPE_VOID, tree_ref(a, sum))};
  Tree *all = convert_at(c, tree_seq(a, body, 3), call);
  c->product = all;
  c->rows = p;
  return all;
}

bool convert_is_scan_product(Converter *c, CXCursor returned) {
  enum { OPERANDS = 4 };
  CXCursor call = returned;
  return calls(c, &call, "mma") && clang_Cursor_getNumArguments(call) == OPERANDS;
}

Tree *convert_scan_product(Converter *c, CXCursor returned) {
  enum { CARRY, FROM, BY, TO };
  static const char how[] = "return mma(carry, matrix(in), triangle<T>(), matrix(out));";
  static const char why[] = "the scan of all elements is that of any matrix of them";
  Arena *a = c->a;
  CXCursor call = convert_bare(c, returned), by = clang_Cursor_getArgument(call, BY);
  CXCursor to = clang_Cursor_getArgument(call, TO);
  RowProduct *p = arena_one(a, RowProduct);
  const Tree *carry = convert_expression(c, clang_Cursor_getArgument(call, CARRY));
  if (!carry || !(p->from = seen_as_any_matrix(c, clang_Cursor_getArgument(call, FROM), call, how, why)) ||
      !(p->to = seen_as_any_matrix(c, to, call, how, why)))
    return NULL;
  const bool given = carry->op == OP_REF && carry->symbol->kind == SYMBOL_PARAM && !carry->symbol->rank;
  const bool made = p->to != p->from && p->to->writable && !p->to->atomic;
  if (!given) convert_refuse(c, call, how, "a scan begins with a parameter of its codelet");
  else if (!calls(c, &by, "triangle")) convert_refuse(c, call, how, "a scan is a product by a triangle of ones");
  else if (!made)
    convert_refuse(c, to, "a parameter `__mutable Array<1, T>'", "a matrix unit writes to `%s'", p->to->name);
  if (c->failed) return NULL;
  p->by = CONSTANT_TRIANGLE;
  p->carry = carry->symbol;
  Symbol *k = number_named(c, "k", true), *sum = symbol_new(a, SYMBOL_LOCAL, "sum", p->from->type);
  sum->writable = true;
  Tree *add = build_assign(a, tree_ref(a, sum), element(c, p->from, k));
  add->compound = OP_ADD;
  Tree *each[] = {add, build_assign(a, element(c, p->to, k), tree_ref(a, sum))};
  Tree *body[] = {build_declare(a, sum, tree_ref(a, (Symbol *)p->carry)),
                  loop(c, k, build_index(a, 0), size_of(c, p->from), each, 2),
                  tree_unary(a, OP_RETURN, TYPE_VOID, tree_ref(a, sum))};
  Tree *all = convert_at(c, tree_seq(a, body, 3), call);
  c->product = all;
  c->rows = p;
  return all;
}

Tree *convert_row_product(Converter *c, CXCursor call) {
  enum { FROM, BY, TO };
  Arena *a = c->a;
  RowProduct *p = arena_one(a, RowProduct);
  Tree *columns = NULL, *to_columns = NULL;
  CXCursor to = clang_Cursor_getArgument(call, TO);
  if (!(p->from = seen_as_matrix(c, clang_Cursor_getArgument(call, FROM), &columns)) ||
      !constant_of(c, clang_Cursor_getArgument(call, BY), &p->by) || !(p->to = seen_as_matrix(c, to, &to_columns)))
    return NULL;
  if (p->to == p->from || !p->to->writable || p->to->atomic) {
    convert_refuse(c, to, "a parameter `__mutable Array<1, T>'", "a matrix unit writes to `%s'", p->to->name);
    return NULL;
  }
  if (!columns_fit(c, call, p, columns, to_columns)) return NULL;
  Symbol *s = number_named(c, "columns", false);
  p->columns = s;
  columns = tree_binary(a, OP_MIN, TYPE_INDEX, columns, size_of(c, p->from));
  if (p->by == CONSTANT_TRIANGLE) columns = tree_binary(a, OP_MAX, TYPE_INDEX, columns, build_index(a, 1));
  Tree *body[] = {build_declare(a, s, columns), loops(c, p)};
  Tree *all = convert_at(c, tree_seq(a, body, 2), call);
  c->product = all;
  c->rows = p;
  return all;
}
