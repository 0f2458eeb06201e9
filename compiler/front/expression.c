/* expression.c: expressions of codelets; apply.c has those that apply spectra. Parentheses and implicit casts vanish;
 * what they do to a value stays. */
#include <math.h>
#include <string.h>

#include "front/convert.h"
#include "front/elements.h"
#include "front/members.h"
#include "front/native.h"
#include "ir/operator.h"
#include "ir/monoid.h"

/* ---- conversions ---- */

static bool is_real(Type t) { return t == TYPE_FLOAT || t == TYPE_DOUBLE || t == TYPE_ELEM; }

static Tree *coerce(Converter *c, Tree *t, Type type) {
  if (!t || t->type == type || type == TYPE_COUNT || type == TYPE_CONTAINER || type == TYPE_VOID) return t;
  if (t->op == OP_INT || t->op == OP_LIMIT) {
    Tree *copy = tree_with_kids(c->a, t, NULL, 0);
    copy->type = type;
    if (type == TYPE_BOOL) { copy->op = OP_BOOL; copy->number = t->number != 0; }
    return copy;
  }
  if (t->op == OP_FLOAT && is_real(type)) {
    Tree *copy = tree_with_kids(c->a, t, NULL, 0);
    copy->type = type;
    return copy;
  }
  if (is_real(type) == is_real(t->type)) {
    bool widens = type != TYPE_ELEM && t->type != TYPE_ELEM;
    if (!is_real(type) || widens) return t; /* C does the same where the text is compiled */
  }
  if (type == TYPE_BOOL) return t;
  Tree *cast = tree_unary(c->a, OP_CAST, type, t);
  cast->where = t->where;
  return cast;
}

Tree *convert_value(Converter *c, CXCursor cursor, Type type) { return coerce(c, convert_expression(c, cursor), type); }

Tree *convert_at(Converter *c, Tree *t, CXCursor cursor) {
  if (t) t->where = convert_range(c, cursor);
  return t;
}

Type convert_type_of(Converter *c, CXCursor cursor) {
  int rank;
  Type t = convert_type(c, clang_getCursorType(cursor), &rank);
  return rank ? TYPE_CONTAINER : t;
}

/* ---- leaves ---- */

static Tree *literal(Converter *c, CXCursor cursor) {
  CXEvalResult r = clang_Cursor_Evaluate(cursor);
  if (!r) { convert_refuse(c, cursor, NULL, "this constant is not supported"); return NULL; }
  Tree *t = NULL;
  switch (clang_EvalResult_getKind(r)) {
    case CXEval_Int:
      t = tree_int(c->a, convert_type_of(c, cursor), clang_EvalResult_getAsLongLong(r));
      if (t->type == TYPE_BOOL) t->op = OP_BOOL;
      break;
    case CXEval_Float:
      t = tree_new(c->a, OP_FLOAT, convert_type_of(c, cursor), (SourceRange){0}, 0);
      t->real = clang_EvalResult_getAsDouble(r);
      if (!isfinite(t->real)) convert_refuse(c, cursor, "lowest<T>(), highest<T>()", "this constant is not finite");
      break;
    default: convert_refuse(c, cursor, NULL, "codelets have no constant of this kind");
  }
  clang_EvalResult_dispose(r);
  return convert_at(c, t, cursor);
}

static Tree *reference(Converter *c, CXCursor cursor) {
  Symbol *s = convert_symbol(c, cursor);
  if (!s) {
    convert_refuse(c, cursor, "a codelet uses its parameters, its own variables and spectra",
                   "`%s' is not a variable of this codelet", convert_text(c->a, clang_getCursorSpelling(cursor)));
    return NULL;
  }
  if (s->kind == SYMBOL_MAP && s->init && s->init->op == OP_TRANSFORM)
    return convert_elements_reference(c, cursor, s);
  return convert_at(c, tree_ref(c->a, s), cursor);
}

/* ---- operators ---- */

