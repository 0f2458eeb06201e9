/* tree.c: making, comparing, walking and rewriting trees; operators and their identities. */
#include "ir/tree.h"

#include <string.h>

Tree *tree_new(Arena *a, Op op, Type type, SourceRange where, int nkids) {
  Tree *t = arena_one(a, Tree);
  t->op = op;
  t->type = type;
  t->where = where;
  t->nkids = nkids;
  t->kid = nkids ? arena_many(a, Tree *, nkids) : NULL;
  return t;
}

Tree *tree_int(Arena *a, Type type, int64_t number) {
  Tree *t = tree_new(a, OP_INT, type, (SourceRange){0}, 0);
  t->number = number;
  return t;
}

Tree *tree_ref(Arena *a, Symbol *s) {
  Type type = s->rank ? TYPE_CONTAINER : s->type;
  Tree *t = tree_new(a, OP_REF, type, (SourceRange){0}, 0);
  t->symbol = s;
  return t;
}

Tree *tree_unary(Arena *a, Op op, Type type, Tree *x) {
  Tree *t = tree_new(a, op, type, x->where, 1);
  t->kid[0] = x;
  return t;
}

Tree *tree_binary(Arena *a, Op op, Type type, Tree *x, Tree *y) {
  SourceRange where = x->where;
  if (!where.file) where = y->where;
  else if (y->where.file == where.file && y->where.end > where.end) where.end = y->where.end;
  Tree *t = tree_new(a, op, type, where, 2);
  t->kid[0] = x;
  t->kid[1] = y;
  return t;
}

Tree *tree_with_kids(Arena *a, const Tree *t, Tree **kids, int n) {
  Tree *copy = arena_one(a, Tree);
  *copy = *t;
  copy->nkids = n;
  copy->kid = n ? arena_many(a, Tree *, n) : NULL;
  for (int i = 0; i < n; i++) copy->kid[i] = kids[i];
  return copy;
}

typedef struct Clone {
  Arena *a;
  VEC(const Symbol *) old;
  VEC(Symbol *) made; /* in parallel */
} Clone;

static Symbol *cloned_symbol(const Clone *c, Symbol *s) {
  for (int i = c->old.n - 1; i >= 0; i--)
    if (c->old.at[i] == s) return c->made.at[i];
  return s;
}

static Tree *clone(Clone *c, const Tree *t) {
  if (!t) return NULL;
  if (t->op == OP_DECLARE) { /* in scope from here on */
    Symbol *s = arena_one(c->a, Symbol);
    *s = *t->symbol;
    s->name = arena_strdup(c->a, s->name);
    s->length = clone(c, s->length);
    s->init = clone(c, s->init);
    vec_push(c->a, &c->old, t->symbol);
    vec_push(c->a, &c->made, s);
  }
  Tree **kids = arena_many(c->a, Tree *, t->nkids);
  for (int i = 0; i < t->nkids; i++) kids[i] = clone(c, t->kid[i]);
  Tree *copy = tree_with_kids(c->a, t, kids, t->nkids);
  if (t->op == OP_DECLARE || t->op == OP_REF) copy->symbol = cloned_symbol(c, t->symbol);
  if (t->op == OP_COMMENT || t->op == OP_FIELD) copy->text = arena_strdup(c->a, t->text);
  return copy;
}

Tree *tree_clone(Arena *a, const Tree *t) {
  Clone c = {.a = a};
  return clone(&c, t);
}

Tree *tree_seq(Arena *a, Tree **statements, int n) {
  Tree *t = tree_new(a, OP_SEQ, TYPE_VOID, n ? statements[0]->where : (SourceRange){0}, n);
  for (int i = 0; i < n; i++) t->kid[i] = statements[i];
  return t;
}

Symbol *symbol_new(Arena *a, SymbolKind kind, const char *name, Type type) {
  Symbol *s = arena_one(a, Symbol);
  s->kind = kind;
  s->name = name;
  s->type = type;
  s->writable = kind == SYMBOL_LOCAL || kind == SYMBOL_SHARED;
  return s;
}

/* Are the members of the union that their op uses the same? How often loops are written out, and how wide loads move,
 * is no part of what a tree says. */
