/* plan.h: rules, and the plans composed from them (MICRO III-B to IV).
 *
 * A rule says how compose(spectrum, level) may be carried out; a plan is a tree of applied rules with no
 * compose left; a variant is a plan with all its choices made. */
#ifndef TGC_COMPOSE_PLAN_H
#define TGC_COMPOSE_PLAN_H

#include "arch/arch.h"
#include "ir/tree.h"
#include "support/determinism.h"

/* ---- rules (rules.c) ---- */

/* What stands on the right of a rule's arrow, in order; MICRO Fig. 3 has the names. */
typedef enum StepKind {
  STEP_SYNC,       /* S_L                                                       */
  STEP_DEVOLVE,    /* devolve(l): one worker of the subordinate level acts      */
  STEP_REGROUP,    /* regroup(p_c, L)                                           */
  STEP_DISTRIBUTE, /* distribute(l): a map over the subordinate level's workers */
  STEP_SERIALIZE,  /* serialize(L): the map as a loop at this level             */
  STEP_SPLIT,      /* split(l, m): a map over two levels at once                */
  STEP_SPREAD,     /* spread(G): a map over the workers of a grid that share one of its many parts */
  STEP_SLICE,      /* slice(W): a map over the warps of a block, whose lanes have the same neighbouring parts */
  STEP_EQUAL,      /* equal(B, T): blocks have equal shares of all parts' elements; workers below, what a share has of a
                      part */
  STEP_BOUNDED,    /* bounded(B, T): workers below have parts of up to so many elements; of longer ones blocks' warps
                      have a piece each */
  STEP_COMPOSE,    /* compose(s, L)                                             */
  STEP_COMPUTE     /* compute(c, SE_L) or compute(c, VE_L)                      */
} StepKind;

typedef struct Step {
  StepKind kind;
  const Level *level;   /* NULL in program rules: L; with below = 1 its subordinate, with 2 the one below that */
  int below;
  const Spectrum *spectrum; /* COMPOSE */
  const Codelet *codelet;   /* COMPUTE; REGROUP: whose partition */
  Capability capability;    /* COMPUTE */
} Step;

typedef struct Rule {
  const char *name;       /* "1", "4"; specialised: "G1", "B3"; serialised, split, spread, sliced: "T4s" .. */
  const Spectrum *spectrum;
  const Codelet *codelet; /* NULL for Devolve */
  const Level *level;     /* NULL for a program rule */
  const Level *below;     /* whose workers its parts or its work go to; NULL for a program rule, and where none do */
  Step *steps;
  int nsteps;
  StepKind map;           /* how its map runs: STEP_DISTRIBUTE, _SERIALIZE, _SPLIT, _SPREAD, _SLICE or _EQUAL; else
                             STEP_COMPUTE */
  const Level *parts;     /* whose workers have the map's parts: `level' where it is serialized, spread or sliced, the
                             lower one where it is split or in equal shares, else `below' */
  Tiling tiling;          /* what one of its parts is: neighbouring elements, or every so many; TILING_ANY for
                             Devolve */
  bool tunable;           /* the codelet declares a number to be tuned */
  bool explicit_count;             /* the codelet's text says how many parts there are: as many as rows, as results */
  bool privatises;              /* its workers share a container of the codelet's own, in shared memory (CGO III-B) */
  bool slides;            /* its map carries a value from part to part (MICRO VI-C) */
  const char *unfit;      /* why its level cannot carry it out for these element types; NULL: it can */
  bool in_steps;          /* it has no map, and applies spectra one after another (ir/steps.h) */
} Rule;

typedef struct Rules {
  VEC(Rule *) list;
} Rules;

