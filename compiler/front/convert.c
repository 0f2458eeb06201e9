/* convert.c: declarations, statements and whole codelets as trees. See expression.c for what stands inside them. */
#include "front/convert.h"
#include "front/elements.h"
#include "front/members.h"
#include "front/native.h"
#include "ir/operator.h"

#include <string.h>

/* ---- services ---- */

const char *convert_text(Arena *a, CXString s) {
  const char *text = clang_getCString(s);
  const char *copy = arena_strdup(a, text ? text : "");
  clang_disposeString(s);
  return copy;
}

static unsigned offset_of(const Converter *c, CXSourceLocation l) {
  CXFile f;
  unsigned offset;
  clang_getFileLocation(l, &f, NULL, NULL, &offset);
  return f && offset <= c->file->size ? offset : 0;
}

SourceRange convert_range(const Converter *c, CXCursor cursor) {
  CXSourceRange r = clang_getCursorExtent(cursor);
  unsigned begin = offset_of(c, clang_getRangeStart(r)), end = offset_of(c, clang_getRangeEnd(r));
  return (SourceRange){c->file, begin, end > begin ? end : begin + 1};
}

void convert_refuse(Converter *c, CXCursor where, const char *hint, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  const char *message = arena_vprintf(c->a, fmt, ap);
  va_end(ap);
  diagnostics_add(c->d, DIAG_ERROR, convert_range(c, where), hint, "%s", message);
  c->failed = true;
}

typedef struct Collect { Arena *a; Cursors found; } Collect;

static enum CXChildVisitResult collect(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent;
  Collect *k = data;
  vec_push(k->a, &k->found, cursor);
  return CXChildVisit_Continue;
}

Cursors convert_children(Arena *a, CXCursor cursor) {
  Collect k = {.a = a};
  clang_visitChildren(cursor, collect, &k);
  return k.found;
}

Symbol *convert_symbol(const Converter *c, CXCursor reference) {
  CXCursor declaration = clang_getCursorReferenced(reference);
  for (int i = c->symbols.n - 1; i >= 0; i--)
    if (clang_equalCursors(c->cursors.at[i], declaration)) return c->symbols.at[i];
  return NULL;
}

/* Where a parameter ends whose name does at `at': qualifiers may stand behind it, with parentheses of their own. */
static unsigned parameter_end(const Converter *c, unsigned at) {
  const char *text = c->file->text;
  for (int depth = 0; at < c->file->size; at++) {
    if (depth == 0 && strchr(",);{", text[at])) break;
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
  }
  return at;
}

Qualities convert_qualities(const Converter *c, CXCursor declaration) {
  static const char *const names[] = {
#define QUALIFIER(field, annotation, what) annotation,
      QUALIFIERS(QUALIFIER)
#undef QUALIFIER
  };
  Qualities q = {0};
  const char **fields = (const char **)&q;
  Cursors k = convert_children(c->a, declaration);
  SourceRange own = convert_range(c, declaration);
  const bool variable = clang_getCursorKind(declaration) == CXCursor_VarDecl; /* of `__shared T a, b' both are */
  if (clang_getCursorKind(declaration) == CXCursor_ParmDecl) own.end = parameter_end(c, own.end);
  for (int i = 0; i < k.n; i++) {
    if (clang_getCursorKind(k.at[i]) != CXCursor_AnnotateAttr) continue;
    SourceRange r = convert_range(c, k.at[i]);
    if (!variable && (r.begin < own.begin || r.begin >= own.end)) continue; /* inherited from another declaration */
    const char *text = convert_text(c->a, clang_getCursorSpelling(k.at[i]));
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
      size_t length = strlen(names[n]);
      bool takes_text = names[n][length - 1] == ':';
      if (takes_text ? strncmp(text, names[n], length) == 0 : strcmp(text, names[n]) == 0) fields[n] = text + length;
    }
  }
  return q;
}

/* ---- types ---- */

static const char *class_name(Arena *a, CXType t) {
  CXCursor declaration = clang_getTypeDeclaration(clang_getCanonicalType(t));
  return convert_text(a, clang_getCursorSpelling(declaration));
}

bool convert_is_class(CXType t, const char *name) {
  CXCursor declaration = clang_getTypeDeclaration(clang_getCanonicalType(t));
  CXString s = clang_getCursorSpelling(declaration);
  const char *text = clang_getCString(s);
  bool yes = text && strcmp(text, name) == 0;
  clang_disposeString(s);
  return yes && convert_from_prelude(declaration); /* a state of the user's may have that name */
}

