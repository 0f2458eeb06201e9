/* slots.h: what the parts of the loads of 16 bytes share.
 *
 *   slots.c      rounds of loads, for register slots and for one lane
 *   slots_fit.c  which codelets, and which containers, go that way */
#ifndef TGC_LOWER_SLOTS_H
#define TGC_LOWER_SLOTS_H

#include "lower/lowering.h"

/* Memory that the codelet's loop reads, or writes. */
typedef struct Leaf {
  View *view;
  Tree *begin;          /* where its elements are counted from, when another view is made of it; else NULL */
  Symbol *wide;         /* what a round has of it, in registers */
  bool read, written;
} Leaf;

typedef VEC(Leaf) Leaves;

/* The container's loop and the return of `declarations; for (..) ..; return x;'; false for other bodies. */
bool slots_take_apart(const Codelet *c, const Tree **loop, const Tree **result);
/* What the codelet's containers are made of; false where 16 bytes of one are not 16 bytes of all. */
bool slots_leaves(Lowering *l, const Codelet *c, const Tree *loop, const Arguments *in, Leaves *to);
/* Does the codelet's loop go through a run in memory? */
bool slots_go_through(const Lowering *l, const Codelet *c, const Arguments *in);

#endif