/* One rule a codelet plus Devolve, numbered in that order (MICRO Fig. 4), of the spectrum and all that it applies. */
Rules rules_extract(Arena *a, const Spectrum *s);
/* What a level needs that computes the codelet. */
Capability plan_capability(const Codelet *c);
/* What a part of its map is: neighbouring elements, where the partition's increment is 1, or every so many. */
Tiling plan_tiling_of(const Codelet *c);
/* What gives a part's total before it is scanned: the spectrum that a codelet that slides names for it; NULL: none. */
const Spectrum *rules_total(const Codelet *c);
/* The container that a codelet's text declares; NULL: there is none. */
const Symbol *rules_private_container(const Codelet *c);
/* Has it containers of its own, and does it cut those of several dimensions? Do a block's warps share them then? */
bool plan_privatises_rows(const Rule *r);
bool plan_private_by_vector(const Rule *r);
/* Those that the machine's levels can carry out (Figs. 5, 6), level by level; Serialize and Split included. */
Rules rules_specialise(Arena *a, const Rules *program, const Arch *m);
/* In the papers' notation, one rule a line, aligned. */
void rules_print(Buffer *to, const Rules *r);

/* One step of them: "regroup(p_c, P)". */
void step_print(Buffer *to, const Step *s);

/* ---- what a plan is made of ---- */

/* An axis is a level, or a factor of one, over which a map runs. */
typedef struct Axis {
  const Level *level;  /* the level whose workers it counts (the subordinate) */
  const Level *second; /* a Split's lower level, or NULL */
  Realisation real;    /* how lowering runs it: as the level's workers, or as a loop */
  int size;            /* index into the plan's sizes: its width */
} Axis;

/* Where a size's preset comes from: the plan alone, or the machine's figures too. Widths that the order of combining
 * depends on decide what is promised (order.c). */
typedef enum SizeSource { SOURCE_CONSTANT, SOURCE_MACHINE } SizeSource;

/* A width, or a tunable of a codelet's own, and what it may be. */
typedef struct SizeVar {
  Tunable tunable;
  SizeSource source;
} SizeVar;

/* How the results of a map are combined. */
typedef enum Combine {
  COMBINE_NONE,     /* no map here */
  COMBINE_SPECTRUM, /* a second step: compose(s, L) on the map's results */
  COMBINE_ATOMIC,   /* accumulated atomically (CGO III-A) */
  COMBINE_PARTIAL,  /* of blocks that contribute to the same elements: a copy for each, in the workspace, which a second
                       kernel adds in their order (split-K) */
  COMBINE_CLUSTER   /* .. the same of the blocks of a cluster: copies in each other's shared memory, added there */
} Combine;

/* How workers go through a map's parts (MICRO V): those that do not say GPU, but for the first, are a CPU's threads'.
 * From TRAVERSE_PACKED on they are tiles'. */
typedef enum Traversal {
  TRAVERSE_PLAIN,      /* one after another, where elements lie, and caches have them the second time */
  TRAVERSE_COPYING,    /* in an array of its own, into which a part is copied first                   */
  TRAVERSE_TRANSPOSED, /* the same of rows that its lanes have each, transposed                       */
  TRAVERSE_JAMMED,     /* several at once                                                             */
  TRAVERSE_HALVES,     /* by smaller vectors (half_bytes in arch/figures.h)                           */
  TRAVERSE_FLAT,       /* GPU: of rows that lanes have each, whose elements a warp's lanes share (flat.c)        */
  TRAVERSE_ROWS,       /* GPU: of rows that lanes have each, in shared memory, where they are copied together */
  TRAVERSE_RUN,        /* GPU: so, as one run of memory where they lie one behind another                    */
  TRAVERSE_IN_BLOCK,   /* GPU: .. of bounded lengths, longer ones by all of the block that met them (bounded.c)     */
  TRAVERSE_COMPACTED,  /* GPU: of a scan, and what its results' map stores side by side goes through shared memory  */
  TRAVERSE_PACKED,     /* from copies of panels, packed for registers and caches (packed.c)           */
  TRAVERSE_HELD,       /* what a lane contributes to, in registers (GPU: tiles.c; CPU: packed.c)      */
  TRAVERSE_WINDOWED,   /* GPU: so, and what a lane reads around its elements (windows.c)              */
  TRAVERSE_STREAMED,   /* GPU: .. a row of it at a time, or a plane, while results go on               */
  TRAVERSE_STAGED,     /* GPU: what is held in registers; what lanes read again, in shared memory     */
  TRAVERSE_PREFETCHED, /* GPU: so, and a panel is loaded to registers while the one before is used    */
  TRAVERSE_PIPED,      /* GPU: or several panels are copied ahead, while lanes go on                   */
  TRAVERSE_BULK,       /* GPU: .. a rectangle at a time, from where a group of warps multiplies them   */
  TRAVERSE_PRODUCED    /* GPU: .. which a warp beside the block's asks for, as buffers become free     */
} Traversal;

