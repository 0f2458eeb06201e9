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
    default: return arena_printf(a, "%s + value", found);
  }
}

static void opening(Buffer *to, const Names *n, const char *type) {
  buffer_printf(to, "__device__ __forceinline__ void %s(%s *place, %s value) {\n", n->function, type, type);
}

/* Add on 64-bit integers: two's complement, so the unsigned one serves. */
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

static void by_parts(Buffer *to, const Names *n, const char *type) {
  opening(to, n, type);
  buffer_printf(to, "  %s(&place->re, value.re);\n  %s(&place->im, value.im);\n}\n", n->function, n->function);
}

static void overload(Buffer *to, const Output *o, const Names *n, AtomicOp op, Type type) {
  const ElementType *e = element_by_type(type);
  if (e->sort == SORT_COMPLEX) by_parts(to, n, e->text);
  else if (atomic_is_native(o->machine, op, type)) {
    opening(to, n, e->c_type);
    buffer_printf(to, "  %s(place, value);\n}\n", n->hardware);
  } else if (op == ATOMIC_ADD && type == TYPE_LONG) as_unsigned(to, n, e->c_type);
  else by_swap(to, n, op, type, e->c_type);
}

typedef struct Types { Type at[TYPE_COUNT]; int n; } Types;

static void add_once(Types *to, Type type) {
  for (int i = 0; i < to->n; i++)
    if (to->at[i] == type) return;
  to->at[to->n++] = type;
}

/* What the element types are accumulated in, each once, and before a complex type its parts'. */
static Types accumulators(const Output *o) {
  Types all = {.n = 0};
  for (int i = 0; i < o->ntypes; i++) {
    Type type = o->types[i]->type;
    if (type == TYPE_CFLOAT) add_once(&all, TYPE_FLOAT);
    if (type == TYPE_CDOUBLE) add_once(&all, TYPE_DOUBLE);
    add_once(&all, type);
  }
  return all;
}

void emit_atomics(Buffer *to, const Output *o, const Program *p) {
  static const AtomicOp ops[] = {ATOMIC_ADD, ATOMIC_MAX, ATOMIC_MIN};
  static const char *const lower[] = {"add", "max", "min"};
  static const Scope scopes[] = {SCOPE_BLOCK, SCOPE_DEVICE};
  const Types types = accumulators(o);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 2; j++) {
      if (!(p->helpers & HELPER(ops[i], scopes[j]))) continue;
      const char *suffix = scopes[j] == SCOPE_BLOCK ? "_block" : "";
      Names n = {arena_printf(to->arena, "atomic_%s%s", lower[i], suffix),
                 arena_printf(to->arena, "atomic%s%s", atomic_name(ops[i]), suffix),
                 arena_printf(to->arena, "atomicCAS%s", suffix)};
      buffer_printf(to, "\n// %s for every element type of this file.\n", n.hardware);
      if (p->result != TYPE_ELEM) { overload(to, o, &n, ops[i], p->result); continue; }
      for (int k = 0; k < types.n; k++) overload(to, o, &n, ops[i], types.at[k]);
    }
}
