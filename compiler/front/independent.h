/* independent.h: loops of a codelet whose turns know nothing of one another, by the dimensions that they store. */
#ifndef TGC_FRONT_INDEPENDENT_H
#define TGC_FRONT_INDEPENDENT_H

#include "front/divisible.h"

typedef struct Independent {
  Divisible loops;  /* no dimension: nothing can be divided */
  const char *why;  /* nothing can be divided, though loops store elements: the reason, NULL: there is none to tell */
  const Tree *where;
} Independent;

/* Dimensions in the order of their loops. False: there are none. */
bool independent_find(Arena *a, const Codelet *c, Independent *x);

#endif
