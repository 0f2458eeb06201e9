/* tiles.h: a rectangle of a block's part for each lane, whose results are held in registers, and whose operands are staged in
 * shared memory: what tiles.c, which makes its nest, and tile_stages.c, which writes its stages, share. */
#ifndef TGC_LOWER_TILES_H
#define TGC_LOWER_TILES_H

#include "lower/stages.h"

/* What lanes have of one dimension that they share: number `lane' of `lanes' has elements first, first + step, .., so many,
 * of the block's part, which has `left' from its first one on. */
typedef struct LaneTile {
  const Symbol *cut;
  Tree *lanes, *each, *first, *step, *left;
} LaneTile;

/* A copy, in shared memory, of what a block reads of an operand: element (r, c) is at r * step[0] + c * step[1]. */
typedef struct Staged {
  NestValue *value;          /* NULL: it is read where it lies */
  NestValue *ahead;          /* a lane's elements of the next panel, in registers; NULL: panels are copied when they are due */
  NestValue *first, *next;   /* .. the operand's memory, of the first panel and of the one behind that at hand */
  NestAxis *rounds, *lane;   /* its elements, in the order of memory */
  Tree *extent[MOST_DIMENSIONS], *step[MOST_DIMENSIONS];
  Tree *last[MOST_DIMENSIONS]; /* the last index that there is in the block's part; NULL: of a panel */
} Staged;

typedef struct Tiles {
  Lowering *l;
  PlanTiles plan;
  const Codelet *codelet;
  const Arguments *in;               /* the block's part */
  Place lane;
  LaneTile of[MOST_DIMENSIONS];      /* of the rows and columns of what is written */
  NestAxis *axis[MOST_LOOPS];        /* the codelet's loops */
  NestAxis *whole;                   /* .. and the same over a panel that has all its elements */
  NestValue *held;                   /* what is written, in registers; NULL: it is not held */
  NestValue *memory;                 /* .. and in memory */
  Staged staged[MOST_OPERANDS];
  Tree *panel, *panel_begin, *panel_size; /* most elements of a panel; NULL: there are no panels. Of the panel at hand */
  Tree *panelled;                    /* elements that panels cut */
} Tiles;

/* An operand of the codelet as the block has it. */
View *tiles_operand(const Tiles *t, int param);
/* What lanes have of a dimension of an operand; NULL: they do not share it. */
const LaneTile *tiles_lane(const Tiles *t, int param, int dimension);
/* Elements of a dimension of the block's part. */
Tree *tiles_size(const Tiles *t, int param, int dimension);

void tile_stages_write(Realising *r, const NestNode *n);

#endif
