/* fuse.c: products that are added to something, as one operation.
 *
 * Requires: kernel form. Keeps: every value, but for how often it was rounded. Breaks: nothing.
 * On GPUs nvcc does so by itself. On a CPU compilers are told not to (-ffp-contract=off), so that any of them gives the
 * same bits; where a plan promises no more than the same bits in every run, its text says what is fused. */
#include "passes/fuse.h"

static Tree *fused(Arena *a, Tree *product, Tree *to) {
  Tree *t = tree_new(a, OP_FUSED, TYPE_ELEM, product->where, 3);
  t->kid[0] = product->kid[0];
  t->kid[1] = product->kid[1];
  t->kid[2] = to;
  return t;
}

static bool is_product(const Tree *t) { return t->op == OP_MUL && t->type == TYPE_ELEM; }

static Tree *fuse(void *context, Arena *a, Tree *t) {
  (void)context;
  if (t->op == OP_ADD && t->type == TYPE_ELEM)
    for (int i = 1; i >= 0; i--)
      if (is_product(t->kid[i])) return fused(a, t->kid[i], t->kid[!i]);
  if (t->op != OP_ASSIGN || t->compound != OP_ADD || !is_product(t->kid[1])) return t;
  Tree *r = tree_with_kids(a, t, (Tree *[]){t->kid[0], fused(a, t->kid[1], t->kid[0])}, 2);
  r->compound = 0;
  return r;
}

Tree *pass_fuse(Arena *a, Tree *body) { return tree_rewrite(a, body, fuse, NULL); }
