/* step_spectra.h: steps as they are read from the text (loop_steps.c), and the spectra that they become
 * (step_spectra.c). */
#ifndef TGC_FRONT_STEP_SPECTRA_H
#define TGC_FRONT_STEP_SPECTRA_H

#include "ir/tree.h"

/* What a variable holds at a place of the text. */
typedef struct Value { const Symbol *of; Tree *is; } Value;

/* A number that a loop adds up; or what each of so many rows comes to, the size of a parameter. */
typedef struct Sum { Symbol *of, *container; AtomicOp by; const Tree *rows; } Sum;

/* `first': of the sums that it begins, or adds to. Of a loop around steps `turns' is its head, and no body; behind the
 * last of these steps stands one that has nothing. */
typedef struct Step { const char *what; Tree *body; int first, nsums; bool begins; const Tree *turns; } Step;

/* What a loop around steps counts, and its name in the codelet of the steps. */
typedef struct Counter { const Symbol *of; Symbol *is; } Counter;

typedef struct LoopSteps {
  Arena *a;
  Unit *unit;
  const Codelet *codelet;
  VEC(Value) values;
  VEC(Sum) sums;
  VEC(Step) steps;
  VEC(Counter) counters;
  const Tree *around; /* the loop around all of it, over .. */
  const Symbol *each; /* .. this variable, */
  const Tree *size;   /* .. of so many turns, the size of a parameter; NULL: there is none */
  Tree *result;
  bool rows;          /* turns are rows, which neighbours are to share */
  int loops;
  bool real;          /* of T there are no whole numbers */
  bool ok;
} LoopSteps;

/* What the loop counts that has this variable; NULL: it is no such variable. */
const Counter *step_counter(const LoopSteps *x, const Symbol *s);

/* The copies that a step's codelet has of the codelet's parameters, of the sums, and of counters. */
typedef struct Renaming { const LoopSteps *steps; Symbol **params, **sums, **counters; } Renaming;

/* A reference to what is renamed (tree_rewrite). */
Tree *step_renamed(void *renaming, Arena *a, Tree *t);
/* Are elements of the container stored? */
bool step_stores(const Tree *body, const Symbol *s);
/* Has each step room for what it needs, and a codelet for the steps? */
bool step_spectra_fit(const LoopSteps *x);
/* Gives the spectrum a codelet of the steps, and the unit a spectrum for each. */
void step_spectra_add(LoopSteps *x, Spectrum *s);

#endif