static bool is_carrier(const Converter *c, CXType t) {
  if (!c->generic || !c->over || !c->over->carrier) return false;
  const char *name = convert_text(c->a, clang_getTypeSpelling(clang_getUnqualifiedType(t)));
  return strcmp(name, c->over->carrier) == 0;
}

Type convert_element(const Converter *c) { return c->instance ? c->instance->instance_type : TYPE_ELEM; }

Type convert_type(const Converter *c, CXType t, int *rank) {
  *rank = 0;
  t = clang_getCanonicalType(t);
  while (t.kind == CXType_LValueReference || t.kind == CXType_RValueReference) t = clang_getPointeeType(t);
  if (is_carrier(c, t)) return convert_element(c);
  switch (t.kind) {
    case CXType_Void: return TYPE_VOID;
    case CXType_Bool: return TYPE_BOOL;
    case CXType_Int: return TYPE_INT;
    case CXType_UInt: return TYPE_UINT;
    case CXType_Long: return TYPE_INDEX; /* the prelude's word for a size */
    case CXType_LongLong: return TYPE_LONG;
    case CXType_ULong: case CXType_ULongLong: return TYPE_ULONG;
    case CXType_Float: return TYPE_FLOAT;
    case CXType_Double: return TYPE_DOUBLE;
    case CXType_LongDouble: case CXType_Int128: return c->generic ? convert_element(c) : TYPE_COUNT;
    case CXType_ConstantArray: case CXType_VariableArray: case CXType_IncompleteArray: case CXType_DependentSizedArray:
      return convert_type(c, clang_getArrayElementType(t), rank);
    case CXType_Record: case CXType_Unexposed: {
      const char *name = class_name(c->a, t);
      if (strcmp(name, "Map") == 0) {
        Type element = convert_type(c, clang_Type_getTemplateArgumentAsType(t, 0), rank);
        *rank = 1;
        return element;
      }
      if (strcmp(name, "Array") != 0) return TYPE_COUNT;
      Type element = convert_type(c, clang_Type_getTemplateArgumentAsType(t, 1), rank);
      /* The number of dimensions is the first argument, which the C API shows only as text: "Array<1, float>". */
      const char *text = convert_text(c->a, clang_getTypeSpelling(t)), *open = strchr(text, '<');
      *rank = open && open[1] >= '1' && open[1] <= '9' ? open[1] - '0' : 1;
      return element;
    }
    default: return TYPE_COUNT;
  }
}

/* ---- declarations ---- */

void convert_remember(Converter *c, CXCursor declaration, Symbol *s) {
  vec_push(c->a, &c->symbols, s);
  vec_push(c->a, &c->cursors, declaration);
}

static AtomicOp atomic_of(const Qualities *q) {
  return q->atomic_add ? ATOMIC_ADD
       : q->atomic_sub ? ATOMIC_SUB
       : q->atomic_max ? ATOMIC_MAX
       : q->atomic_min ? ATOMIC_MIN
                       : ATOMIC_NONE;
}

/* The length of a built-in array: of a constant one its size, of a variable one the expression in its brackets. */
static Tree *array_length(Converter *c, CXCursor v, CXType t, CXCursor init) {
  if (t.kind == CXType_ConstantArray) return tree_int(c->a, TYPE_INT, clang_getArraySize(t));
  Cursors k = convert_children(c->a, v);
  for (int i = 0; i < k.n; i++)
    if (clang_isExpression(clang_getCursorKind(k.at[i])) && !clang_equalCursors(k.at[i], init))
      return convert_expression(c, k.at[i]);
  convert_refuse(c, v, NULL, "an array without a length");
  return NULL;
}

static Tree *declaration_of(Converter *c, CXCursor v, Symbol *s, Tree *init) {
  Tree *t = tree_new(c->a, OP_DECLARE, TYPE_VOID, convert_range(c, v), init ? 1 : 0);
  t->symbol = s;
  if (init) t->kid[0] = init;
  return t;
}

/* What C++ does with a struct that is given no value: nothing. */
static bool is_default(CXCursor init) {
  return clang_getCursorKind(init) == CXCursor_CallExpr && clang_Cursor_getNumArguments(init) == 0 &&
         clang_getCursorKind(clang_getCursorReferenced(init)) == CXCursor_Constructor;
}