static bool same_payload(const Tree *x, const Tree *y) {
  switch (x->op) {
    case OP_REF: case OP_DECLARE: return x->symbol == y->symbol;
    case OP_CALL: case OP_MAP: case OP_TRANSFORM: case OP_GENERATE: case OP_SLIDE: case OP_SPECTRUM:
      return x->spectrum == y->spectrum;
    case OP_NATIVE: return x->native == y->native;
    case OP_LAUNCH: return x->kernel == y->kernel;
    case OP_COMMENT: case OP_FIELD: return strcmp(x->text, y->text) == 0;
    case OP_FLOAT: return memcmp(&x->real, &y->real, sizeof x->real) == 0;
    case OP_INT: case OP_BOOL: return x->number == y->number;
    case OP_LIMIT: return x->limit == y->limit;
    case OP_SIZE: case OP_APART: return x->dimension == y->dimension;
    case OP_SHUFFLE: return x->mode == y->mode && x->words == y->words;
    case OP_ASSIGN: return x->compound == y->compound;
    case OP_ATOMIC: case OP_MAP_ATOMIC: return x->atomic == y->atomic;
    case OP_REDUCE: case OP_LOOK_BACK: case OP_PRIOR_TOTAL: case OP_CHAIN: return x->combines == y->combines;
    case OP_WIDTH: case OP_REDUCES: case OP_ORDER_SIZE: return x->element == y->element;
    default: return true;
  }
}

bool tree_equal(const Tree *x, const Tree *y) {
  if (x == y) return true;
  if (!x || !y || x->op != y->op || x->type != y->type || x->nkids != y->nkids || x->scope != y->scope)
    return false;
  if (!same_payload(x, y)) return false;
  for (int i = 0; i < x->nkids; i++)
    if (!tree_equal(x->kid[i], y->kid[i])) return false;
  return true;
}

static Tree *rewrite(Arena *a, Tree *t, bool expressions, TreeRewrite f, void *context) {
  if (!t || !(expressions || op_is_statement(t->op))) return t;
  Tree *r = t;
  for (int i = 0; i < t->nkids; i++) {
    Tree *k = rewrite(a, t->kid[i], expressions, f, context);
    if (k != t->kid[i]) {
      if (r == t) r = tree_with_kids(a, t, t->kid, t->nkids);
      r->kid[i] = k;
    }
  }
  return f(context, a, r);
}

Tree *tree_rewrite(Arena *a, Tree *t, TreeRewrite f, void *context) { return rewrite(a, t, true, f, context); }
Tree *tree_rewrite_statements(Arena *a, Tree *t, TreeRewrite f, void *context) {
  return rewrite(a, t, false, f, context);
}

void tree_visit(const Tree *t, TreeVisit f, void *context) {
  if (!t || !f(context, t)) return;
  for (int i = 0; i < t->nkids; i++) tree_visit(t->kid[i], f, context);
}

bool tree_mentions(const Tree *t, const Symbol *s) {
  if (!t) return false;
  if (t->op == OP_REF && t->symbol == s) return true;
  for (int i = 0; i < t->nkids; i++)
    if (tree_mentions(t->kid[i], s)) return true;
  return false;
}

bool tree_contains(const Tree *t, Op op) {
  if (!t) return false;
  if (t->op == op) return true;
  for (int i = 0; i < t->nkids; i++)
    if (tree_contains(t->kid[i], op)) return true;
  return false;
}

bool tree_holds(const Tree *t, const Tree *part) {
  bool found = t == part;
  for (int i = 0; t && i < t->nkids && !found; i++) found = t->kid[i] && tree_holds(t->kid[i], part);
  return found;
}

bool tree_is_container(const Tree *t) {
  return t->op == OP_REF ? t->symbol->rank > 0 : t->op == OP_MAP || t->op == OP_BOX || op_view(t->op);
}

const Symbol *tree_cut(const Tree *dimension) {
  if (dimension->op == OP_HALO) dimension = dimension->kid[0];
  return dimension->op == OP_REF ? dimension->symbol : NULL;
}

int tree_cuts(const Tree *argument) {
  int n = 0;
  for (int d = 1; argument->op == OP_PARTS && d < argument->nkids; d++) n += tree_cut(argument->kid[d]) != NULL;
  return n;
}

bool tree_assigns(const Tree *t, const Symbol *s) {
  if (!t) return false;
  if (t->op == OP_ASSIGN && t->kid[0]->op == OP_REF && t->kid[0]->symbol == s) return true;
  for (int i = 0; i < t->nkids; i++)
    if (tree_assigns(t->kid[i], s)) return true;
  return false;
}

const Tree *tree_declared(const Tree *body, const Symbol *s) {
  for (int i = 0; i < body->nkids; i++) {
    const Tree *t = body->kid[i];
    if (t->op == OP_DECLARE && t->symbol == s) return t->nkids ? t->kid[0] : NULL;
  }
  return NULL;
}

