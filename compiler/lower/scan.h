/* scan.h: what the parts of the lowering of scans share.
 *
 *   scan.c       a tile in registers as a nest, and one place that slides over all tiles
 *   carry.c      what goes from part to part: the joins of these nests
 *   scan_grid.c  the tiles of a grid's blocks */
#ifndef TGC_LOWER_SCAN_H
#define TGC_LOWER_SCAN_H

#include "lower/realise.h"

/* The blocks of a grid that slides. */
typedef struct Blocks {
  Tree *tiles, *tile, *ticket;
  Tree *each, *own; /* of many parts: how many tiles each has, this one's number there; NULL: all are one container's */
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
  bool single;
  Blocks blocks;     /* of a grid */
  /* its nest: the dimension's axes, and the tile */
  NestAxis *tile, *warp, *row, *lane, *item;
  NestValue *items;  /* a lane's */
  const Codelet *unit; /* of a warp's matrix unit, which scans what it has of a tile; NULL: its lanes do */
  NestValue *stored, *parts, *whole; /* .. from memory; what OP_UNIT_SUMS says of them; is all of the tile there? */
  bool in_warp, in_row; /* the nodes that are opened are below that axis */
} Scan;

/* A constant of that name; its name. */
static inline Tree *scan_fixed(Scan *s, const char *name, Type type, Tree *value) {
  return tree_ref(s->l->a, lowering_fixed(s->l, name, type, value));
}
static inline Tree *scan_number(Scan *s, int64_t n) { return tree_int(s->l->a, TYPE_INT, n); }

/* ---- scan.c ---- */
/* Elements of a tile, for the host too. */
Tree *scan_tile_size(Scan *s, Tree *threads);
/* Elements that the first tile begins before the container, so that rows are at multiples of 16 bytes. */
Tree *scan_lead(Scan *s);
/* A node's nest: a loop over so many tiles, each with the total so far, or, `many' NULL, a block's own one. The first
 * begins `lead' elements before the container. `total': so far. */
NestNode *scan_by_tiles(Scan *s, const PlanNode *n, const Place *p, Tree *lead, Tree *many, NestValue **total);
/* The total of the last tile is that of all. */
NestNode *scan_deliver_last(Lowering *l, Place worker, Tree *tile, Tree *tiles, NestValue *total, Tree *place);
/* A node that slides, on its arguments: what is scanned, what stands before it, where it goes. */
Scan scan_of(Lowering *l, const PlanNode *n, Arguments *in);

/* ---- carry.c ---- */
/* Writes a join of such a nest. */
void carry_join(Scan *s, const NestNode *n);

#endif