/* `Map m(f, ..)' where f returns nothing. */
static Tree *map_without_results(Converter *c, CXCursor v, CXCursor init) {
  Tree *map = convert_map(c, init);
  if (!map) return NULL;
  Tree *t = tree_unary(c->a, OP_MAP_RUN, TYPE_VOID, map);
  t->where = convert_range(c, v);
  return t;
}

static bool is_array(CXType t) {
  const enum CXTypeKind kind = clang_getCanonicalType(t).kind;
  return kind == CXType_ConstantArray || kind == CXType_VariableArray || kind == CXType_DependentSizedArray;
}

/* A number, an array of some or a shared variable: what its qualifiers make of `s'. */
static Tree *qualified(Converter *c, CXCursor v, Symbol *s, int rank, bool has_init, CXCursor init) {
  const CXType type = clang_getCursorType(v), canonical = clang_getCanonicalType(type);
  Qualities q = convert_qualities(c, v);
  const bool of_struct = s->type == TYPE_COUNT && has_init && canonical.kind == CXType_Record;
  Tree *state = of_struct ? convert_expression(c, init) : NULL; /* `auto best = reduce<ArgMin, T>(x)' */
  if (of_struct && !state) return NULL;
  if (state && type_is_state(state->type)) s->type = state->type;
  s->array = canonical.kind == CXType_ConstantArray || canonical.kind == CXType_VariableArray;
  if (s->type == TYPE_COUNT || s->type == TYPE_VOID || rank) {
    convert_refuse(c, v, "int, unsigned, long, float, double, bool, T, and arrays of them",
                   "codelets have no variables of type `%s'", convert_text(c->a, clang_getTypeSpelling(type)));
    return NULL;
  }
  if (s->array && is_array(clang_getArrayElementType(canonical))) {
    convert_refuse(c, v, "`T a[2 * 32];', then `a[i * 32 + j]'",
                   "an array of arrays is not supported: `%s' has two dimensions or more", s->name);
    return NULL;
  }
  s->declared = s->type;
  s->number = s->type == TYPE_INDEX && !s->array;
  s->atomic = atomic_of(&q);
  if (q.atomic && !c->over) {
    convert_refuse(c, v, "`__shared_atomicAdd', ..Max, ..Min, ..",
                   "`__atomic(%s)': this codelet is no template over an operator", q.atomic);
    return NULL;
  }
  if (q.atomic) s->atomic = operator_atomic(c->over->kind);
  if (q.accum && (!q.shared || !s->array || s->atomic || strcmp(q.accum, "Once") != 0)) {
    convert_refuse(c, v, "`__shared_once T a[n]'", "of variables only shared arrays are `__accum', and that `Once'");
    return NULL;
  }
  s->exclusive = q.accum != NULL;
  if (q.shared) s->kind = SYMBOL_SHARED;
  else if (s->atomic) {
    convert_refuse(c, v, "write `__shared' too", "only a shared variable can be atomic");
    return NULL;
  }
  if (q.tunable) s->kind = SYMBOL_TUNABLE;
  if (s->array && !(s->length = array_length(c, v, canonical, init))) return NULL;
  if (s->kind == SYMBOL_SHARED && has_init) {
    convert_refuse(c, init, "it starts at the operator's identity", "a shared variable cannot be initialised");
    return NULL;
  }
  if (s->array && has_init) {
    convert_refuse(c, init, "assign its elements in a loop", "an array with initial values is not supported");
    return NULL;
  }
  Tree *value = state ? state : has_init ? convert_value(c, init, s->type) : NULL;
  if (q.tunable && value) {
    s = convert_tunable(c, v, s, value);
    if (s) convert_remember(c, v, s);
    return NULL; /* it is declared with the variant */
  }
  convert_remember(c, v, s);
  if (has_init && !value) return NULL;
  return declaration_of(c, v, s, value);
}

