/* row_sums.h: loops over rows that add up what each row comes to (row_sums.c). */
#ifndef TGC_FRONT_ROW_SUMS_H
#define TGC_FRONT_ROW_SUMS_H

#include "front/loop_sums.h"
#include "front/step_spectra.h"

/* The loop as two: one that stores what each row comes to, by sum in a container of its own, and one that adds these
 * up. `turns': how many rows there are, the size of a parameter. */
typedef struct RowSums { Tree *rows, *sums; const Tree *turns; Symbol *each[MOST_LOOP_SUMS]; } RowSums;

/* False: it is no such loop, or several lanes could not go through a row. */
bool row_sums_find(const LoopSteps *x, const Tree *loop, const LoopSums *of, RowSums *found);

#endif
