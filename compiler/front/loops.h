/* loops.h: loops that count, however their heads are written, and sizes that were put into variables before them. */
#ifndef TGC_FRONT_LOOPS_H
#define TGC_FRONT_LOOPS_H

#include "ir/tree.h"

/* `for (index = begin; index < end; index += step)', step > 0; or, step < 0, downwards, while index > end. The variable
 * is not assigned to in the body. */
typedef struct LoopHead { const Symbol *index; Tree *begin, *end; int64_t step; } LoopHead;

/* Is it such a loop? */
bool loops_head(Arena *a, const Tree *t, LoopHead *head);
/* The codelet's body in which sizes, and sums, products, minima and maxima of sizes, that a variable stands for are
 * written where the variable was. */
Tree *loops_sized(Arena *a, const Codelet *c);

#endif
