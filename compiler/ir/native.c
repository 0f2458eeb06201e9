/* native.c: what trees call of the functions that the C compiler reads (native.h). */
#include "ir/native.h"

static bool find_called(void *context, const Tree *t) {
  const Natives **found = context;
  if (t->op == OP_NATIVE && !*found) *found = t->native->all;
  return !*found;
}

const Natives *native_called(const Tree *t) {
  const Natives *found = NULL;
  if (t) tree_visit(t, find_called, &found);
  return found;
}

bool native_takes_addresses(const Tree *call) {
  for (int i = 0; i < call->nkids; i++)
    if (call->kid[i]->op == OP_ADDRESS) return true;
  return false;
}
