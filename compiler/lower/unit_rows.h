/* unit_rows.h: rows of a container, times a constant matrix, by a warp's matrix unit: what unit_rows.c, which makes its
 * nest, and unit_rows_stages.c, which writes its stages, share. */
#ifndef TGC_LOWER_UNIT_ROWS_H
#define TGC_LOWER_UNIT_ROWS_H

#include "lower/stages.h"

enum {
  UNIT_LANES = 4,                      /* that have a row's elements of a product, .. */
  UNIT_NEAR = MATRIX_K / UNIT_LANES,   /* .. so many neighbours each, .. */
  UNIT_HALF = MATRIX_M / 2,            /* .. of a row and of the one that is so far below it */
  UNIT_SUMS = MATRIX_M * MATRIX_N / 32 /* a lane's elements of what a product gives */
};

typedef struct UnitRows {
  Lowering *l;
  const RowProduct *product;
  int groups;            /* of MATRIX_M rows that are multiplied together: independent products */
  View *from, *to;       /* NULL: it is the sum of all */
  Tree *rows, *columns;  /* of the matrix that is read; its last row may be shorter */
  Tree *lead;            /* of the sum of all: the first row begins so many elements before the first one, which are
                            zeros, so that neighbours lie at multiples of their size; NULL: they may not be loaded at
                            once */
  Tree *wide[2];         /* neighbours of `from', of `to' may be moved at once; NULL: they may not */
  NestAxis *tile;        /* groups of rows at once, a loop; its number */
  NestAxis *inner;       /* a row's elements, MATRIX_K at once, a loop; its number */
  NestAxis *group, *across, *element; /* written out: groups of rows; of columns of a triangle; a lane's elements */
  NestValue *ones, *triangle; /* a lane's elements of constants; NULL: there is no triangle */
  NestValue *sums, *near, *part; /* of what rows give so far, of what is read, of one group's factor */
  NestValue *total, *result; /* of all: of a lane's rows, of all lanes'; else NULL */
  NestValue *next, *made; /* of a triangle: what they give with this step's; of one group, what is stored; else NULL */
  NestValue *finite;     /* .. and are these sums numbers all? */
  NestValue *memory, *whole, *whole_to; /* what is read; the same, and what is written, where .. */
  NestValue *all;        /* .. the tile has all of what a step moves, and that is wide; NULL: this is never known */
} UnitRows;

void unit_rows_write(Realising *r, const NestNode *n);

#endif
