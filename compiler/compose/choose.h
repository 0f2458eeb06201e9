/* choose.h: one entry point from several variants, by size. */
#ifndef TGC_COMPOSE_CHOOSE_H
#define TGC_COMPOSE_CHOOSE_H

#include "compose/plan.h"

/* Up to `limit` elements (0: any number) run plan number `plan` of the list. */
typedef struct Choice {
  int64_t limit;
  int plan;
} Choice;

typedef struct Choices {
  VEC(Choice) rows; /* ascending limits, the last one 0 */
} Choices;

/* A first guess, without measurement: one block for what one block reads quickly, a grid for more. Among equals it
 * prefers what gives the same result in every run, then shuffles, then fewer levels between memory and lane. */
Choices choose_by_size(Arena *a, const Plans *plans);

#endif