/* A local variable. NULL for a Vector, which is no variable, and after an error. */
static Tree *variable(Converter *c, CXCursor v) {
  const char *name = convert_text(c->a, clang_getCursorSpelling(v));
  if (clang_getCursorKind(v) != CXCursor_VarDecl) {
    convert_refuse(c, v, NULL, "codelets declare variables only");
    return NULL;
  }
  CXType type = clang_getCursorType(v), canonical = clang_getCanonicalType(type);
  CXCursor init = clang_Cursor_getVarDeclInitializer(v);
  bool has_init = !clang_Cursor_isNull(init) && !clang_isInvalid(clang_getCursorKind(init)) && !is_default(init);
  if (convert_is_class(type, "Vector")) return NULL;
  if (clang_Cursor_getStorageClass(v) == CX_SC_Static || canonical.kind == CXType_LValueReference) {
    convert_refuse(c, v, NULL, "codelets have no static variables and no references");
    return NULL;
  }
  Symbol *s = symbol_new(c->a, SYMBOL_LOCAL, name, TYPE_CONTAINER);
  s->where = convert_range(c, v);
  s->writable = true;
  s->constant = clang_isConstQualifiedType(type);
  if (convert_is_class(type, "Sequence")) {
    s->kind = SYMBOL_SEQUENCE;
    s->type = TYPE_INDEX;
    s->init = convert_sequence(c, init);
    convert_remember(c, v, s);
    return s->init ? declaration_of(c, v, s, NULL) : NULL;
  }
  if (convert_is_class(type, "Cut")) {
    s->kind = SYMBOL_CUT;
    s->type = TYPE_INDEX;
    s->init = convert_cut(c, init);
    convert_remember(c, v, s);
    return s->init ? declaration_of(c, v, s, NULL) : NULL;
  }
  int rank = 0;
  s->type = convert_type(c, type, &rank);
  if (convert_is_class(type, "Map")) {
    if (s->type == TYPE_VOID) return map_without_results(c, v, init);
    s->kind = SYMBOL_MAP;
    s->rank = 1;
    s->init = convert_map(c, init);
    convert_remember(c, v, s);
    if (s->init && s->init->op == OP_TRANSFORM) {
      convert_elements_named(c, s);
      return NULL; /* it stands for what its results are used for */
    }
    return s->init ? declaration_of(c, v, s, NULL) : NULL;
  }
  if (rank && convert_is_sized(init)) {
    s->rank = rank;
    s->length = convert_extents(c, v, rank, init);
    convert_remember(c, v, s);
    return s->length ? declaration_of(c, v, s, NULL) : NULL;
  }
  return qualified(c, v, s, rank, has_init, init);
}

/* ---- statements ---- */

typedef MemberTrees Trees;

static void statement(Converter *c, CXCursor cursor, Trees *to);

static Tree *sequence_of(Converter *c, CXCursor cursor) {
  Trees inner = {0};
  int visible = c->symbols.n;
  if (clang_getCursorKind(cursor) == CXCursor_CompoundStmt) {
    Cursors k = convert_children(c->a, cursor);
    for (int i = 0; i < k.n; i++) statement(c, k.at[i], &inner);
  } else statement(c, cursor, &inner);
  c->symbols.n = c->cursors.n = visible;
  Tree *t = tree_seq(c->a, inner.at, inner.n);
  t->where = convert_range(c, cursor);
  return t;
}

/* `x = M::op(x, y)' with a built-in operator: `x += y'. */
static bool accumulates(const Converter *c, const Tree *place, const Tree *value) {
  bool compound = value->op == OP_ADD || value->op == OP_MUL || value->op == OP_AND || value->op == OP_OR ||
                  value->op == OP_XOR;
  return c->over && compound && value->type == convert_element(c) && operator_of(value->op) == c->over->kind &&
         tree_equal(place, value->kid[0]);
}

static Tree *assignment(Converter *c, CXCursor cursor, Tree *place, Op op, Tree *value) {
  if (!place || !value) return NULL;
  if (op == 0 && accumulates(c, place, value)) {
    op = value->op;
    value = value->kid[1];
  }
  if (place->op != OP_REF && place->op != OP_INDEX) {
    convert_refuse(c, cursor, NULL, "this cannot be assigned to");
    return NULL;
  }
  Tree *t = tree_new(c->a, OP_ASSIGN, TYPE_VOID, convert_range(c, cursor), 2);
  t->kid[0] = place;
  t->kid[1] = value;
  t->compound = op;
  return t;
}

