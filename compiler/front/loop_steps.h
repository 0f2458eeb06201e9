/* loop_steps.h: loops that stand one after another, and what they add up, as steps (loop_steps.c). */
#ifndef TGC_FRONT_LOOP_STEPS_H
#define TGC_FRONT_LOOP_STEPS_H

#include "ir/tree.h"

/* Spectra whose only codelet has such loops get a codelet of steps, and the unit the spectra of these. `real': of T
 * there are no whole numbers. */
void loop_steps_divide(Arena *a, Unit *u, bool real);
/* .. and rows, by the loops along them, of spectra that nothing has divided. Are there new ones? */
bool loop_steps_divide_rows(Arena *a, Unit *u);

#endif