enum { COPIES_OF_WARPS = -1 };

typedef struct PlanNode PlanNode;
struct PlanNode {
  const Rule *rule;
  /* kids, in the order of the rule's compose steps: of Devolve the delegated part; of a compound codelet the
   * mapped part, then (COMBINE_SPECTRUM only) the combination, and what a second map does with each part from there; of
   * one without a map what it applies, or each of its steps; of Compute none. */
  PlanNode *kid[MOST_STEPS];
  int nkids;
  Combine combine;
  bool shuffled;   /* Compute: take the codelet's shuffled form */
  int copies;      /* of a codelet's own containers: neighbouring lanes contribute to so many of them; COPIES_OF_WARPS:
                      each warp has one */
  int sync;        /* index into the level's ways to synchronise */
  Traversal traversal; /* compound: of the parts of its map */
  Axis axis;       /* compound: what the map runs over */
};

typedef enum Category { CATEGORY_BASELINE, CATEGORY_GLOBAL_ATOMIC, CATEGORY_SHARED_ATOMIC, CATEGORY_SHUFFLE } Category;

typedef struct Plan {
  PlanNode *root;
  const Spectrum *spectrum;
  const Arch *machine;
  VEC(SizeVar) sizes; /* lanes of a block; the width of each level; the codelets' own tunables */
  const char *text;   /* canonical, stable across runs: "grid.tiled!atomic(block.tree+shuffle)" */
  const char *id;     /* 8 hex digits, a hash of text; longer only where two collide */
  const char *letter; /* "l" .. "p": its letter in CGO Fig. 6, or NULL */
  Category category;
  Determinism determinism;
  const char *determinism_why;
  bool batch_invariant; /* the result depends on n and the elements alone, whatever else is computed where */
  const char *batch_invariant_why;
  int kernels;        /* grids launched to compute (an initialising one not counted) */
} Plan;

/* ---- tiles of several dimensions (tiles.c) ---- */

enum { MOST_LOOPS = 6, MOST_DIMENSIONS = 4 /* of what has tiles */, PLANE = 2 /* the last ones: rows and columns */ };
/* for (index = 0; index < of.Size(dimension); ++index); `of' NULL: below a constant, `end' */
typedef struct TileLoop { const Symbol *index, *of; int dimension; const Tree *end; } TileLoop;
/* How one dimension of a container is cut: by the grid, a block's lanes, a lane's loop; a REF of the cut, or its HALO.
 * NULL: it is not. */
typedef struct TileCut { const Tree *grid, *lanes, *panel; } TileCut;

