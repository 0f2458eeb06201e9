/* workers.h: whose work a plan makes of a call, by which a guess chooses: one worker's, or each part one's, or several
 * ones'. How they combine what they found, keep.c tells apart (GridUse). */
#ifndef TGC_COMPOSE_WORKERS_H
#define TGC_COMPOSE_WORKERS_H

#include "compose/plan.h"

typedef enum Workers {
  /* one does everything */
  BY_ONE_WARP, BY_ONE_BLOCK, BY_ONE_CLUSTER,
  /* each part is one worker's, of the smallest to the largest */
  BY_LANES,
  BY_ROWS,            /* lanes, which have their rows in shared memory */
  BY_SUBWARPS, BY_WARPS,
  BY_BLOCKS,
  BY_SEVERAL,         /* a part is several workers' */
  BY_CLUSTERS,
  BY_SLICES,          /* .. a block's warps', which have the same neighbouring parts */
  BY_SEVERAL_SLICES,  /* .. those of several blocks */
  BY_JAMMED,          /* each worker has several parts at once */
  BY_THREE_KERNELS,   /* a scan that reads everything twice */
  BY_SHARES,          /* equal ones of all parts' elements */
  BY_COPIES,          /* blocks contribute to copies, which are added */
  BY_HELD,            /* a CPU's threads hold results in registers */
  WORKERS
} Workers;

Workers workers_of(const Plan *p);

/* The plan of theirs that is preferred; NULL: there is none. Of several workers, one that leaves a part to one of its
 * lanes is none. */
const Plan *workers_best(const Plans *plans, Workers by);
/* Has a part a row of its own? Else it has a number, by which it finds what it reads. */
bool workers_have_rows(const Plan *p);
/* The best where a part each is a block's, which reads it once and combines states; NULL: there is none. */
const Plan *workers_combine_states(const Plans *plans);
/* The best where several blocks have each row: their lanes read side by side, and not each a piece; NULL. */
const Plan *workers_share_rows(const Plans *plans);

#endif
