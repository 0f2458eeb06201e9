/* carried.h: numbers that a loop carries from turn to turn, as scans of their own (carried.c). */
#ifndef TGC_FRONT_CARRIED_H
#define TGC_FRONT_CARRIED_H

#include "front/step_spectra.h"

/* The loop as two: one that stores what the number has come to in each turn, in a container of its own, and one of the
 * rest, which reads it there. `each' NULL: the loop stores that itself, in `stored', and nothing else;
 * `stored' NULL: what it computes of it. `rest' NULL: there is none. */
typedef struct Carried { Symbol *of, *each, *stored; Tree *scan, *rest; const Tree *turns; } Carried;

/* False: it carries no such number, or by an operation that is no scan's. */
bool carried_find(const LoopSteps *x, const Tree *loop, Carried *found);
/* What the number is behind the loop; NULL: nobody stores that. */
Tree *carried_last(Arena *a, const Carried *c, const Tree *begin);

#endif
