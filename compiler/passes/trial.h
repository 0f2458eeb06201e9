/* trial.h: an atomic codelet is run while tgc compiles: lane by lane, in lockstep, on a container of which it is known
 * where each element ends. */
#ifndef TGC_PASSES_TRIAL_H
#define TGC_PASSES_TRIAL_H

#include "ir/tree.h"

/* What stands for elements. */
typedef enum TrialKind {
  TRIAL_NUMBER, /* a number: all that is no element, and elements of TRIAL_OF_NUMBERS                              */
  TRIAL_RUN,    /* TRIAL_OF_PLACES: the elements from begin to below end, none when they are equal                 */
  TRIAL_SET,    /* TRIAL_OF_SETS: those whose bits are set                                                         */
  TRIAL_MIXED   /* some, in no order; or nobody knows                                                              */
} TrialKind;

typedef struct TrialValue {
  TrialKind kind;
  union {
    int64_t number;
    struct { int32_t begin, end; };
    const uint64_t *set;
  };
} TrialValue;

typedef enum TrialElements {
  TRIAL_OF_PLACES,  /* a user's operator joins two runs that meet                                                  */
  TRIAL_OF_SETS,    /* the spectrum's operator, to which it is the same how often it gets an element, unites them  */
  TRIAL_OF_NUMBERS  /* every operation is carried out; a user's operator adds                                      */
} TrialElements;

typedef struct Trial {
  const Codelet *codelet;
  const Tree *body;
  int64_t lanes, width, elements; /* of every container; width: lanes of a vector */
  TrialElements what;
  int64_t (*number)(uint64_t i);  /* TRIAL_OF_NUMBERS: the i-th of those that are handed in */
  /* What came out. */
  TrialValue result;              /* lane 0's */
  TrialValue *const *containers;  /* by parameter: the elements of those that are written; else NULL */
  int words;                      /* of a set */
  const char *why;                /* it cannot be told; NULL: it can */
  bool outside;                   /* .. since it reaches outside of an array or a container */
} Trial;

/* Runs it; storage in the arena. */
void trial_run(Arena *a, Trial *t);

#endif
