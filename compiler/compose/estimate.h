/* estimate.h: what a plan of tiles is expected to take, by the number of results; nothing is measured here. */
#ifndef TGC_COMPOSE_ESTIMATE_H
#define TGC_COMPOSE_ESTIMATE_H

#include "compose/plan.h"

/* Has the plan tiles in registers whose operands come by panels, so that their extents can be chosen by size? A matrix
 * unit's tiles have sizes of their own. */
bool estimate_takes_tiles(const Plan *p);
/* .. or of a batch of results, of which a tile is of one. */
bool estimate_takes_batches(const Plan *p);

/* The cheapest of a few tiles, by multiply-adds on the busiest multiprocessor, what lanes read and copy for them, and
 * the lanes that are there to hide latency. `bytes': of an element. At so many results; 0: of more than any. The index
 * of the tile, for estimate_set; -1: the plan takes none of them. */
int estimate_tile(const Plan *p, int64_t bytes, uint64_t results);

/* The smallest of them; -1: it does not fit. */
int estimate_smallest(const Plan *p, int64_t bytes);
/* Sets the plan's tunables to that tile. */
void estimate_set(Arena *a, const Plan *p, int tile, Tunables *to);

/* Tiles that fit, as rivals of one another (table/table.h): the next one behind `tile', -1 to begin with; -1: there is
 * none. What it takes, in multiply-adds for each element of the inner dimension. Sets all that rivals have to say. */
int estimate_next(const Plan *p, int64_t bytes, int tile);
int64_t estimate_turn(const Plan *p, int tile);
void estimate_set_all(Arena *a, const Plan *p, int tile, Tunables *to);

#endif
