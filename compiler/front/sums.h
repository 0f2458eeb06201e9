/* sums.h: loops that store what they have added up, as two steps (sums.c). */
#ifndef TGC_FRONT_SUMS_H
#define TGC_FRONT_SUMS_H

#include "ir/tree.h"

/* Spectra one of whose codelets has such loops get a codelet of two steps, and the unit the spectra of these. */
void sums_divide(Arena *a, Unit *u);

/* Has the codelet such loops, that can be divided? */
bool sums_fit(Arena *a, const Codelet *c);

#endif
