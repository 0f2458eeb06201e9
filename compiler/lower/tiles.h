/* tiles.h: a rectangle of a block's part for each lane, whose results are held in registers, and whose operands are
 * staged in shared memory: what tiles.c, which makes its nest, and tile_stages.c, which writes its stages, share. */
#ifndef TGC_LOWER_TILES_H
#define TGC_LOWER_TILES_H

#include "ir/signature.h"
#include "lower/stages.h"

/* Copies of a panel that is prefetched: one is filled while the other is read. */
enum { BUFFERS = 2 };

/* A panel of the inner dimension: its number, where it begins, how many elements there are from there on, a panel's at
 * most. */
typedef struct Panel { Tree *number, *begin, *left; } Panel;

/* A lane's elements of a fragment, of 32 lanes; of quad pairs two have the same rows, and two the same columns. Those
 * of A and B, and of the inner dimension, are of elements of up to four bytes. */
typedef struct Fragments { int columns, inner, a, b, c; } Fragments;

/* What lanes have of one dimension that they share: `number' of `lanes' has elements first, first + step, .., so
 * many, of the block's part, which has `left' from its first one on. Those of a tile lie in groups of 16 bytes, the
 * lanes' groups side by side, so that a lane reads one at once, and neighbours read neighbouring ones: one's group and
 * its next are `apart'. */
typedef struct LaneTile {
  const Symbol *cut;
  Tree *number, *lanes, *each, *first, *step, *left;
  Tree *all;            /* elements of all workers, a tile's and what makes it whole; NULL until somebody asks */
  Tree *group, *stride; /* NULL: they lie side by side, or step by step */
  Tree *apart;         /* are neighbours a row apart in a copy in shared memory? NULL: they are not */
  Tree *unit;          /* warps', which multiply: elements of a fragment; else NULL */
} LaneTile;

/* Panels that are copied by boxes: Tiles.first, Tiles.next, or the one at hand, by lanes beside the block's. */
enum { BOX_FIRST, BOX_NEXT, BOX_AT_HAND, BOXES };

/* A copy, in shared memory, of what a block reads of an operand: element (r, c, ..) is at r * step[0] + c * step[1]
 * + .. */
typedef struct Staged {
  NestValue *value;          /* NULL: it is read where it lies */
  NestValue *ahead;          /* a lane's elements of the next panel, in registers; NULL: panels are copied when due */
  Tree *buffer;              /* .. and the length of one of the copies, which panels have alternately; NULL: one copy */
  NestValue *first, *next;   /* .. the operand's memory, of Tiles.first and Tiles.next */
  NestValue *from;           /* where a lane's elements of the first panel are in memory; NULL: there are no panels */
  NestAxis *rounds, *lane;   /* its elements, in the order of memory, `per' at once */
  Tree *per;                 /* a constant, 1 or those of 16 bytes; NULL: 1 */
  Tree *extent[MOST_DIMENSIONS], *step[MOST_DIMENSIONS];
  Tree *all;                   /* elements of all dimensions, a constant at the head; NULL: has no name */
  Tree *along, *across, *rows; /* where the lane's first element lies; rows from one round to the next, 0: rounds begin
                                  anywhere. NULL: its number says all */
  Tree *ordered;             /* are they copied 16 bytes at once, in the order of memory? NULL: no, or that is known */
  Tree *before;              /* copies of a panel that a lane makes of the operands before this one */
  NestValue *fragment;       /* a lane's elements of what a warp multiplies, or of a step of the inner dimension, in
                                registers; NULL: they are read where they are */
  Tree *last[MOST_DIMENSIONS]; /* the last index that there is in the block's part; NULL: of a panel */
  Symbol *boxes;             /* where groups of warps multiply: what it is copied by; NULL: it is not */
  NestValue *box[BOXES];     /* .. and the operand's memory again, of these panels */
} Staged;

/* All of each row; or of the first chunk a lane's own elements, and of each what it has more; or all of a stream's
 * row. */
