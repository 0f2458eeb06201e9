/* uses.c: which operations a program's text has: of the functions and macros around it, only what these call is pasted. */
#include <string.h>

#include "emit/variant.h"

/* Does the text use that op? Of least and greatest, only the ones on positions count. */
static bool uses_op(const Tree *t, Op op) {
  if (!t) return false;
  if (t->op == op && (op == OP_LIMIT || t->type == TYPE_INDEX)) return true;
  for (int i = 0; i < t->nkids; i++)
    if (uses_op(t->kid[i], op)) return true;
  return false;
}

bool variant_uses(const Program *p, Op op) {
  bool found = uses_op(p->sizes, op) || uses_op(p->launches, op);
  for (int i = 0; i < p->nkernels; i++) found |= uses_op(p->kernels[i]->body, op);
  return found;
}

bool variant_uses_limits(const Program *p) {
  const char *text = p->monoid ? p->monoid->text : "";
  return variant_uses(p, OP_LIMIT) || strstr(text, "lowest") || strstr(text, "highest");
}

bool kernels_have(const Program *p, Op op) {
  for (int i = 0; i < p->nkernels; i++)
    if (tree_contains(p->kernels[i]->body, op)) return true;
  return false;
}