static const struct { enum CXBinaryOperatorKind clang; Op op; } binaries[] = {
    {CXBinaryOperator_Add, OP_ADD}, {CXBinaryOperator_Sub, OP_SUB}, {CXBinaryOperator_Mul, OP_MUL},
    {CXBinaryOperator_Div, OP_DIV}, {CXBinaryOperator_Rem, OP_REM}, {CXBinaryOperator_Shl, OP_SHL},
    {CXBinaryOperator_Shr, OP_SHR}, {CXBinaryOperator_And, OP_AND}, {CXBinaryOperator_Or, OP_OR},
    {CXBinaryOperator_Xor, OP_XOR}, {CXBinaryOperator_LT, OP_LT}, {CXBinaryOperator_LE, OP_LE},
    {CXBinaryOperator_GT, OP_GT}, {CXBinaryOperator_GE, OP_GE}, {CXBinaryOperator_EQ, OP_EQ},
    {CXBinaryOperator_NE, OP_NE}, {CXBinaryOperator_LAnd, OP_LAND}, {CXBinaryOperator_LOr, OP_LOR}};

static Tree *binary(Converter *c, CXCursor cursor) {
  enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);
  Cursors k = convert_children(c->a, cursor);
  for (size_t i = 0; i < sizeof binaries / sizeof *binaries && k.n == 2; i++) {
    if (binaries[i].clang != kind) continue;
    Op op = binaries[i].op;
    Type type = convert_type_of(c, cursor);
    Tree *x = convert_expression(c, k.at[0]), *y = convert_expression(c, k.at[1]);
    if (!x || !y) return NULL;
    bool compares = op >= OP_LT && op <= OP_NE;
    Type common = compares ? (is_real(x->type) ? x->type : is_real(y->type) ? y->type : TYPE_COUNT)
                  : is_real(type) ? type : TYPE_COUNT;
    return convert_at(c, tree_binary(c->a, op, type, coerce(c, x, common), coerce(c, y, common)), cursor);
  }
  bool assigns = kind == CXBinaryOperator_Assign;
  convert_refuse(c, cursor, assigns ? "make it a statement of its own" : NULL,
                 assigns ? "an assignment inside an expression" : "codelets do not have this operator");
  return NULL;
}

static Tree *unary(Converter *c, CXCursor cursor) {
  Cursors k = convert_children(c->a, cursor);
  Op op = OP_COUNT;
  switch (clang_getCursorUnaryOperatorKind(cursor)) {
    case CXUnaryOperator_Minus: op = OP_NEG; break;
    case CXUnaryOperator_LNot: op = OP_NOT; break;
    case CXUnaryOperator_Not: op = OP_BNOT; break;
    case CXUnaryOperator_Plus: return k.n ? convert_value(c, k.at[0], convert_type_of(c, cursor)) : NULL;
    case CXUnaryOperator_PostInc: case CXUnaryOperator_PreInc:
    case CXUnaryOperator_PostDec: case CXUnaryOperator_PreDec:
      convert_refuse(c, cursor, "make it a statement of its own", "an increment inside an expression");
      return NULL;
    default: convert_refuse(c, cursor, NULL, "codelets have no pointers: this operator is not supported"); return NULL;
  }
  Type type = convert_type_of(c, cursor);
  Tree *x = k.n ? convert_value(c, k.at[0], op == OP_NOT ? TYPE_COUNT : type) : NULL;
  if (!x) return NULL;
  if (op == OP_NEG && x->op == OP_INT) { x->number = -x->number; return convert_at(c, x, cursor); }
  if (op == OP_NEG && x->op == OP_FLOAT) { x->real = -x->real; return convert_at(c, x, cursor); }
  return convert_at(c, tree_unary(c->a, op, type, x), cursor);
}

static Tree *conditional(Converter *c, CXCursor cursor) {
  Cursors k = convert_children(c->a, cursor);
  if (k.n != 3) return NULL;
  Type type = convert_type_of(c, cursor);
  Tree *t = tree_new(c->a, OP_COND, type, (SourceRange){0}, 3);
  t->kid[0] = convert_expression(c, k.at[0]);
  t->kid[1] = convert_value(c, k.at[1], type);
  t->kid[2] = convert_value(c, k.at[2], type);
  return t->kid[0] && t->kid[1] && t->kid[2] ? convert_at(c, t, cursor) : NULL;
}

/* The last child that is an expression: casts name their type first. */
bool convert_last_expression(Converter *c, CXCursor cursor, CXCursor *found) {
  Cursors k = convert_children(c->a, cursor);
  for (int i = k.n - 1; i >= 0; i--)
    if (clang_isExpression(clang_getCursorKind(k.at[i]))) { *found = k.at[i]; return true; }
  return false;
}