enum { LOAD_WHOLE, LOAD_FIRST, LOAD_NEXT, LOAD_ROW, WINDOW_LOADS };

enum { WINDOW_WORDS = 4 }; /* of 16 bytes */
/* A lane's window of an operand, in registers: its elements and those around them, rows of them one after another.
 * Element (r, c, ..) is at r * step[0] + c * step[1] + .. */
typedef struct Window {
  NestValue *value;                /* NULL: the operand is read where it lies */
  NestAxis *axis[MOST_DIMENSIONS]; /* of its rows; NULL: the dimension along them */
  Tree *row, *step[MOST_DIMENSIONS], *size; /* elements of a row; of all */
  bool streams, keeps_rows;        /* its rows come one at a time; .. and all have registers */
  int by;                          /* .. of that dimension */
  NestAxis *due;                   /* .. of fewer than the stream's: the one that comes now; NULL: each does */
  const NestStage *load[WINDOW_LOADS][2 + WINDOW_WORDS]; /* from memory; 1: by lanes at an edge, what there is; from 2
                                      on: so many words behind a multiple of 16 bytes */
  const NestStage *slide;          /* from one chunk to the next: what both read goes to the row's beginning */
  Tree *tile_extent[MOST_DIMENSIONS], *tile_step[MOST_DIMENSIONS];
  Tree *tile_size;                 /* .. of what a block's lanes read, in shared memory; NULL: it is not there */
  const NestStage *fill, *take;    /* .. from memory, and a lane's rows of it */
} Window;

/* Windows with room for so many elements around a lane's own: all that is known is, or as many as may be, or a part of
 * these. `exact': for so many, and no fewer. Or chunk by chunk: an inner loop along a row is cut into chunks, and the
 * window slides along the row, in each iteration of the other inner loops. What an iteration of the inner loop reads
 * that is the same for all elements is in registers, too. */
typedef struct WindowRoom {
  int most;                      /* elements, of those that only sizes say; 0: as many as there may be */
  bool exact;
  const char *name;              /* of the kernel's case where the launcher sees that they fit; NULL: there is none */
  Tree *fits;                    /* does as much lie around? NULL: it does */
  NestAxis *chunks;              /* NULL: it has all that is read */
  Tree *chunk, *begin;           /* .. iterations of one; where the one at hand begins, of the inner loop number .. */
  int inner;
  Window of[MOST_OPERANDS];
  NestValue *same[MOST_OPERANDS]; /* .. what it reads for all elements; NULL: where it lies. Of a stream: all of it */
  NestAxis *each;                /* .. over which a chunk's come to registers */
  NestAxis *bounded[MOST_LOOPS]; /* an inner loop, over as much as there is room for; NULL: as it is */
  const NestStage *codelet[2];   /* of a whole chunk, and of the last one */
  NestAxis *stream;              /* a window's rows, or planes, one at a time; NULL: all before all else */
  Tree *around;                  /* .. which are so many more than a lane has of what is written */
  Tree *ahead;                   /* .. and come so many before they are used; NULL: none */
  int taps;                      /* .. the inner loop whose iteration says which result a row is added to; -1: none */
  const NestStage *load_same[MOST_OPERANDS];
} WindowRoom;