/* A grid's tiles, of which each lane of a block has a rectangle, whose elements a codelet goes through. */
typedef struct PlanTiles {
  const PlanNode *grid, *block, *loop, *leaf; /* loop: over panels; NULL: there is none */
  TileLoop loops[MOST_LOOPS]; /* of the leaf's codelet, the outermost first, around .. */
  int nloops;
  const Tree *body;
  const Symbol *within[MOST_LOOPS]; /* variables of loops in it, of constant bounds, which are written out */
  int nwithin;
  Tree *const *ahead;       /* declarations ahead of the loops, of constants and numbers */
  int nahead;
  const Symbol *sum;        /* a variable that each element is computed in, by the inner loops; NULL: there is none */
  const Tree *begin, *end;  /* .. what it begins as; and what is stored of it */
  int written, rank;        /* the parameter that it changes, its dimensions, */
  int own[MOST_DIMENSIONS]; /* .. the loops that go through its elements, */
  bool also[MOST_OPERANDS]; /* other parameters whose elements it assigns at the same places */
  bool several;             /* .. there are such */
  int row, column;          /* of which these are those of the last two */
  bool reduces;             /* others contribute to each element */
  bool multiplies;          /* rectangles are warps', by a matrix unit, */
  bool groups;              /* .. or those of groups of warps, one of all columns each */
  bool produced;            /* .. for which lanes beside them ask for panels, where these are copied by boxes */
  bool packs;               /* rectangles are a vector's, many for each tile of a CPU's thread (packed.c) */
  TileCut cut[MOST_OPERANDS][MOST_DIMENSIONS]; /* by the leaf's parameter */
  int of_block[MOST_OPERANDS], param[MOST_OPERANDS]; /* which of the block's map, of the problem's, stands for it */
} PlanTiles;

/* Do a block's lanes hold, or stage, what they work on? */
bool plan_has_tiles(const PlanNode *grid);
/* The grid's node of the plan that has such tiles, of its steps one at most; NULL: it has none. */
const PlanNode *plan_tiled(const PlanNode *root);
/* Is it a grid's node whose lanes can hold, or stage, what they work on? */
bool plan_tiles(const PlanNode *grid, PlanTiles *t);
/* Is it a cut of the grid's that lanes do not divide among them? Its parts are as many as there is room for blocks. */
bool plan_tile_is_share(const PlanTiles *t, const Symbol *cut);
/* .. and is there one? Exactly one, whose parts all contribute to the same elements? */
bool plan_tiles_share(const PlanTiles *t);
bool plan_tiles_meet(const PlanTiles *t);
/* Which dimension of what is written a loop goes through; -1: none. */
int plan_tile_dimension(const PlanTiles *t, int loop);
/* Is each element computed once, of elements at its own indices, of which some are staged (lower/tile_moves.c)? */
bool plan_tiles_move(const PlanTiles *t);
/* Does a cut divide a dimension of it above rows and columns: a batch's? */
bool plan_tile_is_above(const PlanTiles *t, const Symbol *cut);
/* Do parts overlap? How many elements more one has than its cut says; false: it is not known before sizes are. */
bool plan_tile_has_halo(const TileCut *x);
bool plan_tile_halo(const Tree *cut, int64_t *more);
/* Which dimension of a parameter panels cut; -1: none. */
int plan_tile_panelled(const PlanTiles *t, int param);
/* The cut of panels; NULL: there is none. */
const Symbol *plan_tile_panels(const PlanTiles *t);
/* Are its parts tiles? Else they are strided. */
bool plan_cut_is_tiles(const Symbol *cut);
/* May its tiles have an extent that is tuned? Not those of a cut besides others that cuts nothing that is written: they
 * are as many as there is room for. */
bool plan_cut_has_extent(const Codelet *c, const Symbol *cut);
/* Is one dimension cut by its map, and no other? */
bool plan_cuts_one_dimension(const Codelet *c);
/* 1: neighbouring lanes have neighbouring parts of it; 0: of another one. */
int plan_tile_lanes(const PlanTiles *t, const Symbol *cut);
/* Do lanes read a parameter's elements more than once, or so that neighbours do not read side by side? Its tile has the
 * same extents everywhere. */
bool plan_tile_is_staged(const PlanTiles *t, int param);
/* .. its elements and those around them, which a lane can hold in registers: a window? May all that lanes read around
 * their elements be held so, and what they write? Do lanes of that plan read elements around theirs from shared memory,
 * or from a window? */
bool plan_tile_is_window(const PlanTiles *t, int param);
/* Or beside a window: elements that a lane's own stand for, alone? */
bool plan_tile_is_own(const PlanTiles *t, int param);
bool plan_tiles_have_windows(const PlanTiles *t);
/* .. do they, all of a window before all else, or row by row? Along which dimension of what is written these rows, or
 * planes, follow one another; -1: windows have one of them, or no plan would. */
