/* twice.h: containers that a codelet reads by two lists of variables, as two parameters. */
#ifndef TGC_FRONT_TWICE_H
#define TGC_FRONT_TWICE_H

#include "ir/tree.h"

/* A copy of the codelet, with that body, in which each container that is only read is a parameter for each list of
 * indices that it has, one after the other, each as large as the first. from[i]: which of the codelet's parameters i
 * is. NULL: there would be too many. */
Codelet *twice_apart(Arena *a, const Codelet *c, Tree *body, int *from);
/* Adds a codelet to the spectrum that applies another, whose parameters are from[] of the codelet's. */
void twice_apply(Arena *a, Spectrum *s, const Codelet *c, Spectrum *apart, const int *from);

#endif
