/* choose.h: one entry point from several variants, by size. */
#ifndef TGC_COMPOSE_CHOOSE_H
#define TGC_COMPOSE_CHOOSE_H

#include "compose/plan.h"
#include "ir/element.h"
#include "table/table.h"

/* A measured table, and why a row of it cannot serve, in words; NULL: it can. */
typedef struct MeasuredTable {
  const Table *table;
  const char *(*why_not)(const void *context, const TableRow *r);
  const void *context;
} MeasuredTable;

/* Which plan serves which size, for each type. Rows of `measured' (may be NULL) where it has the type, or one that is
 * moved and added alike, and all of its rows can serve; a remark says why not. Else a first guess, without measurement:
 * one warp, one block or one cluster for what it reads quickly, a grid for more; among equals it prefers what gives the
 * same result in every run, then what the search expects to cost least. */
Table choose_by_size(Arena *a, const Plans *plans, const ElementType *const *types, int ntypes,
                     const MeasuredTable *measured, Diagnostics *d);

/* What a plan suits, of many parts: short ones; long ones; of any length, since workers have equal shares of all, or
 * since long ones are several workers'. */
typedef enum PartsSuited { SUITS_SHORT, SUITS_LONG, SUITS_ANY, SUITS_ANY_BOUNDED } PartsSuited;

/* A plan as a candidate of calls. */
typedef struct PlanCandidate {
  const char *id;
  PartsSuited suits;
  int64_t lanes; /* of a worker that has parts of its own; 0: it has no fixed number of them */
} PlanCandidate;

/* All plans, the likeliest to be fast first: the best for each use, as a guess has it, where a lane goes through a part
 * alone and where none does; then the others. Those with equal shares begin, as averages do not tell that parts differ.
 * No id ends them. */
const PlanCandidate *choose_order(Arena *a, const Plans *plans);

#endif
