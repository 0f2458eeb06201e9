/* stages.h: what realise.c, which writes a nest's loops, and stages.c share. */
#ifndef TGC_LOWER_STAGES_H
#define TGC_LOWER_STAGES_H

#include "lower/realise.h"

/* Iteration `number' of an axis is written. */
typedef struct Iteration { const NestAxis *axis; Tree *number; } Iteration;

typedef struct Realising {
  Lowering *l;
  Opened *o;          /* of stages */
  const Carrying *by;  /* of plans' nodes */
  Tree *at;           /* the position that loops have reached, this worker's where workers go on by themselves; NULL: none */
  Bounds bounds;
  VEC(Iteration) above;
  bool otherwise;     /* in the second case of a flag */
  bool ahead;         /* before all parts */
} Realising;

/* The iterations of an axis begin to be written, and end. */
void stages_enter(Realising *r, const NestAxis *axis, Tree *number);
void stages_leave(Realising *r);
void stages_write(Realising *r, const NestStage *s);

#endif
