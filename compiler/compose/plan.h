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
  StepKind map;           /* how its map runs: STEP_DISTRIBUTE, _SERIALIZE, _SPLIT, _SPREAD or _SLICE; else
                             STEP_COMPUTE */
  const Level *parts;     /* whose workers have the map's parts: `level' where it is serialized, spread or sliced, the
                             lower one where it is split, else `below' */
  bool given;             /* the codelet's text says how many parts there are: as many as rows, as results */
  bool owns;              /* its workers share a container of the codelet's own, in shared memory (CGO III-B) */
  bool slides;            /* its map carries a value from part to part (MICRO VI-C) */
} Rule;

typedef struct Rules {
  VEC(Rule *) list;
} Rules;

/* One rule a codelet plus Devolve, numbered in that order (MICRO Fig. 4), of the spectrum and all that it applies. */
Rules rules_extract(Arena *a, const Spectrum *s);
/* What gives a part's total before it is scanned: the spectrum that a codelet that slides names for it; NULL: none. */
const Spectrum *rules_total(const Codelet *c);
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

/* A size variable with its constraints. */
typedef struct SizeVar {
  const char *name;     /* "p_grid" */
  const char *tunable;  /* the codelet's __tunable that it stands for, or NULL */
  const Codelet *codelet;
  BindTime bind;
  SizeSource source;
  int64_t min, max, preset, multiple; /* preset: default value; max 0 = unbounded */
  LaneNumbers among;    /* .. and one of these */
  int64_t part_max;     /* most elements that one part may hold (what serves it has so many lanes); 0 = any */
} SizeVar;

/* Where the pieces of a value are. */
typedef enum Space { SPACE_REGISTER, SPACE_SHARED, SPACE_GLOBAL } Space;

/* How the results of a map are combined. */
typedef enum Combine {
  COMBINE_NONE,     /* no map here */
  COMBINE_SPECTRUM, /* a second step: compose(s, L) on the map's results */
  COMBINE_ATOMIC    /* accumulated atomically (CGO III-A) */
} Combine;

/* Where a CPU's thread reads a part's elements (MICRO V): where they lie, and caches have them the second time; or from
 * an array of its own, into which they are copied first; transposed, where its lanes go through rows of their own. */
typedef enum Placement { PLACEMENT_CACHING, PLACEMENT_COPYING, PLACEMENT_TRANSPOSED } Placement;

typedef struct PlanNode PlanNode;
struct PlanNode {
  const Rule *rule;
  /* kids, in the order of the rule's compose steps: of Devolve the delegated part; of a compound codelet the
   * mapped part, then (COMBINE_SPECTRUM only) the combination, and what a second map does with each part from there; of
   * one without a map what it applies; of Compute none. */
  PlanNode *kid[3];
  int nkids;
  Combine combine;
  bool shuffled;   /* Compute: take the codelet's shuffled form */
  int copies;      /* of a codelet's own container: neighbouring lanes contribute to so many of them */
  int sync;        /* index into the level's ways to synchronise */
  Placement placement; /* compound: of the parts of its map */
  bool halves;     /* compound: lanes that go through parts do so by smaller vectors (half_bytes in arch/figures.h) */
  bool jammed;     /* compound: parts that a CPU's thread goes through are taken several at once */
  Axis axis;       /* compound: what the map runs over */
};

typedef enum Category { CATEGORY_BASELINE, CATEGORY_GLOBAL_ATOMIC, CATEGORY_SHARED_ATOMIC, CATEGORY_SHUFFLE } Category;

typedef struct Plan {
  PlanNode *root;
  const Spectrum *spectrum;
  const Arch *machine;
  VEC(SizeVar) sizes;
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

/* Does the rule's, or the node's, codelet apply a spectrum as it is, without a map: dot as the sum of products? */
bool plan_rule_applies(const Rule *r);
bool plan_applies(const PlanNode *n);
/* .. to a view, whose elements are computed, or gathered? */
bool plan_applies_to_view(const Rule *r);
/* Has it codelets that cut containers of several dimensions? */
bool plan_cuts(const Spectrum *s);
/* The first node from there on that does anything else. */
const PlanNode *plan_work(const PlanNode *n);

/* Does one cluster of blocks act for the grid? */
bool plan_is_one_cluster(const PlanNode *root);

/* Does one vector, a warp, alone act for the grid? */
bool plan_is_one_vector(const PlanNode *root);

/* The level that owns each of many parts: a block, one of its warps, a sub-warp, a thread. NULL: there are no such
 * parts, or not of the whole machine's. */
const Level *plan_worker_of_parts(const PlanNode *root);

/* The map that spreads each of many parts over workers of the grid, several a part; NULL: one worker has all of it. */
const PlanNode *plan_spread(const PlanNode *root);
/* .. and do they accumulate its result atomically, where it is stored? */
bool plan_accumulates_pieces(const PlanNode *root);

/* Are a container's parts summed up, the sums scanned, and the parts scanned from there, each in a kernel of its own? */
bool plan_scans_twice(const PlanNode *root);

/* The map that cuts each of a block's parts, which are neighbours, into slices, one a warp; NULL: there is none. */
const PlanNode *plan_slices(const PlanNode *root);

/* Does it, or something below it, leave work to a factor of a vector, a sub-warp? Segments that go to some do not
 * count. */
bool plan_uses_factor(const PlanNode *n);

/* Does it, or something below it, map over register slots? */
bool plan_reads_in_slots(const PlanNode *n);

/* How a map's workers synchronise before their results are combined; SYNC_PLAIN: they end. */
SyncKind plan_sync(const PlanNode *n);

/* Does it slide over a grid's blocks: over a whole container, or over parts that they share? */
bool plan_slides_over_blocks(const PlanNode *n);

/* How the blocks of a grid that slides learn what stands before their parts: SYNC_TICKET: they look back; SYNC_POST:
 * one of them tells the others. */
SyncKind plan_slides_by(const PlanNode *n);

/* Do the codelet's lanes, one a part, go through rows (or columns) whose elements lie side by side, in loops that take
 * them in order, by `by', an autonomous codelet? Then blocks of them can be copied, and transposed. */
bool plan_rows_transpose(const Codelet *map, const Codelet *by);

/* Are the codelet's parts rows (or columns) whose elements lie apart, and side by side with those of their
 * neighbours? */
bool plan_lines_apart(const Codelet *map);
/* .. and is all else that its spectrum is applied to the same for all parts? */
bool plan_lines_beside(const Codelet *map);

/* .. or have they these side by side, and is there a container that all of them are applied to? */
bool plan_lines_share(const Codelet *map);

/* Are parts taken several at once? */
bool plan_jams(const PlanNode *root);

/* Are all uses of a container in that text in[i], or its size? `i' NULL: its size alone. */
bool plan_uses_elements(const Tree *t, const Symbol *in, const Symbol *i);

/* The node whose parts a CPU's threads copy; where they copy none the first one that does anything. */
const PlanNode *plan_placed(const PlanNode *root);
const char *placement_name(Placement p);     /* "copying" */

/* Does it take a container of any length, or only as many elements as its lanes are? */
bool plan_serves_any(const PlanNode *n);

/* Does one of the workers go on and combine the results, in the same kernel? */
bool plan_goes_on(const PlanNode *n);

const char *category_name(Category c);       /* "global-atomic" */

/* The plan as an indented tree for `tgc explain`, and as a DOT graph in the manner of CGO Fig. 6: triangles
 * distribute, circles compute scalar, crosses compute vector, arrows up combine. */
void plan_print_tree(Buffer *to, const Plan *p);
void plan_print_dot(Buffer *to, const Plan *p);

#endif
