/* scan.h: what the parts of the lowering of scans share.
 *
 *   scan.c       a tile in registers as a nest, and one place that slides over all tiles
 *   scan_items.c stages on what a lane has of it
 *   rescan.c     rows that lanes scan twice
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
  Tree *width;       /* .. these items, before they have a name */
  bool single;
  Blocks blocks;     /* of a grid */
  /* its nest: the dimension's axes, and the tile */
  NestAxis *tile, *warp, *row, *lane, *item;
  NestValue *items;  /* a lane's */
  const Codelet *unit; /* of a warp's matrix unit, which scans what it has of a tile; NULL: its lanes do */
  NestValue *stored, *parts, *whole; /* .. from memory; what OP_UNIT_SUMS says of them; is all of the tile there? */
  bool in_warp, in_row; /* the nodes that are opened are below that axis */
  /* rows that lanes scan twice (rescan.c): once for their totals, again from what stands before them */
  bool again, by_rows; /* rows are written out, in turns of a loop */
  bool counts;         /* they are flags, whose results are handed on: `type' holds what a tile counts (counts.h) */
  View *source;        /* what flags are computed of, NULL: nothing that is held; */
  NestValue *held;     /* .. a lane's tile of it */
  const Codelet *rows_by; /* who scans a row */
  NestValue *bases;    /* what stands before each row, of those in a loop; */
  VEC(NestValue *) before; /* .. and before all of them; */
  NestValue *stands, *total; /* .. before the tile; the tile's total */
  bool compacts;       /* what is stored side by side goes through shared memory */
  const Place *place;  /* whose tile it is, */
  NestNode *home;      /* .. and where what is known of all of it lives */
  const View *handed[MOST_OPERANDS]; /* the map's arguments that are stored to side by side, .. */
  NestValue *beside[MOST_OPERANDS];  /* .. in shared memory first */
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

/* ---- rescan.c ---- */
/* Does it have rows that lanes scan twice, and numbers of another type within a tile? Says of what. */
void rescan_settle(Scan *s);
/* .. what the tile is read to; rows' totals; what stands before them, a number more; what becomes of them. */
NestNode *rescan_load(Scan *s, NestNode *to, NestValue *in, const NestValue *whole);
NestNode *rescan_totals(Scan *s, const PlanNode *n, NestValue *totals);
void rescan_before(Scan *s, NestNode *to, NestValue *number);
/* .. and as many rows of 16 bytes as their registers are, with all else that lanes work with. */
Tree *rescan_kept(Scan *s, Tree *lanes);
void rescan_store(Scan *s, NestNode *to, NestValue *out, const NestValue *whole);

/* ---- scan_items.c ---- */
/* A value that begins to live there; a tile of memory, of that type, VOID: of memory's. */
NestValue *scan_lives(Scan *s, NestNode *at, const char *name, NestSpace space);
NestValue *scan_tile(Scan *s, NestNode *to, const char *name, NestValue *memory, Type type);
/* The axis counts iterations, by a variable of its name. */
void scan_count(Scan *s, NestAxis *x, Type type, Tree *many);
NestNode *scan_by_workers(Scan *s, NestNode *inner);
/* A stage on each lane's items: within rows on those of the one at hand. */
NestNode *scan_on_items(Scan *s, NestNode *stage);
/* A copy of the items at hand: one by one, or, `wide', a row of a lane's at a time. */
NestNode *scan_copied(Scan *s, NestValue *to, NestValue *from, NestTail tail, bool wide);
/* A number as another, and, `before' that, one that stands before it; NULL: there is none. */
NestNode *scan_told(Scan *s, NestValue *to, NestValue *before, NestValue *from);
/* Do neighbouring elements lie side by side in memory? Those of a view are computed one by one. */
bool scan_is_run(const View *v);
NestValue *scan_memory_of(Scan *s, View *v);

/* ---- carry.c ---- */
/* Writes a join of such a nest. */
void carry_join(Scan *s, const NestNode *n);

#endif
