/* stored.h: results of parts of parts, stored by a step of their own (stored.c). */
#ifndef TGC_FRONT_STORED_H
#define TGC_FRONT_STORED_H

#include "ir/tree.h"

/* Adds a codelet of steps to each spectrum that maps what combines results over lines. Before sums_divide(), which cuts
 * the first of these steps in tiles. */
void stored_add(Arena *a, Unit *u);

#endif
