/* slots.h: what the parts of the loads of 16 bytes share.
 *
 *   slots.c       rounds of loads, for register slots and for one lane
 *   slots_fit.c   which codelets, and which containers, go that way
 *   slots_even.c  parts that are one whole round each
 *   slices.c      neighbouring parts, a slot each */
#ifndef TGC_LOWER_SLOTS_H
#define TGC_LOWER_SLOTS_H

#include "lower/lowering.h"

/* Memory that the codelet's loop reads, or writes. */
typedef struct Leaf {
  View *view;
  Tree *begin;          /* where its elements are counted from, when another view is made of it; else NULL */
  Symbol *wide;         /* what a round has of it, in registers */
  Symbol *ahead;        /* the same, loaded before all parts, since it is the same for all; NULL: it is not */
  bool read, written;
} Leaf;

typedef VEC(Leaf) Leaves;

/* Opens and closes a list of statements of its own. */
typedef struct Block { Statements inner, *outer; int names; } Block;
void slots_open(Lowering *l, Block *b);
void slots_close(Lowering *l, Block *b);
/* `if (condition) ..' around the statements that were written since slots_open; none when it is NULL. */
void slots_close_guarded(Lowering *l, Block *b, Tree *condition);
/* for (k = 0; k < count; ++k), written out, around them. */
void slots_close_unrolled(Lowering *l, Block *b, Symbol *k, Tree *count);
/* A variable of such a loop. */
Symbol *slots_counter(Lowering *l, const char *name, Type type);

/* An autonomous codelet, several times at once: each slot has variables of its own, in registers. */
typedef struct Slots {
  Lowering *l;
  const Tree *body, *loop, *result; /* of the codelet: all of it, its loop over the container, what it returns; NULL:
                                       nothing */
  const Codelet *codelet;
  View *in;                         /* the first container */
  Leaves leaves;
  const Place *place;
  Symbol *per;                      /* elements of one load: so many slots */
  Tree *loads, *stride;             /* loads of a round by one lane; elements from one of them to the next */
  const Spectrum *absorbs;          /* the codelet's loop leaves its variables as they are on the identity of this one's
                                       operator; NULL: it does not */
  Environment shared;               /* names that mean the same in every slot */
  VEC(const Symbol *) locals;       /* variables that each slot has, and */
  VEC(Symbol *) arrays;             /* the arrays that hold them, in parallel */
} Slots;

/* Names as one slot sees them. */
Environment slots_environment(Slots *s, Tree *slot);
/* Declares the codelet's variables, one for each slot, and what they are to begin with. */
void slots_declare_locals(Slots *s);
/* What the codelet returns in each slot. */
View slots_results(Slots *s);

/* 16 bytes a lane, `loads' times, from a container's elements on, lane by lane. */
typedef struct Round {
  const View *in;       /* the container, with `from', `worker' and `workers' */
  Tree *loads;
  Leaves *leaves;
} Round;

/* A flag that the launcher sets where all of the grid's many parts are one whole round each, of loads that all lie at
 * multiples of 16 bytes; NULL: it cannot tell. `n' is the map over register slots. */
Symbol *slots_even_flag(Lowering *l, const PlanNode *n, const Round *r);
/* Where the flag holds: loads what is the same for all parts before the first of them: those leaves get `ahead'. */
void slots_load_ahead(Lowering *l, const Round *r, Symbol *flag);

/* Is it made of constants and of numbers that the kernel is given? */
bool slots_is_given(const Tree *t);

/* The container's loop and the return of `declarations; for (..) ..; return x;'; false for other bodies. */
bool slots_take_apart(const Codelet *c, const Tree **loop, const Tree **result);
/* What the codelet's containers are made of; false where 16 bytes of one are not 16 bytes of all. */
bool slots_leaves(Lowering *l, const Codelet *c, const Tree *loop, const Arguments *in, Leaves *to);
/* Is what the body declares before its loop the same for all slots: a size or a position, which nothing changes? */
bool slots_share(const Tree *body, const Tree *declaration);
/* What inline.h has to say of a loop: inline_takes_elements, inline_loops_over_container. */
typedef bool LoopTest(Lowering *l, Environment *e, const Tree *loop);
/* .. of the codelet's loop, on such arguments, the first container's among them; nothing is lowered. */
bool slots_loop_is(const Lowering *l, const Codelet *c, const Tree *loop, const Arguments *in, LoopTest *test);
/* Does the codelet's loop go through a run in memory? */
bool slots_go_through(const Lowering *l, const Codelet *c, const Arguments *in);

#endif