/* Of lanes that hold windows (windows.c): groups along a row are taken one after another. */
enum { MOST_ROOMS = 5 };
typedef struct Windows {
  WindowRoom room[MOST_ROOMS];
  int rooms;
  const WindowRoom *now;  /* whose codelet is being written; NULL: operands are read where they lie */
  int along;              /* the dimension of what is written that neighbouring lanes share */
  int streamed;           /* .. and the one whose rows come one at a time; -1: none */
  Tree *inside;           /* a lane is at no edge */
  Tree *within;           /* of streams: all vectors of a lane's warp are within their arrays */
  Tree *before;           /* so many of a lane's elements along a row are before the first one; NULL: none */
  Tree *even;             /* all rows are multiples of 16 bytes apart; NULL: nobody asks */
  Tree *word[MOST_OPERANDS]; /* .. so many words are lanes' first elements behind such a multiple; NULL: not known */
  Tree *phase[MOST_OPERANDS]; /* .. of a stream: so many, a constant, where operands begin alike; NULL: not known */
  Tree *turn;             /* which of a lane's groups is at hand */
  NestValue *whole;       /* what is written, in memory, by groups */
  NestValue *also[MOST_OPERANDS], *also_whole[MOST_OPERANDS]; /* .. and what else is: held, and in memory */
  NestValue *tile[MOST_OPERANDS]; /* what a block reads of an operand, in shared memory; NULL: lanes read it */
  Tree *large[MOST_OPERANDS];     /* .. is that more than a block has room for? */
  VEC(const NestStage *) ends; /* each makes what is stored of what is held */
  VEC(const NestStage *) singles; /* of a lane's results one by one, where they lie, in the first of what is held */
  bool single;            /* .. one of which is being written */
} Windows;

/* A stage of a step of the inner dimension (tile_steps.c): the panel, the step's number in it, and which of two copies
 * of a lane's elements it is of. */
typedef struct TileStep { const NestStage *stage; Tree *panel, *number, *copy; } TileStep;

typedef struct Tiles {
  Lowering *l;
  PlanTiles plan;
  struct Packed *packed;             /* of a CPU's thread, of which this has what follows less .. (packed.h); NULL: a
                                        block's */
  const Codelet *codelet;
  const Arguments *in;               /* the block's, or the thread's, part */
  Place lane;
  LaneTile of[MOST_DIMENSIONS];      /* of the rows and columns of what is written */
  NestAxis *axis[MOST_LOOPS];        /* the codelet's loops */
  Fragments fragment;                /* of what a warp multiplies, */
  bool quads;                        /* .. each of its quad pairs a part of it */
  NestAxis *element;                 /* a lane's elements of a fragment of what is written; NULL: there are none */
  NestAxis *pair;                    /* .. and by two at once that are neighbours in a row; NULL: never */
  NestAxis *whole;                   /* .. and the same over a panel that has all its elements */
  Tree *at[MOST_DIMENSIONS];         /* where the row, the column at hand stands, of lanes' groups; else NULL */
  NestValue *held;                   /* what is written, in registers; NULL: it is not held */
  NestValue *memory;                 /* .. and in memory */
  Tree *goes_by_boxes;               /* .. where it lies so that it goes there by boxes; NULL: it never does. .. */
  NestValue *boxed, *room;           /* .. through shared memory */
  NestValue *before;                 /* .. as it was in memory, in registers, where a warp's sums begin at zero; NULL:
                                        they begin as it, or others add to it, too */
  Windows *windows;                  /* lanes hold windows; NULL: they do not */
  NestValue *parts;                  /* of it, what a cluster's blocks have each, where the others find it
                                        (tile_clusters.c); NULL: there is no cluster */
  const NestStage *in_place;         /* the codelet's, where more lies around than is staged; NULL: there is none */
  bool whole_tile;                   /* a nest of a tile that has all its elements is being made, .. */
  VEC(const NestStage *) sure;       /* .. whose stages ask for none (tile_moves.c) */
  Staged staged[MOST_OPERANDS];
  int across;                        /* of groups of warps: 0: each has multiples of GROUP_M rows, and all columns; 1:
                                        the other way round */
  bool words;                        /* .. and what they multiply of it comes from registers: .. */
  NestValue *here, *coming;          /* .. of the panel at hand, and of the next one */
  NestAxis *step;                    /* .. over the steps of the inner dimension */
  Tree *wide;                        /* the flag: operands may be read 16 bytes at once; of windows: all of these lie
                                        at multiples of 16 bytes. NULL: they may not */
  const Symbol *panels;              /* their cut */
  Tree *panel, *panel_begin, *panel_size; /* most elements of a panel; NULL: no panels. Of the panel at hand */
  Tree *panel_number;                /* .. and its number, */
  NestAxis *over;                    /* of the loop over them */
  Tree *panelled;                    /* elements that panels cut */
  Panel first, next;                 /* what is copied, or loaded, ahead of the loop, and in each of its turns */
  Tree *stages;                      /* buffers, where panels are copied ahead; NULL: they are not */
  Tree *full, *rest;                 /* .. panels with all their elements, and elements of one more; 0: there is none */
  bool stepwise;                     /* .. and a step's elements are loaded while the one before is computed */
  Tree *copies;                      /* .. and copies by elements go with steps: so many of a lane; NULL: none do */
  VEC(TileStep) steps;
  const TileStep *at_step;           /* .. whose stage is being written; NULL: of none */
} Tiles;

