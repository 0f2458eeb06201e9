/* lockstep.h: cooperative and autonomous codelet bodies run as the language says, over int64 values.
 *
 * The oracle of the codelet passes: all active lanes evaluate a statement, then all store. What a pass must not rely
 * on is made to fail: a shuffle from outside the vector gives rubbish, one that part of a vector runs is a fault, and
 * so is an index out of bounds or two lanes that store different values in one place. */
#ifndef TGC_TESTS_LOCKSTEP_H
#define TGC_TESTS_LOCKSTEP_H

#include "ir/tree.h"

typedef struct LockstepRun {
  int lanes, width;     /* lanes is a multiple of width, the lanes of a vector */
  const int64_t *in;    /* the codelet's container */
  int64_t size;
  int64_t *returned;    /* out: lanes values, one a lane */
  const char *fault;    /* out: what went wrong, or NULL */
} LockstepRun;

/* Runs a body in codelet form: as written (a write to an atomic shared variable is that atomic), or after the
 * passes. False, with `fault` set, when it cannot be run or does what it must not. */
bool lockstep_run(Arena *a, const Codelet *c, const Tree *body, LockstepRun *run);

#endif
