/* selects.h: loops that keep the greatest or the least of what their turns compute, and what goes with it. */
#ifndef TGC_FRONT_SELECTS_H
#define TGC_FRONT_SELECTS_H

#include "ir/tree.h"

/* `if (value > best) { best = value; place = j; }', the last thing that is done in each turn. */
typedef struct Selects {
  Symbol *best;        /* the variable that values are compared with, */
  const Tree *value;   /* .. what it becomes, */
  const Tree *chosen;  /* .. the `if', */
  bool greatest, last; /* .. of equal values the last one */
} Selects;

/* Is the loop, which counts, such a one? */
bool selects_find(const Tree *loop, Selects *x);

#endif
