/* divisible.h: which loops of a codelet can be divided among workers, which part of an operand a piece of them takes,
 * and codelets that divide them so (divisible.c). */
#ifndef TGC_FRONT_DIVISIBLE_H
#define TGC_FRONT_DIVISIBLE_H

#include "front/divide.h"
#include "front/loops.h"

enum { MOST_COUNTING = 24, NO_DIMENSION = -1 };

/* A loop that counts. In the containers that it indexes its variable + shift is the index. */
typedef struct Counting {
  const Tree *at;
  LoopHead head;
  int within;     /* the loop of these that it stands in; -1: none */
  int dimension;  /* of those that can be divided; NO_DIMENSION: it is not among their loops */
  int64_t shift;
  bool shifted;   /* .. is known */
  bool all;       /* it goes through the whole dimension, of which no condition is needed */
} Counting;

/* What can be divided: loops, none in another, over the same elements. */
typedef struct Dimension {
  const Symbol *of; /* a container that has such an element for each turn, .. */
  int dim;          /* .. and its dimension */
  int first;        /* the first of its loops */
  bool cut;         /* is it divided? */
  Tree *turns;      /* of no container's: how many turns there are, of sizes and the caller's numbers, .. */
  Tree *from;       /* .. and the first number that it counts; NULL: positions are numbers of turns */
} Dimension;

typedef struct Divisible {
  const Codelet *codelet;
  const Tree *body; /* the codelet's, sizes written where they are used */
  Counting loop[MOST_COUNTING];
  int nloops;
  Dimension dimension[MOST_RANK];
  int ndimensions;
  int of[MOST_OPERANDS][MOST_RANK]; /* by parameter: whose loops' variable, shifted, is each index; NO_DIMENSION: all
                                     * parts have all of it */
} Divisible;

/* The loop whose variable + shift an index is; -1: none. */
int divisible_loop(const Divisible *x, const Tree *index);
/* .. and any other shift, which is told. */
int divisible_loop_shifted(const Divisible *x, const Tree *index, int64_t *shift);

/* What is divided: the codelet itself where a part of it is the same codelet; else one of a new spectrum, which the
 * codelet's own applies to all of it. */
typedef struct DivisiblePart {
  const Divisible *whole;
  Codelet *codelet;                 /* its sequential one; NULL: it would have too many parameters */
  int of[MOST_OPERANDS][MOST_RANK]; /* by its parameters: the dimension whose cut each of theirs gets; NO_DIMENSION */
  int before;                       /* parameters that it has before those of the whole's codelet: positions */
} DivisiblePart;

/* `what': the new spectrum's name behind that of the codelet's. */
DivisiblePart divisible_part(Arena *a, Unit *u, const Divisible *x, const char *what);
/* The cuts of these dimensions, in k, a copy of the part's codelet; and what each parameter is given to a map of it. */
void divisible_cut(Arena *a, const DivisiblePart *x, const Codelet *k, const bool *dimensions, bool strided,
                   DivideStatements *to, Tree **arguments);
/* A codelet of the part's spectrum that maps it so. NULL: all dimensions. */
void divisible_add_cut(Arena *a, const DivisiblePart *x, const char *tag, const bool *dimensions, bool strided);

#endif
