/* realise.h: what the files that open a plan's nodes, and those that write nests, share.
 *
 * Files that open are handed a node, who does it, on what, and where its result goes. They return its nest, whose kids
 * may be nodes that are yet to be opened. They name what its positions are made of, where statements go now, and write
 * nothing else.
 *
 *   opening.c   any node: by one worker, by a codelet, or by one of the files below
 *   maps.c      a map over workers, a part each; joins.c: how what they find comes together; cluster.c: over a
 *               cluster's blocks
 *   grid_parts.c a grid's map over as many parts as its text says; shares.c: the iterations of those who have them
 *   equal.c     the same parts, whose elements the grid's blocks have equal shares of; bounded.c: of which long ones
 *               are several workers'; pieces.c: what plans give of pieces
 *   cuts.c      a map's parts, and its workers, by dimension; grid_cuts.c: a grid's map over them
 *   tiles.c     a rectangle of a part for each lane, in registers and shared memory; tile_part.c: what it has in common
 *               with packed.c
 *   windows.c   the same, of a stencil: what a lane reads in registers, too; window_streams.c: row by row
 *   packed.c    a CPU's: small rectangles of a part, in registers, from packed panels
 *   unit_rows.c rows of a container, times a constant matrix, by a warp's matrix unit
 *   held.c      rows that steps hold in registers
 *   steps.c     spectra that a codelet applies one after another
 *   interleave.c neighbouring parts, a slot each, of 16 bytes
 *   privatise.c containers of a codelet's own: arrays that a block's lanes share
 *   scan.c      scans: tiles in registers, one after another; scan_grid.c: over all blocks; chained_scan.c: over
 *               a CPU's threads
 *   open.c      loops over runs in memory; kept.c: a codelet's variables, of which each slot has its own
 *   vectorise.c a codelet's loop -> its runs in memory, and the axes of what is read wide
 *   when.c      flags that the launcher computes, of a kernel's sizes
 *   idle.c      what codelets would do for workers that have no part
 *
 * and those that write, or say with which conditions:
 *
 *   realise.c   a nest -> statements; iterations.c: which of its axes' are being written; stages.c: those of its
 *               stages; carry.c: of a scan's stages and joins; rescan_stages.c: of rows that are scanned twice;
 *               tile_stages.c: of tiles'; window_stages.c: of windows; packed_stages.c: of packed ones;
 *               unit_rows_stages.c: of rows
 *   in_step.c     what workers are handed who iterate
 *   tails.c     iterations beyond the end -> pieces of an axis, and all conditions; block.c: bodies of loops and
 *               branches */
#ifndef TGC_LOWER_REALISE_H
#define TGC_LOWER_REALISE_H

#include "lower/kept.h"

/* ---- vectorise.c ---- */

/* Memory that the codelet's loop reads, or writes. */
typedef struct Run { NestValue *value; bool read, written; } Run;
typedef VEC(Run) Runs;

/* How a loop goes through it, wider than an element at a time (vectorise.c). */
typedef enum Wide { BY_LOADS, BY_VECTORS, BY_ONE_LANE, BY_ELEMENTS, BY_PARTS, BY_ROWS } Wide;

/* ---- those who open: what, by whom, on what, where its result goes ---- */

Open open_node; /* any node (opening.c) */
/* A map over workers; as a loop of one lane; over a grid's blocks. */
Open maps_open, maps_open_loop, maps_open_grid;
/* A grid node that maps over cuts. */
Open grid_cuts_open;
/* A block's map whose lanes hold, or stage, a rectangle each of a part of several dimensions. */
Open tiles_open;
/* .. and windows of what they read in registers. */
Open windows_open;
/* A CPU's thread, which goes through small rectangles of such a part, from packed panels; and how many
 * elements such a rectangle has where lanes have neighbours, or in its other dimension. */
