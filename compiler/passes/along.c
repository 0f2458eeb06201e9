/* along.c: sums of products, by one variable. */
#include "passes/along.h"

#include "ir/build.h"

Along along_of(const Tree *t, const Symbol *s) {
  if (!tree_mentions(t, s)) return ALONG_NOT;
  if (t->op == OP_REF) return ALONG_ONE;
  if (t->op == OP_CAST) return along_of(t->kid[0], s);
  if (t->op != OP_ADD && t->op != OP_SUB) return ALONG_OTHERWISE;
  const Along left = along_of(t->kid[0], s), right = along_of(t->kid[1], s);
  if (right == ALONG_NOT) return left;
  return t->op == OP_ADD && left == ALONG_NOT ? right : ALONG_OTHERWISE;
}

Tree *along_step(Arena *a, const Tree *t, const Symbol *s) {
  if (!tree_mentions(t, s)) return build_index(a, 0);
  if (t->op == OP_REF) return build_index(a, 1);
  if (t->op == OP_CAST) return along_step(a, t->kid[0], s);
  if (t->op == OP_ADD || t->op == OP_SUB) {
    Tree *left = along_step(a, t->kid[0], s), *right = along_step(a, t->kid[1], s);
    if (!left || !right) return NULL;
    return t->op == OP_ADD ? build_add(a, left, right) : build_sub(a, left, right);
  }
  if (t->op != OP_MUL) return NULL;
  const bool first = tree_mentions(t->kid[0], s);
  if (first && tree_mentions(t->kid[1], s)) return NULL;
  Tree *step = along_step(a, t->kid[!first], s);
  return step ? build_mul(a, step, t->kid[first]) : NULL;
}

bool along_is_memory(const Tree *t) {
  return t->op == OP_INDEX && t->nkids == 2 && t->kid[0]->op == OP_REF && t->kid[0]->symbol->pointer;
}
