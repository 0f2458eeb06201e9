/* kept.h: an autonomous codelet `declarations; for (..) ..; return x;' whose variables are kept apart: one of each for
 * every slot, in registers, so that its loop body runs on the elements of several slots side by side. */
#ifndef TGC_LOWER_KEPT_H
#define TGC_LOWER_KEPT_H

#include "lower/lowering.h"

typedef struct Kept {
  Lowering *l;
  const Codelet *codelet;
  const Tree *body, *loop, *result; /* all of it, its loop over the container, what it returns; NULL: nothing */
  View *in;                         /* the first container */
  Tree *slots;                      /* how many; NULL: its variables are kept once */
  NestAxis *row;                    /* parts that are taken together have so many each; NULL: there is one */
  Environment shared;               /* names that mean the same in every slot */
  VEC(const Symbol *) locals;       /* variables that each slot has, and */
  VEC(Symbol *) arrays;             /* the arrays that hold them, in parallel */
} Kept;

/* The codelet on such arguments; its loop is NULL where the body is another one than `declarations; for (..) ..; return
 * x;'. */
Kept kept_of(Lowering *l, const Codelet *c, const Arguments *in, const Place *p);

/* Declares the codelet's variables, one for each slot, and what they are to begin with. */
void kept_declare(Kept *k);
/* Names as one slot sees them. */
Environment kept_environment(Kept *k, Tree *slot);
/* What the codelet returns in each slot. */
View kept_results(Kept *k);

/* What inline.c has to say of a loop: inline_takes_elements, inline_loops_over_container. */
typedef bool LoopTest(Lowering *l, Environment *e, const Tree *loop);
/* .. of the codelet's loop, behind the numbers that all slots have; nothing is lowered. */
bool kept_loop_is(const Kept *k, LoopTest *test);

#endif