static Tree *cast(Converter *c, CXCursor cursor) {
  CXCursor inner;
  Type type = convert_type_of(c, cursor);
  if (type == TYPE_COUNT || !convert_last_expression(c, cursor, &inner)) {
    convert_refuse(c, cursor, NULL, "codelets do not have this cast");
    return NULL;
  }
  Tree *x = convert_expression(c, inner);
  if (!x || x->type == type || type == TYPE_CONTAINER) return x;
  if (x->op == OP_INT) return convert_at(c, coerce(c, x, type), cursor);
  return convert_at(c, tree_unary(c->a, OP_CAST, type, x), cursor);
}

/* ---- calls ---- */

typedef struct NamedOp { const char *name; Op op; Type type; } NamedOp;

static const NamedOp vector_members[] = {{"Size", OP_VECTOR_SIZE, TYPE_INT}, {"MaxSize", OP_VECTOR_MAX, TYPE_INT},
                                         {"ThreadId", OP_VECTOR_THREAD, TYPE_INT}, {"LaneId", OP_VECTOR_LANE, TYPE_INT},
                                         {"VectorId", OP_VECTOR_ID, TYPE_INT}};
static const NamedOp container_members[] = {{"Size", OP_SIZE, TYPE_INDEX}, {"size", OP_SIZE, TYPE_INDEX},
                                            {"Stride", OP_STRIDE, TYPE_INDEX}};
static const NamedOp functions[] = {{"coopIdx", OP_VECTOR_THREAD, TYPE_INT}, {"coopDim", OP_COOP_DIM, TYPE_INT},
                                    {"min", OP_MIN, TYPE_COUNT}, {"max", OP_MAX, TYPE_COUNT}};

static const NamedOp *named(const NamedOp *rows, size_t n, const char *name) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(rows[i].name, name) == 0) return &rows[i];
  return NULL;
}
#define NAMED(rows, name) named(rows, sizeof(rows) / sizeof *(rows), name)

/* Casts, copies and temporaries around what was written. */
CXCursor convert_bare(Converter *c, CXCursor cursor) {
  for (;;) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    CXCursor inner;
    if (kind == CXCursor_UnexposedExpr || kind == CXCursor_ParenExpr) {
      if (!convert_last_expression(c, cursor, &inner)) return cursor;
    } else if (kind == CXCursor_CallExpr && clang_Cursor_getNumArguments(cursor) == 1) {
      CXCursor f = clang_getCursorReferenced(cursor);
      if (clang_getCursorKind(f) != CXCursor_Constructor ||
          !(clang_CXXConstructor_isCopyConstructor(f) || clang_CXXConstructor_isMoveConstructor(f)))
        return cursor;
      inner = clang_Cursor_getArgument(cursor, 0);
    } else return cursor;
    cursor = inner;
  }
}

/* The object of a member call `object.name(..)'; false when it is not one. */
bool convert_object(Converter *c, CXCursor call, CXCursor *object) {
  Cursors k = convert_children(c->a, call);
  if (!k.n) return false;
  CXCursor callee = convert_bare(c, k.at[0]);
  if (clang_getCursorKind(callee) != CXCursor_MemberRefExpr) return false;
  Cursors m = convert_children(c->a, callee);
  for (int i = 0; i < m.n; i++)
    if (clang_isExpression(clang_getCursorKind(m.at[i]))) { *object = convert_bare(c, m.at[i]); return true; }
  return false;
}

const char *convert_dimensions(Arena *a, int rank) {
  static const char *const numbers[] = {"one", "two", "three", "four"};
  return arena_printf(a, "%s dimension%s", numbers[rank - 1], rank > 1 ? "s" : "");
}

/* `A.Size(1)': which dimension. */
static bool dimension(Converter *c, CXCursor argument, Tree *of) {
  int rank = of->kid[0]->op == OP_REF ? of->kid[0]->symbol->rank : 1;
  int64_t number;
  Tree *t = convert_expression(c, argument);
  if (!t) return false;
  if (!tree_constant(t, &number) || number < 0 || number >= rank) {
    convert_refuse(c, argument, rank == 1   ? "leave it out"
                                : rank == 2 ? "0, the rows, or 1, the columns" : "0, 1, ..: one of its dimensions",
                   "a container of %s has no such dimension", convert_dimensions(c->a, rank));
    return false;
  }
  of->dimension = number;
  return true;
}