Open packed_open;
Tree *packed_rectangle(Lowering *l, const PlanTiles *plan, bool by_lanes);
/* The extent of a cut's tiles, of such a plan: a constant of its program. */
Tree *tiles_extent(Lowering *l, const Symbol *cut);
/* What a cluster does for the grid, or with one of many parts; a grid node whose parts go to a cluster each. */
Open cluster_open, cluster_open_parts;
/* A grid node whose parts are as many as its text says; a piece of one. */
Open grid_parts_open, grid_parts_open_piece;
/* Does the open kernel combine what pieces of each part gave? Of a map whose parts are shared. */
bool grid_parts_combine(const Lowering *l);
/* .. and whose elements its blocks have equal shares of. */
Open equal_open;
/* .. and of which those of more elements than a bound are many workers'. */
Open bounded_open;
/* Rows of a container, times a constant matrix, by a warp's matrix unit. */
Open unit_rows_open;
/* .. on the host: elements that the warps of a block multiply at once, where a plan on those arguments has a matrix
 * unit do what the spectrum is; else NULL. */
Tree *unit_rows_worth(Lowering *l, const PlanNode *n, const Arguments *in, const Place *p);
/* .. if what it multiplies lies in memory, as the elements do. */
bool unit_rows_serve(const Lowering *l, const Codelet *c, const Arguments *in);
/* A codelet's steps. */
Open steps_open;
/* On the host: refuses calls whose sizes do not fit together as the steps that one block takes have it. */
void steps_demand(Lowering *l, const PlanNode *n, const Arguments *in);
/* The warps' slices of a lane's neighbouring parts. */
Open interleave_open;
/* A map whose workers, the lanes of a block, contribute to a container of the codelet's own. */
Open privatise_open;
/* A scan of a container of any size by one place; by a grid, of one container, or of each of many parts; by a
 * process. */
Open scan_open, scan_open_grid, scan_open_parts, chained_scan_open;
/* A map over register slots whose container is spread over the lanes; a codelet that goes through one of many parts,
 * which is one lane's alone. NULL, and nothing is said, where it does not lie so. */
Open open_vectorised, open_alone;

/* ---- phase.c ---- */

/* Where all rows are multiples of 16 bytes apart: so many elements behind such a multiple is what begins at `first',
 * where what begins at `to' lies at one, if their containers begin alike; and do they? */
Tree *phase_of(Arena *a, const Tree *first, const Tree *to);
Tree *phase_is(Arena *a, Tree *first, Tree *to);

/* ---- open.c ---- */

/* What the stages of a nest are of. */
typedef struct Opened {
  Lowering *l;
  const PlanNode *plan;
  const Place *place;
  Wide how;
  Kept kept;             /* the codelet of its stage */
  Runs runs;
  NestAxis *rounds;      /* the outermost axis of the container's dimension, */
  NestAxis *lane, *load; /* workers' and written-out factors of it; NULL: there is none */
  NestAxis *wide, *slot; /* elements of a load, and the same again, a slot each; of a CPU there is no `wide' */
  NestAxis *item;        /* a lane's elements of a row that it holds element by element; NULL: there is none */
  Symbol *element;       /* slots are parts: in positions of runs, an element's number; NULL: they are elements */
  NestValue *accumulator; /* what the codelet's variables are; NULL: it returns nothing */
  struct Scan *scan;     /* it is a scan's, and has nothing of all that (scan.h); else NULL */
  struct Tiles *tiles;   /* .. or of tiles of several dimensions (tiles.h) */
  struct UnitRows *rows; /* .. or of rows that a matrix unit multiplies (unit_rows.h) */
} Opened;

/* May the codelet's loop go that way, on such arguments? What it is, and its runs, are known then; of parts in any
 * case. */
bool vectorise(Opened *o, const Arguments *in);
/* Is something that it reads gathered: by positions that are read themselves? */
bool vectorise_gathers(const Arguments *in);
/* Are as many elements as 16 bytes hold of the first one's memory once or several times 16 bytes of the other's? What
 * is accumulated is no smaller than what is stored. */
bool vectorise_in_16_bytes(const NestValue *other, const NestValue *first);
/* Cuts its elements into axes: `per' elements a load of 16 bytes, NULL: there are none; and so many loads at once. */
void vectorise_cut(Opened *o, Tree *per, Tree *loads);
/* The codelet's loop body on tiles, by run; NULL: on memory. */
NestNode *vectorise_stage(const Opened *o, NestValue *const *tiles);
/* The same dimension, and lanes of it, once more. */
NestAxis *vectorise_dimension(const Opened *o);
NestAxis *vectorise_lanes(const Opened *o, NestAxis *of);
/* Is it made of constants and of numbers that the kernel is given? */
bool runs_are_known(const Tree *t);

