/* scan.h: what the parts of the lowering of scans share.
 *
 *   scan.c       a tile in registers, and one place that slides over all tiles
 *   scan_grid.c  the tiles of a grid's blocks
 *   scan_twice.c the parts of a grid's blocks, which are summed up first */
#ifndef TGC_LOWER_SCAN_H
#define TGC_LOWER_SCAN_H

#include "lower/lowering.h"

/* What the lanes of a place hold of a tile: from item `first' on, `count' of each lane. */
typedef struct Tile { Symbol *items; Tree *first, *count; } Tile;

/* What stands before a part: nothing, a value, or what is found once the part's own total is known. */
typedef struct Before {
  Tree *value;  /* NULL: nothing */
  const struct Blocks *blocks; /* not NULL: asked for among them */
} Before;

/* The blocks of a grid that slides. */
typedef struct Blocks {
  Tree *words, *tiles, *tile, *ticket;
  Tree *each;   /* of many parts: how many of the tiles each has; NULL: all are one container's */
  bool scanner; /* one of them tells the others */
} Blocks;

typedef struct Scan {
  Lowering *l;
  const Spectrum *spectrum;
  Type type;
  View *in, *out;
  Tree *carry;       /* what stands before all of it */
  const View *rows;  /* the one in memory whose address says where rows begin */
  Tree *size;        /* elements */
  Tree *per, *loads; /* items in a row of a lane: 16 bytes, or single ones; rows */
  Tree *width;       /* elements in 16 bytes, as written */
  bool single;
} Scan;

/* A constant of that name; its name. */
Tree *scan_fixed(Scan *s, const char *name, Type type, Tree *value);
Tree *scan_number(Scan *s, int64_t n);
Tree *scan_choice(Scan *s, Type type, Tree *condition, Tree *then, Tree *otherwise);
/* Names the items of a row in a kernel. */
void scan_declare_row(Scan *s);
/* Elements of a tile, for the host too. */
Tree *scan_tile_size(Scan *s, Tree *threads);
/* Elements that the first tile begins before the container, so that rows are at multiples of 16 bytes. */
Tree *scan_lead(Scan *s);
/* The work on one tile, which begins at `begin'. Returns the total so far. */
Tree *scan_tile(Scan *s, const PlanNode *n, const Place *p, Tree *begin, const Before *before);
/* A node that slides, on its arguments: what is scanned, what stands before it, where it goes. */
Scan scan_of(Lowering *l, const PlanNode *n, Arguments *in);

#endif
