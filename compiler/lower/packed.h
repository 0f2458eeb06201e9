/* packed.h: tiles that a CPU's thread goes through rectangle by rectangle, from packed panels: what packed.c, which
 * makes its nest, and packed_stages.c, which writes its stages, share. */
#ifndef TGC_LOWER_PACKED_H
#define TGC_LOWER_PACKED_H

#include "lower/tiles.h"

/* A dimension of what is written. */
typedef struct PackedSide {
  Tree *each, *all;     /* elements of a rectangle that a lane has, that all lanes have: the same but for vectors' */
  Tree *length;         /* .. for the host */
  Tree *size;           /* .. of the thread's part */
  NestAxis *rectangles, *element; /* their loop; a lane's elements, written out */
  Tree *at;             /* where the rectangle at hand begins */
} PackedSide;

/* An operand of which each panel is copied. */
typedef struct PackedPanel {
  NestValue *value;     /* the copy; NULL: it is read where it lies */
  int side, by;         /* its dimensions: which is a side's, by number of the side `of', and which panels cut */
  int of;
  bool along;           /* its elements lie side by side along the side, not along the panel */
  NestAxis *rectangles, *element; /* of the copying loops: as the side's, or others */
  NestAxis *inner;      /* .. over the panel */
} PackedPanel;

/* What its tiles (tiles.h) have besides. */
typedef struct Packed {
  PackedSide side[PLANE]; /* rows, and columns, of what is written */
  int vector;           /* the side of which neighbouring lanes have neighbouring elements */
  NestAxis *lanes;
  PackedPanel panels[MOST_OPERANDS];
} Packed;

/* The side that a dimension of an operand is cut as; -1: none. */
int packed_side(const Tiles *t, int param, int dimension);

void packed_stages_write(Realising *r, const NestNode *n);

#endif
