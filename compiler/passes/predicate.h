/* predicate.h: a branch taken apart, so that a barrier can stand between its statements, outside of it. */
#ifndef TGC_PASSES_PREDICATE_H
#define TGC_PASSES_PREDICATE_H

#include "passes/fresh.h"
#include "passes/uniform.h"

typedef VEC(Tree *) TreeList;

typedef struct Predication {
  Arena *a;
  const Kernel *kernel;
  const Tree *body;     /* the kernel's: its names are taken */
  Uniform *uniform;
  Fresh fresh;
  VEC(const Tree *) done; /* branches taken apart before, and what came out */
  VEC(TreeList) parts;
} Predication;

Predication predication_begin(Arena *a, const Kernel *k, const Tree *body, Uniform *u);

/* The statements of `branch`, an IF, each under the condition by itself; a loop of it gets the condition inside when
 * all lanes can run its header. A branch that is one assignment is split into its load and its store. The lanes do
 * the same as before, in the same order. Empty, when a loop's header does not run alike over `scope`: *culprit is
 * the loop. The same branch gives the same statements every time. */
TreeList predicate_branch(Predication *p, const Tree *branch, Scope scope, const Tree **culprit);

/* `place op= value` as a load, into a new local, and a store. The same statement gives the same two every time. */
TreeList predicate_split(Predication *p, const Tree *assignment, bool whole);

#endif
