/* row_loops.h: a loop over the rows of matrices, as a map over them (row_loops.c). */
#ifndef TGC_FRONT_ROW_LOOPS_H
#define TGC_FRONT_ROW_LOOPS_H

#include "ir/tree.h"

/* Spectra whose only codelet is such a loop get a codelet that maps what it does to a row, and the unit the spectrum of
 * that. */
void row_loops_divide(Arena *a, Unit *u);

#endif
