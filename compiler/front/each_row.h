/* each_row.h: plain loops over rows, each of which several lanes can go through, or scan (each_row.c). */
#ifndef TGC_FRONT_EACH_ROW_H
#define TGC_FRONT_EACH_ROW_H

#include "front/recurrences.h"

/* Adds a map over rows to each spectrum that has nothing but such loops. Before stores_divide(), which gives each row
 * to a lane. */
void each_row_add(Arena *a, Unit *u, const ScanText *text);
/* Has the codelet nothing but such loops? */
bool each_row_goes_together(Arena *a, const Unit *u, const Codelet *c);

#endif