/* A lane's loop over a row of its own, which is copied. */
NestNode *open_rows(Lowering *l, Environment *e, const Tree *loop);
/* What each slot's part gives, into `results': the codelet on all slots' parts together, of which `slices' have a slice
 * each. */
void open_iterations(Opened *o, NestAxis *slices, NestNode *to, NestValue *results);

/* ---- held.c ---- */

/* Of a codelet's steps: which of its containers lanes hold in registers, once a step has loaded them. */
typedef struct HeldRow { int row, step; Symbol *array; } HeldRow; /* row: the parameter's number; step: who loads it */
typedef struct Held {
  const PlanNode *steps;
  const Arguments *in; /* what the codelet has been given */
  int step;            /* which is being written */
  Symbol *flag;        /* each row is one round, at multiples of 16 bytes; NULL: nobody has asked yet, or the launcher
                          cannot tell */
  Symbol *wide, *less; /* .. or less, of whole loads; or of any elements */
  Tree *round, *lanes; /* .. a round: so many elements, and of so many lanes */
  VEC(HeldRow) rows;
} Held;
/* The steps of which this is the one being written; NULL: there are none, or not of a part's own worker. */
Held *held_by(const Opened *o);
/* Is it a run in memory from its own beginning on? */
bool held_is_row(const View *v);
/* Is the run all of one of the steps' containers? */
bool held_has(const Held *h, const Run *x);
/* The tile that holds a run, by the axes of what a lane has of it (`wide' NULL: by one); NULL: steps do not hold it. */
NestValue *held_tile(const Opened *o, Held *h, int run, NestAxis *load, NestAxis *wide);
/* Is this step the one that fills it? */
bool held_is_loaded(const Held *h, const NestValue *tile);

/* ---- when.c ---- */

/* Flags that the launcher sets; NULL: it cannot tell, or the kernel has one already.
 *
 *   once   no part of a block has more than one round
 *   even   all of the grid's many parts are one whole round each, of loads that all lie at multiples of 16 bytes
 *   whole  the run is whole rounds, one at least
 *   wide   16 bytes of neighbouring parts' elements are a load */
Symbol *when_once(const Opened *o);
Symbol *when_even(const Opened *o);
Symbol *when_whole(const Opened *o);
/* The kernel's flag, by that name: the caller knows that it has none. */
Symbol *when_flag(Lowering *l, const char *name, Tree *when);
/* A case of the kernel, where none of those before holds; NULL: it has as many as it can. */
Symbol *when_case(Lowering *l, const char *name, Tree *when);
/* Does the run go through as many elements as the part of many has, and not through a view of some of them? */
bool when_has_all(const Opened *o);
/* Is the container all of what the block goes through? */
bool when_is_whole_part(const Lowering *l, const View *in);

/* ---- tails.c ---- */

/* The pieces of an axis that is peeled. `never': a flag that says that there are no whole iterations; `none_left': one
 * that says that there is nothing else; NULL: there is no such flag. */
typedef struct Peeling { Tree *never, *none_left; bool hurry; } Peeling;
NestNode *tails_peel(Opened *o, const NestNode *rounds, const Peeling *how);

/* Where a dimension's pieces begin and end: declared where statements go now. */
typedef struct Bounds {
  Symbol *aligned; /* the first position that is a multiple of 16 bytes, or the end; NULL: it is of no matter */
  Symbol *ragged;  /* behind the last whole load; NULL: nobody asks */
  Symbol *left;    /* of a last round: elements from this worker's first one to `ragged' */
} Bounds;
Bounds tails_bounds(Lowering *l, const NestDim *dim, const View *in);
/* Where this worker begins. */
Tree *tails_origin(Lowering *l, const NestDim *dim, const Bounds *b);
/* Do all workers go on together: are they lanes of one vector? */
bool tails_in_step(const NestDim *dim);
/* Behind the last iteration that all workers have whole; NULL: the loop of this axis is not bounded so. */
Symbol *tails_many(Lowering *l, const NestAxis *axis, const Bounds *b);
/* Does a loop of the axis go on at a position? */
Tree *tails_goes_on(Lowering *l, const NestAxis *axis, const Bounds *b, Tree *at, const Symbol *many);
void tails_declare_left(Lowering *l, const NestDim *dim, Bounds *b, Tree *at);
/* Is iteration `number' of the axis one that exists? */
Tree *tails_exists(Lowering *l, const NestAxis *axis, const Bounds *b, Tree *at, Tree *number);

