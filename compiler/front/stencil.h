/* stencil.h: what loops that store each element of containers once read around it (stencil.c, stencils.c). */
#ifndef TGC_FRONT_STENCIL_H
#define TGC_FRONT_STENCIL_H

#include "front/independent.h"
#include "front/sizes.h"

/* `for (i = from; i < to; ++i)', i not assigned to. */
typedef struct StencilLoop { const Tree *at; const Symbol *index; Size from, to; } StencilLoop;

/* Which loop's variable an index is, and how far from it at least, and at most. */
typedef struct StencilReach { int loop; Size least, most; } StencilReach;

enum { NO_LOOP = NO_DIMENSION, MOST_STENCIL_LOOPS = 8 };

typedef struct Stencil {
  Arena *a;
  const Codelet *codelet;                    /* sizes written where they are used */
  StencilLoop own[MOST_RANK];                /* over the elements that are stored, */
  int nown;
  StencilLoop inner[MOST_STENCIL_LOOPS];     /* .. and inside them, over what lies around one */
  int ninner;
  const Symbol *alias[MOST_STENCIL_LOOPS];   /* variables that stand for a place: `const unsigned row = i + k' */
  int naliases;
  const Tree *body;                          /* of the last own loop */
  StencilReach of[MOST_OPERANDS][MOST_RANK]; /* by parameter and dimension; NO_LOOP: all parts have all of it */
  bool seen[MOST_OPERANDS][MOST_RANK];
  bool asked[MOST_OPERANDS][MOST_RANK], sized[MOST_OPERANDS][MOST_RANK]; /* its size is in indices; elsewhere */
  int depth;
  bool ok;
} Stencil;

/* Is the codelet such loops? within: their bounds, in place of those that its text has; NULL: it has them itself. */
bool stencil_find(Arena *a, const Codelet *c, const StencilLoop *within, Stencil *x);
/* The loops over what it stores alone; is it a loop? */
bool stencil_loops(Arena *a, const Codelet *c, Stencil *x);
bool stencil_loop(const Stencil *x, const Tree *t, StencilLoop *loop);
/* An expression over sizes, and variables of loops, which have no dimension. */
Size stencil_linear(const Stencil *x, const Tree *t);
/* The one own loop whose variable it has, once; NO_LOOP: it has none; MOST_RANK: it has more. */
int stencil_loop_in(const Stencil *x, const Size *place);
/* What is left of it without the own loop's variable, at least, or at most. Is that surely not below zero? */
Size stencil_bound(const Stencil *x, const Size *place, bool most);
bool stencil_natural(const Size *x);
const StencilLoop *stencil_inner(const Stencil *x, const Symbol *index);
/* How many iterations an own loop has; how many elements of a dimension its parts read or store, all together; where
 * these begin. */
Size stencil_turns(const Stencil *x, int loop);
Size stencil_extent(const Stencil *x, int param, int dimension);
Size stencil_start(const Stencil *x, int param, int dimension);
/* How many more than its loop's iterations. */
Size stencil_halo(const Stencil *x, int param, int dimension);

#endif