/* ---- tile_lanes.c ---- */

/* A constant by that name; one at the kernel's head: arrays have so many elements. */
Tree *tiles_constant(Tiles *t, const char *name, Tree *value);
Tree *tiles_at_head(Tiles *t, const char *name, Tree *value);
/* A value of such constants in terms of what the kernel's text has ahead of its body: its tunables. */
Tree *tiles_outside(const Tiles *t, Tree *x);
/* Elements of all workers in a dimension, in a constant at the kernel's head. */
Tree *tiles_of_lanes(Tiles *t, const LaneTile *lane);
Tree *tiles_as_int(Tiles *t, Tree *x);
/* What each lane, or each warp, has of the dimensions of what is written: how many elements; and, where LaneTile.apart
 * is known, which. */
void tiles_divide_lanes(Tiles *t);
void tiles_place_lanes(Tiles *t);
/* Has a lane an element of the part? */
Tree *tiles_have_any(Tiles *t);

/* ---- tile_part.c ---- */

/* What tiles of either kind begin with: the node that they are opened into, `what' a lane has. NULL: they cannot. */
NestNode *tiles_begin(Tiles *t, const PlanNode *n, Work *w, const char *what);
/* A loop over panels goes to the node; what is done with each goes to the one that is returned. */
NestNode *tiles_over_panels(Tiles *t, NestNode *to);
/* Where they are copied ahead: elements of a panel by its number. */
Tree *tiles_panel_left(const Tiles *t, Tree *number);

/* ---- tile_operands.c ---- */

/* An operand of the codelet as the block has it. */
View *tiles_operand(const Tiles *t, int param);
/* The array that it is a part of; NULL: it is computed, or one of the workspace's. */
const Operand *tiles_array(const Tiles *t, int param);
/* The first element in memory of what tiles are cut from. */
Tree *tiles_first(const Tiles *t, int param);
NestValue *tiles_memory(Tiles *t, int param);
/* What lanes have of a dimension of an operand; NULL: they do not share it. */
const LaneTile *tiles_lane(const Tiles *t, int param, int dimension);
/* Its dimensions; which one lies element by element in memory. */
int tiles_rank(const Tiles *t, int param);
int tiles_unit(const Tiles *t, int param);
/* Does what is written begin as what is in memory there? */
bool tiles_begin_in_memory(const Tiles *t);
/* Is it added to what is in memory in the end: by groups of warps, or as sums have fewer digits than what is there? */
bool tiles_add_in_the_end(const Tiles *t);
/* Do a warp's sums begin at zero, and is what is in memory loaded and added behind the products? */
bool tiles_add_what_was(const Tiles *t);
/* An operand as a lane has it, in a container whose element (r, c, ..) of the block's part is at begin + r * step[0]
 * + ..; in memory. */
View *tiles_as_lane_has_it(Tiles *t, int param, Tree *begin, Tree *const *step, Tree *panel_begin);
View *tiles_in_memory(Tiles *t, int param);
/* Elements of a dimension of the block's part. */
Tree *tiles_size(const Tiles *t, int param, int dimension);
/* Elements of the copy of it. */
Tree *tiles_copied(const Tiles *t, int param);
/* .. and from one of them to the next in memory. */
Tree *tiles_step(const Tiles *t, int param, int dimension);
/* So many of a fragment's elements, as Fragments has them of A, of B and of the inner dimension: of doubles half as
 * many. */
