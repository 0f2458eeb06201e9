/* legalise_shuffles.c: shuffles of values that the machine has no shuffle for, such as complex numbers.
 *
 * Requires: kernel form; nothing looks at shuffles any more. Keeps: everything else, and every value. Breaks: nothing.
 * Where all types are numbers that CUDA's own shuffles take, nothing changes. */
#include "passes/legalise_shuffles.h"

typedef struct Shuffled { bool whole; } Shuffled; /* all element types are shuffled by CUDA's own functions */

static Tree *by_words(void *context, Arena *a, Tree *t) {
  const Shuffled *s = context;
  if (t->op != OP_SHUFFLE || t->words || (type_is_state(t->type) ? false : s->whole || t->type != TYPE_ELEM)) return t;
  Tree *r = tree_with_kids(a, t, t->kid, t->nkids);
  r->words = true;
  return r;
}

void pass_legalise_shuffles(Arena *a, Program *p, const ElementType **types, int ntypes) {
  bool whole = true;
  for (int i = 0; i < ntypes; i++) whole &= element_is_shuffled_whole(types[i]);
  Shuffled s = {whole};
  for (int i = 0; (!whole || p->states) && i < p->nkernels; i++)
    p->kernels[i]->body = tree_rewrite(a, p->kernels[i]->body, by_words, &s);
}
