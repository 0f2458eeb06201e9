/* device_atomics.c: device functions for atomics that the hardware lacks on some element type: one overload a type,
 * the hardware's own where there is one, else compare-and-swap on the value's bits. A complex number is added part by
 * part: nothing reads it before a barrier, and then both parts have all that was added to them. */
#include "emit/emit.h"
#include "passes/atomics.h"

typedef struct Names {
  const char *function; /* "atomic_max_block" */
  const char *hardware; /* "atomicMax_block" */
  const char *swap;     /* "atomicCAS_block" */
} Names;

/* The new value: found + value, max(found, value), .. */
static const char *combination(Arena *a, AtomicOp op, const char *found) {
  switch (op) {
    case ATOMIC_MAX: return arena_printf(a, "max(%s, value)", found);
    case ATOMIC_MIN: return arena_printf(a, "min(%s, value)", found);
    case ATOMIC_MUL: return arena_printf(a, "%s * value", found);
    case ATOMIC_USER: return arena_printf(a, "M::op(%s, value)", found);
    default: return arena_printf(a, "%s + value", found);
  }
}

static void opening(Buffer *to, const Names *n, const char *type) {
  buffer_printf(to, "__device__ __forceinline__ void %s(%s *place, %s value) {\n", n->function, type, type);
}

/* Add and the bits of 64-bit integers: two's complement, so the unsigned one serves. */
static void as_unsigned(Buffer *to, const Names *n, const char *type) {
  opening(to, n, type);
  buffer_printf(to, "  %s((unsigned long long *)place, (unsigned long long)value);\n}\n", n->hardware);
}

static void by_swap(Buffer *to, const Names *n, AtomicOp op, Type type, const char *c_type) {
  bool wide = type == TYPE_DOUBLE || type == TYPE_LONG || type == TYPE_ULONG;
  const char *word = wide ? "unsigned long long" : "unsigned";
  const char *pack = type == TYPE_DOUBLE ? "(unsigned long long)__double_as_longlong"
                   : type == TYPE_FLOAT  ? "__float_as_uint"
                                         : "";
  const char *unpack = type == TYPE_DOUBLE ? "__longlong_as_double((long long)found)"
                     : type == TYPE_FLOAT  ? "__uint_as_float(found)"
                                           : "found";
  opening(to, n, c_type);
  buffer_printf(to, "  %s *word = (%s *)place;\n", word, word);
  buffer_printf(to, "  %s found = %s(word, 0, 0); // an atomic read\n", word, n->swap);
  buffer_puts(to, "  for (;;) {\n");
  buffer_printf(to, "    const %s before = found;\n    const %s after = %s(%s);\n    if (after == before) return;\n",
                word, word, pack, combination(to->arena, op, unpack));
  buffer_printf(to, "    found = %s(word, before, after);\n    if (found == before) return;\n  }\n}\n", n->swap);
}

/* What is no number: its bits as a word. */
static void by_word(Buffer *to, const Names *n, AtomicOp op, const char *type, const char *word) {
  opening(to, n, type);
  buffer_printf(to, "  %s *word = (%s *)place, found = %s(word, 0, 0); // an atomic read\n  for (;;) {\n"
                    "    const %s before = found;\n    union {\n      %s bits;\n      %s state;\n    } now;\n"
                    "    now.bits = before;\n    now.state = %s;\n    if (now.bits == before) return;\n"
                    "    found = %s(word, before, now.bits);\n    if (found == before) return;\n  }\n}\n",
                word, word, n->swap, word, word, type, combination(to->arena, op, "now.state"), n->swap);
}

/* The user's operator on states of 4 or of 8 bytes. */
static void users_own(Buffer *to, const Names *n, bool first) {
  if (first)
    buffer_puts(to, "\n// The word that a state of so many bytes is.\n"
                    "template <int bytes> struct Word;\n"
                    "template <> struct Word<4> { typedef unsigned type; };\n"
                    "template <> struct Word<8> { typedef unsigned long long type; };\n");
  buffer_puts(to, "\n// The operator, atomically.\ntemplate <typename M, typename T>\n");
  by_word(to, n, ATOMIC_USER, "T", "typename Word<sizeof(T)>::type");
}

static void by_parts(Buffer *to, const Names *n, const char *type) {
  opening(to, n, type);
  buffer_printf(to, "  %s(&place->re, value.re);\n  %s(&place->im, value.im);\n}\n", n->function, n->function);
}

static void overload(Buffer *to, const Output *o, const Names *n, AtomicOp op, Type type) {
  const ElementType *e = element_by_type(type);
  bool bitwise = op == ATOMIC_AND || op == ATOMIC_OR || op == ATOMIC_XOR;
  if (e->sort == SORT_COMPLEX && op != ATOMIC_ADD) by_word(to, n, op, e->text, "unsigned long long");
  else if (e->sort == SORT_COMPLEX) by_parts(to, n, e->text);
  else if (atomic_is_native(o->machine, op, type)) {
    opening(to, n, e->c_type);
    buffer_printf(to, "  %s(place, value);\n}\n", n->hardware);
  } else if ((op == ATOMIC_ADD || bitwise) && type == TYPE_LONG) as_unsigned(to, n, e->c_type);
  else by_swap(to, n, op, type, e->c_type);
}

typedef struct Types { Type at[TYPE_COUNT]; int n; } Types;

static void add_once(Types *to, Type type) {
  for (int i = 0; i < to->n; i++)
    if (to->at[i] == type) return;
  to->at[to->n++] = type;
}

/* `long' in a codelet's text is an Index: 64 bits, as long long has. */
static Type whole(Type t) { return t == TYPE_INDEX ? TYPE_LONG : t; }

/* What is accumulated, each type once, and before a complex type its parts': the program's result, what the element types
 * are accumulated in, and what containers hold that are contributed to. */
static Types accumulators(const Output *o, const Program *p) {
  Types all = {.n = 0};
  for (int i = 0; i < p->signature.n; i++) {
    const Operand *x = &p->signature.at[i];
    const Type type = whole(x->symbol->type);
    if (x->written && i != p->signature.result && element_by_type(type)) add_once(&all, type);
  }
  const bool fixed = p->result != TYPE_ELEM && p->result != TYPE_VOID;
  if (fixed) add_once(&all, whole(p->result));
  for (int i = 0; i < o->ntypes && !fixed; i++) {
    Type type = o->types[i]->type;
    if (type == TYPE_CFLOAT) add_once(&all, TYPE_FLOAT);
    if (type == TYPE_CDOUBLE) add_once(&all, TYPE_DOUBLE);
    add_once(&all, type);
  }
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
                 arena_printf(to->arena, "atomicCAS%s", suffix)};
      if (ops[i] == ATOMIC_USER) {
        users_own(to, &n, !word);
        word = true;
        continue;
      }
      buffer_printf(to, "\n// %s for every element type of this file.\n", n.hardware);
      for (int k = 0; k < types.n; k++) overload(to, o, &n, ops[i], types.at[k]);
    }
}
