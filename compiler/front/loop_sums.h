/* loop_sums.h: what a loop of one lane adds up in variables that are declared before it (loop_sums.c). */
#ifndef TGC_FRONT_LOOP_SUMS_H
#define TGC_FRONT_LOOP_SUMS_H

#include "ir/tree.h"

/* A variable that the loop accumulates in, by the monoid's operator; each statement is like `combine'. */
typedef struct LoopSum { Symbol *of; OperatorKind op; const Tree *combine; } LoopSum;

enum { MOST_LOOP_SUMS = 4 };
typedef struct LoopSums {
  LoopSum at[MOST_LOOP_SUMS];
  int n;
  bool stores; /* it stores elements of containers, too */
} LoopSums;

/* False: the loop changes anything else, reads what a variable has come to, or is left. */
bool loop_sums_find(const Tree *loop, LoopSums *x);
bool loop_sums_has(const LoopSums *x, const Symbol *s);
/* Is it declared in the tree? */
bool loop_declares(const Tree *t, const Symbol *s);
/* A variable of one lane, of a number. */
bool loop_is_number(const Symbol *s);

#endif
