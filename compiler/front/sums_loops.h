/* sums_loops.h: loops over the elements of what is stored, each of which is added up by one more (sums_loops.c). */
#ifndef TGC_FRONT_SUMS_LOOPS_H
#define TGC_FRONT_SUMS_LOOPS_H

#include "ir/tree.h"

enum { MOST_OWN = 3, LOOPS = MOST_OWN + 1, LEAST_RANK = 2 };

/* Over a dimension of a parameter. */
typedef struct SumLoop { const Symbol *index, *of; int dimension; } SumLoop;

typedef struct Sums {
  Arena *a;
  const Codelet *codelet;
  int own;                /* loops over the elements of what is stored; one more adds up */
  SumLoop loop[LOOPS];
  const Tree *at[LOOPS];
  const Symbol *sum, *to; /* the variable, the container where it is stored */
  const Tree *begin;      /* what the variable begins at */
  const Tree *end;        /* what is stored, of the variable, numbers and elements; NULL: the variable as it is */
  bool again;             /* what is stored depends on what was there */
  const Tree *one;        /* of the own loops: the variable, the last loop, what is stored */
  const Tree *body;       /* of the last loop */
  const Tree *add;        /* the statement in it that accumulates */
  AtomicOp by;
  bool plain;             /* loops' heads are as its cuts expect them: `i < of.Size(d)' */
  int of[MOST_OPERANDS][MOST_OWN]; /* by parameter: which loop's variable is the index; -1: not known yet */
} Sums;

/* Has each result elements of its own of a container, which the last loop goes through? No tile has any in common. */
bool sums_have_each(const Sums *x);
/* Does the codelet add up in a variable, and store it? */
bool sums_find(Arena *a, const Codelet *c, Sums *x);
/* .. or contribute to an __accum container, by loops in any order, one of which adds up? It becomes the last. */
bool sums_find_contributions(Arena *a, const Codelet *c, Sums *x);
/* Has each part of a container the size that is said of it? Else what is said by others: those of the first parameter
 * that has the same loop's variable there. */
bool sums_says_parts(const Sums *x);
void sums_say_parts(const Sums *x);

#endif