bool plan_tiles_hold_windows(const PlanTiles *t);
int plan_tiles_stream(const PlanTiles *t);
bool plan_tile_keeps_halo(const PlanTiles *t, int param);
/* What the extent of a cut's tiles is called where it is tuned: "tile_m". */
const char *plan_tile_name(Arena *a, const Symbol *cut);
/* .. and how many elements may lie around them where it is staged, if that is not known before sizes are; else NULL. */
const char *plan_tile_halo_name(Arena *a, const TileCut *x);
/* .. and how many lanes have neighbouring parts of the last cut: a block's lanes are rows of so many. Or warps, which
 * multiply. */
const char *plan_tile_workers_name(bool multiplies);
/* The first map over parts that a compound codelet has. */
const Tree *plan_map_of(const Codelet *c);
/* .. and how many buffers panels have that are copied ahead. */
extern const char plan_tile_stages_name[];

/* Of tiles that a CPU's threads pack: can they, and is a parameter's panel copied? The tunables of such a plan. */
bool plan_tiles_pack(const PlanTiles *t);
/* .. or can they be read where they lie, and results held in registers? */
bool plan_tiles_hold(const PlanTiles *t);
bool plan_tile_is_packed(const PlanTiles *t, int param);
/* .. do lanes have neighbouring elements of a dimension that the process cuts so? */
bool plan_packed_by_lanes(const PlanTiles *t, const Symbol *cut);
void plan_size_packed(Arena *a, Plan *p, const PlanTiles *t);
/* .. which of them fits elements of so many bytes better otherwise, and how; NULL: none. */
const char *plan_packed_rows(const Plan *p, int64_t bytes, int64_t *many);

/* ---- words (labels.c) ---- */

/* In the notation of rules "split(", as a rule's suffix "x", in a plan's text "/all", and what its tree calls the
 * workers, if not by their level's name. */
typedef struct StepLabels { const char *notation, *suffix, *text, *over; } StepLabels;
extern const StepLabels step_labels[];
/* In a plan's text "!ticket", of a slide "!look_back", in its tree what stands before the node that combines, and in
 * the manifest how a slide's parts learn what stands before them. */
typedef struct SyncLabels { const char *text, *slide, *results, *carry; } SyncLabels;
extern const SyncLabels sync_labels[];
/* In a plan's text "!copy", in its tree "each part, from a copy", in the manifest behind the map and as where elements
 * are; and what it costs: besides all that a map does, or instead of it. */
typedef struct TraversalLabels { const char *text, *part, *map, *placement; int cost; bool besides; } TraversalLabels;
extern const TraversalLabels traversal_labels[];

/* ---- the search (search.c, Fig. 7; prune.c, Fig. 8) ---- */

typedef struct SearchOptions {
  int iterations;      /* N of Fig. 7; 0 = a good default for the machine */
  int keep;            /* candidates kept after pruning; 0 = a default, -1 = all */
  int limit;           /* of `all', how many at most; 0: any number */
  const char *space;   /* NULL, or "cgo" */
  bool trace;          /* fill SearchReport.trace */
  Determinism determinism; /* what every plan must keep at least */
} SearchOptions;

typedef struct SearchReport {
  int considered, complete, kept;
  Buffer pruned;       /* one line a reason: how many, and why */
  Buffer trace;        /* Figs. 7 and 8 step by step, when asked for */
} SearchReport;

typedef struct Plans {
  VEC(Plan *) list;    /* sorted as listed to the user: category, then text */
} Plans;

/* Every plan of that spectrum on that machine, within the options. None after an error (in `d`), e.g. when
 * no plan completes ("recursion that never computes"). */
Plans plan_search(Arena *a, const Spectrum *s, const Arch *m, const SearchOptions *o, SearchReport *report,
                  Diagnostics *d);

/* The levels, in order, that a preset space composes over ("grid,block,thread" for "cgo"); NULL for an unknown one. */
const char *space_levels(const char *space);