Tree *tiles_of_fragment(const Tiles *t, int many);
/* What a step of the inner dimension has of an operand, in registers, in so many copies (NULL: one); loads to it. */
void tiles_hold_part(Tiles *t, NestNode *home, int param, NestAxis *copies);
NestNode *tiles_load_part(Tiles *t, NestNode *load, int param);

/* Which inner loops' variables an operand's index in a dimension is ahead by, a bit each, if that is the same wherever
 * it is read, and if nothing else; -1: it is not. */
int tiles_loops(const Tiles *t, int param, int dimension);

/* Elements of a dimension of what is written that a lane has at once. */
Tree *tiles_at_once(const Tiles *t, int dimension);
/* What lanes read around their elements: how much more the block's part has, as far as its tile has room for it. */
Tree *tiles_halo(Tiles *t, const TileCut *x);
/* Is what lies around the part as narrow as its tile has room for, and not less than nothing, as without weights? NULL:
 * it is. */
Tree *tiles_have_room(Tiles *t);
/* What is written, in registers; from memory, to memory, or filled: a nest over its elements. */
void tiles_hold(Tiles *t, NestNode *home);
/* A written parameter's elements, in registers; NULL: it is not written, or not held. */
NestValue *tiles_held(const Tiles *t, int param);
bool tiles_writes(const Tiles *t, int param);
NestNode *tiles_between(Tiles *t, NestValue *to, NestValue *from);
/* The codelet's stage, on windows (NULL: there are none); `in_place': reading operands where they lie, of a plan that
 * does so only if there is no room. */
NestNode *tiles_codelet(Tiles *t, const WindowRoom *room, bool in_place);

/* ---- tile_stages.c ---- */

void tile_stages_write(Realising *r, const NestNode *n);
/* The element at hand of what is held; what the codelet's names stand for; where an element is. */
Tree *tile_stages_held(const Realising *r, Tiles *t);
Tree *tile_stages_held_of(const Realising *r, Tiles *t, int param); /* of a written parameter */
Environment tile_stages_environment(Realising *r, Tiles *t, bool in_place);

/* ---- tile_moves.c: where elements are only moved ---- */

/* Is each element computed once, of elements at its own indices alone, of which some are staged? */
bool tile_moves_fit(const Tiles *t);
/* Has the block's part all of a tile's elements? */
Tree *tile_moves_whole(Tiles *t);
/* The index of a copy's element in a dimension, of what is left of its number by dimensions further in. Where the
 * outermost one has one index it is surely 0: nothing is multiplied by it. */
Tree *tile_moves_index(const Tiles *t, bool outermost, Tree *number, Tree *extent);
/* Notes a stage of a whole tile; is it one? */
NestNode *tile_moves_note(Tiles *t, NestNode *stage);
bool tile_moves_sure(const Tiles *t, const NestStage *stage);

/* ---- tile_copies.c: the order of copies ahead ---- */

/* Of rows that panels cut, and whose elements are neighbours in memory: are 16 bytes copied at once, in that order?
 * NULL: never. What holds where an element, of these indices in the tile, is copied: `exists', and that it is no
 * repeated one. Which element a lane has of each round. */
Tree *tile_copies_in_order(Tiles *t, int param);
Tree *tile_copies_exist(Tiles *t, int param, Tree *const *index, Tree *exists);
void tile_copies_divide(Tiles *t, int param, const char *name, bool transposed);
/* Says how far a copy's elements are apart, whose dimension `fast' goes fastest; returns its length. */
Tree *tile_copies_lay(Tiles *t, int param, const char *name, int fast);
enum { TILE_CHUNK = 16 }; /* bytes of what is copied at once */

/* ---- tile_steps.c: where a step's elements are loaded while the one before is computed ---- */

/* Can they be? A lane's elements of each step come to registers, which have a home there. */
bool tile_steps_fit(const Tiles *t);
void tile_steps_hold(Tiles *t, NestNode *home);
/* Do copies ahead stand among a panel's steps? */
bool tile_steps_copy_within(const Tiles *t);
/* Of the first panel; of the one at hand, with copies ahead (NULL: not there), up to the last step; of that, and the
 * next panel's first; of what is left of the last panel. */
