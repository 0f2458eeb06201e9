/* search.h: what the parts of the search share.
 *
 *   search.c      all plans
 *   expand.h      compose(s, L), expanded iteration by iteration (MICRO Fig. 7)
 *   placement.c   alternatives to the plain way through a map's parts: copies, registers, shared memory
 *   tiles.c       which parts of several dimensions a block can stage, and its lanes hold
 *   refuse.c      why a rule does not apply somewhere
 *   prune.c       the order of rules (Fig. 8) and of candidates, and which are dropped
 *   keep.c        which complete plans are kept
 *   space.c       preset spaces: the plans of a table instead of a search
 *   plan_facts.c  nodes, and what is asked of them
 *   finish.c      what follows from them: text, id, category, sizes
 *   contributions.c  whether workers contribute to the same elements
 *   order.c       what it promises of the order in which elements are combined */
#ifndef TGC_COMPOSE_SEARCH_H
#define TGC_COMPOSE_SEARCH_H

#include "compose/plan.h"

typedef VEC(PlanNode *) PlanNodes;

/* How many elements a container can have where it is composed. */
typedef enum Bound {
  BOUND_NONE,   /* any number */
  BOUND_LANES,  /* at most one a lane of the block */
  BOUND_VECTOR  /* at most one a lane of a vector */
} Bound;

/* Where a compose(s, L) stands. */
typedef struct Context {
  Bound bound;
  bool adaptive;    /* the parts above can be made as small as what computes them needs */
  bool combination; /* it combines the results of a map at this level */
  bool serialized;  /* inside of a serialized map */
  bool devolved;    /* the level above left all of it to this one, and codelets apply other spectra as they are there */
  bool private;     /* a block has a container of its own for it */
  bool segment;     /* a part of many whose number is given, for a sub-warp or a lane */
  bool spread;      /* a part of many that several of the grid's workers may share */
  bool adds;        /* .. and whose result is stored as it is, so that it may be accumulated where it is stored */
  bool interleaved;      /* a lane's part of many, whose elements stand side by side with those of its neighbours */
  bool tile, row;   /* of a scan: the lanes hold it; a part of it that a vector's lanes hold 16 bytes each of */
  bool few;         /* the results of a grid's blocks: a few thousand at most */
  bool strided;       /* for a CPU's threads, a part whose elements lie apart */
  bool computed;    /* a view, for a CPU's threads: each element costs something whenever it is read */
  bool handed;      /* of a scan, for a CPU's threads: each result goes to a map as it is found, whose branches lanes
                       in step would all take */
  bool scattered;   /* of a scan, for a GPU's blocks: .. which stores some to places that the scan says */
  bool tile_part;   /* a tile of a grid's, or what a worker below has of it: a matrix unit may multiply it */
  bool apart;       /* a part that functions of the C compiler's cannot be handed (natives.c) */
  int64_t vector;   /* BOUND_VECTOR: lanes that the vector needs for them; of a block's warps 0, there can be fewer */
} Context;

/* ---- refuse.c ---- */
enum { REFUSE_WIDEST_ATOMIC = 8 }; /* machines change that many bytes at once (atomicCAS) */
extern const char refuse_too_wide[];
/* Why a rule that the level could carry out does not apply here; NULL: it applies. */
const char *refuse_rule(const Rule *r, const Level *l, Context c, int left);
/* Why results are not accumulated atomically at a level, whose codelet would have it so; NULL: they may be. */
const char *refuse_atomics(const Spectrum *s, const Level *l);
/* Does it map a container's parts to their sums, scan these, and map the parts once more, to be scanned from there? */
bool rule_scans_twice(const Rule *r);
/* How many steps of a kind a rule has. */
int rule_steps(const Rule *r, StepKind kind);
/* The spectrum of a rule's compose step number `which'; NULL: there are not so many. */
const Spectrum *rule_composed(const Rule *r, int which);
/* .. and the level at which that is composed. */
const Level *rule_composes_at(const Rule *r, int which);

