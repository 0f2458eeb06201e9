/* parameter.c: a codelet's parameters, and what their qualifiers say of them. */
#include <stdlib.h>
#include <string.h>

#include "front/convert.h"

static AtomicOp contribution(const char *name) {
  static const AtomicOp ops[] = {ATOMIC_ADD, ATOMIC_SUB, ATOMIC_MAX,  ATOMIC_MIN, ATOMIC_AND,
                                 ATOMIC_OR,  ATOMIC_XOR, ATOMIC_ONCE, ATOMIC_ANY};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    if (strcmp(name, atomic_name(ops[i])) == 0) return ops[i];
  return ATOMIC_NONE;
}

/* `__append(count) Array<1, T> next': the parameter that counts. */
static bool queue(Converter *c, const Codelet *k, CXCursor p, Symbol *s, const Qualities *q) {
  const Symbol *count = NULL;
  for (int i = 0; i < k->nparams; i++)
    if (strcmp(k->params[i]->name, q->append) == 0) count = k->params[i];
  s->writable = true;
  s->atomic = ATOMIC_APPEND;
  s->counter = count;
  if (s->rank != 1 || q->accum || q->writable || q->by_columns)
    convert_refuse(c, p, "__append(count) Array<1, T> next", s->rank != 1 ? "a queue is a container of one dimension"
                                                                         : "`__append' stands alone");
  else if (!count || count->rank != 1 || count->atomic != ATOMIC_ADD || !type_is_whole(count->type))
    convert_refuse(c, p, "__accum(Add) Array<1, int> count, before it",
                   !count ? "`__append(%.60s)': there is no such parameter before `%s'"
                          : "`__append(%.60s)': what counts the elements of `%s' is `__accum(Add)', of whole numbers",
                   q->append, s->name);
  return !c->failed;
}

static bool qualify(Converter *c, const Codelet *k, CXCursor p, Symbol *s) {
  Qualities q = convert_qualities(c, p);
  s->writable = q.writable != NULL;
  s->by_columns = q.by_columns != NULL;
  if (q.like && !shape_like(c, k, p, s, q.like)) return false;
  if (q.shape && !shape_said(c, k, p, s, q.shape)) return false;
  if (q.by_columns && s->rank != 2) {
    convert_refuse(c, p, "__by_columns Array<2, T>", "`__by_columns' is for containers of two dimensions");
    return false;
  }
  if (q.append) return queue(c, k, p, s, &q);
  if (!q.accum) return true;
  s->writable = true;
  s->atomic = contribution(q.accum);
  const bool bits = s->atomic == ATOMIC_AND || s->atomic == ATOMIC_OR || s->atomic == ATOMIC_XOR;
  if (s->rank && bits && !type_is_whole(s->type))
    convert_refuse(c, p, "__accum(Or) Array<1, unsigned>", "`__accum(%s)' is of whole numbers: int, unsigned, long ..",
                   q.accum);
  else if (!s->rank || s->atomic == ATOMIC_NONE || q.writable)
    convert_refuse(c, p, "__accum(Add) Array<1, unsigned>; there are Add, Sub, Max, Min, And, Or, Xor, Once and Any",
                   "%s",
                   !s->rank     ? "`__accum' is for containers"
                   : q.writable ? "`__accum' and `__mutable' exclude each other"
                                : arena_printf(c->a, "`__accum(%.60s)': there is no such operator", q.accum));
  return !c->failed;
}

/* C has no default arguments, and the library's functions are C: all are passed. What libclang has of an instantiation
 * does not tell, so the text behind the name does. */
static bool refuse_default(Converter *c, CXCursor p, const char *name) {
  unsigned at;
  clang_getFileLocation(clang_getCursorLocation(p), NULL, NULL, NULL, &at);
  for (int depth = 0; at < c->file->size; at++) {
    const char one = c->file->text[at];
    if (depth == 0 && strchr(",);{", one)) return false;
    if (depth == 0 && one == '=') break;
    depth += one == '(' ? 1 : one == ')' ? -1 : 0;
  }
  if (at >= c->file->size) return false;
  diagnostics_add(c->d, DIAG_ERROR, (SourceRange){c->file, at, at + 1},
                  "leave it out, and pass the value where it is called",
                  "`%s' has a default argument: codelets and functions have none", name);
  return c->failed = true;
}

static bool has_struct_elements(CXType t) {
  t = clang_getCanonicalType(t);
  if (t.kind == CXType_LValueReference) t = clang_getPointeeType(t);
  return convert_is_class(t, "Array") && clang_Type_getTemplateArgumentAsType(t, 1).kind == CXType_Record;
}

bool convert_parameter(Converter *c, Codelet *k, CXCursor p) {
  int rank;
  Type type = convert_type(c, clang_getCursorType(p), &rank);
  const char *name = convert_text(c->a, clang_getCursorSpelling(p));
  if (type == TYPE_COUNT && *name && has_struct_elements(clang_getCursorType(p))) {
    convert_refuse(c, p, "a container of numbers for each member: Array<1, float> x, Array<1, float> y",
                   "the elements of `%s' are no numbers", name);
    return false;
  }
  if (type == TYPE_COUNT || !*name) {
    convert_refuse(c, p, "Array<1, T>, or a number; elements of 8 and 16 bits are T, and `--types int8'",
                   *name ? "a codelet cannot have a parameter of this type" : "a parameter without a name");
    return false;
  }
  if (rank > MOST_RANK) { /* four */
    convert_refuse(c, p, "Array<1, T>, Array<2, T>, Array<3, T>", "containers have one to four dimensions");
    return false;
  }
  if (k->nparams == MOST_PARAMETERS) {
    convert_refuse(c, p, NULL, "a codelet has at most %d parameters", MOST_PARAMETERS);
    return false;
  }
  if (refuse_default(c, p, name)) return false;
  Symbol *s = symbol_new(c->a, SYMBOL_PARAM, name, type);
  s->rank = rank;
  s->declared = type;
  s->number = !rank && type == TYPE_INDEX;
  s->where = convert_range(c, p);
  if (!qualify(c, k, p, s)) return false;
  convert_remember(c, p, s);
  Symbol **more = arena_many(c->a, Symbol *, k->nparams + 1);
  for (int i = 0; i < k->nparams; i++) more[i] = k->params[i];
  more[k->nparams++] = s;
  k->params = more;
  return true;
}
