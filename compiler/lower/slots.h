/* slots.h: what the parts of the loads of 16 bytes share.
 *
 *   slots.c       rounds of loads, for register slots and for one lane
 *   slots_fit.c   which codelets, and which containers, go that way
 *   slots_even.c  parts that are one whole round each */
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
/* Does the codelet's loop go through a run in memory? */
bool slots_go_through(const Lowering *l, const Codelet *c, const Arguments *in);

#endif