/* ---- facts of a node (plan_facts.c) ---- */

/* Does the rule's, or the node's, codelet apply a spectrum as it is, without a map: dot as the sum of products? */
bool plan_rule_applies(const Rule *r);
bool plan_applies(const PlanNode *n);
/* Does a rule's codelet apply one to a view, whose elements are computed, or gathered? */
bool plan_applies_to_view(const Rule *r);
/* Does its codelet apply spectra one after another? */
bool plan_in_steps(const PlanNode *n);
/* The first node from there on that does more than apply a spectrum as it is. */
const PlanNode *plan_work(const PlanNode *n);
/* .. below what is a codelet's only step, too. */
const PlanNode *plan_work_of_step(const PlanNode *n);
/* Does it, and do all of its steps, only store elements, each once, and neighbours along rows one after another
 * (moving.c)? */
bool plan_moves_rows(const PlanNode *root);
/* Do blocks contribute to copies of their own, which are added in their order? */
bool plan_adds_copies(const PlanNode *n);
/* Do lanes have their rows in shared memory? */
bool plan_in_rows(const PlanNode *n);

/* ---- facts of a plan, by its root ---- */

/* Does one cluster of blocks act for the grid? Or one vector, a warp? */
bool plan_is_one_cluster(const PlanNode *root);
bool plan_is_one_vector(const PlanNode *root);

/* The level that owns each of many parts: a block, one of its warps, a sub-warp, a thread. NULL: there are no such
 * parts, or not of the whole machine's. */
const Level *plan_worker_of_parts(const PlanNode *root);
/* Of a grid's steps the first that has parts which several lanes can go through together (front/together.c); NULL. */
const PlanNode *plan_step_of_rows(const PlanNode *root);

/* The map that spreads each of many parts over workers of the grid, several a part; or the only step of what a part
 * takes. NULL: one worker has all of it. */
const PlanNode *plan_spread(const PlanNode *root);
/* Is it a grid's steps, each a kernel, in which several blocks have each of the parts of those that have parts? */
bool plan_shares_steps(const PlanNode *root);
/* Do those accumulate its result atomically, where it is stored? */
bool plan_accumulates_pieces(const PlanNode *root);

/* Does it combine states of an operator that a codelet names? */
bool plan_combines_states(const PlanNode *root);

/* Are a container's parts summed up, the sums scanned, and the parts scanned from there, each in a kernel of its
 * own? */
bool plan_scans_twice(const PlanNode *root);

/* The map that cuts each of a block's parts, which are neighbours, into slices, one a warp; NULL: there is none. */
const PlanNode *plan_slices(const PlanNode *root);

/* Are the parts' elements cut in equal shares, one a block? */
bool plan_is_equal(const PlanNode *root);
/* Has a worker parts of up to so many elements, longer ones being many workers'? All of its block's? */
bool plan_is_bounded(const PlanNode *root);
bool plan_is_bounded_in_block(const PlanNode *root);

/* ---- facts of a node and all below it ---- */

/* The first node that is so; NULL: none is. */
const PlanNode *plan_find(const PlanNode *n, bool (*is)(const PlanNode *));

/* The map with bounded parts; NULL: there is none. */
const PlanNode *plan_bounds(const PlanNode *n);
/* Does it leave work to a factor of a vector, a sub-warp? Segments that go to some do not count. */
bool plan_uses_factor(const PlanNode *n);
/* Does a matrix unit multiply two matrices? The unit of a group of warps? */
bool plan_multiplies(const PlanNode *n);
bool plan_multiplies_by_groups(const PlanNode *n);
/* Does a matrix unit multiply rows of a container by a constant, to add them up, or scan them? */
bool plan_multiplies_rows(const PlanNode *n);
/* Does it have lanes' rows in shared memory? Copied as one run of memory where they lie so? */
bool plan_copies_rows(const PlanNode *n);
bool plan_copies_a_run(const PlanNode *n);
/* Has it rows of any lengths, whose elements the lanes of a warp share? */
bool plan_is_flat(const PlanNode *n);
/* Does what a scan's map stores side by side go through shared memory? */
bool plan_compacts(const PlanNode *n);
/* Does it map over register slots? */
bool plan_is_vectorised(const PlanNode *n);
/* Nodes of which a block's lanes go through a container round by round. */
int plan_in_rounds(const PlanNode *n);

