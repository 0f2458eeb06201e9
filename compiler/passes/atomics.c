/* atomics.c: atomics as the machine and the element types have them.
 *
 * Requires: kernel form. Keeps: everything but ATOMIC statements. Breaks: nothing. */
#include "passes/atomics.h"

/* OpenMP has them for what C has an operator of and a processor a word for. */
static bool openmp_has(AtomicOp op, Type type) {
  bool number = type == TYPE_INT || type == TYPE_UINT || type == TYPE_LONG || type == TYPE_ULONG;
  bool real = type == TYPE_FLOAT || type == TYPE_DOUBLE;
  if (op == ATOMIC_ADD || op == ATOMIC_SUB || op == ATOMIC_MUL) return number || real;
  return number && (op == ATOMIC_AND || op == ATOMIC_OR || op == ATOMIC_XOR);
}

bool atomic_is_native(const Arch *m, AtomicOp op, Type type) {
  if (type == TYPE_INDEX) type = TYPE_LONG; /* `long' in a codelet's text */
  if (op == ATOMIC_ANY || op == ATOMIC_APPEND) return true; /* a store; append.cuh */
  if (m->is_cpu) return openmp_has(op, type);
  switch (op) {
    case ATOMIC_ADD:
      if (type == TYPE_DOUBLE) return m->can.atomic_add_double;
      return type == TYPE_INT || type == TYPE_UINT || type == TYPE_ULONG || type == TYPE_FLOAT;
    case ATOMIC_AND: case ATOMIC_OR: case ATOMIC_XOR:
      return type == TYPE_INT || type == TYPE_UINT || type == TYPE_ULONG;
    case ATOMIC_MAX: case ATOMIC_MIN: return type < TYPE_FLOAT;
    default: return false;
  }
}

bool atomic_is_shared(const Arch *m, AtomicOp op, Scope scope, Type type) {
  const bool bits = op == ATOMIC_AND || op == ATOMIC_OR || op == ATOMIC_XOR;
  return bits && scope == SCOPE_DEVICE && m->can.reduce_sync && (type == TYPE_INT || type == TYPE_UINT);
}

typedef struct Selection {
  Program *program;
  const Arch *machine;
  const ElementType **types;
  int ntypes;
} Selection;

/* Do lanes of a warp say which element it is? */
static bool somewhere(const Tree *place) {
  int64_t n;
  return place->op == OP_INDEX && place->nkids == 2 && !tree_constant(place->kid[1], &n);
}

static Tree *select_atomic(void *context, Arena *a, Tree *t) {
  Selection *s = context;
  if (t->op != OP_ATOMIC) return t;
  Tree *r = tree_with_kids(a, t, t->kid, t->nkids);
  if (r->scope == SCOPE_BLOCK && !s->machine->can.atomic_block_scope && !s->machine->is_cpu) r->scope = SCOPE_DEVICE;
  if (r->atomic == ATOMIC_SUB && !s->machine->is_cpu) {
    r->atomic = ATOMIC_ADD;
    r->kid[1] = tree_unary(a, OP_NEG, r->kid[1]->type, r->kid[1]);
  }
  Type type = r->kid[0]->type;
  for (int i = 0; i < s->ntypes; i++) {
    const Type one = type == TYPE_ELEM ? s->types[i]->type : type;
    const bool shared = somewhere(r->kid[0]) && atomic_is_shared(s->machine, r->atomic, r->scope, one);
    if (shared || !atomic_is_native(s->machine, r->atomic, one))
      s->program->helpers |= HELPER(r->atomic, r->scope);
  }
  return r;
}

void pass_atomics(Arena *a, Program *p, const Arch *m, const ElementType **types, int ntypes) {
  Selection s = {p, m, types, ntypes};
  for (int i = 0; i < p->nkernels; i++) p->kernels[i]->body = tree_rewrite(a, p->kernels[i]->body, select_atomic, &s);
}