/* What whole iterations leave: how many elements the head has; the position of number `mine' of head and tail, and
 * whether that is one; how many both have. */
Tree *tails_head(Lowering *l, const NestDim *of, const Bounds *b);
Tree *tails_end(Lowering *l, const NestDim *of, const Bounds *b, Tree *mine, Tree *head);
Tree *tails_end_exists(Lowering *l, const NestDim *of, Tree *end);
Tree *tails_many_ends(Lowering *l, const NestDim *of, const Bounds *b, Tree *head);

/* Does a dimension have all of a run, or an element: tiles may begin before it, and end behind it. */
Tree *tails_holds(Lowering *l, const NestDim *dim, Tree *first, Tree *end);
Tree *tails_within(Lowering *l, const NestDim *dim, Tree *at);

/* Of many parts: does number `which' exist; it, or the last one; how many elements it has, none beyond the last, by a
 * name. */
Tree *tails_part_exists(Lowering *l, Tree *which, Tree *parts);
Tree *tails_or_last_part(Lowering *l, Tree *which, Tree *parts);
Tree *tails_length(Lowering *l, const char *name, Tree *which, Tree *parts, Tree *length);
/* Of a dimension's tiles, the first of which begins `early' elements before it; NULL: with it: where number `number'
 * begins, no later than the end; how many elements it has from there. And how many a run has that goes by `inc' up to
 * `end'. */
Tree *tails_tile_begin(Lowering *l, Tree *number, Tree *tile, Tree *early, Tree *elements);
Tree *tails_tile_size(Lowering *l, Tree *begin, Tree *tile, Tree *elements);
Tree *tails_run_size(Lowering *l, Tree *begin, Tree *inc, Tree *end);
/* Partitions' parts end where they begin, unless `exists' holds. */
void tails_empty(Lowering *l, const Regroup *r, Arguments *part, Tree *exists);

/* Of a part, what a share of all parts' elements has that goes from `begin' to `end': from where, to where, as much as
 * is there; is there some, and is it all of the part? One without elements is there where it ends. Did it begin before
 * the share? */
typedef struct Piece { Tree *from, *to, *some, *whole, *begun_before; } Piece;
Piece tails_piece(Lowering *l, const View *part, Tree *begin, Tree *end, Tree *ends_here);
/* Does a part begin in a share that goes from `from' to `to', and go on behind it? */
Tree *tails_goes_on_behind(Lowering *l, Tree *begin, Tree *end, Tree *from, Tree *to);

/* Of lanes that have neighbouring parts each where the kernel's flag holds, else every 32nd: this one's first, which is
 * no later than the last that has as many behind it, by a name. And how far a slot's part is from that: none is beyond
 * the last. `apart': the flag does not hold. */
Tree *tails_first_register(Lowering *l, Tree *iteration, Tree *first, Tree *per, Tree *parts);
Tree *tails_register(Lowering *l, Tree *slot, bool strided);

/* ---- interleave.c ---- */

/* The memory whose neighbouring parts' elements lie side by side; NULL: the map has none. For the host: how many parts
 * a block has in an iteration. */
View *interleave_memory(Lowering *l, const Regroup *r, Environment *e);
Tree *interleave_parts(Lowering *l, const View *memory);
/* In the kernel: the parts that a lane has, 16 bytes' worth; and which of a block's is its first. */
NestAxis *interleave_vector(Lowering *l, const Regroup *r, Environment *e, Tree **first);

/* ---- idle.c ---- */

/* What workers of `sub' that have no part of a map do with what they are handed. TAIL_CLIP: nothing, by itself; _EMPTY:
 * nothing where tails_empty has seen to it; _GUARD: they are kept out; _REPEAT: what the last part's does. */
NestTail idle_tail(const PlanNode *n, const Regroup *r, const Place *sub);
/* Would workers that do again what the last part does meet it in what its steps write? */
bool idle_meets(const PlanNode *n);

/* ---- realise.c ---- */

/* Adds the nest to that of the plan, checks it, and writes its statements where these go now, or its kernels. */
void realise(Lowering *l, NestNode *nest);

#endif
