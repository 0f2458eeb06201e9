/* stores.h: loops that store each element of a container once, in parts (stores.c). */
#ifndef TGC_FRONT_STORES_H
#define TGC_FRONT_STORES_H

#include "ir/tree.h"

/* Spectra whose only codelet has such loops get codelets that divide them, and the unit the spectra of these. A remark
 * says why a codelet's loops, that nothing else divides, are not. */
void stores_divide(Arena *a, Unit *u, Diagnostics *d);

#endif
