/* finished.h: steps that a product's tiles do themselves: what each element begins as, and what is made of it
 * (finished.c). */
#ifndef TGC_LOWER_FINISHED_H
#define TGC_LOWER_FINISHED_H

#include "ir/steps.h"
#include "lower/realise.h"
#include "lower/tiles.h"

/* A step that goes through the elements of what it writes, one by one. */
typedef struct ElementStep {
  const Codelet *codelet;
  Arguments in;
  const Symbol *index[MOST_DIMENSIONS]; /* of its loops */
  const Tree *assign;                   /* C(i, j) = an expression */
  const Symbol *own;                    /* the parameter of which it reads that element alone: what a lane has */
} ElementStep;

/* Of a codelet's steps, all by a grid, is number `i' done by the tiles of the next one as they begin, or by those of
 * the one before as they end? Which of that step's arguments they hold; -1: it is a kernel of its own. `zero': all that
 * the next one's tiles begin with is 0. */
int finished_by_next(const Lowering *l, const PlanNode *n, const Steps *steps, int i, bool *zero);
int finished_by_last(const Lowering *l, const PlanNode *n, const Steps *steps, int i);

/* The step, with what its call hands over; `by': which argument its tiles hold, of the call beside it. */
const ElementStep *finished_step(Lowering *l, const Tree *call, const Tree *by, int argument, const Arguments *in);

/* What a lane's element begins as, where `memory' is what it was. */
Tree *finished_begin(Realising *r, Tiles *t, Tree *memory);
/* Stores it: of what is held, which `adds' to what is there if it says so. */
Tree *finished_store(Realising *r, Tiles *t, Tree *place, Tree *held, bool adds);
/* Is there a step that its tiles do? */
bool finished_any(const Tiles *t);

#endif
