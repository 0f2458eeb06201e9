/* rescan_stages.h: the stages of rescan.c's nests. */
#ifndef TGC_LOWER_RESCAN_STAGES_H
#define TGC_LOWER_RESCAN_STAGES_H

#include "lower/stages.h"

/* A lane's row: its total, or its results again. */
void rescan_row(Realising *r, const NestStage *s);
/* What a tile's rows have put side by side in shared memory, to where it belongs. */
void rescan_store_beside(Realising *r, const NestStage *s);

#endif