static const struct { enum CXBinaryOperatorKind clang; Op op; } compounds[] = {
    {CXBinaryOperator_AddAssign, OP_ADD}, {CXBinaryOperator_SubAssign, OP_SUB}, {CXBinaryOperator_MulAssign, OP_MUL},
    {CXBinaryOperator_DivAssign, OP_DIV}, {CXBinaryOperator_RemAssign, OP_REM}, {CXBinaryOperator_ShlAssign, OP_SHL},
    {CXBinaryOperator_ShrAssign, OP_SHR}, {CXBinaryOperator_AndAssign, OP_AND}, {CXBinaryOperator_OrAssign, OP_OR},
    {CXBinaryOperator_XorAssign, OP_XOR}};

/* An expression as a statement: assignments, increments, m.atomicAdd(). */
static Tree *effect(Converter *c, CXCursor cursor) {
  Cursors k = convert_children(c->a, cursor);
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  if (kind == CXCursor_UnexposedExpr && k.n == 1) return effect(c, k.at[0]);
  enum CXBinaryOperatorKind op = clang_getCursorBinaryOperatorKind(cursor);
  if (kind == CXCursor_BinaryOperator && op == CXBinaryOperator_Assign) {
    Tree *place = convert_expression(c, k.at[0]);
    return place ? assignment(c, cursor, place, 0, convert_value(c, k.at[1], place->type)) : NULL;
  }
  if (kind == CXCursor_CompoundAssignOperator)
    for (size_t i = 0; i < sizeof compounds / sizeof *compounds; i++)
      if (compounds[i].clang == op) {
        Tree *place = convert_expression(c, k.at[0]);
        return place ? assignment(c, cursor, place, compounds[i].op, convert_value(c, k.at[1], place->type)) : NULL;
      }
  if (kind == CXCursor_UnaryOperator) {
    enum CXUnaryOperatorKind u = clang_getCursorUnaryOperatorKind(cursor);
    bool up = u == CXUnaryOperator_PostInc || u == CXUnaryOperator_PreInc;
    if (up || u == CXUnaryOperator_PostDec || u == CXUnaryOperator_PreDec) {
      Tree *place = convert_expression(c, k.at[0]);
      return place ? assignment(c, cursor, place, up ? OP_ADD : OP_SUB, tree_int(c->a, place->type, 1)) : NULL;
    }
  }
  const char *name = convert_text(c->a, clang_getCursorSpelling(cursor));
  if (kind == CXCursor_CallExpr && strcmp(name, "operator=") == 0 && clang_Cursor_getNumArguments(cursor) == 2) {
    Tree *members = members_assign(c, cursor, clang_Cursor_getArgument(cursor, 0), clang_Cursor_getArgument(cursor, 1));
    if (members || c->failed) return members;
    Tree *place = convert_expression(c, clang_Cursor_getArgument(cursor, 0));
    if (!place) return NULL;
    return assignment(c, cursor, place, 0, convert_value(c, clang_Cursor_getArgument(cursor, 1), place->type));
  }
  if (kind == CXCursor_CallExpr && strcmp(name, "mma") == 0 && convert_from_prelude(clang_getCursorReferenced(cursor)))
    return (convert_is_row_product(c, cursor) ? convert_row_product : convert_product)(c, cursor);
  CXCursor function = clang_getCursorReferenced(cursor);
  Tree *native = kind == CXCursor_CallExpr ? convert_native(c, cursor, function) : NULL;
  if (native) return convert_at(c, tree_unary(c->a, OP_NATIVELY, TYPE_VOID, native), cursor);
  if (c->failed) return NULL;
  if (kind == CXCursor_BinaryOperator && op == CXBinaryOperator_Comma) {
    convert_refuse(c, cursor, "one step: `j' of `++i, --j' is `n - 1 - i'", "several expressions in one statement");
    return NULL;
  }
  Tree *run = convert_run(c, cursor);
  if (!run && !c->failed)
    convert_refuse(c, cursor, "its value is not used", "this statement has no effect");
  return run;
}

/* Where the parts of `for (..; ..; ..)' end: absent ones leave no cursor behind. */
static void header_ends(const Converter *c, SourceRange where, unsigned ends[3]) {
  const char *t = c->file->text;
  int depth = 0, part = 0;
  ends[0] = ends[1] = ends[2] = where.end;
  for (unsigned i = where.begin; i < where.end && part < 3; i++) {
    if (t[i] == '/' && t[i + 1] == '/') while (i < where.end && t[i] != '\n') i++;
    else if (t[i] == '/' && t[i + 1] == '*') {
      for (i += 2; i + 1 < where.end && !(t[i] == '*' && t[i + 1] == '/');) i++;
      i++;
    }
    else if (strchr("([{", t[i]) && t[i]) depth++;
    else if (strchr(")]}", t[i]) && t[i]) { if (--depth == 0) { ends[2] = i; return; } }
    else if (t[i] == ';' && depth == 1) ends[part++] = i;
  }
}

