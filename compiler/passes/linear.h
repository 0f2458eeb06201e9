/* linear.h: sums of atoms as facts.c computes with them, and ranges. */
#ifndef TGC_PASSES_LINEAR_H
#define TGC_PASSES_LINEAR_H

#include "passes/facts.h"

/* ---- ranges ---- */

static const Range everything = {RANGE_LOW, RANGE_HIGH};

static inline int64_t clamp(__int128 x) {
  if (x <= RANGE_LOW) return RANGE_LOW;
  if (x >= RANGE_HIGH) return RANGE_HIGH;
  return (int64_t)x;
}

static inline bool bounded(int64_t x) { return x > RANGE_LOW && x < RANGE_HIGH; }

static inline Range range_of(int64_t lo, int64_t hi) { return (Range){lo, hi}; }

static inline Range intersect(Range x, Range y) {
  return range_of(x.lo > y.lo ? x.lo : y.lo, x.hi < y.hi ? x.hi : y.hi);
}

static inline Range hull(Range x, Range y) { return range_of(x.lo < y.lo ? x.lo : y.lo, x.hi > y.hi ? x.hi : y.hi); }

static inline Range type_range(Type t) {
  switch (t) {
    case TYPE_BOOL: return range_of(0, 1);
    case TYPE_INT: return range_of(INT32_MIN, INT32_MAX);
    case TYPE_UINT: return range_of(0, UINT32_MAX);
    case TYPE_ULONG: return range_of(0, RANGE_HIGH);
    default: return everything;
  }
}

static inline bool wraps(Type t) { return t == TYPE_UINT || t == TYPE_ULONG; }

/* ---- what was found before ---- */

/* What was found and is asked for again and again: what is known of single atoms, and expressions as sums. All copies
 * of facts share it. */
enum { FEW = 24, SUMS = 256, BITS = 64 };
typedef struct Sum {
  const Tree *tree;   /* NULL: there is none */
  int64_t knowledge, clock;
  uint64_t variables; /* asked for on the way: the bits of their names (facts.c) */
  int height;         /* how much deeper than `tree' was looked */
  Linear value;
} Sum;
struct Found {
  int64_t knowledge, latest; /* of which facts `at' is; the latest that there are */
  int n;
  struct { Atom atom; Range range; } at[FEW];
  Sum sums[SUMS];            /* each at its tree's place */
  int deepest;               /* how deep the sum that is being made has looked, */
  uint64_t asked;            /* and for which variables */
  int64_t changed[BITS];     /* when one of that bit changed last */
};

/* Stands for all that is known. */
static inline int64_t knowledge(const Facts *f) { return f->known.n ? f->numbers.at[f->known.n - 1] : 0; }

/* ---- sums ---- */

static inline Linear linear_constant(int64_t c) { return (Linear){NULL, 0, c}; }
Linear linear_single(Facts *f, Atom atom, int64_t factor);
/* x + factor * y; false when a number would overflow. */
bool linear_combine(Facts *f, const Linear *x, const Linear *y, int64_t factor, Linear *sum);

#endif
