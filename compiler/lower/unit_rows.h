/* unit_rows.h: rows of a container, times a constant matrix, by a warp's matrix unit: what unit_rows.c, which makes its
 * nest, and unit_rows_stages.c, which writes its stages, share. */
#ifndef TGC_LOWER_UNIT_ROWS_H
#define TGC_LOWER_UNIT_ROWS_H

#include "lower/stages.h"

enum {
  UNIT_LANES = 4,                       /* that have a row's elements of a product, .. */
  UNIT_FOUR = MATRIX_K / UNIT_LANES,    /* .. so many each, .. */
  UNIT_HALF = MATRIX_M / 2,             /* .. of a row and of the one that is so far below it */
  UNIT_SUMS = MATRIX_M * MATRIX_N / 32, /* a lane's elements of what a product gives */
  UNIT_GROUPS = 4,                      /* of rows that are multiplied together: independent products */
  UNIT_INVERSE = 20                     /* bits of 1 / columns, by which positions below 2 ^ UNIT_INVERSE / columns are
                                           multiplied in place of a division */
};

typedef enum RowsOf { OF_FROM, OF_TO } RowsOf;

typedef struct UnitRows {
  Lowering *l;
  const RowProduct *product;
  int products;          /* at once: a lane has so many times UNIT_FOUR neighbours of a row, .. */
  int near, span;        /* .. which are so many, and all lanes' of a row */
  View *from, *to;       /* NULL: it is the sum of all */
  Tree *columns, *rows;  /* of the matrix that is read; its last row may be shorter */
  Tree *together;        /* rows of it that are one row of the unit, side by side; NULL: each is one */
  Tree *period;          /* .. elements of each, of a row of the unit; else all of a span */
  Tree *length, *many;   /* of the unit's rows: elements, and how many */
  Tree *step;            /* elements of a row that are multiplied at once: a constant */
  Tree *groups, *beside; /* of MATRIX_M x span elements that are at once; so many of them lie side by side: constants */
  Tree *tall;            /* .. and all have so many rows: a tile's */
  Tree *lead;            /* of the sum of all: the first row begins behind so many elements, so that neighbours lie at
                            multiples of their size; NULL: they may not be loaded at once */
  Tree *wide[2];         /* neighbours of `from', of `to' may be moved at once; NULL: they may not */
  bool anywhere;         /* rows begin and end anywhere: what a lane has of one begins up to `near' - 1 elements before
                            it, at a multiple of neighbours' size, and what is of no row is 0 */
  Tree *shift;           /* .. so many before the container's first; NULL: neighbours are loaded one by one */
  Tree *behind[2][2];    /* .. of `from', and of `to': elements behind the last row, below 0: it has fewer than others;
                            and behind the one before it; no more than `near' */
  Tree *there;           /* .. so many of `many' rows have elements */
  Tree *slack;           /* .. elements more than a row's own that lanes go through */
  Tree *inverse;         /* .. of a triangle: 2 ^ UNIT_INVERSE / columns, where several rows are one row of the unit */
  bool folded;           /* of whole tiles that are summed up: a row is two of the unit's, side by side, so that what a
                            lane loads at once is its elements of a product, in order; a group has UNIT_HALF rows */
  bool whole;            /* all that the tiles have is there, and wide; .. */
  Tree *tiles;           /* .. of so many tiles: others are behind them, a group at once; NULL: of none */
  NestAxis *tile;        /* groups of rows at once, a loop; its number */
  NestAxis *inner;       /* a row's elements, a step at once, a loop; its number */
  NestAxis *group, *across, *element; /* written out: groups; of columns of a triangle; a lane's elements */
  NestAxis *product_of;  /* written out: products of neighbouring elements */
  NestAxis *column;      /* written out: groups side by side, each with its constants; NULL: these are alike */
  NestValue *ones, *triangle; /* a lane's elements of constants; NULL: there is no triangle */
  NestValue *sums, *near_by, *part; /* of what rows give so far, of what is read, of one product's factor */
  NestValue *total, *result; /* of all: of a lane's rows, of all lanes'; else NULL */
  NestValue *next, *made; /* of a triangle: what they give with this step's; of one group, what is stored; else NULL */
  NestValue *finite;     /* .. and are these sums numbers all? */
  NestValue *border;     /* .. how many elements of each span side by side go on with a row before it; else NULL */
  NestValue *memory;     /* what is read */
  NestValue *first;      /* the place of what a lane has of the first row; NULL: of the sum of all */
  NestValue *ahead;      /* of rows that are anywhere: from there to the end of the row; and how many rows of a tile */
  NestValue *rows_left;  /* .. there are from that one on; no more than fit an int */
} UnitRows;

static inline Tree *integer(const UnitRows *u, int64_t x) { return tree_int(u->l->a, TYPE_INT, x); }

/* Where what a lane has of the first row of a tile, and of a step, begins: elements from the container's first. */
Tree *unit_rows_first(const UnitRows *u);
Tree *unit_rows_ahead(const UnitRows *u);
Tree *unit_rows_left(const UnitRows *u);
/* Is all that a tile has in a step its rows'? */
Tree *unit_rows_within(const UnitRows *u);
/* Has the lane columns of ones that are rows'? */
Tree *unit_rows_has_columns(const UnitRows *u);
void unit_rows_write(Realising *r, const NestNode *n);

#endif
