/* contributions.h: loops that only contribute to containers, divided (contributions.c). */
#ifndef TGC_FRONT_CONTRIBUTIONS_H
#define TGC_FRONT_CONTRIBUTIONS_H

#include "ir/tree.h"

/* Spectra whose only codelet has such loops get codelets that cut what they go through, and the unit what merges. */
void contributions_divide(Arena *a, Unit *u);

#endif