static Tree *for_statement(Converter *c, CXCursor cursor) {
  Cursors k = convert_children(c->a, cursor);
  unsigned ends[3];
  header_ends(c, convert_range(c, cursor), ends);
  bool whole = k.n == 4;
  for (int i = 0; i < 3 && whole; i++) {
    SourceRange r = convert_range(c, k.at[i]);
    whole = r.begin < ends[i] && (i == 0 || r.begin > ends[i - 1]);
  }
  if (!whole) {
    convert_refuse(c, cursor, "for (start; condition; step)", "a loop needs all of its parts");
    return NULL;
  }
  int visible = c->symbols.n;
  Trees init = {0}, step = {0};
  statement(c, k.at[0], &init);
  Tree *condition = convert_expression(c, k.at[1]);
  statement(c, k.at[2], &step);
  Tree *body = sequence_of(c, k.at[3]);
  c->symbols.n = c->cursors.n = visible;
  if (c->failed) return NULL;
  if (init.n != 1 || step.n != 1) {
    convert_refuse(c, cursor, NULL, "a loop has one variable and one step");
    return NULL;
  }
  Tree *t = tree_new(c->a, OP_FOR, TYPE_VOID, convert_range(c, cursor), 4);
  t->kid[0] = init.at[0];
  t->kid[1] = condition;
  t->kid[2] = step.at[0];
  t->kid[3] = body;
  return t;
}

/* if (x.claim(..)) ..: bool claimed = x.claim(..); if (claimed) .. */
static Tree *claiming(Converter *c, Tree *t) {
  Symbol *s = symbol_new(c->a, SYMBOL_LOCAL, "claimed", TYPE_BOOL);
  s->where = t->kid[0]->where;
  s->writable = s->constant = true;
  Tree *declare = tree_new(c->a, OP_DECLARE, TYPE_VOID, t->kid[0]->where, 1);
  declare->symbol = s;
  declare->kid[0] = t->kid[0];
  t->kid[0] = tree_ref(c->a, s);
  return tree_seq(c->a, (Tree *[]){declare, t}, 2);
}

/* `if' and `while': a condition and bodies. */
static Tree *conditional(Converter *c, CXCursor cursor, Op op) {
  Cursors k = convert_children(c->a, cursor);
  if (k.n < 2 || !clang_isExpression(clang_getCursorKind(k.at[0]))) {
    convert_refuse(c, cursor, "declare it before", "a variable in a condition is not supported");
    return NULL;
  }
  Tree *t = tree_new(c->a, op, TYPE_VOID, convert_range(c, cursor), k.n);
  t->kid[0] = convert_expression(c, k.at[0]);
  for (int i = 1; i < k.n; i++) t->kid[i] = sequence_of(c, k.at[i]);
  if (c->failed || !t->kid[0]) return NULL;
  return op == OP_IF && t->kid[0]->op == OP_CLAIM ? claiming(c, t) : t;
}

static Tree *simple(Converter *c, CXCursor cursor) {
  Cursors k;
  switch (clang_getCursorKind(cursor)) {
    case CXCursor_CompoundStmt: return sequence_of(c, cursor);
    case CXCursor_ForStmt: return for_statement(c, cursor);
    case CXCursor_IfStmt: return conditional(c, cursor, OP_IF);
    case CXCursor_WhileStmt: return conditional(c, cursor, OP_WHILE);
    case CXCursor_BreakStmt: return tree_new(c->a, OP_BREAK, TYPE_VOID, convert_range(c, cursor), 0);
    case CXCursor_ContinueStmt: return tree_new(c->a, OP_CONTINUE, TYPE_VOID, convert_range(c, cursor), 0);
    case CXCursor_ReturnStmt: {
      k = convert_children(c->a, cursor);
      if (k.n && convert_is_total_product(c, k.at[0])) return convert_total_product(c, k.at[0]);
      if (k.n && convert_is_scan_product(c, k.at[0])) return convert_scan_product(c, k.at[0]);
      Tree *t = tree_new(c->a, OP_RETURN, TYPE_VOID, convert_range(c, cursor), k.n);
      if (k.n) t->kid[0] = convert_expression(c, k.at[0]);
      return k.n && !t->kid[0] ? NULL : t;
    }
    default:
      if (clang_isExpression(clang_getCursorKind(cursor))) return effect(c, cursor);
      convert_refuse(c, cursor, NULL, "codelets do not have this statement (%s)",
                     convert_text(c->a, clang_getCursorKindSpelling(clang_getCursorKind(cursor))));
      return NULL;
  }
}

