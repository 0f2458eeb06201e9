/* uses.c: which operations a program has: only the functions and macros that they need are pasted. */
#include <string.h>

#include "emit/variant.h"
#include "ir/operator.h"

/* Is the op in the tree, on an Index or as a type's limit? min and max of other types are built in. */
static bool uses_index_op(const Tree *t, Op op) {
  if (!t) return false;
  if (t->op == op && (op == OP_LIMIT || t->type == TYPE_INDEX)) return true;
  for (int i = 0; i < t->nkids; i++)
    if (uses_index_op(t->kid[i], op)) return true;
  return false;
}

bool program_uses(const Program *p, Op op) {
  bool found = uses_index_op(p->sizes, op) || uses_index_op(p->launches, op);
  for (int i = 0; i < p->nkernels; i++) found |= uses_index_op(p->kernels[i]->body, op);
  return found;
}

bool program_uses_limits(const Program *p) {
  const char *text = p->monoid ? p->monoid->text : "";
  return program_uses(p, OP_LIMIT) || p->states || strstr(text, "lowest") || strstr(text, "highest");
}

bool kernels_use(const Program *p, Op op) {
  for (int i = 0; i < p->nkernels; i++)
    if (tree_contains(p->kernels[i]->body, op)) return true;
  return false;
}

typedef struct Copied { bool planes, matrices; } Copied;

/* One that copies a part of a plane has its place, and its extent, in two dimensions. */
static bool note_boxes(void *context, const Tree *t) {
  enum { OF_A_PLANE = 7 };
  Copied *x = context;
  if (t->op == OP_COPY_PANEL) *(t->nkids > OF_A_PLANE ? &x->matrices : &x->planes) = true;
  return true;
}

bool kernels_copy_boxes(const Program *p, bool of_matrices) {
  Copied found = {0};
  for (int i = 0; i < p->nkernels; i++) tree_visit(p->kernels[i]->body, note_boxes, &found);
  return of_matrices ? found.matrices : found.planes;
}

typedef struct Typed { Op op; Type type; bool found; } Typed;

/* C prints an atomic min or max as a plain one (c.c). */
static bool note_typed(void *context, const Tree *t) {
  Typed *x = context;
  x->found |= t->op == x->op && t->type == x->type;
  x->found |= t->op == OP_ATOMIC && operator_of_atomic(t->atomic) == operator_of(x->op) &&
              operator_of(x->op) != OPERATOR_NONE && t->kid[0]->type == x->type;
  return !x->found;
}

bool program_uses_typed(const Program *p, Op op, Type type) {
  Typed x = {op, type, false};
  tree_visit(p->sizes, note_typed, &x);
  tree_visit(p->launches, note_typed, &x);
  for (int i = 0; i < p->nkernels; i++) tree_visit(p->kernels[i]->body, note_typed, &x);
  return x.found;
}

static bool note_function(void *context, const Tree *t) {
  bool *found = context;
  *found |= op_function(t->op) && t->type == TYPE_ELEM;
  return !*found;
}

bool kernels_use_functions(const Program *p) {
  bool found = false;
  for (int i = 0; i < p->nkernels; i++) tree_visit(p->kernels[i]->body, note_function, &found);
  return found;
}

static bool note_private_array(void *context, const Tree *t) {
  bool *found = context;
  *found |= t->op == OP_DECLARE && t->symbol->room;
  return !*found;
}

bool kernels_have_private_arrays(const Program *p) {
  bool found = false;
  for (int i = 0; i < p->nkernels; i++) tree_visit(p->kernels[i]->body, note_private_array, &found);
  return found;
}

bool kernels_are_handed_arrays(const Program *p) {
  bool found = false;
  for (int i = 0; i < p->nkernels; i++)
    for (int k = 0; k < p->kernels[i]->nparams; k++) found |= p->kernels[i]->params[k]->handed;
  return found;
}

bool kernels_use_half_vectors(const Program *p) {
  bool found = false;
  for (int i = 0; i < p->nkernels; i++) found |= p->kernels[i]->step_bytes != 0;
  return found;
}

static bool note_parallel(void *context, const Tree *t) {
  bool *found = context;
  int64_t workers;
  if (t->op == OP_LAUNCH) *found |= !tree_constant(t->kid[0], &workers);
  return true;
}

bool launches_are_parallel(const Program *p) {
  bool found = false;
  tree_visit(p->launches, note_parallel, &found);
  return found;
}
