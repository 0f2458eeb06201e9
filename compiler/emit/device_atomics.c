/* device_atomics.c: overloads for atomics that the machine lacks on some element type, one a type: pieces of
 * runtime/device/atomics.cuh. */
#include "emit/emit.h"
#include "emit/paste.h"
#include "passes/atomics.h"

typedef struct Names {
  const char *function; /* "atomic_max_block" */
  const char *hardware; /* "atomicMax_block" */
  const char *swap;     /* "atomicCAS_block" */
  const char *reduce;   /* "__reduce_or_sync"; NULL: lanes share none */
} Names;

/* The new value, from the old one (found) and the operand. */
static const char *combination(AtomicOp op) {
  switch (op) {
    case ATOMIC_MAX: return "max(found, value)";
    case ATOMIC_MIN: return "min(found, value)";
    case ATOMIC_MUL: return "found * value";
    case ATOMIC_USER: return "M::op(found, value)";
    default: return "found + value";
  }
}

static void by_swap(Buffer *to, const Names *n, AtomicOp op, Type type, const char *c_type) {
  const bool wide = type == TYPE_DOUBLE || type == TYPE_LONG || type == TYPE_ULONG;
  paste(to, device_atomics, "BY_SWAP", "1", "FUNCTION", n->function, "SWAP", n->swap, "TYPE", c_type,
        "COMBINE", combination(op), "WORD", wide ? "unsigned long long" : "unsigned",
        "BITS", type == TYPE_DOUBLE  ? "(unsigned long long)__double_as_longlong(x)"
                : type == TYPE_FLOAT ? "__float_as_uint(x)"
                                     : "(x)",
        "VALUE", type == TYPE_DOUBLE  ? "__longlong_as_double((long long)x)"
                 : type == TYPE_FLOAT ? "__uint_as_float(x)"
                                      : "x", NULL);
}

static void by_bits(Buffer *to, const Names *n, AtomicOp op, const char *type) {
  paste(to, device_atomics, "BY_BITS", "1", "FUNCTION", n->function, "SWAP", n->swap, "TYPE", type,
        "COMBINE", combination(op), "WORD", "unsigned long long", NULL);
}

static void of_users(Buffer *to, const Names *n, bool first) {
  paste(to, device_atomics, "USER", "1", "USER_WORDS", paste_if(first), "FUNCTION", n->function, "SWAP", n->swap,
        "TYPE", "T", "COMBINE", combination(ATOMIC_USER), "WORD", "typename Word<sizeof(T)>::type", NULL);
}

/* The overload for one type: the hardware's atomic, or a substitute. */
static void put_overload(Buffer *to, const Output *o, const Names *n, AtomicOp op, Type type) {
  const ElementType *e = element_by_type(type);
  const bool bitwise = op == ATOMIC_AND || op == ATOMIC_OR || op == ATOMIC_XOR;
  if (bitwise && !type_is_whole(type)) return; /* it has none */
  if (e->sort == SORT_COMPLEX && op != ATOMIC_ADD) by_bits(to, n, op, e->text);
  else if (e->sort == SORT_COMPLEX)
    paste(to, device_atomics, "BY_PARTS", "1", "FUNCTION", n->function, "TYPE", e->text, NULL);
  else if (n->reduce && atomic_is_shared(o->machine, op, SCOPE_DEVICE, type))
    paste(to, device_atomics, "TOGETHER", "1", "FUNCTION", n->function, "HARDWARE", n->hardware, "TYPE", e->c_type,
          "REDUCE", n->reduce, NULL);
  else if (atomic_is_native(o->machine, op, type))
    paste(to, device_atomics, "NATIVE", "1", "FUNCTION", n->function, "HARDWARE", n->hardware, "TYPE", e->c_type, NULL);
  else if ((op == ATOMIC_ADD || bitwise) && type == TYPE_LONG)
    paste(to, device_atomics, "UNSIGNED", "1", "FUNCTION", n->function, "HARDWARE", n->hardware, "TYPE", e->c_type,
          NULL);
  else by_swap(to, n, op, type, e->c_type);
}