/* ---- natives.c ---- */
/* Is the codelet for this machine (__env)? NULL is. */
bool natives_for_machine(const Codelet *c, const Arch *m);
/* Are the parts of a rule's map such as a function of the C compiler's may be handed, if the whole is? */
bool natives_stay_together(const Rule *r, const Arch *m);
/* Does a codelet that applies spectra as they are apply them to containers alone, not to views? */
bool natives_see_memory(const Codelet *c);
/* Why the codelet's functions cannot be handed what it is given; NULL: they can. */
const char *natives_refused(const Codelet *c, bool together);

/* ---- fates.c ---- */
/* What became of a codelet in a search: did a rule of it apply anywhere; why one did not, the first time. */
typedef struct CodeletFate {
  const Codelet *codelet;
  const char *why;
  bool applied;
} CodeletFate;
typedef VEC(CodeletFate) CodeletFates;
/* A rule of that codelet was looked at; `refused' as refuse_rule has it. */
void fates_note(Arena *a, CodeletFates *all, const Codelet *c, const char *refused);
/* A remark for each codelet that no plan uses, and why. `program': the rules before they were specialised. */
void fates_report(Arena *a, const Arch *m, const Rules *program, const CodeletFates *all, const Plans *kept,
                  Diagnostics *d);

/* ---- expand_flat.c ---- */
/* The same map over parts of any lengths, a lane each, whose elements a warp's lanes share; NULL: they may not. */
PlanNode *expand_flat(Arena *a, const Arch *m, const PlanNode *map);

/* ---- placement.c ---- */
/* A map over a CPU's threads whose rows, by `kids', lanes or threads go through in other ways, besides: appended to
 * `to'; how many. */
int placement_of_rows(Arena *a, const Arch *m, const Rule *r, const PlanNodes *kids, PlanNodes *to);
/* The same map whose lanes' rows are in shared memory; NULL: they are not. */
PlanNode *placement_in_rows(Arena *a, const Arch *m, const PlanNode *map, Traversal how);
/* A grid's map over tiles whose blocks' lanes, by `kids', hold what they contribute to, and stage what they read
 * again. */
int placement_of_tiles(Arena *a, const Arch *m, const Rule *r, const PlanNodes *kids, PlanNodes *to);
/* A map of a view's elements over a thread's lanes that go by half vectors, like the cheapest of the nodes of
 * `to' from the first on: appended to it; how many. `widest': bytes of the widest T. */
int placement_by_halves(Arena *a, const Arch *m, const Rule *r, int widest, int first, PlanNodes *to);

/* ---- tiles.c ---- */
/* The loop variable that an index is, or is a constant or inner loops' variables ahead of; NULL: it is none. */
const Symbol *plan_tile_ahead_of(const PlanTiles *t, const Tree *index);

/* ---- prune.c ---- */
/* Fig. 8: is r1 to be tried before r2 (negative), after it (positive), or are both the same? */
int prune_compare(const Rule *r1, const Rule *r2, const Level *level, bool last_iteration);

/* What a candidate is expected to cost against others: lower is better, no unit. */
int prune_cost(const PlanNode *n);

/* The one that is expected to cost least; NULL: there is none. */
PlanNode *prune_cheapest(const PlanNodes *nodes);
/* Sorts candidates by cost, keeping their order among equals, and keeps `most` of them (0: all): the best of
 * each kind of construct in turn. How many are dropped. */
int prune_candidates(Arena *a, PlanNodes *candidates, int most);

/* ---- keep.c ---- */
/* For each way to use a grid the best `each' of its candidates, of each kind in turn. */
PlanNodes keep_by_use(Arena *a, const PlanNodes *of, int each);

/* Keeps `keep` plans, best first, each category in its turn; of those that leave many parts to sub-warps, so many for
 * each kind of sub-warp at most. */
enum { KEEP_PARTS_OF_A_FACTOR = 3, KEEP_OF_THREE_KERNELS = 1 };
void keep_plans(Arena *a, Plans *plans, int keep);
/* Of plans so many whose rows a matrix unit multiplies are kept besides. */
int keep_units(const Plans *plans);

