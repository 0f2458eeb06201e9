/* stencils.h: loops that store each element of containers once, of what lies around it, in parts with halos
 * (stencils.c). */
#ifndef TGC_FRONT_STENCILS_H
#define TGC_FRONT_STENCILS_H

#include "front/stencil.h"

/* Spectra whose only codelet has such loops get codelets that divide them, and the unit the spectra of these. */
void stencils_divide(Arena *a, Unit *u);
/* A spectrum of the stencil's parts, NAME_inside, with codelets that cut it; NULL: its sizes cannot be said. */
Spectrum *stencils_inside(Arena *a, Unit *u, const Spectrum *s, const Stencil *x);
/* .. applied to the boxes of another codelet's parameters; a size, by these. */
Tree *stencils_call(Arena *a, const Stencil *x, const Codelet *in, Spectrum *parts);
Tree *stencils_size(Arena *a, const Stencil *x, const Codelet *in, const Size *size);
/* Is more than an element's own place read of any container? */
bool stencils_reach(const Stencil *x);

#endif
