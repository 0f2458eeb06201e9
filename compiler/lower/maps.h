/* maps.h: a map over a level's workers, each of which has one part, and how their results come together. */
#ifndef TGC_LOWER_MAPS_H
#define TGC_LOWER_MAPS_H

#include "lower/realise.h"

typedef struct Map Map;

/* What carrying out a map's nest wants to know. */
struct Map {
  Lowering *l;
  const PlanNode *node;
  Regroup regroup, again; /* `again': of a scan whose parts are summed up first, when they are scanned */
  Environment e;
  Place place, sub;      /* those who combine, and each worker; of a grid a block does both */
  NestAxis *workers;     /* or the loop of one */
  Symbol *results;       /* the loop's */
  Symbol *begun_last;    /* in a block's leader: is it the last block to begin, of those that post? */
  Destination each, *to; /* where a worker's result goes; and where that of all */
  Tree *tile;            /* of blocks: most elements of a part; NULL: not known */
  Statements *sizes, *launches; /* of a grid, else NULL */
  Arguments handed;      /* of a chain: the tile at hand, */
  Tree *before;          /* and what stands before it */
  void (*part)(Map *m, const NestNode *n); /* what is done with a part; NULL: what its plan says */
};

/* ---- maps.c ---- */
/* "grid > block: tiled (sum.cdl:24), one part a block" */
const char *maps_comment(const Map *m);
/* The workers of a map, this one's number, and how many there are. */
NestAxis *maps_workers(const Map *m, Tree *number, Tree *many);
/* The map as a nest, which is checked and written: in a kernel of its own; NULL: in the one that is open. */
void maps_carry_out(Map *m, const NestKernel *kernel);
/* A grid's map over blocks, and that of those below it. */
void maps_lower_grid(Lowering *l, const PlanNode *n, Arguments *in, Tree *place, Statements *sizes,
                     Statements *launches);
/* A map as a loop of one lane: the parts one after another. */
void maps_lower_loop(Lowering *l, const PlanNode *n, const Place *p, Arguments *in, Destination *to);
void maps_lower(Lowering *l, const PlanNode *n, const Place *p, Arguments *in, Destination *to);

/* ---- joins.c ---- */
/* How the plan has the results combined. */
NestWay joins_way(const PlanNode *n);
/* Where a worker's result goes: declares what holds it. */
void joins_declare(Map *m, NestWay way);
/* What a block does before it looks at its part. */
void joins_begin(Map *m);
/* A scan whose parts are summed up first: the codelet's own container is what stands before them; false: it has none. */
bool joins_own(Map *m);
/* .. and what stands before a block's part, for all its lanes. */
void joins_take(Map *m, Arguments *part);
/* What is done with all workers' results. */
void joins_combine(Map *m, const NestNode *join);

#endif
