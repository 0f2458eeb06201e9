/* alone.h: one lane's way to combine the results of given parts. */
#ifndef TGC_FRONT_ALONE_H
#define TGC_FRONT_ALONE_H

#include "ir/tree.h"

/* Adds an autonomous codelet to each spectrum that has none, and a codelet that does nothing but combine results of
 * rows, columns or elements. Before extract_maps(), which has them stored. */
void alone_add(Arena *a, Unit *u);

#endif
