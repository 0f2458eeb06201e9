/* phase.c: where rows of containers begin in vectors of 16 bytes, if all rows are multiples of 16 bytes apart. What a
 * stencil reads, and what it writes, mostly are containers that begin at such multiples, of which its text says that an
 * element is so many elements behind another one's: then the text knows how far what is read lies behind a vector where
 * what is written begins at one.
 *
 * Requires elements whose index is given by strides and constants. */
#include "lower/realise.h"

/* What is added to an index besides strides, and what these are multiplied by. */
static int64_t constant_part(const Tree *x) {
  int64_t value;
  x = tree_uncast(x);
  if (x->op == OP_ADD) return constant_part(x->kid[0]) + constant_part(x->kid[1]);
  if (x->op == OP_SUB) return constant_part(x->kid[0]) - constant_part(x->kid[1]);
  return tree_constant(x, &value) ? value : 0;
}

Tree *phase_of(Arena *a, const Tree *first, const Tree *to) {
  enum { MOST_OF_16_BYTES = 16 };
  const int64_t apart = (constant_part(first->kid[1]) - constant_part(to->kid[1])) % MOST_OF_16_BYTES;
  Tree *elements = tree_int(a, TYPE_INT, (apart + MOST_OF_16_BYTES) % MOST_OF_16_BYTES);
  return tree_binary(a, OP_REM, TYPE_INT, elements, build_width(a, first->kid[0]->symbol->type));
}

Tree *phase_is(Arena *a, Tree *first, Tree *to) {
  Tree *width = build_width(a, first->kid[0]->symbol->type);
  Tree *ahead = tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, first), *of_to = tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, to);
  Tree *apart = build_add(a, build_sub(a, of_to, ahead), width);
  return build_compare(a, OP_EQ, tree_binary(a, OP_REM, TYPE_INDEX, apart, width), phase_of(a, first, to));
}
