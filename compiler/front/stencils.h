/* stencils.h: loops that store each element of containers once, of what lies around it, in parts with halos
 * (stencils.c). */
#ifndef TGC_FRONT_STENCILS_H
#define TGC_FRONT_STENCILS_H

#include "ir/tree.h"

/* Spectra whose only codelet has such loops get codelets that divide them, and the unit the spectra of these. */
void stencils_divide(Arena *a, Unit *u);

#endif
