/* shifted.h: loops that store from some place on (shifted.c). */
#ifndef TGC_FRONT_SHIFTED_H
#define TGC_FRONT_SHIFTED_H

#include "ir/tree.h"

/* for (j ..) out(i, first + j) = b(i, j), as a loop over out's elements, of which some are stored: neighbours are
 * several lanes' then. Else the loop as it is. */
const Tree *shifted_by_places(Arena *a, const Tree *t);

#endif
