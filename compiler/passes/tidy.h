/* tidy.h: variables that the text can do without. */
#ifndef TGC_PASSES_TIDY_H
#define TGC_PASSES_TIDY_H

#include "ir/tree.h"

/* A body in kernel form without variables that nothing reads, without copies `T x = y;` of what does not change
 * later, and with first values where the declaration is: one round. The result is in `a`. */
Tree *tidy_locals(Arena *a, Tree *body);

#endif