/* `A.Stride()', of a matrix: in which direction? */
static bool says_direction(Converter *c, CXCursor call, const Tree *of) {
  const int rank = of->kid[0]->op == OP_REF ? of->kid[0]->symbol->rank : 1;
  if (of->op != OP_STRIDE || rank < 2 || clang_Cursor_getNumArguments(call) > 0) return true;
  convert_refuse(c, call, "Stride(0), ..: how far apart neighbours of that dimension lie in memory",
                 "a container of %s has a stride for each of them", convert_dimensions(c->a, rank));
  return false;
}

/* `levels.claim(i, unset, value)'. */
static Tree *claim(Converter *c, CXCursor call, CXCursor object) {
  Tree *of = convert_expression(c, object);
  const Symbol *s = of && of->op == OP_REF ? of->symbol : NULL;
  if (!s) return NULL;
  if (s->atomic != ATOMIC_ANY || s->rank != 1 || !type_is_whole(s->type)) {
    convert_refuse(c, call, "__accum(Any) Array<1, int>",
                   "`%s' is not `__accum(Any)', of one dimension and whole numbers", s->name);
    return NULL;
  }
  Tree *t = tree_new(c->a, OP_CLAIM, TYPE_BOOL, convert_range(c, call), 3), *kid[3];
  for (int i = 0; i < 3; i++) {
    kid[i] = convert_value(c, clang_Cursor_getArgument(call, (unsigned)i), i ? s->type : TYPE_COUNT);
    if (!kid[i]) return NULL;
  }
  t->kid[0] = tree_binary(c->a, OP_INDEX, s->type, of, kid[0]);
  t->kid[1] = kid[1];
  t->kid[2] = kid[2];
  return t;
}

/* `v.Alike(x, bits)': of so many lowest bits, which the text says. */
static Tree *alike(Converter *c, CXCursor call) {
  enum { MOST_BITS = 32 };
  Tree *x = convert_value(c, clang_Cursor_getArgument(call, 0), TYPE_UINT);
  Tree *bits = x ? convert_value(c, clang_Cursor_getArgument(call, 1), TYPE_INT) : NULL;
  int64_t number;
  if (!bits) return NULL;
  if (!tree_constant(bits, &number) || number < 1 || number > MOST_BITS) {
    convert_refuse(c, call, "v.Alike(x, 8)", "how many bits are compared is a constant from 1 to %d", MOST_BITS);
    return NULL;
  }
  return convert_at(c, tree_binary(c->a, OP_ALIKE, TYPE_UINT, x, bits), call);
}

static Tree *member_call(Converter *c, CXCursor call, CXCursor object, const char *name) {
  CXType type = clang_getCursorType(object);
  if (convert_is_class(type, "Vector")) {
    if (strcmp(name, "Alike") == 0) return alike(c, call);
    const NamedOp *n = NAMED(vector_members, name);
    return n ? convert_at(c, tree_new(c->a, n->op, n->type, (SourceRange){0}, 0), call) : NULL;
  }
  if (strcmp(name, "claim") == 0 && convert_is_class(type, "Array")) return claim(c, call, object);
  const NamedOp *n = NAMED(container_members, name);
  if (!n) {
    convert_refuse(c, call, "write it as a statement of its own", "`%s' is no value", name);
    return NULL;
  }
  Tree *container = convert_expression(c, object);
  if (!container) return NULL;
  Tree *t = tree_unary(c->a, n->op, n->type, container);
  if (!says_direction(c, call, t)) return NULL;
  if (clang_Cursor_getNumArguments(call) > 0 && !dimension(c, clang_Cursor_getArgument(call, 0), t)) return NULL;
  if (t->op == OP_STRIDE && container->op == OP_REF && container->symbol->rank > 1) t->op = OP_APART;
  return convert_at(c, t, call);
}

/* Does the function come from the prelude rather than from the user's file? */
bool convert_from_prelude(CXCursor f) {
  CXCursor parent = clang_getCursorSemanticParent(f);
  if (clang_getCursorKind(parent) != CXCursor_Namespace) return false;
  CXString s = clang_getCursorSpelling(parent);
  bool yes = strcmp(clang_getCString(s), "tgc") == 0;
  clang_disposeString(s);
  return yes;
}

