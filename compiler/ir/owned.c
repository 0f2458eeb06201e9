/* owned.c: containers of a compound codelet's own, and the calls that merge them. */
#include "ir/owned.h"

/* A container, and a parameter of as many dimensions that is only accumulated into. */
static bool merges(const Tree *call, const Symbol *own) {
  if (call->op != OP_CALL || call->nkids != 2) return false;
  const Tree *from = call->kid[0], *into = call->kid[1];
  return from->op == OP_REF && from->symbol == own && into->op == OP_REF && into->symbol->kind == SYMBOL_PARAM &&
         into->symbol->rank == own->rank && into->symbol->atomic;
}

Owned owned_of(const Codelet *c) {
  Owned all = {.n = 0};
  for (int i = 0; i < c->body->nkids; i++) {
    const Tree *t = c->body->kid[i];
    if (t->op != OP_DECLARE || t->symbol->kind != SYMBOL_LOCAL || !t->symbol->rank) continue;
    if (all.n < MOST_OPERANDS) all.container[all.n] = t->symbol;
    all.n++;
  }
  for (int i = 0, call = 0; i < c->body->nkids; i++) {
    const Tree *t = c->body->kid[i];
    if (t->op != OP_RUN || t->kid[0]->op != OP_CALL) continue;
    for (int k = 0; k < all.n && k < MOST_OPERANDS; k++)
      if (!all.merge[k] && merges(t->kid[0], all.container[k])) {
        all.merge[k] = t->kid[0];
        all.call[k] = call;
      }
    call++;
  }
  return all;
}
