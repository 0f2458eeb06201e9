/* bounds.h: is a difference of whole numbers surely not below 0? From the conditions that hold where it stands. */
#ifndef TGC_FRONT_BOUNDS_H
#define TGC_FRONT_BOUNDS_H

#include "ir/tree.h"

enum { MOST_TERMS = 12 };

/* plus + the sum of times[i] * atom[i]. */
typedef struct Linear {
  const Tree *atom[MOST_TERMS];
  int64_t times[MOST_TERMS], plus;
  int n;
  bool known; /* it had room */
} Linear;

typedef VEC(Linear) Facts; /* each of them is not below 0 */

typedef struct Bounds {
  Arena *a;
  const Tree *body;                    /* the codelet's, whose variables are looked up */
  Facts facts;
  bool (*below)(void *, const Tree *); /* may this value be below 0? Asked of what is no sum */
  void *context;
} Bounds;

/* What follows from a condition that is true, or false. */
void bounds_assume(Bounds *b, const Tree *condition, bool holds);
/* x >= y from here on. */
void bounds_assume_least(Bounds *b, const Tree *x, const Tree *y);
/* Nothing is known of what was said of variables that the statement assigns to. */
void bounds_forget(Bounds *b, const Tree *statement);
/* A sum or difference that surely is not below 0. */
bool bounds_not_below(const Bounds *b, const Tree *t);

#endif
