/* stages.h: what realise.c, which writes a nest's loops, and those that write what is in these share. */
#ifndef TGC_LOWER_STAGES_H
#define TGC_LOWER_STAGES_H

#include "lower/block.h"
#include "lower/realise.h"

/* Iteration `number' of an axis is written; `of_both': of it and of the axis above, which one loop goes through. */
typedef struct Iteration { const NestAxis *axis; Tree *number, *of_both; } Iteration;

typedef struct Realising {
  Lowering *l;
  Opened *o;          /* of stages */
  Tree *at;           /* the position that loops have reached, this worker's where workers go on by themselves; NULL:
                         none */
  const NestDim *counted; /* whose position that is, of a loop that counts by itself; NULL: it is pieces', or
                             workers' */
  Bounds bounds;
  VEC(Iteration) above;
  bool otherwise;     /* in the second case of a flag */
  bool ahead;         /* before all parts */
} Realising;

/* ---- iterations.c ---- */

/* The iterations of an axis begin to be written, or of two by one loop, and end, until so many axes are left. */
void iterations_enter(Realising *r, const NestAxis *axis, Tree *number);
void iterations_enter_both(Realising *r, const NestAxis *outer, const NestAxis *inner, Tree *number);
void iterations_leave(Realising *r, int depth);
/* Is one of the axis being written? Its number, 0: none is. */
bool iterations_have(const Realising *r, const NestAxis *axis);
Tree *iterations_number(const Realising *r, const NestAxis *axis);

/* Which iteration of the axis, or of the same factor, is written; NULL: it is not among those above. */
Tree *iterations_number_of(const Realising *r, const NestAxis *axis);
/* Where in an array that is kept by these axes its element of this iteration is; and that of a tile. */
Tree *iterations_in_array(const Realising *r, NestAxis *const *axes, int n);
Tree *iterations_in_tile(const Realising *r, const NestValue *tile);
/* The position of this iteration's element. */
Tree *iterations_position(const Realising *r);
/* What of a tile a codelet goes through: the iterations that are not written. */
View *iterations_in_registers(Realising *r, const NestValue *tile);
/* An element of memory that is not lifted; a number and what stands before it, of that number's type. */
Tree *iterations_as_it_lies(Lowering *l, const View *v, Tree *index);
Tree *iterations_added(Lowering *l, Tree *before, Tree *x);

/* ---- stages.c ---- */

void stages_write(Realising *r, const NestNode *n);

/* ---- in_step.c: workers that iterate at the parts of a map, of which there are as many as its text says ---- */

typedef struct InStep { Block guarded; Tree *exists; } InStep;

/* Is it an axis of such workers, of whom each is handed a part? */
bool in_step_applies(const NestNode *n);
/* What stands between these is done with the part of the iteration at `at'. */
void in_step_begin(Lowering *l, InStep *t, const NestNode *n, Tree *at);
void in_step_end(Lowering *l, InStep *t, const NestNode *n);

#endif
