/* add_up.h: what a lane's loops contribute to a place is added up before it is contributed. */
#ifndef TGC_PASSES_ADD_UP_H
#define TGC_PASSES_ADD_UP_H

#include "ir/program.h"

/* Into memory, at a place that is no element's, by an operator that takes numbers in any order. */
bool add_up_contributes(const Tree *t);

Tree *pass_add_up(Arena *a, const Kernel *k, Tree *body);

#endif
