/* uses.c: which operations a program's text has: of the functions and macros around it, only what these call is pasted. */
#include <string.h>

#include "emit/variant.h"
#include "ir/operator.h"

/* Does the text use that op? Of least and greatest, only the ones on positions count. */
static bool uses_op(const Tree *t, Op op) {
  if (!t) return false;
  if (t->op == op && (op == OP_LIMIT || t->type == TYPE_INDEX)) return true;
  for (int i = 0; i < t->nkids; i++)
    if (uses_op(t->kid[i], op)) return true;
  return false;
}

bool program_uses(const Program *p, Op op) {
  bool found = uses_op(p->sizes, op) || uses_op(p->launches, op);
  for (int i = 0; i < p->nkernels; i++) found |= uses_op(p->kernels[i]->body, op);
  return found;
}

bool program_uses_limits(const Program *p) {
  const char *text = p->monoid ? p->monoid->text : "";
  return program_uses(p, OP_LIMIT) || strstr(text, "lowest") || strstr(text, "highest");
}

bool kernels_use(const Program *p, Op op) {
  for (int i = 0; i < p->nkernels; i++)
    if (tree_contains(p->kernels[i]->body, op)) return true;
  return false;
}

typedef struct Typed { Op op; Type type; bool found; } Typed;

/* An atomic without an instruction of its own is printed as what it does (c.c). */
static bool is_typed(void *context, const Tree *t) {
  Typed *x = context;
  x->found |= t->op == x->op && t->type == x->type;
  x->found |= t->op == OP_ATOMIC && operator_of_atomic((AtomicOp)t->number) == operator_of(x->op) &&
              operator_of(x->op) != OPERATOR_NONE && t->kid[0]->type == x->type;
  return !x->found;
}

bool program_uses_typed(const Program *p, Op op, Type type) {
  Typed x = {op, type, false};
  tree_visit(p->sizes, is_typed, &x);
  tree_visit(p->launches, is_typed, &x);
  for (int i = 0; i < p->nkernels; i++) tree_visit(p->kernels[i]->body, is_typed, &x);
  return x.found;
}

static bool is_room(void *context, const Tree *t) {
  bool *found = context;
  *found |= t->op == OP_DECLARE && t->symbol->room;
  return !*found;
}

bool kernels_have_private_arrays(const Program *p) {
  bool found = false;
  for (int i = 0; i < p->nkernels; i++) tree_visit(p->kernels[i]->body, is_room, &found);
  return found;
}

bool kernels_use_half_vectors(const Program *p) {
  bool found = false;
  for (int i = 0; i < p->nkernels; i++) found |= p->kernels[i]->halves;
  return found;
}

static bool is_parallel(void *context, const Tree *t) {
  bool *found = context;
  int64_t workers;
  if (t->op == OP_LAUNCH) *found |= !tree_constant(t->kid[0], &workers);
  return true;
}

bool launches_are_parallel(const Program *p) {
  bool found = false;
  tree_visit(p->launches, is_parallel, &found);
  return found;
}