/* A function of mathematics, of numbers of one real type; NULL: it is none. */
static Tree *function(Converter *c, CXCursor call, const char *name) {
  int n;
  const FunctionRow *f = op_functions(&n), *last = f + n;
  while (f < last && strcmp(name, f->name) != 0) f++;
  if (f == last) return NULL;
  const Type type = convert_type_of(c, call);
  if (!is_real(type)) {
    convert_refuse(c, call, "convert it: `T(n)', `double(n)'", "`%s' of a whole number", name);
    return NULL;
  }
  Tree *t = tree_new(c->a, f->op, type, convert_range(c, call), f->arguments);
  for (int i = 0; i < f->arguments; i++)
    if (!(t->kid[i] = convert_value(c, clang_Cursor_getArgument(call, (unsigned)i), type))) return NULL;
  return t;
}

/* `order_bits(x, from, 8)': of a number; how many bits the text says. */
static Tree *order_bits(Converter *c, CXCursor call) {
  enum { MOST_BITS = 16 };
  Tree *x = convert_expression(c, clang_Cursor_getArgument(call, 0));
  Tree *from = x ? convert_value(c, clang_Cursor_getArgument(call, 1), TYPE_INT) : NULL;
  Tree *many = from ? convert_value(c, clang_Cursor_getArgument(call, 2), TYPE_INT) : NULL;
  int64_t number;
  if (!many) return NULL;
  if (!tree_constant(many, &number) || number < 1 || number > MOST_BITS) {
    convert_refuse(c, call, "order_bits(x, from, 8)", "how many bits are read is a constant from 1 to %d", MOST_BITS);
    return NULL;
  }
  Tree *t = tree_new(c->a, OP_ORDER_BITS, TYPE_UINT, convert_range(c, call), 3);
  t->kid[0] = x;
  t->kid[1] = from;
  t->kid[2] = tree_int(c->a, TYPE_INT, number);
  return t;
}

/* `order_size<T>()'. */
static Tree *order_size(Converter *c, CXCursor call) {
  int rank;
  const CXType of = clang_Cursor_getTemplateArgumentType(clang_getCursorReferenced(call), 0);
  Tree *t = tree_new(c->a, OP_ORDER_SIZE, TYPE_INT, convert_range(c, call), 0);
  t->element = convert_type(c, of, &rank);
  return t;
}

static Tree *prelude_call(Converter *c, CXCursor call, const char *name) {
  if (strcmp(name, "map") == 0) {
    Tree *map = convert_map(c, call);
    return map && map->op == OP_TRANSFORM ? convert_elements_view(c, call, map) : map;
  }
  if (convert_belongs_to_map(name)) {
    convert_refuse(c, call, NULL, "`%s' belongs inside a map", name);
    return NULL;
  }
  if (convert_belongs_to_product(name)) {
    convert_refuse(c, call, NULL, "`%s' stands in mma() alone", name);
    return NULL;
  }
  Tree *applied = convert_applied(c, call, name);
  if (applied || c->failed) return applied;
  Type type = convert_type_of(c, call);
  bool lowest = strcmp(name, "lowest") == 0;
  if (lowest || strcmp(name, "highest") == 0) {
    Tree *t = tree_new(c->a, OP_LIMIT, type, convert_range(c, call), 0);
    t->limit = lowest ? LIMIT_LOWEST : LIMIT_HIGHEST;
    return t;
  }
  if (strcmp(name, "popcount") == 0) {
    Tree *x = convert_value(c, clang_Cursor_getArgument(call, 0), TYPE_UINT);
    return x ? convert_at(c, tree_unary(c->a, OP_POPCOUNT, TYPE_INT, x), call) : NULL;
  }
  if (strcmp(name, "order_bits") == 0) return order_bits(c, call);
  if (strcmp(name, "order_size") == 0) return order_size(c, call);
  const NamedOp *n = NAMED(functions, name);
  if (!n) return function(c, call, name);
  int arguments = clang_Cursor_getNumArguments(call);
  Tree *t = tree_new(c->a, n->op, n->type == TYPE_COUNT ? type : n->type, convert_range(c, call), arguments);
  for (int i = 0; i < arguments; i++)
    if (!(t->kid[i] = convert_value(c, clang_Cursor_getArgument(call, (unsigned)i), type))) return NULL;
  return t;
}

