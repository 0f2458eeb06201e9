/* strips.h: loops that compute elements each by itself, a vector of elements at a time. */
#ifndef TGC_PASSES_STRIPS_H
#define TGC_PASSES_STRIPS_H

#include "ir/program.h"

/* k's body, behind the simd pass: a loop outside of lanes' loops whose iterations each compute an element, by loops of
 * their own, goes through several vectors of neighbouring elements at once. The result is in `a'. Never fails. */
Tree *pass_strips(Arena *a, const Kernel *k, Tree *body);

#endif
