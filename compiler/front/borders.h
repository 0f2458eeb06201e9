/* borders.h: stencils whose text says what is beyond an edge, in a box where no edge is near and strips (borders.c). */
#ifndef TGC_FRONT_BORDERS_H
#define TGC_FRONT_BORDERS_H

#include "ir/tree.h"

/* Spectra that stores.c has cut by positions get a codelet more, if they are such stencils. */
void borders_divide(Arena *a, Unit *u);

#endif