/* ---- operators ---- */

/* The function of an operator that a call names: its struct; false when it is none's. */
static bool operator_function(Converter *c, CXCursor function, const char **of) {
  if (clang_getCursorKind(function) != CXCursor_CXXMethod || !clang_CXXMethod_isStatic(function)) return false;
  *of = convert_text(c->a, clang_getCursorSpelling(clang_getCursorSemanticParent(function)));
  return true;
}

/* `M::op(x, y)' and `M::id()'. */
static Tree *operator_call(Converter *c, CXCursor call, const char *of, Type type) {
  const char *name = convert_text(c->a, clang_getCursorSpelling(call));
  bool applies = strcmp(name, "op") == 0;
  if (!c->over || strcmp(c->over->word, of) != 0 || !(applies || strcmp(name, "id") == 0)) {
    convert_refuse(c, call, "M::op(a, b), M::id()",
                   "codelets apply the operator that they are compiled with, and take its identity");
    return NULL;
  }
  const OperatorKind kind = c->over->kind;
  if (!applies) return convert_at(c, operator_identity(c->a, kind, type), call);
  Tree *x = convert_value(c, clang_Cursor_getArgument(call, 0), type);
  Tree *y = x ? convert_value(c, clang_Cursor_getArgument(call, 1), type) : NULL;
  return y ? convert_at(c, tree_binary(c->a, operator_op(kind), type, x, y), call) : NULL;
}

/* A built-in operator's identity, converted to what is wanted. */
static Tree *identity_of(Converter *c, CXCursor conversion) {
  CXCursor inner = conversion;
  const char *of;
  while (convert_last_expression(c, inner, &inner) || convert_object(c, inner, &inner))
    if (operator_function(c, clang_getCursorReferenced(inner), &of) && clang_getCursorKind(inner) == CXCursor_CallExpr)
      return operator_call(c, inner, of, convert_type_of(c, conversion));
  CXCursor named = conversion; /* of no operator: what names it is told so */
  while (convert_last_expression(c, named, &named) || convert_object(c, named, &named))
    if (convert_is_class(clang_getCursorType(named), "NoOperator") && clang_getCursorKind(named) == CXCursor_CallExpr)
      return convert_expression(c, named);
  convert_refuse(c, conversion, "M::id()", "this is not an identity");
  return NULL;
}

/* `x[i]' and `A(row, column)'. */
static Tree *index_call(Converter *c, CXCursor call) {
  int n = clang_Cursor_getNumArguments(call);
  Tree *t = tree_new(c->a, OP_INDEX, convert_type_of(c, call), convert_range(c, call), n);
  for (int i = 0; i < n; i++)
    if (!(t->kid[i] = convert_expression(c, clang_Cursor_getArgument(call, (unsigned)i)))) return NULL;
  const Tree *base = t->kid[0];
  if (base->op != OP_REF) {
    convert_refuse(c, call, "give it to a spectrum", "a view's elements have no names");
    return NULL;
  }
  if (base->symbol->rank == n - 1) return t;
  const int rank = base->symbol->rank;
  convert_refuse(c, call, rank == 1   ? "x[i]"
                          : rank == 2 ? "A(row, column)" : "A(i, j, k): a position for each dimension",
                 "`%s' has %s", base->symbol->name, convert_dimensions(c->a, rank));
  return NULL;
}

