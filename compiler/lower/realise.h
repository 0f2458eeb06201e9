/* realise.h: what the files that open nests, and write them out, share.
 *
 *   open.c      a plan's leaf, on containers -> a nest
 *   runs.c  containers                   -> the memory that a loop reads and writes; does it lie in runs?
 *   when.c      flags that the launcher computes, of a kernel's sizes
 *   shares.c    a map over many parts, as many as its text says -> a nest
 *   idle.c      what codelets would do for workers that have no part
 *   maps.c      a map over workers, a part each -> a nest; joins.c: how what they find comes together
 *   tails.c     iterations beyond the end    -> pieces of an axis, and all conditions
 *   realise.c   a nest                       -> statements; stages.c: those of its stages */
#ifndef TGC_LOWER_REALISE_H
#define TGC_LOWER_REALISE_H

#include "lower/kept.h"

/* ---- runs.c ---- */

/* Memory that the codelet's loop reads, or writes. */
typedef struct Run { NestValue *value; bool read, written; } Run;
typedef VEC(Run) Runs;

/* What the codelet's containers are made of; false where 16 bytes of one are not 16 bytes of all. */
bool runs_of(Lowering *l, const Codelet *c, const Tree *loop, const Arguments *in, Runs *to);
/* Does the codelet's loop go through a run in memory, on such arguments? */
bool runs_fit(const Lowering *l, const Codelet *c, const Arguments *in);
/* Is it made of constants and of numbers that the kernel is given? */
bool runs_are_given(const Tree *t);

/* ---- open.c ---- */

/* A nest on its way from a plan's node to statements. */
typedef struct Opened {
  Lowering *l;
  const PlanNode *plan;
  const Place *place;
  Kept kept;             /* the codelet of its stage */
  Runs runs;
  NestAxis *rounds;      /* the outermost axis of the container's dimension, */
  NestAxis *lane, *load; /* workers' and written-out factors of it; NULL: there is none */
  NestAxis *wide, *slot; /* elements of a load, and the same again, a slot each; of a CPU there is no `wide' */
  Symbol *element;       /* slots are parts: in positions of runs, an element's number; NULL: they are elements */
  NestValue *accumulator; /* what the codelet's variables are; NULL: it returns nothing */
} Opened;

/* A plan's node as a nest's, which uses one value; NULL: nothing of the nest's. */
NestNode *open_plan(Lowering *l, const PlanNode *n, NestValue *value, NestUse use);
/* The codelet's loop body on tiles, by run; NULL: on memory (runs.c). */
NestNode *runs_stage(const Opened *o, NestValue *const *tiles);

/* A container in memory, and a copy of one value to another. */
NestValue *open_memory(Arena *a, const char *name, View *v);
NestNode *open_copy(Arena *a, NestValue *to, NestValue *from);

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

/* What whole iterations leave: how many elements the head has; the position of number `mine' of head and tail, and whether
 * that is one; how many both have. */
Tree *tails_head(Lowering *l, const NestDim *of, const Bounds *b);
Tree *tails_end(Lowering *l, const NestDim *of, const Bounds *b, Tree *mine, Tree *head);
Tree *tails_end_exists(Lowering *l, const NestDim *of, Tree *end);
Tree *tails_many_ends(Lowering *l, const NestDim *of, const Bounds *b, Tree *head);

/* Does a dimension have all of a run, or an element: tiles may begin before it, and end behind it. */
Tree *tails_holds(Lowering *l, const NestDim *dim, Tree *first, Tree *end);
Tree *tails_within(Lowering *l, const NestDim *dim, Tree *at);

/* Of many parts: does number `which' exist; it, or the last one; how many elements it has, none beyond the last, by a name. */
Tree *tails_part_exists(Lowering *l, Tree *which, Tree *parts);
Tree *tails_or_last_part(Lowering *l, Tree *which, Tree *parts);
Tree *tails_length(Lowering *l, const char *name, Tree *which, Tree *parts, Tree *length);
/* Of a dimension's tiles: where number `number' begins, no later than the end; how many elements it has from there. And how
 * many a run has that goes by `inc' up to `end'. */
Tree *tails_tile_begin(Lowering *l, Tree *number, Tree *tile, Tree *elements);
Tree *tails_tile_size(Lowering *l, Tree *begin, Tree *tile, Tree *elements);
Tree *tails_run_size(Lowering *l, Tree *begin, Tree *inc, Tree *end);
/* Partitions' parts end where they begin, unless `exists' holds. */
void tails_empty(Lowering *l, const Regroup *r, Arguments *part, Tree *exists);

/* Of lanes that have neighbouring parts each where the kernel's flag holds, else every 32nd: this one's first, which is no
 * later than the last that has as many behind it, by a name. And how far a slot's part is from that: none is beyond the
 * last. `apart': the flag does not hold. */
Tree *tails_first_slot(Lowering *l, Tree *turn, Tree *first, Tree *per, Tree *parts);
Tree *tails_slot(Lowering *l, Tree *slot, bool apart);

/* ---- interleave.c ---- */

/* The memory whose neighbouring parts' elements lie side by side; NULL: the map has none. For the host: how many parts a
 * block has in a turn. */
View *interleave_memory(Lowering *l, const Regroup *r, Environment *e);
Tree *interleave_parts(Lowering *l, const View *memory);
/* In the kernel: the parts that a lane has, 16 bytes' worth; and which of a block's is its first. */
NestAxis *interleave_slots(Lowering *l, const Regroup *r, Environment *e, Tree **first);

/* ---- idle.c ---- */

/* What workers of `sub' that have no part of a map do with what they are handed. TAIL_CLIP: nothing, by itself; _EMPTY:
 * nothing where tails_empty has seen to it; _GUARD: they are kept out; _REPEAT: what the last part's does. */
NestTail idle_tail(const PlanNode *n, const Regroup *r, const Place *sub);

/* ---- realise.c ---- */

/* The other way from a nest to the plan: carries out a plan's node within it, or a join. The plan's nest goes on there.
 * `at': where the loops above are. */
typedef void PlanCall(void *context, NestNode *n, Tree *at);
typedef struct Carrying { PlanCall *call; void *context; Statements *launches; } Carrying; /* where kernels go */
/* Adds the nest to that of the plan, checks it, and writes its statements where these go now, or its kernels. `o': of
 * its codelet's stages; NULL: it has none. */
void realise(Lowering *l, Opened *o, NestNode *nest, const Carrying *by);

#endif