bool type_is_whole(Type t) { return (t >= TYPE_INT && t <= TYPE_ULONG) || t == TYPE_INDEX; }

/* Does the type hold the value? Where it does not, C wraps, rounds, or promises nothing. */
static bool holds(Type type, int64_t v) {
  enum { FLOATS = 1 << 24 };
  const int64_t doubles = (int64_t)1 << 53;
  switch (type) {
    case TYPE_FLOAT: return v >= -FLOATS && v <= FLOATS;
    case TYPE_DOUBLE: return v >= -doubles && v <= doubles;
    case TYPE_INT: return v >= INT32_MIN && v <= INT32_MAX;
    case TYPE_UINT: return v >= 0 && v <= UINT32_MAX;
    case TYPE_ULONG: return v >= 0;
    default: return true;
  }
}

bool type_is_unsigned(Type t) { return t == TYPE_UINT || t == TYPE_ULONG; }

/* Of -1 < 1u C makes a comparison of two unsigned numbers. */
static bool mixes_signs(const Tree *t, const int64_t *values) {
  bool any_unsigned = false, any_negative = false;
  for (int i = 0; i < t->nkids; i++) {
    any_unsigned |= type_is_unsigned(t->kid[i]->type);
    any_negative |= values[i] < 0;
  }
  return any_unsigned && any_negative;
}

static bool evaluate(const Tree *t, int64_t *value) {
  int64_t x = 0, y = 0, z = 0;
  const bool whole = t && (type_is_whole(t->type) || t->type == TYPE_BOOL); /* else T may be float: 3 / 2 is no 1 */
  if (!t) return false;
  if (t->op == OP_INT || t->op == OP_BOOL) { *value = t->number; return true; }
  if (t->nkids == 0 || t->nkids > 3 || op_is_statement(t->op)) return false;
  if (!tree_constant(t->kid[0], &x)) return false;
  if (t->nkids > 1 && !tree_constant(t->kid[1], &y)) return false;
  if (t->nkids > 2 && !tree_constant(t->kid[2], &z)) return false;
  if (mixes_signs(t, (int64_t[]){x, y, z})) return false;
  switch (t->op) {
    case OP_ADD: return !__builtin_add_overflow(x, y, value);
    case OP_SUB: return !__builtin_sub_overflow(x, y, value);
    case OP_MUL: return !__builtin_mul_overflow(x, y, value);
    case OP_DIV:
      if (y == 0 || (x == INT64_MIN && y == -1) || (!whole && x % y != 0)) return false;
      *value = x / y;
      return true;
    case OP_REM: if (y == 0 || (x == INT64_MIN && y == -1)) return false; *value = x % y; return true;
    case OP_SHL: if (y < 0 || y > 62 || x < 0 || x > (INT64_MAX >> y)) return false; *value = x << y; return true;
    case OP_SHR: if (y < 0 || y > 63) return false; *value = x >> y; return true;
    case OP_AND: *value = x & y; return true;
    case OP_OR: *value = x | y; return true;
    case OP_XOR: *value = x ^ y; return true;
    case OP_LT: *value = x < y; return true;
    case OP_LE: *value = x <= y; return true;
    case OP_GT: *value = x > y; return true;
    case OP_GE: *value = x >= y; return true;
    case OP_EQ: *value = x == y; return true;
    case OP_NE: *value = x != y; return true;
    case OP_LAND: *value = x && y; return true;
    case OP_LOR: *value = x || y; return true;
    case OP_NEG: if (x == INT64_MIN || (!whole && x == 0)) return false; *value = -x; return true;
    case OP_NOT: *value = !x; return true;
    case OP_BNOT: *value = ~x; return true;
    case OP_MIN: *value = x < y ? x : y; return true;
    case OP_MAX: *value = x > y ? x : y; return true;
    case OP_COND: *value = x ? y : z; return true;
    case OP_CAST:
      *value = x;
      return t->type == TYPE_INDEX || t->type == TYPE_LONG || (x >= INT32_MIN && x <= INT32_MAX);
    default: return false;
  }
}

bool tree_is_extent(const Tree *t) { return t->op == OP_SIZE || t->op == OP_STRIDE || t->op == OP_APART; }

const Tree *tree_uncast(const Tree *t) {
  while (t && t->op == OP_CAST) t = t->kid[0];
  return t;
}

