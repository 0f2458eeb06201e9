/* uniform.h: over which axes of a grid a value varies. */
#ifndef TGC_PASSES_UNIFORM_H
#define TGC_PASSES_UNIFORM_H

#include "ir/program.h"

typedef enum Variance {
  VARIES_NOT,   /* the same for all lanes of the grid */
  VARIES_BLOCK, /* the same for all lanes of a block */
  VARIES_WARP,  /* the same for all lanes of a warp */
  VARIES_LANE
} Variance;

typedef struct Uniform {
  Arena *a;
  VEC(const Symbol *) symbols;
  VEC(Variance) variance; /* of each symbol, at its most varied, among the lanes that run its declaration */
  VEC(int) depth;         /* how many branches and loops are around its declaration */
  VEC(Variance) control;  /* of the branches and loops around the place that is looked at */
} Uniform;

/* Follows values and control through the body until nothing changes. */
Uniform uniform_find(Arena *a, const Tree *body);
/* A variable that the caller made. */
void uniform_add(Uniform *u, const Symbol *s, Variance v);
Variance uniform_of(const Uniform *u, const Tree *value);
/* Of running one more time round: the condition, and breaks and continues inside. */
Variance uniform_of_loop(const Uniform *u, const Tree *loop);

#endif