/* What a plan is made of; maps and computes are counted. */
typedef struct Constructs {
  bool vectorised, shuffles, shared_atomics, map_atomics;
  bool grid_atomics; /* of them, those of a grid's blocks, or of a process's threads */
  bool contributes; /* to a container of all workers, atomically */
  bool any;         /* .. of which one of the values stays that come */
  bool appends;     /* to a queue */
  bool together;    /* lanes exchange data */
  bool combines, slides, looks_back; /* any results; part by part; over blocks at once */
  bool partial;   /* blocks have copies of what they contribute to */
  bool equal;     /* .. equal shares of elements, wherever parts begin */
  bool bounded;   /* .. long parts in pieces */
  bool steps;     /* spectra one after another */
  bool multiplies; /* by a matrix unit */
  bool native;     /* by functions of the C compiler's */
  bool otherwise; /* a lane computes numbers that round by another codelet than the sequential one */
  bool rounding_atomics; /* some of the shared atomics are of numbers that are not whole, or T */
  bool rounds;    /* some codelet has numbers that are not whole, or T */
  int computes, maps;
} Constructs;

/* ---- expand_equal.c ---- */
/* Can the parts of that map be cut in equal shares of their elements? What is reduced then: of an element each, of all
 * the parts' containers. NULL: they cannot. */
const Spectrum *equal_reduction(const Rule *given);

/* ---- applied.c ---- */
/* Does a codelet that applies a spectrum surely compute what the sequential codelet does, in its order? */
bool applied_as_reference(const Codelet *c, const Codelet *reference);

/* ---- contributions.c ---- */
/* By parameter of a node's codelet: may several workers contribute to the same element? */
typedef struct Sharing { bool of[MOST_OPERANDS]; } Sharing;
Sharing contributions_at_root(const Spectrum *s);
/* They may to any. */
Sharing contributions_all(void);
/* The same for what the node's map, or call, applies. */
Sharing contributions_below(const PlanNode *n, const Sharing *s);
Sharing contributions_of_step(const PlanNode *n, const Sharing *s, int step);
/* Do a map's workers contribute to the same elements of a container of several dimensions? */
bool contributions_share(const PlanNode *n);
/* Do contributions to parameter i of a codelet that computes meet others'? */
bool contributions_meet(const Codelet *c, const Sharing *s, int i);
/* Does one lane go through parts in another order than the elements have? */
bool contributions_reorder(const PlanNode *n);

/* ---- order.c ---- */
/* Sets what a plan promises, and why, from what it is made of, its sizes and the spectrum's operator. */
void order_judge(Plan *p, const Constructs *made_of);

/* ---- threads.c ---- */
/* The lanes of a block of the plan: fills in what of `v' follows from it. False: no number of lanes is right for all of
 * its codelets. */
bool threads_first(Arena *a, const Plan *p, SizeVar *v);

/* A node's part of a plan's text. */
void plan_put(Buffer *to, const PlanNode *n);

/* A plan from its root, with everything that follows from it but its id. NULL: no number of lanes is right for all
 * of its codelets. */
Plan *plan_finish(Arena *a, PlanNode *root, const Spectrum *s, const Arch *m);

/* Has a block room in shared memory for the smallest tiles that it can have? Else why not, with the bytes. */
bool plan_has_room(Arena *a, const Plan *p, const char **why);

/* Ids for all: 8 hex digits of a hash, more where two collide. */
void plan_number(Arena *a, Plans *plans);

/* The plans of the preset space `cgo'; false, with an error, when a codelet that it needs is missing or the machine has
 * other levels than space_levels. */
bool space_plans(Arena *a, const Spectrum *s, const Arch *m, const Rules *rules, Plans *out, Diagnostics *d);

/* Nodes, as search and presets make them. */
PlanNode *plan_node(Arena *a, const Rule *r);
PlanNode *plan_devolve(Arena *a, const Rule *r, PlanNode *kid);
PlanNode *plan_steps(Arena *a, const Rule *r, PlanNode *const *steps, int n);
PlanNode *plan_map(Arena *a, const Rule *r, PlanNode *mapped, PlanNode *combination, Combine how);

#endif
