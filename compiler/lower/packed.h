/* packed.h: tiles that a CPU's thread goes through rectangle by rectangle: what packed.c, which makes its nest, and
 * packed_stages.c, which writes its stages, share. */
#ifndef TGC_LOWER_PACKED_H
#define TGC_LOWER_PACKED_H

#include "lower/tiles.h"

/* A dimension of what is written, as rectangles of one size go through it. */
typedef struct PackedSide {
  int of;               /* which: of rows, and columns */
  bool within;          /* all of them lie within the part */
  Tree *each, *all;     /* elements of a rectangle that a lane has, that all lanes have: the same but for vectors' */
  Tree *length;         /* .. for the host */
  Tree *size;           /* .. of the thread's part */
  NestAxis *rectangles, *element, *lanes; /* their loop; a lane's elements, written out; lanes: NULL but for vectors' */
  Tree *at;             /* where the rectangle at hand begins */
} PackedSide;

/* Rectangles of one size, and what they are contributed to in registers. */
typedef struct PackedShape {
  PackedSide *side[PLANE]; /* rows, and columns */
  NestAxis *axis[MOST_LOOPS]; /* the codelet's loops */
  NestValue *held;
  bool copied;          /* operands that vectors go through are read from copies, if there are any */
} PackedShape;

/* An operand of which each panel is copied. */
typedef struct PackedPanel {
  NestValue *value;     /* the copy; NULL: it is read where it lies */
  int dimension, by;    /* of its dimensions: which is a side's, and which panels cut */
  const PackedSide *side;
  bool along;           /* its elements lie side by side along the side, not along the panel */
  NestAxis *rectangles, *element; /* of the copying loops: as the side's, or others */
  NestAxis *inner;      /* .. over the panel */
} PackedPanel;

/* What its tiles (tiles.h) have besides. */
enum { MOST_SHAPES = 4 };
typedef struct Packed {
  PackedShape shape[MOST_SHAPES];
  int nshapes;
  int vector;           /* the side of which neighbouring lanes have neighbouring elements */
  PackedPanel panels[MOST_OPERANDS];
} Packed;

/* Dimensions of an operand above its rows and columns. */
int packed_above(const Tiles *t, int param);
/* The side that a dimension of an operand is cut as; -1: none. */
int packed_side(const Tiles *t, int param, int dimension);

void packed_stages_write(Realising *r, const NestNode *n);

#endif
