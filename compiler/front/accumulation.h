/* accumulation.h: does an autonomous codelet go through its container once, combining each element with what it has? */
#ifndef TGC_FRONT_ACCUMULATION_H
#define TGC_FRONT_ACCUMULATION_H

#include "ir/tree.h"

typedef struct Accumulation {
  OperatorKind op;          /* OPERATOR_NONE: it is none, and `why' says why, `strange' where */
  const Tree *at;           /* the statement that accumulates */
  const Tree *start;        /* the accumulator's first value; NULL: none is given */
  const Tree *started;      /* the statement that gives it */
  const Tree *keeps_nan;    /* a comparison after which a NaN stands for the greatest, or least, element; NULL: none */
  const char *why;
  bool changes;             /* it combines something else than elements as they are, such as their squares */
  const Tree *strange;
} Accumulation;

/* Every element once, in one loop, forwards or backwards, of which nothing else is seen than the accumulator, or, of a
 * scan, what it stores beside each element (then forwards). Whether it starts at the operator's identity is left to the
 * caller. */
Accumulation accumulation_of(const Codelet *k);

#endif