bool tree_is_symbol(const Tree *t, const Symbol *s) {
  t = tree_uncast(t);
  return t->op == OP_REF && t->symbol == s;
}

bool tree_constant(const Tree *t, int64_t *value) {
  return evaluate(t, value) && holds(t->type, *value);
}

const Tree *tree_sequence(const Tree *t) {
  return t->op == OP_REF && t->symbol->kind == SYMBOL_SEQUENCE ? t->symbol->init : t;
}

bool tree_is_element_of(const Tree *t, const Symbol *container) {
  return t->op == OP_INDEX && t->kid[0]->op == OP_REF && t->kid[0]->symbol == container;
}

bool tree_counts(const Tree *t, const Symbol **i, const Tree **end) {
  if (t->op != OP_FOR) return false;
  const Tree *init = t->kid[0], *condition = t->kid[1], *step = t->kid[2];
  int64_t number;
  if (!init || !condition || !step || init->op != OP_DECLARE || !init->nkids) return false;
  if (!tree_constant(init->kid[0], &number) || number) return false;
  *i = init->symbol;
  if (condition->op != OP_LT || condition->kid[0]->op != OP_REF || condition->kid[0]->symbol != *i) return false;
  *end = condition->kid[1];
  return step->op == OP_ASSIGN && step->compound == OP_ADD && step->kid[0]->op == OP_REF &&
         step->kid[0]->symbol == *i &&
         (step->kid[1]->op == OP_STRIDE || (tree_constant(step->kid[1], &number) && number == 1));
}

int tree_loops(const Tree *t) {
  int most = 0;
  for (int i = 0; t && i < t->nkids; i++) {
    const int deep = tree_loops(t->kid[i]);
    if (deep > most) most = deep;
  }
  return most + (t && t->op == OP_FOR);
}

bool tree_launches(const Tree *t, const Kernel *k) {
  if (t->op == OP_LAUNCH) return t->kernel == k;
  for (int i = 0; i < t->nkids; i++)
    if (t->kid[i] && tree_launches(t->kid[i], k)) return true;
  return false;
}

Spectrum *unit_spectrum(const Unit *u, const char *name) {
  for (int i = 0; i < u->nspectra; i++)
    if (strcmp(u->spectra[i]->name, name) == 0 && !u->spectra[i]->instance_of) return u->spectra[i];
  return NULL;
}

Spectrum *unit_add(Arena *a, Unit *u, const char *name, SourceRange where) {
  Spectrum *s = arena_one(a, Spectrum), **more = arena_many(a, Spectrum *, u->nspectra + 1);
  s->name = name;
  s->where = where;
  for (int i = 0; i < u->nspectra; i++) more[i] = u->spectra[i];
  more[u->nspectra++] = s;
  u->spectra = more;
  return s;
}

const char *atomic_name(AtomicOp op) {
  static const char *const names[] = {"None", "Add", "Sub", "Max", "Min", "Mul", "And", "Or", "Xor", "User", "Once",
                                      "Any", "Append"};
  return names[op];
}

int64_t spectrum_bytes(const Spectrum *s, Type t, bool narrow) {
  if (t == TYPE_ELEM || type_is_state(t)) return s->widest;
  if (t == TYPE_STORED && s->broadest) return narrow ? s->narrowest : s->broadest;
  return t == TYPE_BOOL ? 1 : t == TYPE_INT || t == TYPE_UINT || t == TYPE_FLOAT ? 4 : 8;
}

const Codelet *spectrum_reference(const Spectrum *s) {
  for (int i = 0; i < s->ncodelets; i++)
    if (s->codelets[i]->kind == CLASS_AUTONOMOUS && !s->codelets[i]->matrix && s->codelets[i]->nenv == 0)
      return s->codelets[i];
  return NULL;
}

const Symbol *shape_same(const ShapeRule *r) {
  return r->said && r->times == 1 && r->plus == 0 && !r->of[1] && !r->of[SHAPE_ADDEND] ? r->of[0] : NULL;
}

void shape_first(const Symbol **s, int *dim) {
  const Symbol *same;
  while (*dim >= 0 && *dim < MOST_RANK && (same = shape_same(&(*s)->shape[*dim])) != NULL) {
    *dim = (*s)->shape[*dim].dim[0];
    *s = same;
  }
}

bool shape_is_same(const Symbol *x, int x_dim, const Symbol *y, int y_dim) {
  shape_first(&x, &x_dim);
  shape_first(&y, &y_dim);
  return x == y && x_dim == y_dim;
}
