/* tiles.h: a rectangle of a block's part for each lane, whose results are held in registers, and whose operands are
 * staged in shared memory: what tiles.c, which makes its nest, and tile_stages.c, which writes its stages, share. */
#ifndef TGC_LOWER_TILES_H
#define TGC_LOWER_TILES_H

#include "lower/stages.h"

/* Copies of a panel that is prefetched: one is filled while the other is read. */
enum { BUFFERS = 2 };

/* A panel of the inner dimension: its number, where it begins, how many elements there are from there on, a panel's at
 * most. */
typedef struct Panel { Tree *number, *begin, *left; } Panel;

/* A lane's elements of a fragment, of 32 lanes. */
enum {
  FRAGMENT_A = MATRIX_M * MATRIX_K / 32,
  FRAGMENT_B = MATRIX_K * MATRIX_N / 32,
  FRAGMENT_C = MATRIX_M * MATRIX_N / 32
};

/* What lanes have of one dimension that they share: number `lane' of `lanes' has elements first, first + step, .., so
 * many, of the block's part, which has `left' from its first one on. Those of a tile lie in groups of 16 bytes, the
 * lanes' groups side by side, so that a lane reads one at once, and neighbours read neighbouring ones: one's group and
 * its next are `apart'. */
typedef struct LaneTile {
  const Symbol *cut;
  Tree *lanes, *each, *first, *step, *left;
  Tree *group, *apart; /* NULL: they lie side by side, or step by step */
  Tree *unit;          /* warps', which multiply: elements of a fragment; else NULL */
} LaneTile;

/* A copy, in shared memory, of what a block reads of an operand: element (r, c) is at r * step[0] + c * step[1]. */
typedef struct Staged {
  NestValue *value;          /* NULL: it is read where it lies */
  NestValue *ahead;          /* a lane's elements of the next panel, in registers; NULL: panels are copied when due */
  Tree *buffer;              /* .. and the length of one of the copies, which panels have by turns; NULL: one copy */
  NestValue *first, *next;   /* .. the operand's memory, of Tiles.first and Tiles.next */
  NestValue *from;           /* where a lane's elements of the first panel are in memory; NULL: there are no panels */
  NestAxis *rounds, *lane;   /* its elements, in the order of memory, `per' at once */
  Tree *per;                 /* a constant, 1 or those of 16 bytes; NULL: 1 */
  Tree *extent[MOST_DIMENSIONS], *step[MOST_DIMENSIONS];
  NestValue *fragment;       /* a lane's elements of what a warp multiplies, in registers; NULL: it does not */
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
  NestAxis *element;                 /* a lane's elements of a fragment of what is written; NULL: there are none */
  NestAxis *whole;                   /* .. and the same over a panel that has all its elements */
  Tree *at[MOST_DIMENSIONS];         /* where the row, the column at hand stands, of lanes' groups; else NULL */
  NestValue *held;                   /* what is written, in registers; NULL: it is not held */
  NestValue *memory;                 /* .. and in memory */
  Staged staged[MOST_OPERANDS];
  Tree *wide;                        /* the flag: operands may be read 16 bytes at once; NULL: they may not */
  const Symbol *panels;              /* their cut */
  Tree *panel, *panel_begin, *panel_size; /* most elements of a panel; NULL: no panels. Of the panel at hand */
  Tree *panel_number;                /* .. and its number */
  Tree *panelled;                    /* elements that panels cut */
  Panel first, next;                 /* what is copied, or loaded, ahead of the loop, and in each of its turns */
  Tree *stages;                      /* buffers, where panels are copied ahead; NULL: they are not */
} Tiles;

/* An operand of the codelet as the block has it. */
View *tiles_operand(const Tiles *t, int param);
/* What lanes have of a dimension of an operand; NULL: they do not share it. */
const LaneTile *tiles_lane(const Tiles *t, int param, int dimension);
/* Which dimension of an operand panels cut; -1: none. */
int tiles_panelled(const Tiles *t, int param);
/* .. lies element by element in memory. */
int tiles_unit(const Tiles *t, int param);
/* Elements of a dimension of the block's part. */
Tree *tiles_size(const Tiles *t, int param, int dimension);

void tile_stages_write(Realising *r, const NestNode *n);

#endif
