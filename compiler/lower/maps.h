/* maps.h: a map over a level's workers, each of which has one part, and how their results come together. */
#ifndef TGC_LOWER_MAPS_H
#define TGC_LOWER_MAPS_H

#include "lower/realise.h"

/* A map that is being opened. It lives as long as its nest. */
typedef struct Map {
  Lowering *l;
  const PlanNode *node;
  Regroup regroup, again; /* `again': of a scan whose parts are summed up first, when they are scanned */
  Environment e;
  Place place, sub;      /* those who combine, and each worker; of a grid a block does both */
  NestAxis *workers;     /* or the loop of one */
  NestValue *results;    /* what workers find; NULL: each stores it for itself */
  NestValue *begun_last; /* in a block's leader: is it the last block to begin, of those that post? */
  Destination each, *to; /* where a worker's result goes; and where that of all */
  Tree *tile;            /* of blocks: most elements of a part; NULL: not known */
  Arguments handed;      /* of a chain: the tile at hand */
} Map;

/* ---- maps.c ---- */
Map *maps_of(Lowering *l, const PlanNode *n, const Level *below, const Work *w);
/* "grid > block: tiled (sum.cdl:24), one part per block" */
const char *maps_comment(const Map *m);
/* The workers of a map, this one's number, and how many there are. */
NestAxis *maps_workers(const Map *m, Tree *number, Tree *many);
/* The map as a nest: in a kernel of its own; NULL: in the one that is open. */
NestNode *maps_nest(Map *m, const NestKernel *kernel);

/* ---- joins.c ---- */
/* How the plan has the results combined. */
NestWay joins_way(const PlanNode *n);
/* What holds workers' results, and where each one's goes. */
void joins_declare(Map *m, NestWay way);
/* What a block does before it looks at its part. */
void joins_begin(Map *m, NestNode *parts);
/* What is done with all workers' results; NULL: nothing that is not done by now. */
NestNode *joins_by(Map *m, NestWay way);
/* A scan whose parts are summed up first: the codelet's own container is what stands before them; false: it has
 * none. */
bool joins_carried(Map *m);
/* .. and what stands before a block's part, for all its lanes, which scan it. */
Open joins_open_again;

/* ---- partial.c ---- */
/* A copy for each of the blocks that contribute to the same elements; and the kernel that adds them. */
void partial_declare(Map *m);
NestNode *partial_add(Map *m);

/* ---- shares.c ---- */

/* Parts `first' to `end', of which neighbours go to `many' workers in step, this one `own'; to `groups' of these in
 * iteration, this one `group'; NULL: there is one group. iteration: what one is named; NULL: so. slots: the parts that
 * each
 * worker has at once; NULL: one. */
typedef struct Shares {
  Tree *first, *end, *groups, *group, *many, *own;
  const char *iteration;
  NestAxis *slots;
  NestEach each;
} Shares;
/* A map whose parts are as many as its text says: its workers go through their shares of them, iteration by iteration,
 * all of them equally many, so that they can exchange. */
NestNode *shares_open(Map *m, const Shares *s);

/* ---- flat.c ---- */
/* The same of parts whose elements a warp's lanes share: `many' are warps, this one `own'. */
NestNode *flat_open(Map *m, const Shares *s);
void flat_workers(Lowering *l, Shares *s);

#endif