void tile_steps_begin(Tiles *t, NestNode *to);
void tile_steps_go_through(Tiles *t, NestNode *to, NestNode *copies_ahead);
/* Where copies by elements go with steps: are those at hand this step's? */
Tree *tile_steps_turn(const Realising *r, const Tiles *t, int param);
void tile_steps_go_on(Tiles *t, NestNode *to);
void tile_steps_end(Tiles *t, NestNode *to);
/* The stage's step; NULL: it has none. A lane's elements of it, as the codelet reads them; what is stored there. */
const TileStep *tile_steps_of(const Tiles *t, const NestStage *stage);
View *tile_steps_view(Tiles *t, int param, const TileStep *step);
Tree *tile_steps_load(const Realising *r, Tiles *t, int param, const TileStep *step, Tree *buffer);

/* ---- tile_clusters.c: where a cluster's blocks contribute to the same tile ---- */

/* Has only the first of them what is in memory to begin with? Room for what each has; all that is added, and stored. */
Tree *tile_clusters_first(const Tiles *t);
void tile_clusters_hold(Tiles *t, NestNode *home);
NestNode *tile_clusters_deliver(Tiles *t, NestNode *shown);
/* Where the element at those indices of the tile lies there. */
Tree *tile_clusters_place(const Tiles *t, Tree *const *index);

/* ---- windows.c, window_parts.c, window_streams.c, window_chunks.c, window_tiles.c, window_stages.c ---- */

/* Loads of windows, LOAD_.. of them. An inner loop: over as much as there is room for, as far as there is, or, of `all'
 * of it, without asking. The elements that a lane has at once; `room' NULL: operands are read where they lie. What is
 * written, by groups, made of the variable that was added up in; all lanes of a warp come here together. */
void windows_load(Tiles *t, WindowRoom *room, NestNode *to, int what);
NestNode *windows_over_loop(Tiles *t, const WindowRoom *room, int loop, NestNode *at, bool all);
const NestStage *windows_elements(Tiles *t, const WindowRoom *room, NestNode *at);
NestNode *windows_store(Tiles *t, WindowRoom *room);
/* A lane's results one by one, of operands where they lie. */
NestNode *windows_one_by_one(Tiles *t);

/* Windows whose rows come one at a time: the loop over them, before their windows are opened; a window's dimension d,
 * which has so many more rows than a lane has results; its taps, a loop that is written out; all of it. */
void windows_open_stream(Tiles *t, WindowRoom *room);
void windows_stream_rows(Tiles *t, WindowRoom *room, int param, int d, Tree *around);
void windows_open_taps(Tiles *t, WindowRoom *room);
NestNode *windows_stream(Tiles *t, WindowRoom *room);

/* What all elements read, in registers (window_held.c): of a stream; of a line where the room is `known' with the
 * kernel, ahead of the lanes' turns. */
void windows_open_held(Tiles *t, WindowRoom *room);
void windows_load_held(Tiles *t, WindowRoom *room, NestNode *to);
void windows_open_ahead(Tiles *t, WindowRoom *room, bool known);
void windows_load_ahead(Tiles *t, NestNode *to);

/* The inner loop that goes along the rows of all windows, alone, and is the innermost; -1: there is none. It is cut
 * into chunks; what is the same for all of a lane's elements comes to registers. */
int windows_loop_along(const Tiles *t);
void windows_open_chunks(Tiles *t, WindowRoom *room);
void windows_open_same(Tiles *t, WindowRoom *room);
/* The inner loop whose iteration is an operand's index in a dimension, wherever it is read; -1: there is none. */
int windows_one_loop(const Tiles *t, int param, int d);

