/* facts.h: what is known about integers at one point of a kernel.
 *
 * A walk over a body keeps a Facts up to date: facts_assign at assignments, facts_assume at conditions. An integer
 * expression is a Linear: a sum of atoms (the lane, the warp, a variable as it is now, ..) with factors. Variables
 * carry the time of their last change, so a fact about an old value never matches the new one. */
#ifndef TGC_PASSES_FACTS_H
#define TGC_PASSES_FACTS_H

#include "ir/program.h"

/* lo <= value <= hi; RANGE_LOW and RANGE_HIGH mean that no bound is known. */
typedef struct Range { int64_t lo, hi; } Range;
#define RANGE_LOW (INT64_MIN / 4)
#define RANGE_HIGH (INT64_MAX / 4)

typedef enum AtomKind {
  ATOM_LANE, ATOM_WARP, ATOM_BLOCK, ATOM_CLUSTER, ATOM_RANK,
  ATOM_CONSTANT, /* a SYMBOL_CONSTANT divided by what it is a multiple of */
  ATOM_SYMBOL,   /* a variable as it was at `time` */
  ATOM_TREE,     /* any other expression, its variables last changed at `time` */
  ATOM_TREE_REST /* the same without its part that is a multiple of 32 and linear */
} AtomKind;

typedef struct Atom {
  AtomKind kind;
  const Symbol *symbol;
  const Tree *tree;
  int64_t time;
  Range range;
} Atom;

typedef struct Term { Atom atom; int64_t factor; } Term;
typedef struct Linear { Term *term; int n; int64_t constant; } Linear;

typedef struct Variable {
  const Symbol *symbol;
  int64_t time;      /* of its last change */
  const Tree *value; /* what it was set to then, or NULL */
  Range range;
} Variable;

typedef struct Facts {
  Arena *a;
  const Kernel *kernel;
  bool bounds;       /* is the kernel's `bounded' of use? */
  int64_t clock;
  VEC(Variable) variables;
  VEC(Linear) known; /* each is <= 0 for the lane that runs here */
  VEC(int64_t) numbers; /* of each of these: the last one's stands for all, since none was ever given twice */
  struct Found *found; /* what followed from all this so far (facts.c) */
} Facts;

/* Everything is in `a`. */
Facts facts_begin(Arena *a, const Kernel *k);

/* What is known at one point, to go back to: times are never used twice. */
Facts facts_copy(const Facts *f);
void facts_return(Facts *f, const Facts *to);

/* Conditions hold in a part of the text: mark before, release behind it. */
int facts_mark(const Facts *f);
void facts_release(Facts *f, int mark);
void facts_assume(Facts *f, const Tree *condition, bool holds);

/* s changes now, to `value` (NULL: unknown). */
void facts_assign(Facts *f, const Symbol *s, const Tree *value);
/* Whatever `t` assigns or declares may have changed. */
void facts_forget(Facts *f, const Tree *t);
/* At a loop's head, behind its init: forgets what the loop changes, and finds the range of its variable. */
void facts_enter_loop(Facts *f, const Tree *loop);

/* When a variable changed last; 0: it has not, so far. */
int64_t facts_changed(const Facts *f, const Symbol *s);

/* Is it an integer, exactly? */
bool facts_is_integer(Type t);
Linear facts_linear(Facts *f, const Tree *t);
Linear facts_difference(Facts *f, const Linear *x, const Linear *y); /* x - y */
Range facts_range(Facts *f, const Linear *x);
Range facts_value(Facts *f, const Tree *t); /* of an integer expression */

/* 1: true, 0: false, -1: not known. */
int facts_decide(Facts *f, const Tree *condition);

/* Is the same atom, for one lane? */
bool atom_equal(const Atom *x, const Atom *y);

#endif