static Tree *call(Converter *c, CXCursor cursor) {
  CXCursor f = clang_getCursorReferenced(cursor), object;
  const char *name = convert_text(c->a, clang_getCursorSpelling(cursor)), *of;
  if (clang_getCursorKind(f) == CXCursor_ConversionFunction) return identity_of(c, cursor);
  if (operator_function(c, f, &of)) return operator_call(c, cursor, of, convert_type_of(c, cursor));
  if (clang_getCursorKind(f) == CXCursor_Constructor) {
    CXCursor inner = convert_bare(c, cursor);
    if (!clang_equalCursors(inner, cursor)) return convert_expression(c, inner);
    if (convert_is_class(clang_getCursorType(cursor), "Sequence")) return convert_sequence(c, cursor);
    if (convert_is_class(clang_getCursorType(cursor), "Map")) return convert_map(c, cursor);
  } else if ((strcmp(name, "operator[]") == 0 && clang_Cursor_getNumArguments(cursor) == 2) ||
             (strcmp(name, "operator()") == 0 && clang_Cursor_getNumArguments(cursor) >= 3)) {
    return index_call(c, cursor);
  } else if (convert_object(c, cursor, &object)) {
    return member_call(c, cursor, object, name);
  } else if (convert_from_prelude(f)) {
    Tree *t = prelude_call(c, cursor, name);
    if (t || c->failed) return t;
  } else if (clang_getCursorKind(f) == CXCursor_FunctionDecl) {
    Tree *t = convert_native(c, cursor, f);
    if (t || c->failed) return t;
    return convert_call(c, cursor);
  }
  convert_refuse(c, cursor,
                 "a codelet calls spectra, min, max, lowest, highest, and functions of T: sqrt(x), exp(x), ..",
                 "codelets do not have this call");
  return NULL;
}

/* `reduce<ArgMin, T>(x).place', `best.place': of a state. */
static Tree *field(Converter *c, CXCursor cursor) {
  CXCursor object;
  Tree *member = members_find(c, cursor);
  if (member) return member;
  Tree *of = convert_last_expression(c, cursor, &object) ? convert_expression(c, object) : NULL;
  if (!of) return NULL;
  const bool array = clang_getCanonicalType(clang_getCursorType(cursor)).kind == CXType_ConstantArray;
  const Type type = array ? TYPE_COUNT : convert_type_of(c, cursor);
  if (!type_is_state(of->type) || type == TYPE_COUNT || type == TYPE_CONTAINER) {
    convert_refuse(c, cursor, "a number in the state that a spectrum returns: reduce<ArgMin, T>(x).place",
                   "codelets do not have this member");
    return NULL;
  }
  Tree *t = tree_unary(c->a, OP_FIELD, type, of);
  t->text = convert_text(c->a, clang_getCursorSpelling(cursor));
  return convert_at(c, t, cursor);
}

/* ---- all of them ---- */

Tree *convert_expression(Converter *c, CXCursor cursor) {
  CXCursor inner;
  Cursors k;
  switch (clang_getCursorKind(cursor)) {
    case CXCursor_IntegerLiteral: case CXCursor_FloatingLiteral:
    case CXCursor_CharacterLiteral: case CXCursor_CXXBoolLiteralExpr:
      return literal(c, cursor);
    case CXCursor_DeclRefExpr: return reference(c, cursor);
    case CXCursor_ParenExpr:
      return convert_last_expression(c, cursor, &inner) ? convert_expression(c, inner) : NULL;
    case CXCursor_UnexposedExpr: {
      if (!convert_last_expression(c, cursor, &inner)) break;
      Type type = convert_type_of(c, cursor);
      Tree *t = convert_expression(c, inner);
      return t && t->type != TYPE_CONTAINER ? coerce(c, t, type) : t;
    }
    case CXCursor_BinaryOperator: return binary(c, cursor);
    case CXCursor_CompoundAssignOperator:
      convert_refuse(c, cursor, "make it a statement of its own", "an assignment inside an expression");
      return NULL;
    case CXCursor_UnaryOperator: return unary(c, cursor);
    case CXCursor_ConditionalOperator: return conditional(c, cursor);
    case CXCursor_CStyleCastExpr: case CXCursor_CXXStaticCastExpr: case CXCursor_CXXFunctionalCastExpr:
      return cast(c, cursor);
    case CXCursor_CallExpr: return call(c, cursor);
    case CXCursor_MemberRefExpr: return field(c, cursor);
    case CXCursor_ArraySubscriptExpr: {
      k = convert_children(c->a, cursor);
      Tree *base = k.n == 2 ? convert_expression(c, k.at[0]) : NULL;
      Tree *index = base ? convert_expression(c, k.at[1]) : NULL;
      return index ? convert_at(c, tree_binary(c->a, OP_INDEX, convert_type_of(c, cursor), base, index), cursor) : NULL;
    }
    default: break;
  }
  convert_refuse(c, cursor, NULL, "codelets do not have this expression (%s)",
                 convert_text(c->a, clang_getCursorKindSpelling(clang_getCursorKind(cursor))));
  return NULL;
}
