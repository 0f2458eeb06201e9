/* flat.h: matrices that a text keeps in containers of one dimension (flat.c). */
#ifndef TGC_FRONT_FLAT_H
#define TGC_FRONT_FLAT_H

#include "ir/tree.h"

/* Of codelets that are alone in their spectrum, and that nobody else divides: a spectrum of the same loops over
 * containers of two dimensions, and a codelet that applies it. */
void flat_divide(Arena *a, Unit *u);

#endif
