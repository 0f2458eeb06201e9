/* row_tiles.h: rows of several axes, each of which several lanes can go through (row_tiles.c). */
#ifndef TGC_FRONT_ROW_TILES_H
#define TGC_FRONT_ROW_TILES_H

#include "front/divisible.h"

/* The codelet that is divided by its own cuts gets one beside it, for lanes that go through a row together. */
void row_tiles_add(Arena *a, Unit *u, const Divisible *x);

#endif