typedef struct Types { Type at[TYPE_COUNT]; int n; } Types;

static void add_once(Types *to, Type type) {
  for (int i = 0; i < to->n; i++)
    if (to->at[i] == type) return;
  to->at[to->n++] = type;
}

/* Index is long long. */
static Type without_index(Type t) { return t == TYPE_INDEX ? TYPE_LONG : t; }

typedef struct Updated { const Program *p; Types *to; bool elements; } Updated;

/* The machine lacks it for some type: then it is one of these functions for all. */
static bool add_updated(void *context, const Tree *t) {
  Updated *x = context;
  if (t->op != OP_ATOMIC || !(x->p->helpers & HELPER(t->atomic, t->scope))) return true;
  const Type type = without_index(t->kid[0]->type);
  if (element_by_type(type)) add_once(x->to, type);
  x->elements |= type == TYPE_ELEM;
  return true;
}

/* The types that atomics update, each once, a complex type's parts before it: the result, the accumulator of each
 * element type, the elements of arrays that are written, in the workspace too, and variables. */
static Types accumulators(const Output *o, const Program *p) {
  Types all = {.n = 0};
  for (int i = 0; i < p->signature.n; i++) {
    const Operand *x = &p->signature.at[i];
    const Type type = without_index(x->symbol->type);
    if (x->written && i != p->signature.result && element_by_type(type)) add_once(&all, type);
  }
  const bool fixed = p->result != TYPE_ELEM && p->result != TYPE_VOID;
  bool elements = !fixed;
  if (fixed) add_once(&all, without_index(p->result));
  for (int i = 0; i < p->workspace.n; i++) {
    const Type type = without_index(p->workspace.at[i].array->type);
    elements |= type == TYPE_ELEM;
    if (element_by_type(type)) add_once(&all, type);
  }
  Types updated = {.n = 0};
  Updated x = {p, &updated, elements};
  for (int i = 0; i < p->nkernels; i++) tree_visit(p->kernels[i]->body, add_updated, &x);
  for (int i = 0; i < o->ntypes && x.elements; i++) {
    Type type = o->types[i]->type;
    if (type == TYPE_CFLOAT) add_once(&all, TYPE_FLOAT);
    if (type == TYPE_CDOUBLE) add_once(&all, TYPE_DOUBLE);
    add_once(&all, type);
  }
  for (int i = 0; i < updated.n; i++) add_once(&all, updated.at[i]);
  return all;
}

void emit_atomics(Buffer *to, const Output *o, const Program *p) {
  static const AtomicOp ops[] = {ATOMIC_ADD, ATOMIC_MAX, ATOMIC_MIN, ATOMIC_MUL, ATOMIC_AND, ATOMIC_OR, ATOMIC_XOR,
                                 ATOMIC_USER};
  static const char *const lower[] = {"add", "max", "min", "mul", "and", "or", "xor", "op"};
  enum { OPS = sizeof ops / sizeof *ops };
  static const Scope scopes[] = {SCOPE_BLOCK, SCOPE_DEVICE};
  const Types types = accumulators(o, p);
  bool word = false;
  for (int i = 0; i < OPS; i++)
    for (int j = 0; j < 2; j++) {
      if (!(p->helpers & HELPER(ops[i], scopes[j]))) continue;
      const char *suffix = scopes[j] == SCOPE_BLOCK ? "_block" : "";
      Names n = {arena_printf(to->arena, "atomic_%s%s", lower[i], suffix),
                 arena_printf(to->arena, "atomic%s%s", atomic_name(ops[i]), suffix),
                 arena_printf(to->arena, "atomicCAS%s", suffix),
                 scopes[j] == SCOPE_DEVICE ? arena_printf(to->arena, "__reduce_%s_sync", lower[i]) : NULL};
      if (ops[i] == ATOMIC_USER) {
        of_users(to, &n, !word);
        word = true;
        continue;
      }
      paste(to, device_atomics, "FIRST", "1", "HARDWARE", n.hardware, NULL);
      for (int k = 0; k < types.n; k++) put_overload(to, o, &n, ops[i], types.at[k]);
    }
}
