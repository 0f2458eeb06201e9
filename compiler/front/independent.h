/* independent.h: loops of a codelet whose turns know nothing of one another, by the dimensions that they store. */
#ifndef TGC_FRONT_INDEPENDENT_H
#define TGC_FRONT_INDEPENDENT_H

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

/* What can be divided: loops, none in another, whose elements are those of a dimension of what is stored. */
typedef struct Dimension {
  const Symbol *of; /* the first container that is stored, .. */
  int dim;          /* .. and its dimension */
  int first;        /* the first of its loops */
} Dimension;

typedef struct Independent {
  const Codelet *codelet;
  const Tree *body;   /* the codelet's, sizes written where they are used */
  Counting loop[MOST_COUNTING];
  int nloops;
  Dimension dimension[MOST_RANK];
  int ndimensions;    /* 0: nothing can be divided */
  int of[MOST_OPERANDS][MOST_RANK]; /* by parameter: whose loops' variable is the index; NO_DIMENSION: it is whole */
  const char *why;    /* nothing can be divided, though loops store elements: the reason, NULL: there is none to tell */
  const Tree *where;
} Independent;

/* Dimensions in the order of their loops. False: there are none. */
bool independent_find(Arena *a, const Codelet *c, Independent *x);
/* The loop whose variable, + shift, an index is; -1. */
int independent_loop(const Independent *x, const Tree *index);

#endif