/* What a plan has tunables of its own for, by these names, and how many (finish.c):
 *
 *   longest  elements of a bounded part that one lane goes through
 *   unit_k   elements of a row that a matrix unit multiplies at once, where each row has a result (plan_tunes_unit);
 *            plan_unit_span: the fewest, as many as lanes have that load 16 bytes each of halves, or twice as many of
 *            doubles
 *   row_k    elements of a row that shared memory has room for (plan_copies_rows)
 *   jam      turns of the outer loop that lanes with a row each take at once, or sums that they have at once, where
 *            they go through the row in an inner loop, or add it to one of several (plan_jams)
 *   own_k    kilobytes of shared memory for a block's own containers beside rows, in few copies (plan_tunes_own) */
extern const char plan_longest_name[], plan_unit_name[], plan_row_name[], plan_jam_name[], plan_own_name[];
bool plan_tunes_unit(const PlanNode *n);
int plan_unit_span(const Spectrum *s);
bool plan_jams(const PlanNode *n);
bool plan_tunes_own(const PlanNode *n);

/* ---- how workers wait for each other ---- */

/* How a map's workers synchronise before their results are combined; SYNC_PLAIN: they end. */
SyncKind plan_sync(const PlanNode *n);

/* How a grid's steps are one kernel; SYNC_PLAIN: they are not. SYNC_TOGETHER: its loops are kernels that stay, whose
 * blocks wait for one another between the steps (persist.c). SYNC_ONE_BLOCK: one block does all of it. */
SyncKind plan_steps_by(const PlanNode *n);
bool plan_is_persistent(const PlanNode *n);
bool plan_is_of_one_block(const PlanNode *n);

/* Does it slide over a grid's blocks: over a whole container, or over parts that they share? */
bool plan_slides_over_blocks(const PlanNode *n);

/* How the blocks of a grid that slides learn what stands before their parts: SYNC_TICKET: they look back; SYNC_POST:
 * one of them tells the others. */
SyncKind plan_slides_by(const PlanNode *n);

/* What the codelet's first map goes through: rows (or columns) whose elements lie side by side, or apart, then side by
 * side with their neighbours'; whole: there is an argument that is the same for all parts; others: one that is neither
 * this nor of lines that lie apart; ragged: one whose parts begin where memory says. */
typedef struct PlanLines { bool contiguous, strided, whole, others, ragged; } PlanLines;
PlanLines plan_lines(const Codelet *map);

/* Do the codelet's lanes, one a part, go through rows (or columns) whose elements lie side by side, in loops that take
 * them in order, by `by', an autonomous codelet? Then blocks of them can be copied, and transposed. */
bool plan_rows_transpose(const Codelet *map, const Codelet *by);


/* Are all uses of a container in that text in[i], or its size? `i' NULL: its size alone. */
bool plan_uses_elements(const Tree *t, const Symbol *in, const Symbol *i);

/* The node whose parts a CPU's threads copy; where they copy none the first one that does anything. */
const PlanNode *plan_placed(const PlanNode *root);

/* Does it take a container of any length, or only as many elements as its lanes are? */
bool plan_serves_any(const PlanNode *n);

/* Does one of the workers go on and combine the results, in the same kernel? */
bool plan_goes_on(const PlanNode *n);

const char *category_name(Category c, bool in_order); /* "global-atomic", "accumulated" */

/* The plan as an indented tree for `tgc explain`, and as a DOT graph in the manner of CGO Fig. 6: triangles
 * distribute, circles compute scalar, crosses compute vector, arrows up combine. */
void plan_print_tree(Buffer *to, const Plan *p);
void plan_print_dot(Buffer *to, const Plan *p);

#endif
