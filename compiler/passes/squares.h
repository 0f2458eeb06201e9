/* squares.h: elements that are read along one dimension and written along another, by squares. */
#ifndef TGC_PASSES_SQUARES_H
#define TGC_PASSES_SQUARES_H

#include "ir/program.h"

/* k's body, behind the simd pass: two loops around one store, whose neighbours lie side by side along one of them, and
 * of a load along the other, go through squares of as many elements as a vector has, each way. The result is in `a'.
 * Never fails. */
Tree *pass_squares(Arena *a, const Kernel *k, Tree *body);

#endif