static void statement(Converter *c, CXCursor cursor, Trees *to) {
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  if (kind == CXCursor_NullStmt) return;
  if (kind == CXCursor_DeclStmt) {
    Cursors k = convert_children(c->a, cursor);
    for (int i = 0; i < k.n; i++) {
      Tree *t = members_declare(c, k.at[i], to) ? NULL : variable(c, k.at[i]);
      if (t) vec_push(c->a, to, t);
    }
    return;
  }
  Tree *t = simple(c, cursor);
  if (t) vec_push(c->a, to, t);
}

/* ---- codelets ---- */

Spectrum *convert_spectrum(Converter *c, const char *name, CXCursor where) {
  Spectrum *s = unit_spectrum(c->unit, name);
  return s ? s : unit_add(c->a, c->unit, name, convert_range(c, where));
}

/* What has numbers for parameters is a function, and is substituted where it is called (ir/function.h). */
static bool is_function_body(Converter *c, const Codelet *k) {
  for (int i = 0; i < k->nparams; i++)
    if (k->params[i]->rank) return true;
  const Tree *only = k->body->nkids == 1 ? k->body->kid[0] : NULL;
  if (k->nparams == 0 || (only && only->op == OP_RETURN && only->nkids == 1)) return true;
  diagnostics_add(c->d, DIAG_ERROR, k->where, "`return a * b;'",
                  "a codelet over scalars is a function: a single `return' of an expression");
  return false;
}

Codelet *convert_codelet(Converter *c, CXCursor function, bool generic) {
  c->generic = generic;
  c->failed = false;
  c->product = NULL;
  c->rows = NULL;
  c->stores = 0;
  c->maps.n = 0;
  c->symbols.n = c->cursors.n = 0;
  c->tunables = (Tunables){0};
  Codelet *k = arena_one(c->a, Codelet);
  Qualities q = convert_qualities(c, function);
  k->extent = convert_range(c, function);
  k->coop_declared = q.coop != NULL;
  k->generic = generic && (!c->instance || type_is_generic(c->instance->instance_type));
  const char *name = convert_text(c->a, clang_getCursorSpelling(function));
  unsigned at = offset_of(c, clang_getCursorLocation(function));
  k->where = (SourceRange){c->file, at, at + (unsigned)strlen(name)};
  if (q.tag) k->tag = arena_strdup(c->a, q.tag);
  convert_machines(c, k, q.env);
  Cursors kids = convert_children(c->a, function);
  for (int i = 0; i < kids.n; i++) {
    enum CXCursorKind kind = clang_getCursorKind(kids.at[i]);
    if (kind == CXCursor_ParmDecl && !convert_parameter(c, k, kids.at[i])) return NULL;
    if (kind == CXCursor_CompoundStmt) k->body = sequence_of(c, kids.at[i]);
  }
  if (c->failed || !k->body || !convert_elements_used(c) || !is_function_body(c, k)) return NULL;
  if (c->product && !convert_is_product_alone(c, k, function)) return NULL;
  int rank;
  Type result = convert_type(c, clang_getCursorResultType(function), &rank);
  if (rank || result == TYPE_COUNT) {
    convert_refuse(c, function, NULL, "a codelet returns a number or nothing");
    return NULL;
  }
  k->tunables = c->tunables;
  if (c->rows && !c->rows->columns) k->body = (Tree *)c->product;
  k->native = c->native;
  k->matrix = c->product != NULL;
  k->rows = c->rows;
  k->spectrum = c->instance ? c->instance : convert_spectrum(c, name, function);
  if (!k->spectrum->ncodelets) k->spectrum->result = result;
  return convert_elements_stored(c, k) ? k : NULL;
}
