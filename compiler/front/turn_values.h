/* turn_values.h: what a turn of a loop computes, as expressions of the loop's variable (turn_values.c). */
#ifndef TGC_FRONT_TURN_VALUES_H
#define TGC_FRONT_TURN_VALUES_H

#include "ir/tree.h"

/* The expression, with what the turn's variables were declared to be, of those that stay so. It is changed. */
Tree *turn_by_elements(Arena *a, const Tree *body, Tree *t);
/* Does it depend on nothing but the loop's variable, and what no turn changes? */
bool turn_is_own(const Tree *loop, const Symbol *index, const Tree *t);
/* Is it the same wherever it is computed again? So are elements as they are, and whole numbers: others may be rounded
 * in another way. */
bool turn_is_exact(const Tree *t);

#endif