/* How much more of an operand there is than of what is written, which it lies around; how many that may be there. */
Tree *windows_around(Tiles *t, int param, int dimension);
Tree *windows_room(Tiles *t, const WindowRoom *room, int param, int dimension);
/* A copy of each row of a window. */
const NestStage *windows_copy_rows(Tiles *t, const Window *w, NestNode *to, NestValue *from);
/* What a block reads of operands, in shared memory: arrays; copies of the room's that there is; a room's windows. Has a
 * room any? Do lanes load windows from memory instead? */
void windows_open_tiles(Tiles *t, NestNode *home);
void windows_fill_tiles(Tiles *t, NestNode *to);
NestNode *windows_by_tiles(Tiles *t, WindowRoom *room, bool row);
bool windows_have_tiles(const Tiles *t, const WindowRoom *room);
Tree *windows_come_directly(const Tiles *t);
/* So many elements of the group at hand are before the first one of a row; below 1: none. */
Tree *windows_before(const Tiles *t);
/* Is that the dimension along a lane's rows? */
bool windows_along(const Tiles *t, int param, int dimension);
/* The codelet's text, on windows. */
const Tree *windows_text(Tiles *t, Environment *e);
/* The operand as the codelet reads it there; NULL: it is read where it lies. */
View *windows_view(Tiles *t, int param);
bool window_stages_write(Realising *r, const NestStage *stage);

/* ---- tile_groups.c: where groups of warps multiply ---- */

/* Which dimension they share, of rows and columns; below 0, with a complaint: they multiply neither operand so. */
int tile_groups_across(Tiles *t);
/* Where in the copy of a panel an element is. */
Tree *tile_groups_place(const Tiles *t, int param, Tree *const *index);
/* What the launcher asks: can the operand be copied by boxes? */
Tree *tile_groups_ask(Tiles *t, int param, const Operand *o);
/* Before the first copy; the copies of a panel ahead, by boxes or element by element; until one has come; the products
 * of the one at hand; until those from registers are there; until the last are. */
NestNode *tile_groups_open(Tiles *t);
NestNode *tile_groups_ahead(Tiles *t, const Panel *p, NestNode *boxes, NestNode *elements);
NestNode *tile_groups_await(Tiles *t, Tree *panel);
NestNode *tile_groups_products(Tiles *t);
NestNode *tile_groups_close(Tiles *t);
/* Registers for words, which have a home there; the first panel's come to them. The statements of their stages. */
void tile_groups_hold(Tiles *t, NestNode *home);
NestNode *tile_groups_load(Tiles *t, bool first);
bool tile_groups_words(Realising *r, Tiles *t, const NestStage *stage);
NestNode *tile_groups_end(Tiles *t);
/* ---- tile_producers.c: where lanes beside them ask for panels ---- */

/* May what groups hold go to memory by boxes? Does it, as the launcher sees by `asked'? */
bool tile_producers_deliver(const Tiles *t);
void tile_producers_ask(Tiles *t, Tree *asked);
/* All of it: `deliver' what groups hold in the end, where that is not by boxes; `otherwise' what they do where boxes
 * cannot be copied. What they need has a `home'. */
NestNode *tile_producers_open(Tiles *t, Tree *wide, NestNode *home, NestNode *deliver, NestNode *otherwise);
/* A stage's statement: a row of fragments goes to memory. */
bool tile_producers_write(Realising *r, Tiles *t, const NestStage *stage);

/* ---- tile_groups.c, again ---- */

/* What is held, to memory, or from there: by pairs where that can be, else as `single' has it. */
NestNode *tiles_by_pairs(Tiles *t, NestNode *single, NestNode *copy);
/* 16 bytes of it, where boxes cannot be copied, whose first element is at those indices of the panel, which has
 * `left'. */
Tree *tile_groups_fill(const Tiles *t, int param, Tree *place, Tree *element, Tree *const *index, Tree *left);
/* The statements of their stages: `row' of fragments, `step' of the inner dimension. */
void tile_groups_copy(Realising *r, Tiles *t, int param, int box);
void tile_groups_multiply(Realising *r, Tiles *t, Tree *row, Tree *step);

#endif
