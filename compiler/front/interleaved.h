/* interleaved.h: loops that store every so many elements, by elements (interleaved.c). */
#ifndef TGC_FRONT_INTERLEAVED_H
#define TGC_FRONT_INTERLEAVED_H

#include "ir/tree.h"

/* Spectra whose only codelet has such loops get a codelet that applies the same by elements, and the unit that. */
void interleaved_divide(Arena *a, Unit *u);

#endif
